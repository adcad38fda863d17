"""The wire: its document, its codes, and what its messages refuse."""

import ast
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel import Refusal
from projections.registry import faces
from replay.record.errors import NotSigned, SeatRefused
from replay.store.memory import MemoryStore
from server.cli.errors import Amiss, Unclear
from server.errors import Misconfigured, ServerError
from server.lobby.errors import ServerFull, TooOften
from server.lobby.lobby import Lobby
from server.operations.settings import Settings
from server.relay.errors import RelayFull, WatchOnly
from server.table.audience import LOG_LINES
from server.table.errors import BotStuck
from server.webhooks.errors import HookRefused
from server.wire import account_messages, act_messages, notice_messages, opponent_messages, protocol, safety_messages
from server.wire.account_messages import OfSession
from server.wire.codes import CODES
from server.wire.errors import BadMessage, NotAdmitted, PastAsked
from server.wire.protocol import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    Choose,
    Hello,
    read_message,
    write_client_message,
)
from server.wire.protocol_doc import COMMAND, PATH, document
from server.wire.words import In, Out

SERVER = Path(protocol.__file__).parents[1]


def test_the_document_is_what_the_code_says() -> None:
    assert PATH.read_text(encoding="utf-8") == document(), f"run {COMMAND}"


Kind = TypeVar("Kind")


def _kinds(cls: type[Kind]) -> set[type[Kind]]:
    return {cls, *(found for sub in cls.__subclasses__() for found in _kinds(sub))}


def test_every_refusal_has_its_code_in_the_document() -> None:
    assert NotSigned in _kinds(Refusal)
    ours = {cls for cls in _kinds(Refusal) if cls.__module__.startswith(("domain.", "replay."))}
    told = {cls.code for cls in ours} - {Refusal.code, SeatRefused.code}
    assert told <= CODES.keys()


def test_every_code_that_the_server_says_is_in_the_document_and_no_other() -> None:
    silent: set[type[ServerError]] = {
        ServerError,
        Misconfigured,
        BotStuck,
        PastAsked,
        ServerFull,
        RelayFull,
        Unclear,
        Amiss,
    }
    ours: set[type[ServerError]] = {*_kinds(ServerError)}
    assert {HookRefused, NotAdmitted, TooOften, WatchOnly} < ours
    elsewhere = ("server.arena", "server.bots", "server.research")
    said: set[str] = {error.code for error in ours - silent if not error.__module__.startswith(elsewhere)}
    for path in (SERVER / "gate/session.py", SERVER / "gate/dispatcher.py", SERVER / "table/command_queue.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"Error", "Refused"}:
                code = node.args[0 if node.func.id == "Error" else 1]
                if isinstance(code, ast.Constant):
                    said.add(str(code.value))
    told = {cls.code for cls in _kinds(Refusal)}
    assert said <= CODES.keys()
    assert CODES.keys() <= said | told


def test_every_message_kind_is_in_its_union_and_tagged_once() -> None:
    for kinds in (CLIENT_MESSAGES, SERVER_MESSAGES):
        tags = [cls.__struct_config__.tag for cls in kinds]
        assert len(set(tags)) == len(tags)
    structs = {
        cls
        for module in (protocol, act_messages, account_messages, notice_messages, opponent_messages, safety_messages)
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, msgspec.Struct) and cls.__struct_config__.tag_field == "t"
    }
    named = {cls for cls in structs if not cls.__name__.startswith("_")} - {In, Out, OfSession}
    assert named == {
        *CLIENT_MESSAGES,
        *SERVER_MESSAGES,
    }


@pytest.mark.parametrize("message", [Hello("m", "t", "", 3, ("scene",)), Choose("a", 1, {"do": "Take"}, 4, "h" * 43)])
def test_a_message_reads_as_it_was_written(message: protocol.ClientMessage) -> None:
    assert read_message(write_client_message(message)) == message


@pytest.mark.parametrize(("length", "is_read"), [(64, True), (65, False)])
def test_a_choice_id_has_at_most_64_characters(length: int, is_read: bool) -> None:
    frame = f'{{"t":"choose","id":"{"x" * length}","decision":1,"choice":0}}'
    if is_read:
        assert isinstance(read_message(frame), Choose)
    else:
        with pytest.raises(BadMessage, match="id"):
            read_message(frame)


FRAMES = (
    '{"t":"hello","match":"m","token":"t","since":3,"caps":["scene"]}',
    '{"t":"choose","id":"a","decision":1,"choice":{"do":"Play","card":6},"ack_seq":4,"ack_head":"h"}',
    '{"t":"create","game":"skirmish","seats":[{"kind":"me"},{"kind":"bot"}],"options":{"rounds":2}}',
    '{"t":"join","match":"m","seat":1,"name":"Bo"}',
)
PIECES = st.one_of(
    st.text(max_size=6), st.sampled_from(["\x00", '"', "{", "}", "[", "null", "1e999", "-0", "\\ud800", "9" * 400])
)


@given(st.sampled_from(FRAMES), st.lists(st.tuples(st.integers(0, 120), st.integers(0, 9), PIECES), max_size=4))
def test_a_frame_changed_anywhere_is_a_message_or_a_bad_message(
    frame: str, changes: list[tuple[int, int, str]]
) -> None:
    for at, length, piece in changes:
        frame = frame[:at] + piece + frame[at + length :]
    try:
        read: object = read_message(frame)
    except BadMessage as wrong:
        read = wrong
    assert isinstance(read, CLIENT_MESSAGES) or str(read).endswith(".")


@given(st.binary(max_size=80))
def test_binary_frames_are_no_messages(frame: bytes) -> None:
    with pytest.raises(BadMessage):
        read_message(frame)


def test_options_with_few_values_name_them_all() -> None:
    games = {game.game: game for game in Lobby(MemoryStore(), faces()).listing.games().games}
    for game in games.values():
        assert all(game.options[name] in values for name, values in game.values.items())
    assert games["war_for_edadh"].values["game"] == ("unit", "best_of_3")


def test_an_option_that_is_refused_alone_is_not_offered_and_every_other_is() -> None:
    offered = {game.game: set(game.options) for game in Lobby(MemoryStore(), faces()).listing.games().games}
    for name, face in faces().items():
        fields = msgspec.structs.asdict(face.game.spec.options())
        plain = {field for field, value in fields.items() if isinstance(value, bool | int | str)}
        assert plain - offered[name] == ({"championship"} if name == "vera_discordia" else set())


def test_what_the_page_says_of_narrated_lines_and_bots_is_so() -> None:
    told = document()
    assert f"the last {LOG_LINES} lines narrated" in told
    assert f"A bot waits {Settings().bot_delay_s:g} s" in told
