"""docs/vectors: what every verifier, ours and those of others, has to say of kept honest and forged files."""

from pathlib import Path

import pytest

from replay.files import export
from tests.replay import vectors
from tests.replay.mutating import as_held
from tests.replay.structural import VIEWS
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream

KEPT = vectors.read()


def turned() -> list[tuple[str, list[bytes], int]]:
    """Each vector in one view, each in another than the one before, with the line that has to be named."""
    found, views = [], list(VIEWS)
    for i, one in enumerate(KEPT):
        view = views[i % len(views)]
        record = export.read(one["file"].encode().splitlines(keepends=True))
        due = one["verdicts"][view]
        found.append((f"{one['name']} as {view}", as_held(record, VIEWS[view]), HOLDS if due is None else due))
    return found


@pytest.fixture(scope="module")
def files() -> list[tuple[str, list[bytes], int]]:
    return turned()


def test_the_audit_and_the_python_library_agree_with_every_vector(files: list[tuple[str, list[bytes], int]]) -> None:
    assert len(files) > 200
    assert [name for name, lines, due in files if by_audit(lines) != due] == []
    held = [(name, lines, due) for name, lines, due in files if not name.endswith(" as all")]
    assert [name for name, lines, due in held if by_client(lines) != due] == []


def test_the_javascript_agrees_with_every_vector(files: list[tuple[str, list[bytes], int]], tmp_path: Path) -> None:
    sealed = [(name, lines, due) for name, lines, due in files if not name.endswith(" as all")]
    plain = [one for one in files if not (one[0].startswith("by the rules") and one[0].endswith(" as all"))]
    for which, found in (
        (plain, by_stream([lines for _, lines, _ in plain], tmp_path)),
        (sealed, by_library([lines for _, lines, _ in sealed], tmp_path)),
    ):
        # A reader of files may refuse a whole file (line 0) in place of a line.
        wrong = [name for (name, _, due), line in zip(which, found, strict=True) if line not in (due, 0)]
        assert wrong == []
        assert all(line == due for (name, _, due), line in zip(which, found, strict=True) if "honest" in name)
