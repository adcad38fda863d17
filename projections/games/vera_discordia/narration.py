"""One sentence per event of Vera Discordia, for one viewer."""

from typing import Final

from domain.kernel import DiceRolled, Event, Hidden, Part, Seat, Shuffled, total
from domain.vera_discordia.cards.cards import Ability
from domain.vera_discordia.rules.morale import PASS, TITLES, Check
from domain.vera_discordia.state import events as e
from domain.vera_discordia.state.queries import cards_of, terrain_in
from domain.vera_discordia.state.state import AttackKind, Column, Phase, VeraState
from projections.blocks.narration import Telling, narrator, silent
from projections.games.vera_discordia.words import (
    ATTACK_NAMES,
    MORALE_WORDS,
    ORDER_NAMES,
    TERRAIN_NAMES,
    ability_name,
    card_of,
    cards_named,
    own_name,
    space_name,
    tell,
    unit_name,
    units_named,
)
from projections.words import count, join, player, reasons

View = VeraState
PHASES: Final = {  # the other phases are told by their events
    Phase.GENERALS: "The Generals are chosen",
    Phase.RECRUITING: "Recruiting begins",
    Phase.CLOSING: "Open and Closed Units are chosen",
    Phase.EXAMINING: "Four Terrain cards are laid face down",
    Phase.DEPLOYMENT: "Deployment begins",
    Phase.BEGINNING: "begins",
    Phase.ISSUING: "orders are issued",
    Phase.RESOLUTION: "orders are resolved",
}


EXECUTED: Final = frozenset({"VD-081", "VD-156"})
"""Discards of an executed order, at once or in the clean-up. They are not told, because the execution has been told."""
TOLD_AFTER: Final = frozenset({*(check.value for check in Check), "VD-133", "VD-109"})
"""Rolls whose outcome is an event of its own, which names the die."""
TOLD_BY_GAME: Final = frozenset({"VD-098", "VD-140"})
"""Shuffles that are told by `OrderDeckShuffled`."""
BEGINNING: Final = frozenset({"VD-314", "VD-310", "VD-346", "VD-354"})
COUNTERS: Final = {"VD-355": " by Riposte", "VD-317": ", being Chaotic", "VD-349": " by Rage"}


def terrain_name(view: View, column: int) -> str:
    """A column and its Terrain."""
    return f"column {column} ({TERRAIN_NAMES[terrain_in(view, Column(column))][0]})"


def rolled(view: View, event: DiceRolled) -> str | None:
    """A roll in the words of this game; None if the plain words suffice."""
    if event.rule in TOLD_AFTER:
        return ""
    unit = unit_name(view, event.about[0]) if event.about else ""
    if event.rule in BEGINNING:
        return f"{event.title} roll of {unit}: {event.dice[0]}, {event.needs[0]} needed ({event.rule})."
    if not event.kinds and event.rule not in {"VD-217", "VD-238", "VD-265"}:
        return None
    why = f" {count(len(event.dice), 'die', 'dice')}: {reasons(event.parts)}." if event.parts else ""
    faces = ", ".join(
        f"{kind.capitalize()} {face}{'✓' if face >= need else ''}"
        for kind, face, need in zip(event.kinds, event.dice, event.needs, strict=True)
    )
    return f"{event.title} roll of {unit} ({event.rule}): {faces or 'no dice'}.{why}"


def general_chosen(_: View, view: View, event: e.GeneralChosen) -> str:
    name = cards_of(view).general(event.general)[1].name
    return f"{player(view, event.seat)} commands {name} of {cards_of(view).factions[event.faction].name}."


def order_deck_shuffled(_: View, view: View, event: e.OrderDeckShuffled) -> str:
    cards = count(event.size, "card")
    if event.reshuffled:
        return f"{player(view, event.seat)}'s deck is empty: the discard pile is shuffled into a new one of {cards}."
    return f"{player(view, event.seat)}'s order deck is shuffled: {cards}."


def army_dealt(_: View, view: View, event: e.ArmyDealt) -> str:
    mine = ""
    if not isinstance(event.cards, Hidden) and not isinstance(event.mustered, Hidden):
        mine = f": {cards_named(view, event.mustered + event.cards)}"
    return f"{player(view, event.seat)} receives {count(event.count, 'Unit')}{mine}."


def rank_exchanged(_: View, view: View, event: e.RankExchanged) -> str:
    mine = "" if isinstance(event.cards, Hidden) else f" and now holds {cards_named(view, event.cards)}"
    return f"{player(view, event.seat)} exchanges the {event.rank.value.capitalize()} Units{mine}."


def army_counted(_: View, view: View, event: e.ArmyCounted) -> str:
    return (
        f"{player(view, event.seat)} counts Vision {event.vision} and Stealth {event.stealth}: "
        f"{count(event.closed, 'Unit')} will be Closed (VD-111)."
    )


def initiative_taken(_: View, view: View, event: e.InitiativeTaken) -> str:
    why = {"VD-108": "by Stealth", "VD-109": "by the die", "VD-133": "by the roll", "VD-134": "after a tie"}
    dice = view.roll.dice if view.roll is not None and view.roll.rule == "VD-133" and event.rule != "VD-108" else ()
    shares = []
    for seat, whole in enumerate(event.totals):
        bonus = whole - dice[seat] if dice else 0
        parts = f" ({dice[seat]} + {bonus})" if bonus else ""
        shares.append(f"{whole}{parts} for {player(view, Seat(seat))}")
    totals = f": {', '.join(shares)}" if shares else ""
    return f"{player(view, event.seat)} takes the initiative {why.get(event.rule, '')} ({event.rule}){totals}."


def army_shown(_: View, view: View, event: e.ArmyShown) -> str:
    shown = cards_named(view, event.open) or "no Unit"
    mine = "" if isinstance(event.closed, Hidden) or not event.closed else f" ({cards_named(view, event.closed)})"
    stay = count(event.closed_count, "Unit stays", "Units stay")
    return f"{player(view, event.seat)} shows {shown}; {stay} Closed{mine}."


def terrain_examined(_: View, view: View, event: e.TerrainExamined) -> str:
    what = "" if isinstance(event.terrain, Hidden) else f": {TERRAIN_NAMES[event.terrain][0]}"
    return f"{player(view, event.seat)} looks at the Terrain of column {event.column}{what}."


def unit_deployed(_: View, view: View, event: e.UnitDeployed) -> str:
    card = event.open_card if event.open_card is not None else event.card
    name = "a Closed Unit" if isinstance(card, Hidden) else card_of(view, card).name
    closed = " face down" if event.open_card is None and not isinstance(card, Hidden) else ""
    lead = ", with the General" if event.general else ""
    return f"{player(view, event.seat)} places {name}{closed} in {space_name(event.space)}{lead}."


def terrain_revealed(_: View, __: View, event: e.TerrainRevealed) -> str:
    return f"The Terrain is revealed: {join([TERRAIN_NAMES[t][0] for t in event.terrain])}."


def phase_began(_: View, __: View, event: e.PhaseBegan) -> str:
    text = PHASES.get(event.phase, "")
    if not text:
        return ""
    if not event.round:
        return f"{text}."
    return f"Round {event.round} {text}." if event.phase is Phase.BEGINNING else f"Round {event.round}: {text}."


def unit_went_wild(_: View, view: View, event: e.UnitWentWild) -> str:
    chaos = event.ability is Ability.CHAOS
    word = "Chaotic this round: no order goes there" if chaos else "Enraged this round: its order may be converted"
    return tell(view, event.unit, f"is {word}")


def unit_took_order(_: View, view: View, event: e.UnitTookOrder) -> str:
    what = "the top card of the deck" if isinstance(event.order, Hidden) else ORDER_NAMES[event.order]
    return tell(view, event.unit, f"gets {what} face down ({event.rule})")


def life_regained(_: View, view: View, event: e.LifeRegained) -> str:
    left = "" if event.marker is None else f", {event.marker} now"
    gained = f"{event.gained} life" if event.gained else "life"
    return tell(view, event.unit, f"regains {gained}{left} ({event.rule})")


def ability_shown(_: View, view: View, event: e.AbilityShown) -> str:
    return tell(view, event.unit, f"has {ability_name(event.ability)}, which had to be named (VD-054)")


def cards_drawn(before: View, view: View, event: e.CardsDrawn) -> str:
    mine = ""
    if not isinstance(event.hand, Hidden):
        drawn = event.hand[len(event.hand) - event.count :]
        mine = f": {join([ORDER_NAMES[card] for card in drawn])}"
    del before
    return f"{player(view, event.seat)} draws {count(event.count, 'card')}{mine}."


def orders_issued(_: View, view: View, event: e.OrdersIssued) -> str:
    mine = ""
    if not isinstance(event.orders, Hidden):
        pairs = [
            f"{ORDER_NAMES[order]} to {own_name(view, unit)}"
            for unit, order in zip(event.units, event.orders, strict=True)
        ]
        mine = f": {join(pairs)}"
    return f"{player(view, event.seat)} has issued {count(len(event.units), 'order')}{mine}."


def leftover_discarded(_: View, view: View, event: e.LeftoverDiscarded) -> str:
    return f"{player(view, event.seat)} discards {ORDER_NAMES[event.order]}, left over (VD-316)."


def order_taken_back(before: View, view: View, event: e.OrderTakenBack) -> str:
    held = before.units[event.unit].order
    what = "the order" if held is None or isinstance(held.type, Hidden) else ORDER_NAMES[held.type]
    return f"{player(view, event.seat)} takes {what} back from {own_name(view, event.unit)}."


def card_exchanged(_: View, view: View, event: e.CardExchanged) -> str:
    what = "a card" if isinstance(event.order, Hidden) else ORDER_NAMES[event.order]
    return f"Link: {tell(view, event.unit, f'gets {what} from the hand for the order there (VD-332)')}"


def orders_exchanged(_: View, view: View, event: e.OrdersExchanged) -> str:
    return f"Link: {unit_name(view, event.first)} and {own_name(view, event.second)} exchange their orders (VD-333)."


def order_reclaimed(_: View, view: View, event: e.OrderReclaimed) -> str:
    return f"Link: the order of {unit_name(view, event.unit)} goes back to the hand (VD-334)."


def order_turned_up(_: View, view: View, event: e.OrderTurnedUp) -> str:
    return tell(view, event.unit, f"executes {ORDER_NAMES[event.order]}")


def tactic_declared(_: View, view: View, event: e.TacticDeclared) -> str:
    return f"{player(view, event.seat)} declares the Tactic {ORDER_NAMES[event.type]} for this round."


def order_discarded(before: View, __: View, event: e.OrderDiscarded) -> str:
    if event.unit not in before.units or (event.rule in EXECUTED and not event.virtual):
        return ""  # for a lost Unit it was told by name
    what = f"The {ORDER_NAMES[event.order]} order of {unit_name(before, event.unit)}"
    return f"{what} disappears." if event.virtual else f"{what} is discarded ({event.rule})."


def order_examined(_: View, view: View, event: e.OrderExamined) -> str:
    return f"The order of {unit_name(view, event.unit)} is examined: {ORDER_NAMES[event.order]}."


def order_converted(_: View, view: View, event: e.OrderConverted) -> str:
    return tell(view, event.unit, f"converts the order to {ORDER_NAMES[event.to]} by Rage (VD-348)")


def unit_charged(_: View, view: View, event: e.UnitCharged) -> str:
    return tell(view, event.unit, "gets another Attack order face down by Charge (VD-319)")


def maneuver_passed(_: View, view: View, event: e.ManeuverPassed) -> str:
    if event.failed:
        return tell(view, event.unit, "fails to Castle: the other Unit has no Maneuver (VD-172)")
    return tell(view, event.unit, "does nothing (VD-163)")


def unit_moved(before: View, __: View, event: e.UnitMoved) -> str:
    return tell(before, event.unit, f"moves to {space_name(event.to)}")


def units_swapped(before: View, __: View, event: e.UnitsSwapped) -> str:
    return f"{unit_name(before, event.first)} and {own_name(before, event.second)} change places."


def terrain_captured(_: View, view: View, event: e.TerrainCaptured) -> str:
    return tell(view, event.unit, f"captures the Terrain of {terrain_name(view, event.column)} (VD-175)")


def capture_lost(before: View, _: View, event: e.CaptureLost) -> str:
    where = terrain_name(before, int(before.units[event.unit].space[1]))
    return f"{unit_name(before, event.unit)}: the Terrain of {where} is held no more ({event.rule})."


def attack_failed(_: View, view: View, event: e.AttackFailed) -> str:
    return tell(view, event.unit, "has nothing to attack (VD-189)")


def attack_declared(_: View, view: View, event: e.AttackDeclared) -> str:
    article = "a" if event.kind is AttackKind.DIRECT else "an"
    through = " through the Opening" if event.opening else ""
    where = f"in {terrain_name(view, event.column)}"
    target = unit_name(view, event.target)
    return tell(view, event.attacker, f"makes {article} {ATTACK_NAMES[event.kind]} on {target}{through} {where}")


def supports_committed(_: View, view: View, event: e.SupportsCommitted) -> str:
    if not event.units:
        return ""
    what = "Counterattack" if event.counter else "attack"
    if len(event.units) == 1:
        return tell(view, event.units[0], f"supports the {what} (VD-202)")
    owner = player(view, view.units[event.units[0]].seat)
    return f"{owner}'s {units_named(view, event.units)} support the {what} (VD-202)."


def unit_opened(before: View, view: View, event: e.UnitOpened) -> str:
    unit = before.units[event.unit]
    name = card_of(view, event.card).name
    return f"The Closed Unit of {player(view, unit.seat)} in {space_name(unit.space)} is turned up: {name}."


def unit_transformed(before: View, view: View, event: e.UnitTransformed) -> str:
    name = card_of(view, event.card).name
    return tell(before, event.unit, f"turns into a copy of {name} with {event.life} life (VD-337)")


def chrysalis_met(_: View, __: View, ___: e.ChrysalisMet) -> str:
    return "Chrysalis meets Chrysalis: neither changes and no damage is dealt (VD-342)."


def morale_checked(_: View, view: View, event: e.MoraleChecked) -> str:
    done = "passes" if event.passed else "fails"
    check = f"the {TITLES[Check(event.rule)]} check ({event.rule})"
    if event.natural is None:
        return tell(view, event.unit, f"{done} {check} without a roll ({event.parts[0].rule})")
    parts = tuple(Part(p.rule, p.value, p.why or MORALE_WORDS.get(p.rule, "")) for p in event.parts)
    if event.natural in {1, 6}:
        rolled = f"a natural {event.natural}"
    else:
        whole = f", {reasons(parts)}: {event.natural + total(parts)} in all" if parts else ""
        rolled = f"rolled {event.natural}{whole}, {PASS} needed"
    return tell(view, event.unit, f"{done} {check}: {rolled}")


def ranks_closed(_: View, view: View, event: e.RanksClosed) -> str:
    return tell(view, event.unit, "Closes Ranks (VD-212): 1 die less in the attack")


def hits_counted(_: View, view: View, event: e.HitsCounted) -> str:
    hits = len(event.hits)
    return tell(view, event.unit, f"scores {count(hits, 'hit') if hits else 'no hit'}")


def unit_damaged(_: View, view: View, event: e.UnitDamaged) -> str:
    return tell(view, event.unit, f"loses {event.lost} life, {event.life} left")


def unit_destroyed(before: View, view: View, event: e.UnitDestroyed) -> str:
    how = "is routed" if event.rule == "VD-222" else "is destroyed"
    told = tell(before, event.unit, how)
    if event.cost:
        told = f"{told[:-1]}: {player(view, event.seat)} loses {event.cost} Motivation, {event.motivation} left."
    order = before.units[event.unit].order
    if order is None:
        return told
    return f"{told} The order there {'disappears' if order.virtual else 'is discarded'} (VD-Q12)."


def motivation_lost(_: View, view: View, event: e.MotivationLost) -> str:
    who = player(view, event.seat)
    why = f"{unit_name(view, event.unit)}, Prominent, with the General and now Decimated"
    return f"{who} loses {event.cost} Motivation for {why}, {event.motivation} left (VD-345)."


def disrupted(_: View, view: View, event: e.Disrupted) -> str:
    return tell(view, event.unit, f"causes {count(event.count, 'Disruption')}, {event.total} in all (VD-266)")


def counterattack_declared(_: View, view: View, event: e.CounterattackDeclared) -> str:
    how = COUNTERS.get(event.rule, "")
    return tell(view, event.unit, f"strikes back{how} ({event.rule})")


def counterattack_refused(_: View, view: View, event: e.CounterattackRefused) -> str:
    return tell(view, event.unit, f"does not strike back ({event.rule})")


def attack_ended(_: View, __: View, event: e.AttackEnded) -> str:
    return "" if event.landed else f"The attack is broken off ({event.rule})."


def strategy_used(_: View, view: View, event: e.StrategyUsed) -> str:
    general = cards_of(view).general(event.general)[1]
    return f"{player(view, event.seat)} uses the Strategy of {general.name}: {general.strategy.text}"


def morale_raised(_: View, view: View, event: e.MoraleRaised) -> str:
    who = player(view, event.seat)
    return f"{who}'s Units have +{event.bonus} on Morale Checks this round ({count(len(event.units), 'Unit')})."


SILENT: Final[frozenset[type[Event]]] = frozenset(
    {e.PlayerGrounded, e.UnitsRolled, e.TurnBegan, e.RoundEnded, e.TerrainLaid, e.StrategyResumed}
)
"""Events that are not told, because neighbouring events tell the same."""

TOLD: Final[dict[type[Event], Telling]] = {
    e.GeneralChosen: general_chosen,
    e.OrderDeckShuffled: order_deck_shuffled,
    e.ArmyDealt: army_dealt,
    e.RankExchanged: rank_exchanged,
    e.ExchangeDeclined: lambda _, v, event: f"{player(v, event.seat)} keeps the Units dealt.",
    e.ArmyCounted: army_counted,
    e.InitiativeTaken: initiative_taken,
    e.ArmyShown: army_shown,
    e.TerrainExamined: terrain_examined,
    e.ExaminationEnded: lambda _, v, event: f"{player(v, event.seat)} looks at no more Terrain.",
    e.UnitDeployed: unit_deployed,
    e.TerrainRevealed: terrain_revealed,
    e.PhaseBegan: phase_began,
    e.UnitWentWild: unit_went_wild,
    e.UnitTookOrder: unit_took_order,
    e.LifeRegained: life_regained,
    e.AbilityShown: ability_shown,
    e.CardsDrawn: cards_drawn,
    e.OrdersIssued: orders_issued,
    e.LeftoverDiscarded: leftover_discarded,
    e.OrderTakenBack: order_taken_back,
    e.KeepingEnded: lambda _, v, event: f"{player(v, event.seat)} takes no order back.",
    e.CardExchanged: card_exchanged,
    e.OrdersExchanged: orders_exchanged,
    e.OrderReclaimed: order_reclaimed,
    e.OrderTurnedUp: order_turned_up,
    e.TacticDeclared: tactic_declared,
    e.OrderDiscarded: order_discarded,
    e.OrderExamined: order_examined,
    e.OrderConverted: order_converted,
    e.UnitCharged: unit_charged,
    e.ManeuverPassed: maneuver_passed,
    e.UnitMoved: unit_moved,
    e.UnitsSwapped: units_swapped,
    e.TerrainCaptured: terrain_captured,
    e.CaptureLost: capture_lost,
    e.AttackFailed: attack_failed,
    e.AttackDeclared: attack_declared,
    e.SupportsCommitted: supports_committed,
    e.UnitOpened: unit_opened,
    e.UnitTransformed: unit_transformed,
    e.ChrysalisMet: chrysalis_met,
    e.MoraleChecked: morale_checked,
    e.RanksClosed: ranks_closed,
    e.HitsCounted: hits_counted,
    e.UnitDamaged: unit_damaged,
    e.UnitDestroyed: unit_destroyed,
    e.MotivationLost: motivation_lost,
    e.Disrupted: disrupted,
    e.CounterattackDeclared: counterattack_declared,
    e.CounterattackRefused: counterattack_refused,
    e.AttackEnded: attack_ended,
    e.StrategyUsed: strategy_used,
    e.MoraleRaised: morale_raised,
}


def own(view: View, event: Event) -> str | None:
    """An event of the kernel that this game tells in words of its own."""
    if isinstance(event, Shuffled) and event.rule in TOLD_BY_GAME:
        return ""
    return rolled(view, event) if isinstance(event, DiceRolled) else None


narrate: Final = narrator({**TOLD, **dict.fromkeys(SILENT, silent)}, own)
"""A sentence about an event of Vera Discordia or of the kernel, from the viewer's own views."""
