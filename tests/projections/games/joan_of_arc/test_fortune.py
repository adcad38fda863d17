"""How the dice fell: each by what the rules want of it, and as often as its faces say."""

from collections import defaultdict

import pytest

from domain.joan_of_arc.cards.dice import FACES, Die, Face
from domain.joan_of_arc.game import GAME
from domain.joan_of_arc.state.attack_events import DiceRerolled
from domain.kernel import DiceRolled, Event, Seat
from projections.dice_odds import Try
from projections.games.joan_of_arc.fortune import tries
from scripts.benchmarks.matches import play
from server.analysis.luck import luck


def roll(rule: str, *dice: tuple[Die, Face], seat: int | None = 0) -> DiceRolled:
    values = tuple(FACES[die].index(face) + 1 for die, face in dice)
    kinds = tuple(die for die, _ in dice)
    return DiceRolled(rule, "", 1, "", 6, values, None if seat is None else Seat(seat), kinds=kinds)


@pytest.mark.parametrize(
    ("rule", "die", "chances", "wanted"),
    [
        ("JA-107", "red", 5, "kill disrupt push"),
        ("JA-107", "black", 3, "kill disrupt"),
        ("JA-107", "gigantic", 6, "kill disrupt push trample"),
        ("JA-108", "black", 3, "shield"),
        ("JA-108", "red", 1, "shield"),
        ("JA-108", "gigantic", 0, ""),
        ("JA-225", "doom", 3, "rally delayed_rally"),
        ("JA-288", "black", 3, "shield"),
        ("JA-293", "black", 3, "shield"),
        ("JA-340", "yellow", 3, "shield blank"),
    ],
)
def test_a_die_has_to_show_what_the_rules_want_of_its_roll(rule: str, die: Die, chances: int, wanted: str) -> None:
    for face in set(FACES[die]):
        assert list(tries([roll(rule, (die, face))])) == [Try(0, chances / 6, face in wanted.split())]


@pytest.mark.parametrize("rule", ["JA-160", "JA-240", "JA-324"])
def test_a_roll_whose_faces_a_card_or_its_victim_values_says_nothing(rule: str) -> None:
    assert list(tries([roll(rule, ("red", Face.KILL))])) == []


def test_a_roll_of_nobody_says_nothing() -> None:
    assert list(tries([roll("JA-108", ("black", Face.SHIELD), seat=None)])) == []


@pytest.mark.parametrize(("of", "did"), [("attack", False), ("defence", True)])
def test_a_die_that_is_rolled_again_counts_once_more_by_the_roll_that_it_lies_in(of: str, *, did: bool) -> None:
    again = DiceRerolled(of, (0,), (Face.SHIELD,), "token")  # type: ignore[arg-type]
    events: list[Event] = [roll("JA-107", ("black", Face.KILL)), roll("JA-Q77", ("black", Face.SHIELD)), again]
    assert [one.did for one in tries(events)] == [True, did]
    assert [one.did for one in tries([events[1], events[0]])] == [True], "of what it was is not told"


def test_over_many_dice_as_many_did_as_were_to_be_expected() -> None:
    found = [one for seed in range(40) for one in tries(play(GAME, seed).events)]
    for fortune in luck(found, 2):
        assert fortune.dice > 200
        assert abs(fortune.surplus) < 4
    by_chance: dict[float, list[bool]] = defaultdict(list)
    for one in found:
        by_chance[one.chance].append(one.did)
    assert len(by_chance) >= 4
    assert not any(by_chance[0.0])
