"""The client's types of messages and Scenes are the server's structs."""

import re

import pytest
from msgspec import Struct, inspect

from projections import vocabulary
from scripts.wire_types import COMMAND, KNOWN, LIBRARY, PAGE, first_sentence, library, page, type_of
from server.wire import protocol


def test_the_kept_types_are_those_of_the_structs() -> None:
    assert LIBRARY.read_text("utf-8") == library(), f"run: {COMMAND}"
    assert PAGE.read_text("utf-8") == page(), f"run: {COMMAND}"


@pytest.mark.parametrize(
    ("docstring", "comment"),
    [
        ("Ask for a hint.", "Ask for a hint."),
        (
            "Ask for a hint, which\n    takes a while. It comes later.\n\n    More.",
            "Ask for a hint, which takes a while.",
        ),
        ("Read by version 1.2 too. Others do not.", "Read by version 1.2 too."),
        ("", ""),
    ],
)
def test_the_comment_on_an_interface_is_the_first_sentence_of_the_docstring(docstring: str, comment: str) -> None:
    assert first_sentence(docstring) == comment


def fields_of(name: str, within: str) -> list[str]:
    """The fields of an interface, as the file has them."""
    _, _, found = LIBRARY.read_text("utf-8").partition(f"declare namespace {within} {{")
    body = re.search(rf"\tinterface {name} {{\n(.*?)\n\t}}", found, re.DOTALL)
    assert body is not None, name
    return re.findall(r"^\t\t(\w+)\??:", body.group(1), re.MULTILINE)


@pytest.mark.parametrize(
    ("struct", "within"),
    [
        *((kind, "Wire") for kind in (*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES, protocol.SeatWish)),
        *((kind, "Words") for kind in (vocabulary.SceneWords, vocabulary.Piece, vocabulary.Field, vocabulary.Cue)),
    ],
    ids=lambda given: given if isinstance(given, str) else given.__name__,
)
def test_an_interface_has_the_fields_of_its_struct(struct: type[Struct], within: str) -> None:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    tag = [info.tag_field] if info.tag_field else []
    assert fields_of(struct.__name__, within) == [*tag, *(field.encode_name for field in info.fields)]


def test_what_the_client_knows_better_is_still_there() -> None:
    both = {kind.__name__: kind for kind in (*vars(protocol).values(), *vars(vocabulary).values()) if is_struct(kind)}
    for name, field in KNOWN:
        assert field in both[name].__struct_fields__, (name, field)


def is_struct(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, Struct)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (int | None, "number"),
        (list[int | str], "(number | string)[]"),
        (tuple[str, int], "[string, number]"),
        (dict[str, list[bool]], "Record<string, boolean[]>"),
    ],
)
def test_a_type_is_written_as_typescript_has_it(given: object, written: str) -> None:
    assert type_of(inspect.type_info(given)) == written


def test_a_type_that_no_message_has_is_an_error() -> None:
    with pytest.raises(TypeError, match="no message"):
        type_of(inspect.type_info(bytes))
