"""`herald conformance`: checks that a game keeps the promises that every game must keep. (docs/adding-a-game.md)"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click
from rich.markup import escape

from domain.kernel import Game, KernelError
from projections import packages, registry
from server.cli.common import console
from server.cli.errors import Amiss
from server.cli.language import keep_games
from server.cli.words import word
from server.conformance.checks import CHECKS, Check
from server.conformance.disclosure import Disclosure, tell
from server.conformance.translation import says_everything_in, translated_by
from server.conformance.walks import PlayedGame

ALL_KEPT: Final = "All {n} promises are kept."
BROKEN: Final = "{wrong} of {n} promises are broken."


@click.command()
@click.argument("package", metavar="PACKAGE")
@click.option(
    "--seeds",
    default=1,
    show_default=True,
    type=click.IntRange(1, 10_000),
    help="Multiply the number of seeds of each promise by this.",
)
@click.option("-o", "--only", default="", metavar="WORDS", help="The promises whose sentences contain these words.")
def conformance(package: str, seeds: int, only: str) -> None:
    """Play a game at random and try to break the promises of every game: options, refusals, ends, records, secrets.

    PACKAGE is the name of a third-party game, the name of an installed distribution, or a folder with a pyproject.toml.
    The exit status is 0 when every promise is kept, 1 when one is broken.
    """
    wrong = number = 0
    for game in _games(package):
        chosen = {said: each for said, each in _promises(game).items() if only.lower() in said.lower()}
        if not chosen:
            raise Amiss(word("No promise speaks of {words!r}.", words=only))
        number += len(chosen)
        console.print(f"[bold]{escape(game.spec.title)}[/], {game.name}/{game.rules}")
        _take_disclosure(game)
        for said, (check, tried) in chosen.items():
            fault = _fault(check, PlayedGame(game, {}), tried * seeds)
            wrong += bool(fault)
            console.print(
                f"  [green]✓[/] {said}" if not fault else f"  [red]✗[/] {said}: {escape(fault)}", soft_wrap=True
            )
    console.print(word(BROKEN, wrong=wrong, n=number) if wrong else word(ALL_KEPT, n=number))
    click.get_current_context().exit(1 if wrong else 0)


def _promises(game: Game[Any]) -> Mapping[str, tuple[Check, int]]:
    """The checks of every game, and one for each language that this game claims to speak, each by its sentence."""
    translated = {f"Everything is said in {name}": (says_everything_in(name), 2) for name in translated_by(game.name)}
    return {**CHECKS, **translated}


def _games(package: str) -> list[Game[Any]]:
    """The games that a name stands for. Raises `Misconfigured` if there are none; it names the omitted ones and the
    reasons.
    """
    if package not in packages.offered().games and Path(package).is_dir():
        folder = str(Path(package).resolve())
        keep_games(click.get_current_context(), (folder,))
        offers = [offer.name for offer in packages.offered().games.values() if offer.source.folder == folder]
    else:
        offers = [o.name for o in packages.offered().games.values() if package in (o.name, o.source.name)]
    known = registry.games()
    broken = "; ".join(map(str, registry.left_out()))
    if not offers or not all(name in known for name in offers):
        said = word(
            "There is no game in {package!r}; there are {known}.", package=package, known=", ".join(sorted(known))
        )
        raise Amiss(f"{said} {broken}".strip())
    return [known[name] for name in offers]


def _take_disclosure(game: Game[Any]) -> None:
    """Read the disclosure that a package's game declares: `DISCLOSURE` of the module `disclosure` beside it."""
    offer = packages.offer_of(game.name)
    if offer is None:
        return
    module = f"{offer.game.partition(':')[0].rpartition('.')[0]}.disclosure".lstrip(".")
    if find_spec(module) is not None:
        told = import_module(module).DISCLOSURE
        if not isinstance(told, Disclosure):
            raise Amiss(word("{module}.DISCLOSURE is no Disclosure.", module=module))
        tell(game.name, told)


def _fault(check: Check, table: PlayedGame, seeds: int) -> str:
    """The way in which a promise is broken, with the seed that shows it; empty if it is kept."""
    for seed in range(seeds):
        try:
            check(table, seed)
        except (AssertionError, KernelError, LookupError, TypeError, ValueError, AttributeError) as wrong:
            return f"seed {seed}: {type(wrong).__name__}: {' '.join(str(wrong).split())}"
    return ""


COMMANDS = (conformance,)
