"""The messages about which side stood better in a match that is over; part of `server.wire.protocol`."""

from msgspec import Struct

from server.wire.words import Id, In, Out, Seq


class Judge(In, frozen=True, tag="judge"):
    """Ask for each side's chance to win through a finished match, its turning points, and the better choices.

    Only for a match whose secrets are open to the client, and that is no branch of a match still played. It is computed
    in the background, and answered by one `judged` after another until `done` equals `of`; the results are stored
    beside the match. `line`: analyse only this line, or the last one before it after which somebody is asked, with the
    search's choice there; 0: the whole match. `kept`: send only the results that exist, and begin nothing.
    """

    id: Id
    line: Seq = 0
    kept: bool = False


class Point(Struct, frozen=True, omit_defaults=True):
    """From a line bots played the match out `samples` times. By side: how often it won, a draw counting half to
    each of two, and the bounds of its 95 % confidence interval."""

    line: int
    samples: int
    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class TurningPoint(Struct, frozen=True, omit_defaults=True):
    """Between the lines `before` and `line` the chance of a side changed by `change`, ± `error`: more than the error of
    the samples.
    """

    before: int
    line: int
    side: int
    change: float
    error: float


class Preferred(Struct, frozen=True, omit_defaults=True):
    """After `line` a seat answered `made`. From the seat's knowledge the search prefers `other`, after which the seat's
    side wins more often by `gain`, ± `error`. `lang`: the language of these words, if they are not translated into the
    connection's.
    """

    line: int
    seat: int
    made: str
    other: str
    gain: float
    error: float
    lang: str = ""


class Fortune(Struct, frozen=True, omit_defaults=True):
    """Dice of a seat that needed certain faces: their number, how many succeeded, how many were expected to, and the
    standard deviation of the expected number.
    """

    seat: int
    dice: int
    successes: int
    expected: float
    spread: float


class Weighing(Struct, frozen=True, omit_defaults=True):
    """A choice that was tried: how often its side won after it, ± `error`; `weight`: how often to choose it.

    `made`: whether it was the choice made in the match.
    """

    choice: str
    share: float
    error: float
    weight: float
    made: bool = False
    lang: str = ""


class Counsel(Struct, frozen=True, omit_defaults=True):
    """The search's choices for a question that `seat` is asked, the best first; from the seat's knowledge."""

    seat: int
    ask: str
    choices: tuple[Weighing, ...]
    lang: str = ""


class Judged(Out, frozen=True, tag="judged"):
    """The results so far for the match, or for `line`: `done` parts of `of`; 0 of 0 if nobody has asked yet.

    `sides` are the seats that win together; those in `won` have certainly won at line `end`, which for a match is the
    last of its `points`. `turnings`: the greatest first.
    """

    id: str
    done: int
    of: int
    line: int = 0
    sides: tuple[tuple[int, ...], ...] = ()
    points: tuple[Point, ...] = ()
    end: int = 0
    won: tuple[int, ...] = ()
    turnings: tuple[TurningPoint, ...] = ()
    better: tuple[Preferred, ...] = ()
    luck: tuple[Fortune, ...] = ()
    advice: tuple[Counsel, ...] = ()

    def __repr__(self) -> str:
        return f"Judged({self.line}, {self.done} of {self.of})"
