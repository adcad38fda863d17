"""What docs/hosting.md tells an operator to write down is true of the program."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from prometheus_client.parser import text_string_to_metric_families

from replay.store.health import Pulse
from server.cli import main
from server.cli.serve import DISK_FAILED
from server.operations.configuration import OTHERS, SETTINGS
from server.operations.metrics import Meters, RegistryState, exposition
from tests.server.operations.hosting import ROOT, TEXT, block, unit


def assert_command(words: list[str]) -> dict[str, Any]:
    """`herald serve ...` can be typed so; what it is given."""
    assert Path(words[0]).name == "herald"
    command = main.get_command(click.Context(main), words[1])
    assert command is not None
    return command.make_context("serve", words[2:]).params


def test_the_unit_starts_the_server_and_leaves_a_failed_disk_to_a_person() -> None:
    service = unit()
    assert_command(service["ExecStart"][0].split())
    assert service["RestartPreventExitStatus"] == [str(DISK_FAILED)]
    assert all(value.partition("=")[0] in {"HERALD_DATA", "PYTHONUNBUFFERED"} for value in service["Environment"])


def test_what_the_unit_reads_is_handed_to_it_and_there_before_it_starts() -> None:
    service, more = unit(), unit(1)
    assert "AssertPathExists=/etc/herald/herald.toml" in block("ini").split("[Service]")[0]
    handed = {pair.partition(":")[0] for pair in [*service["LoadCredential"], *more["LoadCredential"]]}
    assert assert_command(service["ExecStart"][0].split())["config"] == Path("%d/herald.toml")
    cleared, command = more["ExecStart"]
    assert cleared == ""
    given = assert_command(command.split())
    assert {str(given[name]) for name in ("config", "tls_cert", "tls_key")} == {f"%d/{name}" for name in handed}
    assert given["port"] < 1024
    assert more["AmbientCapabilities"] == more["CapabilityBoundingSet"] == ["CAP_NET_BIND_SERVICE"]


def test_the_unit_that_takes_up_renewed_certificates_names_files_that_a_group_may_read() -> None:
    more = unit(2)
    given = assert_command(more["ExecStart"][1].split())
    assert {str(Path(given[name]).parent) for name in ("tls_cert", "tls_key")} == {"/etc/herald/tls"}
    (group,) = more["SupplementaryGroups"]
    assert f"-g {group} -t /etc/herald/tls" in TEXT


def test_the_container_copies_what_there_is_and_sets_what_can_be_set() -> None:
    lines = dict(line.split(" ", 1) for line in block("dockerfile").splitlines())
    assert_command(json.loads(lines["CMD"]))
    assert (ROOT / "requirements.lock").is_file()
    variables = {pair.partition("=")[0] for pair in lines["ENV"].split()}
    known = {setting.variable for setting in SETTINGS.values()} | OTHERS | {"PYTHONUNBUFFERED"}
    assert variables <= known
    assert "/readyz" in lines["HEALTHCHECK"]


def test_no_copy_into_a_container_takes_what_is_somebodys_own() -> None:
    left_out = set((ROOT / ".dockerignore").read_text().splitlines())
    assert {".git", ".venv", "tests", "**/*.db", "**/*.sqlite*", "**/__pycache__", "**/*.pem"} <= left_out
    packaged = {"server", "replay", "projections", "domain", "pyproject.toml", "README.md"}
    assert not packaged & left_out


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
    standing = RegistryState(0, {"seat": 0}, 0, is_ready=True)
    text = exposition(Meters(), standing, {}, Pulse())
    told = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    documented = set(re.findall(r"`(herald_\w+)", TEXT.split("## Metrics")[1]))
    assert documented == {name for name in told if name.startswith("herald_")} - {"herald_build_info"}
    assert len(list(text_string_to_metric_families(text))) == len(told)
