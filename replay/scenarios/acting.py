"""A seat's acts at the table beside its choices, as a scenario writes them: resigns, offers, agrees, declines."""

from collections.abc import Callable, Sequence
from typing import Final

from domain.kernel import (
    Abandon,
    Agreed,
    Declined,
    Draw,
    Event,
    GoOn,
    Offered,
    Pause,
    Replace,
    Resigned,
    Seat,
    TakeBack,
)
from domain.kernel.act import line_before
from domain.kernel.state import State
from domain.kernel.table import SECOND_MS, OfferTerms

Past = Callable[[], Sequence[Event]]

FORMS: Final = (
    "resign, offer draw, offer abandon, offer pause 60, offer go_on, offer take_back, offer replace 1, agree, decline"
)
"""The acts that may be written; a pause states seconds, a replacement states a seat; `agree 2` names offer number 2."""


def read_act(text: str, seat: int, state: State, past: Past) -> Event:
    """The act that a text names. Raises `ValueError`, which says what is allowed."""
    by = Seat(seat)
    match text.split():
        case ["resign"]:
            return Resigned(by)
        case ["agree" | "decline" as word, *numbers] if len(numbers) <= 1:
            number = _number(text, numbers[0]) if numbers else _open_offer(state)
            return Agreed(by, number=number) if word == "agree" else Declined(by, number=number)
        case ["offer", *terms]:
            return Offered(by, number=state.table.last_offer + 1, terms=_terms(text, terms, by, state, past))
    raise ValueError(f"{text!r} is no act; allowed: {FORMS}")


def _number(text: str, word: str) -> int:
    if not word.isascii() or not word.isdecimal() or len(word) > 9:
        raise ValueError(f"{text!r}: a number is needed, not {word!r}; allowed: {FORMS}")
    return int(word)


def _open_offer(state: State) -> int:
    """The number of the latest open offer; if none is open, the number of the next one, which nobody has made."""
    return max((offer.number for offer in state.table.offers), default=state.table.last_offer + 1)


def _terms(text: str, words: list[str], by: Seat, state: State, past: Past) -> OfferTerms:
    match words:
        case ["draw"]:
            return Draw()
        case ["abandon"]:
            return Abandon()
        case ["go_on"]:
            return GoOn()
        case ["take_back"]:
            return TakeBack(line_before(past(), by))
        case ["pause", seconds]:
            return Pause(_number(text, seconds) * SECOND_MS)
        case ["replace", seat]:
            other = _number(text, seat)
            if other >= len(state.players):
                raise ValueError(f"{text!r}: there is no seat {other}; there are {len(state.players)}, from 0")
            return Replace(Seat(other))
    raise ValueError(f"{text!r} is no offer; allowed: {FORMS}")
