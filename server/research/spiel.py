"""Every game as an OpenSpiel game: hidden information, and every die and shuffled card a chance node of its own.

    from server.research.spiel import load
    game = load("vera_discordia")

If several seats choose at once, they do so one after another, without knowing the others' choices: for each of them it
is the same question. With `simultaneous` they act at OpenSpiel's nodes for that.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Final

import msgspec
import numpy as np
import pyspiel
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Below, HiddenDraw, PublicDraw, Seat
from projections.face import Face
from projections.registry import faces
from server.analysis.simulation import DECISIONS
from server.research.composing import WIDTH
from server.research.features import SEEN, allowed, observed, seen
from server.research.position import Position, beginning
from server.research.simultaneous_choices import SimultaneousChoice, simultaneous_choice

OPTIONS: Final = "options"
ZERO_SUM: Final = pyspiel.GameType.Utility.ZERO_SUM
FACES: Final = 1024
"""A limit above the faces of any die and the cards of any deck."""


class _NeededError(Exception):
    """The rules ask for chance that has not been drawn yet: for each of its parts, the number of outcomes."""

    def __init__(self, bounds: tuple[int, ...]) -> None:
        super().__init__(bounds)
        self.bounds = bounds


class _Fallen:
    """Chance that has been drawn already, in order; a request beyond it raises `_NeededError`."""

    def __init__(self, fallen: tuple[int, ...], draws: int, shuffles: int) -> None:
        self._left = list(fallen)
        self._draws, self._shuffles = draws, shuffles

    def _next(self, bounds: tuple[int, ...]) -> list[int]:
        if len(self._left) < len(bounds):
            raise _NeededError(bounds)
        taken, self._left = self._left[: len(bounds)], self._left[len(bounds) :]
        return taken

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Dice, one part each."""
        self._draws += 1
        return PublicDraw(self._draws, "", tuple(value + 1 for value in self._next((sides,) * count)))

    def shuffle(self, size: int) -> HiddenDraw:
        """A permutation: each part says which of the remaining elements comes next."""
        self._shuffles += 1
        left = list(range(size))
        order = [left.pop(at) for at in self._next(tuple(range(size, 1, -1)))]
        return HiddenDraw(self._shuffles, (*order, *left))


class _Terms(Struct, frozen=True):
    """The terms of the matches: a game, by its name, with options; `simultaneous`: with nodes for all at once."""

    game: str
    options: dict[str, Any]
    simultaneous: bool = False

    @property
    def face(self) -> Face[Any]:
        """The game's face."""
        return faces()[self.game]

    def begin(self, chance: _Fallen) -> Position:
        """The first question."""
        return beginning(self.face, self.options, chance)


_Path = tuple[int | tuple[int, ...], ...]


class _Moment(Struct, frozen=True):
    """The phase of a state: at a question; or in the middle of `go`, which waits for chance.

    `path`: all choices and chance so far, a row if all acted at once; it identifies a moment, also when it is pickled.
    `fallen`: the chance drawn for `go`; `bounds`: the number of outcomes of each part that it asks for; `at`: how many
    of these have been drawn. `joint`: the seats that choose at once. `is_drawn`: the world was drawn anew, so `path`
    does not lead to it.
    """

    terms: _Terms
    position: Position | None
    path: "_Path" = ()
    go: Callable[[_Fallen], Position] | None = None
    fallen: tuple[int, ...] = ()
    bounds: tuple[int, ...] = ()
    at: int = 0
    joint: SimultaneousChoice | None = None
    is_drawn: bool = False

    def __deepcopy__(self, memo: object) -> "_Moment":
        return self  # nothing in it ever changes

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_drawn:
            raise TypeError("a world that was drawn anew has no history by which it could be written down")
        return _found, (self.terms, self.path)

    def drawn_anew(self, seat: int, below: Below) -> "_Moment":
        """The same moment in another world that the seat cannot tell from this one.

        Raises `ValueError` if it is not one seat that acts.
        """
        if self.position is None or self.bounds or self.joint is not None:
            raise ValueError("a world is drawn anew where one seat is to act")
        return replace(self, position=self.position.drawn_anew(Seat(seat), below), is_drawn=True)

    def run(self) -> "_Moment":
        """Carry out `go` until it is done or asks for more chance."""
        assert self.go is not None, "nothing is under way"
        world = None if self.position is None else self.position.world
        draws, shuffles = (0, 0) if world is None else (world.draws, world.shuffles)
        try:
            position = self.go(_Fallen(self.fallen, draws, shuffles))
            joint = simultaneous_choice(position) if self.terms.simultaneous else None
            return replace(self, position=position, go=None, fallen=(), bounds=(), at=0, joint=joint)
        except _NeededError as needed:
            return replace(self, bounds=needed.bounds, at=0)

    def _going(self, path: "_Path", go: Callable[[_Fallen], Position]) -> "_Moment":
        return replace(self, path=path, go=go, fallen=(), bounds=(), at=0, joint=None)

    def after(self, action: int) -> "_Moment":
        """The moment after an option, or after one part of chance, by its number."""
        path = (*self.path, action)
        if self.bounds:
            moment = replace(self, path=path, fallen=(*self.fallen, action), at=self.at + 1)
            return moment.run() if moment.at == len(moment.bounds) else moment
        position = self.position
        assert position is not None, "nobody is asked yet"
        return self._going(path, lambda chance: position.taken(action, chance)).run()

    def after_all(self, actions: tuple[int, ...]) -> "_Moment":
        """The moment after all have acted at once, each seat by a number."""
        position, joint, path = self.position, self.joint, (*self.path, actions)
        assert position is not None, "nobody is asked yet"
        assert joint is not None, "nobody chooses at once with another"
        onward = joint.after(list(actions))
        if not onward.is_whole:
            return replace(self, path=path, joint=onward)
        return self._going(path, lambda chance: onward.resolved(position, chance)).run()

    def at_seat(self, seat: int) -> Position | None:
        """The position as a seat sees it; None before the first."""
        own = self.joint.at(seat) if self.joint is not None else None
        return own or self.position


def _first(terms: _Terms) -> _Moment:
    return _Moment(terms, None, (), terms.begin).run()


def _found(terms: _Terms, path: _Path) -> _Moment:
    """The moment to which a path leads."""
    moment = _first(terms)
    for step in path:
        moment = moment.after(step) if isinstance(step, int) else moment.after_all(step)
    return moment


class TableGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with options; see `load`. Each game has a class of its own, because OpenSpiel makes games by
    their name.
    """

    game: ClassVar[str]
    simultaneous: ClassVar[bool]

    def __init__(self, params: Mapping[str, str] | None = None) -> None:
        given = dict(params or {})
        self.terms = _Terms(self.game, _read(given.get(OPTIONS, "")), self.simultaneous)
        kind = _kind(self.terms.face, simultaneous=self.simultaneous)
        seats = self.terms.face.game.seats_of(self.terms.options)
        super().__init__(kind, _bounds(seats, is_zero_sum=kind.utility == ZERO_SUM), given)

    def new_initial_state(self) -> "SpielState":
        """A match before its first die."""
        return SpielState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.terms.game, self.terms.options, self.terms.simultaneous)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "TableObserver":
        """A seat's view, as an array and as text."""
        del iig_obs_type
        return TableObserver(params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A moment of a match."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self._moment = _first(game.terms)
        self._seats = game.num_players()

    @property
    def _is_chance(self) -> bool:
        return bool(self._moment.bounds)

    @property
    def _position(self) -> Position:
        assert self._moment.position is not None, "the match has not begun"
        return self._moment.position

    def current_player(self) -> int:
        """The player to act: a seat, chance, several at once, or none at the end."""
        if self._is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        if self._moment.joint is not None:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self._position.mover)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return not self._is_chance and self._position.won is not None

    def returns(self) -> list[float]:
        """The result by seat: 1, -1 or 0."""
        return self._position.returns() if self.is_terminal() else [0.0] * self._seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, each equally likely."""
        bound = self._moment.bounds[self._moment.at]
        return [(value, 1 / bound) for value in range(bound)]

    def _legal_actions(self, player: int) -> list[int]:
        if self._moment.joint is not None:
            return self._moment.joint.allowed(player)
        return [int(number) for number in np.flatnonzero(allowed(self._position, player))]

    def _apply_action(self, action: int) -> None:
        self._moment = self._moment.after(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._moment = self._moment.after_all(tuple(int(action) for action in actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        joint = self._moment.joint
        position = self._position if joint is None else joint.at(player)
        if position is None or position.step is None:
            return "wait"
        return f"{position.asked.kind} {action} {position.step.options[action].data}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """A state that the player cannot tell from this one, as OpenSpiel's searches draw them.

        `sampler` gives uniform random numbers from 0 to less than 1. The state can continue from here, but has no
        history, so it cannot be pickled. Raises `ValueError` if it is not one seat that acts.
        """
        state: SpielState = self.clone()
        state._moment = self._moment.drawn_anew(player, lambda bound: min(int(sampler() * bound), bound - 1))
        return state

    def known(self, player: int) -> str:
        """A seat's knowledge as JSON; at a chance node the knowledge before it, and at the first one nothing."""
        position = self._moment.at_seat(player)
        return "" if position is None else msgspec.json.encode(seen(position, player)).decode()

    def observation(self, player: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """A seat's knowledge as a row; before a chance node its earlier knowledge."""
        position = self._moment.at_seat(player)
        return np.zeros(SEEN, np.float32) if position is None else observed(position, player)

    def __str__(self) -> str:
        position = self._moment.position
        if self._is_chance or position is None:
            return f"chance falls, {self._moment.at} of {len(self._moment.bounds)}"
        return position.face.board(position.world, None)


class TableObserver:
    """See `PyObserver` of OpenSpiel."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of an observation; {params} was passed")
        self.tensor = np.zeros(SEEN, np.float32)
        self.dict = {"seen": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Show a seat's knowledge."""
        self.tensor[:] = state.observation(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """A seat's knowledge, as text."""
        return state.known(player)


@cache
def _registered(game: str, *, simultaneous: bool) -> str:
    """Register a game with OpenSpiel; returns its name there."""
    kind = _kind(faces()[game], simultaneous=simultaneous)
    own = {"game": game, "simultaneous": simultaneous}
    pyspiel.register_game(kind, type(f"TableGame_{kind.short_name}", (TableGame,), own))
    return str(kind.short_name)


def load(game: str, options: Mapping[str, Any] | None = None, *, simultaneous: bool = False) -> TableGame:
    """A game, by name; `simultaneous`: seats that choose at once act at once, at OpenSpiel's nodes for that.

    Raises `KeyError` and `msgspec.ValidationError`, as `server.research.zoo.env` does.
    """
    faces()[game].game.assert_playable(dict(options or {}))
    name = _registered(game, simultaneous=simultaneous)
    loaded: TableGame = pyspiel.load_game(name, {OPTIONS: _written(options)} if options else {})
    return loaded


def _loaded(game: str, options: dict[str, Any], simultaneous: bool) -> TableGame:
    return load(game, options, simultaneous=simultaneous)


def _written(options: Mapping[str, Any]) -> str:
    """Options in letters that have no meaning for OpenSpiel, which writes parameters as `name(a=1,b=2)`."""
    return urlsafe_b64encode(msgspec.json.encode(options)).rstrip(b"=").decode()


def _read(text: str) -> dict[str, Any]:
    return msgspec.json.decode(urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=dict[str, Any]) if text else {}


def _kind(face: Face[Any], *, simultaneous: bool) -> Any:
    least, most = face.game.seat_range
    dynamics = pyspiel.GameType.Dynamics
    return pyspiel.GameType(
        short_name=f"herald_{face.game.name}{'_at_once' if simultaneous else ''}",
        long_name=face.game.spec.title,
        dynamics=dynamics.SIMULTANEOUS if simultaneous else dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=ZERO_SUM if most == 2 else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={OPTIONS: ""},
    )


def _bounds(seats: int, *, is_zero_sum: bool) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=WIDTH,
        max_chance_outcomes=FACES,
        num_players=seats,
        min_utility=-1.0,
        max_utility=1.0,
        **({"utility_sum": 0.0} if is_zero_sum else {}),
        max_game_length=DECISIONS,
    )
