"""Ratings in a server at work, profiles and leaderboards: true to the fold, and nothing of whoever shows nothing."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from replay.ratings import gathering
from replay.ratings.model import DAY_MS
from replay.record.serverkey import KeyRing
from replay.store.matches import Header
from replay.store.seats import SeatRow
from replay.store.side_tables.people import OwnSeatRow
from server.people.own_matches import outcome_of
from server.wire.opponent_messages import ProfileTold
from tests.replay.matches import START
from tests.replay.ratings.rated_matches import GAMES
from tests.replay.store.stored import KEYS, commit
from tests.server.people.club import Club

GAME = "skirmish"


@pytest.fixture
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    made = Club(KeyRing(tmp_path_factory.mktemp("keys")).current)
    with closing(made.store):
        yield made


def test_the_standings_are_the_fold_also_where_a_result_comes_late(club: Club) -> None:
    club.played(START + 5000)
    club.standings.refresh()
    for at in (START + 9000, START):  # the second belongs before what was folded already
        club.played(at)
        club.standings.refresh()
        folded = gathering.rated(club.store, GAMES, club.store.rated_players, club.ms)
        assert club.standings.board(GAME) == folded.standings(club.ms, GAME)
    assert len(club.standings.curve(GAME, club.people[0], 99)) == 3


def test_own_matches_say_how_they_ended_and_what_they_changed(club: Club) -> None:
    match = club.played(START)
    club.standings.refresh()
    pages = [club.own_matches.page(person).matches for person in club.people]
    changes = [page[0].change for page in pages]
    assert {page[0].outcome for page in pages} in ({"won", "lost"}, {"drawn"})
    assert changes[0] is not None
    assert changes == [changes[0], -changes[0]]
    assert pages[0][0].match == match


def test_an_unlisted_match_changes_nothing_that_anybody_sees_before_its_day_ends(club: Club) -> None:
    match = club.played(START, listed=False)
    club.ms = (START // DAY_MS + 1) * DAY_MS - 1
    club.show("ratings", "results", "matches")
    club.standings.refresh()
    before = club.profiles.told("Anja"), club.profiles.board(GAME, 0, club.ms)
    assert (before[0].games, before[0].latest, before[1].rows) == ((), (), ())
    assert club.own_matches.page(club.people[0]).matches[0].change is None
    club.ms += 1
    club.standings.refresh()
    after = club.profiles.told("Anja")
    assert [point.at_ms for point in after.games[0].curve] == [club.ms]
    assert (after.latest, after.best) == ((), ())
    assert match not in str(after)
    assert club.own_matches.page(club.people[0]).matches[0].change is not None


def test_a_profile_shows_only_the_parts_that_its_person_shows(club: Club) -> None:
    match = club.played(START)
    assert club.profiles.told("Anja") == ProfileTold("Anja")
    assert club.profiles.told("Nobody") == ProfileTold("Nobody")
    told = club.show("ratings")
    assert (len(told.games), told.games[0].rank.matches, told.latest) == (1, 0, ())
    assert club.show("ratings", "results").games[0].rank.matches == 1
    told = club.show("matches")
    assert (told.games, [one.match for one in told.latest], told.latest[0].change) == ((), [match], None)
    assert club.show() == ProfileTold("Anja")


def test_a_leaderboard_names_those_alone_who_show_their_ratings(club: Club) -> None:
    club.played(START)
    assert [row.handle for row in club.profiles.board(GAME, 0, club.ms).rows] == ["", ""]
    club.show("ratings")
    told = club.profiles.board(GAME, 0, club.ms)
    assert sorted(row.handle for row in told.rows) == ["", "Anja"]
    assert (told.total, told.games, told.more) == (2, (GAME,), False)
    assert club.profiles.board("", 0, club.ms).rows == ()
    assert all(row.provisional for row in told.rows)


@pytest.mark.parametrize(
    ("result", "outcomes"),
    [
        ("seat 0: all fell", ("won", "lost")),
        ("seats 0 1: together", ("won", "won")),
        ("seat 10: far", ("lost", "lost")),
        ("draw: agreed", ("drawn", "drawn")),
        ("draw: void: no share", ("void", "void")),
        ("void: no share", ("void", "void")),
        ("draw", ("drawn", "drawn")),
        ("", ("", "")),
    ],
)
def test_a_void_match_is_never_a_draw(result: str, outcomes: tuple[str, str]) -> None:
    assert (outcome_of(result, 0), outcome_of(result, 1)) == outcomes


def test_a_void_match_is_listed_as_void_and_counted_with_no_result(club: Club) -> None:
    played, person = club.played(START), club.people[0]
    void, drawn = "A" * 22, "B" * 21 + "A"
    for match, result in ((void, "draw: void: by the host"), (drawn, "draw: agreed")):
        rows = (SeatRow(0, "Anja", "person", ""), SeatRow(1, "Bert", "person", ""))
        club.store.create(Header(match, GAME, "1", START, "", True, "finished", result), KEYS, rows, commit(match, 0))
        club.store.people.keep_seat(OwnSeatRow(person, match, 0, START), 99)
    for text in ("", "bert"):
        page = club.own_matches.page(person, "finished", text)
        outcomes = {one.match: one.outcome for one in page.matches if one.match != played}
        assert outcomes == {void: "void", drawn: "drawn"}
        assert page.counts == {"finished": 1 if text else 2, "void": 1}
