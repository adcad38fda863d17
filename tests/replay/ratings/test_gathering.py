"""The rated results of a store: settled once, in order, an unlisted match at the end of its day."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from replay.maintenance.database_check import file_faults
from replay.ratings.errors import RatingsInvalid
from replay.ratings.gathering import counting, rated, settle
from replay.ratings.model import DAY_MS
from replay.ratings.results import hidden_match
from replay.record import sealing
from replay.record.serverkey import KeyRing, ServerKey
from replay.store.memory import MemoryStore
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from tests.replay.matches import START
from tests.replay.ratings.rated_matches import GAMES, RatedMatch

LATER = START + 10 * DAY_MS


class Club:
    """Persons by match and seat."""

    def __init__(self, *guests: str) -> None:
        self.guests = guests

    def pseudonym(self, match: str, seat: int) -> str:
        return "" if match in self.guests else ("ann", "ben")[seat]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return KeyRing(tmp_path_factory.mktemp("keys")).current


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with closing(MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "herald.db")) as made:
        yield made


def test_what_counts_is_kept_and_what_does_not_says_why(store: Store, key: ServerKey) -> None:
    good = RatedMatch(store, key.stamp, at=START).finished()
    casual = RatedMatch(store, key.stamp, at=START + 1, rated=False).finished()
    guest = RatedMatch(store, key.stamp, at=START + 2).finished()
    going = RatedMatch(store, key.stamp, at=START + 3)
    assert settle(store, GAMES, Club(guest.referee.match)) == 3
    told = [store.ratings.why(each.referee.match) for each in (good, casual, guest, going)]
    assert told == ["", "it was not created as rated", "seat 1 is a guest's", None]
    assert [result.match for result in counting(store, LATER)] == [good.referee.match]
    assert rated(store, GAMES, Club(), LATER).counted == 1


def test_a_match_is_settled_once(store: Store, key: ServerKey) -> None:
    match = RatedMatch(store, key.stamp).finished()
    assert settle(store, GAMES, Club()) == 1
    assert settle(store, GAMES, Club()) == 0
    store.ratings.settle(match.referee.match, "another word")
    assert store.ratings.why(match.referee.match) == ""


def test_results_come_page_by_page_in_their_order(store: Store, key: ServerKey) -> None:
    for number in (3, 1, 2, 1, 1):
        RatedMatch(store, key.stamp, at=START + number * 1_000_000).finished()
    assert settle(store, GAMES, Club(), page=2) == 5
    keys = [result.key for result in counting(store, LATER, page=2)]
    assert len(keys) == 5
    assert keys == sorted(keys)


@pytest.mark.parametrize("how", ["unlisted", "closed"])
def test_an_unlisted_match_is_not_there_before_the_end_of_its_day_and_never_told(
    store: Store, key: ServerKey, how: str
) -> None:
    match = RatedMatch(store, key.stamp, listed=how != "unlisted", closed=how == "closed").finished()
    settle(store, GAMES, Club())
    midnight = (match.at // DAY_MS + 1) * DAY_MS
    assert list(counting(store, midnight - 1)) == []
    (result,) = counting(store, midnight)
    assert result.match == hidden_match(sealing.unb64(match.referee.match))
    told = msgspec.json.encode(result).decode()
    assert match.referee.match not in told
    assert sealing.b64(match.referee.head) not in told
    assert str(match.at) not in told


def test_a_bot_is_rated_by_its_name_and_a_person_nobody_knows_is_a_guest(store: Store, key: ServerKey) -> None:
    RatedMatch(store, key.stamp, kinds=("person", "bot")).finished()
    assert [one.player for one in rated(store, GAMES, Club(), LATER).standings(LATER)].count("bot:steady") == 1
    RatedMatch(store, key.stamp, at=START + 9).finished()
    assert rated(store, GAMES, store.rated_players, LATER).counted == 1


def test_a_game_that_is_not_there_settles_nothing_wrongly(store: Store, key: ServerKey) -> None:
    match = RatedMatch(store, key.stamp).finished()
    assert settle(store, {}, Club()) == 0
    assert store.ratings.why(match.referee.match) is None


def test_a_kept_result_of_another_match_is_refused(store: Store, key: ServerKey) -> None:
    store.ratings.settle("m1", "", (5, "m1", "{}"))
    with pytest.raises(RatingsInvalid, match="the kept result of match m1 is none"):
        list(counting(store, LATER))


def test_a_database_with_rated_results_is_whole_for_the_doctor(tmp_path: Path, key: ServerKey) -> None:
    path = tmp_path / "herald.db"
    with closing(SqliteStore(path)) as store:
        RatedMatch(store, key.stamp).finished()
        settle(store, GAMES, Club())
        assert list(file_faults(store)) == []


def test_a_database_that_is_only_read_has_no_ratings_yet(tmp_path: Path, key: ServerKey) -> None:
    path = tmp_path / "herald.db"
    with closing(SqliteStore(path)) as store:
        match = RatedMatch(store, key.stamp).finished()
    with closing(SqliteStore(path, readonly=True)) as store:
        assert store.ratings.unsettled("", 9) == [match.referee.match]
        assert (store.ratings.why(match.referee.match), list(counting(store, LATER))) == (None, [])
