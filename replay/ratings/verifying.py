"""Verifies a file of ratings: every result is signed, every standing is exact to the digit, and given records fit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from domain.kernel import Game
from replay.files.export import Record
from replay.ratings import dump
from replay.ratings.counting import Ending, ending_of, rated_result
from replay.ratings.errors import RatingsInvalid
from replay.ratings.fold import Ratings, Standing
from replay.ratings.results import BOT, RatedResult, hidden_match
from replay.record import sealing
from replay.record.serverkey import PUBLIC_BYTES, fingerprint, is_stamped

TIME_BYTES: Final = 8
Records = Iterable[tuple[str, Record]]


class RatingsReport(Struct):
    """The findings on a file of ratings. `fault`: the first difference, empty if there is none.

    `audited`: results with a given record that fits; `left_out`: given records that count but are missing from the
    file. `unproven`: claims that the file cannot prove.
    """

    at_ms: int = 0
    results: int = 0
    passed_over: int = 0
    unlisted: int = 0
    players: int = 0
    audited: int = 0
    signed: str = ""
    """The fingerprint of the key that signed the file."""
    fault: str = ""
    left_out: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.fault


def verify(
    path: Path,
    games: Mapping[str, Game[Any]],
    trusted: Sequence[bytes] = (),
    records: Records = (),
    former: Path | None = None,
) -> RatingsReport:
    """Recompute everything in a file. `trusted`: public keys, one of which must have signed each thing; any key if none
    is named. `records`: names and records to audit. `former`: an earlier file, whose results must all be there.

    Raises `OSError` for a file that cannot be read.
    """
    report = RatingsReport()
    try:
        _verify(path, games, trusted, records, report)
        if former is not None:
            _compare_former(former, path)
    except RatingsInvalid as wrong:
        report.fault = str(wrong)
    return report


def _verify(
    path: Path, games: Mapping[str, Game[Any]], trusted: Sequence[bytes], records: Records, report: RatingsReport
) -> None:
    endings = dict(_endings(games, trusted, records, report))
    hidden = {hidden_match(sealing.unb64(match)): match for match in endings}
    keys: set[bytes] = set()
    ratings = Ratings()
    with dump.opened(path) as held:
        report.at_ms = held.at_ms
        for result in held.results():
            ratings.add(result)
            found = endings.pop(hidden.get(result.match, result.match), None)
            _check_result(held.number, result, found, trusted, keys, report)
        report.passed_over = ratings.passed_over
        _compare_standings(held, ratings, report)
        key = held.key()
        report.signed = fingerprint(key)
        if trusted and key not in trusted:
            raise RatingsInvalid(f"the file is signed with the key {report.signed}, which was not named")
    report.left_out = [
        f"{name}: match {ending.match}"
        for name, ending in endings.values()
        if not ending.why_not and ending.end_ms <= report.at_ms
    ]
    _tell_unproven(keys - {key}, trusted, report)


def _endings(
    games: Mapping[str, Game[Any]], trusted: Sequence[bytes], records: Records, report: RatingsReport
) -> Iterator[tuple[str, tuple[str, Ending]]]:
    """The name and the ending of each record, by its match."""
    for name, record in records:
        game = games.get(record.game)
        if game is None:
            report.unproven.append(f"{name}: whether it fits; there is no game {record.game!r} here")
            continue
        ending = ending_of(game, record, trusted)
        yield ending.match, (name, ending)


def _check_result(
    number: int,
    result: RatedResult,
    found: tuple[str, Ending] | None,
    trusted: Sequence[bytes],
    keys: set[bytes],
    report: RatingsReport,
) -> None:
    report.results += 1
    report.unlisted += result.unlisted
    why = "" if result.unlisted else _signature_fault(result, trusted, keys)
    if not why and found is not None:
        why = _record_fault(result, *found)
        report.audited += 1
    if why:
        raise RatingsInvalid(f"line {number}, match {result.match}: {why}")


def _signature_fault(result: RatedResult, trusted: Sequence[bytes], keys: set[bytes]) -> str:
    """The reason why the server's signature does not prove a listed result; empty if it does."""
    mid, head, signed = (sealing.unb64(text) for text in (result.match, result.head, result.signed))
    at, stamp = int.from_bytes(signed[:TIME_BYTES], "big"), signed[TIME_BYTES:]
    key = stamp[:PUBLIC_BYTES]
    keys.add(key)
    if not is_stamped(sealing.checkpoint_message(mid, result.seq, head, at), stamp):
        return "the server's signature is not for this end"
    if at != result.end_ms:
        return f"it was signed at {at}, and is said to end at {result.end_ms}"
    if trusted and key not in trusted:
        return f"it is signed with the key {fingerprint(key)}, which was not named"
    return ""


def _record_fault(result: RatedResult, name: str, ending: Ending) -> str:
    """The reason why the record of a match does not fit a result; empty if it does."""
    if ending.why_not:
        return f"{name} does not count: {ending.why_not}"
    seats = [f"{kind}.{seat}" for seat, kind in enumerate(ending.kinds)]
    made = rated_result(ending, seats, unlisted=result.unlisted)
    if isinstance(made, str):
        return f"{name} does not count: {made}"
    for each in ("game", "end_ms", "seq", "head", "places"):
        if getattr(made, each) != getattr(result, each):
            return f"{name} has {each} {getattr(made, each)}, the file {getattr(result, each)}"
    if len(made.sides) != len(result.sides):
        return f"{name} has {len(made.sides)} sides, the file {len(result.sides)}"
    for seats_there, players in zip(ending.sides, result.sides, strict=True):
        kinds = {ending.kinds[seat] for seat in seats_there}
        if {"bot" if player.startswith(BOT) else "person" for player in players} != kinds:
            return f"{name} has {' and '.join(sorted(kinds))} where the file has {', '.join(players)}"
        if len(players) > len(seats_there):
            return f"{name} has {len(seats_there)} seats where the file has {', '.join(players)}"
    return ""


def _compare_standings(held: dump.Dump, ratings: Ratings, report: RatingsReport) -> None:
    for made, told in zip_longest(ratings.standings(held.at_ms), held.standings()):
        report.players += made is not None
        if made != told:
            raise RatingsInvalid(f"line {held.number}: {_difference(made, told)}")


def _difference(made: Standing | None, told: Standing | None) -> str:
    if made is None or told is None or (made.game, made.player) != (told.game, told.player):
        return f"{_named(told)} stands where the results give {_named(made)}"
    for each in ("rating", "deviation", "matches", "won", "drawn"):
        one, other = getattr(told, each), getattr(made, each)
        if one != other:
            return f"{_named(told)} has the {each} {one}; the results give {other}"
    return ""


def _named(standing: Standing | None) -> str:
    return "nothing" if standing is None else f"{standing.player[:80]} in {standing.game[:80]}"


def _compare_former(former: Path, path: Path) -> None:
    with dump.opened(former) as before, dump.opened(path) as now:
        if before.at_ms > now.at_ms:
            raise RatingsInvalid("the former file is the later one")
        there = now.results()
        for result in before.results():
            found = next((one for one in there if one.key >= result.key), None)
            if found is None or found != result:
                raise RatingsInvalid(f"the result of match {result.match} in the former file is gone, or another one")
        for _ in before.standings():
            pass
        before.key()


def _tell_unproven(others: set[bytes], trusted: Sequence[bytes], report: RatingsReport) -> None:
    report.unproven.append("whose the names of players are: that is the server's word")
    if report.results > report.audited:
        report.unproven.append(
            f"of {report.results - report.audited} of the results, that they count and have these places:"
            " their records were not there"
        )
    if report.unlisted:
        report.unproven.append(
            f"of {report.unlisted} of the results, that they are of a match: it is unlisted, and only its"
            " players can tell"
        )
    if not trusted:
        report.unproven.append("whose key has signed: name the server's public key to compare")
    if others:
        known = ", ".join(sorted(map(fingerprint, others)))
        report.unproven.append(f"that the keys {known}, which signed results, are the server's too")
