"""A relay's metrics, in Prometheus' text format: the families that a server also has, and the relay's own."""

from collections.abc import Iterator

from server.operations.metrics import counter, gauge, of_process, program_version
from server.relay.registry import RelayRegistry


def exposition(registry: RelayRegistry) -> str:
    """The page `/metrics`."""
    return "".join(line for family in _families(registry) for line in family)


def _families(registry: RelayRegistry) -> Iterator[Iterator[str]]:
    meters, tally = registry.meters, registry.tally
    yield gauge("herald_build_info", "The program.", [(f'version="{program_version()}"', 1)])
    yield gauge("herald_ready", "Whether spectators should be sent here.", [("", int(not registry.is_draining))])
    yield gauge("herald_relay_matches", "Matches held in memory.", [("", len(registry.shows))])
    yield gauge("herald_relay_line_bytes", "Bytes of their lines.", [("", registry.bytes)])
    yield gauge("herald_relay_origins_reached", "Connections to origins that stand.", [("", tally.reached)])
    troubled = sum(show.trouble is not None for show in registry.shows)
    yield gauge("herald_relay_stale_matches", "Matches whose origin does not go on.", [("", troubled)])
    yield counter("herald_relay_lines_total", "Lines that were checked and taken.", [("", tally.lines)])
    yield counter("herald_relay_lost_total", "Times that a connection to an origin was lost.", [("", tally.lost)])
    yield counter("herald_relay_broken_total", "Times that an origin sent no true record.", [("", tally.broken)])
    connections = [(f'kind="{kind}"', number) for kind, number in registry.admission.counts.items()]
    yield gauge("herald_connections", "Websockets open: watching, or in no match yet.", connections)
    yield counter("herald_shed_total", "Connections closed for want of a place.", [("", registry.admission.shed)])
    yield counter("herald_sent_bytes_total", "Bytes of frames sent over websockets.", [("", meters.sent_bytes)])
    yield counter("herald_received_bytes_total", "Bytes of messages received.", [("", meters.received_bytes)])
    yield counter("herald_catch_ups_total", "Times that a slow viewer was left behind.", [("", meters.catch_ups)])
    closed = [(f'code="{code}"', n) for code, n in sorted(meters.closed.items())]
    yield counter("herald_closed_total", "Connections that the relay closed, by code (see the protocol).", closed)
    yield gauge("herald_loop_lag_seconds", "How late the last beat of the event loop was.", [("", meters.lag_s)])
    yield from of_process()
