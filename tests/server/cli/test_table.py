"""What one types at the table beside answers."""

from typing import Any

import pytest
from msgspec import Struct

from domain.kernel import Abandon, Draw, GoOn, OfferTerms, Pause, Replace, Seat, TakeBack, TimeControl
from server.cli.errors import Unclear
from server.cli.table import Side, shown
from server.wire.act_messages import Agree, Claim, Decline, Offer, Resign, Vacation
from server.wire.protocol import ClockInfo, OfferInfo, TableInfo

ADA = Seat(0)


class View(Struct):
    players: tuple[str, str] = ("Ada", "")


def side(*offers: OfferInfo, **clocks: ClockInfo) -> Side:
    made = Side()
    made.tabled(TableInfo(TimeControl("bank", 60_000), offers=offers))
    made.clocked({int(name[1:]): clock for name, clock in clocks.items()})
    return made


def test_whose_share_of_chance_is_waited_for_is_said_with_the_seconds_left(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((*[100.0] * 4, 117.2, 117.2, 200.0, 300.0))
    monkeypatch.setattr("server.cli.table.time.monotonic", lambda: next(clock))
    at = side()
    assert at.waits(View()) == ""
    at.tabled(TableInfo(reveal=(0, 1), reveal_ms=60_000))
    said = "The match waits for Ada and Seat 2 to reveal a share of chance: {} s more, then it is void."
    assert at.waits(View()) == said.format(42)
    assert at.waits(View()) == said.format(42)
    assert at.waits(View()) == said.format(0)
    at.tabled(TableInfo(reveal=(1,)))
    assert at.waits(View(), ADA) == "The match waits for Seat 2 to reveal a share of chance."
    assert at.waits(View(), Seat(1)) == "", "its own is given at once"


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("draw", Draw()),
        ("Abandon", Abandon()),
        ("back", TakeBack()),
        ("go on", GoOn()),
        ("pause 10m", Pause(600_000)),
        ("bot", Replace(ADA)),
        ("bot steady", Replace(ADA, "steady")),
        ("bot 2", Replace(Seat(1))),
        ("bot steady 2", Replace(Seat(1), "steady")),
        ("bot steady 1", Replace(ADA, "steady")),
    ],
)
def test_offers_are_typed(typed: str, terms: OfferTerms) -> None:
    message = side().message(typed, ADA, None)
    assert isinstance(message, Offer)
    assert message.terms == terms


@pytest.mark.parametrize(("typed", "days"), [("vacation 0", 0), ("vacation 24h", 1), ("vacation 3d", 3)])
def test_a_vacation_is_of_whole_days(typed: str, days: int) -> None:
    message = side().message(typed, ADA, None)
    assert isinstance(message, Vacation)
    assert message.days == days


def test_other_acts_are_typed() -> None:
    offer = OfferInfo(4, 1, Draw(), (), (0,))
    kinds: list[Any] = [
        (side(offer).message("yes", ADA, None), Agree),
        (side(offer).message("no", ADA, None), Decline),
        (side(OfferInfo(4, 0, Draw(), (), (1,))).message("no", ADA, None), Decline),
        (side().message("claim", ADA, 1), Claim),
        (side().message("vacation 3d", ADA, None), Vacation),
        (side().message("vacation 0", ADA, None), Vacation),
        (side().message("resign yes", ADA, None), Resign),
    ]
    assert all(isinstance(message, kind) for message, kind in kinds)


@pytest.mark.parametrize("typed", ["", "3", "1=2", "draw 5", "hello", "go"])
def test_anything_else_is_an_answer(typed: str) -> None:
    assert side().message(typed, ADA, None) is None


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("resign", "resign yes"),
        ("pause", "pause 10m"),
        ("pause long", "pause 10m"),
        ("vacation", "vacation 3d"),
        ("vacation 12h", "whole days"),
        ("vacation 0d", "whole days"),
        ("bot steady random", "bot random 2"),
        ("bot steady 0", "bot random 2"),
        ("bot 1 2", "bot random 2"),
        ("yes", "Nothing is offered"),
        ("no", "Nothing is offered"),
        ("claim", "Nobody is away"),
    ],
)
def test_half_an_order_says_what_to_type(typed: str, why: str) -> None:
    with pytest.raises(Unclear, match=why):
        side().message(typed, ADA, None)


def test_clocks_stand_in_one_line() -> None:
    told = side(_0=ClockInfo(65_000, run=True), _1=ClockInfo(3_600_000, away_ms=5))
    line = told.clocks(View())
    assert line.startswith("Ada 1:0")
    assert line.endswith(" and running   Seat 2 1:00:00, on vacation")
    assert side().clocks(View()) == ""
    assert "1 minute for the match" in side().control()


def test_news_replace_what_was_told() -> None:
    told = side(_0=ClockInfo(65_000))
    table = TableInfo(offers=(OfferInfo(1, 1, Draw(), (), (0,)),))
    told.clocked({0: ClockInfo(5_000)})
    told.tabled(table)
    assert told.clocks(View()) == "Ada 0:05"
    assert told.asked(View(), ADA) == "Seat 2 offers a draw. Type yes or no."
    assert told.asked(View(), ADA)
    told.tabled(TableInfo())
    assert told.asked(View(), ADA) == ""


def test_time_is_shown_as_on_a_clock() -> None:
    assert [shown(ms) for ms in (0, 59_999, 600_000, 3_661_000, 200_000_000)] == [
        "0:00",
        "0:59",
        "10:00",
        "1:01:01",
        "2 d 7 h",
    ]
