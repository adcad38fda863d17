"""What can be measured of how we write (CONTRIBUTING, how we write), and that the documents tell the truth."""

import ast
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from server.cli import main
from tests.architecture.sources import ROOT, python_files, statements, text_files, tracked, tree

FUNCTION_LINES = 70
MODULE_LINES = 800
CLASS_LINES = 250
PUBLIC_METHODS = 20

EMPTY_WORDS = re.compile(r"(?i)manager|handler|util|^_*(process|do)_|helper(?!s$)")
"""Names that fit anything say nothing. (In War for Edaðh, helpers are the troops that combine.)"""

UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
SKIPS = re.compile(r"pytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)\b|unittest\.skip")
MACHINE_PATHS = re.compile(r"(?<![\w.~}/-])/(?:work|tmp|root|home|opt|Users)/\w")
LOCKS = ("requirements.lock", "requirements-postgres.lock", "requirements-dev.lock")
REGISTRIES = tuple(".".join(name) for name in (("pypi", "org"), ("pythonhosted", "org"), ("registry", "npmjs", "org")))

MARKDOWN = [path for path in tracked() if path.suffix == ".md"]
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|<(?:img|a)\s[^>]*?(?:src|href)=\"([^\"]+)\"")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

Function = ast.FunctionDef | ast.AsyncFunctionDef
PRESCRIBED = {"_process_events"}
"""Names of methods that the standard library asks for: an event loop's."""


def too_long(syntax: ast.Module) -> Iterator[str]:
    """The functions over the limit, with their length."""
    for node in statements(syntax):
        if isinstance(node, Function) and node.end_lineno is not None:
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"line {node.lineno}: {node.name} has {length} lines"


def large_classes(syntax: ast.Module) -> Iterator[str]:
    """The names of the classes over a limit: in lines, or in public methods, properties among them."""
    for node in statements(syntax):
        if isinstance(node, ast.ClassDef) and node.end_lineno is not None:
            public = {each.name for each in node.body if isinstance(each, Function) and not each.name.startswith("_")}
            if node.end_lineno - node.lineno + 1 > CLASS_LINES or len(public) > PUBLIC_METHODS:
                yield node.name


def empty_names(syntax: ast.Module) -> Iterator[str]:
    """The classes and functions whose names say nothing; a test's name is a sentence, which may speak of handlers."""
    for node in statements(syntax):
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("test_"):
            continue
        if EMPTY_WORDS.search(node.name) and node.name not in PRESCRIBED:
            yield f"line {node.lineno}: {node.name}"


def lines_with(pattern: re.Pattern[str], text: str) -> list[str]:
    """The lines in which the pattern is found."""
    return [f"line {n}: {line.strip()}" for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def test_functions_and_modules_are_short() -> None:
    assert not [f"{path}, {found}" for path in python_files() for found in too_long(tree(path))]
    sizes = {str(path): len((ROOT / path).read_text().splitlines()) for path in python_files()}
    assert not {path: lines for path, lines in sizes.items() if lines > MODULE_LINES}


def test_classes_of_the_record_and_the_server_are_short() -> None:
    paths = [path for path in python_files() if path.parts[0] in {"replay", "server"}]
    found = {f"{path}, {name}" for path in paths for name in large_classes(tree(path))}
    assert not found, "divide it: each class has one concern and can be tested alone"


def test_names_say_something() -> None:
    assert not [f"{path}, {found}" for path in python_files() for found in empty_names(tree(path))]
    vague = [str(path) for path in python_files() if EMPTY_WORDS.search(path.stem) or path.stem in {"helpers", "misc"}]
    assert not vague, "a module's name says what it is about"


def test_tests_of_a_group_are_kept_together(request: pytest.FixtureRequest) -> None:
    """pytest-xdist goes by what it adds to a name; where that is lost it hands out each test by itself, in silence."""
    group = "@architecture" if "PYTEST_XDIST_WORKER" in os.environ else ""
    assert request.node.nodeid.endswith(f"::{request.node.originalname}{group}")


def test_nothing_is_left_unfinished() -> None:
    found = {str(path): lines_with(UNFINISHED, text) for path, text in text_files() if "vendor" not in path.parts}
    assert not {path: lines for path, lines in found.items() if lines}


def test_no_test_is_skipped() -> None:
    found = {str(path): lines_with(SKIPS, text) for path, text in text_files() if path.suffix in {".py", ".toml"}}
    found.pop("tests/architecture/test_style.py", None)
    assert not {path: lines for path, lines in found.items() if lines}


TEST_MODULE = re.compile(
    r"^\s*(?:from tests[\w.]*\.test_\w+ import|from tests[\w.]* import test_|import tests[\w.]*\.test_)"
)


def test_no_test_imports_another_one() -> None:
    """What tests share stands in modules of its own."""
    found = {str(path): lines_with(TEST_MODULE, text) for path, text in text_files() if path.suffix == ".py"}
    assert not {path: lines for path, lines in found.items() if lines}


def test_no_path_of_a_machine_is_written_down() -> None:
    found = {str(path): lines_with(MACHINE_PATHS, text) for path, text in text_files()}
    assert not {path: lines for path, lines in found.items() if lines}


def test_no_registry_is_written_down() -> None:
    assert not [f"{path}: {host}" for path, text in text_files() for host in REGISTRIES if host in text]
    for lock in LOCKS:
        assert "://" not in (ROOT / lock).read_text()


def test_each_lock_pins_every_file_by_its_hash() -> None:
    for lock in LOCKS:
        text = (ROOT / lock).read_text()
        pins = re.findall(r"^[a-z][\w.-]*==\S+(?: ;[^\n]*)? \\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE)
        assert len(pins) == len(re.findall(r"^[a-z]", text, re.MULTILINE)) > 10
    assert Path("uv.lock") not in tracked()


def anchors(text: str) -> set[str]:
    """The anchors that a markdown text's headings make."""
    titles = re.findall(r"^#+ +(.+?)\s*#*$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def broken_links(path: Path) -> Iterator[str]:
    """The links of a markdown file to files or headings that are not there; other sites are not asked."""
    for found in LINK.findall(FENCE.sub("", (ROOT / path).read_text())):
        target = unquote(next(filter(None, found)))
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (ROOT / path).parent / file if file else ROOT / path
        if not there.exists():
            yield f"{target}: no such file"
        elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text()):
            yield f"{target}: no such heading"


@pytest.mark.parametrize("path", MARKDOWN, ids=str)
def test_links_lead_somewhere(path: Path) -> None:
    assert not list(broken_links(path))


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text()
    pages = [path.relative_to("docs") for path in MARKDOWN if path.parts[0] == "docs" and path.name != "README.md"]
    named = [page for page in pages if f"({page.as_posix()})" in index or f"({page.parent.as_posix()}/)" in index]
    assert pages == named, "docs/README.md names every page, or the folder that it lies in"


def commands(text: str) -> list[list[str]]:
    """The lines of a document's code blocks that a reader would type: `herald ...` and `./scripts/...`."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    indented = re.findall(r"^(?: {4}.*\n?)+", FENCE.sub("", text), re.MULTILINE)
    lines = [line.strip().removeprefix("$ ") for block in (*blocks, *indented) for line in block.splitlines()]
    lines = [re.split(r" {2,}", line)[0] for line in lines]  # what follows a gap is a remark
    return [shlex.split(line, comments=True) for line in lines if re.match(r"herald |\./", line)]


def fault_of(words: list[str]) -> str:
    """Why a command could not be typed; empty when it could. Nothing is run."""
    if words[0].startswith("./"):
        script = ROOT / words[0]
        return "" if script.is_file() and os.access(script, os.X_OK) else f"{words[0]} is no program"
    group: click.Command = main
    context = click.Context(main, info_name="herald")
    left = words[1:]
    while isinstance(group, click.Group) and left and not left[0].startswith("-"):
        name, left = left[0], left[1:]
        command = group.get_command(context, name)
        if command is None:
            return f"there is no command {name}"
        group = command
    try:
        if "--help" not in left:
            group.make_context(words[-1], left, parent=context)
    except click.UsageError as wrong:
        fault = wrong.format_message()
        return "" if "does not exist" in fault else fault  # the file named is the reader's
    return ""


@pytest.mark.parametrize("path", MARKDOWN, ids=str)
def test_commands_in_documents_exist(path: Path) -> None:
    found = {shlex.join(words): fault_of(words) for words in commands((ROOT / path).read_text())}
    assert not {line: fault for line, fault in found.items() if fault}


def test_the_readme_names_the_two_commands() -> None:
    typed = [words[0] for words in commands((ROOT / "README.md").read_text())]
    assert typed[:2] == ["./scripts/serve", "./scripts/test"]


def test_scripts_can_be_run() -> None:
    programs = [path for path in tracked() if path.parent in {Path("scripts"), Path(".ci")} and not path.suffix]
    assert {"serve", "test", "run"} <= {path.name for path in programs}
    assert not [str(path) for path in programs if not os.access(ROOT / path, os.X_OK)]


@pytest.mark.parametrize(("lines", "fails"), [(70, False), (71, True)])
def test_a_long_function_is_recognised(lines: int, *, fails: bool) -> None:
    source = "def f():\n" + "    pass\n" * (lines - 1)
    assert bool(list(too_long(ast.parse(source)))) is fails


@pytest.mark.parametrize(("lines", "fails"), [(250, False), (251, True)])
def test_a_long_class_is_recognised(lines: int, *, fails: bool) -> None:
    source = "class Long:\n" + "    n = 1\n" * (lines - 1)
    assert bool(list(large_classes(ast.parse(source)))) is fails


@pytest.mark.parametrize(("methods", "fails"), [(20, False), (21, True)])
def test_a_class_of_many_methods_is_recognised(methods: int, *, fails: bool) -> None:
    source = "class Wide:\n    def _own(self): pass\n"
    source += "".join(f"    def of{n}(self): pass\n" for n in range(methods))
    assert bool(list(large_classes(ast.parse(source)))) is fails


@pytest.mark.parametrize("name", ["SeatManager", "event_handler", "utils", "process_line", "_do_it", "LinkHelper"])
def test_an_empty_name_is_recognised(name: str) -> None:
    assert list(empty_names(ast.parse(f"class {name}: pass")))


@pytest.mark.parametrize("name", ["Domain", "undo_last", "reprocess_line", "Session", "doctor"])
def test_a_name_that_says_something_is_let_be(name: str) -> None:
    assert not list(empty_names(ast.parse(f"def {name}(): pass")))


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("herald replay last --at end", ""),
        ("herald replay last --colour", "No such option"),
        ("herald joust", "no command joust"),
        ("herald scenario check MINE.toml", ""),
        ("herald scenario check", "Missing argument"),
        ("./scripts/serve", ""),
        ("./scripts/joust", "no program"),
    ],
)
def test_a_wrong_command_is_recognised(words: str, fault: str) -> None:
    assert fault in fault_of(words.split())
    assert bool(fault) is bool(fault_of(words.split()))


def test_a_broken_link_is_recognised() -> None:
    assert "how-we-write" in anchors((ROOT / "CONTRIBUTING.md").read_text())
    assert LINK.findall("[a](b.md) ![c](d.png)") == [("b.md", "", ""), ("", "d.png", "")]


LOOPS = ("asyncio.run", "anyio.run")
LONGER = {
    "tests/server/gate/test_canary.py, test_no_secret_of_many_matches_is_where_it_does_not_belong",
    "tests/server/machines/test_machines.py, "
    "test_whatever_is_killed_no_accepted_choice_is_lost_doubled_or_shown_before_it_lasts",
}
"""Searches that run longer than `live` waits, each with a limit of its own."""


def other_async_tests(syntax: ast.Module) -> Iterator[str]:
    """The asynchronous tests that are not written with `live`: marked otherwise, or a loop started in a plain test."""
    for node in statements(syntax):
        if not isinstance(node, Function) or not node.name.startswith("test_"):
            continue
        is_live = any(ast.unparse(each) == "live" for each in node.decorator_list)
        calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
        starts = any(ast.unparse(each.func) in LOOPS for each in calls)
        if isinstance(node, ast.AsyncFunctionDef) is not is_live or starts:
            yield node.name


def test_asynchronous_tests_are_written_one_way() -> None:
    """`@live`, of tests/server/tabletop.py, bounds each of them; tests of pages are synchronous, as their driver is."""
    paths = [path for path in python_files("tests") if path.parts[1] != "web"]
    found = {f"{path}, {name}" for path in paths for name in other_async_tests(tree(path))}
    assert found == LONGER


@pytest.mark.parametrize(
    ("source", "is_other"),
    [
        ("@live\nasync def test_a(): pass", False),
        ("def test_a(): pass", False),
        ("async def test_a(): pass", True),
        ("@pytest.mark.anyio\nasync def test_a(): pass", True),
        ("def test_a(): asyncio.run(b())", True),
    ],
)
def test_another_way_of_writing_an_asynchronous_test_is_recognised(source: str, *, is_other: bool) -> None:
    assert bool(list(other_async_tests(ast.parse(source)))) is is_other
