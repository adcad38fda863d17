"""The PostgreSQL store: several machines over one database, which may go away and come back."""

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import psycopg
import pytest
from msgspec.structs import replace

from replay.store.errors import MatchExists, NoSuchMatch, StoreFailed
from replay.store.log import Append, Commit, Committed, Conflict, Unknown
from replay.store.matches import AT_ONCE
from replay.store.postgres import schema
from replay.store.postgres.store import PostgresStore
from replay.store.postgres.writer import Writer
from replay.store.seats import SeatRow, WatchRow
from replay.store.side_tables.webhooks import WebhookRow
from tests.postgres import Instance, instance
from tests.replay.store.stored import KEYS, commit, create, entry, said
from tests.round_trips import counted

pytestmark = [pytest.mark.postgres, pytest.mark.xdist_group("postgres")]
WAITS_S = 120.0
"""Longer than anything that a test waits for takes on a busy machine."""


@pytest.fixture
def address(postgres: Instance) -> str:
    return postgres.emptied()


@contextmanager
def stores(address: str, count: int) -> Iterator[list[PostgresStore]]:
    made = [PostgresStore(address) for _ in range(count)]
    try:
        yield made
    finally:
        for store in made:
            store.close()


def held(store: PostgresStore, commits: list[Commit]) -> list[Append]:
    """What becomes of commits that wait together, as they do beside a slow one."""
    return [future.result(WAITS_S) for future in [store.submit(one) for one in commits]]


def test_of_two_machines_that_write_the_same_line_one_is_told_so(address: str) -> None:
    with stores(address, 2) as (one, two):
        create(one)
        assert two.append(commit("m1", 1, 2)) == Committed(3)
        assert one.append(commit("m1", 1, 1, status="finished", checkpoint=b"c")) == Conflict(3)
        assert one.head("m1") == two.head("m1")
        assert (one.header("m1").status, one.checkpoints("m1"), len(one.read("m1"))) == ("open", [], 3)
        assert one.append(commit("m1", 3)) == Committed(4)


def test_of_many_machines_at_once_one_writes_each_line(address: str) -> None:
    with stores(address, 3) as machines, ThreadPoolExecutor(3) as pool:
        create(machines[0])
        written = 0
        for seq in range(1, 21):
            answers = list(pool.map(lambda store, at=seq: store.append(commit("m1", at)), machines))
            assert sorted(map(repr, answers)) == sorted(map(repr, [Committed(seq + 1), *[Conflict(seq + 1)] * 2]))
            written += 1
        assert [line.seq for line in machines[1].read("m1")] == list(range(1, written + 2))


def test_what_one_machine_discloses_is_disclosed_at_all(address: str) -> None:
    with stores(address, 2) as (one, two):
        create(one)
        with psycopg.connect(address, autocommit=True) as line:
            line.execute("UPDATE matches SET closed = TRUE")
        assert one.header("m1").closed
        assert two.header("m1").closed
        two.matches.disclose("m1")
        assert not one.header("m1").closed


def test_one_commit_that_comes_too_late_takes_none_of_its_group_with_it(address: str) -> None:
    with stores(address, 2) as (one, two):
        for match in ("m1", "m2", "m3"):
            create(one, match)
        assert one.append(commit("m2", 1)) == Committed(2)
        assert two.append(commit("m2", 2)) == Committed(3)
        commits = [commit("m1", 1), commit("m2", 2), commit("m3", 1), commit("m1", 2)]
        assert held(one, commits) == [Committed(2), Conflict(3), Committed(2), Committed(3)]
        assert [one.head(match).seq for match in ("m1", "m2", "m3")] == [3, 3, 2]


def test_machines_that_write_the_same_matches_in_other_orders_do_not_wait_for_each_other(address: str) -> None:
    names = [f"m{number}" for number in range(12)]
    with stores(address, 2) as machines, ThreadPoolExecutor(2) as pool:
        for match in names:
            create(machines[0], match)
        for seq in range(1, 9):
            orders = [[commit(match, seq) for match in order] for order in (names, names[::-1])]
            answers = [answer for found in pool.map(held, machines, orders) for answer in found]
            assert answers.count(Committed(seq + 1)) == answers.count(Conflict(seq + 1)) == len(names)


def test_two_machines_that_speak_at_once_get_numbers_of_their_own(address: str) -> None:
    with stores(address, 2) as machines, ThreadPoolExecutor(8) as pool:
        create(machines[0])
        rows = [(machines[n % 2], replace(said(1), at=n)) for n in range(24)]
        numbers = list(pool.map(lambda given: given[0].chat.say("m1", given[1], 50), rows))
        assert sorted(numbers) == [line.n for line in machines[0].chat.said("m1", "players", 50)] == list(range(1, 25))


def test_a_commit_at_a_line_that_there_is_not_yet_is_a_conflict(address: str) -> None:
    with stores(address, 1) as (store,):
        create(store)
        assert store.append(commit("m1", 4)) == Conflict(1)
        assert store.append(commit("m1", 1)) == Committed(2)


def test_openings_and_texts_of_every_kind_come_back_as_they_were(address: str) -> None:
    text = '["\\u0000","é🜂","\\"","\\\\",{},"a,b","NULL",""]'.encode()
    one = Commit("m1", 1, (entry(2, text, b"null"), entry(3), entry(4, b'""')), b"\x00" * 32)
    with stores(address, 1) as (store,):
        create(store)
        assert store.append(one) == Committed(4)
        assert tuple(store.read("m1", after=1)) == one.entries
        assert store.head("m1").hash == b"\x00" * 32


def test_what_was_answered_is_there_after_the_database_was_killed() -> None:
    with instance() as server, stores(server.emptied(), 1) as (store,):
        create(store)
        assert [store.append(commit("m1", seq)) for seq in (1, 2)] == [Committed(2), Committed(3)]
        server.stop(signal.SIGQUIT)
        assert isinstance(become(store, commit("m1", 3)), Unknown)
        assert isinstance(become(store, commit("m1", 3)), StoreFailed)
        assert "127.0.0.1" in store.pulse().refuses
        with pytest.raises(StoreFailed):
            store.read("m1")
        server.start()
        assert [line.seq for line in store.read("m1")] == [1, 2, 3]
        store.probe()
        assert store.pulse().refuses == ""
        assert store.append(commit("m1", 3)) == Committed(4)


def become(store: PostgresStore, one: Commit) -> object:
    """What becomes of an append: nobody knows, or nothing was written."""
    try:
        return store.append(one)
    except StoreFailed as wrong:
        return wrong


def test_a_commit_whose_answer_is_lost_is_not_known_and_never_written_twice(postgres: Instance, address: str) -> None:
    with counted(postgres.port) as way, stores(address, 1) as (two,):
        with closing(PostgresStore(address.replace(f":{postgres.port}/", f":{way.port}/"))) as one:
            create(one)
            assert one.append(commit("m1", 1)) == Committed(2)
            way.loses_answers = True
            assert isinstance(one.append(commit("m1", 2)), Unknown)
            way.loses_answers = False
            until(lambda: two.head("m1").seq == 3)
            assert one.append(commit("m1", 2)) == Conflict(3)
            assert one.append(commit("m1", 3)) == Committed(4)
        assert [line.seq for line in two.read("m1")] == [1, 2, 3, 4]


def test_a_commit_that_is_cut_off_before_it_is_made_is_not_known_and_not_written(
    postgres: Instance, address: str
) -> None:
    waits = "wait_event_type = 'Lock'"
    with stores(address, 2) as (one, two), psycopg.connect(address) as before:
        create(one)
        assert one.append(commit("m1", 1)) == Committed(2)
        before.execute("SELECT 1 FROM matches FOR UPDATE")
        answer = one.submit(commit("m1", 2))
        with psycopg.connect(postgres.address(), autocommit=True) as line:
            until(lambda: line.execute(f"SELECT 1 FROM pg_stat_activity WHERE {waits}".encode()).fetchone() is not None)
        cut(postgres, waits)
        assert isinstance(answer.result(WAITS_S), Unknown)
        before.rollback()
        assert two.head("m1").seq == 2
        assert one.append(commit("m1", 2)) == Committed(3)


def test_a_commit_over_a_connection_that_was_cut_is_not_known(postgres: Instance, address: str) -> None:
    with stores(address, 2) as (one, two):
        create(one)
        assert one.append(commit("m1", 1)) == Committed(2)
        cut(postgres)
        assert isinstance(one.append(commit("m1", 2)), Unknown)
        seq = two.head("m1").seq
        assert one.append(commit("m1", seq)) == Committed(seq + 1)
        assert [line.seq for line in two.read("m1")] == list(range(1, seq + 2))


def until(holds: Callable[[], bool]) -> None:
    """Wait until it does."""
    end = time.monotonic() + WAITS_S
    while not holds():
        assert time.monotonic() < end, "it never does"
        time.sleep(0.01)


def cut(postgres: Instance, where: str = "TRUE") -> None:
    """End every connection to the database, or those of which something holds; all have ended when this returns.

    `pg_terminate_backend` only asks a process to end; PostgreSQL 13 cannot wait for it.
    """
    asked = f"FROM pg_stat_activity WHERE datname = 'kept' AND {where}"
    with psycopg.connect(postgres.address(), autocommit=True) as line:
        asked_to_end = line.execute(f"SELECT pid, pg_terminate_backend(pid) {asked}".encode()).fetchall()
        ended = [pid for pid, _ in asked_to_end]
        assert ended
        left = "SELECT 1 FROM pg_stat_activity WHERE pid = ANY(%s)"
        until(lambda: line.execute(left, (ended,)).fetchone() is None)


def test_reads_go_on_over_a_new_connection(postgres: Instance, address: str) -> None:
    with stores(address, 1) as (store,), ThreadPoolExecutor(4) as pool:
        create(store)
        assert len(list(pool.map(store.read, ["m1"] * 8))) == 8
        cut(postgres)
        assert len(store.read("m1")) == 1
        cut(postgres)
        with pytest.raises(MatchExists):
            create(store)


def test_who_only_reads_writes_nothing(address: str) -> None:
    with stores(address, 1) as (store,), closing(PostgresStore(address, readonly=True)) as reader:
        create(store)
        assert len(reader.read("m1")) == 1
        for write in (lambda: reader.append(commit("m1", 1)), lambda: reader.seats.revoke("m1", 0)):
            with pytest.raises(StoreFailed, match="read only"):
                write()
        assert len(store.read("m1")) == 1


def test_a_database_without_tables_or_of_another_schema_is_refused_with_what_to_do(postgres: Instance) -> None:
    bare = postgres.database("bare")
    with pytest.raises(StoreFailed, match="herald store create"):
        PostgresStore(bare)
    assert schema.bring_up_to_date(bare) == (0, schema.VERSION)
    assert schema.bring_up_to_date(bare) == (schema.VERSION, schema.VERSION)
    PostgresStore(bare).close()
    with psycopg.connect(bare, autocommit=True) as line:
        assert schema.missing(line) == []
        line.execute("ALTER TABLE chat DROP COLUMN who")
        assert schema.missing(line) == ["chat.who"]
        line.execute("UPDATE herald SET value = '99'")
    with pytest.raises(StoreFailed, match="newer Herald"):
        PostgresStore(bare)
    with pytest.raises(StoreFailed, match="newer Herald"):
        schema.bring_up_to_date(bare)


def test_of_an_older_database_each_match_that_goes_on_is_looked_at_once(postgres: Instance) -> None:
    older = postgres.database("older")
    schema.bring_up_to_date(older)
    with stores(older, 1) as (store,):
        for name, status in (("m1", "open"), ("m2", "running"), ("m3", "finished"), ("m4", "open")):
            create(store, name)
            store.append(commit(name, 1, status=status))
        store.append(commit("m4", 2, seat=SeatRow(1, "B", "person")))
    with psycopg.connect(older, autocommit=True) as line:
        line.execute(SCHEMA_2)
        line.execute("ALTER TABLE matches DROP COLUMN due")
        line.execute("UPDATE herald SET value = '1'")
    with pytest.raises(StoreFailed, match="herald store migrate"):
        PostgresStore(older)
    assert schema.bring_up_to_date(older) == (1, schema.VERSION)
    with stores(older, 1) as (store,):
        assert {header.match for header in store.matches.due(AT_ONCE)} == {"m2", "m4"}
        assert store.append(commit("m2", 2, reminder=5)) == Committed(3)
        assert store.webhooks.overdue(5) == [("m2", 3)]


SCHEMA_2 = "DROP TABLE hooks, calls, attendance, analyses; UPDATE herald SET value = '2'"


@pytest.mark.parametrize("has_made", [False, True], ids=["none needed yet", "made when needed"])
def test_a_database_whose_servers_made_tables_when_they_needed_them_is_brought_up_to_date_with_what_is_in_them(
    postgres: Instance, has_made: bool
) -> None:
    older = postgres.database("older")
    schema.bring_up_to_date(older)
    with stores(older, 1) as (store,):
        create(store)
        store.analyses.keep("m1", "terms", "{}")
        store.presence.announce("one", 1, {"m1": "{}"})
    with psycopg.connect(older, autocommit=True) as line:
        line.execute("DROP TABLE hooks, calls; UPDATE herald SET value = '2'" if has_made else SCHEMA_2)
    with pytest.raises(StoreFailed, match="herald store migrate"):
        PostgresStore(older)
    assert schema.bring_up_to_date(older) == (2, schema.VERSION)
    with stores(older, 1) as (store,):
        assert store.analyses.found("m1", "terms") == ("{}" if has_made else None)
        assert store.presence.announced(0, ["m1"]) == ([("m1", "one", "{}")] if has_made else [])
        store.analyses.keep("m1", "terms", "[]")
        assert store.webhooks.set_address("m1", WebhookRow(0, "https://club.example/", "shh"), 9)
    assert schema.faults(older) == []


def test_programs_that_make_the_tables_at_once_are_not_in_each_others_way(postgres: Instance) -> None:
    for name in ("atonce1", "atonce2", "atonce3"):
        bare = postgres.database(name)
        with ThreadPoolExecutor(6) as pool:
            made = list(pool.map(schema.bring_up_to_date, [bare] * 6))
        assert {after for _, after in made} == {schema.VERSION}
        assert schema.faults(bare) == []


def test_a_database_that_answers_before_a_commit_lasts_is_refused(postgres: Instance) -> None:
    hasty = postgres.database("hasty")
    schema.bring_up_to_date(hasty)
    with psycopg.connect(hasty, autocommit=True) as line:
        line.execute("ALTER DATABASE hasty SET synchronous_commit = off")
    with pytest.raises(StoreFailed, match="synchronous_commit"):
        PostgresStore(hasty)


@pytest.mark.parametrize(
    "wrong", ["postgresql://ada:sesame@127.0.0.1:1/none", "postgresql://ada:sesame@127.0.0.1:1/none?sesame=1"]
)
def test_no_password_is_ever_shown(wrong: str) -> None:
    with pytest.raises(StoreFailed) as refused:
        PostgresStore(wrong)
    assert "sesame" not in str(refused.value)
    assert KEYS.k_m.decode() not in str(refused.value)


def test_a_name_that_no_database_can_hold_is_nobodys_and_leaves_the_store_in_order(address: str) -> None:
    with stores(address, 1) as (store,):
        create(store)
        for ask in (store.header, store.seats.holders, store.head, store.keys):
            with pytest.raises(NoSuchMatch):
                ask("m1\0")
        assert (store.seats.watchers("m1\0"), store.checkpoints("m1\0"), store.chat.said("m1\0", "players", 5)) == (
            (),
            [],
            [],
        )
        assert (store.read("m1\0"), store.heads(["m1\0", "m1"])) == ([], {"m1": 1})
        with pytest.raises(StoreFailed, match="nothing was written"):
            store.seats.grant("m1\0", WatchRow(0, b"token"))
        assert store.pulse().refuses == ""


def test_a_database_that_nobody_reaches_is_told_by_whoever_asks_and_by_probes(address: str) -> None:
    with stores(address, 1) as (store,):
        connections = store._connections
        connections.address, there = "postgresql://herald@127.0.0.1:1/none", connections.address
        for line in connections._idle:
            line.close()
        store.probe()
        assert "is the database up" in store.pulse().refuses
        connections.address = there
        store.probe()
        assert store.pulse().refuses == ""


def test_whatever_ends_the_writer_is_said_once_and_everybody_who_waits_is_answered(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(*_: object) -> None:
        raise ZeroDivisionError("canary")

    with stores(address, 1) as (store,):
        create(store)
        failures = list[str]()
        store.on_failure(failures.append)
        monkeypatch.setattr(Writer, "_serve", ends)
        assert isinstance(store.submit(commit("m1", 1)).result(timeout=200), Unknown)
        assert [why for why in failures if "ZeroDivisionError" in why and "canary" not in why] == failures
        with pytest.raises(StoreFailed, match="restart"):
            store.append(commit("m1", 1))


@contextmanager
def plain(address: str, but: str = "") -> Iterator[str]:
    """The address for a role that makes no table and may do what a server does, but in those named by `but`."""
    with psycopg.connect(address, autocommit=True) as line:
        line.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        line.execute("DROP ROLE IF EXISTS plain")
        line.execute("CREATE ROLE plain LOGIN")
        line.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO plain")
        if but:
            line.execute(f"REVOKE ALL ON {but} FROM plain".encode())
    try:
        yield address.replace("//herald@", "//plain@")
    finally:
        with psycopg.connect(address, autocommit=True) as line:
            line.execute("DROP OWNED BY plain")
            line.execute("DROP ROLE plain")


def test_a_role_that_may_make_no_table_keeps_all_that_a_server_keeps(address: str) -> None:
    with plain(address) as there, closing(PostgresStore(there)) as store:
        create(store)
        store.presence.announce("one", 1, {"m1": "{}"})
        store.analyses.keep("m1", "terms", "{}")
        assert store.webhooks.set_address("m1", WebhookRow(0, "https://club.example/", "shh"), 9)
        assert store.append(commit("m1", 1, reminder=5)) == Committed(2)
        assert (store.presence.announced(0, ["m1"]), store.analyses.found("m1", "terms")) == (
            [("m1", "one", "{}")],
            "{}",
        )
        assert (store.webhooks.overdue(5), store.pulse().refuses) == ([("m1", 2)], "")
        assert schema.faults(there) == []


def test_a_right_that_is_lacking_for_what_lies_beside_matches_keeps_nobody_from_them_and_is_told(address: str) -> None:
    with plain(address, but="attendance, analyses, hooks") as there, closing(PostgresStore(there)) as store:
        create(store)
        for ask in (
            lambda: store.presence.announce("one", 1, {"m1": "{}"}),
            lambda: store.presence.announced(0, ["m1"]),
            lambda: store.presence.leave("one", 0),
            lambda: store.analyses.keep("m1", "terms", "{}"),
            lambda: store.analyses.found("m1", "terms"),
            lambda: store.webhooks.addresses("m1"),
            lambda: store.webhooks.set_address("m1", WebhookRow(0, "https://club.example/", "shh"), 9),
        ):
            with pytest.raises(StoreFailed, match="permission denied"):
                ask()
            assert store.pulse().refuses == ""
        assert store.append(commit("m1", 1)) == Committed(2)
        told = [why for _, why in schema.faults(there)]
    assert len(told) == 12
    assert "this user may not INSERT into analyses; let who owns the tables grant it" in told
