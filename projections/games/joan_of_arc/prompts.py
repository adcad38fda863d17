"""What a prompt of Joan of Arc lights up, why it is asked, and what each option leads to."""

from typing import Any, Final

from domain.joan_of_arc.queries import setting_of
from domain.joan_of_arc.rules import capturing, council, exchanging, interrupts, legends, orders
from domain.joan_of_arc.rules.actions import waiting as standing_by
from domain.joan_of_arc.rules.attacks import allocating, dodging, following, improving, retaliating, swamps
from domain.joan_of_arc.rules.bonuses import discussing
from domain.joan_of_arc.rules.effects import banners, infirmary, shifting
from domain.joan_of_arc.state import UnitId
from domain.kernel import Asked, Choice
from projections.games.joan_of_arc.field_tellings import rolled_words
from projections.games.joan_of_arc.options import die_name, option, result_name, returned_name
from projections.games.joan_of_arc.refs import area_ref, hand_refs, is_shown, river_refs, unit_refs
from projections.games.joan_of_arc.texts import ORDERS, WHEN, resource
from projections.games.joan_of_arc.words import PHASES, View, area_name, question, unit_name, unit_ref, waiting
from projections.prompt import Words
from projections.words import count

More = dict[str, Any]
QUIET: Final = {"tone": "quiet", "key": "0"}
FIXED: Final[dict[type[Choice], More]] = {
    council.PayUpkeep: {"sub": "1 XP goes back to the pool"},
    council.Revert: {"sub": "Its wounds stay", "tone": "quiet"},
    orders.EndTurn: {**QUIET, "sub": "Your orders that are left go into the reserve", "confirm": "End the turn"},
    interrupts.LetPass: QUIET,
    standing_by.Wait: QUIET,
    dodging.StandFirm: QUIET,
    improving.LeaveDice: {**QUIET, "sub": "The roll counts as it lies"},
    improving.UseToken: {"sub": "You have it no more then; the second result stands"},
    swamps.SpareShield: QUIET,
    allocating.LeaveResults: QUIET,
    retaliating.HoldGround: QUIET,
    capturing.Capture: {"sub": "It lies on your player board until it is paid for"},
    following.HoldBack: QUIET,
    legends.KeepLegends: {**QUIET, "sub": "Nobody learns whether you hold one for this moment"},
    exchanging.ExchangeForXp: {"sub": "The intrigue token goes back to the pool"},
    exchanging.ExchangeForLegend: {"sub": "The intrigue token goes back to the pool"},
    banners.LeaveBanner: QUIET,
    infirmary.CareForNobody: QUIET,
    shifting.MoveNobody: QUIET,
}
"""Choices that touch nothing on the table."""
AREAS: Final = ("start", "area", "target", "end")
UNITS: Final = ("unit", "civilian", "to", "other", "passenger")


def more(view: View, asked: Asked, choice: Choice) -> More:
    """What an option touches, in the order in which it is clicked, and what it leads to."""
    kind = type(choice)
    if kind in FIXED:
        return FIXED[kind]
    match choice:
        case orders.PlayOrder(order, area):
            return {"at": [area_ref(area)], "sub": _activates(view, asked, area), "grp": ORDERS[order].capitalize()}
        case interrupts.Interrupt(area):
            return {"at": [area_ref(area)], "sub": _activates(view, asked, area)}
        case council.TakeCouncilCard(card):
            return {"at": river_refs(view, card)}
        case legends.PlayLegend(card):
            found = setting_of(view).index.legend[card]
            return {
                "at": hand_refs(view, asked.seat, card),
                "sub": f"Costs {resource('legend', found.cost)}; {WHEN[found.timing]}",
            }
        case discussing.AskQuestion(letter):
            asks = setting_of(view).index.discussions[str(asked.terms["card"])].questions[letter]
            return {"sub": "Printed in red: a risk", "tone": "danger"} if asks.risk else {}
    at = _touched(view, choice)
    return {"at": at} if at else {}


def _touched(view: View, choice: Choice) -> list[str]:
    """The units and areas that a choice names, units first, a way by its areas."""
    units = [str(getattr(choice, name, "")) for name in UNITS] + list(getattr(choice, "units", ()))
    areas = [str(getattr(choice, name, "")) for name in AREAS]
    areas[1:1] = getattr(choice, "path", ())
    return unit_refs(view, units) + [area_ref(area) for area in areas if area]


def _activates(view: View, asked: Asked, area: str) -> str:
    there = sum(
        unit.owner == asked.seat and unit.area == area and unit.spot == "board" and not unit.carrier
        for unit in view.field.units.values()
    )
    return f"Activates {count(there, 'unit')} of yours there"


def item(view: View, asked: Asked, name: str) -> More:
    """Something to pick: a unit, or a die by its number."""
    if UnitId(name) in view.field.units:
        at = {"at": unit_ref(name)} if is_shown(view, name) else {}
        return {"label": unit_name(view, name), **at}
    named = {"CancelledResults": result_name, "ReturnedResults": returned_name}.get(asked.kind)
    if named is not None:
        return {"label": named(view, int(name))}
    return {"label": die_name(view, asked, int(name)) if name.isdecimal() else name}


def setting(view: View, asked: Asked) -> More:
    """During what it is asked, and what lies on the table for it."""
    del asked
    told: More = {}
    attack = view.attack
    if attack is not None:
        told["phase"] = f"Attack on {area_name(view, attack.target)}"
        if attack.attack_dice or attack.defence_dice:
            dice = f"Attack: {rolled_words(attack.attack_dice)}. Defence: {rolled_words(attack.defence_dice)}."
            told["hint"] = dice
    elif view.round:
        told["phase"] = f"Round {view.round}, {PHASES[view.phase].lower()}"
    return told


WORDS: Final = Words(question, option, waiting, more=more, item=item, setting=setting)
