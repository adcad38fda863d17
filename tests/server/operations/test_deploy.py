"""What lies in docs/deploy can be started: units and containers name commands, settings and files that there are."""

import ipaddress
import json
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import pytest
import yaml  # type: ignore[import-untyped]

from server.cli import main
from server.operations.configuration import OTHERS, SETTINGS, load
from server.operations.settings import networks
from tests.server.operations.hosting import ROOT
from tests.server.operations.hosting import unit as unit_of_one

FOLDER = ROOT / "docs/deploy"
SERVERS = ("one", "two", "three")


def parsed(words: list[str]) -> dict[str, Any]:
    """What the command line's own parser makes of a command. It fails for one that cannot be typed so."""
    assert Path(words[0]).name == "herald"
    context = click.Context(main)
    command: click.Command | None = main
    for number, word in enumerate(words[1:], 1):
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
        assert command is not None, words
        if not isinstance(command, click.Group):
            return command.make_context(word, words[number + 1 :]).params
    raise AssertionError(f"{words} names no command")


def sections(name: str) -> dict[str, dict[str, list[str]]]:
    """A unit: by section and name, in order."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in (FOLDER / name).read_text().splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, sign, value = line.partition("=")
            assert sign, line
            section.setdefault(key, []).append(value)
    return found


def instances() -> list[str]:
    """What the target starts, without the template's name."""
    (wanted,) = sections("herald.target")["Unit"]["Wants"]
    names = wanted.split()
    assert all(name.startswith("herald@") and name.endswith(".service") for name in names)
    return [name.removeprefix("herald@").removesuffix(".service") for name in names]


@pytest.mark.parametrize("number", range(3))
def test_each_unit_of_the_target_starts_a_server_at_a_port_of_its_own(number: int) -> None:
    service = sections("herald@.service")["Service"]
    (start,) = service["ExecStart"]
    given = parsed(shlex.split(start.replace("%i", instances()[number])))
    assert given["port"] == 8001 + number
    assert len(set(instances())) == 3
    networks(given["proxy"])
    assert service["StateDirectory"] == ["herald-%i"]
    assert "HERALD_DATA=/var/lib/herald-%i" in service["Environment"]


def test_a_unit_of_several_is_as_confined_as_that_of_one() -> None:
    several, one = sections("herald@.service")["Service"], unit_of_one()
    own = {"ExecStart", "StateDirectory", "Environment", "RestartPreventExitStatus"}
    assert {name: value for name, value in several.items() if name not in own} == {
        name: value for name, value in one.items() if name not in own
    }


def test_the_units_settings_are_sound_and_name_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HERALD_STORE", "HERALD_DB", "HERALD_CONFIG", "HERALD_PUBSUB"):
        monkeypatch.delenv(variable, raising=False)
    settings = load(FOLDER / "herald.toml").sound()
    assert settings.store.startswith("postgresql://")
    assert settings.pubsub.startswith("nats://")


def compose() -> dict[str, Any]:
    """The compose file, with what it takes over from elsewhere in it."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    return found


def test_each_container_runs_a_command_that_there_is() -> None:
    services = compose()["services"]
    for name in SERVERS:
        assert parsed(services[name]["command"])["port"] == 8000
    assert parsed(services["tables"]["command"]) == {"address": None}
    assert {name for name, one in services.items() if one.get("image") == "herald"} == {*SERVERS, "tables"}


def test_what_the_containers_are_told_can_be_set() -> None:
    known = {setting.variable for setting in SETTINGS.values()} | OTHERS | {"PGPASSWORD", "PYTHONUNBUFFERED"}
    whole = compose()
    for name in (*SERVERS, "tables"):
        told = whole["services"][name]["environment"]
        assert told.keys() <= known
        assert told["HERALD_STORE"].endswith("@database/herald")
        assert ":" not in told["HERALD_STORE"].removeprefix("postgresql:"), "no password in an address"
    (subnet,) = whole["networks"]["inside"]["ipam"]["config"]
    assert networks(tuple(told["HERALD_PROXIES"].split(","))) == (ipaddress.ip_network(subnet["subnet"]),)


def test_every_container_volume_and_file_that_is_named_is_there() -> None:
    whole = compose()
    services = whole["services"]
    for one in services.values():
        assert {*one.get("depends_on", ())} <= services.keys()
        for volume in one.get("volumes", ()):
            source = volume.split(":")[0]
            assert (FOLDER / source).is_file() if source.startswith(".") else source in whole["volumes"]
    own = [services[name]["volumes"] for name in SERVERS]
    assert len({volume for (volume,) in own}) == 3, "each signs with keys of its own"
    build = services["one"]["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()
    reached = services["proxy"]["environment"]["HERALD_SERVERS"].split()
    assert reached == [f"{name}:8000" for name in SERVERS]


def test_other_machines_reach_the_proxy_alone() -> None:
    whole = compose()
    assert [name for name, one in whole["services"].items() if "ports" in one] == ["proxy"]
    assert not any("network_mode" in one for one in whole["services"].values())
    settings = load(FOLDER / "herald.toml").sound()
    assert urlsplit(settings.pubsub).hostname == urlsplit(settings.store).hostname == "127.0.0.1"


def test_the_container_has_what_speaks_to_the_database() -> None:
    lines = [line.split(" ", 1) for line in (FOLDER / "Containerfile").read_text().splitlines()]
    copied = next(words.split()[:-1] for word, words in lines if word == "COPY")
    assert all((ROOT / name).is_file() for name in copied)
    assert "psycopg" in (ROOT / copied[0]).read_text()
    assert any(word == "RUN" and copied[0] in words for word, words in lines)
    (command,) = [words for word, words in lines if word == "CMD"]
    assert parsed(json.loads(command))["port"] is None


def alone() -> dict[str, Any]:
    """The compose file of one server."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "one.yaml").read_text())
    return found


def test_one_server_is_reached_through_its_proxy_alone_which_it_believes() -> None:
    whole = alone()
    services = whole["services"]
    assert {*services} == {"herald", "backup", "proxy"}
    assert [name for name, one in services.items() if "ports" in one] == ["proxy"]
    assert services["backup"]["network_mode"] == "none"
    told = services["herald"]["environment"]
    assert told.keys() <= {setting.variable for setting in SETTINGS.values()} | OTHERS
    (subnet,) = whole["networks"]["inside"]["ipam"]["config"]
    assert networks((told["HERALD_PROXIES"],)) == (ipaddress.ip_network(subnet["subnet"]),)
    assert services["proxy"]["environment"]["HERALD_SITE"] == told["HERALD_HOSTS"]
    port = parsed(services["herald"]["command"])["port"]
    assert services["proxy"]["environment"]["HERALD_SERVERS"] == f"herald:{port}"


def test_the_copies_of_one_server_are_made_of_its_database_by_the_script_that_lies_there() -> None:
    services = alone()["services"]
    backup = services["backup"]
    shell, script, copies = backup["command"]
    assert shell == "sh"
    mounted = [volume.rsplit(":", 2 if volume.endswith(":ro") else 1) for volume in backup["volumes"]]
    (source,) = [source for source, place, *_ in mounted if place == script]
    assert (FOLDER / source).is_file()
    assert copies in [place for _, place, *_ in mounted]
    data = "data:/var/lib/herald"
    assert data in backup["volumes"]
    assert data in services["herald"]["volumes"]
    assert f"install -d -o herald -m 0700 {copies}" in (FOLDER / "Containerfile").read_text()


def test_the_log_of_a_container_and_of_a_file_does_not_grow_without_end() -> None:
    assert all(one["logging"]["options"].keys() == {"max-size", "max-file"} for one in alone()["services"].values())
    rotated = (FOLDER / "herald.logrotate").read_text()
    assert "copytruncate" in rotated
    assert f"StandardError=append:{Path('/var/log/herald/herald.log')}" in rotated
