"""Bots: they see only a view, as a person in their seat does, and answer through the same forms."""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any, Protocol, TypeGuard

from msgspec.structs import replace

from domain.kernel import AnyForm, Asked, Below, Choice
from projections import registry

RANDOM = "random"
GENTLE = "gentle"
STRONG = "strong"
SLIP = 4
"""One in this many choices of the gentle bot is random."""


class Bot(Protocol):
    """Decides for one seat."""

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """A choice of the form; `view` is the seat's own view, and `below(n)` gives a uniform random number from 0 to n
        - 1.
        """
        ...


class LooksAhead(Bot, Protocol):
    """A bot that looks ahead by continuing the match in simulations.

    `name`: the name by which `make_bot` creates it again in another process.
    """

    looks_ahead: bool
    name: str


class RandomBot:
    """Plays any game: it makes any legal choice, with the probability that the form's sample gives it."""

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """A sample of the form."""
        del view, asked
        return form.sample(below)


class GentleBot:
    """A bot for beginners: it plays like the game's own bot, but sometimes makes a slip.

    The chronicle explains its moves.
    """

    def __init__(self, bot: Bot, slip: int = SLIP) -> None:
        self._bot, self._slip = bot, slip

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The other bot's choice or, once in `slip` times, any choice of the form."""
        return form.sample(below) if below(self._slip) == 0 else self._bot.choose(view, asked, form, below)


def _own(game: str) -> dict[str, Callable[[], Bot]]:
    """A game's own bots, strongest first: `BOTS` of `server/bots/<game>.py`, or of its package."""
    return _bots_in(registry.bots_module(game))


@cache
def _bots_in(module: str) -> dict[str, Callable[[], Bot]]:
    found: dict[str, Callable[[], Bot]] = import_module(module).BOTS if module else {}
    return found


def sketch_of(game: str) -> Callable[[], Bot]:
    """The bot that plays out matches in a search: the game's faster bot `SKETCH` if it has one, else its strongest."""
    own = _own(game)
    if not own:
        return RandomBot
    made: Callable[[], Bot] = getattr(import_module(registry.bots_module(game)), "SKETCH", next(iter(own.values())))
    return made


def horizon_of(game: str) -> int:
    """The number of choices that a search plays before it judges a position: the game's `HORIZON`, or 16."""
    usual: int = import_module("server.bots.strong.bot").HORIZON
    return getattr(import_module(registry.bots_module(game)), "HORIZON", usual) if _own(game) else usual


def judge_of(game: str) -> Bot:
    """The bot that plays out matches in an analysis: the game's strongest own bot.

    If a game sets `JUDGE_SLIPS`, one in this many choices is random, so that the result of a match does not depend on a
    single line of play that this bot sees or misses.
    """
    bot = make_bot(game, bots_of(game)[0])
    slip = getattr(import_module(registry.bots_module(game)), "JUDGE_SLIPS", 0) if _own(game) else 0
    return GentleBot(bot, slip) if slip else bot


def bots_of(game: str) -> tuple[str, ...]:
    """The names of the bots that play a game: its own bots (strongest first), `random`, bots that look ahead, and
    finally bots from other packages.

    The first bot plays if no bot is named, because bots that look ahead are slow.
    """
    own = tuple(_own(game))
    others = [name for name in registry.bots_of_others(game) if name not in own]
    return (*own, *((GENTLE,) if own else ()), RANDOM, *_looking_ahead(game), *others)


def _looking_ahead(game: str) -> tuple[str, ...]:
    """Each of these bots plays better than the one before it, and takes longer; the tests' example games have none."""
    if game not in registry.games():
        return ()
    levels = import_module("server.bots.strong.bot").LEVELS
    return tuple(f"{STRONG}-{level}" for level in levels)


def looks_ahead(bot: Bot) -> TypeGuard[LooksAhead]:
    """Whether a bot searches. A bot that does is slow, and needs the running procedures in its view."""
    return getattr(bot, "looks_ahead", False)


def with_procedures(view: Any, state: Any) -> Any:
    """For looking ahead: a seat's view with the match's stack of procedures, whose parameters are public facts."""
    return replace(view, stack=state.stack)


def make_bot(game: str, name: str) -> Bot:
    """A bot by name. Raises `KeyError` for a bot that does not play the game."""
    if name in {"", RANDOM}:
        return RandomBot()
    if name == GENTLE and _own(game):
        return GentleBot(next(iter(_own(game).values()))())
    if name in _looking_ahead(game):
        ahead = import_module("server.bots.strong.bot")
        policy = partial(make_bot, game, next(iter(_own(game)), RANDOM))
        spec, level = registry.games()[game], ahead.LEVELS[int(name[-1])]
        bot: Bot = ahead.StrongBot(spec, policy, level, name, sketch=sketch_of(game), visible_head=horizon_of(game))
        return bot
    own = _own(game)
    return own[name]() if name in own else registry.bots_of_others(game)[name]()
