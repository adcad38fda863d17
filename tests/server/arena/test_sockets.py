"""Bots that come by websocket: they play as programs do, and lose a match for what programs lose it for."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from projections.plain import plain_face
from server.arena.bout import ContestSetting, Outcome, play_bout
from server.arena.errors import Forfeit
from server.arena.players import WEBSOCKET, Entrant
from server.arena.program import LINE_BYTES, ProgramLimits
from server.arena.schedule import bouts
from server.arena.sockets import WAITING, BotListener
from tests.skirmish.game import GAME

FACE = plain_face(GAME)
ENTRANTS = (Entrant("far", WEBSOCKET), Entrant("near", "random"))
PATIENT = ContestSetting("skirmish", {}, ENTRANTS, ProgramLimits(choice_s=9))
SHORT = ContestSetting("skirmish", {}, ENTRANTS, ProgramLimits(choice_s=0.5, start_s=0.5))
Does = Callable[[ClientConnection, dict[str, Any]], None]


@pytest.fixture
def listener() -> Iterator[BotListener]:
    with BotListener(["far"], "127.0.0.1", 0) as found:
        yield found


@pytest.fixture
def two() -> Iterator[BotListener]:
    with BotListener(["far", "other"], "127.0.0.1", 0, "the same secret") as found:
        yield found


def plays(connection: ClientConnection, told: dict[str, Any]) -> None:
    """What a bot does with a line."""
    if told["t"] == "hello":
        connection.send(json.dumps({"t": "hello", "wants": ["events"]}))
    if told["t"] == "ask":
        field = told["field"]
        choice = (
            field["options"][0]["id"]
            if field["type"] == "one"
            else [part["id"] for part in field["items"]][: field["min"]]
        )
        connection.send(json.dumps({"t": "choose", "decision": told["decision"], "choice": choice}))


@contextmanager
def bot(url: str, does: Does = plays) -> Iterator[list[str]]:
    """A bot that comes; what it was told."""
    told: list[str] = []

    def listen(connection: ClientConnection) -> None:
        try:
            for line in connection:
                told.append(json.loads(line)["t"])
                does(connection, json.loads(line))
        except ConnectionClosed:
            return

    with connect(url, compression=None) as connection:
        thread = threading.Thread(target=listen, args=(connection,), daemon=True)
        thread.start()
        yield told
    thread.join(120)


def played(listener: BotListener, matches: int = 1, setting: ContestSetting = PATIENT) -> list[Outcome]:
    return [play_bout(FACE, setting, bout, listener=listener) for bout in list(bouts(1, 9, 2, [(0,), (1,)]))[:matches]]


def test_a_connection_plays_one_match_after_another(listener: BotListener) -> None:
    with bot(listener.url("far")) as told:
        listener.gather()
        outcomes = played(listener, 3)
    assert [outcome.faults for outcome in outcomes] == [()] * 3
    assert all(outcome.places for outcome in outcomes)
    assert (told.count("hello"), told.count("over")) == (3, 3)
    assert "events" in told
    assert all(outcome.thought_s[outcome.seats.index(0)] > 0 for outcome in outcomes)


def _silent(connection: ClientConnection, told: dict[str, Any]) -> None:
    if told["t"] == "hello":
        plays(connection, told)


def _wrong(connection: ClientConnection, told: dict[str, Any]) -> None:
    connection.send(json.dumps({"t": "choose", "decision": told["decision"], "choice": "x"}))


def _long(connection: ClientConnection, told: dict[str, Any]) -> None:
    del told
    connection.send("x" * (LINE_BYTES + 1))


def _flooding(connection: ClientConnection, told: dict[str, Any]) -> None:
    plays(connection, told)
    for _ in range(2000):
        connection.send("{}")


def _gone(connection: ClientConnection, told: dict[str, Any]) -> None:
    del told
    connection.close()


def _binary(connection: ClientConnection, told: dict[str, Any]) -> None:
    del told
    connection.send(b"{}")


@pytest.mark.parametrize(("does", "why"), [
    (_silent, "it took longer than 0.5 s"),
    (_wrong, "is no choice"),
    (_long, "its connection ended: sent 1009"),
    (_flooding, "it spoke unasked|it said what is no message"),
    (_gone, "its connection ended"),
    (_binary, "it sent a frame that is no text"),
])  # fmt: skip
def test_what_breaks_the_rules_loses_the_match_and_the_connection(listener: BotListener, does: Does, why: str) -> None:
    def act(connection: ClientConnection, told: dict[str, Any]) -> None:
        (does if told["t"] == "ask" else plays)(connection, told)

    with bot(listener.url("far"), act):
        listener.gather()
        setting = SHORT if does is _silent else PATIENT
        (first,) = played(listener, 1, setting)
    assert re.search(why, first.faults[0].why)
    assert 0 not in [first.seats[seat] for seat in first.places[0]]
    (second,) = played(listener, 1, SHORT)
    assert [fault.why for fault in second.faults] == ["it was not connected for 0.5 s"]


def test_a_bot_that_reads_nothing_is_waited_for_no_longer(listener: BotListener) -> None:
    with connect(listener.url("far"), max_queue=1, max_size=None, close_timeout=0.1):
        seat = listener.seat("far", 1)
        for _ in range(60):
            seat.say({"t": "events", "events": ["x" * 1_000_000]})
        begun = time.monotonic()
        with pytest.raises(Forfeit, match="took longer"):
            seat.ask({"t": "ask"}, 0.3)
        assert time.monotonic() - begun < 20


def test_one_that_comes_again_plays_on(listener: BotListener) -> None:
    with bot(listener.url("far"), _wrong_after_hello):
        listener.gather()
        assert played(listener)[0].faults
    with bot(listener.url("far")):
        assert not played(listener)[0].faults


def _wrong_after_hello(connection: ClientConnection, told: dict[str, Any]) -> None:
    (_wrong if told["t"] == "ask" else plays)(connection, told)


@pytest.mark.parametrize("change", [("key=", "key=x"), ("/far", "/near")])
def test_who_does_not_know_the_key_or_takes_no_part_is_refused(listener: BotListener, change: tuple[str, str]) -> None:
    with pytest.raises(InvalidStatus, match="403"), connect(listener.url("far").replace(*change)):
        pass


def test_the_key_of_one_name_opens_no_other(two: BotListener) -> None:
    for name, other in (("far", "other"), ("other", "far")):
        with pytest.raises(InvalidStatus, match="403"), connect(two.url(name).replace(f"/{name}?", f"/{other}?")):
            pass
        with connect(two.url(name)):
            pass


def test_who_knows_a_key_does_not_know_the_secret_and_the_same_secret_gives_the_same_keys(two: BotListener) -> None:
    with BotListener(["far"], "127.0.0.1", 0, "the same secret") as again:
        key = again.url("far").partition("key=")[2]
        assert two.url("far").endswith(key)
        with pytest.raises(InvalidStatus, match="403"), connect(two.url("far").replace(key, "the%20same%20secret")):
            pass
    with BotListener(["far"], "127.0.0.1", 0) as made_up:
        assert not two.url("far").endswith(made_up.url("far").partition("key=")[2])


def test_no_more_wait_than_may(listener: BotListener) -> None:
    with ExitStack() as waiting:
        for _ in range(WAITING):
            waiting.enter_context(connect(listener.url("far")))
        until = time.monotonic() + 10
        while len(listener._waiting["far"]) < WAITING and time.monotonic() < until:
            time.sleep(0.01)
        with pytest.raises(InvalidStatus, match="503"), connect(listener.url("far")):
            pass
    with bot(listener.url("far")):
        assert not played(listener)[0].faults
