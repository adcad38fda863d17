"""Dice in the Scene of Joan of Arc: in the tray, above a question, in an option's row."""

from collections import Counter
from typing import Any, Final

from domain.joan_of_arc.cards.dice import Dice, Face, face
from domain.joan_of_arc.rules.attacks.allocating import standing_results
from domain.joan_of_arc.rules.attacks.retaliating import hill_faces, retaliation
from domain.joan_of_arc.state.attack_state import Attack, RolledDie
from domain.kernel import Asked, DiceRolled, Seat
from projections.games.joan_of_arc.texts import die_shown, faces_counted
from projections.games.joan_of_arc.words import View, area_name, unit_name, units_named
from projections.words import count, join, player, sentence

Shown = dict[str, Any]
FACE_GLYPHS: Final = {
    Face.KILL: "skull-crossed-bones",
    Face.DISRUPT: "broken-shield",
    Face.PUSH: "push",
    Face.SHIELD: "shield",
    Face.BLANK: "",
    Face.TRAMPLE: "horseshoe",
    Face.DEATH: "death-skull",
    Face.RALLY: "rally-the-troops",
    Face.DELAYED_RALLY: "hourglass",
}
HARM: Final = (Face.KILL, Face.DISRUPT, Face.PUSH)
"""The faces that shields cancel, in this order."""
TONES: Final = {"gigantic": "purple", "doom": "green"}
"""Dice colours that have another name in the client."""
TITLES: Final = {"Doom": "Doom die", "Token": "Reroll token", "Card": "Reroll by a card"}
"""Better titles for rolls whose own title says little."""


def tone(kind: str) -> str:
    """The colour of a die."""
    return TONES.get(kind, kind)


def die(kind: str, shown: Face, whose: str = "", state: str = "") -> Shown:
    """A die with its face; `whose` is its owner, `state` is hit or off."""
    label = f"{die_shown(kind, shown)}{f', {whose}' if whose else ''}"
    return {"t": tone(kind), "f": FACE_GLYPHS[shown], "label": label, **({"st": state} if state else {})}


def pooled(dice: Dice) -> list[Shown]:
    """Dice to be rolled, by colour."""
    counted = Counter(dice.in_order()).items()
    return [{"t": tone(kind), "n": number, "label": f"{number} {kind}"} for kind, number in counted]


def given(view: View, unit: str) -> list[Shown]:
    """The results that a unit has received so far."""
    attack = view.attack
    taken = [] if attack is None else [each.face for each in (*attack.given, *attack.returned) if each.unit == unit]
    return [
        {"t": "white", "n": number, "g": FACE_GLYPHS[shown], "label": faces_counted(number, shown)}
        for shown, number in Counter(taken).items()
    ]


def _rolled_attack(view: View) -> Attack | None:
    """The attack under way, if any of its dice have been rolled."""
    attack = view.attack
    return attack if attack is not None and (attack.attack_dice or attack.defence_dice) else None


def tray(view: View) -> Shown:
    """The dice of the attack under way, by owner and reason; otherwise the last roll."""
    attack, roll = _rolled_attack(view), view.roll
    if attack is not None:
        title = sentence(f"{attack.kind} on {area_name(view, attack.target)}").removesuffix(".")
        return {"roll": {"title": title, "groups": of_attack(view, attack), **_outcome(attack)}}
    if roll is None:
        return {}
    shown = [die(kind, face(kind, value)) for kind, value in zip(roll.kinds, roll.dice, strict=True)]
    title = TITLES.get(roll.title, roll.title)
    if roll.seat is None:
        return {"roll": {"title": title, "groups": [{"label": "", "owner": 0, "dice": shown}]}}
    label = f"{player(view, roll.seat)}: {title}"
    return {"roll": {"title": "Last roll", "groups": [{"label": label, "owner": roll.seat, "dice": shown}]}}


def faces_rolled(view: View) -> list[Face]:
    """The faces in the tray, in the order of their weight."""
    attack, roll, lying = _rolled_attack(view), view.roll, set[Face]()
    if attack is not None:
        lying = {each.face for each in (*attack.attack_dice, *attack.defence_dice)}
    elif roll is not None:
        lying = {face(kind, value) for kind, value in zip(roll.kinds, roll.dice, strict=True)}
    return [each for each in FACE_GLYPHS if each in lying]


def rolling(view: View, event: DiceRolled) -> tuple[str, DiceRolled]:
    """The roll to come, with its rollers: all units that attack together, not only the option's unit."""
    attack = view.attack
    if attack is None or event.title != "Attack":
        return "", event
    return units_named(view, [unit for unit, _ in attack.starts]), event


def of_attack(view: View, attack: Attack) -> list[Shown]:
    """Both rolls; cancelled results and faces without effect are marked `off`."""
    left = list(attack.results)
    is_cancelled = bool(attack.results or attack.given)
    dice = []
    for each in attack.attack_dice:
        counts = not is_cancelled or each in left
        if each in left:
            left.remove(each)
        dice.append(_shown(view, each, "" if counts else "off"))
    alone = unit_name(view, attack.starts[0][0]) if len(attack.starts) == 1 else "Attack"
    groups = [{"label": alone, "owner": attack.by, "dice": dice}]
    if attack.defence_dice:
        owner = next((view.field.units[unit].owner for unit in attack.defenders), None)
        shown = [_shown(view, each) for each in attack.defence_dice]
        groups.append({"label": "Defence", "owner": 9 if owner is None else owner, "dice": shown})
    return groups


def _shown(view: View, each: RolledDie, state: str = "") -> Shown:
    return die(each.colour, each.face, unit_name(view, each.unit) if each.unit else "for all of them", state)


def _outcome(attack: Attack) -> dict[str, str]:
    if not attack.results:
        return {}
    counts = Counter(each.face for each in attack.results)
    return {"result": ", ".join(faces_counted(number, face) for face, number in counts.items())}


def standing_result(view: View, attack: Attack) -> str:
    """The result of the dice as they lie: "As they lie: 1 kill and 2 pushes against 1 shield". If other faces of the
    defence do nothing, the sentence says so (JA-143, JA-298).
    """
    counts = Counter(each.face for each in attack.attack_dice)
    told = join([faces_counted(counts[face], face) for face in HARM if counts[face]]) or "nothing"
    shields = sum(each.face == Face.SHIELD for each in attack.defence_dice)
    lost = "; of the defence shields alone count here" if _lost(view, attack) else ""
    return f"As they lie: {told} against {count(shields, 'shield')}{lost}"


def _lost(view: View, attack: Attack) -> bool:
    """Whether the defence shows kills, disrupts or pushes, and none of them may strike back."""
    seats = {view.field.units[unit].owner for unit in attack.defenders if unit in view.field.units}
    back = any(retaliation(view, seat) or hill_faces(view, seat) for seat in seats if seat is not None)
    return not back and any(each.face in HARM for each in attack.defence_dice)


def to_give(view: View, shown: RolledDie) -> list[Shown]:
    """The results of an attack that must be given out; the result that is asked about comes first."""
    attack = view.attack
    if attack is None:
        return []
    done = len(attack.given)
    at = next((n for n, each in enumerate(attack.results) if n >= done and each == shown), None)
    rest = (shown,) if at is None else attack.results[at:]
    dice = [_shown(view, each, "hit" if n == 0 else "") for n, each in enumerate(rest)]
    return [{"label": "To give", "owner": attack.by, "dice": dice}]


def result_die(view: View, asked: Asked, at: int) -> dict[str, Shown]:
    """The die of a result that may be cancelled, or that may strike back."""
    attack = view.attack
    dice: tuple[RolledDie, ...] = ()
    if attack is not None:
        cancelling = asked.kind == "CancelledResults"
        dice = standing_results(view) if cancelling else retaliation(view, Seat(asked.seat))
    return {"die": _shown(view, dice[at])} if at < len(dice) else {}


def cancelled(view: View, number: int) -> str:
    """The results that a number of shields cancels: "1 kill and 2 pushes"; "nothing"."""
    gone = () if view.attack is None else standing_results(view)[:number]
    counts = Counter(each.face for each in gone)
    return join([faces_counted(counts[shown], shown) for shown in counts]) or "nothing"
