"""`herald cards`, `herald army` and `herald map`: check card sets, armies and maps of one's own."""

from pathlib import Path
from typing import Final

import click
from rich.markup import escape

from projections.registry import army_check, card_check, map_checks
from server.cli.common import army_reader, card_reader, cards_option, console, face_of, option_option, read_options
from server.cli.errors import Amiss
from server.cli.reading import read_bytes
from server.cli.words import refused, told, word
from server.errors import Misconfigured

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

PLAYED_WITH: Final = "{name} can be played with.", "it cannot be played with."
FIELDED: Final = "{name} can be fielded.", "it cannot be fielded."
PLAYED_ON: Final = "{name} can be played on.", "it cannot be played on."
"""The words for a valid file, and for a faulty one."""


@click.group()
def cards() -> None:
    """Check card sets of one's own."""


@cards.command("check")
@click.argument("file", type=FILE)
@click.option("--game", default="vera_discordia", show_default=True, help="The game for which the files are meant.")
def check_cards(file: Path, game: str) -> None:
    """Check a card-set file: show all its errors at once, with card, field and the allowed values.

    The exit status is 0 if the set can be played with; a set with mere advice can.
    """
    check = card_check(face_of(game).game.name)
    if check is not None:
        found = [(bool(defect.advice), str(defect)) for defect in check(read_bytes(file), file.name)]
    else:
        found = [(False, defect) for defect in _defects(card_reader(face_of(game)), file)]
    _tell(file, found, PLAYED_WITH)


def _defects(read: object, file: Path) -> list[str]:
    assert callable(read)
    try:
        read(read_bytes(file), file.name)
    except ValueError as wrong:
        return str(wrong).splitlines()
    return []


def _tell(file: Path, found: list[tuple[bool, str]], use: tuple[str, str]) -> None:
    """Every defect on a line. Raises `Misconfigured` when one is more than advice."""
    for advice, defect in found:
        kind = f"[yellow]{word('advice')}[/]" if advice else f"[bold red]{word('wrong')}[/]"
        console.print(f"{kind} {escape(told(defect))}", soft_wrap=True)
    useful, useless = use
    fatal = sum(not advice for advice, _ in found)
    if fatal:
        defects = word("one defect") if fatal == 1 else word("{n} defects", n=fatal)
        raise Amiss(word("{name} has {defects}: {sentence}", name=file.name, defects=defects, sentence=word(useless)))
    console.print(word(useful, name=escape(file.name)), soft_wrap=True)


@click.group()
def army() -> None:
    """Check armies of one's own."""


@army.command("check")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option("--game", default="war_for_edadh", show_default=True, help="The game for which the files are meant.")
@option_option
@cards_option
def check_armies(files: tuple[Path, ...], game: str, options: tuple[str, ...], cards: Path | None) -> None:
    """Check army files: show all errors of each at once, with the place, the allowed values and the rule.

    `--option` and `--cards` describe the match for which the armies are meant. The exit status is 0 if all of them may
    be fielded; an army with mere advice may.
    """
    face = face_of(game)
    game = face.game.name
    read, check, agreed = army_reader(face), army_check(game), read_options(face, options, cards)
    failed = 0
    for file in files:
        try:
            if check is not None:
                found = [(bool(defect.advice), str(defect)) for defect in check(read_bytes(file), file.name, agreed)]
            else:
                found = [(False, line) for line in _defects(lambda t, n: read(t, n, agreed), file)]
            _tell(file, found, FIELDED)
        except Misconfigured as wrong:
            console.print(escape(refused(wrong)), soft_wrap=True)
            failed += 1
    if failed:
        raise Amiss(word("{failed} of {n} cannot be fielded.", failed=failed, n=len(files)))


@click.group("map")
def maps() -> None:
    """Check maps of one's own, and look at them."""


@maps.command("check")
@click.argument("file", type=FILE)
@click.option("--game", default=None, help="The game for which it is meant.  [default: the first that has maps]")
def check_map_file(file: Path, game: str | None) -> None:
    """Draw a map, then show all its errors at once, with the place, the allowed values and the rule.

    The exit status is 0 if the map can be played on.
    """
    known = map_checks()
    name = min(known, default="") if game is None else face_of(game).game.name
    if name not in known:
        raise Amiss(
            word(
                "There are no maps of {name!r}; there are of {known}.",
                name=name,
                known=", ".join(sorted(known)) or word("no game"),
            )
        )
    defects, drawing = known[name](read_bytes(file), file.name)
    if drawing:
        console.print(drawing, markup=False, soft_wrap=True)
    _tell(file, [(bool(defect.advice), str(defect)) for defect in defects], PLAYED_ON)


COMMANDS: tuple[click.Command, ...] = (cards, army, maps)
