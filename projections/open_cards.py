"""Open cards: the secrets of a game that are still worth knowing after the delay of open cards.

Spectators of open cards see each slot that some seat holds; a slot that nobody holds (the order of a deck) stays closed
until the close of the match.
"""

from collections.abc import Iterator
from typing import Any, Final

from domain.kernel import Game
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.secret import Nobody
from projections.face import Face

ALL_OF_THEM: Final = "whatever a player hides"
"""The words for a game that does not declare its lasting secrets."""


def lasting_secrets(face: Face[Any]) -> tuple[str, ...]:
    """The secrets of seats that are worth knowing for longer than the delay, in words, without repetitions."""
    if face.lasting is None:
        return (ALL_OF_THEM,) if any(secrets_of_seats(face.game)) else ()
    return tuple(dict.fromkeys(words for words in face.lasting.values() if words))


def secrets_of_seats(game: Game[Any]) -> Iterator[str]:
    """The secret fields of the game's own events that some seat holds, each as `Event.field`."""
    for event, slots in game.slots.items():
        if event not in KERNEL_EVENTS:
            yield from (f"{event.__name__}.{slot.name}" for slot in slots if not isinstance(slot.audience, Nobody))
