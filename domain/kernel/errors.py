"""The errors that the kernel raises.

KernelError
+- Refusal            the player's fault: nothing changed, the sentence says what to do
|  +- NotPending      the decision is answered, replaced or was never asked
|  +- NotYours        the decision is another seat's
|  +- NotOffered      the choice is not among the options
|  +- NotAChoice      the choice cannot be read as one of the game's choices
|  +- MatchOver       the match has a result
|  +- NotBegun        the match waits for its seats
|  +- MatchStopped    the match is paused
|  +- OutOfTime       the seat's time is over
|  +- NotNow          an act at the table that is not possible now
|  +- NoHints         the match was created without hints, or is a table of an event
+- GameInvalid        the fault of the game's author: found when the game is loaded
+- KernelFault        our fault: a bound was met, a rule returned nonsense
"""

from typing import ClassVar


class KernelError(Exception):
    """The root of the kernel's errors."""


class Refusal(KernelError):
    """A choice is refused. `code` is stable, `rule` is the ledger id if there is one, the message is a sentence."""

    code: ClassVar[str] = "refused"

    def __init__(self, why: str, rule: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule


class NotPending(Refusal):
    """The decision named is not open (any more)."""

    code = "stale-decision"


class NotYours(Refusal):
    """The decision named belongs to another seat."""

    code = "not-your-decision"


class NotOffered(Refusal):
    """The choice is not one of the decision's options."""

    code = "not-offered"


class NotAChoice(Refusal):
    """The choice cannot be read."""

    code = "not-a-choice"


class MatchOver(Refusal):
    """The match has ended."""

    code = "match-over"


class NotBegun(Refusal):
    """The match has not begun: not every seat is taken."""

    code = "not-begun"


class MatchStopped(Refusal):
    """The match is paused."""

    code = "match-paused"


class OutOfTime(Refusal):
    """The seat's time was over before the choice came."""

    code = "out-of-time"


class NotNow(Refusal):
    """An act of a seat at the table is not possible now."""

    code = "not-now"


class NoHints(Refusal):
    """In this match nobody is given hints."""

    code = "no-hints"


class GameInvalid(KernelError):
    """A game's classes contradict the kernel's rules; the message names class and field."""


class KernelFault(KernelError):
    """A bound was met or a rule returned something that it must not return. This is a fault of Herald."""
