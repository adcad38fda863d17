"""Statistics: counts that add up, and a chi-square tail that agrees with printed tables."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import BranchOpened, DiceRolled, Game, Part, Seat
from domain.vera_discordia import GAME as VERA
from domain.war_for_edadh.state.events import BlowResolved, DamageTaken, RoundEnded
from projections.plain import plain_face
from projections.registry import faces
from replay.playback.seek import Replay
from replay.queries.statistics import Tally, chi_square_tail, count_match, fairness, quartiles, rows_cited
from tests.replay.matches import played
from tests.skirmish.game import GAME as SKIRMISH


@pytest.mark.parametrize(
    ("freedom", "chi", "tail"),
    [(1, 3.841, 0.05), (2, 5.991, 0.05), (5, 11.070, 0.05), (5, 15.086, 0.01), (7, 14.067, 0.05), (10, 18.307, 0.05)],
)
def test_the_tail_agrees_with_the_printed_table(freedom: int, chi: float, tail: float) -> None:
    assert chi_square_tail(chi, freedom) == pytest.approx(tail, abs=1e-4)


def test_the_tail_is_one_at_nought_and_falls() -> None:
    assert chi_square_tail(0, 5) == 1.0
    assert chi_square_tail(1, 0) == 1.0
    tails = [chi_square_tail(chi, 5) for chi in (0.5, 1, 2, 5, 10, 50)]
    assert tails == sorted(tails, reverse=True)


def test_even_dice_are_fair_and_loaded_ones_are_not() -> None:
    assert fairness(6, Counter(dict.fromkeys(range(1, 7), 100))).p == 1.0
    assert fairness(6, Counter({1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 100})).p < 0.001
    assert fairness(6, Counter()).dice == 0


def replay_of(seed: int, game: Game[Any], most: int = 10_000) -> Replay[Any]:
    store, referee = played(seed, game=game, most=most)
    face = faces()[game.name] if game.name in faces() else plain_face(game)
    return Replay.of_store(face, store, referee.match)


def test_a_tally_counts_what_the_matches_hold() -> None:
    tally = Tally()
    dice = 0
    for seed in (1, 2, 3):
        replay = replay_of(seed, SKIRMISH)
        dice += sum(len(event.dice) for event in replay.events if isinstance(event, DiceRolled))
        tally.add(count_match(replay))
    assert tally.matches == len(tally.lines) == 3
    assert sum(tally.endings.values()) == 3
    assert sum(number for faces in tally.faces.values() for number in faces.values()) == dice
    assert sum(tally.played.values()) == 6
    assert sum(tally.won.values()) == sum(tally.seats.values()) <= 3


def test_a_match_that_goes_on_has_no_winner_but_counts() -> None:
    count = count_match(replay_of(1, SKIRMISH, most=2))
    assert (count.winner, count.reason, count.ended) == (None, None, None)
    assert sum(count.choices) == 2
    tally = Tally()
    tally.add(count)
    assert tally.matches == 1
    assert not tally.played


def test_what_a_player_plays_comes_from_the_games_face() -> None:
    replay = replay_of(5, VERA)
    count = count_match(replay)
    assert [set(side) for side in count.sides] == [{"faction", "General"}] * 2
    tally = Tally()
    tally.add(count)
    assert sum(won for (what, _), (won, _) in tally.sides.items() if what == "General") == (count.winner is not None)
    assert sum(played for (what, _), (_, played) in tally.sides.items() if what == "faction") == 2
    assert count_match(replay_of(1, SKIRMISH)).sides == ({}, {})


def test_quartiles_of_nothing_are_noughts() -> None:
    assert quartiles([]) == (0, 0, 0)
    assert quartiles([3, 1, 2]) == (1, 2, 3)


def test_of_a_branch_only_the_dice_count() -> None:
    whole = replay_of(1, SKIRMISH)
    events = whole.events
    tally = Tally()
    tally.add(count_match(Replay(whole.face, [events[0], BranchOpened("x", 9, "", "all"), *events[1:]])))
    assert (tally.matches, tally.branches, tally.endings, tally.lines) == (0, 1, Counter(), [])
    assert tally.faces[6].total() == sum(len(event.dice) for event in events if isinstance(event, DiceRolled))


def test_the_rows_of_an_event_and_of_its_parts_are_counted_once() -> None:
    part = Part("WE-087", 9, "Attack Damage")
    assert list(rows_cited(RoundEnded(1))) == []
    assert list(rows_cited(DamageTaken(Seat(0), 9, 9, (part,)))) == ["WE-087"]
    assert list(rows_cited(BlowResolved(Seat(0), "WE-087", 7, 4, parts=(part,)))) == ["WE-087"]


def test_a_match_that_is_void_is_nobodys_draw_and_one_that_never_began_is_none() -> None:
    count = count_match(replay_of(1, SKIRMISH))
    tally = Tally()
    tally.add(replace(count, winner=None, winners=(), reason="void: abandoned"))
    assert (tally.matches, tally.endings["void: abandoned"]) == (1, 1)
    assert not tally.played
    assert not tally.sides
    tally.add(replace(count, begun=None, ended=None, winner=None, winners=(), reason=None))
    assert tally.matches == 1
