"""Options of Disciples: Legacy say what they lead to."""

from typing import Any

import pytest

from domain.disciples_legacy.cards import index_of
from domain.disciples_legacy.rules.shopping import Shop
from domain.disciples_legacy.rules.trading import GiveItem
from domain.disciples_legacy.state import MemberId
from domain.kernel import Seat
from projections.games.disciples_legacy.prompts import MORE
from projections.games.disciples_legacy.texts import abilities_of
from projections.spoken import tongue
from tests.domain.disciples_legacy.table import given

INDEX = index_of(None)
ITEMS = sorted(INDEX.items)
OURS: Any = {"parties": [{"2": "K: knight_captain"}], "cities": ["market_town"], "hand": ITEMS}


def bought(*items: str) -> str:
    table = given(OURS, {"parties": [{"2": "T: arch_fiend"}]})
    said: str = MORE[Shop](table.state, Seat(0), Shop(MemberId("K"), items))["sub"]
    return said


def test_who_buys_reads_what_the_items_do_and_whether_they_last() -> None:
    banner = abilities_of(INDEX, "battle_standard")[0]
    draught = abilities_of(INDEX, "healing_draught")[0]
    assert bought("battle_standard").endswith(f" are free. {banner}")
    assert bought("healing_draught").endswith(f" are free. {draught} Discarded after use.")
    both = bought("battle_standard", "healing_draught")
    assert both.endswith(f" are free. Battle Standard: {banner} Healing Draught: {draught} Discarded after use.")


def test_who_gives_an_item_away_reads_what_it_does() -> None:
    table = given(OURS)
    said = MORE[GiveItem](table.state, Seat(0), GiveItem(MemberId("K"), "fire_orb"))["sub"]
    assert said == f"{abilities_of(INDEX, 'fire_orb')[0]} Discarded after use."


@pytest.mark.parametrize("item", ITEMS)
def test_each_item_is_explained_in_german(item: str) -> None:
    german = tongue("disciples_legacy", "de")
    assert german is not None
    others = [other for other in ITEMS if other != item]
    for number in (0, 1, 2):
        said = bought(item, *others[:number])
        assert german.has(said), said
        assert "Costs" not in german.text(said)
