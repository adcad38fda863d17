"""How positions stand is learned from matches: what is worth more, and what is worth more late in a match."""

import random
from collections.abc import Iterator

import pytest

from projections.registry import games
from scripts.judgements import Example, examples, learned

USUAL = 100


def made(matches: int) -> Iterator[Example]:
    """Matches in which gold decides late and swords decide early; a coin is thrown for the rest."""
    source = random.Random(1)
    for match in range(matches):
        numbers = {"gold": source.choice((-1.0, 1.0)), "swords": source.choice((-1.0, 1.0)), "coin": 1.0}
        for number in (1, USUAL):
            worth = numbers["gold"] if number == USUAL else numbers["swords"]
            won = float(worth > 0) if source.random() < 0.9 else float(worth < 0)
            yield Example(match, numbers, won, number, USUAL)


def test_a_number_may_be_worth_more_the_longer_a_match_has_lasted() -> None:
    judgement = learned(list(made(2_000)), 2_000)
    early = {name: judgement.weights[name] for name in ("gold", "swords")}
    late = {name: weight + judgement.later[name] for name, weight in early.items()}
    assert early == {"gold": pytest.approx(0, abs=0.3), "swords": pytest.approx(2.2, abs=0.5)}
    assert late == {"gold": pytest.approx(2.2, abs=0.5), "swords": pytest.approx(0, abs=0.3)}
    assert judgement.length == USUAL
    assert judgement.loss == pytest.approx(0.325, abs=0.05), "as good as can be where one in ten goes wrong"


@pytest.mark.parametrize("name", [*games()])
def test_a_match_gives_positions_with_their_number_and_how_it_ended(name: str) -> None:
    found = list(examples(games()[name], 3, 1))
    assert 0 < len(found) <= 20
    assert {example.match for example in found} == {3}
    assert all(1 <= example.number <= example.length for example in found)
    assert len({(example.won, example.length) for example in found}) == 1
