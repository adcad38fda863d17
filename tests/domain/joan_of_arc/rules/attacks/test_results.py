"""Section K: shields, allocation, and what a result comes to for a unit; the doom die, and gigantic dice."""

import pytest
from msgspec.structs import replace

from domain.joan_of_arc.cards.cards import index_of
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.units import Skills, UnitCard
from domain.joan_of_arc.rules.attacks.results import (
    Doom,
    Struck,
    breaks_through,
    cancelled,
    disrupt,
    doom,
    forced_march,
    harmful,
    kill,
    lost,
    may_stay,
    most_results,
    rallied,
    stay,
    takers,
)

K, D, P, S, B = Face.KILL, Face.DISRUPT, Face.PUSH, Face.SHIELD, Face.BLANK


def card(name: str) -> UnitCard:
    return index_of(None).units[name]


def test_ja_123_ja_127_blanks_and_shields_go_and_kills_come_first() -> None:
    assert harmful((P, B, K, S, D, K)) == (K, K, D, P)


@pytest.mark.parametrize(
    ("shields", "left"), [(0, (K, D, P)), (1, (D, P)), (2, (P,)), (3, ()), (4, ())], ids=lambda value: str(value)[:12]
)
def test_ja_125_ja_126_ja_q20_ja_x10_each_shield_takes_the_worst_result(shields: int, left: tuple[Face, ...]) -> None:
    assert cancelled((P, K, D), shields) == left


def test_ja_128_each_unit_takes_one_before_any_takes_a_second() -> None:
    room = {"f1": 1, "g1": 2}
    assert takers(room, {}, K) == ("f1", "g1")
    assert takers(room, {"g1": (K,)}, K) == ("f1",)
    assert takers(room, {"g1": (K,), "f1": (K,)}, K) == ("g1",)


def test_ja_129_ja_131_ja_q21_ja_x11_as_many_as_hps_remain_and_the_rest_is_discarded() -> None:
    room = {"f1": most_results(card("f_peasants"), 0), "g1": most_results(card("f_household_guard"), 0)}
    assert room == {"f1": 1, "g1": 2}
    assert takers(room, {"f1": (K,), "g1": (K, K)}, D) == ()


@pytest.mark.parametrize(("wounds", "most"), [(0, 2), (1, 1)])
def test_ja_q21_wounds_leave_less_room(wounds: int, most: int) -> None:
    assert most_results(card("f_household_guard"), wounds) == most


def test_ja_130_nobody_takes_a_second_push() -> None:
    room = {"a": 3, "b": 3}
    assert takers(room, {"a": (P,), "b": (K,)}, P) == ("b",)
    assert takers(room, {"a": (P,), "b": (P,)}, P) == ()
    assert takers(room, {"a": (P,), "b": (P,)}, K) == ("a", "b")


def test_ja_133_ja_134_a_kill_destroys_or_wounds() -> None:
    assert kill(card("f_peasants"), 0) == Struck(0, "destroyed")
    assert kill(card("f_joan_1"), 1) == Struck(2)
    assert kill(card("f_joan_1"), 2) == Struck(3, "destroyed")


def test_ja_135_ja_136_ja_137_ja_q23_a_disrupt_wounds_while_more_than_one_hp_remains() -> None:
    assert disrupt(card("f_peasants"), 0) == Struck(0, "disrupted")
    assert disrupt(card("f_joan_1"), 1) == Struck(2)
    assert disrupt(card("f_joan_1"), 2) == Struck(2, "disrupted")
    assert disrupt(card("f_household_guard"), 0) == Struck(1)


def test_ja_100_ja_384_ja_387_some_are_destroyed_by_a_disrupt() -> None:
    assert disrupt(card("c_villager"), 0).fate == "destroyed"
    assert disrupt(card("e_trebuchet"), 0).fate == "destroyed"
    assert disrupt(card("m_dragon"), 7) == Struck(8)
    assert disrupt(card("m_dragon"), 8).fate == "destroyed"


def test_ja_140_ja_141_ja_q24_who_has_two_printed_hps_may_stay_for_a_wound() -> None:
    assert not may_stay(card("f_peasants"))
    assert may_stay(card("f_household_guard"))
    assert stay(card("f_household_guard"), 0) == Struck(1)
    assert stay(card("f_household_guard"), 1) == Struck(2, "destroyed")


def test_ja_273_ja_q59_the_immortal_are_disrupted() -> None:
    assert kill(card("m_revenants"), 0) == Struck(0, "disrupted")
    assert lost(card("f_peasants"), 0).fate == "destroyed"
    undying = replace(card("f_joan_1"), skills=Skills(immortal=True))
    assert kill(undying, 1) == Struck(2)
    assert kill(undying, 2) == Struck(2, "disrupted")


@pytest.mark.parametrize(("name", "wounds", "after"), [("f_peasants", 0, 0), ("f_gilles_1", 2, 2), ("f_la_hire", 1, 3)])
def test_ja_230_who_rallies_has_one_hp_remaining(name: str, wounds: int, after: int) -> None:
    assert rallied(card(name), wounds) == after


@pytest.mark.parametrize(
    ("face", "mortal", "immortal"),
    [
        (Face.DEATH, "graveyard", "disrupted"),
        (Face.DISRUPT, "disrupted", "disrupted"),
        (Face.RALLY, "rally", "rally"),
        (Face.DELAYED_RALLY, "waiting", "waiting"),
    ],
)
def test_ja_226_ja_227_ja_231_ja_274_the_doom_die(face: Face, mortal: Doom, immortal: Doom) -> None:
    assert doom(card("f_voulgiers"), face) == mortal
    assert doom(card("m_revenants"), face) == immortal


@pytest.mark.parametrize(("face", "areas"), [(P, 1), (D, 0), (S, 2), (B, 2)])
def test_ja_341_ja_342_ja_343_how_far_a_forced_march_goes(face: Face, areas: int) -> None:
    assert forced_march(face) == areas


@pytest.mark.parametrize(("attacked", "gone", "through"), [(1, 0, False), (1, 1, True), (5, 1, False), (5, 2, True)])
def test_ja_q72_half_rounded_down_and_never_below_one(attacked: int, gone: int, *, through: bool) -> None:
    assert breaks_through(attacked, gone) is through
