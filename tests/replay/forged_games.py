"""Short matches of the games that Herald has, honest and forged: lines of a game out of shape, order or audience.

Forgeries of `tests.replay.structural` are of the example game, kind by kind; here each game's own lines are forged, and
seats sign.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import msgspec

from domain.kernel import Agreed, Draw, Offered, Pause, Resigned, Seat, TakeBack
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.history import pauses
from replay.files.export import Record
from tests.replay.dishonest import Signing
from tests.replay.drafts import Draft, Line, Match
from tests.replay.mutating_said import SAID
from tests.replay.records import RECORDS, game_of, read_kept
from tests.replay.structural import add_choice, asked_in

ADA, BO = Seat(0), Seat(1)
KERNEL: Final = {event.__name__ for event in KERNEL_EVENTS}
CHOICES: Final = {"vera_discordia": 10, "war_for_edadh": 12, "disciples_legacy": 8, "joan_of_arc": 8}
"""This many choices of each game are enough for secrets of a seat, and for lines that follow from a choice."""
KEPT: Final = {
    "vera_discordia": ("IWcNujdl9R5GJjhAYsopwg", "E0PGvkJ-NAIwY1cOp1d7bw"),
    "war_for_edadh": ("0zKFGxUvEkdcPbPxJyInEg", "XUN2lXcd-TgoTOll6pLByQ"),
    "disciples_legacy": ("L2Sc7DJpwq3RKkVGrC5amg",),
    "joan_of_arc": ("g-adW19O5ohEaxLgOxRkTw",),
}
"""Whole matches of each game, of former versions of the record; in the last of each game seats sign."""
Forge = Callable[[Draft], object]


def played(game: str) -> Match:
    """Some choices by lot."""
    return Match(CHOICES[game], game=game_of(game))


def paused(game: str) -> Match:
    """A pause is agreed on after a choice."""
    return Match(1, game=game_of(game)).act(Offered(ADA, number=1, terms=Pause(60_000)), Agreed(BO, number=1))


def taken_back(game: str) -> Match:
    """A choice is taken back by agreement."""
    match = Match(1, game=game_of(game))
    line = pauses(game_of(game), match.past())[-1]
    match.choose(1)
    return match.act(Offered(ADA, number=1, terms=TakeBack(line)), Agreed(BO, number=1))


def signed(game: str) -> Record:
    """Both seats sign their choices, a draw is offered and agreed to."""
    match = Signing(game=game_of(game))
    match.choose(6)
    match.act(Offered(ADA, number=1, terms=Draw()))
    match.act(Agreed(BO, number=1))
    return match.record()


def resigned(game: str) -> Record:
    """Both seats sign; one resigns."""
    match = Signing(game=game_of(game))
    match.choose(3)
    match.act(Resigned(BO))
    return match.record()


def honest(game: str) -> dict[str, Record]:
    """Matches of a game in which nothing is wrong."""
    made = {
        "played": played(game).draft().done(),
        "paused": paused(game).draft().done(),
        "taken back": taken_back(game).draft().done(),
        "signed, a draw agreed": signed(game),
        "signed, resigned": resigned(game),
    }
    whole = {f"whole, {name}": read_kept(RECORDS / game / f"{name}.kept")[0] for name in KEPT[game]}
    return {**made, **whole}


def own(draft: Draft) -> list[Line]:
    """The game's lines that follow from a choice."""
    return [line for line in draft.lines if line.type not in KERNEL and line.parts[7]]


def numbered(draft: Draft) -> tuple[Line, str]:
    """A line of the game with a number that always stands and is no seat, and the name of it."""
    found = [
        (line, name)
        for line in own(draft)
        for name, value in line.fields.items()
        if type(value) is int and name not in {"seat", "reader"} and name in _always(draft, line)
    ]
    return found[-1]


def _always(draft: Draft, line: Line) -> set[str]:
    """The fields of a line that have no default."""
    event = game_of(draft.record.game).events[line.type]
    return {field.name for field in msgspec.structs.fields(event) if field.required}


def of_one_seat(draft: Draft) -> Line:
    """A line of the game whose first secret is a list of one seat's alone."""
    lines = [line for line in draft.lines if line.type not in KERNEL and line.parts[9]]
    return [line for line in lines if line.parts[9][0][0] in {1, 2} and line.openings[0].startswith(b'["')][-1]


def _number(draft: Draft, change: Callable[[int], Any]) -> None:
    line, name = numbered(draft)
    line.fields[name] = change(line.fields[name])
    line.as_it_is = True


def _field(draft: Draft, *, more: bool) -> None:
    line, name = numbered(draft)
    if more:
        line.fields["more"] = 1
    else:
        del line.fields[name]
    line.as_it_is = True


def _audience(draft: Draft, change: Callable[[int], int]) -> None:
    seal = of_one_seat(draft).parts[9][0]
    seal[0] = change(seal[0])


def _slot_more(draft: Draft) -> None:
    line, _ = numbered(draft)
    line.openings[len(line.parts[9])] = b"null"
    line.parts[9].append([0, "A" * 43])


def _renamed(draft: Draft, kind: str) -> None:
    own(draft)[-1].parts[4] = kind


def _uncaused(draft: Draft) -> None:
    line = own(draft)[-1]
    line.parts[7] = ""


def _again(draft: Draft) -> None:
    fields = draft.find("Chosen", -1).fields
    add_choice(draft, fields["seat"], fields["number"])


FORGED: Final[dict[str, Forge]] = {
    "a field that there is not": lambda d: _field(d, more=True),
    "a field left out": lambda d: _field(d, more=False),
    "a number as text": lambda d: _number(d, str),
    "a number as truth": lambda d: _number(d, bool),
    "a seat's secret sealed to the other": lambda d: _audience(d, lambda mask: 3 - mask),
    "a seat's secret sealed to both": lambda d: _audience(d, lambda mask: 3),
    "a seat's secret sealed to nobody": lambda d: _audience(d, lambda mask: 0),
    "a slot more": _slot_more,
    "a line of another game": lambda d: _renamed(d, "CardShown"),
    "a line that there is not": lambda d: _renamed(d, "Rained"),
    "a line out of nothing": _uncaused,
    "rules that nobody has": lambda d: [
        line.parts.__setitem__(5, f"{d.record.game}/{int(game_of(d.record.game).rules) + 1}") for line in d.lines
    ],
    "a decision answered twice": _again,
    "a decision answered by the other seat": lambda d: add_choice(d, 1 - asked_in(d)[0], asked_in(d)[1]),
    "an end out of nothing": lambda d: d.end("more points", 0, "X-1"),
}
"""The faults that every verifier finds in every view, from the lines of `played`."""
SEALED: Final[dict[str, Forge]] = {
    "another number": lambda d: _number(d, lambda number: number + 1),
    "another secret": lambda d: of_one_seat(d).openings.update({0: b"[]"}),
}
"""Faults that only the rules and the secrets show: found with everything, and in no other view."""
SIGNED: Final = (
    "a choice's signature",
    "a choice not signed at all",
    "what opens a choice",
    "whose choice",
    "signatures of two choices",
    "another line acknowledged",
    "an act's signature gone",
    "an offer's terms",
    "another history",
    "a seat's first key",
)
"""Kinds of changes of `signed` (tests.replay.mutating_said)."""


def forged(game: str) -> dict[str, Callable[[], Record]]:
    """Every forgery of a game by its name; `by the rules` in front: only everything shows it."""

    def draft(forge: Forge) -> Callable[[], Record]:
        def make() -> Record:
            made = played(game).draft()
            forge(made)
            return made.done()

        return make

    rules = {f"by the rules: {name}": draft(forge) for name, forge in SEALED.items()}
    said = {f"signed: {name}": lambda name=name: SAID[name](signed(game), Random(name)) for name in SIGNED}
    return {**{name: draft(forge) for name, forge in FORGED.items()}, **rules, **said}
