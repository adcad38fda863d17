"""The refs that a prompt of Vera Discordia lights up."""

from functools import cache
from typing import Any, Final

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import Asked, Choice, Hidden, Part, Seat, total
from domain.vera_discordia.cards.cards import Ability, CardKey, OrderType, Rank, Terrain
from domain.vera_discordia.rules.deployment import looks_of
from domain.vera_discordia.rules.generals import ChooseGeneral
from domain.vera_discordia.rules.issuing import most_taken, units_to_order
from domain.vera_discordia.rules.launch import RIPOSTE_DICE, Launch, base_row, dice_row, modifiers
from domain.vera_discordia.rules.orders import effective_order
from domain.vera_discordia.rules.recruiting import rank_of, recruits
from domain.vera_discordia.rules.terrain import terrain_penalty
from domain.vera_discordia.state.queries import (
    aerial_targets,
    army,
    attack_kinds,
    cards_of,
    column_of,
    decimated_die,
    direct_targets,
    has,
    in_vanguard,
    indirect_target,
    profile,
    terrain_in,
)
from domain.vera_discordia.state.state import Attack, AttackKind, Space, Unit, VeraState
from projections.games.vera_discordia.words import (
    ATTACK_NAMES,
    ORDER_NAMES,
    ability_name,
    card_of,
    cards_named,
    held_name,
    option,
    own_name,
    question,
    space_name,
    unit_title,
    waiting,
)
from projections.prompt import Words
from projections.scene import why_of
from projections.words import count, join

ORDERS: Final = {
    OrderType.ATTACK: "crossed-swords",
    OrderType.DEFENSE: "shield",
    OrderType.MANEUVER: "footsteps",
    OrderType.SUPPORT: "shaking-hands",
    OrderType.TACTIC: "beveled-star",
}
QUIET: Final = frozenset(
    {
        "KeepArmy",
        "StopExamining",
        "StopExchanging",
        "DeclineStrategy",
        "StopShifting",
        "KeepOrders",
        "KeepOrder",
        "DoNothing",
        "StopIntercepting",
        "Stand",
        "HoldBack",
    }
)
"""Choices that change nothing."""
LINKS: Final = frozenset({"ExchangeCard", "ExchangeOrders", "ReclaimOrder"})
CONFIRM: Final = {
    "ClosedSelection": "Keep these Closed",
    "OrderIssue": "Issue these orders",
    "LeftoverDisposal": "Discard these",
    "SupportSelection": "Use these Supports",
    "Mending": "Heal these",
    "Spying": "Examine these",
    "Reissuing": "Give these a card",
    "Sabotaging": "Name these",
}


CONVERTED: Final = {
    "V": "It becomes an Attack, for a Direct Attack or a Counterattack (VD-349).",
    "R": "It becomes a Maneuver, which must try to reach the Vanguard (VD-350).",
}
"""The order that an Enraged Unit's order becomes, by the row of the Unit."""
ALONE: Final = {
    "OrderExecution": "No other Unit of yours has an order to execute.",
    "Deployment": "It is your last Unit, and one space is left.",
    "ManeuverChoice": "This Maneuver can be used in no other way.",
}
"""The reasons why there is only one answer."""
EXPELS: Final = "The enemy who holds it is driven off it; to hold it yourself takes another Maneuver (VD-178)."
HELD: Final = {
    Terrain.PLAINS: "Plains: holding them gives nothing (VD-179).",
    Terrain.RIVER: "River: holding it gives nothing (VD-179).",
    Terrain.FOREST: "Forest: while it holds it this Unit has Reflexes, it strikes back first (VD-299).",
    Terrain.MOUNTAIN: "Mountain: while it holds it this Unit loses no die to it (VD-301).",
}
"""A Unit's effects from the Terrain, until it maneuvers, attacks from the air or is driven off (VD-180, VD-183)."""
AFTERWARDS: Final = "After it the order is executed, as far as it still can be (VD-064)."
KEEPING: Final = "Next round you draw until you hold a card for each Unit: a card kept is one drawn less (VD-137)."
DEFENDS: Final = "It helps when the Unit is attacked, face down as well as turned up (VD-161)."
TERRIFIED: Final = "Before the dice it checks morale for Terror; if that fails it rolls 2 dice less (VD-358)."
NOTHING_NEAR: Final = "As the Units stand, an Attack from here finds nobody"
NO_DIE: Final = "As the Units stand, an Attack from here shoots with no die"
IN_VAIN: Final = {
    NOTHING_NEAR: "An Attack finds nobody from here",
    NO_DIE: "An Attack shoots with no die from here",
}
"""The same effects, for several Units at once under the question."""
STRATEGIES: Final = frozenset({"DiamondStrategy", "StarStrategy"})
"""The questions about using the General's Strategy; its text is shown beside them, as its name explains nothing."""
STRIKING: Final = frozenset({OrderType.ATTACK, OrderType.TACTIC})
"""The orders that may attack."""
FULL_MOTIVATION: Final = 10
"""A player's motivation at the start (VD-007)."""


def slot_key(seat: Seat, space: Space, me: Seat) -> str:
    """The grid slot of a space: the viewer's half has the Vanguard on top, the enemy half has it at the bottom."""
    vanguard = space[0] == "V"
    row = (0 if vanguard else 1) if seat == me else (1 if vanguard else 0)
    return f"{int(space[1]) - 1},{row}"


def sorted_hand(hand: tuple[OrderType, ...]) -> list[OrderType]:
    """A hand in the order in which its owner sees it."""
    return sorted(hand, key=list(OrderType).index)


def _unit(view: VeraState, name: object) -> Unit | None:
    return view.units.get(name)  # type: ignore[call-overload, no-any-return]


def item(view: VeraState, asked: Asked, name: str) -> dict[str, Any]:
    """A form's item or slot: a Unit, a card of the hand, a recruit."""
    unit = _unit(view, name)
    if unit is not None:
        vain = _vain(view, unit) if asked.kind == "OrderIssue" else ""
        near = {"sub": vain} if vain else {}
        return {"label": f"{unit_title(view, unit)}, {unit.space}", "at": name, **near}
    kind, _, copy = name.partition(":")
    if copy and kind in ORDERS:
        hand = view.sides[asked.seat].hand
        at = 0 if isinstance(hand, Hidden) else sorted_hand(hand).index(OrderType(kind)) + int(copy)
        return {"label": ORDER_NAMES[OrderType(kind)], "g": ORDERS[OrderType(kind)], "at": f"h{at}"}
    if kind == "?":
        return {"label": "At random", "g": "rolling-dices"}
    if name[0] == "c" and name[1:].isdecimal():
        return {"label": card_of(view, recruits(view, asked.seat)[int(name[1:]) - 1]).name, "at": name}
    return {"label": name}


def _vain(view: VeraState, unit: Unit) -> str:
    """Why an Attack of the Unit would have no effect; empty if it reaches a Unit with at least one die."""
    kinds = attack_kinds(view, unit, direct_only=False)
    if not kinds:
        return NOTHING_NEAR
    target = indirect_target(view, unit)
    if kinds != [AttackKind.INDIRECT] or target is None:
        return ""
    attack = Attack(AttackKind.INDIRECT, unit.id, target.id, column_of(unit.space))
    lost = total(terrain_penalty(view, attack, unit, counter=False)) - decimated_die(view, unit)
    return "" if dice_row(base_row(view, attack, unit), lost) else NO_DIE


def _can_attack(view: VeraState, unit: Unit) -> bool:
    return bool(attack_kinds(view, unit, direct_only=False))


def setting(view: VeraState, asked: Asked) -> dict[str, Any]:
    """The phase of the question, and the label of the button."""
    words: dict[str, Any] = {}
    if asked.kind == "Deployment" and not view.options.without_generals:
        words["phase"] = _where_the_general_is(view, asked.seat)
    if asked.kind == "OrderIssue" and view.sides[asked.seat].motivation < FULL_MOTIVATION:
        words["phase"] = f"{view.sides[asked.seat].motivation} Motivation left"
    if asked.kind == "OrderIssue" and (said := [*_without_card(view, asked.seat), *_in_vain(view, asked.seat)]):
        words["also"] = " ".join(said)
    if asked.kind == "OrderReturn" and (most := most_taken(view, asked.seat)) > 1:
        words["phase"] = f"order {view.sides[asked.seat].taken + 1} of at most {most}"
    if asked.kind == "ClosedSelection":
        words["phase"] = "face down until they fight"
    if asked.kind in STRATEGIES:
        words["also"] = cards_of(view).general(view.sides[asked.seat].general)[1].strategy.text
    if asked.kind == "LeftoverDisposal":
        words["also"] = KEEPING
    if asked.kind == "TerrainExamination":
        words["phase"] = _looks(view, asked.seat)
    if asked.kind in CONFIRM:
        words["confirm"] = CONFIRM[asked.kind]
    if view.attack is not None:
        words["phase"] = ATTACK_NAMES[AttackKind(view.attack.kind)]
    return words


def _where_the_general_is(view: VeraState, seat: Seat) -> str:
    placed = any(unit.general for unit in army(view, seat))
    return "General placed" if placed else "General not placed yet"


def _without_card(view: VeraState, seat: Seat) -> list[str]:
    """The Units that take no card of the hand, and the reasons (VD-311, VD-315)."""
    own = army(view, seat)
    chaotic = join([own_name(view, unit.id) for unit in own if unit.chaotic])
    autonomous = join([own_name(view, unit.id) for unit in own if unit.order is not None])
    told = [f"Chaotic and without an order this round: {chaotic}."] if chaotic else []
    return [*told, f"Ordered already, by Autonomy: {autonomous}."] if autonomous else told


def _in_vain(view: VeraState, seat: Seat) -> list[str]:
    """The Units whose Attack would have no effect, if the hand has an Attack (VD-189, VD-Q08)."""
    hand = view.sides[seat].hand
    if isinstance(hand, Hidden) or not STRIKING & set(hand):
        return []
    vain = [(_vain(view, unit), own_name(view, unit.id)) for unit in units_to_order(view, seat)]
    told = {said: [name for why, name in vain if why == mark] for mark, said in IN_VAIN.items()}
    return [f"{said}: {join(names)}." for said, names in told.items() if names]


def _looks(view: VeraState, seat: Seat) -> str:
    """The number of Terrain cards that may still be looked at (VD-116, VD-361)."""
    looked = sum(key[0] == str(seat) for key in view.looked)
    return f"look {looked + 1} of {looks_of(view, seat)}"


def _path(view: VeraState, asked: Asked, fields: dict[str, Any], me: Seat) -> list[str]:
    """The refs that an option touches, in the order in which they are clicked."""
    seat = asked.seat
    if "general" in fields and isinstance(fields["general"], str):
        return [f"x-{fields['general']}"]
    if "card" in fields and "space" in fields:
        card = f"c-{fields['card'].partition('/')[2]}-{'closed' if fields['closed'] else 'open'}"
        return [card, f"army{seat}#{slot_key(seat, fields['space'], me)}"]
    if "card" in fields and "unit" in fields:
        hand = view.sides[seat].hand
        at = 0 if isinstance(hand, Hidden) else sorted_hand(hand).index(OrderType(fields["card"]))
        return [f"h{at}", fields["unit"]]
    if "to" in fields:
        slot = f"army{seat}#{slot_key(seat, fields['to'], me)}"
        return [fields["unit"], slot] if "unit" in fields else [slot]
    if "first" in fields:
        return [fields["first"], fields["second"]]
    if "column" in fields:
        return [f"t{fields['column']}"]
    return [fields["unit"]] if _unit(view, fields.get("unit")) else []


def _sub(view: VeraState, asked: Asked, name: str, fields: dict[str, Any]) -> str:
    """The second line of an option: facts that a player would look up before choosing it."""
    if name == "ExchangeRank":
        return f"Going back: {cards_named(view, _of_rank(view, asked.seat, fields['rank'])) or 'no Unit'}."
    if name == "UseStrategy":
        text = cards_of(view).general(view.sides[asked.seat].general)[1].strategy.text
        goes_on = asked.kind == "StarStrategy" and not asked.terms["counter"]
        return f"{text} {AFTERWARDS}" if goes_on else text
    if name == "Declare" and fields["type"] is OrderType.ATTACK:
        unit = _unit(view, asked.terms.get("unit"))
        return "" if unit is None or _can_attack(view, unit) else NOTHING_NEAR
    if name == "ConvertOrder":
        return CONVERTED["V" if in_vanguard(view.units[asked.terms["unit"]]) else "R"]
    if name == "StrikeBack":
        return _dice_against_terror(view, fields["rule"])
    if name == "AttackBy":
        return _aims(view, view.units[asked.terms["unit"]], fields["kind"])
    if name == "ChooseGeneral":
        general = cards_of(view).general(fields["general"])[1]
        heroism = ", ".join(ability_name(ability) for ability in general.heroism.abilities)
        return f"Heroism: {heroism or 'dice only'}. {general.leadership.text} Strategy: {general.strategy.text}"
    if name == "Capture":
        return _captured(view, view.units[asked.terms["unit"]])
    unit = _unit(view, fields.get("unit"))
    if unit is None:
        return ""
    if name in {"Target", "Intercept", "Castle"}:
        return describe(view, unit)
    if name != "Execute":
        return ""
    if _is_known_as(view, unit, OrderType.DEFENSE):  # VD-160, VD-161: turning it face up changes nothing
        return DEFENDS
    return TERRIFIED if _meets_terror(view, unit) else ""


def _is_known_as(view: VeraState, unit: Unit, kind: OrderType) -> bool:
    """Whether the order of a Unit is known, counts as this order, and will be executed as it lies."""
    if unit.order is None or isinstance(unit.order.type, Hidden) or unit.enraged:
        return False
    return effective_order(view, unit.id) is kind


def _meets_terror(view: VeraState, unit: Unit) -> bool:
    """Whether the order's only possible attack is directly at a Unit with Terror, which requires a check (VD-359)."""
    if has(view, unit, Ability.TENACIOUS) or not _is_known_as(view, unit, OrderType.ATTACK):
        return False
    if attack_kinds(view, unit, direct_only=False) != [AttackKind.DIRECT]:
        return False
    aims = direct_targets(view, unit)
    return len(aims) == 1 and not isinstance(aims[0].card, Hidden) and has(view, aims[0], Ability.TERROR)


def _dice_against_terror(view: VeraState, rule: str) -> str:
    """The number of dice of a Unit that strikes back at a Unit with Terror; the check precedes the dice (VD-358)."""
    attack = view.attack
    if attack is None or not has(view, view.units[attack.attacker], Ability.TERROR):
        return ""
    struck, striker = view.units[attack.attacker], view.units[attack.target]
    row = base_row(view, attack, striker)
    riposte = (Part("VD-355", RIPOSTE_DICE, "Riposte"),) if rule == "VD-355" else ()
    parts = (*modifiers(view, Launch(counter=True), striker, struck), *riposte)
    left = len(dice_row(row, total(parts)))
    dice = count(left, "die", "dice") if left else "no dice"
    printed = (Part("VD-017", len(row), "printed"), *parts)
    return f"Before Terror: {dice}, {', '.join(why_of(part) for part in printed)}"


def _captured(view: VeraState, unit: Unit) -> str:
    """The effect of a Capture (VD-178), and the benefit of holding that Terrain (VD-179)."""
    column = column_of(unit.space)
    if any(enemy.capture and column_of(enemy.space) == column for enemy in army(view, foe(unit.seat))):
        return EXPELS
    return HELD[terrain_in(view, column)]


def _of_rank(view: VeraState, seat: Seat, rank: Rank) -> tuple[CardKey, ...]:
    return tuple(card for card in sorted(known(view.sides[seat].recruits)) if rank_of(view, card) is rank)


def _aims(view: VeraState, unit: Unit, kind: AttackKind) -> str:
    """The possible targets of a kind of attack."""
    target = indirect_target(view, unit)
    aims = {
        AttackKind.DIRECT: direct_targets(view, unit),
        AttackKind.INDIRECT: [] if target is None else [target],
        AttackKind.AERIAL: aerial_targets(view, unit),
    }
    return f"At {join([own_name(view, aim.id) for aim in aims[kind]], 'or')}"


def describe(view: VeraState, unit: Unit) -> str:
    """A Unit in a line: place, life, order, General."""
    parts = [space_name(unit.space)]
    if isinstance(unit.life, Hidden) or isinstance(unit.card, Hidden):
        parts.append("undamaged" if unit.marker is None else f"{unit.marker} life")
    else:
        parts.append(f"{unit.life} of {profile(view, unit).max_life} life")
    if unit.order is not None:
        parts.append(f"{held_name(view, unit.seat, unit.order)}{', face up' if unit.order.up else ''}")
    if unit.general:
        parts.append("General")
    return ", ".join(parts)


def _extra(me: Seat) -> Any:
    def extra(view: VeraState, asked: Asked, choice: Choice) -> dict[str, Any]:
        name = type(choice).__name__
        fields = {field: getattr(choice, field) for field in choice.__struct_fields__}
        more: dict[str, Any] = {}
        path = _path(view, asked, fields, me)
        if path:
            more["at"] = path
            source = asked.terms.get("unit")
            if source in view.units and source not in path:
                more["from"] = source
        sub = _sub(view, asked, name, fields)
        if sub:
            # the Units of a rank are named beside it, because no card shows its rank
            more["end" if name == "ExchangeRank" else "sub"] = sub
        if fields.get("general") == _plainest(view):
            more["end"] = "to begin with: the shortest rules"
        if name in QUIET:
            more.update(tone="quiet", key="0")
        if name in LINKS:
            more["grp"] = "Link, once, before the order"
        held = view.units[fields["unit"]].order if name == "TakeBack" else None
        if held:
            # below the title only the differences are told
            unit = own_name(view, fields["unit"])
            more.update(grp="Take back", label=f"{unit}: {held_name(view, asked.seat, held)}")
        return more

    return extra


def _plainest(view: VeraState) -> str:
    """The General with the shortest rules, for beginners."""
    generals = [general for _, general in cards_of(view).generals()]
    return min(generals, key=lambda one: len(one.leadership.text) + len(one.strategy.text)).general_id


def rank(view: VeraState, _: Asked, choice: Choice) -> int:
    """The best General for beginners comes first."""
    return 0 if not isinstance(choice, ChooseGeneral) or choice.general == _plainest(view) else 1


@cache
def prompt_words(me: Seat) -> Words:
    """The words of prompts for a viewer."""
    return Words(question, option, waiting, _extra(me), item, setting, rank=rank, alone=ALONE)
