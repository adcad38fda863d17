"""The shipped card set and its index (ledger sections A, B, 5 and 6.3)."""

import msgspec
import pytest

from domain.vera_discordia.cards.cards import (
    IMMUNE,
    Ability,
    AnyHook,
    CardKey,
    CardSet,
    Die,
    Hook,
    OrderType,
    Rank,
    Spy,
    Terrain,
    UnitType,
    flatten,
    index_of,
    read_card_set,
)
from domain.vera_discordia.cards.shipped import SHIPPED

INDEX = index_of(SHIPPED)
FACTIONS = tuple(INDEX.factions)


def card(key: str) -> UnitType:
    return INDEX.types[CardKey(key)]


def of_rank(faction: str, rank: Rank) -> list[int]:
    return [number for key, number in INDEX.army_deck(faction).items() if INDEX.types[key].rank is rank]


def test_vd_002_vd_011_four_factions_of_17_units_and_3_generals() -> None:
    assert len(FACTIONS) == 4
    for faction in SHIPPED.factions:
        assert sum(INDEX.army_deck(faction.faction_id).values()) == 17
        assert len(faction.generals) == 3


@pytest.mark.parametrize("faction", FACTIONS)
def test_vd_014_rank_mix(faction: str) -> None:
    assert of_rank(faction, Rank.BASIC) == [3, 3, 3]
    assert of_rank(faction, Rank.ELITE) == [2, 2, 2]
    assert of_rank(faction, Rank.LEGENDARY) == [1, 1]


@pytest.mark.parametrize("faction", SHIPPED.factions, ids=FACTIONS)
def test_vd_015_ids_1_to_17_each_on_one_card(faction: object) -> None:
    types = faction.unit_types  # type: ignore[attr-defined]
    assert sorted(i for unit in types for i in unit.ids) == list(range(1, 18))


def test_vd_004_order_deck() -> None:
    assert {kind: INDEX.order_deck.count(kind) for kind in OrderType} == {
        OrderType.ATTACK: 9,
        OrderType.MANEUVER: 7,
        OrderType.DEFENSE: 6,
        OrderType.SUPPORT: 4,
        OrderType.TACTIC: 1,
    }
    assert len(INDEX.order_deck) == 27


def test_vd_006_terrain_deck() -> None:
    counts = [INDEX.terrain_deck.count(kind) for kind in Terrain]
    assert (counts, len(INDEX.terrain_deck)) == ([6, 2, 2, 2], 12)


def test_vd_013_what_a_unit_card_carries() -> None:
    unit = card("iskelond/golem")
    assert (unit.name, unit.ids, unit.rank, unit.max_lp) == ("Golem", (16,), Rank.LEGENDARY, 9)
    assert unit.dice
    assert unit.abilities
    assert {shield for faction in INDEX.types.values() for shield in msgspec.structs.astuple(faction.shields)} <= {
        *range(2, 8)
    }


def test_vd_016_five_kinds_of_dice() -> None:
    assert [die.value for die in Die] == ["melee", "range", "magic", "breaker", "artillery"]


def test_vd_018_the_order_of_dice_is_kept() -> None:
    assert card("iskelond/sentries").dice == (Die.MELEE, Die.MELEE, Die.RANGE)


def test_vd_023_immunity_is_a_shield_no_die_reaches() -> None:
    assert card("iskelond/golem").shields.range == IMMUNE == 7


def test_vd_027_vd_028_life_is_6_unless_printed() -> None:
    assert card("iskelond/sentries").max_lp == 6
    assert card("iskelond/golem").max_lp == 9


def test_facts_of_the_rulebook_hold_for_the_named_cards() -> None:
    """Section 5: what the rulebook says of cards it names."""
    assert Ability.FLYING in card("nir/dark-faeries").abilities
    assert card("nir/dryads").rank is Rank.ELITE
    assert card("iskelond/sentinels").dice == (Die.MELEE,) * 3
    assert card("iskelond/sentinels").shields.range == 5
    (chrysalis,) = (u for f in SHIPPED.factions for u in f.unit_types if Ability.METAMORPHOSIS in u.abilities)
    assert chrysalis.type_id == "chrysalis"
    assert {key for key, u in INDEX.types.items() if u is chrysalis or u == chrysalis} == {"shog/chrysalis"}


def test_every_ability_of_the_ledger_is_on_a_card_or_a_general() -> None:
    printed = {a for unit in INDEX.types.values() for a in unit.abilities}
    heroic = {a for _, general in INDEX.generals() for a in general.heroism.abilities}
    assert printed | heroic == set(Ability)


def test_every_hook_of_the_ledger_is_on_a_general() -> None:
    hooks = {type(hook) for _, g in INDEX.generals() for hook in (*g.leadership.hooks, *g.strategy.hooks)}
    assert hooks <= set(AnyHook.__args__)
    assert all(issubclass(hook, Hook) for hook in AnyHook.__args__)
    assert len(AnyHook.__args__) == 16


def test_a_general_is_found_with_his_faction() -> None:
    faction, general = INDEX.general("sevhal")
    assert faction == "nir"
    assert general.strategy.hooks == (Spy(2),)


def test_an_index_is_made_once_per_set() -> None:
    assert index_of(SHIPPED) is INDEX
    copy = msgspec.json.decode(msgspec.json.encode(SHIPPED), type=CardSet)
    assert copy is not SHIPPED
    assert index_of(copy) is index_of(copy)


def test_a_set_survives_its_own_encoding() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SHIPPED), type=CardSet) == SHIPPED


def test_flatten_puts_params_beside_the_hook_and_turns_x_into_a_number() -> None:
    assert flatten({"hook": "spy", "params": {"orders": 2}}) == {"hook": "spy", "orders": 2}
    assert flatten({"shields": {"melee": 4, "orange": "X"}}) == {"shields": {"melee": 4, "orange": 7}}


@pytest.mark.parametrize(("text", "wrong"), [(b"{", msgspec.DecodeError), (b"{}", msgspec.ValidationError)])
def test_read_card_set_refuses_what_is_none(text: bytes, wrong: type[Exception]) -> None:
    with pytest.raises(wrong):
        read_card_set(text)
