"""The resolver: what a rule can do, and what everybody learns of it."""

import pytest

from domain.kernel import (
    HIDDEN,
    NEXT,
    DiceRolled,
    Flow,
    NoChance,
    Part,
    Procedure,
    Resolver,
    Shuffled,
    step,
    total,
)
from tests.domain.kernel.toy import FIRST, Noted, Table, Words


class Rolling(Procedure, frozen=True):
    @step("R-1")
    def roll(self, r: Resolver[Words]) -> Flow:
        parts = (Part("R-1", 3), Part("R-2", -1, "river"))
        dice = r.roll(total(parts), "R-1", "Attack", seat=FIRST, needs=(4,), parts=parts)
        r.emit(Noted(str(dice)))
        r.emit(Noted(str(r.roll(0, "R-2", "Nothing"))))
        r.emit(Noted("".join(r.shuffle("abc", "R-3", "Deck"))))
        r.emit(Noted("".join(r.shuffle("z", "R-4", "One card"))))
        return NEXT


def test_a_roll_tells_its_rule_its_dice_and_why_so_many() -> None:
    table = Table(Rolling).begin()
    first, nothing = [e for e in table.events if isinstance(e, DiceRolled)]
    assert (first.rule, first.draw, first.dice, first.seat) == ("R-1", 1, (1, 2), FIRST)
    assert sum(part.value for part in first.parts) == len(first.dice)
    assert (nothing.dice, nothing.draw, nothing.key) == ((), 1, "")
    assert (table.state.draws, table.state.roll) == (1, nothing)


def test_a_shuffle_is_everybodys_event_and_nobodys_knowledge() -> None:
    table = Table(Rolling).begin()
    assert [(e.rule, e.size, e.order) for e in table.events if isinstance(e, Shuffled)] == [("R-3", 3, (2, 1, 0))]
    assert table.words[2:] == ("cba", "z")
    seen = [table.game.redact(e, 1) for e in table.events if isinstance(e, Shuffled)]  # type: ignore[arg-type]
    assert [event.order for event in seen if isinstance(event, Shuffled)] == [HIDDEN]


@pytest.mark.parametrize("draw", [lambda: NoChance().dice(1, 6), lambda: NoChance().shuffle(2)])
def test_where_there_is_no_chance_nothing_is_rolled(draw: object) -> None:
    with pytest.raises(AssertionError, match="may be"):
        draw()  # type: ignore[operator]
