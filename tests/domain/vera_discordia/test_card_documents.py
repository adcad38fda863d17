"""`docs/cards.md` says what the checks say."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.checks.card_checks import defects_of, raw
from domain.vera_discordia.checks.hook_checks import HOOKS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cards.md").read_text(encoding="utf-8")
TEXT = PAGE.partition("\n## Vera Discordia\n")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| `(\w+)` \| ([LSD][^|]*) \| ([^|]*) \|$", TEXT, re.MULTILINE)
BLOCKS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)]


def test_every_hook_is_documented_in_the_order_of_the_ledger() -> None:
    assert [name for name, _, _ in ROWS] == list(HOOKS)


def test_places_and_moments_are_those_of_the_checks() -> None:
    for name, where, _ in ROWS:
        places, _, moments = where.partition(":")
        assert re.findall("[LSD]", places) == list(HOOKS[name].places), name
        assert re.findall(r"\w+", moments) == [moment.value for moment in HOOKS[name].moments], name


def test_parameters_are_those_of_the_checks() -> None:
    for name, _, params in ROWS:
        assert re.findall(r"`(\w+)`", params) == list(HOOKS[name].params), name


def test_the_examples_make_a_sound_set() -> None:
    unit, general = BLOCKS
    data: Any = deepcopy(raw(SHIPPED))
    faction = data["factions"][0]
    faction["unit_types"][0] = unit
    faction["generals"] = [general, *faction["generals"][1:]]
    assert defects_of(data) == ()
