"""One sentence per event of Vera Discordia, as one viewer may hear it."""

from collections.abc import Callable
from typing import Any, Final

from domain.kernel import Event, Hidden, Seat
from domain.vera_discordia import events as e
from domain.vera_discordia.queries import cards_of
from domain.vera_discordia.rules.morale import TITLES, Check
from domain.vera_discordia.state import Phase, VeraState
from projections.games.vera_discordia_words import (
    ATTACK_NAMES,
    ORDER_NAMES,
    TERRAIN_NAMES,
    ability_name,
    card_of,
    cards_named,
    space_name,
    unit_name,
    units_named,
)
from projections.plain import narrate_kernel, player
from projections.words import count, join, reasons

View = VeraState
PHASES: Final = {
    Phase.GENERALS: "The Generals are chosen",
    Phase.RECRUITING: "Recruiting begins",
    Phase.CLOSING: "Open and Closed Units are chosen",
    Phase.EXAMINING: "Four Terrain cards are laid face down",
    Phase.DEPLOYMENT: "Deployment begins",
    Phase.BEGINNING: "begins",
    Phase.INITIATIVE: "initiative",
    Phase.DRAWING: "cards are drawn",
    Phase.ISSUING: "orders are issued",
    Phase.KEEPING: "a card may be kept",
    Phase.RESOLUTION: "orders are resolved",
    Phase.CLEAN_UP: "clean-up",
}


def general_chosen(_: View, view: View, event: e.GeneralChosen) -> str:
    name = cards_of(view).general(event.general)[1].name
    return f"{player(view, event.seat)} commands {name} of {cards_of(view).factions[event.faction].name}."


def order_deck_shuffled(_: View, view: View, event: e.OrderDeckShuffled) -> str:
    again = "the discard pile becomes the new deck" if event.reshuffled else "the order deck lies ready"
    return f"{player(view, event.seat)}: {again} ({count(event.size, 'card')})."


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
    why = {"VD-108": "more Stealth", "VD-109": "the higher die", "VD-133": "the higher roll", "VD-134": "a tie"}
    totals = f", {' to '.join(map(str, event.totals))}" if event.totals else ""
    return f"{player(view, event.seat)} takes the initiative by {why.get(event.rule, event.rule)}{totals}."


def army_shown(_: View, view: View, event: e.ArmyShown) -> str:
    shown = cards_named(view, event.open) or "no Unit"
    mine = "" if isinstance(event.closed, Hidden) or not event.closed else f" ({cards_named(view, event.closed)})"
    return f"{player(view, event.seat)} shows {shown}; {count(event.closed_count, 'Unit')} stay Closed{mine}."


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
    text = PHASES[event.phase]
    if not event.round:
        return f"{text}."
    return f"Round {event.round} {text}." if event.phase is Phase.BEGINNING else f"Round {event.round}: {text}."


def unit_went_wild(_: View, view: View, event: e.UnitWentWild) -> str:
    word = "Chaotic: it gets no order" if event.ability.value == "chaos" else "Enraged: it may convert its order"
    return f"{unit_name(view, event.unit)} is {word} this round."


def unit_took_order(_: View, view: View, event: e.UnitTookOrder) -> str:
    what = "the top card of the deck" if isinstance(event.order, Hidden) else ORDER_NAMES[event.order]
    return f"{unit_name(view, event.unit)} gets {what} face down ({event.rule})."


def life_regained(_: View, view: View, event: e.LifeRegained) -> str:
    left = "" if event.marker is None else f", {event.marker} now"
    gained = f"{event.gained} life" if event.gained else "its life"
    return f"{unit_name(view, event.unit)} regains {gained}{left} ({event.rule})."


def ability_shown(_: View, view: View, event: e.AbilityShown) -> str:
    return f"{unit_name(view, event.unit)} has {ability_name(event.ability)}; it stays Closed."


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
            f"{ORDER_NAMES[order]} to {unit_name(view, unit)}"
            for unit, order in zip(event.units, event.orders, strict=True)
        ]
        mine = f": {join(pairs)}"
    return f"{player(view, event.seat)} has issued {count(len(event.units), 'order')}{mine}."


def leftover_discarded(_: View, view: View, event: e.LeftoverDiscarded) -> str:
    return f"{player(view, event.seat)} discards {ORDER_NAMES[event.order]}, left over (VD-316)."


def order_taken_back(_: View, view: View, event: e.OrderTakenBack) -> str:
    return f"{player(view, event.seat)} takes back the order of {unit_name(view, event.unit)}."


def card_exchanged(_: View, view: View, event: e.CardExchanged) -> str:
    return f"Link: {unit_name(view, event.unit)} exchanges its order for a card from the hand."


def orders_exchanged(_: View, view: View, event: e.OrdersExchanged) -> str:
    return f"Link: {unit_name(view, event.first)} and {unit_name(view, event.second)} exchange their orders."


def order_reclaimed(_: View, view: View, event: e.OrderReclaimed) -> str:
    return f"Link: {unit_name(view, event.unit)} gives its order back to the hand."


def order_turned_up(_: View, view: View, event: e.OrderTurnedUp) -> str:
    return f"{unit_name(view, event.unit)} executes {ORDER_NAMES[event.order]}."


def tactic_declared(_: View, view: View, event: e.TacticDeclared) -> str:
    return f"{player(view, event.seat)} declares the Tactic {ORDER_NAMES[event.type]} for this round."


def order_discarded(before: View, __: View, event: e.OrderDiscarded) -> str:
    what = f"The {ORDER_NAMES[event.order]} order of {unit_name(before, event.unit)}"
    return f"{what} disappears." if event.virtual else f"{what} is discarded ({event.rule})."


def order_examined(_: View, view: View, event: e.OrderExamined) -> str:
    return f"The order of {unit_name(view, event.unit)} is examined: {ORDER_NAMES[event.order]}."


def order_converted(_: View, view: View, event: e.OrderConverted) -> str:
    return f"{unit_name(view, event.unit)} converts its order to {ORDER_NAMES[event.to]} by Rage."


def unit_charged(_: View, view: View, event: e.UnitCharged) -> str:
    return f"{unit_name(view, event.unit)} Charges: it gets an Attack order (VD-319)."


def maneuver_passed(_: View, view: View, event: e.ManeuverPassed) -> str:
    what = "fails to Castle and stays" if event.failed else "stays"
    return f"{unit_name(view, event.unit)} {what} where it is."


def unit_moved(before: View, __: View, event: e.UnitMoved) -> str:
    return f"{unit_name(before, event.unit)} moves to {space_name(event.to)}."


def units_swapped(before: View, __: View, event: e.UnitsSwapped) -> str:
    return f"{unit_name(before, event.first)} and {unit_name(before, event.second)} change places."


def terrain_captured(_: View, view: View, event: e.TerrainCaptured) -> str:
    terrain = TERRAIN_NAMES[view.terrain[event.column - 1]][0] if view.terrain else "Terrain"
    return f"{unit_name(view, event.unit)} captures the {terrain} of column {event.column}."


def capture_lost(_: View, view: View, event: e.CaptureLost) -> str:
    return f"{unit_name(view, event.unit)} no longer holds its Terrain ({event.rule})."


def attack_failed(_: View, view: View, event: e.AttackFailed) -> str:
    return f"{unit_name(view, event.unit)} has nothing it can attack (VD-189)."


def attack_declared(_: View, view: View, event: e.AttackDeclared) -> str:
    through = " through the Opening" if event.opening else ""
    return (
        f"{unit_name(view, event.attacker)} makes {'an' if event.kind[0] in 'ai' else 'a'} "
        f"{ATTACK_NAMES[event.kind]} on {unit_name(view, event.target)}{through}."
    )


def supports_committed(_: View, view: View, event: e.SupportsCommitted) -> str:
    return f"{units_named(view, event.units)} {'supports' if len(event.units) == 1 else 'support'} it."


def unit_opened(before: View, view: View, event: e.UnitOpened) -> str:
    unit = before.units[event.unit]
    name = card_of(view, event.card).name
    return f"The Closed Unit of {player(view, unit.seat)} in {space_name(unit.space)} is turned up: {name}."


def unit_transformed(before: View, view: View, event: e.UnitTransformed) -> str:
    name = card_of(view, event.card).name
    return f"{unit_name(before, event.unit)} turns into a copy of {name} with {event.life} life."


def chrysalis_met(_: View, __: View, ___: e.ChrysalisMet) -> str:
    return "Chrysalis meets Chrysalis: neither changes and no damage is dealt (VD-342)."


def morale_checked(_: View, view: View, event: e.MoraleChecked) -> str:
    title = TITLES[Check(event.rule)]
    done = "passes" if event.passed else "fails"
    if event.natural is None:
        return f"{unit_name(view, event.unit)} {done} the {title} check without a roll ({event.parts[0].rule})."
    why = f", {reasons(event.parts)}" if event.parts else ""
    return f"{unit_name(view, event.unit)} {done} the {title} check: {event.natural}{why} ({event.rule})."


def ranks_closed(_: View, view: View, event: e.RanksClosed) -> str:
    return f"{unit_name(view, event.unit)} Closes Ranks."


def hits_counted(_: View, view: View, event: e.HitsCounted) -> str:
    return f"{unit_name(view, event.unit)} scores {count(len(event.hits), 'hit')}."


def unit_damaged(_: View, view: View, event: e.UnitDamaged) -> str:
    return f"{unit_name(view, event.unit)} loses {event.lost} life, {event.life} left."


def unit_destroyed(before: View, view: View, event: e.UnitDestroyed) -> str:
    how = "is routed" if event.rule == "VD-222" else "is destroyed"
    cost = f"; {player(view, event.seat)} loses {event.cost} Motivation, {event.motivation} left" if event.cost else ""
    return f"{unit_name(before, event.unit)} {how}{cost}."


def motivation_lost(_: View, view: View, event: e.MotivationLost) -> str:
    who = player(view, event.seat)
    return f"{who} loses {event.cost} Motivation for {unit_name(view, event.unit)}, {event.motivation} left (VD-345)."


def disrupted(_: View, view: View, event: e.Disrupted) -> str:
    return f"{unit_name(view, event.unit)} causes {count(event.count, 'Disruption')}."


def counterattack_declared(_: View, view: View, event: e.CounterattackDeclared) -> str:
    return f"{unit_name(view, event.unit)} Counterattacks ({event.rule})."


def counterattack_refused(_: View, view: View, event: e.CounterattackRefused) -> str:
    return f"{unit_name(view, event.unit)} does not strike back ({event.rule})."


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
"""Events that say nothing a person would miss: their neighbours tell."""

TOLD: Final[dict[type[Event], Callable[[View, View, Any], str]]] = {
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


def narrate(before: View, after: View, event: Event, viewer: Seat | None) -> str:
    """A sentence about an event of Vera Discordia or of the kernel, from the viewer's own views."""
    told = narrate_kernel(before, after, event, viewer)
    if told is not None:
        return told
    telling = TOLD.get(type(event))
    return telling(before, after, event) if telling else ""
