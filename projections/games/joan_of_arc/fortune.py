"""The faces that the dice of a roll need by the rules, for sentences about luck."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, cast

from domain.joan_of_arc.cards.dice import FACES, FACES_OF_A_DIE, HARMFUL, Die, Face, face
from domain.joan_of_arc.state.attack_events import DiceRerolled
from domain.kernel import DiceRolled, Event
from projections.dice_odds import Try

SHIELDS: Final = frozenset({Face.SHIELD})
ATTACK, DEFENCE = "JA-107", "JA-108"
WANTED: Final[Mapping[str, frozenset[Face]]] = {
    ATTACK: frozenset({*HARMFUL, Face.TRAMPLE}),  # JA-127, JA-378
    DEFENCE: SHIELDS,  # JA-125
    "JA-225": frozenset({Face.RALLY, Face.DELAYED_RALLY}),  # JA-227, JA-231
    "JA-288": SHIELDS,  # JA-291
    "JA-293": SHIELDS,
    "JA-340": frozenset(Face) - {Face.DISRUPT, Face.PUSH},  # JA-343: two areas
}
"""The faces that a roll needs, by its rule.

For a test or for fire, the card or the victim gives the value of a face.
"""
AGAIN: Final = "JA-Q77"
OF: Final = {"attack": ATTACK, "defence": DEFENCE}


def tries(events: Iterable[Event]) -> Iterator[Try]:
    """The dice that need a certain face; a die that is rolled again counts as another die."""
    again: DiceRolled | None = None
    for event in events:
        if isinstance(event, DiceRerolled) and again is not None:
            yield from _of(again, OF[event.roll])
        elif isinstance(event, DiceRolled) and event.rule != AGAIN:
            yield from _of(event, event.rule)
        again = event if isinstance(event, DiceRolled) and event.rule == AGAIN else None


def _of(roll: DiceRolled, rule: str) -> Iterator[Try]:
    wanted = WANTED.get(rule)
    if wanted is None or roll.seat is None:
        return
    for kind, value in zip(roll.kinds, roll.dice, strict=True):
        die = cast("Die", kind)
        chance = sum(shown in wanted for shown in FACES[die]) / FACES_OF_A_DIE
        yield Try(roll.seat, chance, face(die, value) in wanted)
