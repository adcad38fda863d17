"""The parts that several commands share: the database, the faces, viewers, matches named by their first letters."""

import resource
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec
from click.core import ParameterSource

from domain.kernel import MatchCreated, Seat
from projections.face import Face
from projections.i18n.language import language_of, translated
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces, left_out
from projections.words import refusal
from replay.audit.verify import verify
from replay.files.export import Record, created, created_in
from replay.files.reading import read_file
from replay.playback.seek import Replay
from replay.record.dealt_chance import event_words, is_held
from replay.record.origin import missing
from replay.record.seat_proof import VOID
from replay.store.matches import Header
from replay.store.opening import open_address
from replay.store.postgres.address import is_address
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from server.cli.errors import Amiss
from server.cli.output import CleanConsole
from server.cli.places import data_dir
from server.cli.reading import read_bytes
from server.cli.words import language, told, word
from server.operations.configuration import address, database

CONFIG: Final = "herald.config"
STORE: Final = "herald.store"
ASKS_NAME: Final = "&f=1"
"""The end of a seat's link if the browser first has to ask for the player's name."""
ON_A_FILE: Final = (
    "This works on a SQLite file. For a database there are its own tools, and `herald store check` and `copy`."
)
STILL_HELD: Final = (
    "{match} is a table of {event}, which is not closed yet: nobody may see, export or analyse it. `herald duplicate"
    " close` closes the event once its tables are over."
)
console = CleanConsole(highlight=False)


def progress_console() -> CleanConsole:
    """The console for progress: standard error, so that it never mixes with the output to a pipe."""
    return CleanConsole(stderr=True)


def default_db(config: Path | None = None) -> Path:
    """The database used when none is named: that of the settings, otherwise one in the data directory.

    `config`: the file of settings; without it, the file named by HERALD_CONFIG. Raises `Misconfigured` when it is not
    sound.
    """
    return database(config) or standard_db()


def standard_db() -> Path:
    """The database used if the settings name none either."""
    return data_dir() / "herald.db"


@contextmanager
def bounded_memory(more: int = 1 << 30) -> Iterator[None]:
    """Limit further memory to this many bytes, for commands that read files of unknown origin.

    A number in a record can ask for any number of objects. Raises `Misconfigured` if they do not fit. Linux only.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (most if soft == resource.RLIM_INFINITY else min(soft, most), hard))
    try:
        yield
    except MemoryError as wrong:
        raise Amiss(word("A file asks for more memory than a record may; it is refused.")) from wrong
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def foreign(*names: str) -> Iterator[None]:
    """Bound the memory if one of the names is a file, which anybody may have written."""
    with bounded_memory() if any(Path(name).is_file() for name in names) else nullcontext():
        yield


def named_config() -> Path | None:
    """The file that `--config` names for the command that is carried out."""
    context = click.get_current_context(silent=True)
    named: Path | None = context.meta.get(CONFIG) if context is not None else None
    return named


def _keep_config(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:
    del parameter
    context.meta[CONFIG] = value


def _db_of_config(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    del parameter
    config = context.meta.get(CONFIG)
    return default_db(config) if value is None and config is not None else value


def _keep_store(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    del parameter
    if value and not is_address(value):
        raise Amiss(word("--store is the address of a database, as postgresql://USER@HOST/NAME; --db names a file."))
    context.meta[STORE] = value


_RANKS: Final = {ParameterSource.COMMANDLINE: 2, ParameterSource.ENVIRONMENT: 1}


def stored_at(db: Path | None) -> str:
    """The address of the database that is named in the place of a file; empty for a file.

    `--store` and `$HERALD_STORE` take precedence over weaker names by `--db` and `$HERALD_DB`, and over the settings.
    Raises `Misconfigured` if both are named at the same level.
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return "" if db is not None else address()
    named = str(context.meta.get(STORE) or "")
    sources = [context.get_parameter_source(name) for name in ("store", "db")]
    store, file = (0 if source is None else _RANKS.get(source, 0) for source in sources)
    if named and store == file:
        raise Amiss(word("--store and --db are two places for the matches; name one of them."))
    if store > file:
        return named
    return "" if file or (db is not None and named_config() is None) else address(named_config())


def file_of(db: Path | None) -> Path:
    """The SQLite file, for commands that work only on a file. Raises `Misconfigured` if a store is named."""
    if stored_at(db):
        raise Amiss(word(ON_A_FILE))
    return db or default_db()


def beside(db: Path | None) -> Path:
    """The file beside which this machine's keys and signs of life lie: the database, or a separate one for a store."""
    return data_dir() / "herald.store" if stored_at(db) else db or default_db()


F = TypeVar("F", bound=Callable[..., Any])


def db_option(command: F) -> F:
    """`--db` or `--store`, and `--config`, which names them as it does for `herald serve`.

    The command gets only `db`; `open_store` knows whether a store was named.
    """
    for option in (
        click.option(
            "--store",
            metavar="ADDRESS",
            envvar="HERALD_STORE",
            is_eager=True,
            expose_value=False,
            callback=_keep_store,
            help="A database in the place of a file, as postgresql://USER@HOST/NAME.",
        ),
        click.option(
            "--db",
            # The file is not tried here: the store reports a file that it cannot read, and the doctor counts that as a
            # finding.
            type=click.Path(dir_okay=False, readable=False, path_type=Path),
            envvar="HERALD_DB",
            callback=_db_of_config,
            help="The SQLite file with the matches.  [default: the settings', else in your data directory]",
        ),
        click.option(
            "--config",
            type=click.Path(dir_okay=False, path_type=Path),
            is_eager=True,
            expose_value=False,
            callback=_keep_config,
            help="The server's file of settings, which may name the database.  [default: $HERALD_CONFIG]",
        ),
    ):
        command = option(command)
    return command


def open_store(db: Path | None, *, must_exist: bool = False) -> Store:
    """The store behind `--db` or `--store`; a store that must exist is opened for reading only.

    Raises `Misconfigured` when it does not exist, and `StoreFailed`.
    """
    if named := stored_at(db):
        return open_address(named, readonly=must_exist)
    path = db or default_db()
    if must_exist and not path.exists():
        raise Amiss(word("There is no database at {path}. Play something first, or name one with --db.", path=path))
    try:
        return SqliteStore(path, readonly=must_exist)
    except OSError as wrong:
        raise Amiss(
            word("The database {path} cannot be made: {why}. Name another with --db.", path=path, why=wrong.strerror)
        ) from wrong


def find_match(store: Store, name: str) -> Header:
    """A match by its id or the first letters of it, or `last`.

    Raises `Misconfigured` if no match or several match, or for a table of an event that nobody may look at yet.
    """
    found = match_named(store, name)
    first = created(store, found.match)
    if is_held(first, found):
        raise Amiss(
            word(
                STILL_HELD,
                match=found.match[:8],
                event=event_words(first),
            )
        )
    return found


def match_named(store: Store, name: str) -> Header:
    """The same as `find_match`, for commands that do not show the course of a match: a table that is still closed is
    found too.
    """
    headers = store.matches.latest(limit=100_000)
    if name == "last" and headers:
        return headers[0]
    found = [header for header in headers if header.match.startswith(name)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise Amiss(word("There is no match {name!r}. `herald match list` shows what there is.", name=name))
    raise Amiss(word("{n} matches begin with {name!r}; give more letters.", n=len(found), name=name))


def how_it_ended(header: Header, names: Sequence[str]) -> str:
    """A match's result with the winners' names: the list stores `seat 0: why`, `seats 0 2: why` or `draw: why`."""
    who, _, why = header.result.partition(": ")
    how, *seats = who.split(" ")
    why = said(header.game, why)
    won = [names[int(seat)] for seat in seats if seat.isdecimal() and int(seat) < len(names)]
    if header.result.startswith(f"draw: {VOID}"):
        return why
    if how == "draw":
        return word("draw: {why}", why=why)
    if how not in ("seat", "seats") or not seats or len(won) < len(seats):
        return header.result
    return word("{names} won: {why}", names=word(" and ").join(won), why=why)


def face_of(game: str, created: MatchCreated | None = None) -> Face[Any]:
    """A game's face, in the command's language. Raises `Misconfigured` for a game this program does not have.

    `created`: the first event of the match, so that the error can name the package that is missing.
    """
    return translated(written_face(game, created), language())


def written_face(game: str, created: MatchCreated | None = None) -> Face[Any]:
    """A game's face in English, for stored texts and for programs. Raises `Misconfigured` as `face_of` does."""
    known = faces()
    begun = [name for name in known if name.startswith(game.lower().replace(" ", "_").replace("-", "_"))]
    if game and game not in known and created is None and len(begun) == 1:
        return known[begun[0]]
    if game not in known:
        said = word("There is no game {game!r}; there are {known}.", game=game, known=", ".join(sorted(known)))
        further = told(missing(created)) if created is not None else ""
        broken = [str(each) for each in left_out() if repr(game) in each.what]
        raise Amiss(" ".join(filter(None, (said, further, *broken))))
    return known[game]


def said(game: str, text: str) -> str:
    """A text of a game, or of all games, in that language."""
    known = language_of(game, language())
    return text if known is None else known.text(text)


def said_refusal(game: str, why: str, rule: str) -> str:
    """The reason for a match's refusal, in that language, with the row of the rules if there is one."""
    known = language_of(game, language())
    return refusal(why if known is None else known.refusal(why)[0], rule)


def read_viewer(text: str, seats: int) -> Viewer:
    """`spectator`, or a seat from 1. Raises `Misconfigured`."""
    if text == "spectator":
        return SPECTATOR
    if text.isdecimal() and 1 <= int(text) <= seats:
        return Viewer(Seat(int(text) - 1))
    raise Amiss(word("--as is spectator or a seat from 1 to {seats}, not {text!r}.", seats=seats, text=text))


option_option = click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
cards_option = click.option(
    "--cards",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A card set of your own, checked first as `herald cards check` does.",
)


army_option = click.option(
    "--army",
    "armies",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An army of your own, offered to every seat beside the ready ones and seen by all; may be repeated.",
)


def read_options(
    face: Face[Any], pairs: tuple[str, ...], cards: Path | None = None, armies: tuple[Path, ...] = ()
) -> dict[str, Any]:
    """The options of a match out of `--option name=value`, `--cards FILE`, `--army FILE`. Raises `Misconfigured`."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise Amiss(word("--option is name=value, not {pair!r}.", pair=pair))
        try:
            options[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name] = value
    if cards is not None:
        options["cards"] = _read_cards(face, cards)
    if armies:
        options["armies"] = [_read_army(face, path, options) for path in armies]
    return options


def card_reader(face: Face[Any]) -> Callable[[bytes, str], dict[str, Any]]:
    """The reader of the game's card sets. Raises `Misconfigured` if the game takes no card sets from users."""
    read = face.game.spec.read_cards
    if read is None:
        raise Amiss(word("{title} takes no card set of one's own.", title=face.game.spec.title))
    return read


def army_reader(face: Face[Any]) -> Callable[[bytes, str, dict[str, Any]], dict[str, Any]]:
    """The reader of the game's armies. Raises `Misconfigured` if the game takes no armies from users."""
    read = face.game.spec.read_army
    if read is None:
        raise Amiss(word("{title} takes no army of one's own.", title=face.game.spec.title))
    return read


def _read_army(face: Face[Any], path: Path, options: dict[str, Any]) -> dict[str, Any]:
    try:
        return army_reader(face)(read_bytes(path), path.name, options)
    except ValueError as wrong:
        raise Amiss(word("{name} cannot be fielded:\n{wrong}", name=path.name, wrong=told(str(wrong)))) from wrong


def _read_cards(face: Face[Any], path: Path) -> dict[str, Any]:
    read = card_reader(face)
    try:
        return read(read_bytes(path), path.name)
    except ValueError as wrong:
        raise Amiss(word("{name} cannot be played with:\n{wrong}", name=path.name, wrong=told(str(wrong)))) from wrong


def read_record(path: Path) -> Record:
    """The record in a file, in bounded memory. Raises `RecordInvalid`, or `Misconfigured` for an unreadable file."""
    try:
        return read_file(path)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be read: {why}.", name=path, why=wrong.strerror)) from wrong


def load_replay(name: str, db: Path | None, *, check: bool = True) -> Replay[Any]:
    """A match of the database by its name, or one of a file, whose lines, seals and dice are verified first.

    Without `check` a file is used as it is. Raises `Misconfigured` if there is no such match, or `RecordInvalid` if it
    does not hold.
    """
    if Path(name).is_file():
        record = read_record(Path(name))
        if check:
            verify(record)
        return Replay.of_record(face_of(record.game, created_in(record)), record)
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        return Replay.of_store(face_of(header.game, created(store, header.match)), store, header.match)
    finally:
        store.close()


def given(settings: Mapping[str, str], flags: Mapping[str, Any], more: tuple[str, ...]) -> dict[str, tuple[str, Any]]:
    """The given flags, by the setting they change; `settings` maps them. Raises `Misconfigured`."""
    found: dict[str, tuple[str, Any]] = {}
    for pair in more:
        name, sign, value = pair.partition("=")
        if not sign:
            raise Amiss(word("--set is NAME=VALUE, not {name!r}.", name=name))
        found[name] = ("--set", value)
    for flag, name in settings.items():
        if flags[flag] not in {None, ()}:
            found[name] = (f"--{flag.replace('_', '-')}", flags[flag])
    return found
