"""Every game as a PettingZoo environment: agents in turn, masks over the forms, and only the seat's own view.

from server.research.zoo import env
table = env("vera_discordia")
"""

import random
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import OrderEnforcingWrapper, TerminateIllegalWrapper

from projections.face import Face
from projections.registry import faces
from server.analysis.simulation import DECISIONS
from server.bots.chance import SeededChance
from server.research.composing import WIDTH
from server.research.features import BOUND, OFFERED, SEEN, Array, allowed, observed, offered, seen
from server.research.position import Position, beginning

AGENT: Final = "player_"
SEEDS: Final = 2**31
Observation = dict[str, Any]


def env(game: str, options: Mapping[str, Any] | None = None, *, render_mode: str | None = None) -> AECEnv:
    """A game's environment, in which an agent loses the match at once if it chooses a masked action.

    Raises `KeyError` for an unknown game, and `msgspec.ValidationError` for unknown options.
    """
    raw = raw_env(game, options, render_mode=render_mode)
    return OrderEnforcingWrapper(TerminateIllegalWrapper(raw, illegal_reward=-1))


def raw_env(game: str, options: Mapping[str, Any] | None = None, *, render_mode: str | None = None) -> "TableEnv":
    """The environment without the wrappers that enforce correct use: faster, and with observations only on request."""
    return TableEnv(faces()[game], options or {}, render_mode=render_mode)


class TableEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One table. An action is the number of an option of the step that the agent is at (`server.research.composing`).

    An observation holds `observation`, the seat's knowledge; `options`, a row for each number; and `action_mask`.
    `seen` gives the same as structured data. At the end winners get 1 and losers -1.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, face: Face[Any], options: Mapping[str, Any], *, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {**self.metadata, "name": f"{face.game.name}_v{face.game.rules}"}
        self.render_mode = render_mode
        self._face, self._options = face, dict(options)
        self.possible_agents = [f"{AGENT}{seat}" for seat in range(face.game.seats_of(self._options))]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: _observations() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(WIDTH) for agent in self.possible_agents}
        self._seeds = random.Random()  # noqa: S311 - no secret of anybody's
        self.position = self._begin(self._seeds.randrange(SEEDS))

    def _begin(self, seed: int) -> Position:
        self._chance = SeededChance(random.Random(seed))  # noqa: S311 - repeatable on purpose
        return beginning(self._face, self._options, self._chance)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; successive matches differ, and the same seed begins the same ones."""
        del options
        if seed is not None:
            self._seeds = random.Random(seed)  # noqa: S311 - repeatable on purpose
        self.position = self._begin(self._seeds.randrange(SEEDS))
        self.steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.mover]

    def step(self, action: int | None) -> None:
        """Choose an option of the agent that is asked. Raises `IndexError` for a number without an option."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.position = self.position.taken(-1 if action is None else int(action), self._chance)
        self.steps += 1
        if self.position.won is not None:
            self.rewards = dict(zip(self.possible_agents, self.position.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.steps >= DECISIONS:
            self.truncations = dict.fromkeys(self.agents, True)
        if self.position.step is not None:
            self.agent_selection = self.possible_agents[self.position.mover]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """An agent's observation."""
        seen = observed(self.position, self._seats[agent])
        return {"observation": seen, "options": self.options(agent), "action_mask": self.action_mask(agent)}

    def options(self, agent: str) -> Array:
        """An agent's action mask, as in its observation, without the rest, which costs more."""
        return offered(self.position, self._seats[agent])

    def action_mask(self, agent: str) -> Any:
        """The numbers that an agent may choose now, as in its observation."""
        return allowed(self.position, self._seats[agent])

    def seen(self, agent: str) -> dict[str, Any]:
        """The observation as structured data: `view`, and for the asked agent `kind`, `terms`, `said` and `options`."""
        return seen(self.position, self._seats[agent])

    def render(self) -> str | None:
        """The table as text, as the agent that is asked sees it."""
        if self.render_mode != "ansi":
            return None
        seat = self._seats[self.agent_selection]
        return self._face.board(self.position.seats[seat], seat)  # type: ignore[arg-type]

    def close(self) -> None:
        """Does nothing, because nothing is held."""


def _observations() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-BOUND, BOUND, (SEEN,), np.float32),
            "options": spaces.Box(-BOUND, BOUND, (WIDTH, OFFERED), np.float32),
            "action_mask": spaces.Box(0, 1, (WIDTH,), np.int8),
        }
    )
