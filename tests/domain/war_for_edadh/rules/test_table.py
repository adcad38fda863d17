"""Sections A, G, P, Q, T and V: compositions, Terrain, the games, what stays hidden."""

import collections
import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, Mask, MatchCreated, NotOffered, Seat
from domain.war_for_edadh import GAME
from domain.war_for_edadh.cards.cards import Army, Kind, Level, index_of
from domain.war_for_edadh.rules.best_of_3 import (
    AcceptTerrain,
    CombineTerrain,
    CutAgain,
    SetTerrainAside,
    Veto,
    may_combine,
)
from domain.war_for_edadh.rules.combat import Combat, survivors_of
from domain.war_for_edadh.rules.fielding import (
    BringArmy,
    ChooseArmy,
    ChooseStratagems,
    Deploy,
    FieldUnits,
    automatic,
    rear_columns,
    unit_codes,
    units_left,
)
from domain.war_for_edadh.rules.stratagems import PickStratagems
from domain.war_for_edadh.rules.terrain import (
    can_combine,
    may_enter,
    terrain_guard,
    terrain_modifier,
    terrain_range,
    unit_may_enter,
)
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.options import Options
from domain.war_for_edadh.state.state import Survivors
from domain.war_for_edadh.state.stats import (
    bonus_row_allowed,
    figure,
    helping,
    mastery_of,
    minus_parts,
    most_common,
    parts_of,
    row_of,
    rows_open,
)
from server.conformance.comparing import DecisionMoment
from server.conformance.walks import Walk
from server.conformance.worlds import indistinguishable
from tests.domain.war_for_edadh.table import columns, given, state_of, troop

INDEX = index_of(None)


def symbols(level: str, kind: str, scope: str, amount: int, code: str = "OA01") -> dict[str, Any]:
    return troop(code, level, kind, scope, amount)


def facing_each_other(**position: Any) -> dict[str, Any]:
    return {"round": {"number": 1, "chosen": ["A1", "B1"]}, **position}


def test_we_206_we_208_we_210_plus_bonuses_of_one_column_add_up() -> None:
    own = symbols("melee", "spear_hedge", "R3", 1)
    side = {"columns": columns("A1 OA01, A4 OA01, A5 OA01", "A2 OA01", "A3 OA01")}
    state = state_of(facing_each_other(position="melee", troops=own, seat0=side))
    assert [amount for _, amount in helping(state, "A1", Kind.SPEAR_HEDGE)] == [1, 1]
    assert sum(part.value for part in parts_of(state, Seat(0), "cb")) == 2


def test_we_197_we_q49_its_own_symbol_and_other_columns_give_nothing() -> None:
    own = symbols("melee", "war_beast", "R2", 1)
    side = {"columns": columns("A1 OA01", "A2 OA01", "A3 OA01")}
    state = state_of(facing_each_other(position="melee", troops=own, seat0=side))
    assert not helping(state, "A1", Kind.WAR_BEAST)


def test_we_198_the_front_card_helps_a_chosen_rear_card() -> None:
    own = symbols("melee", "war_beast", "R2", 2)
    side = {"columns": columns("A1 OA01, A4 OA01", "A2 OA01", "A3 OA01")}
    state = state_of({"position": "melee", "troops": own, "seat0": side})
    assert helping(state, "A4", Kind.WAR_BEAST) == [("A1", 2)]


def test_we_202_we_x15_r4_works_in_ranks_1_to_4() -> None:
    own = symbols("melee", "spear_hedge", "R4", 1)
    symbol = state_of({"troops": own}).options.cards
    assert symbol is not None
    found = symbol.troops[-1].compositions[0]
    assert [found.works_in(rank) for rank in (1, 4, 5)] == [True, True, False]


def test_we_212_a_hedge_of_two_may_use_its_row_against_mounts() -> None:
    riders = {"columns": columns("B1 AN07", "B2 AN07", "B3 AN07")}
    two = {"columns": columns("A1 DZ02, A4 DZ02", "A2 DZ02", "A3 DZ02")}
    one = {"columns": columns("A1 DZ02", "A2 DZ02", "A3 DZ02")}
    foot = {"columns": columns("B1 AN02", "B2 AN02", "B3 AN02")}
    melee = {"position": "melee", "round": {"chosen": ["A1", "B1"]}}
    assert rows_open(state_of({**melee, "seat0": two, "seat1": riders}), 0) == ("vs_mounts",)
    assert not rows_open(state_of({**melee, "seat0": one, "seat1": riders}), 0)
    assert not rows_open(state_of({**melee, "seat0": two, "seat1": foot}), 0)
    assert not rows_open(state_of({**melee, "position": "charge", "seat0": two, "seat1": riders}), 0)


@pytest.mark.parametrize(("row", "att"), [("vs_mounts", 8), ("melee", 6), ("", 6)])
def test_we_q85_the_row_that_was_chosen_counts_for_the_chosen_troop_alone(row: str, att: int) -> None:
    two = {"columns": columns("A1 DZ02, A4 DZ02", "A2 DZ02", "A3 DZ02")}
    state = state_of({"position": "melee", "round": {"chosen": ["A1", "B1"]}, "rows": [row, ""], "seat0": two})
    assert (row_of(state, "A1").att, row_of(state, "A2").att) == (att, 6)


def test_we_213_war_beasts_and_we_209_no_formation_leaves_them_alone() -> None:
    side = {"columns": columns("A1 DZ02, A4 DZ08, A5 DZ02", "A2 DZ02", "A3 DZ02")}
    marsh = state_of({"position": "melee", "ground": "TE03", "seat0": side})
    assert helping(marsh, "A1", Kind.WAR_BEAST) == [("A4", 1)]
    assert not helping(marsh, "A1", Kind.SPEAR_HEDGE)


def test_we_230_broken_ground_takes_formations_from_the_enemy() -> None:
    side = {"columns": columns("A1 DZ02, A4 DZ02", "A2 DZ02", "A3 DZ02")}
    plain = {"position": "melee", "seat0": side}
    assert helping(state_of(plain), "A1", Kind.SPEAR_HEDGE)
    assert not helping(state_of({**plain, "seat1": {"in_play": ["SG11"]}}), "A1", Kind.SPEAR_HEDGE)


def test_we_003_without_module_3_no_composition_counts() -> None:
    side = {"columns": columns("A1 DZ02, A4 DZ02", "A2 DZ02", "A3 DZ02")}
    state = state_of({"position": "melee", "seat0": side}, {"without_compositions": True})
    assert not helping(state, "A1", Kind.SPEAR_HEDGE)


@pytest.mark.parametrize(("third", "amount"), [("OA01", -2), ("DZ01", 0)])
def test_we_204_we_215_a_shield_wall_needs_the_whole_front_rank(third: str, amount: int) -> None:
    side = {"columns": columns("A1 OA01", "A2 OA01", f"A3 {third}")}
    own = symbols("melee", "shield_wall", "FR", -2)
    state = state_of(facing_each_other(position="melee", troops=own, seat0=side))
    assert sum(part.value for part, _ in minus_parts(state, Seat(0))) == amount


def test_we_q50_one_card_is_no_wall() -> None:
    own = symbols("melee", "shield_wall", "FR", -2)
    side = {"columns": columns("A1 OA01", "", "")}
    assert not minus_parts(state_of(facing_each_other(position="melee", troops=own, seat0=side)), Seat(0))


@pytest.mark.parametrize(
    ("column", "beside", "covers"),
    [
        ("A1 OA01", "A2 DZ01", False),
        ("A1 OA01", "A2 DZ01, A6 DZ01, A7 DZ01", False),
        ("A1 OA01, A4 OA01", "A2 DZ01", True),
        ("A1 OA01, A4 DZ01", "A2 DZ01, A6 DZ01", False),
        ("A1 OA01, A4 DZ01", "A2 DZ01, A6 DZ01, A7 DZ01", True),
        ("A1 OA01, A4 DZ01, A5 OA01", "A2 DZ01", True),
        ("A1 DZ01, A4 OA01, A5 OA01", "A2 DZ01", False),
        ("A1 OA01, A4 DZ01, A5 DZ01", "A2 DZ01", False),
    ],
)
def test_we_205_we_220_we_221_shield_cover(column: str, beside: str, covers: bool) -> None:
    own = symbols("ballistic", "shield_cover", "C", -2)
    side = {"columns": columns(column, beside, "A3 DZ01")}
    state = state_of({"position": "ballistic", "troops": own, "round": {"chosen": ["A1", "B1"]}, "seat0": side})
    assert sum(part.value for part, _ in minus_parts(state, 0)) == (-2 if covers else 0)


def test_we_222_we_x16_we_x17_the_most_common_figure_on_a_tie_the_smallest() -> None:
    assert most_common([-10, -10, -5]) == -10
    assert most_common([-10, -10, -5, -5]) == -5


def test_we_216_rate_of_fire_adds_at_ballistic() -> None:
    side = {"columns": columns("A1 DZ01, A4 DZ01", "A2 DZ01", "A3 DZ01")}
    state = state_of(facing_each_other(position="ballistic", seat0=side))
    assert figure(state, Seat(0), "cb") == 2


def test_we_033_we_q55_a_terrain_symbol_gives_one_mastery_level() -> None:
    assert mastery_of(state_of({"position": "ballistic", "ground": "TE01"}), "B1") == 4
    assert mastery_of(state_of({"position": "ballistic"}), "B1") == 3


def test_we_061_a_stratagem_works_at_its_levels_only() -> None:
    both = {"in_play": ["SG14"], "combat_master": "CM01"}
    melee = state_of(facing_each_other(position="melee", seat0=both))
    charge = state_of(facing_each_other(position="charge", seat0=both))
    assert len(parts_of(melee, Seat(0), "att")) == 2
    assert len(parts_of(charge, Seat(0), "att")) == 1


def test_we_061_all_out_assault_by_role() -> None:
    side = {"in_play": ["SG09"]}
    attacker = {"number": 1, "chosen": ["A1", "B1"], "attacker": 0}
    state = state_of({"position": "melee", "round": attacker, "seat0": side})
    assert figure(state, Seat(0), "att_dmg") == 6 + 3
    assert figure(state, Seat(0), "def") == 4
    defender = state_of({"position": "melee", "round": {**attacker, "attacker": 1}, "seat0": side})
    assert figure(defender, Seat(0), "def") == 3


def test_we_006_only_the_levels_own_stats_count() -> None:
    for level, att in (("ballistic", 7), ("charge", 6), ("melee", 4)):
        assert row_of(state_of({"position": level}), "A1").att == att


def test_we_021_we_223_we_224_we_225_we_226_we_x18_access() -> None:
    cards = state_of(
        {
            "terrains": {
                "OT01": {
                    "access": [{"kind": "plus", "value": 15}, {"kind": "minus", "value": 9}],
                    "height": 12,
                }
            },
            "troops": {f"P{power:02}": {"power": power} for power in (9, 10, 12, 14, 15)},
        }
    ).options.cards
    index = index_of(cards)
    entering = {p: may_enter(index, f"P{p:02}", [index.terrain["OT01"]]) for p in (9, 10, 12, 14, 15)}
    assert entering == {9: False, 10: True, 12: True, 14: True, 15: False}


def test_we_034_we_223_the_element_must_fit() -> None:
    cards = state_of({"terrains": {"OT01": {"element": "water"}}}).options.cards
    index = index_of(cards)
    assert not may_enter(index, "DZ01", [index.terrain["OT01"]])


def test_we_227_one_excluded_troop_excludes_the_unit() -> None:
    assert unit_may_enter(INDEX, ["DZ01", "DZ02"], [INDEX.terrain["TE01"]])
    assert not unit_may_enter(INDEX, ["DZ01", "DZ11"], [INDEX.terrain["TE01"]])


COMBINED = {"code": "OT01", "under": [{"code": "OT02", "seat": 1}]}
HALVES = {
    "OT01": {"halves": [{"ballistic": {"mod": -1, "guard": 2}, "charge": {"mod": 0, "guard": 0}}] * 2, "range": 4},
    "OT02": {
        "halves": [{"ballistic": {"mod": 1, "guard": 4}, "charge": {"mod": 0, "guard": 0}}] * 2,
        "range": "*",
        "move": 5,
        "effects": ["counter_mounts"],
    },
}


def test_we_232_we_234_we_235_we_236_we_x40_a_combination_counts_for_one_half() -> None:
    state = state_of({"position": "ballistic", "terrains": HALVES, "ground": COMBINED})
    assert [terrain_modifier(state, seat) for seat in (0, 1)] == [-1, 0]
    assert [terrain_guard(state, seat) for seat in (0, 1)] == [2, 4]
    assert [terrain_range(state, seat) for seat in (0, 1)] == [4, 4]


def test_we_233_several_access_values_bar_together() -> None:
    assert not may_enter(INDEX, "DZ11", [INDEX.terrain["TE05"], INDEX.terrain["TE01"]])


def test_we_231_we_x23_like_cannot_be_combined() -> None:
    assert not can_combine(INDEX.terrain["TE02"], INDEX.terrain["TE02"])


@pytest.mark.parametrize(
    ("top", "other", "fits"),
    [
        ("TE02", "TE04", True),
        ("TE02", "TE03", True),
        ("TE02", "TE08", True),
        ("TE01", "TE03", True),
        ("TE02", "TE01", False),
        ("TE03", "TE06", False),
        ("TE08", "TE03", False),
        ("TE08", "TE01", False),
    ],
)
def test_we_043_we_q57_restriction_codes(top: str, other: str, fits: bool) -> None:
    assert can_combine(INDEX.terrain[top], INDEX.terrain[other]) is fits


@pytest.mark.parametrize(
    ("top", "under", "other", "fits"),
    [
        ("TE02", "TE04", "TE05", True),
        ("TE02", "TE04", "TE08", True),
        ("TE03", "TE01", "TE04", False),
        ("TE01", "TE03", "TE04", False),
        ("TE02", "TE03", "TE06", False),
        ("TE02", "TE04", "TE04", False),
    ],
)
def test_we_043_we_231_a_third_card_must_fit_every_card_that_lies_there(
    top: str, under: str, other: str, fits: bool
) -> None:
    state = state_of({"ground": {"code": top, "under": [{"code": under, "seat": 0}]}})
    assert may_combine(state, INDEX.terrain[other]) is fits


def test_we_232_what_is_combined_on_one_half_bars_its_player_only() -> None:
    riders = {"columns": columns("A1 DZ07", "A2 DZ07", "A3 DZ07"), "fresh": True}
    for half in (0, 1):
        ground = {"code": "TE05", "under": [{"code": "TE01", "seat": half}]}
        state = state_of({"position": "melee", "ground": ground, "seat0": riders})
        assert bonus_row_allowed(state, 0) is (half == 1)


def test_we_037_each_player_reads_his_own_half() -> None:
    for turned, mods in ((False, [-1, 1]), (True, [1, -1])):
        state = state_of({"position": "ballistic", "ground": {"code": "TE02", "turned": turned}})
        assert [terrain_modifier(state, seat) for seat in (0, 1)] == mods


def test_we_061_terrain_advantage_takes_a_positive_modifier_away() -> None:
    position = {"position": "ballistic", "ground": "TE03", "seat0": {"in_play": ["SG04"]}}
    assert [terrain_modifier(state_of(position), seat) for seat in (0, 1)] == [0, 1]


START = {"start": "Match", "combat": 0, "duration": 0}
DEPLOYED = ("DZ01", "DZ01", "DZ01", "DZ02", "DZ02", "DZ02")


def lacking(section: str, name: str) -> dict[str, Any]:
    """The shipped cards without the one of that name."""
    cards: dict[str, Any] = msgspec.to_builtins(INDEX.cards)
    return {**cards, section: [card for card in cards[section] if card["name"] != name]}


def mustered(options: dict[str, Any], army: str = "four ranks", dice: tuple[int, ...] = (1, 1, 1)) -> Any:
    table = given(START, options, dice)
    table.when(0, ChooseArmy(f"Dzaa {army}")).when(1, ChooseArmy(f"Ang {army}"))
    while "DeckSelection" in str(table.kinds()):
        table.when(table.state.asked[0].seat, ChooseStratagems(()))
    return table


def fielded(table: Any) -> Any:
    while {"UnitSelection", "Deployment"} & {asked.kind for asked in table.state.asked}:
        asked = table.state.asked[0]
        table.when(asked.seat, table.offers(asked.seat)[0] if asked.kind == "UnitSelection" else first_deploy(table))
    return table


def first_deploy(table: Any) -> Deploy:
    choice = next(iter(GAME.revive_decision(table.state.asked[0]).form(table.state)))
    assert isinstance(choice, Deploy)
    return choice


def test_we_180_we_182_every_deck_holds_hold_retreat_and_counter() -> None:
    assert [card.name for card in automatic(state_of())] == ["Hold", "Retreat", "Counter"]
    assert mustered({}).side(0).deck == ("SG01", "SG02", "SG03")


def test_we_181_as_many_as_the_battle_masters_mastery_level() -> None:
    table = given(START).when(0, ChooseArmy("Dzaa four ranks")).when(1, ChooseArmy("Ang four ranks"))
    form = GAME.revive_decision(table.asked(0)).form(table.state)
    assert getattr(form, "most", 0) == 5


def test_we_283_armies_and_we_278_decks_are_told_to_nobody() -> None:
    events = mustered({}).events
    hidden = [GAME.redact(event, Mask(0)) for event in events if isinstance(event, e.ArmyChosen | e.DeckChosen)]
    assert len(hidden) == 4
    assert "Dzaa" not in str(hidden)
    assert "SG0" not in str(hidden)


def own_army(**changes: Any) -> Army:
    """An army that is in no list: two Ranks of Gunners and Spears, and a Combat Master."""
    quick = INDEX.armies["Dzaa quick start"]
    return replace(quick, **{"name": "Mine", "combat_masters": ("CM02",), "total": 29, **changes})


def test_we_265_an_army_of_ones_own_may_be_brought_and_is_fielded() -> None:
    table = given(START, {}, (1, 1, 1)).when(0, BringArmy(own_army())).when(1, ChooseArmy("Ang four ranks"))
    assert table.side(0).army == own_army()
    while table.state.asked[0].kind == "DeckSelection":
        table.when(table.state.asked[0].seat, ChooseStratagems(()))
    assert fielded(table).side(0).combat_master == "CM02"


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        ({"total": 28}, {}, "WE-265"),
        ({}, {"cap": 28}, "WE-266"),
        ({"units": ()}, {}, "WE-246"),
        ({}, {"game": "best_of_3"}, "WE-250"),
        ({"faction": "Ang Rebels"}, {}, "WE-Q83"),
        ({"combat_masters": ("CM02", "CM01"), "total": 36}, {}, "WE-274"),
    ],
)
def test_we_265_an_army_that_the_rules_forbid_is_refused(
    changes: dict[str, Any], options: dict[str, Any], said: str
) -> None:
    table = given(START, options)
    with pytest.raises(NotOffered) as refused:
        table.when(0, BringArmy(own_army(**changes)))
    assert said in refused.value.why


def test_we_283_an_army_brought_is_a_secret_like_any_other() -> None:
    brought = given(START).when(0, BringArmy(own_army()))
    chosen = given(START).when(0, ChooseArmy("Dzaa four ranks"))
    lines = [[GAME.redact(event, Mask(2)) for event in table.events] for table in (brought, chosen)]
    assert lines[0] == lines[1]
    assert "Mine" not in str(lines)
    assert not brought.all(e.ArmyChosen)


@pytest.mark.parametrize(("options", "seed"), [({}, 5), ({"game": "best_of_3"}, 5), ({"game": "best_of_3"}, 25)])
def test_worlds_are_drawn_that_show_what_was_seen_of_an_army_of_ones_own(options: dict[str, Any], seed: int) -> None:
    army = own_army()
    if options:
        main = replace(army.units[0], columns=(("DZ01", "DZ02"), ("DZ01",), ("DZ02",)))
        twice = tuple(replace(entry, copies=4) for entry in army.troops)
        army = own_army(units=(main, main), troops=twice, total=37)
    walk = Walk(GAME, seed, options)
    walk.make(next(asked for asked in walk.state.asked if asked.seat == 0), BringArmy(army))
    rng = random.Random(1)
    told: collections.Counter[str] = collections.Counter()
    while not walk.over:
        asked, choice = walk.pick()
        if rng.random() < 0.2:
            moment = DecisionMoment(GAME, walk.state, asked, choice, rng.randrange(2**32))
            indistinguishable(moment, Seat(1), told)
            indistinguishable(moment, None, told)
            world = GAME.spec.resample(GAME.view(walk.events, Mask(2)), Seat(1), rng.randrange)
            assert not list(GAME.spec.invariants(world))
        walk.make(asked, choice)


@pytest.mark.parametrize(
    "options",
    [
        {"cap": 5},
        {"quick_start": True, "cap": 20},
        {"quick_start": True, "cards": lacking("armies", "Dzaa quick start")},
        {"quick_start": True, "cards": lacking("terrain", "Woods")},
    ],
)
def test_options_that_leave_nobody_an_army_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"cap|quick_start"):
        GAME.assert_playable(options)
    assert GAME.created(MatchCreated(GAME.name, options, ("A", "B"))), "what was played once is folded for ever"


def test_we_054_we_q80_terrain_that_bars_a_unit_is_set_aside() -> None:
    table = fielded(mustered({}))
    assert [event.code for event in table.all(e.TerrainSetAside)] == ["TE01"]
    assert table.one(e.TerrainSetAside).rule == "WE-Q80"
    assert table.state.ground is not None
    assert table.state.ground.code == "TE02"


def test_we_054_we_q80_an_agreed_terrain_offers_only_armies_that_may_enter() -> None:
    table = given(START, {"terrain": "TE01"})
    assert ChooseArmy("Dzaa main and support") in table.offers(0)
    assert ChooseArmy("Dzaa four ranks") not in table.offers(0)


def test_we_052_we_q71_only_the_last_rank_may_be_incomplete() -> None:
    assert rear_columns(6) == ((),)
    assert rear_columns(7) == ((1,), (2,), (3,))
    assert len(rear_columns(8)) == 3


def test_we_q77_we_282_arrangements_are_sealed_and_then_open() -> None:
    table = mustered({})
    table.when(0, table.offers(0)[0]).when(1, table.offers(1)[0])
    table.when(0, first_deploy(table))
    assert not table.all(e.UnitDeployed)
    table.when(1, first_deploy(table))
    assert [len(event.troops) for event in table.all(e.UnitDeployed)] == [12, 12]


def test_we_049_we_056_every_combat_begins_with_50_and_0_in_the_range_position() -> None:
    table = fielded(mustered({}))
    assert [(side.mp, side.dmg) for side in table.state.sides] == [(50, 0), (50, 0)]
    assert table.state.position == "range"


def test_we_055_stratagems_may_be_picked_before_the_first_round() -> None:
    table = fielded(mustered({}))
    assert table.kinds() == ["0 StratagemSelection", "1 StratagemSelection"]
    table.when(0, PickStratagems()).when(1, PickStratagems())
    assert table.one(e.DurationBegun).rounds == 3


def test_we_002_we_003_modules_left_out_leave_no_masters() -> None:
    options = {"without_combat_masters": True, "without_standards": True, "without_stratagems": True}
    side = fielded(mustered(options)).side(0)
    assert (side.combat_master, side.battle_master, side.standards) == ("", "", ())


def test_we_001_we_246_one_main_and_at_most_one_support_unit() -> None:
    table = mustered({}, "main and support")
    assert table.offers(0) == [FieldUnits(0), FieldUnits(0, 1)]
    assert mustered({"without_support": True}, "main and support").offers(0) == [FieldUnits(0)]


BEST = {"game": "best_of_3"}


def test_we_251_we_252_the_player_who_did_not_shuffle_acts_first() -> None:
    table = mustered(BEST, "two units")
    assert table.kinds() == ["1 TerrainAction"]
    table.when(1, Veto())
    assert table.one(e.TerrainSetAside).rule == "WE-252"
    assert table.kinds() == ["0 TerrainAction"]
    table.when(0, AcceptTerrain())
    assert table.kinds() == ["0 UnitSelection", "1 UnitSelection"]


def test_we_253_we_232_a_cut_card_may_be_combined_on_a_half() -> None:
    table = mustered(BEST, "two units").when(1, Veto())
    table.when(0, CutAgain())
    assert table.kinds() == ["0 CombinationOffer"]
    table.when(0, CombineTerrain(1))
    assert table.state.ground is not None
    assert [under.seat for under in table.state.ground.under] == [1]


def test_we_253_the_cut_card_may_be_set_aside() -> None:
    table = mustered(BEST, "two units").when(1, Veto()).when(0, CutAgain()).when(0, SetTerrainAside())
    assert table.state.ground is not None
    assert not table.state.ground.under


def test_we_250_best_of_3_takes_armies_of_two_units() -> None:
    names = {c.army for c in given(START, BEST).offers(0) if isinstance(c, ChooseArmy)}
    assert names == {"Dzaa two units", "Ang two units"}


def best(number: int, **sides: Any) -> dict[str, Any]:
    return {"start": "Combat", "combat": number, "duration": 0, "with": {"number": number}, **sides}


def test_we_258_we_q73_hills_are_turned_round_for_the_second_combat() -> None:
    armies = {"seat0": {"army": "Dzaa two units", "fielded": [0]}, "seat1": {"army": "Ang two units", "fielded": [0]}}
    ground = {"code": "TE02", "under": [{"code": "TE04", "seat": 0}]}
    table = given({**best(2, **armies), "ground": ground}, BEST)
    turned = table.one(e.TerrainTurned)
    assert (turned.turned, turned.halves) == (True, (1,))
    assert table.kinds() == ["0 UnitSelection", "1 UnitSelection"]


def test_we_257_we_259_otherwise_new_terrain_and_the_other_unit() -> None:
    armies = {"seat0": {"army": "Dzaa two units", "fielded": [0]}, "seat1": {"army": "Ang two units", "fielded": [0]}}
    table = given(best(2, **armies), BEST, dice=[1] * 8)
    assert table.kinds() == ["0 TerrainAction"]
    assert units_left(table.state, 0, "main") == (1,)


def test_we_261_no_hills_in_the_third_combat() -> None:
    armies = {"seat0": {"army": "Dzaa two units"}, "seat1": {"army": "Ang two units"}}
    table = given(best(3, **armies), BEST, dice=[1] * 8)
    assert table.all(e.CombatEnded)[0].rule == "WE-Q74"
    hills = INDEX.terrain["TE02"]
    assert not may_combine(table.state, hills)


@pytest.mark.parametrize(("won", "over"), [((2, 0), "WE-260"), ((1, 1), ""), ((1, 0), ""), ((0, 0), "")])
def test_we_260_we_q74_two_combats_won_end_the_game(won: tuple[int, int], over: str) -> None:
    sides = {
        "seat0": {"army": "Dzaa two units", "combats_won": won[0]},
        "seat1": {"army": "Ang two units", "combats_won": won[1]},
    }
    table = given({"start": "Match", "combat": 2, **sides}, BEST, at="WE-260", dice=[1] * 8)
    ended = table.state.result is not None and table.state.result.rule == "WE-260"
    assert ended is bool(over)


def test_we_263_after_the_third_combat_more_wins_decide() -> None:
    sides = {"seat0": {"combats_won": 1}, "seat1": {"combats_won": 2}}
    table = given({"start": "Match", "combat": 3, **sides}, BEST, at="WE-260")
    assert table.state.result is not None
    assert (table.state.result.winner, table.state.result.rule) == (1, "WE-263")


def test_we_255_we_256_we_264_we_q75_a_best_of_3_goes_on_with_what_is_left() -> None:
    walk = Walk(GAME, 3, BEST)
    for _ in walk.steps():
        pass
    left = [event for event in walk.events if isinstance(event, e.SurvivorsSetAside)]
    assert len(left) in {4, 6}
    fought = [event for event in walk.events if isinstance(event, e.UnitDeployed)]
    assert {event.seat for event in fought} == {0, 1}
    for event in walk.events:
        if isinstance(event, e.CombatEnded):
            assert event.winner in {-1, 0, 1}


def test_we_262_the_third_combat_is_fought_with_what_remains() -> None:
    state = state_of({"combat": 3, "seat0": {"army": "Dzaa two units", "fielded": [0, 1]}}, BEST)
    side = replace(state.sides[0], survivors=(Survivors(0, ("DZ01",), True), Survivors(1, ("DZ02", "DZ03"), False)))
    state = replace(state, sides=(side, state.sides[1]))
    assert units_left(state, 0, "main") == (0,)
    assert unit_codes(state, 0, 0) == ("DZ01",)


def with_support() -> dict[str, Any]:
    """Options with an army of two Units and a Support Unit."""
    army = INDEX.armies["Dzaa main and support"]
    first, second = army.units
    main = replace(second, role="main", columns=(("DZ02",), ("DZ11",), ("DZ02",)))
    left = replace(second, columns=(("DZ01",), ("DZ03",), ("DZ03",)))
    own = replace(army, name="Own", units=(first, main, left))
    return {"game": "best_of_3", "armies": [msgspec.to_builtins(own)]}


def test_we_256_we_q81_a_support_unit_is_no_part_of_the_winning_unit_and_may_be_placed_again() -> None:
    standing = {"columns": columns("A1 DZ01", "", ""), "support": columns("S1 DZ03", "S2 DZ03", "")}
    ours = {"army": "Own", "fielded": [0, 2], "mp": 60, **standing}
    theirs = {"army": "Ang two units", "fielded": [0]}
    state = state_of({"combat": 1, "seat0": ours, "seat1": theirs}, with_support())
    left = survivors_of(state, Seat(0), True)
    assert left == Survivors(0, ("DZ01",), True, 2, ("DZ03", "DZ03"))
    side = replace(state.sides[0], survivors=(left,))
    state = replace(state, combat=2, sides=(side, state.sides[1]))
    assert units_left(state, 0, "main") == (1,)
    assert units_left(state, 0, "support") == (2,)
    assert unit_codes(state, 0, 2) == ("DZ03", "DZ03")
    gone = replace(side, survivors=(left, replace(left, unit=1, support=())))
    assert units_left(replace(state, sides=(gone, state.sides[1])), 0, "support") == ()


def test_we_284_the_order_of_the_terrain_deck_is_nobodys() -> None:
    (slot,) = GAME.slots[e.TerrainShuffled]
    assert slot.mask(e.TerrainShuffled(8)) == 0


def test_we_287_a_spectator_holds_no_secret() -> None:
    walk = Walk(GAME, 1)
    for _ in walk.steps(60):
        pass
    watched = 0
    for event in walk.events:
        for slot in GAME.slots[type(event)]:
            watched += 1
            assert getattr(GAME.redact(event, Mask(0)), slot.name) == HIDDEN
    assert watched > 50


def test_we_281_what_lies_in_play_is_open() -> None:
    assert not {"in_play", "face_up"} & {slot.name for slot in GAME.slots[e.StratagemsPicked]}


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"quick_start": True, "game": "best_of_3"}, "WE-053"),
        ({"terrain": "TE99"}, "TE99"),
        ({"terrain": "TE01", "game": "best_of_3"}, "WE-251"),
        ({"cap": 0}, "WE-266"),
    ],
)
def test_options_that_contradict_the_rules_are_told(options: dict[str, Any], word: str) -> None:
    found = msgspec.convert(options, Options).defects(INDEX)
    assert any(word in sentence for sentence in found)


def test_we_266_an_army_brought_is_checked_against_the_cap() -> None:
    own = replace(INDEX.armies["Dzaa four ranks"], name="mine")
    assert not Options(armies=(own,)).defects(INDEX)
    assert any("WE-266" in sentence for sentence in Options(armies=(own,), cap=79).defects(INDEX))


def test_we_004_a_combat_is_durations_until_it_is_over() -> None:
    assert Combat(1).number == 1
    table = given({"start": "EndOfDuration", "position": "melee"})
    assert table.all(e.DurationBegun)[0].number == 2


def test_we_005_both_units_are_always_at_the_same_level() -> None:
    assert {state_of({"position": p}).level for p in ("range", "ballistic")} == {Level.BALLISTIC}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [{}, BEST, {"quick_start": True}, {"tcts_rule": "always"}])
def test_random_matches_end_and_break_no_invariant(seed: int, options: dict[str, Any]) -> None:
    walk = Walk(GAME, seed, options)
    for _ in walk.steps(3000):
        assert not list(GAME.spec.invariants(walk.state))
    assert walk.over
    assert isinstance(walk.events[0], MatchCreated)


@pytest.mark.parametrize("seed", range(4))
def test_the_quick_start_asks_no_question_that_has_one_answer(seed: int) -> None:
    walk = Walk(GAME, seed, {"quick_start": True})
    while not walk.over:
        assert all(GAME.revive_decision(asked).form(walk.state).count() > 1 for asked in walk.state.asked)
        walk.step()
