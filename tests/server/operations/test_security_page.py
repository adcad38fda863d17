"""docs/security.md tells the truth: the tests it names are there, and its limits are those of the code."""

import ast
import re
from pathlib import Path

import pytest
from msgspec.structs import asdict

from server.operations.settings import DEFAULT_LIMITS
from server.wire.codes import CLOSE_CODES

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
BYTES = {"MiB": 1 << 20, "KiB": 1 << 10}


def named() -> list[tuple[str, str]]:
    """The tests that the page names: (file, test); the test is empty where a whole file is meant."""
    found: list[tuple[str, str]] = []
    for cell in re.findall(r"^\|.*\| (.*) \|$", PAGE, re.MULTILINE):
        file = ""
        for path, _, test in re.findall(r"`([\w/]*(?:\.py)?)(::(\w+))?`", cell):
            if path.endswith(".py") or test:
                file = path or file
                found.append((file, test))
    return found


def test_the_page_names_tests() -> None:
    assert len(named()) > 40


@pytest.mark.parametrize(("file", "test"), named(), ids=str)
def test_each_test_that_the_page_names_is_there(file: str, test: str) -> None:
    path = ROOT / "tests" / file
    assert path.is_file()
    functions = {
        node.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not test or test in functions


def limits() -> dict[str, float]:
    """The limits that the page's table gives, with their defaults."""
    found: dict[str, float] = {}
    for names, values in re.findall(r"^\| (`limits\.[^|]*) \| ([^|]*) \|", PAGE, re.MULTILINE):
        numbers = re.findall(r"([\d,]*\d)(?: (MiB|KiB))?", values)
        for name, (number, unit) in zip(re.findall(r"`limits\.(\w+)`", names), numbers, strict=True):
            found[name] = float(number.replace(",", "")) * BYTES.get(unit, 1)
    return found


def test_every_limit_is_in_the_table_with_its_default() -> None:
    assert limits() == {name: float(value) for name, value in asdict(DEFAULT_LIMITS).items()}


def test_every_close_code_of_ours_is_explained() -> None:
    assert all(str(code) in PAGE for code in CLOSE_CODES if code >= 4000)
