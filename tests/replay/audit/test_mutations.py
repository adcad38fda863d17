"""Kept files of four games, as every view holds them, changed in one place: every verifier finds it."""

from functools import cache
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.audit.report import AuditReport
from replay.files.export import Record
from replay.record.serverkey import ServerKey
from tests.replay.mutating import FOUND, NOT_FOUND, Lines, as_held, signed
from tests.replay.mutating_said import SAID, end_changed
from tests.replay.records import RECORDS, game_of, read_kept
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream, read

KEY = ServerKey(1, Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
KEPT_1 = "vera_discordia/rNc5THcSoR2o1W_6NTIwWg.kept"
KEPT_2 = "war_for_edadh/XUN2lXcd-TgoTOll6pLByQ.kept"
KEPT_3 = ("vera_discordia/WcMTG0V371ziFP372gQ7uQ.kept", "war_for_edadh/ZF1SlKEKdInCpUH0X1nxkA.kept")
"""Of each version of the record; those of version 2 and 3 were played by people who sign."""
KEPT = (KEPT_1, KEPT_2, *KEPT_3)
OLD = "war_for_edadh/EB2r48cqBIsb9Z70fUGE_w.kept"
PLAIN = ("disciples_legacy/L2Sc7DJpwq3RKkVGrC5amg.kept", "joan_of_arc/g-adW19O5ohEaxLgOxRkTw.kept")
"""Of version 2; nothing was agreed on in them."""
WIDE = (OLD, "vera_discordia/E0PGvkJ-NAIwY1cOp1d7bw.kept", *PLAIN)
"""For long searches alone: one more of version 1, and three of version 2."""
UNSIGNED = (KEPT_1, OLD)
LACKING = {"terms agreed on", "who agreed", "the line gone back to"}
VIEWS = {"all": None, "seat0": Viewer(Seat(0)), "seat1": Viewer(Seat(1)), "spectator": SPECTATOR}
FILES = [(name, view) for name in KEPT for view in VIEWS]


@cache
def record_of(name: str) -> Record:
    return signed(read_kept(RECORDS / name)[0], KEY)


@cache
def file_of(name: str, view: str) -> Lines:
    return as_held(record_of(name), VIEWS[view])


def kinds_of(name: str) -> list[str]:
    said = [kind for kind in SAID if kind not in LACKING or name not in PLAIN]
    return [*FOUND, *(() if name in UNSIGNED else said)]


def change(kind: str, name: str, view: str, random: Random) -> Lines:
    """A file of a view, changed; what the server changes in its record it signs anew."""
    if kind in FOUND:
        return FOUND[kind](file_of(name, view), random)
    return as_held(signed(SAID[kind](record_of(name), random), KEY), VIEWS[view])


def audited(lines: Lines) -> AuditReport:
    """What the audit says that knows the server's key."""
    record = read(lines)
    assert record is not None
    return audit(game_of(record.game), record, [KEY.public])


def holds(lines: Lines) -> bool:
    """Whether the audit finds nothing."""
    return by_audit(lines, [KEY.public]) == HOLDS


def found_in_the_browser(files: list[Lines], folder: Path) -> list[bool]:
    """Which files the JavaScript verifier refuses."""
    return [line != HOLDS for line in by_stream(files, folder, f"--key={KEY.text}")]


def missed_by_libraries(names: list[str], files: list[Lines], folder: Path) -> list[str]:
    """Which changed files of seats and spectators the client libraries take."""
    held = [(name, lines) for name, lines in zip(names, files, strict=True) if not name.endswith(" as all")]
    theirs = by_library([lines for _, lines in held], folder, KEY.text)
    mine = [by_client(lines, [KEY.public]) for _, lines in held]
    missed = [f"@herald/client: {name}" for (name, _), line in zip(held, theirs, strict=True) if line == HOLDS]
    return missed + [f"herald_client: {name}" for (name, _), line in zip(held, mine, strict=True) if line == HOLDS]


def mutated(name: str, count: int, seed: str) -> tuple[list[str], list[Lines]]:
    """Changed files and what was changed in each; a change that leaves the bytes as they were is none.

    Without a count: one of each kind, each in another view than the one before it.
    """
    random, names, files = Random(seed), list[str](), list[Lines]()
    kinds, views = kinds_of(name), list(VIEWS)
    count = count or len(kinds)
    while len(files) < count:
        turn, at = divmod(len(files), len(kinds))
        kind, view = kinds[at], views[(at + turn) % len(views)]
        lines, made = file_of(name, view), change(kind, name, view, random)
        if b"".join(made) != b"".join(lines):
            names.append(f"{kind} in {name} as {view}")
            files.append(made)
    return names, files


@pytest.mark.parametrize(("name", "view"), FILES)
def test_the_files_hold_as_they_are(name: str, view: str, tmp_path: Path) -> None:
    assert holds(file_of(name, view))
    assert found_in_the_browser([file_of(name, view)], tmp_path) == [False]


DEEP = (pytest.mark.deep, pytest.mark.timeout(900))


@pytest.mark.parametrize(
    ("name", "count", "seed"),
    [
        *((name, 0, "one of each") for name in KEPT),
        *(pytest.param(name, 520, f"deep {part}", marks=DEEP) for name in (*KEPT, *WIDE) for part in range(5)),
    ],
)
def test_record_7_every_change_is_found_by_every_verifier(name: str, count: int, seed: str, tmp_path: Path) -> None:
    changes, files = mutated(name, count, seed)
    missed = [f"herald audit: {change}" for change, lines in zip(changes, files, strict=True) if holds(lines)]
    found = found_in_the_browser(files, tmp_path)
    missed += [f"verify.js: {change}" for change, is_found in zip(changes, found, strict=True) if not is_found]
    missed += missed_by_libraries(changes, files, tmp_path)
    assert missed == []
    assert len(changes) == (count or len(kinds_of(name)))


@pytest.mark.parametrize("kind", NOT_FOUND)
@pytest.mark.parametrize("name", KEPT)
def test_record_7_what_no_file_alone_can_show_is_listed_with_the_reason(kind: str, name: str, tmp_path: Path) -> None:
    mutate, reason = NOT_FOUND[kind]
    lines = mutate(file_of(name, "spectator"), Random(kind))
    assert reason
    assert lines != file_of(name, "spectator")
    assert holds(lines)
    assert found_in_the_browser([lines], tmp_path) == [False]


@pytest.mark.parametrize("name", [KEPT_2, *KEPT_3])
def test_record_7_behind_the_last_head_that_a_seat_signed_only_the_rules_tell_what_was(
    name: str, tmp_path: Path
) -> None:
    record, line = end_changed(record_of(name))
    made = signed(record, KEY)
    files = {view: as_held(made, viewer) for view, viewer in VIEWS.items()}
    assert told_in(files["all"]) - told_in(file_of(name, "all")) == {line}
    assert [view for view, lines in files.items() if view != "all" and not holds(lines)] == []
    assert found_in_the_browser(list(files.values()), tmp_path) == [False] * len(files)


def told_in(lines: Lines) -> set[int]:
    """The lines of which an audit of everything says something: a fault, or what newer rules decide otherwise."""
    told = audited(lines)
    assert not told.differences or told.rules != game_of(told.game).rules, "under the rules of today it is a fault"
    return {one.line for one in told.differences} | ({told.fault.line} if told.fault else set())


def test_record_7_a_file_that_was_cut_where_it_is_signed_says_up_to_where_it_goes() -> None:
    whole, cut = file_of(KEPT[0], "spectator"), NOT_FOUND["the tail cut where it is signed"][0]
    before, after = audited(whole), audited(cut(whole, Random(1)))
    assert before.signed_to == before.lines > after.lines == after.signed_to
    assert 0 < after.signed_ms <= before.signed_ms
