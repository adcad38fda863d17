"""Choices and events as short readable text: `Execute A`, `Castle D mobility=true`, `UnitDamaged unit=D lost=4`."""

import difflib
import json
from collections.abc import Iterable
from enum import Enum
from itertools import takewhile
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from domain.commons.notation import in_words
from domain.kernel import Choice, Event, Game, Hidden, NotAChoice, Spelled, State

S = TypeVar("S", bound=State)
Fields = dict[str, Any]
NONE: Final = "none"
"""The word for nothing in a scenario, because TOML has no null."""
UNKNOWN: Final = "?"


def nearest(word: str, words: Iterable[str]) -> str:
    """The allowed words, the likeliest first, for error messages."""
    listed = sorted(str(each) for each in words)
    likely = difflib.get_close_matches(word, listed, n=1)
    return f"did you mean {likely[0]!r}?" if likely else f"allowed: {', '.join(listed)}"


def read_value(text: str) -> Any:
    """Read a number, true, false, a JSON list or `none`; any other word is itself."""
    try:
        return json.loads(text)
    except ValueError:
        return None if text == NONE else text


def plain(value: object) -> Any:
    """A value as the notation shows it: plain data, hidden values as `?`, tuples as lists, sets as sorted lists."""
    if isinstance(value, Hidden):
        return UNKNOWN
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, dict):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, Struct):
        return _plain_struct(value)
    return msgspec.to_builtins(value, enc_hook=str, str_keys=True)


def _plain_struct(value: Struct) -> Any:
    """A struct in its written form: with its tag and its encoded names, or as a list."""
    config = value.__struct_config__
    inner = [plain(getattr(value, name)) for name in value.__struct_fields__]
    if config.array_like:
        return inner
    tag = {} if config.tag is None else {str(config.tag_field): config.tag}
    return tag | dict(zip(value.__struct_encode_fields__, inner, strict=True))


def write_value(value: object) -> str:
    """Plain data on one line."""
    if value is None:
        return NONE
    if isinstance(value, bool | int | list | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def spelled(game: Game[S], state: S | None, fields: Fields) -> Fields:
    """The fields of a choice or event, with the short names of a position replaced by the full ones."""
    positions = game.spec.positions
    if state is None or not isinstance(positions, Spelled):
        return fields

    def spell(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [spell(name, item) for item in value]
        return positions.spelled(state, name, value) if isinstance(value, str) else value

    try:
        return {name: spell(name, value) for name, value in fields.items()}
    except ValueError as wrong:
        raise NotAChoice(str(wrong)) from wrong


def read_choice(game: Game[S], given: str | Fields, state: S | None = None) -> Choice:
    """Read a choice from its tagged table or its short form; with a state, also by the short names of its position.

    Raises `NotAChoice`, which says what is allowed.
    """
    if isinstance(given, dict):
        return _read_table(game, spelled(game, state, given))
    name, *words = given.split() or [""]
    classes = {cls.__name__: cls for cls in game.spec.choices}
    if name not in classes:
        raise NotAChoice(f"there is no choice {name!r}; {nearest(name, classes)}")
    fields = spelled(game, state, _read_fields(classes[name], words))
    try:
        return msgspec.convert({"do": name, **fields}, classes[name], strict=False)
    except msgspec.ValidationError as wrong:
        raise NotAChoice(f"{given!r}: {_explain(classes[name], wrong)}") from wrong


def _read_table(game: Game[Any], given: Fields) -> Choice:
    try:
        return game.read_choice(given)
    except NotAChoice as wrong:
        name = str(given.get("do", ""))
        classes = {cls.__name__: cls for cls in game.spec.choices}
        if name not in classes:
            raise NotAChoice(f"there is no choice {name!r}; {nearest(name, classes)}") from wrong
        why = wrong.__cause__
        told = _explain(classes[name], why) if isinstance(why, msgspec.ValidationError) else str(wrong)
        raise NotAChoice(f"{write_value(given)}: {told}") from wrong


def _explain(cls: type[Struct], wrong: msgspec.ValidationError) -> str:
    """The fault in a choice, with the field, and the allowed words if only some are allowed."""
    place, said = in_words(wrong)
    kind = get_type_hints(cls).get(place)
    words = list(kind) if isinstance(kind, type) and issubclass(kind, Enum) else get_args(kind)
    few = [str(word) for word in words if isinstance(word, str)]
    return f"{place}: {said}" + (f"; allowed: {', '.join(few)}" if few else "") if place else said


def _read_fields(cls: type[Struct], words: list[str]) -> Fields:
    """Assign words to fields in order. `name=value` names a field; a field of several items takes words up to that."""
    names = list(cls.__struct_fields__)
    hints = get_type_hints(cls)
    fields: Fields = {}
    while words:
        word = words.pop(0)
        named, is_named, value = word.partition("=")
        if is_named and named in names:
            names.remove(named)
            fields[named] = read_value(value)
        elif not names:
            raise NotAChoice(f"{cls.__name__} has no place for {word!r}; it has {', '.join(cls.__struct_fields__)}")
        else:
            name = names.pop(0)
            several = get_origin(hints[name]) is tuple
            listed = list(takewhile(lambda each: each.partition("=")[0] not in names, words)) if several else []
            fields[name] = [word, *listed] if several else word
            words = words[len(listed) :]
    for name in names:
        if get_origin(hints[name]) is tuple and name not in fields:
            fields[name] = []
    return fields


def write_choice(choice: Choice) -> str:
    """A choice in the short form that `read_choice` reads."""
    cls = type(choice)
    defaults = cls.__struct_defaults__
    required = len(cls.__struct_fields__) - len(defaults)
    words = [cls.__name__]
    for at, name in enumerate(cls.__struct_fields__):
        value = plain(getattr(choice, name))
        if at >= required:
            if getattr(choice, name) != defaults[at - required]:
                words.append(f"{name}={write_value(value)}")
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            words += value
        else:
            words.append(write_value(value))
    return " ".join(words)


def read_pattern(game: Game[S], given: str | Fields, state: S | None = None) -> tuple[str, Fields]:
    """Read an event's type and the fields it must have. Raises `ValueError` for a name that the game does not have."""
    if isinstance(given, str):
        kind, *words = given.split() or [""]
        pairs = [word.partition("=") for word in words]
        if not all(sign for _, sign, _ in pairs):
            raise ValueError(f"an event is `Type field=value ...`, not {given!r}")
        fields: Fields = {name: read_value(value) for name, _, value in pairs}
    else:
        fields = {name: value for name, value in given.items() if name != "type"}
        kind = str(given.get("type", ""))
    if kind not in game.events:
        raise ValueError(f"{game.name} has no event {kind!r}; {nearest(kind, game.events)}")
    unknown = [name for name in fields if name not in game.events[kind].__struct_fields__]
    if unknown:
        raise ValueError(
            f"{kind} has no field {unknown[0]!r}; {nearest(unknown[0], game.events[kind].__struct_fields__)}"
        )
    try:
        return kind, spelled(game, state, fields)
    except NotAChoice as wrong:
        raise ValueError(str(wrong)) from wrong


def write_pattern(kind: str, fields: Fields) -> str:
    """A pattern on one line."""
    return " ".join([kind, *(f"{name}={write_value(value)}" for name, value in fields.items())])


def write_event(event: Event) -> str:
    """An event on one line, without fields that have their default; hidden fields are shown."""
    cls = type(event)
    defaults = cls.__struct_defaults__
    required = len(cls.__struct_fields__) - len(defaults)
    fields = {
        name: plain(getattr(event, name))
        for at, name in enumerate(cls.__struct_fields__)
        if at < required or getattr(event, name) != defaults[at - required] or isinstance(getattr(event, name), Hidden)
    }
    return write_pattern(cls.__name__, fields)


def fits(event: Event, kind: str, fields: Fields) -> bool:
    """Whether the event has the type and the fields of the pattern; of a table, only the named fields count."""
    return type(event).__name__ == kind and all(
        is_as(value, plain(getattr(event, name))) for name, value in fields.items()
    )


def is_as(told: Any, got: Any) -> bool:
    """Whether plain data is as claimed: of a table, only the claimed fields; of a list, every item in its place."""
    if isinstance(told, dict) and isinstance(got, dict):
        return all(name in got and is_as(value, got[name]) for name, value in told.items())
    if isinstance(told, list) and isinstance(got, list):
        return len(told) == len(got) and all(map(is_as, told, got))
    same = isinstance(told, bool) == isinstance(got, bool)
    return got is None if told == NONE and got != NONE else same and bool(told == got)
