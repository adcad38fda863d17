"""Section 5 and 6.4 of the ledger: what the rules say of cards, and what the shipped ones are."""

from collections import Counter

import msgspec
import pytest

from domain.disciples_legacy.cards.cards import SHIPPED, CardSet, Unit, index_of
from domain.disciples_legacy.cards.hooks import CastOperation, PlantOperation, Summon
from domain.disciples_legacy.checks.card_checks import defects_of

INDEX = index_of(None)
RACES = ("empire", "clans", "legions", "hordes")


def unit(hp: int, attack: int, style: str) -> Unit:
    return msgspec.convert(
        {
            "id": "plain",
            "name": "Plain",
            "race": "empire",
            "hp": hp,
            "attack": attack,
            "style": style,
            "cost": 1,
            "giant": False,
            "abilities": [],
        },
        Unit,
    )


def test_the_shipped_set_has_no_defect() -> None:
    assert defects_of(SHIPPED) == []


def test_the_shipped_set_has_124_cards_and_eight_decks() -> None:
    assert len(SHIPPED.cards) == len(INDEX.cards) == 124
    assert len(INDEX.decks) == 8


def test_a_card_set_survives_its_way_through_a_record() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SHIPPED), type=CardSet) == SHIPPED


def test_dl_f01_dl_f02_every_race_has_cards_of_every_type_but_mana() -> None:
    sizes = {"capitals": 1, "cities": 2, "major_leaders": 5, "minor_leaders": 3, "units": 10, "items": 4, "spells": 5}
    for name, size in sizes.items():
        assert Counter(card.race for card in getattr(SHIPPED, name)) == dict.fromkeys(RACES, size), name


def test_dl_f03_dl_f16_a_mana_card_of_each_colour_and_no_race() -> None:
    assert [card.colour for card in SHIPPED.mana] == ["W", "U", "R", "B"]
    assert not hasattr(SHIPPED.mana[0], "race")


def test_dl_f05_dl_x01_the_possessed_has_five_hp() -> None:
    assert INDEX.units["possessed"].hp == 5


def test_dl_055_dl_x02_a_unit_reads_hp_attack_and_style() -> None:
    read = unit(5, 2, "adj")
    assert (read.hp, read.attack, read.style) == (5, 2, "adj")


@pytest.mark.parametrize(("hp", "attack", "style"), [(0, 2, "adj"), (21, 2, "adj"), (5, 10, "adj"), (5, 2, "near")])
def test_dl_055_figures_out_of_range_are_no_card(hp: int, attack: int, style: str) -> None:
    assert unit(1, 0, "any").hp == 1
    assert unit(20, 9, "all").attack == 9
    with pytest.raises(msgspec.ValidationError):
        unit(hp, attack, style)


def test_dl_f07_leadership_is_a_number_up_to_five_on_major_leaders() -> None:
    assert {leader.leadership for leader in SHIPPED.major_leaders} == {2, 3, 4}
    assert INDEX.majors["knight_captain"].leadership == 3


def test_dl_f10_every_rod_planter_plants_and_casts() -> None:
    for race in RACES:
        ops = [ability.op for ability in INDEX.abilities[f"{race}_rod_planter"]]
        assert ops == [PlantOperation(), CastOperation()]


def test_dl_q03_thief_and_rod_planter_bear_one_name_in_all_races() -> None:
    names = Counter(leader.name for leader in SHIPPED.minor_leaders)
    assert names["Thief"] == names["Rod Planter"] == 4


def test_dl_f11_a_spell_of_each_race_summons_a_minor_leader_of_it() -> None:
    for race in RACES:
        summons = [a.op for spell in SHIPPED.spells if spell.race == race for a in INDEX.abilities[spell.id]]
        (named,) = [op.card for op in summons if isinstance(op, Summon)]
        assert INDEX.minors[named].summoned
        assert INDEX.minors[named].race == race
        assert INDEX.minors[named].cost == 0


def test_dl_f12_a_spell_shows_its_mana_symbols() -> None:
    assert INDEX.spells["fire_bolt"].mana == {"R": 1}
    assert INDEX.spells["sunlance"].mana == {"W": 3}


def test_dl_067_dl_f14_each_capital_has_an_ability_unlike_the_others() -> None:
    assert len({capital.abilities for capital in SHIPPED.capitals}) == 4
    assert [capital.yield_c for capital in SHIPPED.capitals] == [3, 3, 3, 3]


def test_dl_057_the_giants() -> None:
    giants = {card.id for card in SHIPPED.units if card.giant}
    assert giants == {"titan", "hill_giant", "snow_ape", "gargoyle", "devil", "wyvern"}


def test_a_modifier_of_a_city_is_found_by_its_name() -> None:
    assert INDEX.modifier("mine_fort", "garrison") == 2
    assert INDEX.modifier("mine_fort", "mana_R") == 0
    assert INDEX.modifier("market_town", "garrison") == 0


def test_an_ability_that_says_nothing_is_no_card() -> None:
    data = msgspec.to_builtins(INDEX.units["squire"])
    with pytest.raises(msgspec.ValidationError, match="there is no op 'fly'"):
        msgspec.convert(data | {"abilities": ["T: fly()@self"]}, Unit)


def test_an_index_is_made_once_per_set() -> None:
    copy = msgspec.json.decode(msgspec.json.encode(SHIPPED), type=CardSet)
    assert index_of(copy) is index_of(copy)
    assert index_of(copy) is not INDEX
