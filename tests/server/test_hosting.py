"""What docs/hosting.md tells an operator to write down is true of the program."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
from prometheus_client.parser import text_string_to_metric_families

from replay.store import Pulse
from server.cli import main
from server.cli.serve import DISK_FAILED
from server.configuration import OTHERS, SETTINGS
from server.metrics import Meters, Standing, exposition

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/hosting.md").read_text()


def block(kind: str) -> str:
    return TEXT.split(f"```{kind}\n")[1].split("```")[0]


def unit() -> dict[str, list[str]]:
    """The unit's `[Service]`; a name may stand more than once."""
    found: dict[str, list[str]] = {}
    for line in block("ini").split("[Service]")[1].split("[Install]")[0].splitlines():
        name, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def assert_command(words: list[str], *, file: Path) -> None:
    """`herald serve ...` can be typed so; a file that it names is the operator's."""
    assert Path(words[0]).name == "herald"
    command = main.get_command(click.Context(main), words[1])
    assert command is not None
    command.make_context("serve", [str(file) if word.startswith("/etc/") else word for word in words[2:]])


def test_the_unit_starts_the_server_and_leaves_a_failed_disk_to_a_person(tmp_path: Path) -> None:
    file = tmp_path / "herald.toml"
    file.touch()
    service = unit()
    assert_command(service["ExecStart"][0].split(), file=file)
    assert service["RestartPreventExitStatus"] == [str(DISK_FAILED)]
    assert all(value.partition("=")[0] in {"HERALD_DATA", "PYTHONUNBUFFERED"} for value in service["Environment"])


def test_the_container_copies_what_there_is_and_sets_what_can_be_set() -> None:
    lines = dict(line.split(" ", 1) for line in block("dockerfile").splitlines())
    assert_command(json.loads(lines["CMD"]), file=ROOT)
    assert (ROOT / "requirements.lock").is_file()
    variables = {pair.partition("=")[0] for pair in lines["ENV"].split()}
    known = {setting.variable for setting in SETTINGS.values()} | OTHERS | {"PYTHONUNBUFFERED"}
    assert variables <= known
    assert "/readyz" in lines["HEALTHCHECK"]


def lines_of_the_log() -> Iterator[tuple[str, str]]:
    """Level and words of every line that the server may log."""
    for file in (ROOT / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name("LOG"), attr=level), args=[ast.Constant(str(words)), *_]
                ):
                    yield level, re.sub(r"%[-.\d]*[sdf]", "…", words)


def test_every_line_of_the_log_that_is_documented_is_written_so() -> None:
    table = TEXT.split("| Level | Line |")[1].split("\n\n")[0]
    documented = {
        (row.split(" | ")[0].strip("| "), line)
        for row in table.splitlines()
        for line in re.findall(r"`([^`]+)`", row.split(" | ")[1] if " | " in row else "")
    }
    assert len(documented) > 15
    assert documented <= set(lines_of_the_log())


def test_every_metric_of_ours_is_documented_and_every_one_documented_is_there() -> None:
    standing = Standing(0, {"seat": 0}, 0, is_ready=True)
    text = exposition(Meters(), standing, {}, Pulse())
    told = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    documented = set(re.findall(r"`(herald_\w+)", TEXT.split("## Metrics")[1]))
    assert documented == {name for name in told if name.startswith("herald_")} - {"herald_build_info"}
    assert len(list(text_string_to_metric_families(text))) == len(told)
