"""The bench: what a choice, an act or the hour comes to, and that nothing is changed by it."""

from typing import Any

import pytest

from domain.kernel import (
    Chosen,
    Draw,
    NotAChoice,
    NotOffered,
    NotPending,
    NotYours,
    Offered,
    RulesChanged,
    Seat,
    TimeControl,
    TimeRanOut,
)
from replay.record.errors import RulesNewer
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.table.decider import Decider
from server.table.table_state import TableState
from server.wire.act_messages import Offer, Resign
from server.wire.errors import PastAsked
from server.wire.protocol import Choose
from tests.replay.matches import START, begun
from tests.server.table.standins import StillTime
from tests.server.tabletop import live

ADA = Seat(0)


def bench_of() -> tuple[Referee[Any], Decider[Any]]:
    store = MemoryStore()
    referee: Referee[Any] = begun(store, kind="person")
    return referee, Decider(referee, TableState(referee, StillTime(START + 1000)), store)


@live
async def test_an_option_is_chosen_by_its_number_or_in_full() -> None:
    referee, decider = bench_of()
    asked = referee.state.asked[0]
    first = min(referee.state.hands[ADA])
    by_number = await decider.decide(ADA, Choose("a", asked.number, 0), "seat")
    in_full = await decider.decide(ADA, Choose("a", asked.number, {"do": "Play", "card": first}), "seat")
    assert by_number.events == in_full.events
    assert isinstance(by_number.events[0], Chosen)
    assert by_number.events[0].by == "seat"
    assert referee.seq == by_number.commit.expected, "nothing has happened yet"


@pytest.mark.parametrize("answer", ["x", "00", None, [1, [2]], {"do": "Fly"}, {"do": "Play"}, 10**400])
@live
async def test_an_answer_that_does_not_fit_is_refused_with_a_sentence(answer: Any) -> None:
    referee, decider = bench_of()
    with pytest.raises(NotAChoice) as wrong:
        await decider.decide(ADA, Choose("a", referee.state.asked[0].number, answer), "seat")
    assert wrong.value.why.endswith(".")


@pytest.mark.parametrize("answer", [99, -1, "99"])
@live
async def test_a_number_that_is_no_options_is_not_offered_and_names_the_rule(answer: int | str) -> None:
    referee, decider = bench_of()
    asked = referee.state.asked[0]
    with pytest.raises(NotOffered, match=rf"There is no option {answer}; there are 0 to \d+\.") as wrong:
        await decider.decide(ADA, Choose("a", asked.number, answer), "seat")
    assert wrong.value.rule == referee.game.revive_decision(asked).rule


@live
async def test_a_decision_is_its_seats_and_open() -> None:
    referee, decider = bench_of()
    first, second = (asked.number for asked in referee.state.asked)
    with pytest.raises(NotYours):
        await decider.decide(ADA, Choose("a", second, 0), "seat")
    with pytest.raises(NotPending):
        await decider.decide(ADA, Choose("a", first - 1, 0), "seat")


@live
async def test_where_the_rules_were_mended_the_match_goes_on_under_the_new_ones_first() -> None:
    referee, decider = bench_of()
    referee._writer.rules = "skirmish/0"
    ruling = await decider.decide(ADA, Choose("a", referee.state.asked[0].number, 0), "seat")
    assert [type(event) for event in ruling.events] == [RulesChanged]


@live
async def test_a_match_under_newer_rules_is_left_to_a_server_of_a_later_version() -> None:
    referee, decider = bench_of()
    referee._writer.rules = "skirmish/2"
    with pytest.raises(RulesNewer, match=r"under the rules skirmish/2, and this server has skirmish/1") as wrong:
        await decider.decide(ADA, Choose("a", referee.state.asked[0].number, 0), "seat")
    assert wrong.value.code == "try-again"
    with pytest.raises(RulesNewer):
        await decider.judge(ADA, Resign("b"))


@live
async def test_an_act_that_asks_for_the_past_is_judged_anew_where_the_match_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, decider = bench_of()

    def past(*_: Any, **__: Any) -> Any:
        raise PastAsked

    def changed(referee: Referee[Any], *_: Any) -> Any:
        ruling = referee.act(Offered(Seat(1), "d", number=1, terms=Draw()), START)
        referee.accept(ruling)
        return ruling

    plain = await decider.judge(ADA, Resign("r"))
    assert plain is not None
    monkeypatch.setattr("server.table.decider.unread", past)
    monkeypatch.setattr("server.table.decider.act_on_past", changed)
    monkeypatch.setattr(Decider, "_act", past)
    assert await decider.judge(ADA, Offer("o", Draw())) is None


@pytest.mark.parametrize(("later_ms", "is_due"), [(59_999, False), (60_000, True)])
def test_the_hour_is_put_down_once_it_has_struck(later_ms: int, *, is_due: bool) -> None:
    store = MemoryStore()
    referee: Referee[Any] = begun(store, control=TimeControl("bank", 60_000, on_timeout="default"), kind="person")
    time = StillTime(referee.at)
    decider = Decider(referee, TableState(referee, time), store)
    time.at += later_ms
    ruling = decider.due()
    assert (ruling is not None and isinstance(ruling.events[0], TimeRanOut)) is is_due
