"""Plain English in docstrings and documents: no clause begins with a bare "who" or "what" (CONTRIBUTING)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, python_files, tracked, tree

BARE = re.compile(r"\b(?:for|to|by|of|from|with|than|and|at|on|in|as|or) who\b")
"""A "who" with no noun before it: write "players who", "a client that"."""
OPENING = re.compile(r"(?:^|(?<=[.;!?]) )(?:Who|Whoever|What|Whom|Whose) [a-z`]+[^?]*$", re.MULTILINE)
"""A sentence that opens with "Who" or "What" and is no question: name the subject."""
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|\*[^*]*\*")
FLOORS = ("domain", "projections", "replay", "server", "clients", "scripts")
KEPT = ("docs/played/", "docs/rules/", "docs/scenarios/", "docs/strength/", "docs/transcripts/", "tests/", ".github/")
"""Ledgers that restate books, and what people and programs have said: not the documents' own voice."""
PAGES = sorted(str(path) for path in tracked() if path.suffix == ".md" and not str(path).startswith(KEPT))


def wrong(text: str) -> Iterator[str]:
    """The clauses of a text that have to be read twice."""
    plain = QUOTED.sub("x", text)
    for sentence in re.split(r"(?<=[.!?:])\s+|\n", plain):
        if BARE.search(sentence) or OPENING.search(sentence):
            yield sentence.strip()


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Each docstring of a file, those below constants too, with its line."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


@pytest.mark.parametrize("folder", FLOORS)
def test_docstrings_name_their_subjects(folder: str) -> None:
    paths = python_files(folder)
    found = [f"{path}:{line}: {one}" for path in paths for line, text in docstrings(path) for one in wrong(text)]
    assert paths
    assert not found


@pytest.mark.parametrize("page", PAGES)
def test_documents_name_their_subjects(page: str) -> None:
    assert Path(page) in tracked()
    assert not list(wrong((ROOT / page).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "text", ["Who watches does not decide.", "An answer for who asks.", "It waits. What was found is kept."]
)
def test_a_clause_without_a_noun_is_recognised(text: str) -> None:
    assert list(wrong(text))


@pytest.mark.parametrize("text", ["Players who watch cannot choose.", "What is a seat?", 'Say "What follows" here.'])
def test_a_clause_with_a_noun_is_let_be(text: str) -> None:
    assert not list(wrong(text))
