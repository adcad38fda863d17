"""`scale killed` and `scale weights`: how soon a killed server's matches continue, and the cost of matches."""

import os
import time
from typing import Final

import msgspec
from msgspec import Struct

from scripts.benchmarks.farm import Farm, farm
from scripts.benchmarks.load import holding, new_matches, settled_bytes
from scripts.benchmarks.measure import Figure, Report, percentile
from scripts.benchmarks.scale import Wish, played
from scripts.benchmarks.servers import Served, started
from scripts.benchmarks.sockets import allow_files
from scripts.benchmarks.weights import cpu_s, family_cpu_s
from server.wire.protocol import Hello, write_client_message

AGAIN_GOAL_S: Final = 2.0
CALM_S: Final = 10.0
"""The idle time during which the cost of idling is measured; each server asks the store every 5 s."""
BETWEEN_S: Final = 10.0
"""The time between two choices of an active match."""
SPARE: Final = 20
"""Matches before those that are counted, so that everything loaded once is loaded."""


def killed_report(game: str, matches: int) -> Report:
    """Kill one of three servers while its players play."""
    allow_files(16_384)
    with farm() as where, where.nodes(where.store(), 3) as nodes:
        first, *others = nodes
        told = started(
            "failover", game, str(matches), str(first.port), str(first.pid), *(str(one.port) for one in others)
        )
        took = msgspec.json.decode(told.communicate()[0], type=list[float])
    return Report(
        f"scale killed --game {game} --matches {matches}",
        f"{len(took):,} matches at one of three servers, which is killed; everybody connects to the others at once;"
        f" from the kill to the next accepted choice of each match, on {os.cpu_count()} cores",
        (
            Figure("until half of the matches had answered", percentile(took, 0.5) / 1000, "s"),
            Figure("until 99 of 100 had", percentile(took, 0.99) / 1000, "s", goal=AGAIN_GOAL_S),
            Figure("until the last had", max(took) / 1000, "s"),
        ),
    )


class Calm(Struct, frozen=True):
    """The parts of a core that a server and the database use."""

    server: float
    database: float


def _calm(server: Served, where: Farm) -> Calm:
    used, asked = cpu_s(server.pid), family_cpu_s(where.database.pid)
    time.sleep(CALM_S)
    return Calm((cpu_s(server.pid) - used) / CALM_S, (family_cpu_s(where.database.pid) - asked) / CALM_S)


def _hellos(server: Served, game: str, matches: int) -> list[str]:
    made = new_matches(server, game, matches)
    return [write_client_message(Hello(ticket.match, ticket.tokens[seat])) for ticket in made for seat in ("0", "1")]


def weights_report(game: str, matches: int) -> Report:
    """The cost of an idle server, an idle match and an active one over PostgreSQL."""
    allow_files(16_384)
    with farm() as where, where.nodes(where.store()) as (server,):
        with holding(server, _hellos(server, game, SPARE), 2):
            before = settled_bytes(server.pid)
            empty = _calm(server, where)
            with holding(server, _hellos(server, game, matches), 2):
                after = settled_bytes(server.pid)
                idle = _calm(server, where)
        active = played([server], where.database.pid, Wish(game, matches, CALM_S, 1), matches / BETWEEN_S).parts[0]
    per_idle = (idle.server - empty.server) / matches * 1e6
    return Report(
        f"scale weights --game {game} --matches {matches}",
        f"one server over PostgreSQL; {matches:,} matches with two websockets each, first idle, then with a choice in"
        f" each every {BETWEEN_S:.0f} s: {active.choices / active.seconds:.0f} choices/s",
        (
            Figure("memory of a server with hardly a match", before / 1e6, "MB"),
            Figure("its processor time meanwhile", empty.server * 100, "% of a core"),
            Figure("memory of an idle match with two websockets", (after - before) / matches / 1000, "kB"),
            Figure("processor time of the server for an idle match", per_idle, "µs a second"),
            Figure(f"processor of the server with {matches:,} idle matches", idle.server * 100, "% of a core"),
            Figure(f"processor of the database with {matches:,} idle matches", idle.database * 100, "% of a core"),
            Figure("processor of the server, active matches", 100 * active.server_s / active.seconds, "% of a core"),
            Figure(
                "processor of the database, active matches", 100 * active.database_s / active.seconds, "% of a core"
            ),
        ),
    )
