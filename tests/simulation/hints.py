"""Hints between the servers of a run: lost, late and doubled, and at times nobody is told anything."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import Context

from server.cluster.servers import Notified
from tests.simulation.loop import VirtualLoop

LATE_S = 12.0


class Bus:
    """The carrier of hints, with its own chance: a run without it is otherwise the same run."""

    def __init__(self, seed: int, loop: VirtualLoop, faults: Counter[str], trace: Callable[[str], None]) -> None:
        self.rng = random.Random(f"hints {seed}")
        self.is_up = True
        self.listening: dict[str, tuple[Notified, Context]] = {}
        self._loop, self._faults, self._trace = loop, faults, trace
        self._lost = self.rng.choice((0.0, 0.1, 0.5))

    def carry(self, sender: str, lines: Mapping[str, int]) -> None:
        """Tell every other server once, never, late, or twice."""
        if self.rng.random() < 0.03:
            self.is_up = not self.is_up
            self._trace(f"hints are {'back' if self.is_up else 'gone'}")
        for name in [*self.listening]:
            if name == sender:
                continue
            if not self.is_up or self.rng.random() < self._lost:
                self._faults["hint lost"] += 1
                continue
            copies = self.rng.choice((1, 1, 1, 2))
            self._faults["hint doubled"] += copies - 1
            for _ in range(copies):
                wait_s = self.rng.choice((0.001, 0.01, self.rng.uniform(0, LATE_S)))
                self._faults["hint late"] += wait_s > 1
                self._loop.call_later(wait_s, self._bring, name, dict(lines), context=self.listening[name][1])

    def _bring(self, name: str, lines: dict[str, int]) -> None:
        if name in self.listening:
            self._trace(f"{name} is told of {sorted(lines.values())}")
            self.listening[name][0](lines)


class Hints:
    """The bus as one process of a server has it."""

    def __init__(self, bus: Bus, name: str, context: Context) -> None:
        self._bus, self._name, self._context = bus, name, context

    @property
    def is_connected(self) -> bool:
        """See `Hints` of the hall."""
        return self._bus.is_up

    def give(self, lines: Mapping[str, int]) -> None:
        """See `Hints` of the hall."""
        self._bus.carry(self._name, lines)

    async def start(self, notified: Notified) -> None:
        """See `Hints` of the hall."""
        self._bus.listening[self._name] = notified, self._context

    async def close(self) -> None:
        """See `Hints` of the hall."""
        self._bus.listening.pop(self._name, None)
