"""Dice against the odds: from two standard deviations on, and never a single die."""

import pytest

from domain.kernel import DiceRolled, Seat
from projections.dice_odds import Try, against_odds, needed, with_odds


def tries(did: int, missed: int, chance: float) -> list[Try]:
    return [Try(0, chance, did=True)] * did + [Try(0, chance, did=False)] * missed


@pytest.mark.parametrize(
    ("did", "missed", "chance", "odds"),
    [
        (4, 0, 0.5, (4, 4, 2.0)),
        (3, 0, 0.5, None),
        (0, 4, 0.5, (0, 4, 2.0)),
        (1, 3, 0.5, None),
        (1, 1, 1 / 6, None),
        (2, 0, 1 / 6, (2, 2, 0.3)),
        (1, 0, 0.01, None),
        (3, 0, 1.0, None),
        (0, 0, 0.5, None),
    ],
)
def test_dice_are_against_the_odds_from_two_standard_deviations_on(
    did: int, missed: int, chance: float, odds: tuple[int, int, float] | None
) -> None:
    assert against_odds(tries(did, missed, chance)) == odds


def test_the_cue_of_a_roll_tells_of_the_odds_and_no_other_cue_does() -> None:
    cues = [{"k": "pulse", "ref": "a"}, {"k": "roll", "zone": "tray"}]
    assert with_odds(cues, tries(4, 0, 0.5)) == [cues[0], {**cues[1], "odds": [4, 4, 2.0]}]
    assert with_odds(cues, tries(2, 2, 0.5)) == cues


def test_a_roll_says_what_its_dice_need() -> None:
    roll = DiceRolled("X-1", "", 1, "", 6, (6, 6, 6), Seat(0), needs=(6, 6, 6))
    assert against_odds([*needed([roll])]) == (3, 3, 0.5)
