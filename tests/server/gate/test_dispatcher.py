"""The clerk: what a message asks for is done for who may ask, and refused with a sentence to who may not."""

from types import SimpleNamespace
from typing import Any

import pytest

from domain.kernel import Seat
from projections.redaction import Viewer
from replay.store.memory import MemoryStore
from server.gate.dispatcher import Dispatcher
from server.operations.metrics import Meters
from server.table.errors import ChatRefused, GrantRefused
from server.table.guests import WATCHER, Guest
from server.wire.act_messages import Resign
from server.wire.protocol import Accepted, Chat, Choose, Error, Grant, ListGames, Need, Ping, Pong, Refused, Reveal
from tests.server.tabletop import live

ADA = Guest("seat", Viewer(Seat(0)))
CASTER = Guest("caster", Viewer(Seat(0)))


class Place:
    """A dispatcher of a guest, in a match that accepts every choice and act."""

    def __init__(self, guest: Guest = WATCHER, *, inside: bool = True) -> None:
        self.told: list[Any] = []
        self.asked: list[str] = []
        self.meters = Meters()
        stream: Any = SimpleNamespace(
            guest=guest,
            address="",
            who="s1",
            is_answered=False,
            expect_answer=lambda: None,
            speak=lambda _: None,
            answer=self.told.append,
        )
        lobby: Any = SimpleNamespace(
            meters=self.meters,
            listing=SimpleNamespace(games=lambda: "games"),
            chat_paces=SimpleNamespace(may=lambda _: False),
            store=MemoryStore(),
            safety=SimpleNamespace(),
        )
        command_queue = SimpleNamespace(choose=self._take, act=self._take)
        live_match: Any = SimpleNamespace(match="m", command_queue=command_queue) if inside else None
        self.dispatcher = Dispatcher(lobby, stream)
        self.dispatcher._live_match = live_match

    async def _take(self, seat: int, message: Any, *_: Any, **__: Any) -> Accepted | Refused:
        self.asked.append(f"{type(message).__name__} of seat {seat}")
        return Accepted(message.id, 9) if message.id == "yes" else Refused(message.id, "no", "No.")


@live
async def test_a_seats_choice_and_act_go_to_the_queue_and_are_counted() -> None:
    place = Place(ADA)
    await place.dispatcher.serve(Choose("yes", 1, 0))
    await place.dispatcher.serve(Resign("not"))
    assert place.asked == ["Choose of seat 0", "Resign of seat 0"]
    assert place.told == [Accepted("yes", 9), Refused("not", "no", "No.")]
    assert (place.meters.accepted, place.meters.refused["no"]) == (1, 1)


@pytest.mark.parametrize(
    ("guest", "inside", "code"),
    [(ADA, False, "no-match"), (WATCHER, True, "not-your-decision"), (CASTER, True, "not-your-decision")],
)
@live
async def test_who_holds_no_seat_does_not_choose(guest: Guest, inside: bool, code: str) -> None:
    place = Place(guest, inside=inside)
    await place.dispatcher.serve(Choose("yes", 1, 0))
    assert not place.asked
    assert [answer.code for answer in place.told] == [code]


@pytest.mark.parametrize("message", [Need(0), Chat("hello"), Reveal("")])
@live
async def test_who_is_in_no_match_is_told_to_say_hello(message: Any) -> None:
    place = Place(ADA, inside=False)
    await place.dispatcher.serve(message)
    assert place.told == [Error("no-match", "Say hello to a match first.")]


@pytest.mark.parametrize("guest", [WATCHER, CASTER])
@live
async def test_only_a_seat_lends_its_eyes_and_has_a_share_of_chance(guest: Guest) -> None:
    place = Place(guest)
    with pytest.raises(GrantRefused):
        await place.dispatcher.serve(Grant())
    await place.dispatcher.serve(Reveal(""))
    assert [answer.code for answer in place.told] == ["seat-refused"]


@live
async def test_a_caster_does_not_chat_and_nobody_too_fast() -> None:
    with pytest.raises(ChatRefused, match="Casters"):
        await Place(CASTER).dispatcher.serve(Chat("hello"))
    with pytest.raises(ChatRefused, match="too fast"):
        await Place(ADA).dispatcher.serve(Chat("hello"))


@live
async def test_what_the_lobby_knows_is_told_to_everybody() -> None:
    place = Place(inside=False)
    await place.dispatcher.serve(Ping(3))
    await place.dispatcher.serve(ListGames())
    assert place.told == [Pong(3), "games"]
