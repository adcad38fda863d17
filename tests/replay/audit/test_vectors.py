"""docs/vectors: what every verifier, ours and those of others, has to say of kept honest and forged files."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from domain.kernel.events import KERNEL_EVENTS
from projections.registry import games
from replay.files import export
from tests.replay import beginnings, forged_games, many_seats, vectors
from tests.replay.mutating import as_held
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream

FILES = (vectors.EXAMPLE, vectors.BEGINNINGS, vectors.MANY, vectors.PERSONS, vectors.AHEAD, *forged_games.CHOICES)


class Case(NamedTuple):
    """A vector in one view, and the line that has to be named there."""

    name: str
    view: str
    lines: list[bytes]
    due: int

    @property
    def is_of_rules(self) -> bool:
        """Whether only the rules of the game show it, in a view where they do."""
        return self.name.startswith("by the rules") and self.view == "all"


def cases_of(kept: list[dict[str, Any]]) -> Iterator[Case]:
    """Each vector in one view, each in another than the one before; one of a real game that is honest in all."""
    for i, one in enumerate(kept):
        record = export.read(one["file"].encode().splitlines(keepends=True))
        viewers = vectors.views_of(record)
        views = list(viewers)
        is_whole = one["name"].startswith("honest") and record.game in (*forged_games.CHOICES, "pennants")
        for view in views if is_whole else [views[i % len(views)]]:
            due = one["verdicts"][view]
            yield Case(one["name"], view, as_held(record, viewers[view]), HOLDS if due is None else due)


@pytest.fixture(scope="module", params=FILES)
def cases(request: pytest.FixtureRequest) -> list[Case]:
    return list(cases_of(vectors.read(request.param)))


def test_there_are_vectors_of_every_game_and_the_forgeries_are_found_where_they_can_be() -> None:
    assert set(forged_games.CHOICES) == set(games())
    assert len(vectors.read()) > 200
    for game in forged_games.CHOICES:
        kept = {one["name"]: one["verdicts"] for one in vectors.read(game)}
        forged = set(forged_games.forged(game))
        honest = {name for name in kept if name.startswith("honest: ")}
        assert len(honest) >= 6
        assert set(kept) == forged | honest
        assert {name for name in honest if set(kept[name].values()) != {None}} == set()
        assert {name for name in forged if kept[name]["all"] is None} == set()
        missed = {name for name in forged if None in kept[name].values()}
        assert missed == {name for name in forged if name.startswith("by the rules: ")}


@pytest.mark.parametrize(("file", "made"), [(vectors.BEGINNINGS, beginnings), (vectors.MANY, many_seats)])
def test_every_view_shows_each_forgery_of_a_beginning_of_a_draw_and_of_many_seats(file: str, made: ModuleType) -> None:
    kept = {one["name"]: one["verdicts"] for one in vectors.read(file)}
    assert set(kept) == {f"honest: {name}" for name in made.HONEST} | set(made.FORGERIES)
    for name, verdicts in kept.items():
        lines = set(verdicts.values())
        assert len(lines) == 1, name
        assert (lines == {None}) == name.startswith("honest: "), name


@pytest.mark.parametrize("game", forged_games.CHOICES)
def test_the_vectors_of_a_game_hold_its_own_lines_and_secrets_of_each_seat(game: str) -> None:
    kernel = {event.__name__ for event in KERNEL_EVENTS}
    lines = [line for one in vectors.read(game) for line in one["file"].splitlines()]
    own = {
        kind for kind in games()[game].events if kind not in kernel and any(f'\\"{kind}\\"' in line for line in lines)
    }
    assert len(own) >= 10


def test_the_audit_and_the_python_library_agree_with_every_vector(cases: list[Case]) -> None:
    assert [case[:2] for case in cases if by_audit(case.lines) != case.due] == []
    assert [case[:2] for case in cases if case.view != "all" and by_client(case.lines) != case.due] == []


def test_the_javascript_agrees_with_every_vector(cases: list[Case], tmp_path: Path) -> None:
    held = [case for case in cases if case.view != "all"]
    plain = [case for case in cases if not case.is_of_rules]
    for which, found in (
        (plain, by_stream([case.lines for case in plain], tmp_path)),
        (held, by_library([case.lines for case in held], tmp_path)),
    ):
        # A reader of files may refuse a whole file (line 0) in place of a line.
        wrong = [case[:2] for case, line in zip(which, found, strict=True) if line not in (case.due, 0)]
        assert wrong == []
        assert all(line == case.due for case, line in zip(which, found, strict=True) if "honest" in case.name)
