"""The messages about which side stood better in a match that is over; part of `server.wire.protocol`."""

from msgspec import Struct

from server.wire.words import Id, In, Out, Seq


class Judge(In, frozen=True, tag="judge"):
    """Ask how each side's chance to win changed in a finished match, and for its turning points and better choices.

    The match's secrets must be open to the client, and it must not be a branch of a match that is still being played.
    The analysis is computed in the background. One `judged` after another answers, until `done` equals `of`; the
    results are stored beside the match. `line`: analyse only this line, or the last line before it after which somebody
    is asked, and give the search's choice there; 0: the entire match. `kept`: send only the results that exist, and
    begin no analysis.
    """

    id: Id
    line: Seq = 0
    kept: bool = False


class Point(Struct, frozen=True, omit_defaults=True):
    """The result of `samples` games that bots played to the end from a line. By side: the share of games that it won (a
    draw between two sides counts as half for each), and the bounds of its 95 % confidence interval.
    """

    line: int
    samples: int
    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class TurningPoint(Struct, frozen=True, omit_defaults=True):
    """Between the lines `before` and `line`, a side's chance changed by `change`, ± `error`. The change is greater than
    the error of the samples.
    """

    before: int
    line: int
    side: int
    change: float
    error: float


class Preferred(Struct, frozen=True, omit_defaults=True):
    """After `line`, a seat answered `made`. From the seat's knowledge, the search prefers `other`: after it, the seat's
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
    """The dice of a seat that needed certain faces: the number of dice, how many succeeded, how many were expected to
    succeed, and the standard deviation of the expected number.
    """

    seat: int
    dice: int
    successes: int
    expected: float
    spread: float


class Weighing(Struct, frozen=True, omit_defaults=True):
    """A choice that the search tried: how often the seat's side won after it, ± `error`. `weight`: how often to choose
    it.

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
    """The results so far for the match, or for `line`: `done` of `of` parts are done; 0 of 0 if nobody has asked yet.

    `sides`: the seats that win together. The sides in `won` have certainly won at line `end`, which for a match is the
    last of its `points`. `turnings`: the turning points, the greatest first.
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
