"""How an attack may fall: reckoned from the dice that the rules would gather, and said beside the attack."""

from itertools import product

import pytest

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import FACES, HARMFUL, Colour, Face
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import Seat
from projections.games.joan_of_arc.odds import _chances, odds
from tests.domain.joan_of_arc.table import given


def counted(mine: tuple[Colour, ...], theirs: tuple[Colour, ...]) -> tuple[int, int]:
    """The same chances, every way in which the dice may fall looked at by itself."""
    kill = some = every = 0
    for rolled in product(*(FACES[each] for each in (*mine, *theirs))):
        attack, defence = rolled[: len(mine)], rolled[len(mine) :]
        shields = sum(shown == Face.SHIELD for shown in defence)
        kill += attack.count(Face.KILL) > shields
        some += sum(shown in HARMFUL for shown in attack) > shields
        every += 1
    return round(100 * kill / every), round(100 * some / every)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [(("red",), ("white",)), (("red", "red"), ("black",)), (("yellow", "white"), ("white", "black")), (("red",), ())],
)
def test_ja_125_chances_are_those_of_every_way_in_which_the_dice_may_fall(
    mine: tuple[Colour, ...], theirs: tuple[Colour, ...]
) -> None:
    assert _chances(mine, theirs) == counted(mine, theirs)


def field() -> JoanState:
    """Two attackers beside a defender."""
    units = ["e1: e_billmen @L1", "e2: e_billmen @L1"]
    return given(seat0={"units": units}, seat1={"units": ["f1: f_voulgiers @L2"]}).state


def test_ja_107_an_attack_says_how_likely_it_gets_through() -> None:
    state = field()
    there = state.field.units[UnitId("f1")].area
    told = odds(state, Seat(0), UnitId("e1"), AreaId(there), "melee")
    kill, some = counted(("red",), ("white",))
    assert told == f"1 die against 1: as first rolled a kill gets through in {kill}%, any result in {some}%"
