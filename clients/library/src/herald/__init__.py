"""Herald as a library: audit records, look into them, let bots play.

These names, those of `herald.authoring` for authors of games and those of `herald.research` are the public face: they
stay stable within a major version (docs/versions.md). The packages `domain`, `projections`, `replay` and `server`
beneath are private, except the parts that docs/versions.md names.

    audit(file)              is a record whole, true to its rules, and its dice chosen by nobody?
    open_record(file)        its events, its moments, and what each viewer saw
    play(game, bots, seed)   a match between bots
    games()                  the games there are, with their bots
"""

from domain.kernel import Event, Game, Seat
from herald._playing import Played, games, play
from herald._records import Audit, Moment, Record, audit, open_record
from replay.errors import RecordInvalid

__all__ = [
    "Audit",
    "Event",
    "Game",
    "Moment",
    "Played",
    "Record",
    "RecordInvalid",
    "Seat",
    "audit",
    "games",
    "open_record",
    "play",
]
