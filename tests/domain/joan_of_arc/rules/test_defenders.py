"""Units of several players that defend together: each decides for the own units and dice (JA-Q08)."""

from typing import Any

from domain.joan_of_arc.state.attack_events import DiceRerolled, ResultAllocated, ResultsCancelled
from domain.kernel import Pick
from tests.domain.joan_of_arc.fixtures import L2, L3, C
from tests.domain.joan_of_arc.table import GAME, Table, given


def two(dice: str, attackers: list[str], first: list[str], third: list[str], **position: Any) -> Table:
    """The second player's units on L3 are ordered; P1 and P3 are allies."""
    seat0 = {"units": first, **position.pop("board0", {})}
    seat2 = {"units": third, **position.pop("board2", {})}
    at = position.pop("at", L3)
    seat1 = {"orders": "2 command", "units": attackers}
    return given(dice, seat0=seat0, seat1=seat1, seat2=seat2, **position).do(f"PlayOrder command {at}")


def items(table: Table) -> tuple[str, ...]:
    """What may be picked by who is asked."""
    form = GAME.revive_decision(table.asked()).form(table.state)
    assert isinstance(form, Pick)
    return form.items


KNIGHTS = ["k1: f_knights @L3", "p: f_peasants @L4"]
BILLS = (["e1: e_billmen @L2"], ["e2: e_billmen @L2"])


def test_ja_196_ja_q08_the_token_rolls_the_own_dice_only() -> None:
    table = two("red=K red=K white=B white=B", KNIGHTS, *BILLS, board0={"reroll": True}).do(f"Melee {L2}")
    assert table.kinds() == ["0 RollEffects"]
    assert items(table.do("UseToken")) == ("0",)


def test_ja_196_ja_q08_a_team_mate_who_defends_uses_a_token_too() -> None:
    table = two("red=K red=K white=B white=B", KNIGHTS, *BILLS, board2={"reroll": True}).do(f"Melee {L2}")
    assert table.kinds() == ["2 RollEffects"]
    assert items(table.do("UseToken")) == ("1",)
    table.roll("white=S").do("RollThese 1")
    assert [event.at for event in table.of(DiceRerolled)] == [(1,)]
    assert table.kinds() == ["2 ShieldChoice"]


def test_ja_279_ja_q08_a_parry_is_its_owners() -> None:
    arms = (["e1: e_billmen @L2"], ["m: e_men_at_arms @L2"])
    table = two("red=K red=K white=B black=K", KNIGHTS, *arms).do(f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["2 RollEffects"], ["LeaveDice", "RollAgain parry m 1"])


def test_ja_125_ja_q08_each_defender_uses_the_own_shields() -> None:
    table = two("red=K red=K white=S white=S", KNIGHTS, *BILLS).do(f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["0 ShieldChoice"], ["UseShields 1", "UseShields 0"])
    table.do("UseShields 0")
    assert (table.kinds(), table.offers()) == (["2 ShieldChoice"], ["UseShields 1", "UseShields 0"])
    table.do("UseShields 1")
    assert [(event.shields, len(event.left)) for event in table.of(ResultsCancelled)] == [(0, 2), (1, 1)]


def test_ja_127_ja_q08_results_are_given_by_turns_to_the_own_units() -> None:
    both = (["a1: e_sappers @L2", "a2: e_sappers @L2"], ["b1: e_sappers @L2", "b2: e_sappers @L2"])
    table = two("red=K red=D white=B white=B white=B white=B", KNIGHTS, *both).do(f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["0 ResultTaker"], ["GiveResult a1", "GiveResult a2"])
    table.do("GiveResult a2")
    assert (table.kinds(), table.offers()) == (["2 ResultTaker"], ["GiveResult b1", "GiveResult b2"])
    table.do("GiveResult b1")
    assert [event.given.unit for event in table.of(ResultAllocated)] == ["a2", "b1"]
    assert (table.at("a2"), table.at("b1")) == ("graveyard", "disrupted")


def test_ja_127_ja_q08_who_has_no_unit_left_to_take_a_result_is_passed_over() -> None:
    both = (["a1: e_sappers @L2"], ["b1: e_sappers @L2", "b2: e_sappers @L2"])
    knights = ["k1: f_knights @L3", "k2: f_knights @L3"]
    table = two("red=K red=K red=K red=S white=B white=B white=B", knights, *both).do(f"Melee {L2}", f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["2 ResultTaker"], ["GiveResult b1", "GiveResult b2"])
    table.do("GiveResult b1")
    assert [event.given.unit for event in table.of(ResultAllocated)] == ["a1", "b1", "b2"]


def test_ja_143_ja_d57_ja_q08_each_defender_says_which_of_the_own_results_strike_back() -> None:
    lords = (["x: f_la_hire @L2"], ["y: f_la_hire @L2"])
    dice = "red=S red=S black=S white=D black=S white=D"
    table = two(dice, KNIGHTS, *lords).do(f"Melee {L2}")
    assert (table.kinds(), items(table)) == (["0 ReturnedResults"], ("0",))
    table.do("ReturnThese")
    assert (table.kinds(), items(table)) == (["2 ReturnedResults"], ("0",))
    table.do("ReturnThese 0")
    assert table.at("k1") == "disrupted"


def test_ja_298_ja_q08_a_hill_strikes_back_once_for_the_first_who_wants_it() -> None:
    hill: dict[str, Any] = {"areas": {"L2": {"terrain": "hill"}}}
    table = two("red=S red=S white=D white=P", KNIGHTS, *BILLS, **hill).do(f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["0 HillOffer"], ["StrikeBack disrupt", "HoldGround"])
    table.do("HoldGround")
    assert (table.kinds(), table.offers()) == (["2 HillOffer"], ["StrikeBack push", "HoldGround"])
    once = two("red=S red=S white=D white=P", KNIGHTS, *BILLS, **hill).do(f"Melee {L2}", "StrikeBack disrupt")
    assert once.at("k1") == "disrupted"


def test_ja_q27_ja_q08_who_retaliates_names_where_the_attacker_is_pushed() -> None:
    lords = (["x: e_billmen @C"], ["y: f_la_hire @C"])
    dice = "red=S red=S black=S white=B white=P"
    flower: dict[str, Any] = {"map": "flower", "at": "1,0:a"}
    table = two(dice, ["k1: f_knights @E"], *lords, **flower).do(f"Melee {C}", "2: ReturnThese 0")
    assert (table.kinds(), table.offers()) == (["2 PushDestination"], ["PushTo k1 1,-1:a", "PushTo k1 0,1:a"])


def test_ja_288_ja_291_ja_q08_terror_is_used_by_whose_unit_has_the_highest() -> None:
    princes = (["e1: e_billmen @L2"], ["bp: e_black_prince_1 @L2"])
    foes = ["k1: f_knights @L3", "k2: f_knights @L3"]
    table = two("black=S", foes, *princes).do(f"Melee {L2}", f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["2 FrightChoice"], ["Frighten k1", "Frighten k2"])
