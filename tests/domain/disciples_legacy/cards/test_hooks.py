"""Section 6.2 of the ledger: the closed vocabulary of card texts."""

import json
import re
from typing import get_args

import pytest

from domain.disciples_legacy.cards.cards import FILES, SHIPPED, AnyCard, index_of, read_file
from domain.disciples_legacy.cards.hooks import (
    OPS,
    SELECTORS,
    Atk,
    Damage,
    Mod,
    ModName,
    PlantOperation,
    PoisonOperation,
    SetStyle,
    Style,
    Summon,
    parse,
)
from domain.disciples_legacy.checks.hook_checks import WINDOWS, ability_defects

INDEX = index_of(None)
TEXTS = [text for name in FILES for card in json.loads(read_file(name)) for text in card.get("abilities", ())]


def defects(card: str, text: str) -> list[str]:
    found: AnyCard = INDEX.cards[card]
    return [said for said, _ in ability_defects(found, parse(text))]


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("H: poison(1,2)@hit", PoisonOperation(1, 2)),
        ("C: atk(-1,turn)@enemy_party", Atk(-1, "turn")),
        ("P: style(any,held)@holder", SetStyle("any", "held")),
        ("C: summon(pit_beast)@none", Summon("pit_beast")),
        ("R: mod(mana_R,1)@none", Mod("mana_R", 1)),
        ("S: plant()@none", PlantOperation()),
    ],
)
def test_an_expression_names_window_operation_arguments_and_selector(text: str, op: object) -> None:
    ability = parse(text)
    assert ability.op == op
    assert (ability.window, ability.selector) == (text[0], text.partition("@")[2])


@pytest.mark.parametrize("text", TEXTS)
def test_every_expression_of_the_shipped_cards_is_in_its_canonical_form(text: str) -> None:
    assert parse(text).text == text


def test_spaces_between_the_parts_do_not_matter() -> None:
    assert parse(" H:poison( 1 , 2 )@hit ") == parse("H: poison(1,2)@hit")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is not of the form"),
        ("poison(1,2)@hit", "it is not of the form"),
        ("X: heal(1)@ally", "there is no window 'X'; there are S, T,"),
        ("T: mend(1)@ally", "there is no op 'mend'; there are damage,"),
        ("T: heal(1)@friend", "there is no selector 'friend'; there are self,"),
        ("T: heal()@ally", "heal has 0 arguments; it takes (n)"),
        ("T: heal(1,2)@ally", "heal has 2 arguments; it takes (n)"),
        ("T: heal(two)@ally", "n of heal is 'two'"),
        ("T: atk(1,forever)@ally", "duration of atk is 'forever'"),
        ("R: mod(luck,1)@none", "name of mod is 'luck'"),
    ],
)
def test_what_is_not_in_the_vocabulary_is_refused_with_what_is(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        parse(text)


@pytest.mark.parametrize(
    ("lowest", "highest", "text"), [(0, 20, "C: damage({})@enemy_member"), (-9, 9, "C: atk({},turn)@own_party")]
)
def test_numbers_have_their_ranges(lowest: int, highest: int, text: str) -> None:
    assert {parse(text.format(n)).window for n in (lowest, highest)} == {"C"}
    for n in (lowest - 1, highest + 1):
        with pytest.raises(ValueError, match="Expected `int`"):
            parse(text.format(n))


def test_the_vocabulary_is_that_of_the_ledger() -> None:
    assert " ".join(OPS) == (
        "damage heal revive untap tap spend unspend atk maxhp style ward poison drain steal_item steal_mana tap_city "
        "peek summon action plant cast mod"
    )
    assert len(SELECTORS) == len(set(SELECTORS)) == 23
    assert len(get_args(ModName)) == 10


def test_dl_f15_there_are_three_attack_styles() -> None:
    assert get_args(Style) == ("adj", "any", "all")


def test_every_shipped_ability_may_stand_where_it_stands() -> None:
    found = [
        (card.id, wrong)
        for card in SHIPPED.cards
        for a in INDEX.abilities[card.id]
        for wrong in ability_defects(card, a)
    ]
    assert found == []


def test_every_operation_may_stand_somewhere() -> None:
    assert set().union(*(allowed.ops for allowed in WINDOWS.values())) == set(OPS)
    assert set().union(*(allowed.selectors for allowed in WINDOWS.values())) == set(SELECTORS)


@pytest.mark.parametrize(
    ("card", "right", "wrong"),
    [
        ("squire", "T: heal(1)@ally", "S: heal(1)@own_member"),
        ("fire_orb", "T: damage(1)@enemy", "C: damage(1)@enemy_member"),
        ("fire_bolt", "C: damage(1)@enemy_member", "T: damage(1)@enemy"),
        ("sunspire", "R: mod(garrison,1)@none", "P: maxhp(1,held)@allies"),
        ("market_town", "R: mod(garrison,1)@none", "S: peek(1)@enemy_hand"),
        ("knight_captain", "S: tap_city()@enemy_city", "R: mod(garrison,1)@none"),
        ("empire_thief", "S: damage(1)@self", "C: damage(1)@enemy_member"),
    ],
)
def test_a_type_of_card_has_windows_of_its_own(card: str, right: str, wrong: str) -> None:
    assert defects(card, right) == []
    assert defects(card, wrong) == [f"window {wrong[0]}"]


@pytest.mark.parametrize(
    ("card", "right", "wrong"),
    [
        ("thief", "S: peek(3)@enemy_hand", "S: damage(1)@enemy_hand"),
        ("thief", "S: steal_mana()@enemy_mana", "S: steal_mana()@enemy_city"),
        ("thief", "S: revive(1)@own_dead", "S: revive(1)@own_member"),
        ("thief", "S: heal(1)@own_member", "S: heal(1)@own_dead"),
        ("thief", "S: plant()@none", "S: heal(1)@none"),
        ("thief", "S: heal(1)@self", "S: heal(1)@ally"),
        ("squire", "T: tap()@adj_enemy", "T: poison(1,1)@enemy"),
        ("squire", "B: ward(1,battle)@allies", "B: ward(1,battle)@ally"),
        ("squire", "H: poison(1,1)@hit", "H: poison(1,1)@self"),
        ("squire", "H: drain(1)@self", "H: drain(1)@hit"),
        ("squire", "P: style(any,held)@self", "P: style(any,round)@self"),
        ("squire", "T: atk(1,battle)@ally", "T: atk(1,turn)@ally"),
        ("spell", "C: atk(1,turn)@own_party", "C: atk(1,battle)@own_party"),
        ("spell", "C: summon(pit_beast)@none", "C: steal_item()@enemy_item"),
        ("item", "T: heal(1)@holder", "T: heal(1)@own_member"),
    ],
)
def test_windows_operations_selectors_and_durations_go_together(card: str, right: str, wrong: str) -> None:
    cards = {"thief": "empire_thief", "spell": "rally", "item": "healing_draught"}
    assert defects(cards.get(card, card), right) == []
    assert len(defects(cards.get(card, card), wrong)) == 1


def test_only_an_item_has_a_holder() -> None:
    assert defects("tower_shield", "P: maxhp(2,held)@holder") == []
    assert defects("squire", "P: maxhp(2,held)@holder") == ["@holder"]


def test_several_faults_of_an_ability_are_told_together() -> None:
    assert defects("squire", "C: atk(1,held)@ally") == [
        "window C",
        "atk @ally in window C",
        "atk for held in window C",
    ]


def test_an_ability_is_read_once() -> None:
    assert parse("T: damage(3)@enemy") is parse("T: damage(3)@enemy")
    assert parse("T: damage(3)@enemy").op == Damage(3)
