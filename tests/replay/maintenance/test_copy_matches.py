"""Matches are copied between stores whole, or not at all."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from replay.errors import RecordInvalid
from replay.maintenance.copy_matches import Copied, MatchCopy, copy_matches
from replay.store.errors import StoreFailed
from replay.store.log import Append, Commit, Entry
from replay.store.memory import MemoryStore
from replay.store.postgres.store import PostgresStore
from replay.store.seats import WatchRow
from replay.store.side_tables.chat import ChatRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.postgres import Instance
from tests.replay.matches import played

POSTGRES = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]


@pytest.fixture
def source() -> MemoryStore:
    store = MemoryStore()
    for seed in (1, 2):
        _, referee = played(seed, store, most=2 if seed == 2 else 1000)
        store.seats.grant(referee.match, WatchRow(0, b"w" * 32))
        store.chat.say(referee.match, ChatRow(3, 5, "players", "seat0", "Ada", "Hm."), 10)
    return store


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=POSTGRES)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore()
    if request.param == "sqlite":
        made = SqliteStore(tmp_path / "herald.db")
    if request.param == "postgres":
        instance: Instance = request.getfixturevalue("postgres")
        made = PostgresStore(instance.emptied())
    with closing(made):
        yield made


def test_all_that_is_kept_of_a_match_comes_along(source: MemoryStore, target: Store) -> None:
    headers = source.matches.latest()
    done = copy_matches(source, target, headers)
    lines = sum(source.head(header.match).seq for header in headers)
    assert done == Copied(2, lines, 0)
    for header in headers:
        assert MatchCopy.read_from(target, header.match) == MatchCopy.read_from(source, header.match)
    assert target.matches.counts() == source.matches.counts() == {"running": 1, "finished": 1}


def test_a_copy_that_was_broken_off_goes_on(source: MemoryStore, target: Store) -> None:
    headers = source.matches.latest()
    copy_matches(source, target, headers[:1])
    assert copy_matches(source, target, headers).known == 1
    assert copy_matches(source, target, headers) == Copied(0, 0, 2)


@pytest.mark.parametrize("cut", ["seats.grant", "chat.say"])
def test_a_match_whose_copy_was_broken_off_after_its_lines_is_not_taken_for_whole(
    source: MemoryStore, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    target = MemoryStore()

    def away(*_: object) -> None:
        raise StoreFailed("away")

    with monkeypatch.context() as broken:
        part, name = cut.split(".")
        broken.setattr(getattr(target, part), name, away)
        with pytest.raises(StoreFailed, match="away"):
            copy_matches(source, target, source.matches.latest())
    with pytest.raises(StoreFailed, match="without tokens or chat"):
        copy_matches(source, target, source.matches.latest())


def test_what_was_said_at_the_target_since_keeps_no_copy_up(source: MemoryStore) -> None:
    target, headers = MemoryStore(), source.matches.latest()
    copy_matches(source, target, headers)
    target.chat.say(headers[0].match, ChatRow(0, 9, "players", "seat1", "Bo", "Well."), 10)
    assert copy_matches(source, target, headers) == Copied(0, 0, 2)


def test_a_match_that_goes_on_otherwise_at_the_target_is_left_as_it_is(source: MemoryStore) -> None:
    target = MemoryStore()
    headers = source.matches.latest()
    copy_matches(source, target, headers)
    seq = target.head(headers[0].match).seq
    target.append(Commit(headers[0].match, seq, (Entry(seq + 1, 1, "Moved", 0, b"[]"),), b"x" * 32))
    with pytest.raises(StoreFailed, match="is another"):
        copy_matches(source, target, headers)
    assert target.head(headers[0].match).seq == seq + 1


def test_what_does_not_hold_is_not_copied(source: MemoryStore) -> None:
    match = source.matches.latest()[0].match
    entries = source._shelf.matches[match].entries
    entries[3] = Entry(4, entries[3].at, entries[3].type, entries[3].actor, entries[3].line.replace(b"1", b"2", 1))
    target = MemoryStore()
    with pytest.raises(RecordInvalid):
        copy_matches(source, target, source.matches.latest())
    assert target.matches.latest() == []


class Forgetful(MemoryStore):
    """A store that keeps no signature."""

    def append(self, commit: Commit) -> Append:
        """See `Store`."""
        found = super().append(commit)
        self._shelf.matches[commit.match].checkpoints.clear()
        self.chat.erase(commit.match)
        self._shelf.matches[commit.match].entries[-1] = Entry(commit.entries[-1].seq, 0, "Else", 0, b"[]")
        return found


def test_a_copy_that_comes_to_be_otherwise_is_found_out(source: MemoryStore) -> None:
    with pytest.raises(StoreFailed, match="not in the copy as it was"):
        copy_matches(source, Forgetful(), source.matches.latest())


class Growing(MemoryStore):
    """A store in which somebody plays on while it is read."""

    def checkpoints(self, match: str) -> list[tuple[int, bytes]]:
        """See `Store`."""
        self.reads: dict[str, int] = {**getattr(self, "reads", {})}
        self.reads[match] = self.reads.get(match, 0) + 1
        found = super().checkpoints(match)
        if self.reads[match] == 2:
            held: Any = self._shelf.matches[match]
            held.entries.append(held.entries[-1])
        return found


def test_a_match_that_goes_on_while_it_is_copied_is_told(source: MemoryStore) -> None:
    growing = Growing()
    growing._shelf.matches.update(source._shelf.matches)
    with pytest.raises(StoreFailed, match="went on while it was copied"):
        copy_matches(growing, MemoryStore(), growing.matches.latest())
