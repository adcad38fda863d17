"""The docket: one thing at a time is decided, committed and told, whatever the store says."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Act, Chosen, NotPending, Seat
from herald_client import Key
from replay.errors import RecordError
from replay.record.preparation import Preparation
from replay.record.referee import Referee, Ruling, read_event
from replay.store.log import Append, Commit, Committed, Conflict, Unknown
from replay.store.memory import MemoryStore
from server.operations.metrics import Meters
from server.table.command_queue import ATTEMPTS, CommandQueue, commit_anew
from server.table.deduplication import Answers
from server.wire.act_messages import Resign
from server.wire.protocol import Accepted, Choose, Refused
from tests.replay.matches import START, begun, ended, put
from tests.server.table.standins import Office
from tests.server.tabletop import live
from tests.skirmish.game import Play

ADA, BO = Seat(0), Seat(1)


class Posts:
    """Stands in for arrivals: the store's answer at once, or what the test says; notes what happens in which order."""

    def __init__(self, store: MemoryStore, order: list[str]) -> None:
        self.answers: list[Append | Exception] = []
        self.before: Callable[[], None] = lambda: None
        self._store, self._order = store, order

    async def append(self, commit: Commit, committed: Callable[[], None]) -> Append:
        await asyncio.sleep(0)
        self.before()
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        answer = self._store.append(commit)
        self._order.append("written")
        if isinstance(answer, Committed):
            committed()
        return answer


class Case:
    """A docket among stand-ins, and what has happened in which order."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.store = MemoryStore()
        self.referee: Referee[Any] = begun(self.store, kind="person")
        posts: Any = Posts(self.store, self.order)
        seats: Any = SimpleNamespace(
            bots={}, answers=self.answers(), note=self._note, take=lambda _: None, with_seat=lambda commit, _: commit
        )
        self.posts, self.seats = posts, seats
        self.due: list[Ruling[Any]] = []
        decider: Any = SimpleNamespace(decide=self._decide, judge=self._judge, due=self._next_due)
        self.news: list[bool] = []
        broadcaster: Any = SimpleNamespace(tell=self._tell, held_until=lambda _: 0)
        visible_head: Any = Office()
        self.command_queue: CommandQueue[Any] = CommandQueue(
            self.referee,
            self.store,
            posts,
            decider,
            broadcaster,
            seats,
            visible_head,
            Meters(),
            lambda: self.order.append("woken"),
        )

    def _tell(self, *_: Any, is_news: bool) -> None:
        self.order.append("told")
        self.news.append(is_news)

    def answers(self) -> Answers:
        """What a server that has just read the record knows was answered."""
        game, store, match = self.referee.game, self.store, self.referee.match

        async def before(seq: int) -> Any:
            return game.fold(read_event(game, entry) for entry in store.read(match, limit=seq - 1))

        answers = Answers(game, before)
        for entry in store.read(match):
            event = read_event(game, entry)
            if isinstance(event, Chosen | Act):
                answers.note(event, entry.seq)
        return answers

    def _note(self, entries: Any, events: Any) -> None:
        for entry, event in zip(entries, events, strict=True):
            if isinstance(event, Chosen):
                self.seats.answers.note(event, entry.seq)

    def _next_due(self) -> Ruling[Any] | None:
        return self.due.pop(0) if self.due else None

    async def _decide(self, seat: Seat, message: Choose, by: str) -> Ruling[Any]:
        self.order.append(f"decided for {by}")
        note = Chosen(seat, message.decision, message.id, by)
        self.card = self.referee.state.hands[seat][0]
        return self.referee.choose(seat, message.decision, Play(self.card), note, START + 1000)

    async def _judge(self, *_: Any) -> Ruling[Any] | None:
        raise NotPending("It is too late; look again.")

    def message(self, seat: Seat, name: str = "c") -> Choose:
        return Choose(name, next(asked.number for asked in self.referee.state.asked if asked.seat == seat), 0)


class Shown:
    """A visible head that keeps nobody behind."""

    def __init__(self, referee: Referee[Any]) -> None:
        self._referee = referee

    @property
    def seq(self) -> int:
        return self._referee.seq

    def sign_as_stored(self, _: Any) -> None:
        """Nothing is signed."""


class Asking:
    """Whoever sent a choice, and what it is told."""

    def __init__(self, order: list[str]) -> None:
        self._order = order

    def hold(self) -> None:
        self._order.append("held")

    def accept(self, accepted: Accepted) -> None:
        self._order.append(f"accepted {accepted.id}")


@live
async def test_nothing_is_told_before_it_is_written_and_the_asker_with_everybody() -> None:
    case = Case()
    answer = await case.command_queue.choose(ADA, case.message(ADA), asker=Asking(case.order))
    assert isinstance(answer, Accepted)
    assert case.order == ["decided for seat", "written", "held", "told", "woken", "accepted c"]
    assert case.store.head(case.referee.match).seq == case.referee.seq


@live
async def test_an_id_that_was_accepted_is_answered_as_the_first_time_and_not_decided_again() -> None:
    case = Case()
    message = case.message(ADA)
    first, again = await asyncio.gather(
        case.command_queue.choose(ADA, message), case.command_queue.choose(ADA, message)
    )
    assert first == again
    assert case.order.count("decided for seat") == 1


@live
async def test_an_id_that_was_used_for_another_choice_or_decision_is_refused_as_such() -> None:
    case = Case()
    message = case.message(ADA)
    accepted = await case.command_queue.choose(ADA, message)
    assert isinstance(accepted, Accepted)
    for other in (replace(message, choice=1), replace(message, decision=message.decision + 7), Resign("c")):
        answer = await (
            case.command_queue.act(ADA, other) if isinstance(other, Resign) else case.command_queue.choose(ADA, other)
        )
        assert isinstance(answer, Refused)
        assert answer.code == "id-used"
        assert f"line {accepted.seq}" in answer.why
    assert await case.command_queue.choose(ADA, replace(message, ack_seq=3, ack_head="x")) == accepted


@live
async def test_after_a_restart_a_plain_answer_is_told_by_what_it_means() -> None:
    case = Case()
    message = case.message(ADA)
    accepted = await case.command_queue.choose(ADA, message)
    assert isinstance(accepted, Accepted)
    case.seats.answers = case.answers()
    for same in (message, replace(message, choice={"do": "Play", "card": case.card}), replace(message, ack_seq=3)):
        assert await case.command_queue.choose(ADA, same) == accepted
    for other in (replace(message, choice=1), replace(message, choice={"do": "Pass"}), replace(message, choice=[7])):
        answer = await case.command_queue.choose(ADA, other)
        assert isinstance(answer, Refused)
        assert answer.code == "id-used"
    assert case.order.count("decided for seat") == 1


@live
async def test_a_clients_id_never_stands_for_the_bots_or_the_clocks() -> None:
    case = Case()
    mine, later = case.message(ADA, "clock-2"), case.message(BO, "bot-2")
    assert isinstance(await case.command_queue.choose(ADA, mine), Accepted)
    for by, message in (("clock", mine), ("bot", mine)):
        answer = await case.command_queue.choose(ADA, message, by=by)
        assert isinstance(answer, Refused)
        assert answer.code == NotPending.code
    assert isinstance(await case.command_queue.choose(BO, later), Accepted)
    assert case.order.count("decided for clock") == 1


@live
async def test_choices_are_decided_one_after_another() -> None:
    case = Case()
    both = [case.command_queue.choose(seat, case.message(seat)) for seat in (ADA, BO)]
    assert all(isinstance(answer, Accepted) for answer in await asyncio.gather(*both))
    assert [what for what in case.order if what in {"written", "told"}] == ["written", "told"] * 2


@live
async def test_a_bots_seat_is_not_chosen_for_by_who_held_it() -> None:
    case = Case()
    case.seats.bots[ADA] = None
    for answer in (
        await case.command_queue.choose(ADA, case.message(ADA)),
        await case.command_queue.act(ADA, Resign("r")),
    ):
        assert isinstance(answer, Refused)
        assert answer.code == "not-your-decision"
    # The record says that a person holds the seat, whatever the roll has.
    answer = await case.command_queue.choose(ADA, case.message(ADA), by="bot")
    assert isinstance(answer, Refused)
    assert answer.why == "A person plays this seat."
    assert case.order[0] == "decided for bot"


@live
async def test_a_refusal_is_the_answer_and_nothing_is_written() -> None:
    case = Case()
    answer = await case.command_queue.act(ADA, Resign("r"))
    assert answer == Refused("r", NotPending.code, "It is too late; look again.")
    assert not case.order


@live
async def test_what_another_server_wrote_first_is_taken_in_and_the_choice_decided_again() -> None:
    case = Case()
    other: Referee[Any] = Referee.open(case.referee.game, case.store, case.referee.match)
    hand = other.state.hands[BO]
    number = case.message(BO).decision
    ruling = other.choose(BO, number, Play(hand[0]), Chosen(BO, number, "other"), START + 500)

    def first() -> None:
        case.posts.before = lambda: None
        case.store.append(ruling.commit)

    case.posts.before = first
    assert isinstance(await case.command_queue.choose(ADA, case.message(ADA)), Accepted)
    assert case.order.count("decided for seat") == 2
    assert case.seats.answers.line(ADA, "seat", "c") > case.seats.answers.line(BO, "seat", "other") > 0
    assert not case.command_queue.is_unwritten


@pytest.mark.parametrize(("answer", "is_unwritten"), [(Conflict(1), False), (Unknown("the disk is full"), True)])
@live
async def test_who_cannot_be_written_for_is_asked_to_try_again(answer: Append, *, is_unwritten: bool) -> None:
    case = Case()
    case.posts.answers = [answer] * ATTEMPTS
    refused = await case.command_queue.choose(ADA, case.message(ADA))
    assert isinstance(refused, Refused)
    assert refused.code == "try-again"
    assert case.command_queue.is_unwritten is is_unwritten
    assert "told" not in case.order
    assert isinstance(await case.command_queue.choose(ADA, case.message(ADA)), Accepted)


@pytest.mark.parametrize("is_own", [True, False])
@live
async def test_what_was_written_though_nobody_said_so_is_no_news_of_another_server(*, is_own: bool) -> None:
    case = Case()

    async def append(commit: Commit, committed: Callable[[], None]) -> Append:
        del committed
        other = replace(commit, entries=tuple(replace(entry, line=entry.line + b" ") for entry in commit.entries))
        case.store.append(commit if is_own else other)
        return Unknown("the network is gone")

    case.posts.append = append
    assert isinstance(await case.command_queue.choose(ADA, case.message(ADA)), Accepted)
    assert case.news == [not is_own]
    assert case.command_queue.is_elsewhere is not is_own


@live
async def test_a_store_that_fails_is_tried_so_often_and_no_more() -> None:
    case = Case()
    case.posts.answers = [RecordError("the disk is full")] * (ATTEMPTS - 1)
    assert isinstance(await case.command_queue.choose(ADA, case.message(ADA)), Accepted)
    assert case.command_queue.is_unwritten


@live
async def test_what_time_has_decided_comes_before_a_choice() -> None:
    case = Case()
    case.due = [ended(case.referee, START)]
    answer = await case.command_queue.choose(ADA, case.message(ADA))
    assert isinstance(answer, Refused)
    assert answer.code == "match-over"
    assert case.order[:3] == ["written", "told", "woken"]


@live
async def test_what_another_server_wrote_is_told_once() -> None:
    case = Case()
    assert not await case.command_queue.fold_news()
    other: Referee[Any] = Referee.open(case.referee.game, case.store, case.referee.match)
    case.store.append(ended(other, START).commit)
    assert await case.command_queue.fold_news()
    assert not await case.command_queue.fold_news()
    assert case.order == ["told", "woken"]


@live
async def test_lines_of_the_setup_are_made_anew_after_those_of_another_server() -> None:
    case = Case()
    other: Referee[Any] = Referee.open(case.referee.game, case.store, case.referee.match)
    put(case.store, other, Preparation(other).set_key(BO, Key().public, "", START))
    made: list[int] = []

    def make() -> Ruling[Any]:
        made.append(case.referee.seq)
        return Preparation(case.referee).set_key(ADA, Key().public, "", START)

    async with case.command_queue.lock:
        assert await commit_anew(case.command_queue, case.referee, make)
    assert made == [other.seq - 1, other.seq]
    assert [seat for seat, key in case.referee.state.taken if key] == [ADA, BO]


@pytest.mark.parametrize("answer", [Unknown("the network is gone"), RecordError("the disk is full")])
@live
async def test_lines_of_the_setup_that_could_not_be_written_are_made_once(answer: Append | Exception) -> None:
    case = Case()
    case.posts.answers = [answer]
    made: list[Ruling[Any]] = []
    async with case.command_queue.lock:
        assert not await commit_anew(case.command_queue, case.referee, lambda: _noted(made, case))
    assert len(made) == 1
    assert case.command_queue.is_unwritten


@live
async def test_lines_of_the_setup_whose_answer_was_lost_are_in_the_record_once() -> None:
    case = Case()

    async def append(commit: Commit, _: Callable[[], None]) -> Append:
        case.store.append(commit)
        return Unknown("the network is gone")

    case.posts.append = append
    made: list[Ruling[Any]] = []
    async with case.command_queue.lock:
        assert await commit_anew(case.command_queue, case.referee, lambda: _noted(made, case))
    assert len(made) == 1
    assert case.store.head(case.referee.match).seq == case.referee.seq


def _noted(made: list[Ruling[Any]], case: Case) -> Ruling[Any]:
    made.append(ended(case.referee, START))
    return made[-1]


@live
async def test_an_id_that_another_server_accepted_while_time_was_kept_here_is_answered_alike() -> None:
    case = Case()
    other: Referee[Any] = Referee.open(case.referee.game, case.store, case.referee.match)
    message = case.message(ADA)
    note = Chosen(ADA, message.decision, message.id)
    ruling = other.choose(ADA, message.decision, Play(other.state.hands[ADA][0]), note, START + 500)

    def first() -> None:
        case.posts.before = lambda: None
        case.store.append(ruling.commit)

    case.posts.before = first
    case.due = [ended(case.referee, START)]
    answer = await case.command_queue.choose(ADA, message)
    assert answer == Accepted(message.id, case.seats.answers.line(ADA, "seat", message.id))
    assert "decided for seat" not in case.order


@live
async def test_a_line_is_there_where_the_store_has_it_and_else_it_is_not() -> None:
    case = Case()
    end = case.referee.seq
    other: Referee[Any] = Referee.open(case.referee.game, case.store, case.referee.match)
    case.command_queue._visible_head = Shown(case.referee)  # type: ignore[assignment]
    assert await case.command_queue.has_line(end)
    assert not await case.command_queue.has_line(end + 1)
    case.store.append(ended(other, START).commit)
    assert await case.command_queue.has_line(end + 1), "another server has appended it"
    assert not await case.command_queue.has_line(end + 2)
