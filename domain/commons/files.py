"""Card and army files: JSON documents by players and authors. All defects of a file are reported at once."""

from collections.abc import Iterable, Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

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
    """Raise `error` with all defects, if there are any; advice alone raises nothing."""
    wrong = tuple(defect for defect in defects if not defect.advice)
    if wrong:
        raise error(wrong)


def shape_defects(file: str, card: str, shape: type[Struct], found: object) -> Iterator[Defect]:
    """Everything in an object, however deep, that does not fit the struct it should become: missing, unknown or out of
    range. A struct may name the rule that prescribes its fields, as `rule: ClassVar[str]`.
    """
    at = Defect(file, card, "", "", "", _rule_of(shape))
    try:
        yield from list(_misfits(at, shape, found))
    except RecursionError:
        yield msgspec.structs.replace(at, found="things within things without end", allowed="what a card needs")


def _rule_of(shape: Any) -> str:
    return str(getattr(shape, "rule", ""))


def _wrong(at: Defect, found: object, allowed: str) -> Defect:
    return msgspec.structs.replace(at, found=f"{found!r:.60}", allowed=allowed)


def _misfits(at: Defect, shape: Any, found: object) -> Iterator[Defect]:
    """The defects of a value that does not fit a type; `at` holds the place."""
    bare = get_args(shape)[0] if get_origin(shape) is Annotated else shape
    if isinstance(bare, type) and issubclass(bare, Struct):
        yield from _struct_misfits(at, bare, found)
        return
    try:
        msgspec.convert(found, shape)
    except msgspec.ValidationError as wrong:
        inside = list(_inner_misfits(at, bare, found))
        yield from inside or [_wrong(at, found, _words(bare) or str(wrong).partition(" - at ")[0])]


def _words(shape: Any) -> str:
    """The words that a type allows, if it lists them."""
    if get_origin(shape) is Literal:
        return ", ".join(map(str, get_args(shape)))
    if get_origin(shape) in {Union, UnionType}:
        configs = (getattr(kind, "__struct_config__", None) for kind in get_args(shape))
        return ", ".join(f"{config.tag_field} {config.tag}" for config in configs if config is not None and config.tag)
    return ", ".join(map(str, shape)) if isinstance(shape, type) and issubclass(shape, Enum) else ""


def _struct_misfits(at: Defect, shape: type[Struct], found: object) -> Iterator[Defect]:
    at = msgspec.structs.replace(at, rule=_rule_of(shape) or at.rule)
    if not isinstance(found, dict):
        yield msgspec.structs.replace(at, found=f"{found!r:.40}", allowed="an object")
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
    for name in found:
        if name not in fields and name != shape.__struct_config__.tag_field:
            unknown = _below(at, str(name))
            yield msgspec.structs.replace(unknown, found="a field that there is not", allowed=", ".join(fields))
    config = shape.__struct_config__
    if config.tag_field is not None and found.get(config.tag_field, config.tag) != config.tag:
        yield _wrong(_below(at, config.tag_field), found[config.tag_field], str(config.tag))
    for name, field in fields.items():
        if name in found:
            yield from _misfits(_below(at, name), field.type, found[name])
        elif field.required:
            yield msgspec.structs.replace(_below(at, name), found="nothing", allowed="a value; it is required")


def _inner_misfits(at: Defect, shape: Any, found: object) -> Iterator[Defect]:
    """The defects inside a list, inside a table, or inside the member of a union that the value means."""
    kinds = get_args(shape)
    if get_origin(shape) in {Union, UnionType}:
        meant = _meant(kinds, found)
        if meant is not None:
            yield from _misfits(at, meant, found)
    elif get_origin(shape) is tuple and isinstance(found, list) and (kinds[-1] is ... or len(kinds) == len(found)):
        for number, item in enumerate(found):
            kind = kinds[0] if kinds[-1] is ... else kinds[number]
            yield from _misfits(_below(at, f"[{number}]"), kind, item)
    elif get_origin(shape) is dict and isinstance(found, dict):
        for key, value in found.items():
            yield from _misfits(_below(at, str(key)), kinds[0], key)
            yield from _misfits(_below(at, str(key)), kinds[1], value)


def _meant(kinds: tuple[Any, ...], found: object) -> Any | None:
    """The member of a union that a value means: by its tag, or the only member besides None."""
    kinds = tuple(kind for kind in kinds if kind is not NoneType)
    if len(kinds) == 1:
        return kinds[0] if found is not None else None
    if not isinstance(found, dict):
        return None
    structs = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct)]
    if len(structs) == 1:
        return structs[0]
    configs = {kind: kind.__struct_config__ for kind in structs}
    return next((kind for kind, config in configs.items() if config.tag == found.get(config.tag_field)), None)


def _below(at: Defect, step: str) -> Defect:
    dot = "." if at.field and not step.startswith("[") else ""
    return msgspec.structs.replace(at, field=f"{at.field}{dot}{step}")
