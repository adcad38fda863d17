"""Procedures: each is a section of a rulebook as a sequence of steps, and each step names the rule that it carries out.

A step emits events and names the next step. The state of the rules is a stack of (procedure, step), which is stored
whole at every pause, so a match can stop in the middle of an attack and continue after a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Final, TypeVar

from msgspec import Struct

from domain.kernel.form import AnyForm, Choice
from domain.kernel.resolver import Resolver
from domain.kernel.secret import Seat

F = TypeVar("F", bound=Callable[..., Any])


class Next(Struct, frozen=True):
    """Continue with the next step; the procedure ends after its last. `become` replaces the procedure's parameters."""

    become: Procedure | None = None


class Done(Struct, frozen=True):
    """The procedure ends here."""


class Goto(Struct, frozen=True):
    """Continue with the step of this rule id. `become` replaces the procedure's parameters."""

    step: str
    become: Procedure | None = None


class Call(Struct, frozen=True):
    """Carry out another procedure, then the next step. `become` replaces the calling procedure's parameters."""

    procedure: Procedure
    become: Procedure | None = None


class Ask(Struct, frozen=True):
    """Ask one or more seats, then continue with the next step.

    `sealed`: the answers stay secret until all are in and are resolved together, in the order asked. Otherwise each is
    resolved when it comes.
    """

    decisions: tuple[Decision, ...]
    sealed: bool = False


Flow = Next | Done | Goto | Call | Ask
NEXT: Final = Next()
DONE: Final = Done()


def ask(*decisions: Decision, sealed: bool = False) -> Ask:
    """Ask these decisions at the same time."""
    return Ask(decisions, sealed)


def step(rule: str, *others: str) -> Callable[[F], F]:
    """Mark a method as the step that carries out `rule` (and `others`); records store the step as `rule`."""

    def mark(method: F) -> F:
        method.__dict__["rules"] = (rule, *others)
        return method

    return mark


window = step
"""A step at which another seat may interrupt."""


class Procedure(Struct, frozen=True):
    """A section of the rulebook. Fields are its parameters (public facts only), methods marked `@step` its steps."""

    aliases: ClassVar[dict[str, str]] = {}
    """Present step ids by former ones, so that records with the former id of a renumbered step stay readable."""


class Steps(Struct, frozen=True):
    """The steps of a procedure class, by rule id, in order."""

    methods: dict[str, Callable[[Any, Any], Flow]]
    order: tuple[str, ...]
    after: dict[str, str | None]


@cache
def steps_of(procedure: type[Procedure]) -> Steps:
    """The steps in the order of the source. Raises `TypeError` for a procedure without steps or with one id twice."""
    found = [
        (m.__dict__["rules"][0], m)
        for m in vars(procedure).values()
        if hasattr(m, "__dict__") and "rules" in m.__dict__
    ]
    order = tuple(rule for rule, _ in found)
    if not order or len(set(order)) < len(order):
        raise TypeError(f"{procedure.__name__} needs steps with different rule ids, has {order}")
    return Steps(dict(found), order, dict(zip(order, (*order[1:], None), strict=True)))


class Decision(Struct, frozen=True):
    """One question to one seat. Fields are public facts; only `form` states which choices are legal."""

    rule: ClassVar[str] = ""

    by: Seat

    def form(self, state: Any) -> AnyForm:
        """The legal choices, computed only from facts that the seat asked may know."""
        raise NotImplementedError(type(self).__name__)

    def resolve(self, r: Resolver[Any], choice: Any) -> Flow:
        """Carry out the choice; the flow returned names the next step of the procedure that asked."""
        raise NotImplementedError(type(self).__name__)

    def limit_s(self, state: Any) -> float:
        """Seconds after which the default is chosen, if the rules set a limit; 0 if they set none."""
        del state
        return 0.0

    def default(self, state: Any) -> Choice:
        """The choice at a time-out: the first legal choice, unless the rule names a safer one."""
        return next(iter(self.form(state)))
