"""The refs that a prompt of Joan of Arc lights up, the reason for the question, and the result of each option."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import FACES, Face, face
from domain.joan_of_arc.cards.hooks import GainOrder, Operation, Order
from domain.joan_of_arc.rules import capturing
from domain.joan_of_arc.rules.actions import praying
from domain.joan_of_arc.rules.actions import waiting as standing_by
from domain.joan_of_arc.rules.attacks import allocating, dodging, following, improving, retaliating, swamps
from domain.joan_of_arc.rules.attacks.results import doom, may_stay
from domain.joan_of_arc.rules.bonuses import commanding, discussing, upgrading
from domain.joan_of_arc.rules.effects import banners, infirmary, shifting
from domain.joan_of_arc.rules.phases import activation, camp, council, interrupts, orders
from domain.joan_of_arc.rules.player_actions import exchanging, legends, rerolling
from domain.joan_of_arc.rules.pushing import retreats
from domain.joan_of_arc.state.attack_state import RolledDie
from domain.joan_of_arc.state.queries import card_of, setting_of
from domain.joan_of_arc.state.state import UnitId
from domain.kernel import Asked, Choice, Seat
from projections.games.joan_of_arc.acting import acting, acting_unit, activated, edges_beside, rank
from projections.games.joan_of_arc.dice_shown import (
    cancelled,
    die,
    given,
    of_attack,
    result_die,
    standing_result,
    to_give,
)
from projections.games.joan_of_arc.options import OF_THE_ROLL, die_name, option, result_name, returned_name
from projections.games.joan_of_arc.refs import area_ref, hand_refs, is_shown, river_refs, unit_refs
from projections.games.joan_of_arc.stakes import ALONE, LAST, at_stake
from projections.games.joan_of_arc.tellings import held
from projections.games.joan_of_arc.terms import unit_terms
from projections.games.joan_of_arc.texts import ORDERS, WHEN, capital, deeds, dice, resource
from projections.games.joan_of_arc.words import (
    PHASES,
    View,
    area_name,
    plain_name,
    question,
    unit_name,
    unit_ref,
    waiting,
)
from projections.prompt import Words
from projections.words import count, join, player, sentence

More = dict[str, Any]
QUIET: Final = {"tone": "quiet", "key": "0"}
FIXED: Final[dict[type[Choice], More]] = {
    council.PayUpkeep: {"sub": "1 XP goes back to the pool"},
    council.Revert: {"sub": "Its wounds stay", "tone": "quiet"},
    orders.EndTurn: {"key": "0", "sub": "Up to 3 unused orders of each kind are kept", "confirm": "End the turn"},
    interrupts.LetPass: QUIET,
    standing_by.Wait: {"key": "0"},
    dodging.StandFirm: QUIET,
    improving.UseToken: {"sub": "You say which of your dice; you have it no more then, and the second result stands"},
    swamps.SpareShield: QUIET,
    allocating.LeaveResults: QUIET,
    retaliating.HoldGround: QUIET,
    capturing.Capture: {"sub": "It lies on your player board until it is paid for"},
    following.HoldBack: QUIET,
    legends.KeepLegends: {**QUIET, "sub": "Nobody learns whether you hold one for this moment"},
    exchanging.ExchangeForXp: {"sub": "The intrigue token goes back to the pool", "grp": "No order"},
    exchanging.ExchangeForLegend: {"sub": "The intrigue token goes back to the pool", "grp": "No order"},
    activation.FinishActivation: {"sub": "The activation is over", "tone": "quiet"},
    banners.LeaveBanner: QUIET,
    infirmary.CareForNobody: QUIET,
    shifting.MoveNobody: QUIET,
}
"""Choices that touch nothing on the table."""
SHORT: Final = 64
"""The longest text that fits beside the name of an option."""
OF_SOME: Final = frozenset(
    {
        "CancelledResults",
        "CardDice",
        "CollapseDice",
        "CommandTargets",
        "FollowUpChoice",
        "ImpetuousChoice",
        "ReturnedResults",
        "TerrorDice",
        "TokenDice",
        "UnitsChoice",
        "WhoMoves",
    }
)
"""Questions for some of many items: side by side, all items are visible at once, even on a phone."""
FATES: Final = {
    "rally": "It is back at a rally point",
    "waiting": "It is back in the next camp",
    "disrupted": "It stays away; in an infirmary at the end of the last round it counts as destroyed",
    "graveyard": "It is destroyed",
}
"""The effect of the doom die on a unit (JA-226 to JA-233)."""
AREAS: Final = ("start", "area", "target", "end")
UNITS: Final = ("unit", "civilian", "to", "other", "passenger")


def more(view: View, asked: Asked, choice: Choice) -> More:
    """The refs that an option touches, in the order in which they are clicked, and its result."""
    kind = type(choice)
    if kind in FIXED:
        among_orders = asked.kind == "OrderChoice"
        ends = {"sub": LAST} if kind is orders.EndTurn and camp.is_last(view) else {}
        return {key: told for key, told in FIXED[kind].items() if among_orders or key != "grp"} | ends
    match choice:
        case orders.PlayOrder(order, area, discard):
            told = _ordered(view, asked, area, discard, _worth(view, asked, order, area))
            return told | {"grp": ORDERS[order].capitalize()}
        case interrupts.Interrupt(area, discard):
            return _ordered(view, asked, area, discard) | {"grp": "Interrupt"}
        case council.TakeCouncilCard(card):
            found = setting_of(view).index.war_council[card]
            brings, idle = capital(deeds(found.effects)), _idle(view, asked, found.effects)
            said = {"end": brings} if len(brings) <= SHORT else {"sub": brings}
            said |= {"sub": brings + idle} if idle else {}
            return {"at": river_refs(view, card), "grp": "War council", "label": plain_name(found.name), **said}
        case legends.PlayLegend(card):
            legend = setting_of(view).index.legend[card]
            return {
                "at": hand_refs(view, asked.seat, card),
                "grp": "Legend cards",
                "label": legend.name,
                "sub": f"{capital(deeds(legend.effects))}; {WHEN[legend.timing]}",
                "end": resource("legend", legend.cost),
            }
        case improving.LeaveDice() if view.attack is not None:
            return QUIET | {"sub": f"{standing_result(view, view.attack)}{_answered(view, asked)}"}
        case allocating.UseShields(number):
            return {"end": f"cancels {cancelled(view, number)}"}
        case allocating.GiveResult(unit):
            return {"at": unit_refs(view, [unit]), "sub": _risk(view, asked, unit), "dice": given(view, unit)}
        case discussing.AskQuestion(letter):
            asks = setting_of(view).index.discussions[str(asked.terms["card"])].questions[letter]
            return {"sub": "Printed in red: a risk", "tone": "danger"} if asks.risk else {}
        case commanding.Command(unit):
            return {"at": unit_refs(view, [unit]), "sub": f"{_bonus(view, unit)}: {_commanded(view, unit)}"}
        case discussing.Discuss(unit, civilian):
            return {"at": unit_refs(view, [unit, civilian]), "sub": f"{_bonus(view, unit)}, once a turn"}
        case upgrading.Upgrade(unit, card):
            cost = card_of(view, view.field.units[UnitId(unit)]).upgrade_cost or 0
            kept = "1 XP in each war council keeps it"  # JA-047
            raised = f"{_bonus(view, unit)}: then {_strength(view, card)}; {kept}"
            return {"at": unit_refs(view, [unit]), "sub": raised, "end": f"costs {resource('xp', cost)}"}
    at = _touched(view, choice)
    return acting(view, asked, choice) or (_meant(view, asked, choice) | ({"at": at} if at else {}))


def _meant(view: View, asked: Asked, choice: Choice) -> More:
    """The meaning of choices that touch one unit alone: a doom die, a prayer."""
    if isinstance(choice, camp.RollDoom):
        return {"sub": _fates(view, choice.unit)}
    if isinstance(choice, rerolling.KeepDie | rerolling.RerollDie):
        return _doomed(view, isinstance(choice, rerolling.KeepDie))
    return {"sub": _prayed_for(view, asked, choice.take)} if isinstance(choice, praying.Pray) else {}


def _prayed_for(view: View, asked: Asked, take: str) -> str:
    """The use of a prayer's token, and the owner's tokens before it (JA-182, JA-186, JA-189, JA-210)."""
    owner = view.boards[asked.seat]
    if take == "legend":
        cards = count(owner.hand_size, "legend card")
        return f"It pays for legend cards; you have {resource('legend', owner.legend)} and {cards}"
    unit = str(asked.terms["unit"])
    cost = card_of(view, view.field.units[UnitId(unit)]).upgrade_cost
    raised = f"level 2 of {unit_name(view, unit)}, which costs {cost}" if cost else "level 2 of characters and keeps it"
    return f"It pays for {raised}; you have {resource('xp', owner.xp)}"


def _bonus(view: View, unit: str) -> str:
    """The time of a bonus action: just before the unit's own action, or straight after it (JA-084, JA-Q13)."""
    acted = bool(view.activations) and UnitId(unit) in view.activations[-1].done
    return f"A bonus action, {'after its own and now only' if acted else 'just before its own or straight after it'}"


def _commanded(view: View, unit: str) -> str:
    """The number of units that a commander may activate now, whatever they did before (JA-168, JA-170)."""
    commander = view.field.units[UnitId(unit)]
    value = card_of(view, commander).command
    units = commanding.subjects(view, view.activations[-1], commander) if value and view.activations else ()
    most = min(value.units, len(units)) if value else 0
    who = "1 unit elsewhere acts" if most == 1 else f"up to {most} units elsewhere act"
    return f"{who} at once, even if ordered before"


def _touched(view: View, choice: Choice) -> list[str]:
    """The units and areas that a choice names, units first; a way is given by its areas."""
    units = [str(getattr(choice, name, "")) for name in UNITS] + list(getattr(choice, "units", ()))
    areas = [str(getattr(choice, name, "")) for name in AREAS]
    areas[1:1] = getattr(choice, "path", ())
    return unit_refs(view, units) + [area_ref(area) for area in areas if area]


def _ordered(view: View, asked: Asked, area: str, discard: Order | None, worth: str = "") -> More:
    """An order on an area: the units that it activates, beside its name if they are few, and its further cost."""
    told: More = {"at": [area_ref(area)], "label": sentence(area_name(view, area)).removesuffix(".")}
    who = activated(view, asked, area)
    if discard:
        return told | {"sub": who + worth, "end": f"and 1 {ORDERS[discard]}"}
    if len(who) > SHORT:
        return told | {"sub": who + worth}
    return told | {"end": who} | ({"sub": who + worth} if worth else {})


def _worth(view: View, asked: Asked, order: Order, area: str) -> str:
    """A note if an order has no more effect there than a command order (JA-059, JA-063, JA-066)."""
    there = [unit for unit in view.field.units.values() if unit.owner == asked.seat and unit.area == area]
    wasted = {
        "reactivation": not view.placed.get(AreaId(area)),
        "interrupt": True,
        "charge": not any(card_of(view, unit).skills.charge for unit in there),
    }
    if not wasted.get(order):
        return ""
    commands = any(card_of(view, unit).command is not None for unit in there)  # JA-060
    return "; like a command order, but without commanding" if commands else "; like a command order"


def _idle(view: View, asked: Asked, effects: Iterable[Operation]) -> str:
    """A note if charge orders are gained by a player without charging units on the board (JA-063)."""
    if not any(isinstance(each, GainOrder) and each.type == "charge" for each in effects):
        return ""
    own = [unit for unit in view.field.units.values() if unit.owner == asked.seat and unit.spot == "board"]
    return "" if any(card_of(view, unit).skills.charge for unit in own) else "; none of your units has Charge"


def _strength(view: View, card: str) -> str:
    """The fighting strength of a card: "melee 3 red, defence 1 black, 5 HP"."""
    found = setting_of(view).index.units[card]
    melee = [f"melee {dice(found.melee)}"] if found.melee else []
    hp = [] if found.hp is None else [f"{found.hp} HP"]
    return ", ".join([*melee, f"defence {dice(found.defence)}", *hp])


def _life(view: View, unit: str) -> str:
    """The harm that a unit can bear: "1 of 2 HP", "troop"."""
    found = view.field.units[UnitId(unit)]
    card = card_of(view, found)
    return card.kind if card.hp is None else f"{max(0, card.hp - found.wounds)} of {card.hp} HP"


def _risk(view: View, asked: Asked, unit: str) -> str:
    """The harm that a unit can bear, and the effect of one more result in addition to those already received."""
    shown = msgspec.convert(asked.terms["die"], RolledDie).face
    card, life = card_of(view, view.field.units[UnitId(unit)]), _life(view, unit)
    left = _left(view, unit)
    if shown == Face.KILL:  # JA-133, JA-134
        return f"{life}: {f'with this kill {left - 1} HP left' if left > 1 else 'this kill destroys it'}"
    if shown == Face.DISRUPT:  # JA-135, JA-136, JA-137
        wounds = card.hp is not None and left > 1
        lost = ", and there it counts as destroyed at the end of this last round" if camp.is_last(view) else ""
        return f"{life}: {'this disrupt is a wound' if wounds else f'this disrupt sends it to the infirmary{lost}'}"
    if shown == Face.PUSH:  # JA-138, JA-139, JA-140
        stays = ", unless it takes a wound and stays" if may_stay(card) else ""
        goes = "drives it into an area beside" if retreats(view, UnitId(unit)) else "disrupts it, for no area takes it"
        return f"{life}: this push {goes}{stays}"
    return life


def _doomed(view: View, is_kept: bool) -> More:
    """The effect of a doom die that may be rolled again, as it lies and anew (JA-225, JA-233)."""
    roll = view.roll
    if roll is None or roll.rule != "JA-225":
        return {}
    (unit,) = roll.about
    if not is_kept:
        return {"sub": _fates(view, unit)}
    fate = doom(card_of(view, view.field.units[UnitId(unit)]), face("doom", roll.dice[0]))
    is_lost = camp.is_last(view) and fate in {"waiting", "disrupted"}
    return {"sub": "It counts as destroyed" if is_lost else FATES[fate]}


def _answered(view: View, asked: Asked) -> str:
    """The players who may change the defence after the attack roll is left as it lies (JA-122, JA-124)."""
    attack = view.attack
    if attack is None or asked.terms["roll"] != "attack":
        return ""
    foes = setting_of(view).foes(attack.by)
    able = [player(view, seat) for seat in foes if next(improving.improvements(view, seat, "defence"), None)]
    return f"; {join(able)} may then roll defence dice again" if able else ""


def _fates(view: View, unit: str) -> str:
    """The possible fates of a unit, with the number of the six faces for each (JA-226 to JA-231, JA-274)."""
    card = card_of(view, view.field.units[UnitId(unit)])
    fates = Counter(doom(card, shown) for shown in FACES["doom"])
    if camp.is_last(view):  # JA-233
        return f"Of 6 faces {fates['rally']}: back at a rally point; on all others it counts as destroyed"
    return (
        f"Of 6 faces {fates['rally']}: back at a rally point; {fates['waiting']}: back in the next camp; "
        f"{fates['disrupted']}: stays away; {fates['graveyard']}: destroyed"
    )


def _left(view: View, unit: str) -> int:
    """The HPs that a unit has left after the kills and disrupts already received; 1 for a unit without HPs."""
    found, attack = view.field.units[UnitId(unit)], view.attack
    hp = card_of(view, found).hp
    given_it = () if attack is None else (*attack.given, *attack.returned)
    taken = sum(each.unit == unit and each.face in {Face.KILL, Face.DISRUPT} for each in given_it)
    return 1 if hp is None else hp - found.wounds - taken


def edges_asked(view: View, viewer: Seat | None) -> list[str]:
    """The edges that a viewer's question may concern: a declaring unit may plant stakes."""
    mine = (asked for asked in view.asked if asked.seat == viewer and asked.kind == "Declaration")
    planters = [str(asked.terms["unit"]) for asked in mine if view.boards[asked.seat].stakes]
    return [edge for unit in planters for edge in edges_beside(view, unit)]


def item(view: View, asked: Asked, name: str) -> More:
    """Something to pick: a unit, or a die by its number."""
    if UnitId(name) in view.field.units:
        at = {"at": unit_ref(name)} if is_shown(view, name) else {}
        return {"label": unit_name(view, name), **at}
    if asked.kind in {"CancelledResults", "ReturnedResults"}:
        number, seat = int(name), Seat(asked.seat)
        cancelling = asked.kind == "CancelledResults"
        label = result_name(view, number) if cancelling else returned_name(view, seat, number)
        return {"label": label, **result_die(view, asked, number)}
    return _die_item(view, asked, int(name)) if name.isdecimal() else {"label": name}


def _die_item(view: View, asked: Asked, number: int) -> More:
    """A die of the roll that is asked about, short enough for two side by side on a phone: "1: white push"."""
    at, bracket, shown = die_name(view, asked, number).removeprefix("die ").partition(" (")
    told: More = {"label": f"{at}: {shown.removesuffix(')')}" if bracket else f"Die {at}"}
    attack = view.attack
    if asked.kind in OF_THE_ROLL and view.roll is not None:
        kind = view.roll.kinds[number]
        return told | {"die": die(kind, face(kind, view.roll.dice[number]))}
    if attack is None:
        return told
    of_attack = asked.terms.get("roll", "attack") == "attack"
    rolled = attack.attack_dice if of_attack else attack.defence_dice
    return told | ({"die": die(rolled[number].colour, rolled[number].face)} if number < len(rolled) else {})


def setting(view: View, asked: Asked) -> More:
    """The phase of the question, and the pieces on the table for it."""
    told: More = {"also": said} if (said := at_stake(view, asked)) else {}
    if asked.kind in OF_SOME:
        told["look"] = "chips"
    attack = view.attack
    if attack is not None:
        told["phase"] = f"Attack on {area_name(view, attack.target)}"
        if asked.kind == "ResultTaker":
            told["dice"] = to_give(view, msgspec.convert(asked.terms["die"], RolledDie))
        elif attack.attack_dice or attack.defence_dice:
            told["dice"] = [group for group in of_attack(view, attack) if group["dice"]]
    elif view.round:
        told["phase"] = f"Round {view.round}, {PHASES[view.phase].lower()}"
        if asked.kind == "OrderChoice":
            told["phase"] += f": {held(view.boards[asked.seat].orders)}"
    unit = acting_unit(view, asked)
    return told | ({"terms": [asked.kind, *unit_terms(view, view.field.units[UnitId(unit)])[:4]]} if unit else {})


WORDS: Final = Words(question, option, waiting, more=more, item=item, setting=setting, rank=rank, alone=ALONE)
