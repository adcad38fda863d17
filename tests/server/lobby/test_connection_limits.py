"""Places are counted; where they run out, spectators go before seats."""

import asyncio
import time
from contextlib import nullcontext
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.gate.session import Session
from server.lobby.connection_limits import ConnectionLimits, is_local
from server.lobby.errors import ServerFull, TooOften
from server.lobby.lobby import Lobby
from server.operations.settings import Limits, networks
from server.table.guests import WATCHER, Guest, Role
from server.wire.client import Client, connected
from server.wire.protocol import Create, Error, HeldSeat, Hello, ListTurns, Ping, Pong, Turns, Welcome
from tests.server.gate.session import Tap, gone
from tests.server.tabletop import FACES, TWO_PEOPLE, Table, live, play_out, table
from tests.skirmish.game import GAME


class Somebody:
    """A connection that only counts."""

    def __init__(self, address: str = "", *, waits: int = 0) -> None:
        self.guest = WATCHER
        self.address = address
        self.waits = waits
        self.codes: list[int] = []

    def dismiss(self, code: int) -> None:
        self.codes.append(code)

    def waiting(self) -> int:
        return self.waits


def guest(role: Role, seat: int = 0) -> Guest:
    return Guest(role, SPECTATOR if role == "spectator" else Viewer(Seat(seat)))


def entered(admission: ConnectionLimits, role: Role, match: str = "m", *, waits: int = 0) -> Somebody:
    one = Somebody(waits=waits)
    admission.arrive(one)
    admission.enter(one, guest(role), match)
    one.guest = guest(role)
    return one


def test_for_a_seat_the_last_spectator_goes_and_for_a_spectator_nobody() -> None:
    admission = ConnectionLimits(Limits(connections=3))
    seat, first, second = (entered(admission, role) for role in ("seat", "spectator", "spectator"))
    with pytest.raises(ServerFull):
        entered(admission, "spectator")
    with pytest.raises(ServerFull):
        entered(admission, "caster")
    entered(admission, "seat")
    assert (seat.codes, first.codes, second.codes) == ([], [], [4013])
    entered(admission, "seat")
    assert first.codes == [4013]
    with pytest.raises(ServerFull):
        entered(admission, "seat")
    assert seat.codes == []
    assert admission.counts["seat"] == 3


def test_casters_go_after_spectators_and_before_seats() -> None:
    admission = ConnectionLimits(Limits(connections=2))
    caster, spectator = entered(admission, "caster"), entered(admission, "spectator")
    entered(admission, "seat")
    assert (caster.codes, spectator.codes) == ([], [4013])
    entered(admission, "seat")
    assert caster.codes == [4013]


@pytest.mark.parametrize("limits", [Limits(spectators=2), Limits(spectators_per_match=2)])
def test_spectators_have_limits_that_seats_do_not_count_for(limits: Limits) -> None:
    admission = ConnectionLimits(limits)
    roles: tuple[Role, ...] = ("seat", "spectator", "spectator", "seat")
    for role in roles:
        last = entered(admission, role)
    with pytest.raises(ServerFull):
        entered(admission, "spectator")
    admission.leave(last)
    with pytest.raises(ServerFull):
        entered(admission, "spectator")


def test_a_place_that_is_left_is_free_again() -> None:
    admission = ConnectionLimits(Limits(connections=1, strangers=2))
    for _ in range(5):
        admission.leave(entered(admission, "spectator"))
    assert set(admission.counts.values()) == {0}


def test_a_member_that_changes_its_match_is_counted_once() -> None:
    admission = ConnectionLimits(Limits(spectators_per_match=1))
    one = entered(admission, "spectator", "m")
    for match in ("n", "m", "m"):
        admission.enter(one, one.guest, match)
    assert admission.counts["spectator"] == 1
    with pytest.raises(ServerFull):
        entered(admission, "spectator", "m")
    entered(admission, "spectator", "n")


def test_strangers_are_limited_so_that_they_keep_nobody_out() -> None:
    admission = ConnectionLimits(Limits(strangers=2))
    first, second, third, fourth = (Somebody() for _ in range(4))
    admission.arrive(first)
    admission.arrive(second)
    admission.arrive(third)
    assert (first.codes, second.codes, third.codes) == ([4013], [], [])
    assert (admission.counts["stranger"], admission.shed) == (2, 1)
    admission.leave(first)
    admission.enter(second, guest("seat"), "m")
    admission.arrive(fourth)
    assert (second.codes, third.codes) == ([], [])
    admission.arrive(Somebody())
    assert (second.codes, third.codes, fourth.codes) == ([], [4013], [])


def test_who_has_had_its_addresss_share_sends_no_stranger_away() -> None:
    admission = ConnectionLimits(Limits(strangers=2, connections_per_address=1))
    first, second = Somebody("203.0.113.7"), Somebody("203.0.113.8")
    admission.arrive(first)
    admission.arrive(second)
    with pytest.raises(ServerFull):
        admission.arrive(Somebody("203.0.113.8"))
    assert (first.codes, second.codes) == ([], [])


def test_who_is_sent_away_for_want_of_a_place_is_counted_once() -> None:
    admission = ConnectionLimits(Limits(spectators=1, strangers=1))
    entered(admission, "spectator")
    late = Somebody()
    admission.arrive(late)
    with pytest.raises(ServerFull):
        admission.enter(late, guest("spectator"), "m")
    admission.arrive(Somebody())
    assert (admission.shed, late.codes) == (1, [])
    admission.leave(late)
    assert admission.counts["stranger"] == 1


@pytest.mark.parametrize(
    ("address", "counted"), [("203.0.113.7", True), ("127.0.0.1", False), ("::1", False), ("", False)]
)
def test_an_address_has_its_share_and_this_machine_is_not_counted(address: str, counted: bool) -> None:
    admission = ConnectionLimits(Limits(connections_per_address=2, strangers=5))
    for _ in range(2):
        admission.arrive(Somebody(address))
    with pytest.raises(ServerFull) if counted else nullcontext():
        admission.arrive(Somebody(address))
    assert admission.counts["stranger"] == (2 if counted else 3)


def test_an_address_creates_matches_at_a_pace() -> None:
    admission = ConnectionLimits(Limits(creations_per_minute=2))
    for _ in range(2):
        admission.assert_may_create("203.0.113.7")
    with pytest.raises(TooOften):
        admission.assert_may_create("203.0.113.7")
    admission.assert_may_create("203.0.113.8")


def test_what_another_process_has_let_go_counts_here_too() -> None:
    here, there = ConnectionLimits(Limits(creations_per_minute=2)), ConnectionLimits(Limits(creations_per_minute=2))
    here.tell_through(there.heard)
    for _ in range(2):
        here.assert_may_create("203.0.113.7")
    with pytest.raises(TooOften):
        there.assert_may_create("203.0.113.7")
    there.assert_may_create("203.0.113.8")
    assert all(there.may_replay("203.0.113.7") for _ in range(60)), "each has its own pace"


def test_a_token_that_opens_nothing_counts_by_address_and_by_match_in_every_process() -> None:
    limits = Limits(wrong_tokens_per_minute=1, wrong_token_s=3.0)
    here, there, far = (ConnectionLimits(limits) for _ in range(3))
    here.tell_through(there.heard)
    assert here.wrong_token("203.0.113.7", "one") == 0.0
    assert there.wrong_token("203.0.113.7", "two") == 3.0
    assert there.wrong_token("203.0.113.8", "one") == 3.0
    assert far.wrong_token("203.0.113.8", "one") == 0.0


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_this_machine_creates_matches_at_a_pace_unless_a_proxy_on_it_was_named(address: str) -> None:
    alone, proxied = ConnectionLimits(Limits(creations_per_minute=2)), ConnectionLimits(Limits(creations_per_minute=2))
    proxied.is_proxied = True
    for _ in range(2):
        alone.assert_may_create(address)
        proxied.assert_may_create(address)
    with pytest.raises(TooOften):
        alone.assert_may_create(address)
    proxied.assert_may_create(address)


def test_where_too_much_waits_strangers_are_shed_before_spectators_and_seats() -> None:
    admission = ConnectionLimits(Limits(all_waiting_bytes=5000))
    seat, spectator = entered(admission, "seat", waits=3000), entered(admission, "spectator", waits=2000)
    slow, slower = Somebody(waits=500), Somebody(waits=1000)
    admission.arrive(slow)
    admission.arrive(slower)
    assert admission.relieve() == 2
    assert [one.codes for one in (seat, spectator, slow, slower)] == [[], [], [4013], [4013]]
    assert admission.relieve() == 0
    seat.waits += 1
    assert admission.relieve() == 1
    assert [one.codes for one in (seat, spectator, slow)] == [[], [4013], [4013]]


def test_where_too_much_waits_spectators_are_shed_the_slowest_first_and_seats_last() -> None:
    admission = ConnectionLimits(Limits(all_waiting_bytes=5000))
    seat = entered(admission, "seat", waits=4000)
    slow, slower, quick = (entered(admission, "spectator", waits=waits) for waits in (2000, 3000, 0))
    assert admission.relieve() == 2
    assert [one.codes for one in (seat, slow, slower, quick)] == [[], [4013], [4013], []]
    seat.waits = 6000
    assert admission.relieve() == 1
    assert seat.codes == [4013]


@pytest.mark.parametrize(
    ("address", "local"), [("127.0.0.1", True), ("127.9.9.9", True), ("10.0.0.1", False), ("2001:db8::1", False)]
)
def test_only_this_machines_addresses_are_local(address: str, local: bool) -> None:
    assert is_local(address) is local


async def code_of(client: Client) -> int:
    with pytest.raises(ConnectionClosedError) as closed:
        await client.expect(Pong)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@live
async def test_a_full_server_sends_a_spectator_away_for_a_seat_and_the_match_goes_on() -> None:
    async with table(limits=Limits(connections=2)) as at:
        created = await at.create()
        watcher = await at.spectator(created)
        ada = await at.player(created, 0)
        bo = await at.player(created, 1)
        assert await code_of(watcher.client) == 4013
        late = await at.client()
        await late.send(Hello(created.match, "", "spectator"))
        assert await code_of(late) == 4013
        await play_out([ada, bo], 1)
        assert at.store.header(created.match).status == "finished"


@live
async def test_who_holds_a_seat_gets_in_though_idle_strangers_have_every_place() -> None:
    async with table(limits=Limits(strangers=3)) as at:
        created = await at.create()
        strangers = [await at.client() for _ in range(3)]
        for one in strangers:
            assert isinstance(await one.ask(Ping(1), Pong), Pong)
        holder = await at.client()
        welcome = await holder.ask(Hello(created.match, created.tokens["0"]), Welcome)
        assert welcome.viewer.seat == 0
        assert await code_of(strangers[0]) == 4013
        for one in strangers[1:]:
            assert isinstance(await one.ask(Ping(2), Pong), Pong)


@live
async def test_who_is_sent_away_while_its_match_is_folded_takes_no_place() -> None:
    async with table(limits=Limits(strangers=1)) as at:
        created = await at.create()
        (admit, folding, folded) = (at.lobby.entry.admit, asyncio.Event(), asyncio.Event())

        async def slowly(hello: Hello) -> Any:
            found = await admit(hello)
            folding.set()
            await folded.wait()
            return found

        at.lobby.entry.admit = slowly  # type: ignore[method-assign]
        first, task = await session_from(at, "203.0.113.7")
        first.put(Hello(created.match, created.tokens["0"]))
        await folding.wait()
        second, other = await session_from(at, "203.0.113.8")
        while first.closed is None:
            await asyncio.sleep(0.001)
        folded.set()
        await gone(first, task)
        assert (first.closed[0], first.kinds()) == (4013, [])
        assert at.lobby.connection_limits.counts == {"seat": 0, "caster": 0, "spectator": 0, "stranger": 1}
        await gone(second, other)


@live
async def test_wrong_tokens_close_the_connection_with_4003() -> None:
    async with table(limits=Limits(refused_entries=3)) as at:
        created = await at.create()
        client = await at.client()
        for n in range(3):
            await client.send(Hello(created.match, f"wrong{n}"))
        assert [type(await client.receive()) for _ in range(3)] == [Error] * 3
        assert await code_of(client) == 4003


async def session_from(at: Table, address: str) -> tuple[Tap, "asyncio.Task[None]"]:
    tap = Tap()
    return tap, asyncio.create_task(Session(at.lobby, tap, address).run())


@live
async def test_matches_are_created_from_one_address_at_a_pace() -> None:
    async with table(limits=Limits(creations_per_minute=1)) as at:
        tap, task = await session_from(at, "203.0.113.7")
        for _ in range(2):
            tap.put(Create(GAME.name, TWO_PEOPLE))
        while len(tap.frames) < 2:
            await asyncio.sleep(0.001)
        assert tap.kinds() == ["created", "error"]
        assert '"too-often"' in tap.frames[1]
        await gone(tap, task)


@pytest.mark.parametrize(
    ("proxies", "codes"), [((), ["error"]), (("127.0.0.1",), ["created"]), (("10.0.0.0/8",), ["error"])]
)
def test_matches_are_created_from_this_machine_at_a_pace_unless_its_proxy_is_named(
    proxies: tuple[str, ...], codes: list[str]
) -> None:
    @live
    async def create() -> None:
        lobby = Lobby(MemoryStore(), FACES, limits=Limits(creations_per_minute=1))
        async with running(lobby, proxies=networks(proxies)) as server, connected(url_of(server)) as client:
            for _ in range(2):
                await client.send(Create(GAME.name, TWO_PEOPLE))
            told: list[Any] = [await client.receive() for _ in range(2)]
        assert [message.__struct_config__.tag for message in told] == ["created", *codes]

    create()


def url_of(server: Any) -> str:
    return f"ws://127.0.0.1:{port_of(server)}/ws"


def listening(at: Table, created: Any) -> int:
    return len(list(at.lobby.registry.live_match(created.match).connections))


@live
async def test_who_is_sent_away_hears_nothing_more() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        await client.ask(Hello(created.match, "", "spectator"), Welcome)
        (listener,) = at.lobby.registry.live_match(created.match).connections
        listener.dismiss(4013)
        listener.send('{"t":"pong","n":1}')
        assert await code_of(client) == 4013
        while listening(at, created):
            await asyncio.sleep(0.001)


def test_wrong_tokens_are_slowed_per_address_and_per_match() -> None:
    limits = Limits(wrong_tokens_per_minute=3, wrong_token_s=0.25)
    far, near = ConnectionLimits(limits), ConnectionLimits(limits)
    assert [far.wrong_token("192.0.2.1", f"m{i}") for i in range(4)] == [0, 0, 0, 0.25]
    assert far.wrong_token("192.0.2.2", "other") == 0
    assert [near.wrong_token(f"192.0.2.{i}", "one") for i in range(4)] == [0, 0, 0, 0.25]
    assert [near.wrong_token("127.0.0.1", f"own{i}") for i in range(9)] == [0] * 9


@live
async def test_tokens_guessed_in_a_list_of_the_own_matches_are_as_slow_as_in_a_hello() -> None:
    limits = Limits(wrong_tokens_per_minute=2, wrong_token_s=0.1)
    async with table(limits=limits) as at:
        created = await at.create()
        guesser, holder = await at.client(), await at.client()
        begun = time.monotonic()
        guesses = tuple(HeldSeat(created.match, f"guess{guess}") for guess in range(6))
        await guesser.ask(ListTurns(guesses), Turns)
        assert time.monotonic() - begun >= 0.4
        turns = await holder.ask(ListTurns((HeldSeat(created.match, created.tokens["0"]),)), Turns)
        assert [turn.match for turn in turns.turns] == [created.match]


@live
async def test_who_guesses_waits_for_each_answer_and_who_has_the_token_does_not() -> None:
    limits = Limits(wrong_tokens_per_minute=2, wrong_token_s=0.3, refused_entries=10)
    async with table(limits=limits) as at:
        created = await at.create()
        guesser, holder = await at.client(), await at.client()
        begun = time.monotonic()
        for guess in range(4):
            await guesser.send(Hello(created.match, f"guess{guess}"))
            answer = await guesser.receive()
            assert isinstance(answer, Error)
            assert answer.code == "not-admitted"
        assert time.monotonic() - begun >= 0.6
        await guesser.send(Hello(created.match, "guess"))
        await holder.ask(Hello(created.match, created.tokens["0"]), Welcome)
