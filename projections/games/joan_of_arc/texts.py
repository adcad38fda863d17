"""The effects of cards of Joan of Arc, in words: the effect operations, dice, moments."""

from collections.abc import Iterable
from typing import Final

from domain.joan_of_arc.cards import hooks as h
from domain.joan_of_arc.cards.dice import COLOURS, Dice, Face, face
from domain.kernel import DiceRolled
from projections.words import count

RESOURCES: Final = {"xp": "XP", "legend": "legend token", "intrigue": "intrigue token", "vp": "VP"}
ORDERS: Final = {
    "command": "command order",
    "charge": "charge order",
    "reactivation": "reactivation order",
    "interrupt": "interrupt order",
}
FACES: Final = {
    Face.KILL: "kill",
    Face.DISRUPT: "disrupt",
    Face.PUSH: "push",
    Face.SHIELD: "shield",
    Face.BLANK: "blank",
    Face.TRAMPLE: "trample",
    Face.DEATH: "death",
    Face.RALLY: "rally",
    Face.DELAYED_RALLY: "delayed rally",
}
PLURALS: Final = {Face.PUSH: "pushes"}
"""Faces whose plural is not formed with an s alone."""
WHEN: Final = {
    "own_turn_between_orders": "in your turn, between orders",
    "attack_declared_self": "as you declare an attack",
    "attack_declared_opponent": "as an opponent declares an attack",
    "attack_effects_self": "on your attack roll",
    "attack_effects_opponent": "on an opponent's attack roll",
    "defence_effects_self": "on your defence roll",
    "camp_before_doom": "in camp, before doom dice",
}
UNTIL: Final = {"end_of_attack": " until the end of the attack", "end_of_turn": " until the end of the turn"}
WHOM: Final = {
    "troop": "a troop",
    "character": "a character",
    "unit": "a unit",
    "character_not_big": "a character that is not Big",
    "speaker": "who speaks",
    "wearer": "who wears it",
}


def die_shown(kind: str, shown: Face) -> str:
    """A die with its face: "red kill"; for a doom die only the face, because there is only one kind."""
    return FACES[shown] if kind == "doom" else f"{kind} {FACES[shown]}"


def dice_shown(roll: DiceRolled) -> str:
    """The face that each die of a roll shows: "yellow blank, white shield"."""
    shown = zip(roll.kinds, roll.dice, strict=True)
    return ", ".join(die_shown(kind, face(kind, value)) for kind, value in shown) or "no dice"  # type: ignore[arg-type]


def resource(name: str, number: int) -> str:
    """A number of a resource: "2 legend tokens", "3 XP"."""
    one = RESOURCES[name]
    return f"{number} {one}" if one.isupper() else count(number, one)


def orders(name: str, number: int) -> str:
    """A number of orders of a type."""
    return count(number, ORDERS[name])


def dice(of: Dice) -> str:
    """Dice by colour: "2 red, 1 white"; "no dice" for none."""
    return ", ".join(f"{getattr(of, name)} {name}" for name in COLOURS if getattr(of, name)) or "no dice"


def faces(shown: Iterable[Face]) -> str:
    """Faces in words: "kill, push"; "nothing" for none."""
    return ", ".join(FACES[face] for face in shown) or "nothing"


def faces_counted(number: int, face: Face) -> str:
    """A number of dice with a face: "1 push", "2 pushes"."""
    return count(number, FACES[face], PLURALS.get(face, ""))


def skill(name: str, x: int | None = None) -> str:
    """A skill by its name: "Haste 2"."""
    told = name.replace("_", " ").capitalize()
    return f"{told} {x}" if x else told


def deeds(operations: Iterable[h.Operation]) -> str:
    """All effects of a card: "gain 1 XP; draw 1 legend card"; "nothing" for none."""
    return "; ".join(deed(operation) for operation in operations) or "nothing"


def capital(text: str) -> str:
    """The text with its first letter capital and the rest unchanged: "Gain 2 XP"."""
    return text[:1].upper() + text[1:]


def deed(operation: h.Operation) -> str:
    """One effect operation."""
    return _means(operation) or _dice(operation) or _movement(operation) or _care(operation)


def _means(operation: h.Operation) -> str:
    match operation:
        case h.Gain(resource=name, n=n):
            return f"gain {resource(name, n)}"
        case h.Lose(resource=name, n=n):
            return f"lose {resource(name, n)}"
        case h.GainOrder(type=type_, n=n):
            return f"gain {orders(type_, n)}"
        case h.GainReroll():
            return "take the reroll token"
        case h.DrawLegend(n=n):
            return f"draw {count(n, 'legend card')}"
        case h.TakeEquipment(deck=deck):
            return f"take a card of {deck} equipment"
        case h.ContinueLevel2():
            return "the talk goes on with a level 2 card"
        case h.DieTest(die=die, on=on):
            told = [f"on {FACES[face]}: {deeds(then)}" for face, then in on.items()]
            return f"roll a {die} die ({', '.join(told)})"
    return ""


def _dice(operation: h.Operation) -> str:
    match operation:
        case h.AddDie(roll=roll, colour=colour, n=n, attack=attack):
            kind = f" in {attack}" if attack else ""
            return f"add {count(n, f'{colour} die', f'{colour} dice')} to the {roll} roll{kind}"
        case h.Reroll(roll=roll, n=n):
            return f"roll up to {count(n, 'own die', 'own dice')} of the {roll} roll again"
        case h.ForceReroll(roll=roll, n=n):
            return f"make the opponent roll {count(n, 'die', 'dice')} of the {roll} roll again"
        case h.RemoveResult(roll=roll, face=face, n=n):
            return f"remove {faces_counted(n, face)} from the {roll} roll"
        case h.GrantSkill(skill=name, x=x, until=until):
            return f"{skill(name, x)}{UNTIL[until] if until else ''}"
    return ""


def _movement(operation: h.Operation) -> str:
    match operation:
        case h.MoveRallyPoint(max_areas=most):
            return f"move a rally point up to {count(most, 'area')}"
        case h.MoveUnits(select=select, max_units=units, max_areas=most):
            return f"move up to {count(units, select)} of yours up to {count(most, 'area')}"
        case h.JumpUnit(select=select, areas=areas):
            return f"{WHOM[select]} of yours jumps up to {count(areas, 'area')}"
        case h.PlaceToken():
            return "lay a fire token next to a unit of yours"
        case h.ActivateArea():
            return "activate units of one of your areas"
    return ""


def _care(operation: h.Operation) -> str:
    match operation:
        case h.Heal(select=select, n=n):
            return f"heal {count(n, 'wound')} of {WHOM[select]}"
        case h.Wound(select=select, n=n):
            return f"{count(n, 'wound')} for {WHOM[select]}"
        case h.InfirmaryToWaiting(max_units=most):
            return f"up to {count(most, 'disrupted unit')} of yours may wait"
        case h.TakeBackFromInfirmary(max_units=most):
            return f"up to {count(most, 'unit')} of your infirmary back to a rally point"
    return type(operation).__name__


SKIPPED: Final = {
    "gain": "gaining",
    "lose": "losing",
    "add_die": "the added die",
    "remove_result": "removing a result",
    "reroll": "rolling again",
    "grant_skill": "the skill",
    "gain_reroll": "taking the reroll token",
    "activate_area": "activating an area",
    "take_equipment": "taking equipment",
    "place_token": "laying fire",
}


def skipped(effect: str) -> str:
    """The parts of an effect that do not happen."""
    return SKIPPED.get(effect, effect.replace("_", " "))
