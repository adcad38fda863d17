"""`herald rules`: the rules of a game in our own words, found by id or by words, together with its glossary."""

from difflib import get_close_matches
from typing import Final

import click
from rich import box
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from projections.glossary import glossary, search
from projections.ledger import ID, IDS, Ledger, LedgerRow, ledger, ledgers
from server.cli.common import console
from server.cli.errors import Amiss
from server.cli.language import language_option
from server.cli.words import language, word

MOST: Final = 25
NOTHING: Final = "No rule of {game} says {words!r}; try fewer words, or another form of them."
NO_ROW: Final = "{game} has no row {row}{hint}. Search by words, such as: herald rules {game} dice"
"""The number of rows and terms that a search shows."""
PLAIN: Final = 2
"""The number of columns of a ledger row: the rule, and its place in the book."""
GOLD: Final = "bold yellow"


@click.command()
@click.argument("game")
@click.argument("words", nargs=-1, metavar="[ID|WORDS]...")
@language_option
def rules(game: str, words: tuple[str, ...]) -> None:
    """Look a rule up: by its id, or by words in rules and in the glossary.

    GAME is a game's name or its beginning. `herald rules vera VD-129` shows that row with those around it, `herald
    rules vera strike back` all rows that contain both words, `herald rules vera` an overview. Rows are English in
    every language.
    """
    lang = language()
    if ID.match(game.upper()):
        game, words = _prefixed(game.upper()), (game, *words)
    book = ledger(_named(game))
    ids = [word.upper() for word in words if ID.match(word.upper())]
    if not words:
        _show_sections(book)
    elif len(ids) == len(words):
        for id_ in ids:
            _show_row(book, id_, lang)
    else:
        _show_found(book, list(words), lang)


def _prefixed(row: str) -> str:
    """The game that has a row of this id, or one whose ids begin so, for the error that names it."""
    books = [ledger(name) for name in ledgers()]
    like = [book.game for book in books if any(id_.startswith(row[:3]) for id_ in book.rows)]
    return next((book.game for book in books if row in book.rows), next(iter(like), row))


def _named(game: str) -> str:
    """The ledger of that name or beginning. Raises `Misconfigured` if no game or several have it."""
    known = ledgers()
    asked = game.lower().replace(" ", "_").replace("-", "_")
    found = [name for name in known if name == asked] or [name for name in known if name.startswith(asked)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(found or known)
    if found:
        raise Amiss(word("{game!r} names several rules; there are {names}.", game=game, names=names))
    raise Amiss(word("{game!r} names no rules; there are {names}.", game=game, names=names))


def _show_sections(book: Ledger) -> None:
    counts = {"rows": len(book.rows), "words": len(glossary(book.game))}
    title = word("{game}: {rows} rows, {words} words", game=book.game, **counts)
    table = _table(word("Rows"), word("Section"), title=title)
    for number, section in enumerate(book.sections):
        inside = [row.id for row in book.rows.values() if row.section == number]
        if inside:
            table.add_row(f"{inside[0]} – {inside[-1]}", escape(section))
    console.print(table)


def _show_row(book: Ledger, id_: str, lang: str) -> None:
    """Print a row, marked among its neighbours, with the rows that rest on it. Raises `Misconfigured`."""
    row = book.rows.get(id_)
    if row is None:
        close = get_close_matches(id_, book.rows, 3)
        hint = word("; close to it are {rows}", rows=", ".join(close)) if close else ""
        raise Amiss(word(NO_ROW, game=book.game, row=id_, hint=hint))
    table = _table(word("Row"), word("Rule"), title=book.sections[row.section])
    for other in book.around(row):
        table.add_row(other.id, _linked(_said(other)), style=GOLD if other is row else "")
    console.print(table)
    if len(row.cells) > PLAIN:
        for head, value in row.cells:
            console.print(Text.assemble((f"{head}: ", "dim"), _linked(value)), soft_wrap=False)
    terms = [term.name for term in glossary(book.game, lang).values() if id_ in term.rules]
    for what, names in ((word("Named by"), book.resting_on(id_)), (word("Words that rest on it"), terms)):
        if names:
            console.print(f"[dim]{what}:[/] {escape(', '.join(dict.fromkeys(names)))}")


def _show_found(book: Ledger, words: list[str], lang: str) -> None:
    """Terms and rows that contain all the words. Raises `Misconfigured` if nothing is found."""
    terms, rows = search(book.game, words, lang), book.search(words)
    if not terms and not rows:
        raise Amiss(word(NOTHING, game=book.game, words=" ".join(words)))
    if terms:
        table = _table(word("Word"), word("Meaning"), word("Rows"), title=word("Words"))
        for key in terms[:MOST]:
            term = glossary(book.game, lang)[key]
            english = f"\n[dim]{escape(term.english)}[/]" if term.english else ""
            text = f"{escape(term.text)}{' [dim](en)[/]' if term.untranslated else ''}"
            table.add_row(f"[bold]{escape(term.name)}[/]{english}", text, _linked(" ".join(term.rules)))
        console.print(table)
    if rows:
        table = _table(word("Row"), word("Section"), word("Rule"), title=word("Rules"))
        for row in rows[:MOST]:
            table.add_row(row.id, escape(book.sections[row.section]), _linked(_said(row)))
        console.print(table)
    _tell_rest(max(0, len(terms) - MOST) + max(0, len(rows) - MOST))


def _tell_rest(more: int) -> None:
    if more:
        console.print(f"[dim]{word('{n} more; add a word to see fewer.', n=more)}[/]")


def _said(row: LedgerRow) -> str:
    """A row without the column of its place in the book."""
    return " · ".join(value for word, value in row.cells if word not in {"§", "Source", "Rules heading", "From"})


def _table(*heads: str, title: str) -> Table:
    table = Table(title=Text(title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=number == 0, style="cyan" if number == 0 else "", overflow="fold")
    return table


def _linked(text: str) -> Text:
    """The text with the rows that it names in colour."""
    told = Text(text)
    told.highlight_regex(IDS, "cyan")
    return told


COMMANDS: tuple[click.Command, ...] = (rules,)
