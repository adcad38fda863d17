"""Card and army files: JSON documents by players and authors, whose every defect is named at once."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from domain.commons.errors import Defect, GivenInvalid


def document(text: bytes, file: str) -> Any:
    """The JSON value of a file. Raises `GivenInvalid`."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise GivenInvalid((Defect(file, "", "", str(wrong), "one JSON document in UTF-8"),)) from wrong


def assert_sound(defects: Iterable[Defect], error: type[GivenInvalid] = GivenInvalid) -> None:
    """Raise `error` with everything that is wrong; advice is not."""
    wrong = tuple(defect for defect in defects if not defect.advice)
    if wrong:
        raise error(wrong)


def shape_defects(file: str, card: str, shape: type[Struct], found: object) -> Iterator[Defect]:
    """Every field of an object that does not fit the struct it should become: missing, unknown or out of range."""
    if not isinstance(found, dict):
        yield Defect(file, card, "", f"{found!r:.40}", "an object")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
    for name in found:
        if name not in fields and name != shape.__struct_config__.tag_field:
            yield Defect(file, card, str(name), "a field that there is not", ", ".join(fields))
    for name, field in fields.items():
        if name not in found:
            if field.required:
                yield Defect(file, card, name, "nothing", "a value; it is required")
            continue
        try:
            msgspec.convert(found[name], field.type)
        except msgspec.ValidationError as wrong:
            said, _, where = str(wrong).partition(" - at ")
            place = name + where.strip("`").removeprefix("key` in `").removeprefix("$")
            words = ", ".join(map(str, get_args(field.type))) if get_origin(field.type) is Literal else ""
            yield Defect(file, card, place, f"{found[name]!r:.60}", words or said)
