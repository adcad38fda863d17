"""docs/clients.md: its programs play, its checks check, its frames are messages, its tables name every code."""

import asyncio
import re
import shutil
import subprocess
from collections import ChainMap
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nacl.signing import SigningKey

from herald_client import Result, fault
from projections.redaction import SPECTATOR
from replay.audit.match_audit import audit
from replay.files import export
from replay.record import sealing
from server.table.audience import wire_item
from server.wire.client import enter
from server.wire.codes import CLOSE_CODES, CODES
from server.wire.protocol import Accepted, Choose, Refused, Reveal, SeatWish, read_message, read_server_message
from tests.server.tabletop import live, play_out, table
from tests.skirmish.game import GAME
from tests.web.node import CHECKS, ROOT

PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
PROGRAMS = {
    name: code for _, name, code in re.findall(r"^```(python|ts) (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
}
FRAMES = re.findall(r"^    (client|server)   (\{.*\})$", PAGE, re.MULTILINE)
ENDS = {"Player 1 wins.", "Random bot wins.", "The match is drawn."}
"""How a match of the small client may end."""
UNSENT = {1006, 1011}
"""Close codes that no program here sends: of a broken line, and of the websocket library for a fault."""
FIELDS: list[dict[str, Any]] = [
    {"type": "one", "options": [{"id": "0"}, {"id": "1"}, {"id": "own", "file": {"do": "X", "as": "deck"}}]},
    {"type": "many", "items": [{"id": "a"}, {"id": "b"}], "min": 1, "max": 2},
    {"type": "assign", "fill": "slots", "items": [{"id": "x:0"}, {"id": "x:1"}], "slots": [{"id": "u"}]},
    {
        "type": "assign",
        "fill": "items",
        "min": 1,
        "items": [{"id": "a"}],
        "slots": [{"id": "p"}],
        "legal": {"a": ["p"]},
        "draft": {"a": "p"},
    },
]


def program(*names: str) -> dict[str, Any]:
    """What the programs of these names define, each knowing those before it."""
    made: dict[str, Any] = {}
    for name in names:
        exec(compile(PROGRAMS[name], name, "exec"), made)
    return made


def listed(heading: str) -> list[str]:
    """The codes in the table below a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \| .+ \| .+ \|$", section, re.MULTILINE)


def test_every_code_stands_in_the_table_with_what_to_do() -> None:
    assert listed("Codes") == list(CODES)
    assert {int(code) for code in listed("Close codes")} == set(CLOSE_CODES) | UNSENT


def test_every_frame_shown_is_a_message() -> None:
    assert len(FRAMES) > 12
    for side, frame in FRAMES:
        assert read_message(frame) if side == "client" else read_server_message(frame)


@pytest.mark.parametrize("name", ["client.py", "client.ts"])
def test_a_client_has_forty_lines_and_a_few(name: str) -> None:
    assert 30 < len(list(filter(str.strip, PROGRAMS[name].splitlines()))) <= 46


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field['type']} {field.get('fill', '')}")
def test_the_small_client_answers_every_form(field: dict[str, Any]) -> None:
    assert fault(field, program("client.py")["answer_to"](field)) == ""


@live
async def test_the_small_client_plays_a_whole_match() -> None:
    async with table() as at:
        said = await program("client.py")["play"](at.url, GAME.name)
        (header,) = at.store.matches.latest()
        assert header.status == "finished"
        assert said in ENDS, said


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both programs in TypeScript, strictly typed and compiled, and the library beside them."""
    folder = tmp_path_factory.mktemp("compiled")
    library = folder / "node_modules" / "@herald" / "client"
    shutil.copytree(ROOT / "server" / "web" / "client", library / "lib")
    shutil.copy(ROOT / "clients" / "typescript" / "package.json", library)
    (folder / "package.json").write_text('{"type": "module"}')
    names = ["client.ts", "library.ts"]
    for name in names:
        (folder / name).write_text(PROGRAMS[name])
    bundled = ["--module", "es2022", "--moduleResolution", "bundler"]
    options = ["--strict", "--target", "es2022", "--lib", "es2022,dom", *bundled]
    tsc = [str(CHECKS / "node_modules" / ".bin" / "tsc"), *options, *names]
    made = subprocess.run(tsc, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    assert made.returncode == 0, made.stdout
    return folder


async def run_by_node(folder: Path, script: str, *words: str) -> Any:
    """What a module prints as JSON."""
    command = ["node", "--experimental-websocket", "--input-type=module", "-e", script, *words]
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, wrong = await process.communicate()
    assert process.returncode == 0, wrong.decode()
    return msgspec.json.decode(out)


@pytest.mark.node
@pytest.mark.npm
@pytest.mark.xdist_group("clients-page")
def test_the_small_client_in_typescript_plays_a_whole_match(compiled: Path) -> None:
    script = (
        "import { play, answerTo } from './client.js';"
        "const [url, game, fields] = process.argv.slice(1);"
        "const answers = JSON.parse(fields).map(answerTo);"
        "console.log(JSON.stringify([await play(url, game), answers]));"
    )

    @live
    async def run() -> None:
        async with table() as at:
            fields = msgspec.json.encode(FIELDS).decode()
            said, answers = await run_by_node(compiled, script, at.url, GAME.name, fields)
            assert said in ENDS, said
            assert [fault(field, answer) for field, answer in zip(FIELDS, answers, strict=True)] == [""] * len(FIELDS)
            assert at.store.matches.latest()[0].status == "finished"

    run()


@pytest.mark.node
@pytest.mark.npm
@pytest.mark.xdist_group("clients-page")
def test_the_library_in_typescript_plays_as_the_page_says(compiled: Path) -> None:
    script = (
        "import { play } from './library.js';"
        "console.log(JSON.stringify(await play(...process.argv.slice(1))));"
        "process.exit();"
    )

    @live
    async def run() -> None:
        async with table() as at:
            result, signed_to = await run_by_node(compiled, script, at.http, GAME.name)
            assert result["reason"]
            assert signed_to == 0, "this server has no key"
            report = audit(GAME, export.from_store(at.store, at.store.matches.latest()[0].match))
            assert (report.fault, report.unproven) == (None, [])

    run()


@live
async def test_the_check_and_the_winner_are_those_of_the_record() -> None:
    checks = ChainMap(program("check.py"), program("winner.py"))
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, seat) for seat in (0, 1)]
        await play_out(players)
        items = [wire_item(entry, SPECTATOR) for entry in at.store.read(created.match)]
        assert checks["chained"](created.match, items) == at.store.head(created.match).hash
        half = checks["chained"](created.match, items[:9])
        assert checks["chained"](created.match, items[9:], half) == at.store.head(created.match).hash
        ended = players[0].view.state.result
        won = [] if ended.winner is None else [ended.winner]
        assert checks["outcome"](items) == (won, ended.reason)
        assert checks["outcome"](items[:-1]) is None
        client = await at.client()
        keys = (await enter(client, created.match, created.tokens["0"])).keys
        seen = [(line, *opened) for line, openings in players[0].items for opened in openings]
        assert seen
        assert all(checks["is_sealed"](created.match, keys, line, slot, value) for line, slot, value in seen)
        assert not checks["is_sealed"](created.match, keys, seen[0][0], seen[0][1], '"other"')


def test_seats_that_win_together_are_told_as_winners() -> None:
    line = [2, "M", 9, 0, "MatchEnded", "g/1", -1, "", {"result": {"reason": "all home", "winners": [0, 2]}}, []]
    outcome = program("winner.py")["outcome"]
    assert outcome([(msgspec.json.encode(line).decode(), [])]) == ([0, 2], "all home")


@live
async def test_a_share_is_fixed_and_revealed_as_the_page_says() -> None:
    shares = program("check.py", "share.py")
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada", entropy=shares["entropy"]), SeatWish("bot", bot="random"))
        ada = await at.player(created, 0)
        reveal = read_message(frame_of(shares["reveal"]))
        assert isinstance(reveal, Reveal)
        assert (await ada.client.ask(reveal, Accepted)).id == "r1"
        await ada.until(lambda: bool(ada.view.state.begun))


@live
async def test_what_is_signed_as_the_page_says_is_the_seats_own() -> None:
    signing = program("check.py", "sign.py")
    key = SigningKey.generate()
    async with table() as at:
        wish = SeatWish("me", "Ada", key=sealing.b64(bytes(key.verify_key)))
        created = await at.create(wish, SeatWish("bot", bot="random"))
        ada = await at.player(created, 0)
        await ada.until(lambda: bool(ada.view.asked()))
        for name in ("first", "second"):
            seen = ada.view.seq, ada.view.head
            choose = {"t": "choose", "id": name, "decision": ada.asked().number, "choice": 0}
            message = read_message(frame_of(signing["signed"](key, created.match, 0, choose, *seen)))
            assert isinstance(message, Choose)
            await ada.client.send(message)
            told = await ada.client.expect(Accepted | Refused)  # type: ignore[arg-type]
            assert isinstance(told, Accepted), told
            await ada.until(lambda last=message.decision: any(a.number > last for a in ada.view.asked()))  # type: ignore[misc]
        report = audit(GAME, export.from_store(at.store, created.match))
        assert (report.fault, report.signatures, report.unproven) == (None, 2, [])


def frame_of(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()


@live
async def test_the_library_plays_as_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with table() as at:
        result, signed_to = await program("library.py")["play"](at.http, GAME.name, tmp_path)
        assert isinstance(result, Result)
        assert signed_to == 0, "this server has no key"
        assert capsys.readouterr().out == ""
        assert len(list(tmp_path.iterdir())) == 1
