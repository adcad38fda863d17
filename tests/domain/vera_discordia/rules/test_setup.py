"""Sections A and I to O: options, choosing Generals, recruiting, Vision and Stealth, Terrain, deployment.

Shuffles leave their order unless a test gives one, so the Nir are dealt 3 Guardians, 2 Dark Faeries, 2 Dryads and the
Elder Bough; the Iskelond 3 Sentries, 2 Sentinels, 2 Hammer Guards and the Golem.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.commons.cards import known
from domain.kernel import HIDDEN, DiceRolled, Event, MatchCreated, Seat, Shuffled, begin
from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import (
    CardKey,
    CardSet,
    GeneralRanks,
    Hook,
    Muster,
    Rank,
    Recruit,
    Redeploy,
    Scouts,
    index_of,
)
from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.checks.card_checks import load_card_set, raw
from domain.vera_discordia.positions.positions import POSITIONS
from domain.vera_discordia.rules.deployment import Deploy, Examine, ExchangeSpaces, StopExamining, StopExchanging
from domain.vera_discordia.rules.generals import ChooseGeneral
from domain.vera_discordia.rules.recruiting import (
    CloseUnits,
    ExchangeRank,
    KeepArmy,
    closed_number,
    recruits,
)
from domain.vera_discordia.state.events import (
    ArmyCounted,
    ArmyDealt,
    ArmyShown,
    ExchangeDeclined,
    GeneralChosen,
    InitiativeTaken,
    OrderDeckShuffled,
    PhaseBegan,
    RankExchanged,
    TerrainExamined,
    TerrainLaid,
    TerrainRevealed,
    UnitDeployed,
    UnitsSwapped,
)
from domain.vera_discordia.state.queries import general_of, profile
from domain.vera_discordia.state.state import SPACES, Column
from tests.domain.script import Script
from tests.domain.vera_discordia.table import Table, u

TYPES = index_of(SHIPPED).types
NIR_ISKELOND = ["ykora", "lhaia"]
CHAOS = (2,)
"""The Golem rolls for Chaos at the beginning of round 1."""


def setup(dice: Iterable[int] = (), shuffles: Iterable[Sequence[int]] = (), **options: Any) -> Table:
    """A match from its first step on."""
    created = MatchCreated("vera_discordia", options, ("Ada", "Bo"))
    table = Table(GAME.created(created))
    script = Script(dice, shuffles)
    return table.take(begin(GAME, table.state, script), script)


def recruiting(**options: Any) -> Table:
    """Ykora against Lhaia, the armies dealt."""
    return setup(generals=NIR_ISKELOND, **options)


def keep(table: Table, dice: Iterable[int] = ()) -> Table:
    return table.when(0, KeepArmy()).when(1, KeepArmy(), dice)


def close(table: Table) -> Table:
    """Both close the first Units of their lists."""
    for seat in (0, 1):
        table.when(seat, CloseUnits(tuple(f"c{i}" for i in range(1, table.side(seat).closed + 1))))
    return table


def examined(table: Table) -> Table:
    while table.asks()[0][1] == "TerrainExamination":
        table.when(table.asks()[0][0], StopExamining())
    return table


def deploying(**options: Any) -> Table:
    return examined(close(keep(recruiting(**options))))


def deploy_all(table: Table, dice: Iterable[int] = (), *, leading: tuple[bool, bool] = (True, True)) -> Table:
    """Everybody places the first Unit offered, with the General as soon as may be; then these dice are rolled."""
    led = [not leads for leads in leading]
    while table.asks() and table.asks()[0][1] == "Deployment":
        seat = table.asks()[0][0]
        with_general = [c for c in table.offers(seat, Deploy) if c.general and not led[seat]]  # type: ignore[attr-defined]
        led[seat] = led[seat] or bool(with_general)
        last = table.state.deployed == 15
        table.when(seat, (with_general or table.options(seat))[0], dice if last else ())
    return table


def with_leadership(general: str, *hooks: Hook) -> CardSet:
    """The shipped set with other Leadership hooks for one General; it must be sound."""
    factions = []
    for faction in SHIPPED.factions:
        generals = tuple(
            replace(g, leadership=replace(g.leadership, hooks=hooks)) if g.general_id == general else g
            for g in faction.generals
        )
        factions.append(replace(faction, generals=generals))
    changed = replace(SHIPPED, factions=tuple(factions))
    return load_card_set(msgspec.json.encode(raw(changed)))


def with_hooks(general: str, *hooks: Hook, against: str = "lhaia") -> Table:
    cards = msgspec.to_builtins(with_leadership(general, *hooks))
    return setup(generals=[general, against], cards=cards)


def ranks(cards: Iterable[CardKey]) -> Counter[Rank]:
    return Counter(TYPES[card].rank for card in cards)


def told(table: Table, kind: type[Event], viewer: int | None) -> list[Any]:
    """The events of a kind from the beginning, as a viewer received them."""
    mask = 0 if viewer is None else 1 << viewer
    return [GAME.redact(event, mask) for event in table.told if isinstance(event, kind)]  # type: ignore[arg-type]


def test_vd_001_two_players_with_one_general_each() -> None:
    table = recruiting()
    assert GAME.seats == 2
    assert [side.general for side in table.state.sides] == NIR_ISKELOND


def test_vd_003_vd_094_the_general_brings_the_17_units_of_his_faction() -> None:
    dealt = recruiting().of(ArmyDealt)[0]
    assert len(known(dealt.cards)) + len(known(dealt.rest)) == 17
    assert Counter((*known(dealt.cards), *known(dealt.rest))) == Counter(index_of(SHIPPED).army_deck("nir"))


def test_vd_007_ten_motivation_each() -> None:
    assert [side.motivation for side in recruiting().state.sides] == [10, 10]


def test_vd_010_vd_286_vd_d01_every_optional_rule_is_off_unless_agreed() -> None:
    options = setup().state.options
    assert not any(getattr(options, name) for name in options.__struct_fields__ if name != "same_faction")
    agreed = setup(competitive=True, without_terrain=True, without_flying=True).state.options
    assert (agreed.competitive, agreed.without_terrain, agreed.without_flying) == (True, True, True)


def test_vd_091_vd_d02_generals_are_chosen_openly_one_after_the_other() -> None:
    table = setup()
    assert table.asks() == [(0, "GeneralSelection")]
    assert len(table.options(0)) == 12
    table.when(0, ChooseGeneral("ykora"))
    assert table.asks() == [(1, "GeneralSelection")]


def test_vd_092_not_the_opponents_general() -> None:
    table = setup().when(0, ChooseGeneral("ykora"))
    table.refuses(1, ChooseGeneral("ykora"), "VD-092")
    with pytest.raises(msgspec.ValidationError, match="VD-092"):
        setup(generals=["ykora", "ykora"])


def test_vd_093_vd_q50_the_same_faction_is_allowed_unless_forbidden() -> None:
    table = setup().when(0, ChooseGeneral("ykora"))
    assert ChooseGeneral("orrin") in table.options(1)
    forbidden = setup(same_faction=False).when(0, ChooseGeneral("ykora"))
    assert ChooseGeneral("orrin") not in forbidden.options(1)
    with pytest.raises(msgspec.ValidationError, match="VD-093"):
        setup(generals=["ykora", "orrin"], same_faction=False)


def test_vd_095_vd_371_competitive_both_choose_secretly_and_are_shown_together() -> None:
    table = setup(competitive=True)
    assert table.asks() == [(0, "SecretSelection"), (1, "SecretSelection")]
    table.when(0, ChooseGeneral("ykora"))
    assert table.of(GeneralChosen) == []
    assert all(repr(event.choice) == "HIDDEN" for event in told(table, type(table.events[0]), 1))
    assert [event.general for event in table.when(1, ChooseGeneral("vale")).of(GeneralChosen)] == ["ykora", "vale"]


@pytest.mark.parametrize(("lot", "loser"), [(1, 1), (2, 0)])
def test_vd_096_vd_d03_the_lot_decides_and_the_other_takes_one_of_the_same_faction(lot: int, loser: int) -> None:
    table = setup(competitive=True).when(0, ChooseGeneral("ykora")).when(1, ChooseGeneral("ykora"), [lot])
    assert [(roll.sides, roll.dice) for roll in table.of(DiceRolled) if roll.rule == "VD-096"] == [(2, (lot,))]
    assert table.asks() == [(loser, "OtherGeneral")]
    assert table.options(loser) == [ChooseGeneral("sevhal"), ChooseGeneral("orrin")]
    table.when(loser, ChooseGeneral("orrin"))
    assert [side.general for side in table.state.sides] == (["ykora", "orrin"] if loser else ["orrin", "ykora"])


def test_vd_q50_a_competitive_game_needs_both_players_free_in_their_faction() -> None:
    with pytest.raises(msgspec.ValidationError, match="VD-Q50"):
        setup(competitive=True, same_faction=False)


def test_vd_097_championship_generals_are_registered_before() -> None:
    assert setup(championship=True, generals=["vale", "hessa"]).asks()[0][1] == "Exchange"
    with pytest.raises(msgspec.ValidationError, match="VD-097"):
        setup(championship=True)


def test_vd_057_vd_372_both_generals_are_public() -> None:
    assert [event.general for event in told(recruiting(), GeneralChosen, None)] == NIR_ISKELOND


def test_vd_098_vd_099_vd_375_order_decks_are_shuffled_unknown_to_all_and_the_piles_empty() -> None:
    table = recruiting()
    decks = table.of(OrderDeckShuffled)
    assert [(event.size, event.pile, event.reshuffled) for event in decks] == [(27, (), False)] * 2
    assert [(repr(e.deck), repr(e.pile)) for e in told(table, OrderDeckShuffled, 0)] == [("HIDDEN", "HIDDEN")] * 2
    assert sum(event.rule == "VD-098" for event in table.of(Shuffled)) == 2


def test_vd_100_vd_101_five_basic_two_elite_one_legendary_of_three_shuffled_piles() -> None:
    table = recruiting()
    assert ranks(known(table.of(ArmyDealt)[0].cards)) == {Rank.BASIC: 5, Rank.ELITE: 2, Rank.LEGENDARY: 1}
    assert [e.size for e in table.of(Shuffled) if e.rule == "VD-100" and e.seat == 0] == [9, 6, 2]


def test_vd_102_vd_103_vd_367_the_deal_is_by_chance_and_known_to_its_owner_alone() -> None:
    table = recruiting()
    assert told(table, ArmyDealt, 0)[0].cards == table.of(ArmyDealt)[0].cards
    assert told(table, ArmyDealt, 1)[0].cards == HIDDEN
    assert all(repr(event.order) == "HIDDEN" for event in told(table, Shuffled, 0))


def test_vd_104_vd_368_vd_q57_the_units_not_dealt_are_known_to_nobody() -> None:
    assert [told(recruiting(), ArmyDealt, viewer)[0].rest for viewer in (0, 1, None)] == [HIDDEN] * 3


def test_vd_290_without_legendary_units_three_elite() -> None:
    table = recruiting(without_legendary=True)
    assert ranks(known(table.of(ArmyDealt)[0].cards)) == {Rank.BASIC: 5, Rank.ELITE: 3}


def test_vd_105_vd_d04_one_exchange_of_one_rank_or_none_each_for_himself() -> None:
    table = recruiting()
    assert table.asks() == [(0, "Exchange"), (1, "Exchange")]
    assert table.options(1) == [KeepArmy(), *(ExchangeRank(rank) for rank in Rank)]
    table.when(1, ExchangeRank(Rank.ELITE))
    assert table.asks() == [(0, "Exchange")]


def test_vd_105_vd_369_an_exchange_may_be_declined_openly_and_for_good() -> None:
    table = recruiting().when(0, KeepArmy())
    assert [event.seat for event in told(table, ExchangeDeclined, 1)] == [0]
    assert [side.settled for side in table.state.sides] == [True, False]
    assert table.asks() == [(1, "Exchange")]


def test_vd_106_all_of_the_rank_go_back_and_as_many_are_dealt_anew() -> None:
    table = recruiting().when(0, ExchangeRank(Rank.ELITE), shuffles=[(5, 4, 3, 2, 1, 0)])
    cards = known(table.one(RankExchanged).cards)
    assert Counter(cards) == Counter(
        {
            "nir/guardians": 3,
            "nir/dark-faeries": 2,
            "nir/elder-bough": 1,
            "nir/whisperers": 2,
        }
    )
    assert len(known(table.one(RankExchanged).rest)) == 9


def test_vd_106_a_returned_card_may_come_back() -> None:
    table = recruiting().when(0, ExchangeRank(Rank.LEGENDARY), shuffles=[(0, 1)])
    assert "nir/elder-bough" in known(table.one(RankExchanged).cards)


def test_vd_369_vd_q51_the_rank_is_public_the_cards_are_not() -> None:
    table = recruiting().when(0, ExchangeRank(Rank.BASIC))
    (event,) = told(table, RankExchanged, 1)
    assert (event.rank, event.cards, event.rest) == (Rank.BASIC, HIDDEN, HIDDEN)


def test_vd_107_vd_370_the_totals_are_announced() -> None:
    counted = told(keep(recruiting()), ArmyCounted, None)
    assert [(event.vision, event.stealth) for event in counted] == [(0, 2), (3, 0)]


def test_vd_107_vd_q52_the_generals_heroism_counts() -> None:
    table = keep(setup(generals=["sevhal", "lhaia"]))  # Vision in his Heroism, +1 each by Leadership
    assert [(e.vision, e.stealth) for e in told(table, ArmyCounted, None)] == [(2, 3), (3, 0)]


def test_vd_k04_scouts_are_added() -> None:
    table = keep(with_hooks("ykora", Scouts(2, 1)))
    assert (table.side(0).vision, table.side(0).stealth) == (2, 3)


@pytest.mark.parametrize(("stealth", "vision", "number"), [(0, 0, 4), (1, 0, 5), (0, 1, 3), (4, 0, 8), (0, 4, 0)])
def test_vd_111_vd_356_vd_361_closed_is_4_and_stealth_less_enemy_vision(stealth: int, vision: int, number: int) -> None:
    assert closed_number(stealth, vision) == number


def test_vd_112_from_0_to_8() -> None:
    assert [closed_number(5, 0), closed_number(0, 5)] == [8, 0]


def test_vd_008_vd_108_vd_110_more_stealth_takes_the_marker() -> None:
    table = keep(recruiting())
    assert (table.one(InitiativeTaken).seat, table.one(InitiativeTaken).rule) == (0, "VD-108")
    assert table.state.initiative == 0


def test_vd_109_vd_q54_equal_stealth_rolls_until_the_dice_differ() -> None:
    table = keep(setup(generals=["lhaia", "brandur"]), [3, 3, 2, 5])
    assert [len(known_roll) for known_roll in [table.of(InitiativeTaken)]] == [1]
    assert (table.one(InitiativeTaken).seat, table.one(InitiativeTaken).rule) == (1, "VD-109")
    assert table.rolls() == [("VD-109", 2), ("VD-109", 2)]


def test_vd_113_vd_d05_each_chooses_exactly_so_many_closed_units_in_secret() -> None:
    table = keep(recruiting())
    assert (table.side(0).closed, table.side(1).closed) == (3, 4)
    table.refuses(0, CloseUnits(("c1", "c2")), "VD-111")
    table.when(0, CloseUnits(("c1", "c2", "c8")))
    assert table.of(ArmyShown) == []
    assert table.asks() == [(1, "ClosedSelection")]


def test_vd_114_vd_366_both_show_their_open_units_at_the_same_time() -> None:
    table = close(keep(recruiting()))
    shown = told(table, ArmyShown, None)
    assert [(len(event.open), event.closed_count, event.closed) for event in shown] == [(5, 3, HIDDEN), (4, 4, HIDDEN)]


def test_vd_394_the_list_of_an_army_does_not_follow_the_deal() -> None:
    army = recruits(keep(recruiting()).state, Seat(0))
    assert list(army) == sorted(army)


def test_vd_006_vd_115_vd_119_vd_374_four_of_twelve_terrain_cards_are_laid_unknown_to_all() -> None:
    table = close(keep(recruiting()))
    assert len(known(table.one(TerrainLaid).terrain)) == 4
    assert [event.size for event in table.of(Shuffled)] == [12]
    assert [told(table, TerrainLaid, viewer)[0].terrain for viewer in (0, 1, None)] == [HIDDEN] * 3


def test_vd_116_vd_117_vd_q53_vd_d06_who_lacks_the_marker_examines_first_one_by_one() -> None:
    table = close(keep(recruiting()))
    assert table.asks() == [(1, "TerrainExamination")]  # Vision 3: all four
    for column in (1, 2, 3, 4):
        assert Examine(Column(column)) in table.options(1)
        table.when(1, Examine(Column(column)))
    assert table.asks() == [(0, "TerrainExamination")]  # Vision 0: one
    table.when(0, Examine(Column(2)))
    assert table.asks() == [(1, "Deployment")]


def test_vd_q53_examining_is_optional() -> None:
    table = close(keep(recruiting())).when(1, Examine(Column(1))).when(1, StopExamining())
    assert table.asks() == [(0, "TerrainExamination")]


def test_vd_118_vd_373_only_the_one_who_looked_knows_the_card_the_column_is_public() -> None:
    table = close(keep(recruiting())).when(1, Examine(Column(3)))
    assert told(table, TerrainExamined, 1)[0].terrain == "plains"
    assert [(e.column, e.terrain) for e in told(table, TerrainExamined, 0)] == [(3, HIDDEN)]
    shown = POSITIONS.show(table.state)
    assert [shown[side]["looked"] for side in ("seat0", "seat1")] == [{}, {"3": "plains"}]


def test_vd_289_without_terrain_nothing_is_laid_or_revealed() -> None:
    table = deploy_all(close(keep(recruiting(without_terrain=True))), CHAOS)
    assert not [event for event in table.told if isinstance(event, TerrainLaid | TerrainRevealed)]


def test_vd_121_vd_122_vd_d07_who_lacks_the_marker_deploys_first_and_players_alternate() -> None:
    table = deploying()
    assert table.asks() == [(1, "Deployment")]
    table.when(1, table.options(1)[0])
    assert table.asks() == [(0, "Deployment")]


def test_vd_122_on_any_empty_own_space() -> None:
    table = deploying()
    first = table.offers(1, Deploy)[0]
    assert {choice.space for choice in table.offers(1, Deploy)} == set(SPACES)  # type: ignore[attr-defined]
    table.when(1, first).when(0, table.options(0)[0])
    assert first.space not in {choice.space for choice in table.offers(1, Deploy)}  # type: ignore[attr-defined]


def test_vd_123_vd_124_open_face_up_closed_face_down_in_any_order() -> None:
    table = deploying()
    offers = table.offers(1, Deploy)
    assert {choice.closed for choice in offers} == {False, True}  # type: ignore[attr-defined]
    closed = next(choice for choice in offers if choice.closed)  # type: ignore[attr-defined]
    table.when(1, closed)
    (event,) = told(table, UnitDeployed, 0)
    assert (event.open_card, event.open_life, event.card, event.life) == (None, None, HIDDEN, HIDDEN)
    opened = next(choice for choice in table.offers(0, Deploy) if not choice.closed)  # type: ignore[attr-defined]
    table.when(0, opened)
    assert told(table, UnitDeployed, None)[1].open_card == opened.card  # type: ignore[attr-defined]


def test_vd_364_vd_365_vd_394_a_closed_unit_betrays_neither_card_nor_life_nor_order_of_the_deal() -> None:
    table = deploying()
    closed = [choice for choice in table.offers(1, Deploy) if choice.closed]  # type: ignore[attr-defined]
    table.when(1, closed[-1])
    (event,) = told(table, UnitDeployed, 0)
    assert (event.unit, event.covert) == ("u1", HIDDEN)
    assert "golem" not in repr(event)


def test_vd_125_after_deployment_all_16_spaces_are_occupied() -> None:
    assert len(deploy_all(deploying(), CHAOS).state.at) == 16


def test_the_steps_of_the_set_up_in_their_order() -> None:
    table = deploy_all(deploying(), CHAOS)
    assert [event.phase for event in told(table, PhaseBegan, None)][:6] == [
        "generals",
        "recruiting",
        "closing",
        "examining",
        "deployment",
        "beginning",
    ]


def test_vd_120_then_all_terrain_is_turned_up() -> None:
    table = deploy_all(deploying(), CHAOS)
    assert len(told(table, TerrainRevealed, None)[0].terrain) == 4
    assert table.state.terrain == known(table.state.laid)


def test_vd_012_vd_126_vd_127_the_general_goes_with_an_elite_unit_in_its_turn() -> None:
    table = deploying()
    led = [choice for choice in table.offers(1, Deploy) if choice.general]  # type: ignore[attr-defined]
    assert {TYPES[choice.card].rank for choice in led} == {Rank.ELITE}  # type: ignore[attr-defined]
    table.when(1, led[0])
    assert table.one(UnitDeployed).general
    assert table.unit("u1").general


def test_vd_128_vd_388_vd_393_from_then_on_his_place_is_public_even_on_a_closed_unit() -> None:
    table = deploying()
    led = [c for c in table.offers(1, Deploy) if c.general and c.closed]  # type: ignore[attr-defined]
    table.when(1, led[0])
    (event,) = told(table, UnitDeployed, 0)
    assert (event.general, event.card) == (True, HIDDEN)


def test_vd_130_not_on_a_unit_already_deployed_and_only_once() -> None:
    table = deploying()
    led = next(choice for choice in table.offers(1, Deploy) if choice.general)  # type: ignore[attr-defined]
    table.when(1, led).when(0, table.options(0)[0])
    assert not any(choice.general for choice in table.offers(1, Deploy))  # type: ignore[attr-defined]


def test_vd_129_vd_q49_who_has_not_assigned_the_general_loses_before_the_battle() -> None:
    table = deploy_all(deploying(), leading=(True, False))
    assert table.winner() == (0, "VD-129")
    assert told(table, TerrainRevealed, None) == []


def test_vd_q49_a_draw_when_both_have_not() -> None:
    assert deploy_all(deploying(), leading=(False, False)).winner() == (None, "VD-129")


def test_vd_287_without_generals_none_is_deployed_none_counts_and_none_is_missed() -> None:
    table = deploying(without_generals=True)
    assert not any(choice.general for choice in table.offers(1, Deploy))  # type: ignore[attr-defined]
    assert general_of(table.state, Seat(0)) is None
    assert deploy_all(table, CHAOS).state.result is None


def test_vd_068_vd_330_vd_q62_guards_give_a_life_more_from_deployment_on() -> None:
    table = examined(close(keep(setup(generals=["hessa", "ykora"]), [])))
    seat = table.asks()[0][0]
    if seat == 1:
        table.when(1, table.options(1)[0])
    led = next(choice for choice in table.offers(0, Deploy) if choice.general)  # type: ignore[attr-defined]
    unit = table.when(0, led).one(UnitDeployed).unit
    assert (table.unit(unit).life, profile(table.state, table.unit(unit)).max_life) == (7, 7)


def test_vd_058_vd_061_heroism_belongs_to_the_generals_unit_and_is_never_doubled() -> None:
    table = examined(close(keep(setup(generals=["lhaia", "brandur"]), [5, 2])))
    seat = table.asks()[0][0]
    assert seat == 1
    table.when(1, table.options(1)[0])
    led = next(choice for choice in table.offers(0, Deploy) if choice.general)  # type: ignore[attr-defined]
    unit = table.when(0, led).one(UnitDeployed).unit
    whole = profile(table.state, table.unit(unit)).abilities
    assert whole == {"affinity_mountains", "endurance", "bravery"}
    assert whole - {"bravery"} == set(TYPES[known(table.unit(unit).card)].abilities)


def test_vd_046_vd_048_a_closed_unit_is_known_to_its_owner_and_has_all_it_has() -> None:
    table = deploying()
    closed = next(choice for choice in table.offers(1, Deploy) if choice.closed)  # type: ignore[attr-defined]
    table.when(1, closed)
    (event,) = told(table, UnitDeployed, 1)
    assert event.card == closed.card  # type: ignore[attr-defined]
    assert profile(table.state, table.unit("u1")).abilities == set(TYPES[event.card].abilities)


def test_vd_k01_vd_063_vd_q63_recruit_changes_the_deal_and_the_exchange() -> None:
    table = with_hooks("ykora", Recruit(3, 3, 2))
    assert ranks(known(table.of(ArmyDealt)[0].cards)) == {Rank.BASIC: 3, Rank.ELITE: 3, Rank.LEGENDARY: 2}
    table.when(0, ExchangeRank(Rank.LEGENDARY))
    assert ranks(known(table.one(RankExchanged).cards))[Rank.LEGENDARY] == 2


def test_vd_k01_without_legendary_units_its_number_is_added_to_elite() -> None:
    cards = msgspec.to_builtins(with_leadership("ykora", Recruit(3, 3, 2)))
    table = setup(generals=NIR_ISKELOND, cards=cards, without_legendary=True)
    assert ranks(known(table.of(ArmyDealt)[0].cards)) == {Rank.BASIC: 3, Rank.ELITE: 5}


def test_vd_k02_vd_063_muster_forces_and_forbids_units_before_the_deal() -> None:
    table = with_hooks("ykora", Muster("bramble-archers", 2, 2), Muster("guardians", 0, 0))
    dealt = table.of(ArmyDealt)[0]
    assert known(dealt.mustered) == ("nir/bramble-archers",) * 2
    assert Counter(known(dealt.cards))[CardKey("nir/dark-faeries")] == 3
    assert dealt.count == 8
    assert "nir/guardians" not in (*known(dealt.cards), *known(dealt.rest))
    assert told(table, ArmyDealt, 1)[0].mustered == HIDDEN


def test_vd_k02_an_exchange_replaces_only_cards_that_were_dealt() -> None:
    table = with_hooks("ykora", Muster("bramble-archers", 2, 3)).when(0, ExchangeRank(Rank.BASIC))
    assert len(known(table.one(RankExchanged).cards)) == 6
    assert known(table.side(0).mustered) == ("nir/bramble-archers",) * 2


def test_vd_k03_general_ranks_replace_elite() -> None:
    table = examined(close(keep(with_hooks("lhaia", GeneralRanks((Rank.LEGENDARY,)), against="ykora"))))
    if table.asks()[0][0] == 1:
        table.when(1, table.options(1)[0])
    led = [choice for choice in table.offers(0, Deploy) if choice.general]  # type: ignore[attr-defined]
    assert {TYPES[choice.card].rank for choice in led} == {Rank.LEGENDARY}  # type: ignore[attr-defined]


def test_vd_k05_vd_d29_redeploy_exchanges_spaces_after_deployment_before_terrain_is_revealed() -> None:
    table = deploy_all(examined(close(keep(with_hooks("ykora", Redeploy(2))))))
    assert table.asks() == [(0, "Redeployment")]
    mine = [unit.id for unit in table.state.units.values() if unit.seat == 0]
    before = (table.unit(mine[0]).space, table.unit(mine[7]).space)
    table.when(0, ExchangeSpaces(u(mine[0]), u(mine[7])))
    assert (table.unit(mine[7]).space, table.unit(mine[0]).space) == before
    assert told(table, UnitsSwapped, None)[0].rule == "VD-K05"
    assert table.asks() == [(0, "Redeployment")]
    assert told(table, TerrainRevealed, None) == []
    assert told(table.when(0, StopExchanging(), CHAOS), TerrainRevealed, None)


def test_vd_k05_if_both_have_it_the_player_without_initiative_is_first() -> None:
    both = with_leadership("lhaia", Redeploy(1))
    table = setup(generals=["orrin", "lhaia"], cards=msgspec.to_builtins(both))
    table = deploy_all(examined(close(keep(table))))
    assert table.state.initiative == 0
    assert table.asks() == [(1, "Redeployment")]
    assert table.when(1, StopExchanging()).asks() == [(0, "Redeployment")]


def test_vd_q64_the_rules_know_no_concession_and_no_limit_of_rounds() -> None:
    assert "Concede" not in {choice.__name__ for choice in GAME.spec.choices}


def test_vd_q14_the_view_holds_size_and_top_of_a_pile_not_its_cards() -> None:
    """The order deck's event hides the pile from everybody, and a pile plus a card stays hidden."""
    table = recruiting()
    view = GAME.fold(
        table.seen_by(1), GAME.created(MatchCreated("vera_discordia", {"generals": NIR_ISKELOND}, ("", "")))
    )
    side = view.sides[1]
    assert (repr(side.pile), side.pile_size, side.top) == ("HIDDEN", 0, None)
