"""The sentences of notices to persons. The texts hold only what a seat's own list of matches shows, and nothing from
the table.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from projections.languages import ENGLISH
from server.moderation.voices import LINK
from server.notifications.quiet import Quiet, zone_of
from server.wire.text import visible

NAME_MOST: Final = 60
SHOWN: Final = 50
"""The number of moves that one message lists."""
GERMAN: Final = {
    "It is your move": "Du bist am Zug",
    "It is your move in {n} matches": "Du bist in {n} Partien am Zug",
    "{title} against {others}": "{title} gegen {others}",
    "{move}, until {time}": "{move}, bis {time}",
    "somebody": "jemand",
    "… and {n} more": "… und {n} weitere",
    "Your matches: {url}": "Deine Partien: {url}",
    "You asked for these messages on the page of your account. To get no more: {url}": (
        "Du hast diese Nachrichten auf der Seite deines Kontos bestellt. Keine mehr: {url}"
    ),
    "Confirm this address": "Bestätige diese Adresse",
    "Somebody asked at {site} to be told at this address when it is their move.": (
        "Jemand möchte bei {site} unter dieser Adresse erfahren, wann ein Zug ansteht."
    ),
    "If that was you, open this page within two days and confirm: {url}": (
        "Wenn du das warst, öffne innerhalb von zwei Tagen diese Seite und bestätige: {url}"
    ),
    "If it was not you, do nothing. To get no such mail again: {url}": (
        "Wenn du es nicht warst, tu nichts. Um keine solche Mail mehr zu bekommen: {url}"
    ),
    "This is a test: you would be told so that it is your move.": (
        "Das ist eine Probe: So erfährst du, dass du am Zug bist."
    ),
}
WORDS: Final = {"de": GERMAN}
"""The sentences in other languages, by the English ones."""


class Move(Struct, frozen=True):
    """A move that waits.

    `others`: the other players' names; `due`: the end of the seat's time in ms, 0 if there is none.
    """

    title: str
    game: str
    others: tuple[str, ...]
    due: int = 0


def said(english: str, language: str, /, **values: object) -> str:
    """A sentence in a language, with values put in."""
    return WORDS.get(language, {}).get(english, english).format(**values)


def headline(count: int, language: str) -> str:
    """The number of moves that wait: the subject of a mail, the title of a push."""
    if count == 1:
        return said("It is your move", language)
    return said("It is your move in {n} matches", language, n=count)


def lines(moves: Sequence[Move], quiet: Quiet) -> list[str]:
    """A line for each move, the most urgent first."""
    ranked = sorted(moves, key=lambda move: (move.due or 1 << 62, move.title))
    told = [_line(move, quiet) for move in ranked[:SHOWN]]
    left = len(ranked) - len(told)
    return [*told, *([said("… and {n} more", quiet.language, n=left)] if left else [])]


def _line(move: Move, quiet: Quiet) -> str:
    others = ", ".join(plain(name) or said("somebody", quiet.language) for name in move.others)
    text = plain(move.title) or move.game
    if others:
        text = said("{title} against {others}", quiet.language, title=text, others=others)
    if move.due:
        text = said("{move}, until {time}", quiet.language, move=text, time=_time(move.due, quiet))
    return text


def plain(text: str) -> str:
    """A text by other people: one visible line; "" if a mail program would make a link of it."""
    shown = visible(text)[:NAME_MOST]
    return "" if LINK.search(shown) or "@" in shown else shown


def _time(at_ms: int, quiet: Quiet) -> str:
    form = "%Y-%m-%d %H:%M" if quiet.language == ENGLISH else "%d.%m.%Y %H:%M"
    zone = "" if quiet.zone != "UTC" else " UTC"
    return datetime.fromtimestamp(at_ms / 1000, zone_of(quiet.zone)).strftime(form) + zone
