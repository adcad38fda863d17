"""The matches of a contest: every seed is played from every side, so that neither dice nor seats favour anybody."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from server.arena.bout import Bout
from server.errors import Misconfigured


def bouts(seed: int, rounds: int, entrants: int, sides: Sequence[Sequence[int]]) -> Iterator[Bout]:
    """All matches in order: in each round each group of entrants that fills the sides meets, once in each rotation.

    The matches of a group and a round have the same seed. A contest of more rounds begins with the same matches.
    Raises `Misconfigured` if the entrants do not fill the sides.
    """
    if entrants < len(sides):
        raise Misconfigured(
            f"{len(sides)} bots play each other in this match, and {entrants} take part; one may do so twice,"
            " under two names, as in first=random."
        )
    number = 0
    for turn in range(rounds):
        for group in combinations(range(entrants), len(sides)):
            shared = f"{seed}:{turn}:{'-'.join(map(str, group))}"
            for shift in range(len(sides)):
                yield Bout(number, shared, _seated(group[shift:] + group[:shift], sides))
                number += 1


def _seated(group: Sequence[int], sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """By seat, the entrant that holds it: all seats of a side."""
    held = {seat: entrant for entrant, side in zip(group, sides, strict=True) for seat in side}
    return tuple(held[seat] for seat in range(len(held)))
