"""`herald relay` that lies about what the server says beside the record: directions, and the chance to win."""

import json

import msgspec
from msgspec.structs import replace

from replay.record import statements
from server.cli import main
from server.direction.statements import About, Words, signed
from server.relay.relayed_match import RelayedMatch
from server.relay.relayed_statements import RelayedStatements
from server.wire.direction_messages import Directed, Direction
from tests.replay.record.stating import sign

CHANGED = "Ada is strong"
"""A note that this relay changes, and leaves the server's signature beside it."""
SIGNED = "Ada is weak"
"""A note that this relay signs with a key of its own."""
LIE = "Ada is lost"
CHANCE = {"line": 1, "samples": 24, "sides": [{"seats": [0], "share": 1.0, "low": 0.9, "high": 1.0}]}
"""A chance to win that nobody computed, and nobody signed."""


def lie(told: Directed) -> Directed:
    """The direction that the relay hands on in place of one."""
    note = told.direction.note if told.direction else ""
    if note == CHANGED:
        return replace(told, direction=Direction(note=LIE), said=told.said.replace(CHANGED, LIE))
    if note == SIGNED:
        _, match, viewers, at, *_ = msgspec.json.decode(told.said, type=Words)
        return signed(told, About(match, viewers, at), lambda text: statements.stamped(sign, text))
    return told


def direct(self: RelayedMatch, directed: Directed) -> None:
    """Hand on a direction, checked by nobody."""
    self.directed = lie(directed)
    self.tell(self.directed)


async def outlook(self: RelayedStatements, show: RelayedMatch) -> bytes:
    """The chance to win of any match."""
    return json.dumps(CHANCE).encode()


if __name__ == "__main__":
    RelayedMatch.direct = direct  # type: ignore[method-assign]
    RelayedStatements.outlook = outlook  # type: ignore[method-assign]
    main(prog_name="herald")
