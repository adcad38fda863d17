"""AsyncAPI's own parser reads the document of the socket, with the schemas that it refers to."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from server.wire.protocol import CLIENT_MESSAGES, SERVER_MESSAGES
from server.wire.schemas import documents

PARSER = Path(__file__).with_name("asyncapi")
"""The parser's version, pinned with all that it needs, and the program that prints what it finds."""

pytestmark = [pytest.mark.deep, pytest.mark.npm]


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, with its packages from npm beside it."""
    folder = tmp_path_factory.mktemp("asyncapi")
    for path in PARSER.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "check.mjs"


def told(parser: Path, folder: Path, made: dict[str, bytes]) -> list[str]:
    """What the parser says of the documents, a line each."""
    for name, document in made.items():
        (folder / name).write_bytes(document)
    command = ["node", str(parser), str(folder / "asyncapi.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_the_parser_of_asyncapi_finds_no_fault_and_every_message(parser: Path, tmp_path: Path) -> None:
    number = len({*CLIENT_MESSAGES, *SERVER_MESSAGES})
    assert told(parser, tmp_path, documents()) == [f"{number} messages"]


def test_a_keyword_of_openapi_in_a_message_is_a_fault(parser: Path, tmp_path: Path) -> None:
    messages = json.loads(documents()["messages.json"])
    messages["$defs"]["Choose"]["discriminator"] = {"propertyName": "t"}
    found = told(parser, tmp_path, documents() | {"messages.json": json.dumps(messages).encode()})
    assert any("discriminator" in line for line in found), found
