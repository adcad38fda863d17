"""Structural forgeries (docs/record.md 9): every verifier finds lines out of shape, order or time in every view."""

from functools import cache
from pathlib import Path

import pytest

from tests.replay.mutating import Lines, as_held
from tests.replay.structural import FORGERIES, HONEST, VIEWS
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream


@cache
def files_of(name: str) -> dict[str, Lines]:
    record = FORGERIES[name]()
    return {view: as_held(record, viewer) for view, viewer in VIEWS.items()}


def turn(names: list[str]) -> list[tuple[str, str]]:
    """Each name with one view, each with another than the one before it."""
    views = list(VIEWS)
    return [(name, views[i % len(views)]) for i, name in enumerate(names)]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_match_holds_in_every_view(name: str, view: str) -> None:
    lines = as_held(HONEST[name]().draft().done(), VIEWS[view])
    assert by_audit(lines) == HOLDS
    assert view == "all" or by_client(lines) == HOLDS


def test_there_are_forgeries_of_each_kind() -> None:
    assert len(FORGERIES) >= 200


@pytest.mark.parametrize(("name", "view"), turn(list(FORGERIES)))
def test_record_9_a_structural_forgery_is_found_by_the_audit_and_the_python_library(name: str, view: str) -> None:
    files = files_of(name)
    found = by_audit(files[view])
    assert found != HOLDS
    assert view == "all" or by_client(files[view]) == found


def test_record_9_a_structural_forgery_is_found_in_javascript_at_the_same_line(tmp_path: Path) -> None:
    turned = turn(list(FORGERIES))
    files = [files_of(name)[view] for name, view in turned]
    expected = [by_audit(lines) for lines in files]
    assert difference(turned, by_stream(files, tmp_path), expected) == []
    held = [i for i, (_, view) in enumerate(turned) if view != "all"]
    found = by_library([files[i] for i in held], tmp_path)
    assert difference([turned[i] for i in held], found, [expected[i] for i in held]) == []


def difference(names: list[tuple[str, str]], found: list[int], expected: list[int]) -> list[str]:
    """Where another line is named than the audit names; a reader of files may refuse a whole file (line 0)."""
    return [
        f"{name} as {view}: line {one}, expected {other}"
        for (name, view), one, other in zip(names, found, expected, strict=True)
        if one not in (other, 0)
    ]


@pytest.mark.deep
@pytest.mark.timeout(900)
def test_record_9_every_structural_forgery_is_found_in_every_view_by_all_four(tmp_path: Path) -> None:
    every = [(name, view) for name in FORGERIES for view in VIEWS]
    files = [files_of(name)[view] for name, view in every]
    expected = [by_audit(lines) for lines in files]
    assert HOLDS not in expected
    assert difference(every, by_stream(files, tmp_path), expected) == []
    held = [i for i, (_, view) in enumerate(every) if view != "all"]
    mine, theirs = [every[i] for i in held], [expected[i] for i in held]
    assert difference(mine, by_library([files[i] for i in held], tmp_path), theirs) == []
    assert difference(mine, [by_client(files[i]) for i in held], theirs) == []


def test_honest_matches_hold_in_javascript(tmp_path: Path) -> None:
    files = [as_held(make().draft().done(), viewer) for make in HONEST.values() for viewer in VIEWS.values()]
    assert set(by_stream(files, tmp_path)) == {HOLDS}
    held = [lines for i, lines in enumerate(files) if i % len(VIEWS)]
    assert set(by_library(held, tmp_path)) == {HOLDS}
