"""What would have been better: which answers of a match are looked at."""

from itertools import pairwise

import pytest

from server.analysis.simulation import thinned


@pytest.mark.parametrize("of", [0, 1, 39, 40, 41, 79, 80, 400])
def test_of_many_answers_some_are_looked_at_evenly_from_the_first_to_the_last(of: int) -> None:
    found = thinned(range(of), 40)
    assert len(found) == min(of, 40)
    if of:
        assert (found[0], found[-1]) == (0, of - 1)
    apart = {later - one for one, later in pairwise(found)}
    assert not apart or max(apart) - min(apart) <= 1


def test_one_alone_is_the_first() -> None:
    assert thinned(range(9), 1) == [0]
