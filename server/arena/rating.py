"""Ratings and their deviations: Plackett and Luce's model as `openskill` has it."""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Final

from msgspec import Struct

from server.analysis.simulation import Z95, likely
from server.arena.bout import Outcome
from server.errors import Misconfigured

DRAWN: Final = 0.5
MISSING: Final = "Ratings need the package openskill: pip install 'herald[arena]'."


class EntrantStanding(Struct, frozen=True):
    """The standing of an entrant. `rating`, with its 95 percent bounds: `low`, `high`. Nobody begins better than 25.

    `share`: matches won, a draw counting a half, with `share_low` and `share_high` (Wilson's score interval);
    `against`: the same against each other entrant, None if they have not met. `faults`: matches lost out of turn.
    """

    name: str
    rating: float
    low: float
    high: float
    matches: int
    won: int
    drawn: int
    lost: int
    share: float
    share_low: float
    share_high: float
    faults: int
    thought_ms: float
    against: tuple[float | None, ...]


def assert_rateable() -> None:
    """Raise `Misconfigured` if ratings cannot be computed, before any match is played for them."""
    if find_spec("openskill") is None:
        raise Misconfigured(MISSING)


def standings(names: Sequence[str], outcomes: Iterable[Outcome]) -> list[EntrantStanding]:
    """All entrants by rating, best first; the matches count in the order of their numbers. Raises `Misconfigured`."""
    assert_rateable()
    played = sorted(outcomes, key=lambda outcome: outcome.number)
    ratings = _ratings(len(names), played)
    found = [_standing(names, entrant, played, *ratings[entrant]) for entrant in range(len(names))]
    return sorted(found, key=lambda standing: (-standing.rating, standing.name))


def places_of(outcome: Outcome) -> dict[int, int]:
    """Each entrant's place in a match, from 1: that of the best of its seats."""
    places: dict[int, int] = {}
    for place, seats in enumerate(outcome.places, 1):
        for seat in seats:
            places.setdefault(outcome.seats[seat], place)
    return places


def _ratings(entrants: int, played: Sequence[Outcome]) -> list[tuple[float, float]]:
    """Mean and deviation of each entrant."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - an extra, which who plays no contest need not have

    model = PlackettLuce(tau=0.0)  # a bot plays as well at the end as at the beginning
    ratings = [model.rating() for _ in range(entrants)]
    for outcome in played:
        places = places_of(outcome)
        rated = model.rate([[ratings[entrant]] for entrant in places], ranks=[float(rank) for rank in places.values()])
        for entrant, (rating,) in zip(places, rated, strict=True):
            ratings[entrant] = rating
    return [(rating.mu, rating.sigma) for rating in ratings]


def _standing(
    names: Sequence[str], entrant: int, played: Sequence[Outcome], mean: float, deviation: float
) -> EntrantStanding:
    mine = [outcome for outcome in played if entrant in outcome.seats]
    scores = [_score(outcome, entrant) for outcome in mine]
    share, low, high = band(sum(scores), len(scores))
    spent = sum(outcome.thought_s[seat] for outcome in mine for seat in _seats(outcome, entrant))
    return EntrantStanding(
        names[entrant],
        mean,
        mean - Z95 * deviation,
        mean + Z95 * deviation,
        len(mine),
        scores.count(1.0),
        scores.count(DRAWN),
        scores.count(0.0),
        share,
        low,
        high,
        sum(any(outcome.seats[fault.seat] == entrant for fault in outcome.faults) for outcome in mine),
        spent / len(mine) * 1000 if mine else 0.0,
        tuple(_against(mine, entrant, other) for other in range(len(names))),
    )


def _seats(outcome: Outcome, entrant: int) -> list[int]:
    return [seat for seat, holder in enumerate(outcome.seats) if holder == entrant]


def _score(outcome: Outcome, entrant: int) -> float:
    """1 for a first place alone, a half for a shared first place, otherwise 0."""
    places = places_of(outcome)
    if places[entrant] > 1:
        return 0.0
    return 1.0 if sum(place == 1 for place in places.values()) == 1 else DRAWN


def _against(mine: Sequence[Outcome], entrant: int, other: int) -> float | None:
    """How often one entrant was placed before the other one, a draw counting a half."""
    met = [places_of(outcome) for outcome in mine if other != entrant and other in outcome.seats]
    if not met:
        return None
    return sum(DRAWN if one[entrant] == one[other] else float(one[entrant] < one[other]) for one in met) / len(met)


def band(score: float, of: int) -> tuple[float, float, float]:
    """A share, and the 95 percent bounds that it would have if the matches were unlimited (Wilson's score interval)."""
    if not of:
        return 0.0, 0.0, 1.0
    return (score / of, *likely(score / of, of))
