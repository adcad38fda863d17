"""A contest, played on all cores; each result is stored at once, so that the contest can be continued at any time."""

import hashlib
import os
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.face import Face
from projections.registry import faces
from replay.store.side_tables.arena import Contests
from server.arena.bout import Bout, ContestSetting, Outcome, play_bout
from server.arena.schedule import bouts
from server.arena.sockets import BotListener
from server.errors import Misconfigured

AHEAD: Final = 3
"""The number of matches that wait for each process: enough that none is idle, few enough that all stop soon."""
LETTERS: Final = 10
"""The prefix of a contest's name if none is given."""


class ContestTerms(Struct, frozen=True, omit_defaults=True):
    """The terms that decide the matches of a contest: if one of them differs, it is another contest.

    `is_kept`: its matches are recorded, and so have dice of their own.
    """

    setting: ContestSetting
    rules: str
    seed: int
    sides: tuple[tuple[int, ...], ...]
    is_kept: bool = False

    @property
    def name(self) -> str:
        """A name that the same terms always have."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:LETTERS]


def terms_of(face: Face[Any], setting: ContestSetting, seed: int, *, is_kept: bool = False) -> ContestTerms:
    """The terms of a contest with the present version of a game. Raises `msgspec.ValidationError` for options it does
    not have.
    """
    game = face.game
    game.assert_playable(setting.options)
    alone = tuple((seat,) for seat in range(game.seats_of(setting.options)))
    sides = tuple(tuple(map(int, side)) for side in game.sides_of(setting.options)) or alone
    return ContestTerms(setting, game.rules, seed, sides, is_kept)


def enter(contests: Contests, name: str, terms: ContestTerms) -> list[Outcome]:
    """Begin a contest or continue it from the matches played already.

    Raises `Misconfigured` if the name belongs to a contest on other terms.
    """
    text = msgspec.json.encode(terms).decode()
    known = contests.terms(name)
    if known is None:
        contests.begin(name, terms.setting.game, text, time.time_ns() // 1_000_000)
    elif msgspec.json.decode(known) != msgspec.json.decode(text):
        raise Misconfigured(
            f"The contest {name!r} is there already, with other bots, options or rules; name it otherwise."
        )
    return [msgspec.json.decode(outcome, type=Outcome) for outcome in contests.outcomes(name).values()]


def play(
    face: Face[Any],
    terms: ContestTerms,
    rounds: int,
    played: Iterable[int],
    jobs: int = 0,
    *,
    hears_errors: bool = False,
    listener: BotListener | None = None,
) -> Generator[list[Outcome], None, None]:
    """Play the remaining rounds in this many processes (`jobs`); yields the outcomes as matches end.

    `listener`: the address where bots connect, which are waited for; then one match is played after another, in this
    process. `hears_errors`: standard error of programs is this program's. Closing the iterator stops all matches under
    way.
    """
    done = frozenset(played)
    left = (bout for bout in planned(terms, rounds) if bout.number not in done)
    jobs, setting = jobs or os.cpu_count() or 1, replace(terms.setting, hears_errors=hears_errors)
    if listener is not None:
        listener.gather()
    if jobs == 1 or listener is not None:
        yield from ([play_bout(face, setting, bout, is_kept=terms.is_kept, listener=listener)] for bout in left)
        return
    before = set(active_children())
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (setting, terms.is_kept))
    try:
        yield from _gathered(lambda bout: pool.submit(_play, bout), left, jobs * AHEAD)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - before:
            process.terminate()


def planned(terms: ContestTerms, rounds: int) -> Iterator[Bout]:
    """The matches of this many rounds. Raises `Misconfigured`."""
    return bouts(terms.seed, rounds, len(terms.setting.entrants), terms.sides)


def _gathered(submit: Callable[[Bout], Future[Outcome]], left: Iterator[Bout], most: int) -> Iterator[list[Outcome]]:
    with _deaf_to_ctrl_c():
        waiting = {submit(bout) for bout in islice(left, most)}
    while waiting:
        over, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        waiting |= {submit(bout) for bout in islice(left, len(over))}
        yield [future.result() for future in over]


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that start meanwhile ignore Ctrl-C until they are loaded; afterwards the parent handles it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_SETTING: list[tuple[Face[Any], ContestSetting, bool]] = []
"""The contest that a process plays for."""


def _begin(setting: ContestSetting, is_kept: bool) -> None:
    # A terminal sends Ctrl-C to all its processes; this one ignores it and is stopped by its parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _SETTING[:] = [(faces()[setting.game], setting, is_kept)]


def _play(bout: Bout) -> Outcome:
    face, setting, is_kept = _SETTING[0]
    return play_bout(face, setting, bout, is_kept=is_kept)
