"""What was answered: a message that comes again is answered as the first time, another under its id is not."""

import pytest

from domain.kernel import Abandon, Agreed, Chosen, Draw, Event, Offered, Resigned, Seat
from domain.kernel.state import plain
from server.table.answers import Answers
from server.wire.protocol import Agree, Choose, Decline, Offer, Resign, TableMessage
from tests.skirmish.game import GAME, Play

SEAT = Seat(0)
CHOSEN = Chosen(SEAT, 4, "a", choice=plain(Play(3)))
WHOLE = plain(Play(3))


def answers(event: Event) -> Answers:
    found = Answers(GAME)
    assert isinstance(event, Chosen | Resigned | Offered | Agreed)
    found.note(event, 9)
    return found


@pytest.mark.parametrize(
    ("message", "same"),
    [
        (Choose("a", 4, WHOLE), True),
        (Choose("a", 4, plain(Play(2))), False),
        (Choose("a", 4, {"do": "nonsense"}), False),
        (Choose("a", 5, WHOLE), False),
        (Choose("a", 4, 0), True),
        (Choose("a", 5, 0), False),
        (Resign("a"), False),
    ],
)
def test_after_a_restart_a_choice_is_told_by_what_the_record_keeps(message: Choose | TableMessage, same: bool) -> None:
    assert answers(CHOSEN).is_same(0, "seat", message) is same


def test_in_one_process_the_words_of_an_answer_count() -> None:
    found = answers(CHOSEN)
    found.keep(0, "seat", Choose("a", 4, 0, 2, "A" * 43))
    assert found.is_same(0, "seat", Choose("a", 4, 0))
    assert found.is_same(0, "seat", Choose("a", 4, WHOLE))
    assert not found.is_same(0, "seat", Choose("a", 4, 1))


@pytest.mark.parametrize(
    ("event", "same", "other"),
    [
        (Resigned(SEAT, "a"), Resign("a"), Agree("a", 1)),
        (Agreed(SEAT, "a", number=2), Agree("a", 2), Agree("a", 3)),
        (Agreed(SEAT, "a", number=2), Agree("a", 2), Decline("a", 2)),
        (Offered(SEAT, "a", number=1, terms=Draw()), Offer("a", Draw()), Choose("a", 4, 0)),
    ],
)
def test_an_act_is_told_by_its_kind_and_number(event: Event, same: TableMessage, other: Choose | TableMessage) -> None:
    found = answers(event)
    assert found.is_same(0, "seat", same)
    assert not found.is_same(0, "seat", other)


def test_in_one_process_an_offer_is_told_by_its_terms() -> None:
    found = answers(Offered(SEAT, "a", number=1, terms=Draw()))
    found.keep(0, "seat", Offer("a", Draw()))
    assert found.is_same(0, "seat", Offer("a", Draw()))
    assert not found.is_same(0, "seat", Offer("a", Abandon()))
