"""Results of the dice: shields, allocation, the effect of a result on a unit (section K). Pure functions of figures."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from domain.joan_of_arc.cards.dice import HARMFUL, Face
from domain.joan_of_arc.cards.units import UnitCard

Fate = Literal["stands", "disrupted", "destroyed"]
Doom = Literal["graveyard", "disrupted", "rally", "waiting"]

MANY_HPS = 2
"""JA-Q24: printed HPs of a unit with multiple HPs."""


def harmful(faces: Iterable[Face]) -> tuple[Face, ...]:
    """JA-123, JA-127: the results of an attack roll in the order of allocation, without blanks and shields."""
    found = list(faces)
    return tuple(face for kind in HARMFUL for face in found if face is kind)


def cancelled(results: Sequence[Face], shields: int) -> tuple[Face, ...]:
    """JA-125, JA-126: the results left after this many shields: kills go first, then disrupts, then pushes.

    JA-Q20: the defender chooses the number of shields, from none to all.
    """
    return harmful(results)[shields:]


def most_results(card: UnitCard, wounds: int) -> int:
    """JA-129, JA-Q21: the results that a unit can take: its HPs remaining, 1 without HPs."""
    return 1 if card.hp is None else max(card.hp - wounds, 1)


def takers(room: Mapping[str, int], given: Mapping[str, Sequence[Face]], result: Face) -> tuple[str, ...]:
    """The units that may be given the next result; none: it is discarded (JA-131).

    `room`: by unit, the results that it can take (`most_results`). JA-128: while some unit has no result, only units
    without one; JA-129: then units with room. JA-130: nobody takes a second push.
    """
    bare = tuple(unit for unit in room if not given.get(unit))
    if bare:
        return bare
    with_room = (unit for unit, most in room.items() if len(given.get(unit, ())) < most)
    return tuple(unit for unit in with_room if result is not Face.PUSH or Face.PUSH not in given.get(unit, ()))


class Struck(Struct, frozen=True):
    """The outcome for a unit that was hit: its wounds, and its new place."""

    wounds: int
    fate: Fate = "stands"


def kill(card: UnitCard, wounds: int) -> Struck:
    """JA-133: without HPs it is destroyed. JA-134: with HPs it takes a wound, and is destroyed when no HP is left."""
    if card.hp is None:
        return lost(card, wounds)
    return lost(card, wounds + 1) if wounds + 1 >= card.hp else Struck(wounds + 1)


def disrupt(card: UnitCard, wounds: int) -> Struck:
    """JA-135: without HPs it is disrupted; JA-136, JA-Q23: a wound while more than 1 HP remains; JA-137: with exactly 1
    it is disrupted. JA-100, JA-384, JA-387: civilians, gigantic creatures and war machines are destroyed by it.
    """
    if card.hp is not None and card.hp - wounds > 1:
        return Struck(wounds + 1)
    if card.kind == "civilian" or card.gigantic or "war_machine" in card.traits:
        return lost(card, wounds)
    return Struck(wounds, "disrupted")


def may_stay(card: UnitCard) -> bool:
    """JA-140, JA-Q24: whether a unit may take a wound in place of a push: with 2 printed HPs or more."""
    return card.hp is not None and card.hp >= MANY_HPS


def stay(card: UnitCard, wounds: int) -> Struck:
    """JA-141: staying costs a wound, which may destroy it."""
    return kill(card, wounds)


def lost(card: UnitCard, wounds: int) -> Struck:
    """Destruction; JA-273, JA-Q59: an immortal unit goes to the disrupted section with 1 HP remaining."""
    if not card.skills.immortal:
        return Struck(wounds, "destroyed")
    return Struck(wounds if card.hp is None else card.hp - 1, "disrupted")


def rallied(card: UnitCard, wounds: int) -> int:
    """JA-230: the wounds of a unit that comes back: one with multiple HPs has 1 remaining."""
    return card.hp - 1 if may_stay(card) and card.hp is not None else wounds


def doom(card: UnitCard, face: Face) -> Doom:
    """JA-226, JA-227, JA-231: the effect of the doom die on a unit; JA-274: death disrupts an immortal one."""
    if face is Face.DEATH:
        return "disrupted" if card.skills.immortal else "graveyard"
    if face is Face.RALLY:
        return "rally"
    return "waiting" if face is Face.DELAYED_RALLY else "disrupted"


def forced_march(face: Face) -> int:
    """JA-341, JA-342, JA-343: the number of areas that a group with this face may move."""
    return {Face.PUSH: 1, Face.DISRUPT: 0}.get(face, 2)


def breaks_through(attacked: int, gone: int) -> bool:
    """JA-Q72: whether at least half, rounded down but never below 1, were pushed, destroyed or disrupted."""
    return gone >= max(attacked // 2, 1)
