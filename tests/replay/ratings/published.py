"""The formulas that docs/ratings.md publishes, implemented a second time: with fifty digits, without `replay.ratings`.

It reads a file of ratings as plain JSON and gives every rating and deviation. It is slow and short, so that anybody
can compare it with the page.
"""

import json
from collections.abc import Iterable
from decimal import ROUND_FLOOR, Decimal, getcontext
from typing import Any

getcontext().prec = 50
D = Decimal
MEAN, DEVIATION, BETA, KAPPA, DRIFT = D(1500), D(250), D(125), D("0.0001"), D(25)
DAY = 86_400_000


def grid(value: Decimal) -> Decimal:
    """To thousandths, halves up."""
    return (value * 1000 + D("0.5")).to_integral_value(ROUND_FLOOR) / 1000


def variance(deviation: Decimal, days: int) -> Decimal:
    return min(DEVIATION**2, deviation**2 + DRIFT * days)


def weng_lin(teams: list[list[tuple[Decimal, Decimal]]], ranks: list[int]) -> list[list[tuple[Decimal, Decimal]]]:
    """Algorithm 4 over means and variances; a team is the average of its members."""
    k = range(len(teams))
    theta = [sum((m for m, _ in team), D(0)) / len(team) for team in teams]
    spread = [sum((v for _, v in team), D(0)) / len(team) ** 2 for team in teams]
    c = sum((v + BETA**2 for v in spread), D(0)).sqrt()
    e = [(t / c).exp() for t in theta]
    behind = [sum((e[s] for s in k if ranks[s] >= ranks[q]), D(0)) for q in k]
    tied = [sum(1 for s in k if ranks[s] == ranks[q]) for q in k]
    made = []
    for i, team in enumerate(teams):
        ahead = [q for q in k if ranks[q] <= ranks[i]]
        p = {q: e[i] / behind[q] for q in ahead}
        omega = sum((((1 if q == i else 0) - p[q]) / tied[q] for q in ahead), D(0))
        eta = sum((p[q] * (1 - p[q]) / tied[q] for q in ahead), D(0)) * spread[i].sqrt() / c
        n = len(team)
        made.append([(m + v / n * omega / c, v * max(1 - v / n**2 * eta / c**2, KAPPA)) for m, v in team])
    return made


def recomputed(lines: Iterable[bytes]) -> dict[tuple[str, str], tuple[int, int]]:
    """Every player's rating and deviation, in thousandths, from the lines of a file."""
    players: dict[tuple[str, str], tuple[Decimal, Decimal, int]] = {}
    met: dict[tuple[Any, ...], int] = {}
    at = 0
    for line in map(json.loads, lines):
        if line["t"] == "ratings":
            at = line["at_ms"] // DAY
        elif line["t"] == "result":
            take(line["result"], players, met)
    return {
        player: (int(mean * 1000), int(grid(variance(deviation, at - day).sqrt()) * 1000))
        for player, (mean, deviation, day) in players.items()
    }


def take(
    result: dict[str, Any],
    players: dict[tuple[str, str], tuple[Decimal, Decimal, int]],
    met: dict[tuple[Any, ...], int],
) -> None:
    game, day = result["game"], result["end_ms"] // DAY
    names = [[(game, name) for name in side] for side in result["sides"]]
    pair = (game, day, *sorted(name for side in result["sides"] for name in side))
    met[pair] = met.get(pair, 0) + 1
    if met[pair] > 5:
        return
    before = [[players.get(name, (MEAN, DEVIATION, day)) for name in side] for side in names]
    teams = [[(mean, variance(deviation, day - since)) for mean, deviation, since in side] for side in before]
    for side, made in zip(names, weng_lin(teams, result["places"]), strict=True):
        for name, (mean, v) in zip(side, made, strict=True):
            players[name] = grid(mean), grid(v.sqrt()), day
