"""Which matches count for ratings: each condition alone keeps an otherwise good match from counting."""

import pytest

from domain.kernel import Abandon, Draw, Replace, Resigned, Seat, TakeBack
from domain.kernel.history import pauses
from domain.kernel.state import Result, result_of
from replay.ratings.counting import Ending, ending_of, places_of, rated_result
from replay.ratings.results import check, hidden_head, hidden_match
from replay.record import sealing
from replay.record.serverkey import KeyRing, ServerKey
from replay.store.memory import MemoryStore
from tests.replay.ratings.rated_matches import RatedMatch
from tests.skirmish.game import GAME

DAY_MS = 86_400_000
PLAYERS = ("ann", "ben")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return KeyRing(tmp_path_factory.mktemp("keys")).current


@pytest.fixture
def match(key: ServerKey) -> RatedMatch:
    return RatedMatch(MemoryStore(), key.stamp)


def ending(match: RatedMatch) -> Ending:
    return ending_of(GAME, match.whole())


def test_a_match_that_was_created_as_rated_and_played_to_its_end_counts(match: RatedMatch, key: ServerKey) -> None:
    match.finished()
    found = ending_of(GAME, match.whole(), [key.public])
    assert found.why_not == ""
    won = match.referee.state.result.won
    assert found.places == ((1, 2) if won == (0,) else (2, 1) if won == (1,) else (1, 1))
    assert (found.seq, found.head) == (match.referee.seq, sealing.b64(match.referee.head))
    assert found.end_ms == match.referee.at
    result = rated_result(found, PLAYERS)
    assert not isinstance(result, str)
    check(result)
    assert result.sides == (("ann",), ("ben",))


def test_a_resignation_and_a_draw_by_agreement_count(key: ServerKey) -> None:
    for how, places in (("resigned", (2, 1)), ("drawn", (1, 1))):
        match = RatedMatch(MemoryStore(), key.stamp)
        match.choose(6)
        if how == "resigned":
            match.act(Resigned(Seat(0)))
        else:
            match.agree(Draw())
        assert (ending(match).why_not, ending(match).places) == ("", places)


def test_a_choice_of_each_seat_is_needed(match: RatedMatch) -> None:
    match.act(Resigned(Seat(0)))
    assert "made no choice" in ending(match).why_not


def test_an_abandoned_match_does_not_count(match: RatedMatch) -> None:
    match.choose(6)
    match.agree(Abandon())
    assert ending(match).why_not == "it is void: abandoned"


def test_a_match_that_goes_on_does_not_count(match: RatedMatch) -> None:
    match.choose(6)
    assert ending(match).why_not == "it is not over"


def test_a_match_that_was_not_created_as_rated_does_not_count(key: ServerKey) -> None:
    match = RatedMatch(MemoryStore(), key.stamp, rated=False)
    assert ending(match.finished()).why_not == "it was not created as rated"


def test_chance_that_the_server_could_have_chosen_does_not_count(key: ServerKey) -> None:
    match = RatedMatch(MemoryStore(), key.stamp, kinds=("bot", "bot"))
    assert ending(match.finished()).why_not.startswith("nobody can verify its chance: shares of the server alone")


def test_a_match_against_a_bot_counts_with_the_share_of_the_person(key: ServerKey) -> None:
    match = RatedMatch(MemoryStore(), key.stamp, kinds=("person", "bot"))
    assert (ending(match.finished()).why_not, ending(match).kinds) == ("", ("person", "bot"))


def test_a_match_whose_last_line_nobody_signed_does_not_count() -> None:
    match = RatedMatch(MemoryStore(), None)
    assert ending(match.finished()).why_not == "the server has not signed its last line and its time"


def test_a_match_in_which_a_bot_took_a_seat_does_not_count(match: RatedMatch) -> None:
    match.choose(6)
    match.agree(Replace(Seat(1)))
    assert ending(match.finished()).why_not == "a bot has taken the place of seat 2"


@pytest.mark.parametrize(("since_chance", "counts"), [(True, True), (False, False)], ids=["behind it", "before it"])
def test_play_that_is_taken_back_counts_only_back_to_where_chance_was_drawn(
    match: RatedMatch, *, since_chance: bool, counts: bool
) -> None:
    match.choose(1)
    for _ in range(200):
        match.choose(1)
        kinds = [type(event).__name__ for event in match.past()]
        drawn = max(i for i, kind in enumerate(kinds, 1) if kind in ("DiceRolled", "Shuffled"))
        places = [line for line in pauses(GAME, match.past()) if "Chosen" in kinds[line:]]
        fitting = [line for line in places if (line >= drawn) is since_chance]
        if fitting:
            match.agree(TakeBack(fitting[-1]))
            break
    else:
        pytest.fail("no such place in the match")
    why_not = ending(match.finished()).why_not
    assert ("takes play back to before chance" in why_not) is not counts


def test_a_record_with_another_byte_does_not_count(match: RatedMatch) -> None:
    record = match.finished().whole()
    last = record.held[-2]
    record.held[-2] = type(last)(last.line.replace(b'"', b"'", 1), last.openings)
    assert ending_of(GAME, record).why_not.startswith("its audit finds a fault: line ")


def test_a_match_of_a_key_that_is_not_the_servers_does_not_count(match: RatedMatch) -> None:
    found = ending_of(GAME, match.finished().whole(), [bytes(32)])
    assert found.why_not.startswith("its audit finds a fault")


def test_a_guest_and_a_player_on_two_sides_keep_a_match_from_counting(match: RatedMatch) -> None:
    found = ending(match.finished())
    assert rated_result(found, ("ann", "")) == "seat 2 is a guest's"
    assert rated_result(found, ("ann", "ann")) == "a player sits on two sides"


def test_an_unlisted_match_counts_at_the_end_of_its_day_and_is_not_told(match: RatedMatch) -> None:
    found = ending(match.finished())
    result = rated_result(found, PLAYERS, unlisted=True)
    assert not isinstance(result, str)
    check(result)
    mid, head = sealing.unb64(found.match), sealing.unb64(found.head)
    assert (result.match, result.head) == (hidden_match(mid), hidden_head(mid, head))
    assert (result.seq, result.signed) == (0, "")
    assert result.end_ms % DAY_MS == 0
    assert 0 < result.end_ms - found.end_ms <= DAY_MS


SIDES = ((Seat(0), Seat(2)), (Seat(1), Seat(3)))
ALONE = tuple((Seat(seat),) for seat in range(3))


@pytest.mark.parametrize(
    ("result", "sides", "places"),
    [
        (Result(0, ""), SIDES, (1, 2)),
        (result_of([Seat(1), Seat(3)], ""), SIDES, (2, 1)),
        (Result(None, "draw"), SIDES, (1, 1)),
        (Result(2, ""), ALONE, (2, 2, 1)),
        (result_of([Seat(0), Seat(1)], ""), ALONE, (1, 1, 2)),
        (result_of([Seat(1)], "", ranking=[[Seat(1)], [Seat(2)], [Seat(0)]]), ALONE, (3, 1, 2)),
        (result_of([Seat(1)], "", ranking=[[Seat(1)], [Seat(0), Seat(2)]]), ALONE, (2, 1, 2)),
        (result_of([Seat(1)], "", ranking=[[Seat(1)]]), ALONE, (2, 1, 2)),
    ],
)
def test_a_side_comes_in_with_the_best_of_its_seats(
    result: Result, sides: tuple[tuple[Seat, ...], ...], places: tuple[int, ...]
) -> None:
    assert places_of(result, sides) == places


def test_a_bot_that_shares_a_side_with_itself_counts_there_once() -> None:
    found = Ending("A" * 22, "joan", "", 5, 9, "", "", SIDES, (1, 2), ("bot", "person", "bot", "person"))
    result = rated_result(found, ("bot:steady", "ann", "bot:steady", "ben"))
    assert not isinstance(result, str)
    assert result.sides == (("bot:steady",), ("ann", "ben"))
