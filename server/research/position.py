"""The position of a match, as data that is never changed: the world, each seat's knowledge, the choice begun."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Asked, Below, Chance, Choice, Mask, MatchCreated, Play, Seat, begin, decide
from domain.kernel.history import views_of
from domain.kernel.position import seen
from projections.face import Face
from server.research.composing import OptionStep, steps_to


class Position(Struct, frozen=True):
    """A match at a question. `seats`: each seat's view; `step`: the options of the asked seat's next step, None at the
    end.

    `said`: the steps that it has taken to its choice, as data. `turn`: the number of the open question.
    """

    face: Face[Any]
    world: Any
    seats: tuple[Any, ...]
    step: OptionStep | None
    said: tuple[Any, ...] = ()
    turn: int = 0

    @property
    def asked(self) -> Asked:
        """The asked seat and its question; of several seats, the first without an answer, or the one of `turn`."""
        asked: Asked = self.world.asked[self.turn]
        return asked

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is."""
        return self.asked.seat

    @property
    def won(self) -> tuple[Seat, ...] | None:
        """The winners, none in a draw; None while the match continues."""
        result = self.world.result
        won: tuple[Seat, ...] | None = None if result is None else result.won
        return won

    def returns(self) -> list[float]:
        """By seat: 1 for a win, -1 for a loss, 0 for a draw and before the end."""
        if not self.won:
            return [0.0] * len(self.seats)
        return [1.0 if seat in self.won else -1.0 for seat in range(len(self.seats))]

    def taken(self, number: int, chance: Chance) -> "Position":
        """The position after an option of the step, by its number. Raises `IndexError` if there is none."""
        onward = self.onward(number)
        return onward if isinstance(onward, Position) else self.after(onward, chance)

    def onward(self, number: int) -> "Position | Choice":
        """The next step after an option, or the whole choice. Raises `IndexError` if there is no such option."""
        assert self.step is not None, "the match is over"
        if number < 0:
            raise IndexError(number)
        option = self.step.options[number]
        onward = option.then()
        if isinstance(onward, OptionStep):
            return replace(self, step=onward, said=(*self.said, option.data))
        return onward

    def drawn_anew(self, seat: Seat, below: Below) -> "Position":
        """The same moment in another world that the seat cannot tell from this one, drawn with `below`."""
        world = self.face.game.spec.resample(self.world, seat, below)
        seats = tuple(view if other == seat else seen(view, world) for other, view in enumerate(self.seats))
        position = replace(self, world=world, seats=seats)
        if self.step is None or self.mover == seat:
            return position  # the seat's own options, and what it has said towards its choice, are the same
        return _at_question(self.face, world, seats, self.turn)

    def at_turn(self, turn: int) -> "Position":
        """The same moment as another asked seat sees it."""
        return _at_question(self.face, self.world, self.seats, turn)

    def after(self, choice: Choice, chance: Chance) -> "Position":
        """The position after a whole choice. Raises `Refusal`."""
        asked = self.asked
        return self._moved(decide(self.face.game, self.world, asked.seat, asked.number, choice, chance))

    def _moved(self, made: Play[Any]) -> "Position":
        game = self.face.game
        seats = tuple(
            game.fold((game.redact(event, Mask(1 << seat)) for event in made.events), view)
            for seat, view in enumerate(self.seats)
        )
        return _at_question(self.face, made.state, seats)


def _at_question(face: Face[Any], world: Any, seats: tuple[Any, ...], turn: int = 0) -> Position:
    if world.result is not None:
        return Position(face, world, seats, None)
    asked = world.asked[turn]
    return Position(face, world, seats, steps_to(face.game.revive_decision(asked).form(seats[asked.seat])), (), turn)


def beginning(face: Face[Any], options: Mapping[str, Any], chance: Chance) -> Position:
    """The first question of a match. Raises `msgspec.ValidationError` for options that the game does not have."""
    game, given = face.game, dict(options)
    game.assert_playable(given)
    names = tuple(f"player_{seat}" for seat in range(game.seats_of(given)))
    created = MatchCreated(game.name, given, names)
    opening = begin(game, game.created(created), chance)
    views = views_of(game, [created, *opening.events])
    return _at_question(face, views.world, views.seats)
