"""What processes have told of their counters is there after them, whole, whenever they end."""

import os

import pytest

from server.operations.shared_counters import HALF, HEAD, SharedCounters


def told(tallies: SharedCounters, place: int) -> str | None:
    last = tallies.last(place)
    return None if last is None else last.page


def test_the_last_page_of_each_is_there() -> None:
    tallies = SharedCounters(3)
    for number in range(5):
        tallies.keep(1, f"page {number}")
        assert told(tallies, 1) == f"page {number}"
    tallies.keep(2, "")
    assert (told(tallies, 0), told(tallies, 2)) == (None, "")


@pytest.mark.parametrize(("size", "is_kept"), [(HALF - HEAD.size, True), (HALF - HEAD.size + 1, False)])
def test_a_page_has_a_greatest_length_and_is_in_nobody_elses_way(size: int, *, is_kept: bool) -> None:
    tallies = SharedCounters(3)
    for place in (0, 2):
        tallies.keep(place, "short")
        tallies.keep(place, "short too")
    tallies.keep(1, "before")
    tallies.keep(1, "x" * size)
    assert told(tallies, 1) == ("x" * size if is_kept else "before")
    assert told(tallies, 0) == told(tallies, 2) == "short too"


def test_a_process_that_is_gone_has_left_its_page_and_another_goes_on_in_its_place() -> None:
    tallies = SharedCounters(2)
    child = os.fork()
    if not child:
        tallies.keep(1, "of the child")
        os._exit(0)
    os.waitpid(child, 0)
    last = tallies.last(1)
    assert last is not None
    assert (last.page, last.process, last.is_over) == ("of the child", child, True)
    tallies.keep(1, "of the next")
    last = tallies.last(1)
    assert last is not None
    assert (last.page, last.is_over) == ("of the next", False)


@pytest.mark.parametrize("at", [0, 8, 16, 20, HEAD.size, HEAD.size + 3])
def test_of_a_page_that_was_half_written_the_one_before_is_told_and_the_next_takes_its_place(at: int) -> None:
    tallies = SharedCounters(1)
    for number in (1, 2, 3):
        tallies.keep(0, f"page {number}")
    # Odd numbers stand in the second half.
    tallies._memory[HALF + at] ^= 0xFF
    assert told(tallies, 0) == "page 2"
    tallies.keep(0, "page 3 again")
    assert told(tallies, 0) == "page 3 again"
