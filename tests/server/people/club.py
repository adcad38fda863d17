"""Two persons who play rated matches over a store, and what a server knows of them: Club."""

from replay.ratings.model import DAY_MS
from replay.record.serverkey import ServerKey
from replay.store.memory import MemoryStore
from replay.store.side_tables.people import OwnSeatRow
from server.people.accounts import Accounts
from server.people.own_matches import OwnMatches
from server.people.profiles import Profiles
from server.people.public_profiles import PublicProfiles
from server.people.standings import Standings
from server.wire.opponent_messages import ProfileTold, ShowProfile
from tests.replay.matches import START
from tests.replay.ratings.rated_matches import GAMES, RatedMatch
from tests.server.people.signing import signed_up


class Club:
    """A store with two persons, and what a server knows of them. `ms`: the time."""

    def __init__(self, key: ServerKey) -> None:
        self.ms, self.key = START + DAY_MS, key
        self.store = MemoryStore()
        accounts = Accounts(self.store.people, self.store.devices, self.now)
        self.people = [signed_up(accounts, handle)[1].person for handle in ("Anja", "Bert")]
        self.standings = Standings(self.store, GAMES, self.now, fresh_s=0.0)
        own = Profiles(self.store, self.now)
        self.profiles = PublicProfiles(self.store, GAMES, self.standings, own)
        self.own_matches = OwnMatches(self.store, self.standings)

    def now(self) -> int:
        return self.ms

    def played(self, at: int, *, listed: bool = True) -> str:
        """A rated match of the two, to its end."""
        match = RatedMatch(self.store, self.key.stamp, at=at, listed=listed)
        name = match.referee.match
        for seat, person in enumerate(self.people):
            self.store.rated_players.sit(person, name, seat)
            self.store.people.keep_seat(OwnSeatRow(person, name, seat, at), 99)
        match.finished()
        return name

    def show(self, *shows: str) -> ProfileTold:
        """The first person shows this."""
        return self.profiles.show(self.people[0], ShowProfile(session="S" * 43, shows=shows))  # type: ignore[arg-type]
