"""The time at which a match next needs a server; a match that waits only for people is not loaded before then.

The time is stored beside the match, in the transaction that changes the match. A time that is too early is harmless: a
server checks the match and stores the right time.
"""

from collections.abc import Collection
from typing import TypeVar

from domain.kernel import Game, State
from domain.kernel.clock import NEVER, Clocks
from replay.store.matches import AT_ONCE
from server.table.table_state import waited_for

S = TypeVar("S", bound=State)


def due_of(game: Game[S], state: S, clocks: Clocks | None, bots: Collection[int], at: int) -> int:
    """The time in ms at which something is due, given the state and clocks after the last line, which was written at
    `at`.

    `AT_ONCE` if a bot is asked, or if shares of chance are being collected; `NEVER` if only people are asked and no
    clock, pause or limit of the rules runs.
    """
    if state.result is not None or not all(state.players):
        return NEVER
    if not state.begun:
        return AT_ONCE
    waited = waited_for(state)
    if any(asked.seat in bots for asked in waited):
        return AT_ONCE
    limits = [seconds for asked in waited if (seconds := game.limit_s(asked, state))]
    over = at + round(min(limits) * 1000) if limits else NEVER
    return over if clocks is None else min(over, clocks.next_due())
