"""The consequences of a choice, as far as the seat that makes it can know: the rules themselves find them.

The choice is played in worlds drawn from the seat's own view, up to the first roll, shuffle, question or card turned
up; the facts that all these worlds share are told. The answer depends only on the view and the choice, and is therefore
the same in every world that the seat cannot tell from its own.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from msgspec import Struct, json
from msgspec.structs import replace

from domain.kernel import (
    HIDDEN,
    Asked,
    Choice,
    Chosen,
    DecisionsOpened,
    DiceRolled,
    Event,
    Frame,
    HiddenDraw,
    Mask,
    MatchEnded,
    NotOffered,
    Play,
    PublicDraw,
    Seat,
    Shuffled,
)
from domain.kernel.state import plain
from projections.certain_loss import doomed, why_lost
from projections.face import Face
from projections.words import SMALL, count, reasons

WORLDS: Final = 4
"""The number of worlds in which a choice is played; a result that differs in one of them is not told."""
MOST_LINES: Final = 5
_HIDDEN: Final = json.encode(HIDDEN)


class Consequences(Struct, frozen=True, omit_defaults=True):
    """The consequences of a choice, in sentences.

    `lines`: the certain facts, beginning with those that the choice itself states. `roll`: the dice that follow, the
    reasons for their number, and their odds, after the events told before them (`Face.ahead`). `lost`: the match would
    be lost, and by which rule. `vain`: the attempt fails. `chance`: dice or a shuffle follow at once.
    """

    lines: tuple[str, ...] = ()
    roll: str = ""
    lost: str = ""
    vain: str = ""
    chance: bool = False


class _Reached(Exception):
    """Raised when chance would decide the next event."""


class _FirstRoll:
    """Chance up to the first roll; the roll's result is not used."""

    def __init__(self, draws: int) -> None:
        self._left = draws

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Return meaningless faces for the first roll, which is needed only for the number and purpose of its dice."""
        del sides
        self._spend()
        return PublicDraw(0, "", (1,) * count)

    def shuffle(self, size: int) -> HiddenDraw:
        """Return the order as it is, because nothing looks at it."""
        self._spend()
        return HiddenDraw(0, tuple(range(size)))

    def _spend(self) -> None:
        if not self._left:
            raise _Reached
        self._left -= 1


def foresee(
    face: Face[Any], view: Any, stack: tuple[Frame, ...], asked: Asked, choice: Choice, *, worlds: int = WORLDS
) -> Consequences:
    """The consequences of a choice for a decision of the seat whose view it is. `stack`: the match's procedures.

    Raises `NotOffered`.
    """
    seed = hashlib.sha256(json.encode([view, asked, plain(choice), type(choice).__name__])).digest()
    below = random.Random(seed).randrange  # noqa: S311 - the same view gives the same answer
    drawn = [_drawn(face, view, stack, asked, below) for _ in range(worlds)]
    known = _known(face, view, asked, [_played(face, world, asked, choice) for world in drawn])
    told = _told(face, view, asked, known)
    if face.plain and told.lines:
        told = replace(told, lines=(face.option(view, asked, choice), *told.lines))
    if told.lost or told.chance or any(isinstance(event, MatchEnded) for event in known):
        return told
    return replace(told, lost=doomed(face, view, drawn, asked, choice))


def _drawn(face: Face[Any], view: Any, stack: tuple[Frame, ...], asked: Asked, below: Any) -> Any:
    return replace(face.game.spec.resample(view, asked.seat, below), stack=stack)


def _played(face: Face[Any], world: Any, asked: Asked, choice: Choice) -> list[Event]:
    """The events of a choice in a world, up to the first roll or shuffle inclusive, else up to the next question."""
    game = face.game
    if game.revive_decision(asked).form(world).check(choice):
        raise NotOffered("This choice is not offered; choose another.")
    play = Play(game, world, _FirstRoll(1))
    with suppress(_Reached):
        play.answer(asked, choice, Chosen(asked.seat, asked.number, choice=plain(choice)))
    ends = [n for n, event in enumerate(play.events) if isinstance(event, DiceRolled | Shuffled)]
    return play.events[: ends[0] + 1] if ends else play.events


def _known(face: Face[Any], view: Any, asked: Asked, played: Sequence[Sequence[Event]]) -> list[Event]:
    """The redacted events that all worlds share, up to the first that turns up something hidden from the seat.

    Nobody may know the result of a secret answer before the other answers have arrived.
    """
    if view.sealed:
        return []
    redacted = [[_seen(face, event, asked.seat) for event in events] for events in played]
    alike = takewhile(lambda pair: all(event == pair[0] for event in pair), zip(*redacted, strict=False))
    known: list[Event] = []
    hidden = json.encode(view).count(_HIDDEN)
    for event, *_ in alike:
        if isinstance(event, Chosen | DecisionsOpened | Shuffled):
            known.append(event)
            continue
        if type(event) in face.discloses:
            break
        view = face.game.fold((event,), view)
        now = json.encode(view).count(_HIDDEN)
        if now < hidden and not isinstance(event, MatchEnded):
            break
        hidden = now
        known.append(event)
    return known


def _seen(face: Face[Any], event: Event, seat: Seat) -> Event:
    """An event as the seat would hold it, without its stack."""
    seen = face.game.redact(event, Mask(1 << seat))
    if isinstance(seen, DiceRolled):
        return replace(seen, draw=0, key="", dice=(0,) * len(seen.dice))
    return seen


def _told(face: Face[Any], view: Any, asked: Asked, known: Sequence[Event]) -> Consequences:
    """The events in sentences. A roll of a later round is left out, because the choice does not aim at it."""
    lines: list[str] = []
    later: list[str] = []
    ahead: list[str] = []
    found, over = Consequences(), False
    for event in known:
        if isinstance(event, Chosen | DecisionsOpened):
            continue
        if isinstance(event, DiceRolled):
            rolled = [] if over else [*ahead, _roll(face, view, event, face.game.revive_decision(asked).rule)]
            return replace(found, lines=_fitting(lines, later), roll=" ".join(rolled), chance=True)
        if isinstance(event, Shuffled):
            return replace(found, lines=_fitting(lines, later), chance=True)
        begins = face.rounds(event)
        over = over or begins
        after = face.game.fold((event,), view)
        said = face.narrate(view, after, event, asked.seat)
        view = after
        if isinstance(event, MatchEnded):
            found = replace(found, lost=why_lost([event], asked.seat))
        elif said and face.fails(event):
            found = replace(found, vain=said)
        elif said and face.ahead(event):
            ahead.append(said)
        if said and type(event) not in face.plain:
            (later if over and not begins and not isinstance(event, MatchEnded) else lines).append(said)
    return replace(found, lines=_fitting(lines, later))


def _fitting(lines: Sequence[str], later: Sequence[str]) -> tuple[str, ...]:
    """As many lines as fit: the choice's own consequences have priority over the beginning of a new round."""
    return (*lines[-MOST_LINES:], *later)[:MOST_LINES]


def _called(face: Face[Any], roll: DiceRolled, rule: str = "") -> DiceRolled:
    """The roll with a title that says when and for whom it is rolled, unless a question of its rule asks for it."""
    return roll if roll.rule == rule else replace(roll, title=face.titles.get(roll.title, roll.title))


def _roll(face: Face[Any], view: Any, event: DiceRolled, rule: str) -> str:
    whose, roll = face.rolling(view, event)
    return roll_words(_called(face, roll, rule), whose)


def roll_words(roll: DiceRolled, whose: str = "") -> str:
    """A roll to come: the roller, the dice and the reasons for their number, the faces needed, and the odds."""
    title = f"{roll.title} of {whose}" if whose else roll.title
    dice = count(len(roll.dice), "die", "dice")
    why = f" ({reasons(roll.parts)})" if roll.parts else ""
    if not roll.dice:
        return f"{title}: no dice{why}."
    if len(roll.needs) != len(roll.dice) or min(roll.needs) < 1:
        return f"{title}: {dice}{why}."
    return f"{title}: {dice}{why}, {_needs(roll)}. {odds_words(odds(roll.needs, roll.sides))}"


def _needs(roll: DiceRolled) -> str:
    """The faces that the dice need; if the kinds need different faces, each kind is named."""
    if len(set(roll.needs)) == 1 or len(roll.kinds) != len(roll.needs):
        return ", ".join(dict.fromkeys(_need(need, roll.sides) for need in roll.needs))
    each = zip(roll.kinds, roll.needs, strict=True)
    return ", ".join(dict.fromkeys(f"{kind.capitalize()} {_need(need, roll.sides)}" for kind, need in each))


def _need(need: int, sides: int) -> str:
    if need > sides:
        return "which cannot succeed"
    return f"{need} or more" if need < sides else f"a {sides}"


def odds(needs: Sequence[int], sides: int) -> list[Fraction]:
    """The exact chance that none, one, two ... of the dice succeed."""
    chances = [Fraction(1)]
    for need in needs:
        hit = Fraction(min(sides, max(0, sides + 1 - need)), sides)
        longer = [*chances, Fraction(0)]
        chances = [longer[n] * (1 - hit) + (longer[n - 1] * hit if n else 0) for n in range(len(longer))]
    return chances


def odds_words(chances: Sequence[Fraction]) -> str:
    """The odds in words, from none to all: "none 13%, one 38%, two 50%."; for one die, the chance that it succeeds."""
    if len(chances) == 2:
        return f"Succeeds {_percent(chances[1])}."
    named = (f"{SMALL[n] if n else 'none'} {_percent(chance)}" for n, chance in _likely(chances))
    return f"Of them succeed: {', '.join(named)}."


def _likely(chances: Sequence[Fraction]) -> Iterator[tuple[int, Fraction]]:
    return ((n, chance) for n, chance in enumerate(chances) if chance and n < len(SMALL))


def _percent(chance: Fraction) -> str:
    rounded = round(chance * 100)
    if chance and not rounded:
        return "under 1%"
    return "over 99%" if rounded == 100 and chance != 1 else f"{rounded}%"
