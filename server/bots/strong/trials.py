"""Trying out a choice: worlds drawn from a seat's knowledge, played out by bots, and judged.

Everything is derived from the view, the running procedures, the question and a seed. The result is therefore the same
in all worlds that the seat cannot distinguish.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeGuard, runtime_checkable

from msgspec.structs import replace

from domain.kernel import AnyForm, Asked, Below, Choice, Game, NoChance, Playout, Seat, State
from domain.kernel.position import hidden_in
from server.bots.chance import SeededChance
from server.bots.errors import NoWorld
from server.bots.strong.judgement import Judgement

ATTEMPTS: Final = 20
"""The number of draws of a world before giving up; the first draw nearly always fits."""
LOOKS: Final = frozenset({4, 8})
"""A position is also judged this many choices before the horizon, because a single position can be in the middle of an
action.
"""
ENDLESS: Final = 20_000
"""A limit above the number of choices of any match."""


class Policy(Protocol):
    """The policy that plays the simulated matches. It may be `Promising` too."""

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """Choose as a bot does."""
        ...


@runtime_checkable
class Promising(Protocol):
    """A policy that can also rank the choices that it would not make."""

    def promising(self, view: Any, asked: Asked, form: AnyForm) -> Sequence[Choice]:
        """Choices of the form, the best first; none if it cannot rank them."""
        ...


class Trials:
    """Tries choices for a decision of a seat. The `number` of a trial selects its world and its dice.

    `view`: the seat's knowledge, with the stack of procedures. `policy` makes the bot for usual choices, and `sketch`
    makes the fastest bot, which plays out matches. `visible_head`: the number of choices, by all seats, after which
    `judgement` judges a position; without a judgement the match is played to its end.
    """

    def __init__(
        self,
        game: Game[Any],
        view: Any,
        asked: Asked,
        seed: int,
        policy: Callable[[], Policy],
        judgement: Judgement | None,
        visible_head: int,
        sketch: Callable[[], Policy] | None = None,
    ) -> None:
        self._game, self._view, self._asked, self._seed, self._policy = game, view, asked, seed, policy
        self._judgement, self._visible_head = judgement, visible_head if judgement is not None else ENDLESS
        self._sketch = sketch or policy
        self._worlds: dict[int, Playout[Any]] = {}
        self.played = 0

    def world(self, number: int) -> Playout[Any]:
        """A world in which the view is true.

        Sealed answers of others are unknown, so they are drawn again. Raises `NoWorld` if no world fits the view.
        """
        found = self._worlds.get(number)
        if found is None:
            world = unanswered(self._drawn(number), self._asked.seat)
            found = self._worlds[number] = Playout(self._game, world, NoChance())
        return found

    def _drawn(self, number: int) -> Any:
        """All hidden facts, drawn again so that none is left open. Raises `NoWorld` if no draw fits the view."""
        source = self._source("world", number)
        for _ in range(ATTEMPTS):
            drawn = self._game.spec.resample(self._view, self._asked.seat, source.randrange)
            if not hidden_in(drawn):
                return replace(drawn, stack=self._view.stack)
        raise NoWorld(f"nothing that {self._game.name} could be draws {self._asked.kind} of seat {self._asked.seat}")

    def suggested(self, number: int, asked: Asked | None = None) -> Choice:
        """The policy's choice in a world, for the seat's decision or for another open decision."""
        playout, source = self.world(number), self._source("suggested", number)
        asked = asked or self._asked
        return self._policy().choose(playout.state, asked, playout.form(asked), source.randrange)

    def promising(self, most: int) -> list[Choice]:
        """The choices that the policy considers best in the first world."""
        playout, policy = self.world(0), self._policy()
        found = policy.promising(playout.state, self._asked, playout.form(self._asked)) if _ranks(policy) else ()
        return list(found[:most])

    def others(self, number: int) -> tuple[Asked, ...]:
        """The other seats' decisions that are open in a world at the same time."""
        return tuple(asked for asked in self.world(number).state.asked if asked.number != self._asked.number)

    def is_known(self, choice: Choice, asked: Asked, worlds: int) -> bool:
        """Whether a choice for another seat's decision is legal in every world, so that it needs no hidden fact."""
        return not any(self.world(number).form(asked).check(choice) for number in range(worlds))

    def share(self, choice: Choice, number: int, answers: Mapping[int, Choice] | None = None) -> float:
        """The chance that the seat's side wins after a choice, from 0 to 1, in one trial.

        `answers`: the others' answers to decisions that are open at the same time, by number.
        """
        # The bots have separate random numbers, because their use of chance must not change the dice for other choices.
        source = self._source("bots", number)
        playout = self.world(number).fork(SeededChance(self._source("chance", number)))
        bots = [self._sketch() for _ in playout.state.players]
        playout.choose(self._asked, choice)
        looks: list[float] = []
        for left in range(self._visible_head, 0, -1):
            if playout.is_over:
                break
            if left in LOOKS:
                looks.append(self._judged(playout.state))
            asked = playout.state.asked[0]
            form = playout.form(asked)
            known = answers.get(asked.number) if answers else None
            if known is None or form.check(known):
                known = bots[asked.seat].choose(playout.state, asked, form, source.randrange)
            playout.choose(asked, known)
        self.played += 1
        looks.append(self._judged(playout.state))
        return looks[-1] if playout.is_over else sum(looks) / len(looks)

    def _judged(self, state: State) -> float:
        judgement = self._judgement or Judgement({})
        return judgement.share(state, self._asked.seat)

    def _source(self, what: str, number: int) -> random.Random:
        return random.Random(f"{self._seed}:{what}:{number}")  # noqa: S311 - repeatable on purpose


def _ranks(policy: Policy) -> TypeGuard[Promising]:
    return isinstance(policy, Promising)


def unanswered(world: Any, seat: Seat) -> Any:
    """The world in which the others have yet to give their sealed answers."""
    others = [answered.asked for answered in world.answered if answered.asked.seat != seat]
    if not others:
        return world
    asked = sorted((*world.asked, *others), key=lambda one: one.number)
    own = tuple(answered for answered in world.answered if answered.asked.seat == seat)
    return replace(world, asked=tuple(asked), answered=own)
