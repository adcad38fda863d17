"""What was answered already is known again after a restart, out of the record alone."""

import asyncio

import pytest
from msgspec.structs import replace

from domain.kernel import Chosen, Draw, Offered, Pause, Seat, State, TakeBack
from domain.kernel.table import Abandon
from server.table.deduplication import SEAT, Answers
from server.wire.act_messages import Agree, Claim, Decline, Offer, Resign, TableMessage, Vacation
from server.wire.acts import meant
from server.wire.protocol import Choose
from tests.skirmish.game import GAME

ADA = Seat(0)
MESSAGES: tuple[TableMessage, ...] = (
    Resign("a"),
    Offer("a", Draw()),
    Offer("a", Abandon()),
    Offer("a", Pause(1000)),
    Offer("a", Pause(2000)),
    Offer("a", TakeBack(7)),
    Offer("a", TakeBack(8)),
    Agree("a", 1),
    Agree("a", 2),
    Decline("a", 1),
    Claim("a", 1),
    Claim("a", 1, draw=True),
    Vacation("a", 0),
    Vacation("a", 1),
    Vacation("a", 2),
)


async def unread(seq: int) -> State:
    raise AssertionError("no record is read for this")


def is_same(answers: Answers, message: Choose | TableMessage) -> bool:
    return asyncio.run(answers.is_same(ADA, SEAT, message))


@pytest.mark.parametrize("message", MESSAGES)
def test_an_act_is_told_from_every_other_one_by_what_it_says(message: TableMessage) -> None:
    answers = Answers(GAME, unread)
    answers.note(meant(message, ADA), 5)
    assert answers.line(ADA, SEAT, "a") == 5
    assert [other for other in MESSAGES if is_same(answers, other)] == [message]
    assert not is_same(answers, Choose("a", 1, 0))


def test_the_own_last_choice_undone_is_the_same_offer_whatever_line_the_server_found() -> None:
    answers = Answers(GAME, unread)
    answers.note(Offered(ADA, "a", number=3, terms=TakeBack(12)), 5)
    assert is_same(answers, Offer("a", TakeBack()))
    assert not is_same(answers, Offer("a", TakeBack(11)))


def test_a_signed_choice_is_told_by_the_words_that_were_signed() -> None:
    answers = Answers(GAME, unread)
    note = Chosen(ADA, 4, "a", signed=("salt", "[1,2]"))
    answers.note(replace(note, choice={"do": "Play", "card": 3}), 5)
    assert is_same(answers, Choose("a", 4, [1, 2]))
    assert is_same(answers, Choose("a", 4, {"do": "Play", "card": 3}))
    assert not is_same(answers, Choose("a", 4, {"do": "Play", "card": 4}))
    assert not is_same(answers, Choose("a", 5, [1, 2]))
