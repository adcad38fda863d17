"""A roll to come in Vera Discordia: the roller, and the viewer's knowledge of the roll."""

from typing import Any

from msgspec.structs import replace

from domain.kernel import DiceRolled, Hidden, Part, Seat
from domain.vera_discordia.cards.cards import Ability
from domain.vera_discordia.rules.damage import COST_PROMINENT, pays_when_decimated
from domain.vera_discordia.rules.morale import CALM, TITLES, Check, needed, own_parts
from domain.vera_discordia.rules.round import initiative_bonus
from domain.vera_discordia.state.queries import has, is_decimated
from domain.vera_discordia.state.state import Unit, VeraState
from projections.games.vera_discordia.words import MORALE_WORDS, card_of, unit_name
from projections.words import count, player

CHECKS = {check.value: check for check in TITLES}
AT_STAKE = {
    Check.CLOSE_RANKS: "Close Ranks (passed: the attack has 1 die less)",
    Check.DISORGANISATION: "Disorganisation (failed: the order is lost)",
    Check.ROUT: "Rout (failed: the Unit is destroyed)",
    Check.REFUSAL: "Refusal (failed: it strikes back)",
    Check.CONSISTENCY: "Aerial Consistency (failed: the attack is over)",
    Check.TERROR: "Terror (failed: 2 dice less)",
}
"""A Morale Check to come, with its consequences (VD-212, VD-214, VD-222, VD-233, VD-273, VD-358)."""
OF_ITS_OWN = {
    "VD-310": "Autonomy (failed: it takes the top card of the deck)",
    "VD-314": "Chaos (failed: it is Chaotic and has no order)",
}
"""A Unit's roll at the start of a round, with its consequences (VD-311, VD-315)."""
OUTCOMES = {
    Check.CLOSE_RANKS: ("failed: ranks not closed", "passed: 1 die less"),
    Check.DISORGANISATION: ("failed: the order is lost", "passed: the order is kept"),
    Check.ROUT: ("failed: the Unit is destroyed", "passed: the Unit stands"),
    Check.REFUSAL: ("failed: it strikes back", "passed: it holds back"),
    Check.CONSISTENCY: ("failed: the attack is over", "passed: not driven off"),
    Check.TERROR: ("failed: 2 dice less", "passed: no die less"),
    "VD-310": ("failed: it takes the top card of the deck", "passed: it obeys"),
    "VD-314": ("failed: it is Chaotic", "passed: it is not Chaotic"),
    "VD-346": ("it is not Enraged", "it is Enraged"),
}
"""The meaning of a check or a roll at the start of a round for the Unit, failed and passed (as above, and VD-347)."""
STRIKES = frozenset({"VD-217", "VD-238"})
"""The dice of an Attack and of a Counterattack: they concern the striking Unit and its target."""
OF_BOTH = frozenset({"VD-109", "VD-133"})
"""Rolls with a die for each player, in the order of the seats."""


def shown(view: VeraState) -> VeraState:
    """The view with its last roll in readable form: the reason for each part, and the need of a Morale Check."""
    if view.roll is None:
        return view
    roll = rolling(view, view.roll)[1]
    told = replace(roll, title=view.roll.title, parts=tuple(named(part) for part in roll.parts))
    return replace(view, roll=_routed(view, told))


def _routed(view: VeraState, roll: DiceRolled) -> DiceRolled:
    """A Rout check whose Unit is gone has failed (VD-222); its need is therefore more than its die showed."""
    if roll.rule != Check.ROUT or roll.needs or roll.about[0] in view.units:
        return roll
    return replace(roll, needs=(max(roll.dice[0] + 1, needed(list(roll.parts))),))


def of_both(view: VeraState, tray: dict[str, Any]) -> dict[str, Any]:
    """A tray with the dice of both players, each under the player's name; of checks, also the outcome."""
    if view.roll is None:
        return tray
    roll = tray["geom"]["roll"]
    if not view.roll.dice:
        return {**tray, "geom": {**tray["geom"], "roll": {**roll, "result": "no dice"}}}
    if view.roll.rule in OUTCOMES and "result" in roll:
        outcome = OUTCOMES[view.roll.rule][roll["result"] == "succeeds"]
        return {**tray, "geom": {**tray["geom"], "roll": {**roll, "result": outcome}}}
    if view.roll.rule not in OF_BOTH:
        return tray
    dice = roll["groups"][0]["dice"]
    groups = [
        {"label": player(view, Seat(seat)), "owner": seat, "dice": [die], **_added(view, Seat(seat))}
        for seat, die in enumerate(dice)
    ]
    first = {} if view.initiative is None else {"result": f"{player(view, view.initiative)} has the initiative"}
    return {**tray, "geom": {**tray["geom"], "roll": {**roll, "groups": groups, **first}}}


def _added(view: VeraState, seat: Seat) -> dict[str, str]:
    """The modifiers of a player's die for the initiative of a round (VD-133)."""
    lost = view.sides[seat].destroyed
    given = initiative_bonus(view, seat) - lost
    if view.roll is None or view.roll.rule != "VD-133" or not lost + given:
        return {}
    parts = ((lost, "lost Units"), (given, "Leadership"))
    return {"sum": ", ".join(f"+{value} {why}" for value, why in parts if value)}


def rolling(view: VeraState, event: DiceRolled) -> tuple[str, DiceRolled]:
    """The roller and the roll; a Morale Check has the number that it needs, if the viewer knows the Unit."""
    unit = view.units.get(event.about[0]) if event.about else None  # type: ignore[call-overload]
    if unit is None:
        return "", event
    whose, check = _whose(view, unit), CHECKS.get(event.rule)
    if event.rule in STRIKES:
        return whose, replace(event, title=event.title + _for_whom_it_hits(view, event))
    if check is None:
        return whose, replace(event, title=OF_ITS_OWN.get(event.rule, event.title))
    event = replace(event, title=AT_STAKE[check])
    parts = tuple(named(part) for part in event.parts)
    if isinstance(unit.card, Hidden):
        return whose, replace(event, parts=parts)
    told = {part.rule for part in event.parts}
    whole = [*parts, *(named(part) for part in own_parts(view, unit, check) if part.rule not in told)]
    return whose, replace(event, parts=tuple(whole), needs=(needed(whole),))


def _whose(view: VeraState, unit: Unit) -> str:
    """A Unit's name; for a changed Unit also its former name, since the enemy has a Unit of the same kind (VD-337)."""
    name = unit_name(view, unit.id)
    return name if unit.original is None else f"{name}, which was {card_of(view, unit.original).name}"


def _for_whom_it_hits(view: VeraState, event: DiceRolled) -> str:
    """The numbers of hits at which the struck Unit is Decimated and checks for Rout, and at which it is destroyed
    (VD-221, VD-030).
    """
    struck = view.units.get(event.about[1])  # type: ignore[call-overload]
    if struck is None or isinstance(struck.life, Hidden) or isinstance(struck.card, Hidden) or struck.life <= 0:
        return ""
    most, life = len(event.dice), struck.life
    fate = "" if is_decimated(life) else _decimated(view, struck)
    weak = next(hits for hits in range(life + 1) if is_decimated(life - hits))
    dies = f"{life}: it is destroyed" if life <= most else ""
    if fate and weak <= most:
        told = f"{count(weak, 'hit')}: the Unit struck {fate}"
        return f" ({told}, {dies})" if dies else f" ({told})"
    return f" ({count(life, 'hit')}: the Unit struck is destroyed)" if dies else ""


def _decimated(view: VeraState, unit: Unit) -> str:
    """The effect on a Unit of becoming Decimated (VD-221, VD-345)."""
    calm = Check.ROUT in CALM and has(view, unit, Ability.TENACIOUS)
    told = [f"costs {COST_PROMINENT} Motivation"] if pays_when_decimated(view, unit) else []
    return " and ".join([*told, *([] if calm else ["may rout"])])


def named(part: Part) -> Part:
    """A part of a roll with the name of the ability behind it."""
    return part if part.why else replace(part, why=MORALE_WORDS.get(part.rule, ""))
