"""The log: one line each, in text or JSON, with ids of request and match, without the words of an error."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from server.operations import logs
from server.operations.logs import Json, Text
from tests.server.tabletop import live, table


def record(message: str, *values: object, wrong: BaseException | None = None) -> logging.LogRecord:
    info: Any = (type(wrong), wrong, wrong.__traceback__) if wrong else None
    return logging.LogRecord("server.lobby.match_registry", logging.ERROR, __file__, 1, message, values, info)


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    root, wire = logging.getLogger(), logging.getLogger("server.wire")
    level, wires = root.level, wire.level
    yield
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, Json | Text):
            root.removeHandler(handler)
    root.setLevel(level)
    wire.setLevel(wires)


def test_a_json_line_holds_time_level_logger_and_message() -> None:
    line = json.loads(Json().format(record("%d matches go on", 3)))
    assert line["message"] == "3 matches go on"
    assert (line["level"], line["logger"]) == ("error", "server.lobby.match_registry")
    assert line["time"].endswith("Z")
    assert set(line) == {"time", "level", "logger", "message"}


@pytest.mark.parametrize("form", [Json(), Text()])
def test_the_words_of_an_error_are_left_out_and_its_place_is_told(form: logging.Formatter) -> None:
    try:
        raise ValueError("canary-card")
    except ValueError as wrong:
        line = form.format(record("it failed", wrong=wrong))
    assert "canary" not in line
    assert "ValueError at test_logs.py:" in line


def test_nobody_writes_a_line_of_their_own_into_the_text() -> None:
    line = Text().format(record("name %s", "x\n2026 error forged\x1b[31m"))
    assert "\n" not in line
    assert "\x1b" not in line
    assert r"x\n2026" in line


def test_a_line_names_request_and_match() -> None:
    request, match = logs.REQUEST.set("ab12"), logs.MATCH.set("M1")
    try:
        line = json.loads(Json().format(record("something")))
        assert (line["request"], line["match"]) == ("ab12", "M1")
        assert Text().format(record("something")).endswith("something request=ab12 match=M1")
    finally:
        logs.REQUEST.reset(request)
        logs.MATCH.reset(match)


def test_of_several_processes_a_line_names_which_wrote_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "process", "2")
    assert json.loads(Json().format(record("said")))["process"] == "2"
    assert Text().format(record("said")).endswith(" process=2")


def test_of_other_libraries_only_warnings_are_written(written: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.start("json", "info")
    logging.getLogger("strange").info("canary")
    logging.getLogger("strange").warning("of note")
    logging.getLogger("server.lobby.match_registry").info("ours")
    logging.getLogger("server.lobby.match_registry").debug("too fine")
    told = [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()]
    assert told == ["of note", "ours"]


def test_to_start_twice_writes_each_line_once(written: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.start()
    logs.start("text", "error")
    logging.getLogger("server.lobby.match_registry").error("once")
    logging.getLogger("server.lobby.match_registry").info("not")
    assert len(capsys.readouterr().err.splitlines()) == 1


@live
async def play_a_little(secret: list[str]) -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        await ada.choose()
        secret += [created.match, *created.tokens.values()]


def test_the_log_of_a_match_holds_its_id_but_no_token(written: None, capsys: pytest.CaptureFixture[str]) -> None:
    logs.start("json", "debug")
    secret: list[str] = []
    play_a_little(secret)
    match, *tokens = secret
    told = capsys.readouterr().err
    lines = [json.loads(line) for line in told.splitlines()]
    assert any(line["message"].startswith("a connection opened") and line["request"] for line in lines)
    assert any(line.get("match") == match for line in lines)
    assert any(line["message"] == f"match {match} of skirmish was created" for line in lines)
    assert len(tokens) == 2
    assert not any(token in told for token in tokens)


def test_what_nothing_has_caught_is_a_line_without_its_words() -> None:
    program = "\n".join(
        [
            "import threading, warnings",
            "from server.operations import logs",
            "logs.start('json')",
            "logs.take_faults()",
            "warnings.warn('odd')",
            "def fail():",
            "    raise ValueError('canary-card')",
            "thread = threading.Thread(target=fail)",
            "thread.start()",
            "thread.join()",
            "fail()",
        ]
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    told = [json.loads(line)["message"] for line in done.stderr.splitlines()]
    assert done.returncode == 1
    assert "odd" in told[0]
    assert told[1:] == ["nothing has caught: ValueError at <string>:7"] * 2
