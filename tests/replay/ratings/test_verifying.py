"""A file of ratings holds, or its first difference is named; records beside it are audited."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from replay.ratings import dump
from replay.ratings.counting import ending_of, rated_result
from replay.ratings.results import RatedResult
from replay.ratings.verifying import RatingsReport, verify
from replay.record import sealing
from replay.record.serverkey import KeyRing, ServerKey
from replay.store.memory import MemoryStore
from tests.replay.ratings.invented import START_MS, many, result
from tests.replay.ratings.published import recomputed
from tests.replay.ratings.rated_matches import GAMES, RatedMatch
from tests.skirmish.game import GAME

DAY_MS = 86_400_000
AT = START_MS + 1000 * DAY_MS


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return KeyRing(tmp_path_factory.mktemp("keys")).current


@pytest.fixture(scope="module")
def match(key: ServerKey) -> RatedMatch:
    return RatedMatch(MemoryStore(), key.stamp).finished()


def of(match: RatedMatch, **changed: Any) -> RatedResult:
    made = rated_result(ending_of(GAME, match.whole()), ("ann", "ben"), unlisted=changed.pop("unlisted", False))
    assert isinstance(made, RatedResult)
    return replace(made, **changed)


def written(folder: Path, results: list[RatedResult], key: ServerKey, at_ms: int = AT) -> Path:
    path = folder / "ratings.jsonl"
    path.write_bytes(b"".join(dump.write(results, at_ms, key.stamp)))
    return path


def changed(path: Path, key: ServerKey, change: Callable[[list[Any]], object]) -> Path:
    """The file as a server would write it that lies: other lines, all else fitting."""
    lines: list[Any] = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()][:-1]
    change(lines)
    data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    end = hashlib.sha256(data).digest()
    last = {"t": "end", "hash": sealing.b64(end), "signed": sealing.b64(key.stamp(dump.SEALED + end))}
    path.write_bytes(data + msgspec.json.encode(last) + b"\n")
    return path


def fault(path: Path, **named: Any) -> str:
    report = verify(path, GAMES, **named)
    assert not report.ok
    return report.fault


def test_an_honest_file_holds_and_says_what_it_cannot_prove(tmp_path: Path, key: ServerKey) -> None:
    report = verify(written(tmp_path, many(50, 1, key), key), GAMES, [key.public])
    assert (report.ok, report.results, report.signed) == (True, 50, key.fingerprint)
    assert report.players > 10
    assert any("of 50 of the results" in one for one in report.unproven)
    assert any("names of players" in one for one in report.unproven)


def test_a_second_implementation_reads_the_same_numbers_off_the_file(tmp_path: Path, key: ServerKey) -> None:
    path = written(tmp_path, many(80, 2, key), key)
    lines = path.read_bytes().splitlines()
    told = [one["standing"] for one in map(msgspec.json.decode, lines) if one["t"] == "standing"]
    assert {(one["game"], one["player"]): (one["rating"], one["deviation"]) for one in told} == recomputed(lines)


def test_the_same_results_give_the_same_bytes(key: ServerKey) -> None:
    one, two = (b"".join(dump.write(many(20, 3, key), AT, key.stamp)) for _ in range(2))
    assert one == two


def test_a_packed_file_is_read_too(tmp_path: Path, key: ServerKey) -> None:
    path = written(tmp_path, many(5, 1, key), key)
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert verify(path, GAMES).ok


def test_a_standing_that_is_off_by_the_last_digit_is_named(tmp_path: Path, key: ServerKey) -> None:
    path = written(tmp_path, [result(1, key=key)], key)

    def change(lines: list[Any]) -> None:
        lines[2]["standing"]["rating"] += 1

    assert (
        fault(changed(path, key, change)) == "line 3: ann in skirmish has the rating 1579058; the results give 1579057"
    )


@pytest.mark.parametrize(
    ("place", "field", "value", "why"),
    [
        (1, "places", [2, 1], "line 4: ben in skirmish has the rating 1512354; the results give 1639695"),
        (1, "end_ms", START_MS + 1, "and is said to end at"),
        (1, "seq", 8, "the server's signature is not for this end"),
        (1, "head", sealing.b64(bytes([1] * 32)), "the server's signature is not for this end"),
        (1, "sides", [["ann"], ["ann"]], "names a player twice"),
        (1, "sides", [["ann", "ben"]], "has 1 sides"),
        (1, "sides", [["ann"], []], "has 2 sides and 1 players"),
        (1, "sides", [["ann"], ["\x1b[2J"]], "names no player"),
        (1, "sides", [["ann"], ["bot:"]], "names no player"),
        (1, "places", [1, 3], "has the places"),
        (1, "places", [1], "has the places"),
        (1, "game", "no game", "is of no game"),
        (1, "match", "AAAA", "in the place of 16 bytes"),
        (1, "unlisted", True, "in the place of 32 bytes"),
        (1, "end_ms", AT + 1, "ends after the time of the file"),
        (1, "end_ms", 1 << 60, "lies at no time"),
        (1, "end_ms", -1, "lies at no time"),
    ],
)
def test_a_result_that_is_none_is_named(
    tmp_path: Path, key: ServerKey, place: int, field: str, value: object, why: str
) -> None:
    path = written(tmp_path, [result(1, key=key), result(2, places=(2, 1), key=key)], key)

    def change(lines: list[Any]) -> None:
        lines[place]["result"][field] = value

    told = fault(changed(path, key, change))
    assert any(part in told for part in why.split("|")), told


def test_places_that_were_exchanged_show_in_the_standings(tmp_path: Path, key: ServerKey) -> None:
    path = written(tmp_path, [result(1, key=key)], key)

    def change(lines: list[Any]) -> None:
        lines[1]["result"]["places"] = [2, 1]

    assert "stands where the results give ben" in fault(changed(path, key, change))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: lines.pop(2), "line 3: ann in skirmish has the rating 1639695; the results give 1579057"),
        (lambda lines: lines.pop(), "stands where the results give"),
        (lambda lines: lines.append(lines[-1]), "stands where the results give nothing"),
        (lambda lines: lines.insert(2, lines[1]), "does not stand in the order"),
        (lambda lines: lines.pop(0), "line 1 is not the beginning"),
        (lambda lines: lines[0].update(at_ms=0), "is of no time"),
        (lambda lines: lines[0]["parameters"].update(beta=100.0), "has other numbers than ratings.v1"),
        (lambda lines: lines[0]["parameters"].update(version="ratings.v2"), "has other numbers"),
        (lambda lines: lines.append(lines[1]), "stands where the end of the file should"),
        (lambda lines: lines.append({"t": "other"}), "is none of a file of ratings"),
        (lambda lines: lines[1].update(more=1), "is none of a file of ratings"),
    ],
)
def test_a_file_with_other_lines_is_refused_and_the_line_is_named(
    tmp_path: Path, key: ServerKey, change: Callable[[list[Any]], object], why: str
) -> None:
    path = written(tmp_path, [result(1, key=key), result(2, key=key)], key)
    assert why in fault(changed(path, key, change))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda data: data[:-1], "canonical"),
        (lambda data: b"", "the file is empty"),
        (lambda data: data[: data.rindex(b'{"t":"end"')], "is missing: the file is cut"),
        (lambda data: data.replace(b"skirmish", b"skirmash", 1), "the signature is not|hash is not|stands where"),
        (lambda data: data + b"\n", "the file goes on after its end"),
        (lambda data: b"x" * 5000 + b"\n", "line 1 has more than 4096 bytes"),
        (lambda data: b"\xff\xfe\n" + data, "line 1 is none"),
        (lambda data: b"[" * 4000 + b"\n", "line 1 is none"),
        (lambda data: b"SQLite format 3\0", "the file is a database"),
    ],
)
def test_a_damaged_file_is_refused_and_the_line_is_named(
    tmp_path: Path, key: ServerKey, damage: Callable[[bytes], bytes], why: str
) -> None:
    path = written(tmp_path, [result(1, key=key)], key)
    path.write_bytes(damage(path.read_bytes()))
    told = fault(path)
    assert any(part in told for part in why.split("|")), told


def test_a_file_and_results_of_another_key_are_refused_where_keys_are_named(
    tmp_path: Path, key: ServerKey, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = KeyRing(tmp_path_factory.mktemp("other")).current
    theirs = written(tmp_path, [result(1, key=other)], other)
    assert "which was not named" in fault(theirs, trusted=[key.public])
    mixed = written(tmp_path, [result(1, key=other)], key)
    assert "it is signed with the key" in fault(mixed, trusted=[key.public])
    assert verify(mixed, GAMES, [key.public, other.public]).ok
    assert any(other.fingerprint in one for one in verify(mixed, GAMES).unproven)


def test_an_end_that_another_match_was_signed_with_is_refused(tmp_path: Path, key: ServerKey) -> None:
    stolen = replace(result(1, key=key), signed=result(2, key=key).signed)
    assert "the server's signature is not for this end" in fault(written(tmp_path, [stolen], key))


def beside(match: RatedMatch, path: Path, **named: Any) -> RatingsReport:
    return verify(path, GAMES, records=[("one.herald", match.whole())], **named)


@pytest.mark.parametrize("unlisted", [False, True])
def test_a_record_beside_the_file_is_audited_and_fits(
    tmp_path: Path, key: ServerKey, match: RatedMatch, *, unlisted: bool
) -> None:
    report = beside(match, written(tmp_path, [of(match, unlisted=unlisted)], key), trusted=[key.public])
    assert (report.fault, report.audited, report.unlisted) == ("", 1, int(unlisted))
    assert report.left_out == []


@pytest.mark.parametrize("unlisted", [False, True])
@pytest.mark.parametrize(
    ("lie", "why"),
    [
        ({"places": None}, "has places"),
        ({"sides": (("ann",), ("bot:steady",))}, "has person where the file has bot:steady"),
        ({"sides": (("ann", "cleo"), ("ben",))}, "has 1 seats where the file has ann, cleo"),
        ({"sides": (("ann",), ("ben",), ("cleo",)), "places": (1, 2, 2)}, "has places"),
        ({"game": "joan"}, "has game skirmish, the file joan"),
    ],
)
def test_a_result_that_its_record_does_not_give_is_named(
    tmp_path: Path, key: ServerKey, match: RatedMatch, lie: dict[str, Any], why: str, *, unlisted: bool
) -> None:
    lie = {"places": (2, 1) if of(match).places != (2, 1) else (1, 2)} if lie == {"places": None} else lie
    told = beside(match, written(tmp_path, [of(match, unlisted=unlisted, **lie)], key)).fault
    assert told.startswith("line 2, match ")
    assert why in told


def test_another_day_than_the_records_is_named(tmp_path: Path, key: ServerKey, match: RatedMatch) -> None:
    honest = of(match, unlisted=True)
    other = replace(honest, end_ms=honest.end_ms + DAY_MS)
    assert "has end_ms" in beside(match, written(tmp_path, [other], key)).fault


def test_a_result_whose_record_does_not_count_is_named(tmp_path: Path, key: ServerKey) -> None:
    casual = RatedMatch(MemoryStore(), key.stamp, rated=False).finished()
    honest = replace(ending_of(GAME, casual.whole()), why_not="")
    made = rated_result(honest, ("ann", "ben"))
    assert isinstance(made, RatedResult)
    path = written(tmp_path, [made], key)
    assert verify(path, GAMES).ok
    assert "one.herald does not count: it was not created as rated" in beside(casual, path).fault


def test_a_record_that_counts_and_is_not_in_the_file_is_named(
    tmp_path: Path, key: ServerKey, match: RatedMatch
) -> None:
    path = written(tmp_path, [result(1, key=key)], key)
    assert beside(match, path).left_out == [f"one.herald: match {match.referee.match}"]
    early = written(tmp_path, [], key, match.at - 1)
    assert beside(match, early).left_out == []


def test_an_earlier_file_is_wholly_in_a_later_one(tmp_path: Path, key: ServerKey) -> None:
    results = many(30, 4, key)
    (tmp_path / "before").mkdir()
    former = written(tmp_path / "before", results[:20], key, results[19].end_ms)
    assert verify(written(tmp_path, results, key), GAMES, former=former).ok
    without = [*results[:7], *results[8:]]
    assert f"match {results[7].match} in the former file is gone" in fault(
        written(tmp_path, without, key), former=former
    )
    other = [*results[:7], replace(results[7], places=tuple(1 for _ in results[7].places)), *results[8:]]
    if other[7] == results[7]:
        other[7] = replace(results[7], places=(1, 2, *(2 for _ in results[7].places[2:])))
    assert "in the former file is gone, or another one" in fault(written(tmp_path, other, key), former=former)
