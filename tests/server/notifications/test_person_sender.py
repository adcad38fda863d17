"""Whatever server looks first tells each move once; another goes on where one was killed; nothing hidden is told."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import to_builtins

from replay.store.memory import MemoryStore
from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.notices import ChannelRow, WaitRow
from replay.store.side_tables.people import NameRow, OwnSeatRow
from replay.store.store import Store
from server.notifications import person_sender
from server.notifications.channel_posts import ChannelPosts
from server.notifications.mail import FAILED, GONE, OK, Mailer
from server.notifications.own_moves import OwnMove, own_moves
from server.notifications.person_hooks import HookDetails, written
from server.notifications.person_sender import DELAYS_MS, FORGOTTEN, PersonSender
from server.notifications.quiet import DAY_MS, HOUR_MS, Quiet
from server.operations.intervals import INTERVALS
from server.operations.settings import NoticeSettings
from server.webhooks.delivery import Notice
from tests.replay.store.stored import POSTGRES, store_of
from tests.server.notifications.slow_play import begun
from tests.server.tabletop import Table, live, table

HOOKS = NoticeSettings(webhooks=True)


class Posts(ChannelPosts):
    """Keeps what is told. `outcomes`: of the next attempts; `most`: moves that an attempt tells; `stalls`: an attempt
    that never ends, as of a killed server."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        super().__init__(store, HOOKS, now)
        self.told: list[tuple[str, str, tuple[str, ...]]] = []
        self.outcomes: list[int] = []
        self.stalls = False
        self.most: int | None = None

    async def tell(
        self, row: ChannelRow, quiet: Quiet, moves: Sequence[OwnMove], name: str
    ) -> tuple[int, Sequence[OwnMove]]:
        """Keep it."""
        del quiet
        self.told.append((row.person, name, tuple(move.wait.match for move in moves)))
        if self.stalls:
            await asyncio.Event().wait()
        outcome = self.outcomes.pop(0) if self.outcomes else OK
        return outcome, moves[: self.most] if outcome == OK or self.most else ()


class Club:
    """Persons with a channel each, a store, and a clock."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch, persons: int = 1, kind: str = "hook") -> None:
        self.store, self.at = store, 1_000_000
        self.persons = [f"p{number:02}" for number in range(persons)]
        for person in self.persons:
            name = NameRow(person, person, person, 1)
            assert store.people.sign_up(name, DeviceRow(person, person, "phone", 1, 1), person.encode())
            assert store.notices.put(ChannelRow(person, kind, kind, "x", "{}", 1, 1), 9)
        monkeypatch.setattr(person_sender, "own_moves", self._own_moves)
        self.over: set[str] = set()

    def _own_moves(self, _store: Store, _person: str, waits: Sequence[WaitRow]) -> tuple[list[OwnMove], list[WaitRow]]:
        live = [OwnMove(wait, None, None) for wait in waits if wait.match not in self.over]  # type: ignore[arg-type]
        return live, [wait for wait in waits if wait.match in self.over]

    def server(self) -> tuple[PersonSender, Posts]:
        """A server over the store."""
        posts = Posts(self.store, lambda: self.at)
        return PersonSender(self.store, posts, lambda: self.at), posts

    def wait(self, match: str = "m1", decision: int = 1) -> None:
        """A move waits for everybody."""
        self.store.notices.wait(self.persons, WaitRow(match, 0, decision, "Sunday", self.at, 0), self.at)


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(request, tmp_path)
    yield made
    made.close()


@live
async def test_of_three_servers_exactly_one_tells_each_person(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(store, monkeypatch, persons=30)
    servers = [club.server() for _ in range(3)]
    club.wait()

    async def look() -> None:
        await asyncio.gather(*(sender.look() for sender, _ in servers))

    await look()
    told = [person for _, posts in servers for person, _, _ in posts.told]
    assert sorted(told) == club.persons
    club.wait()
    await look()
    assert sum(len(posts.told) for _, posts in servers) == 30


@live
async def test_a_server_that_is_killed_as_it_tells_leaves_it_to_another_under_its_id(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(store, monkeypatch)
    (killed, its), (other, others) = club.server(), club.server()
    its.stalls = True
    club.wait()

    async def killed_in_between() -> None:
        task = asyncio.create_task(killed.look())
        while not its.told:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    await killed_in_between()
    club.at += INTERVALS.taken_ms - 1
    await other.look()
    assert others.told == []
    club.at += 1
    await other.look()
    assert others.told == its.told
    await other.look()
    assert len(others.told) == 1


@live
async def test_a_start_tells_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    club.wait()
    await sender.look()
    for _ in range(3):
        again, more = club.server()
        club.wait()
        club.at += DAY_MS
        await again.look()
        assert more.told == []
    assert len(posts.told) == 1


@live
async def test_a_failed_attempt_is_made_again_later_and_later_under_one_id(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    posts.outcomes = [FAILED] * (len(DELAYS_MS) + 1)
    club.wait()
    await sender.look()
    for delay in DELAYS_MS:
        count = len(posts.told)
        club.at += delay - 1
        await sender.look()
        assert len(posts.told) == count
        club.at += 1
        await sender.look()
        assert len(posts.told) == count + 1
    assert len({name for _, name, _ in posts.told}) == 1
    club.at += DAY_MS
    await sender.look()
    assert len(posts.told) == len(DELAYS_MS) + 1


@pytest.mark.parametrize("outcome", [OK, FAILED])
@live
async def test_of_several_messages_those_that_were_taken_are_not_sent_again_with_the_others(
    monkeypatch: pytest.MonkeyPatch, outcome: int
) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    posts.outcomes, posts.most = [outcome] * 3, 2
    for number in range(5):
        club.wait(f"m{number}")
    for _ in range(9):
        await sender.look()
        club.at += max(DELAYS_MS)
    assert [matches for _, _, matches in posts.told] == [
        ("m0", "m1", "m2", "m3", "m4"),
        ("m2", "m3", "m4"),
        ("m4",),
    ]


@live
async def test_a_channel_that_always_fails_is_forgotten_and_one_that_is_gone_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    posts.outcomes = [FAILED] * 99
    for decision in range(FORGOTTEN):
        club.wait(decision=decision + 1)
        club.at += max(DELAYS_MS)
        await sender.look()
    assert club.store.notices.channels("p00") == []
    other = Club(MemoryStore(), monkeypatch)
    sender, posts = other.server()
    posts.outcomes = [GONE]
    other.wait()
    await sender.look()
    assert other.store.notices.channels("p00") == []


@live
async def test_a_move_that_was_made_meanwhile_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    club.wait("m1")
    club.wait("m2")
    club.over = {"m1"}
    await sender.look()
    assert [matches for _, _, matches in posts.told] == [("m2",)]


@live
async def test_what_fell_into_the_night_comes_together_in_the_morning(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    club.at = 23 * HOUR_MS
    club.store.notices.set_quiet("p00", '{"begin":1320,"end":420}', club.at)
    for match in ("m1", "m2", "m3"):
        club.wait(match)
        club.at += HOUR_MS
        await sender.look()
    assert posts.told == []
    club.at = 31 * HOUR_MS
    await sender.look()
    assert [matches for _, _, matches in posts.told] == [("m1", "m2", "m3")]


@live
async def test_mail_comes_once_a_day_with_all_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(MemoryStore(), monkeypatch, kind="mail")
    sender, posts = club.server()
    for hour in range(72):
        club.wait(f"m{hour // 10}", hour + 1)
        club.at += HOUR_MS
        await sender.look()
    assert [len(matches) for _, _, matches in posts.told] == [1, 3, 5]


@live
async def test_a_vacation_holds_everything_back(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(MemoryStore(), monkeypatch)
    sender, posts = club.server()
    club.store.notices.set_quiet("p00", f'{{"away_until":{club.at + 10 * DAY_MS}}}', club.at)
    club.wait()
    club.at += 10 * DAY_MS - 1
    await sender.look()
    assert posts.told == []
    club.at += 1
    await sender.look()
    assert len(posts.told) == 1


async def told_of(at: Table, option: int) -> tuple[list[str], int]:
    """Every byte that seat 1 and its channels are sent where seat 0's sealed answer is the option of a number, and how
    many options there are."""
    made = await at.create()
    players = await begun(at, made)
    options = players[0].options()
    await players[0].choose(to_builtins(options[option % len(options)]))
    told: list[Notice] = []
    reminders = at.lobby.registry.live_match(made.match).reminders
    await players[1].client.connection.close()
    while not told:
        told = [notice for notice in reminders.reminders() if notice.seat == 1]
        await asyncio.sleep(0)
    waits = [WaitRow(made.match, 1, each.decision, each.title, 1, each.due_ms) for each in told]
    person = f"p{option}"
    name = NameRow(person, person, person, 1)
    await asyncio.to_thread(at.store.people.sign_up, name, DeviceRow(person, person, "", 1, 1), person.encode())
    await asyncio.to_thread(at.store.people.keep_seat, OwnSeatRow(person, made.match, 1, 1), 9)
    live, stale = await asyncio.to_thread(own_moves, at.store, person, waits)
    assert (len(live), stale) == (1, [])
    moves = [own.move for own in live]
    mail = Mailer(NoticeSettings(mail_from="h@club.example")).notice("a@b.example", moves, Quiet(), "l", "n", 1)
    bodies = [
        body.decode().replace(made.match, "MATCH")
        for form in ("plain", "discord", "slack")
        for body in written(HookDetails(form, "s"), [own.notice for own in live], moves, Quiet())
    ]
    return [mail.as_string(), *bodies], len(options)


@live
async def test_what_is_told_is_the_same_whatever_was_chosen_in_secret() -> None:
    async with table() as at:
        told, count = await told_of(at, 0)
        assert count > 1
        for option in range(1, min(count, 6)):
            assert (await told_of(at, option))[0] == told
