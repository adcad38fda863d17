"""The client's source is written to be read: its form, its types, the length of its functions."""

import subprocess
from pathlib import Path

import pytest

from tests.web.node import CHECKS, ROOT

SOURCES = ("server/web/**/*.{js,css,html}", "server/web/js/types.d.ts", "clients/typescript/**/*.{ts,js,json}")
LIBRARY = ROOT / "clients" / "typescript"
COMPILED = ROOT / "server" / "web" / "client"


def run(program: str, *args: str) -> str:
    """What a program of the checks says; "" when it finds nothing."""
    path = CHECKS / "node_modules" / ".bin" / program
    assert path.exists(), f"{program} is missing; run ./scripts/test, or: npm ci --prefix {CHECKS.relative_to(ROOT)}"
    done = subprocess.run([path, *args], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.whole
def test_the_source_has_one_form() -> None:
    config = ["--config", str(CHECKS / "prettier.config.js"), "--ignore-path", str(CHECKS / ".prettierignore")]
    assert run("prettier", *config, "--check", *SOURCES) == ""


def test_functions_are_short_and_keep_to_the_rules() -> None:
    """No rule looks beyond a file, so that one which is as it was need not be read again."""
    kept = ("--cache", "--cache-strategy", "content", "--cache-location", str(CHECKS / "node_modules/.cache/eslint"))
    assert run("eslint", "--config", str(CHECKS / "eslint.config.js"), "--max-warnings", "0", *kept, "server/web") == ""


def test_types_agree_with_each_other_and_with_what_the_server_sends() -> None:
    assert run("tsc", "--project", str(CHECKS)) == ""


@pytest.mark.whole
def test_the_client_library_that_is_sent_is_what_its_source_comes_to(tmp_path: Path) -> None:
    """Its types are checked on the way; who runs Herald compiles nothing."""
    assert run("tsc", "--project", str(LIBRARY), "--outDir", str(tmp_path)) == ""
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in COMPILED.iterdir()}
    assert sorted(made) == sorted(kept)
    differ = [name for name, text in made.items() if kept[name] != text]
    assert differ == [], "run: npm --prefix tests/web/checks run compile"


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("export function f() {\n" + "\tg();\n" * 22 + "}\nfunction g() {}\n", ""),
        ("export function f() {\n" + "\tg();\n" * 23 + "}\nfunction g() {}\n", "max-lines-per-function"),
        ("export const a = `${`b`}`;\n", "no-restricted-syntax"),
        ("export const f = a => a == 1;\n", "eqeqeq"),
    ],
)
def test_the_rules_find_what_they_are_for(code: str, rule: str) -> None:
    command = [str(CHECKS / "node_modules/.bin/eslint"), "--config", str(CHECKS / "eslint.config.js"), "--stdin"]
    done = subprocess.run(command, cwd=ROOT, input=code, capture_output=True, text=True, timeout=100, check=False)
    assert (rule in done.stdout) if rule else done.returncode == 0, done.stdout + done.stderr
