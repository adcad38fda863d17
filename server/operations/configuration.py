"""The operator's settings, in this order: flags, environment, one TOML file, defaults. Every defect has a place."""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec import inspect as types

from replay.store.postgres.address import is_address
from server.errors import Misconfigured
from server.operations.notice_settings import notice_defects
from server.operations.settings import Settings, networks, tls_context
from server.webhooks.delivery import Hook, checked

PREFIX: Final = "HERALD_"
CONFIG: Final = "HERALD_CONFIG"
OTHERS: Final = frozenset({CONFIG, "HERALD_DATA", "HERALD_VENV", "HERALD_DB", "HERALD_STORE", "HERALD_LANG"})
"""Variables of Herald that are no settings of the server, or that other commands also read."""
DEFAULT: Final = "default"


class Setting(Struct, frozen=True):
    """One value that can be set, by its dotted name."""

    name: str
    type: types.Type
    default: Any

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.name.upper().replace(".", "_")

    @property
    def is_secret(self) -> bool:
        """Whether the value must never be shown."""
        return isinstance(self.type, types.Metadata) and bool((self.type.extra or {}).get("secret"))

    @property
    def plain(self) -> types.Type:
        """The value's type without annotations."""
        return self.type.type if isinstance(self.type, types.Metadata) else self.type

    def allowed(self) -> str:
        """The allowed values, in words."""
        kind = self.plain
        if isinstance(kind, types.LiteralType):
            return f"one of {', '.join(map(str, kind.values))}"
        if isinstance(kind, types.IntType | types.FloatType):
            noun = "a whole number" if isinstance(kind, types.IntType) else "a number"
            return noun + "".join(
                f" {word} {bound:,}" for word, bound in (("from", kind.ge), ("to", kind.le)) if bound is not None
            )
        if isinstance(kind, types.BoolType):
            return "true or false"
        if isinstance(kind, types.VarTupleType):
            return "a list of texts"
        return "a text" if not getattr(kind, "min_length", 0) else "a text that is not empty"


class SettingDefect(Struct, frozen=True):
    """A faulty setting: the place, the fault, and the allowed values."""

    place: str
    what: str
    allowed: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.what}" + (f"; allowed is {self.allowed}" if self.allowed else "")


class Configuration(Struct, frozen=True):
    """The settings in force, the source of each value that was set, the defects, and the oddities."""

    settings: Settings
    places: dict[str, str]
    defects: tuple[SettingDefect, ...] = ()
    notes: tuple[SettingDefect, ...] = ()
    file: Path | None = None
    """The file that was read; None if there is none."""

    def sound(self) -> Settings:
        """The settings. Raises `Misconfigured`, with every defect, if there is any."""
        if self.defects:
            raise Misconfigured("\n".join(map(str, self.defects)))
        return self.settings

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Name, value as JSON, and origin of every setting; for a secret, only that it is set."""
        for setting in SETTINGS.values():
            value: Any = self.settings
            for part in setting.name.split("."):
                value = getattr(value, part)
            text = msgspec.json.encode(value).decode()
            if setting.is_secret:
                text = "(set)" if value else "(not set)"
            yield setting.name, text, self.places.get(setting.name, DEFAULT)


def _settings(kind: type[Struct], before: str = "") -> Iterator[Setting]:
    described = types.type_info(kind)
    assert isinstance(described, types.StructType)
    for field in described.fields:
        name = before + field.encode_name
        if isinstance(field.type, types.StructType):
            yield from _settings(field.type.cls, name + ".")
        else:
            yield Setting(name, field.type, field.default)


SETTINGS: Final = {setting.name: setting for setting in _settings(Settings)}
TABLES: Final = frozenset(name.rpartition(".")[0] for name in SETTINGS)
_BY_VARIABLE: Final = {setting.variable: setting for setting in SETTINGS.values()}


class _Reading:
    """Gathers values and defects from one source after another; a later source overrides an earlier one."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.places: dict[str, str] = {}
        self.defects: list[SettingDefect] = []
        self.notes: list[SettingDefect] = []

    def take(self, name: str, value: Any, place: str, *, from_text: bool) -> None:
        """Take a value for a setting if it is valid; text is converted to the setting's type."""
        setting = SETTINGS[name]
        if from_text and isinstance(setting.plain, types.VarTupleType) and isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        try:
            fitting = msgspec.convert(value, _hint(name), strict=not from_text)
        except msgspec.ValidationError:
            shown = "its value" if setting.is_secret else msgspec.json.encode(msgspec.to_builtins(value)).decode()
            self.defects.append(SettingDefect(place, f"{name} cannot be {shown}", setting.allowed()))
            return
        self.values[name] = fitting
        self.places[name] = place

    def table(self, table: Mapping[str, Any], file: str, lines: dict[str, int], before: str = "") -> None:
        """Read a table of the file."""
        for key, value in table.items():
            name = before + key
            place = f"{file}:{lines[name]}" if name in lines else file
            if name in SETTINGS:
                self.take(name, value, place, from_text=False)
            elif name in TABLES and isinstance(value, dict):
                self.table(value, file, lines, name + ".")
            elif name in TABLES:
                self.defects.append(SettingDefect(place, f"{name} is a table", f"[{name}] with {_names(name)}"))
            else:
                self.defects.append(SettingDefect(place, f"there is no setting {name}", _near(name, before)))


_HINTS: Final[dict[str, Any]] = {}


def _hint(name: str) -> Any:
    """The annotation of a setting, with its bounds."""
    if not _HINTS:
        _HINTS.update(_annotations(Settings))
    return _HINTS[name]


def _annotations(kind: type[Struct], before: str = "") -> Iterator[tuple[str, Any]]:
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, Struct):
            yield from _annotations(field.type, f"{before}{field.encode_name}.")
        else:
            yield before + field.encode_name, field.type


def _names(table: str) -> str:
    inner = [name.removeprefix(f"{table}.") for name in SETTINGS if name.rpartition(".")[0] == table]
    return ", ".join(inner)


def _near(name: str, before: str) -> str:
    """The settings that may have been meant: those with a similar name, or all settings of the same table."""
    alike = difflib.get_close_matches(name, [*SETTINGS, *filter(None, TABLES)], 2, 0.75)
    if alike:
        return " or ".join(alike)
    table = before.rstrip(".")
    return _names(table) + ("" if table else ", " + ", ".join(f"[{name}]" for name in sorted(filter(None, TABLES))))


_SECTION: Final = re.compile(r"\s*\[([\w.-]+)\]\s*(?:#.*)?$")
_KEY: Final = re.compile(r"\s*([\w.-]+)\s*=")


def _lines(text: str) -> dict[str, int]:
    """The line number of every plain key, by its dotted name."""
    found: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if head := _SECTION.match(line):
            section = head[1] + "."
            found.setdefault(head[1], number)
        elif key := _KEY.match(line):
            found.setdefault(section + key[1], number)
    return found


def _read_file(reading: _Reading, file: Path, *, by: str) -> None:
    """Read a table of settings from a file. `by`: the words that name the file's source in error messages."""
    try:
        text = file.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as wrong:
        reading.defects.append(SettingDefect(str(file), f"the file{by} cannot be read: {wrong.strerror}"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        why = str(wrong) if isinstance(wrong, tomllib.TOMLDecodeError) else "it is not UTF-8"
        reading.defects.append(SettingDefect(str(file), f"this is no TOML: {why}"))
    else:
        reading.table(table, str(file), _lines(text))


def _read_file_named(reading: _Reading, file: Path | None, environment: Mapping[str, str]) -> Path | None:
    """Read the file or, if none is given, the file that HERALD_CONFIG names; returns the path that was read."""
    named = file or (Path(environment[CONFIG]) if environment.get(CONFIG) else None)
    if named is not None:
        _read_file(reading, named, by="" if file else f", which {CONFIG} names,")
    return named


def _read_environment(reading: _Reading, environment: Mapping[str, str]) -> None:
    for variable, value in sorted(environment.items()):
        if variable in _BY_VARIABLE and value:
            reading.take(_BY_VARIABLE[variable].name, value, f"${variable}", from_text=True)
        elif variable.startswith(PREFIX) and variable not in _BY_VARIABLE and variable not in OTHERS:
            alike = difflib.get_close_matches(variable, _BY_VARIABLE, 1)
            reading.notes.append(
                SettingDefect(f"${variable}", "sets nothing" + (f"; is {alike[0]} meant?" if alike else ""))
            )


def load(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, tuple[str, Any]] | None = None,
) -> Configuration:
    """Read all sources of settings.

    `file` is the one named by `--config`, otherwise by HERALD_CONFIG; `flags` are values by setting, with the flag's
    name. All faults are gathered in `defects`; valid values are used nevertheless.
    """
    environment = os.environ if environment is None else environment
    reading = _Reading()
    read = _read_file_named(reading, file, environment)
    _read_environment(reading, environment)
    for name, (flag, value) in (flags or {}).items():
        if name in SETTINGS:
            reading.take(name, value, flag, from_text=True)
        else:
            reading.defects.append(SettingDefect(flag, f"there is no setting {name}", _near(name, "")))
    settings = _built(reading.values)
    reading.defects.extend(_together(settings, reading.places))
    return Configuration(settings, reading.places, tuple(reading.defects), tuple(reading.notes), read)


def database(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Path | None:
    """The database that the settings name, for callers that need no other setting; None when they name none.

    Raises `Misconfigured` if anything in the file is invalid, because a misspelt name may have been meant for the
    database. Files that settings name are not opened, so that a person who copies a database does not need access to
    the server's key.
    """
    environment = os.environ if environment is None else environment
    reading = _Reading()
    _read_file_named(reading, file, environment)
    if reading.defects:
        raise Misconfigured("\n".join(map(str, reading.defects)))
    named = environment.get(SETTINGS["db"].variable) or reading.values.get("db")
    return Path(named) if named else None


def address(file: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """The address of the store that the file names, empty if it names none. Raises the same errors as `database`."""
    environment = os.environ if environment is None else environment
    reading = _Reading()
    _read_file_named(reading, file, environment)
    if reading.defects:
        raise Misconfigured("\n".join(map(str, reading.defects)))
    return str(reading.values.get("store", ""))


def _rank(place: str) -> int:
    """The rank of a source: a flag before a variable, a variable before the file."""
    return 0 if place == DEFAULT else 3 if place.startswith("--") else 2 if place.startswith("$") else 1


def is_stored(places: Mapping[str, str]) -> bool:
    """Whether the matches are in the named store and not in a file; the source of higher rank decides."""
    return _rank(places.get("store", DEFAULT)) > _rank(places.get("db", DEFAULT))


def _built(values: Mapping[str, Any]) -> Settings:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        table, _, key = name.rpartition(".")
        inside = nested.setdefault(table, {}) if table else nested
        inside[key] = value
    return msgspec.convert(nested, Settings)


def _together(settings: Settings, places: Mapping[str, str]) -> Iterator[SettingDefect]:
    """The defects that the types and bounds of the values do not show."""
    if settings.store and settings.db and _rank(places["store"]) == _rank(places["db"]):
        yield SettingDefect(places["store"], "store and db are two places for the matches", "one of them")
    if settings.store and not is_address(settings.store):
        yield SettingDefect(places["store"], "store is no address of a database", "postgresql://USER@HOST/NAME")
    if settings.workers > 1 and settings.db == ":memory:":
        yield SettingDefect(
            places["workers"], "several processes share a database, and one in memory is one's own", "a file"
        )
    if settings.pubsub and not settings.pubsub.startswith(("nats://", "tls://")):
        yield SettingDefect(places["pubsub"], "pubsub is no address", "nats://HOST or tls://HOST")
    yield from _origins(settings, places)
    yield from _notices(settings, places)
    try:
        networks(settings.proxies)
    except Misconfigured as wrong:
        yield SettingDefect(places["proxies"], str(wrong))
    try:
        if settings.webhook.url:
            checked(Hook(settings.webhook.url, settings.webhook.secret, settings.webhook.private))
    except Misconfigured as wrong:
        yield SettingDefect(places.get("webhook.url", "webhook.url"), str(wrong))
    try:
        tls_context(settings.tls)
    except Misconfigured as wrong:
        yield SettingDefect(places.get("tls.cert") or places["tls.key"], str(wrong))


def _origins(settings: Settings, places: Mapping[str, str]) -> Iterator[SettingDefect]:
    for origin in settings.origins:
        if not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/\s]+", origin):
            yield SettingDefect(
                places["origins"], f"{origin!r} is no origin", "a scheme and a host, as https://club.example"
            )
    for origin in settings.embedders:
        if not re.fullmatch(r"https?://[A-Za-z0-9.\[\]:-]+", origin):
            place = places["embedders"]
            yield SettingDefect(
                place, f"{origin!r} is no origin of pages", "a scheme and a host, as https://club.example"
            )


def _notices(settings: Settings, places: Mapping[str, str]) -> Iterator[SettingDefect]:
    for name, what, allowed in notice_defects(settings.notices):
        yield SettingDefect(places.get(name, name), what, allowed)
    place = places.get("notices.password", DEFAULT)
    if place.startswith("--"):
        yield SettingDefect(
            place, "a password on a command line stands in the list of processes", "HERALD_NOTICES_PASSWORD"
        )
