"""`/metrics` as Prometheus' own parser reads it: what it counts, who may read it, and what it never says."""

import http.client
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import pytest
from prometheus_client.parser import text_string_to_metric_families

from replay.store.health import GROUP_BOUNDS, Pulse
from replay.store.sqlite.store import SqliteStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.operations.metrics import COMMIT_BOUNDS_S, CONTENT_TYPE, Meters, RegistryState, exposition
from server.wire.protocol import Choose, Refused
from tests.server.tabletop import FACES, live, play_out, table

STANDING = RegistryState(0, {"seat": 0, "caster": 0, "spectator": 0, "stranger": 0}, 0, is_ready=True)
Samples = dict[tuple[str, str], float]


def get(url: str, **headers: str) -> tuple[int, str, str]:
    parts = urlsplit(url)
    asked = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    asked.request("GET", "/metrics", headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = asked.getresponse()
    text = answer.read().decode()
    asked.close()
    return answer.status, answer.headers["Content-Type"], text


async def fetch(url: str, **headers: str) -> tuple[int, str, str]:
    return await anyio.to_thread.run_sync(lambda: get(url, **headers))


def read(text: str) -> Samples:
    """Every sample by its name and its labels' values; fails where a family is declared twice or wrongly."""
    families = list(text_string_to_metric_families(text))
    names = [family.name for family in families]
    assert len(names) == len(set(names))
    assert all(family.documentation and family.type != "unknown" for family in families)
    return {(s.name, ",".join(s.labels.values())): s.value for family in families for s in family.samples}


@live
async def test_what_is_played_is_counted(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "herald.sqlite")
    async with table(store) as at:
        created = await at.create()
        ada, bo, watcher = await at.player(created, 0), await at.player(created, 1), await at.spectator(created)
        made = await play_out([ada, bo], most=3)
        await watcher.reach(ada.view.seq)
        await ada.client.ask(Choose("wrong", 999, 0), Refused)
        status, kind, text = await fetch(at.http)
        found = read(text)
    store.close()
    assert (status, kind) == (200, CONTENT_TYPE)
    assert found["herald_choices_accepted_total", ""] == made == 3
    assert sum(value for (name, _), value in found.items() if name == "herald_choices_refused_total") == 1
    assert found["herald_matches", "running"] == 1
    assert found["herald_matches", "finished"] == 0
    assert found["herald_matches_in_memory", ""] == 1
    kinds = [found["herald_connections", kind] for kind in ("seat", "spectator", "stranger")]
    assert kinds == [2, 1, 1]
    assert found["herald_commit_seconds_count", ""] >= made
    assert found["herald_commit_seconds_bucket", "+Inf"] == found["herald_commit_seconds_count", ""]
    assert found["herald_group_commits_count", ""] >= made
    assert found["herald_sent_bytes_total", ""] > found["herald_received_bytes_total", ""] > 0
    assert found["herald_wal_bytes", ""] > 0
    assert found["herald_database_bytes", ""] > 0
    assert found["herald_store_refuses", ""] == 0
    assert found["process_resident_memory_bytes", ""] > 1 << 20
    assert created.match not in text
    assert not any(token in text for token in created.tokens.values())


def test_buckets_are_cumulative_and_a_time_on_a_bound_is_within_it() -> None:
    meters = Meters()
    for seconds in (COMMIT_BOUNDS_S[0], COMMIT_BOUNDS_S[1], 99.0):
        meters.commit(seconds)
    found = read(exposition(meters, STANDING, {}, Pulse()))
    counted = [found["herald_commit_seconds_bucket", str(bound)] for bound in COMMIT_BOUNDS_S]
    assert counted == [1, *[2] * (len(COMMIT_BOUNDS_S) - 1)]
    assert found["herald_commit_seconds_bucket", "+Inf"] == 3
    assert found["herald_commit_seconds_sum", ""] == pytest.approx(99 + sum(COMMIT_BOUNDS_S[:2]))


def test_codes_are_escaped_and_a_store_that_refuses_is_told() -> None:
    meters = Meters()
    meters.refused['od"d\\code\n'] += 2
    meters.closed[4008] += 1
    found = read(exposition(meters, STANDING, {"running": 5}, Pulse("disk full", 7, 3, (0,) * 12, 10, 20)))
    assert found["herald_choices_refused_total", 'od"d\\code\n'] == 2
    assert found["herald_closed_total", "4008"] == 1
    assert found["herald_store_refuses", ""] == 1
    assert found["herald_store_waiting", ""] == 7


def test_groups_of_commits_are_counted_by_size(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "herald.sqlite")
    before = store.pulse()
    store.probe()
    store.probe()
    after = store.pulse()
    store.close()
    assert len(after.groups) == len(GROUP_BOUNDS) + 1
    assert after.groups[0] - before.groups[0] == 2 == after.commits - before.commits


@live
async def test_a_request_that_came_through_a_proxy_may_not_read_the_metrics() -> None:
    async with table() as at:
        assert (await fetch(at.http))[0] == 200
        for header in ("X_Forwarded_For", "Forwarded", "Via", "X_Real_IP"):
            assert (await fetch(at.http, **{header: "10.1.1.1"}))[0] == 403


@asynccontextmanager
async def guarded(token: str) -> AsyncIterator[str]:
    from replay.store.memory import MemoryStore

    async with running(Lobby(MemoryStore(), FACES), metrics_token=token) as server:
        yield f"http://127.0.0.1:{port_of(server)}"


@live
async def test_with_a_token_only_who_has_it_reads_the_metrics() -> None:
    async with guarded("canary-7f3a") as url:
        assert (await fetch(url))[0] == 403
        assert (await fetch(url, Authorization="Bearer canary-7f3b"))[0] == 403
        status, _, text = await fetch(url, Authorization="Bearer canary-7f3a", X_Forwarded_For="10.1.1.1")
        assert status == 200
        assert "canary" not in text
