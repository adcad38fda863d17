"""A procedure's steps are carried out in the order written, and found by rule id."""

import pytest

from domain.kernel import DONE, NEXT, Call, Flow, Goto, KernelFault, Next, Procedure, Resolver, step, window
from domain.kernel.procedure import steps_of
from domain.kernel.state import Frame
from tests.domain.kernel.toy import End, Noted, Single, Table, Words


class Three(Procedure, frozen=True):
    """Written in an order that neither names nor ids have."""

    @step("T-30")
    def zeal(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("first"))
        return NEXT

    @window("T-10", "T-11")
    def middle(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("second"))
        return NEXT

    @step("T-20")
    def again(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("third"))
        return NEXT

    def unmarked(self) -> None:
        raise AssertionError("not a step")


def test_steps_stand_in_the_order_written() -> None:
    steps = steps_of(Three)
    assert steps.order == ("T-30", "T-10", "T-20")
    assert steps.after == {"T-30": "T-10", "T-10": "T-20", "T-20": None}
    assert set(steps.methods) == {"T-30", "T-10", "T-20"}


def test_a_step_knows_every_rule_that_it_carries_out() -> None:
    assert Three.middle.__dict__["rules"] == ("T-10", "T-11")


def test_steps_are_carried_out_in_order_and_the_caller_goes_on() -> None:
    table = Table(Three).begin()
    assert table.words == ("first", "second", "third")
    assert table.state.result is not None


class NoSteps(Procedure, frozen=True):
    def plain(self) -> None: ...


class SameId(Procedure, frozen=True):
    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        return NEXT

    @step("T-1")
    def other(self, r: Resolver[Words]) -> Flow:
        return NEXT


@pytest.mark.parametrize("procedure", [NoSteps, SameId])
def test_a_procedure_needs_steps_with_different_ids(procedure: type[Procedure]) -> None:
    with pytest.raises(TypeError, match=procedure.__name__):
        steps_of(procedure)


class Loop(Procedure, frozen=True):
    """Goes round `left` times, then jumps over a step."""

    left: int = 3

    @step("L-1")
    def again(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted(f"left {self.left}"))
        return Goto("L-1", Loop(self.left - 1)) if self.left > 1 else Goto("L-3")

    @step("L-2")
    def passed_over(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("jumped over")

    @step("L-3")
    def last(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted(f"last {self.left}"))
        return NEXT


def test_goto_goes_on_at_a_step_with_other_parameters() -> None:
    assert Table(Loop).begin().words == ("left 3", "left 2", "left 1", "last 1")


class Caller(Procedure, frozen=True):
    """Calls another, which calls itself; each goes on where it stood."""

    depth: int = 0

    @step("C-1")
    def inner(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted(f"down {self.depth}"))
        return Call(Caller(self.depth + 1), Caller(self.depth + 10)) if self.depth < 2 else NEXT

    @step("C-2")
    def early(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted(f"up {self.depth}"))
        return DONE

    @step("C-3")
    def never(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("DONE ends the procedure")


def test_call_carries_out_another_and_then_the_next_step_with_new_parameters() -> None:
    assert Table(Caller).begin().words == ("down 0", "down 1", "down 2", "up 2", "up 11", "up 10")


class Becoming(Procedure, frozen=True):
    """Its parameters change from step to step."""

    hits: int = 0

    @step("B-1")
    def roll(self, r: Resolver[Words]) -> Flow:
        return Next(Becoming(self.hits + 2))

    @step("B-2")
    def tell(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted(f"hits {self.hits}"))
        return NEXT


def test_next_may_change_the_parameters() -> None:
    assert Table(Becoming).begin().words == ("hits 2",)


class Astray(Procedure, frozen=True):
    @step("A-1")
    def away(self, r: Resolver[Words]) -> Flow:
        return Goto("A-9")


def test_a_step_that_is_not_there_is_our_fault() -> None:
    with pytest.raises(KernelFault, match="A-9"):
        Table(Astray).begin()


class Endless(Procedure, frozen=True):
    @step("E-1")
    def again(self, r: Resolver[Words]) -> Flow:
        return Goto("E-1")


class Deeper(Procedure, frozen=True):
    @step("E-2")
    def deeper(self, r: Resolver[Words]) -> Flow:
        return Call(Deeper())


@pytest.mark.parametrize("procedure", [Endless, Deeper])
def test_a_rule_that_never_pauses_meets_a_bound(procedure: type[Procedure]) -> None:
    with pytest.raises(KernelFault, match="steps without a pause"):
        Table(procedure).begin()


class Renumbered(Single, frozen=True):
    """`Single` after its first step was renumbered."""

    aliases = {"T-0": "T-1"}

    @step("T-1")
    def question(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("stands behind it already")


def test_a_renumbered_step_is_found_by_its_former_id() -> None:
    game = Table(Renumbered).game
    assert game.revive_frame(Frame("Renumbered", "T-0", {"by": 1})) == (Renumbered(1), "T-1")  # type: ignore[arg-type]
    assert game.revive_frame(Frame("Renumbered", "T-1", {"by": 0}))[1] == "T-1"


class Ending(Procedure, frozen=True):
    """Ends the match in the middle of a call."""

    @step("N-1")
    def call(self, r: Resolver[Words]) -> Flow:
        return Call(End())

    @step("N-2")
    def never(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("the match is over")


def test_the_end_of_the_match_stops_everything_at_once() -> None:
    state = Table(Ending, End).begin().state
    assert state.result is not None
    assert (state.result.rule, state.asked, state.stack) == ("T-END", (), ())
