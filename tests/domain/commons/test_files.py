"""Card and army files: every defect at once, each with its place."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

import pytest
from msgspec import Meta, Struct

from domain.commons.errors import Defect, GivenInvalid
from domain.commons.field_reader import Sheet
from domain.commons.files import assert_sound, document, shape_defects


class Army(Struct, frozen=True):
    name: str
    cost: int
    units: tuple[str, ...] = ()


class Gain(Struct, frozen=True, tag="gain", tag_field="op"):
    n: Annotated[int, Meta(ge=1, le=3)]


class Roll(Struct, frozen=True, tag="roll", tag_field="op"):
    on: "dict[str, tuple[Gain | Roll, ...]]"


class Card(Struct, frozen=True):
    rule: ClassVar[str] = "Z-7"

    effects: Annotated[tuple[Gain | Roll, ...], Meta(min_length=1)]
    at: tuple[int, int] = (0, 0)
    army: Army | None = None


def places(found: object) -> list[str]:
    return [f"{defect.field} {defect.rule}".strip() for defect in shape_defects("c.json", "C", Card, found)]


def test_a_file_that_is_no_document_is_a_defect() -> None:
    assert document(b'{"a": 1}', "a.json") == {"a": 1}
    with pytest.raises(GivenInvalid, match=r"a\.json: .*; allowed: one JSON document in UTF-8"):
        document(b"{", "a.json")


def test_a_document_of_any_depth_is_refused_and_never_our_fault() -> None:
    with pytest.raises(GivenInvalid, match="one JSON document"):
        document(b"[" * 100_000, "a.json")


def test_every_field_that_does_not_fit_is_named() -> None:
    found = {"name": 5, "units": ["a", 7], "colour": "red"}
    assert [str(defect) for defect in shape_defects("a.json", "A", Army, found)] == [
        "a.json: A: colour: a field that there is not; allowed: name, cost, units",
        "a.json: A: name: 5; allowed: Expected `str`, got `int`",
        "a.json: A: cost: nothing; allowed: a value; it is required",
        "a.json: A: units[1]: 7; allowed: Expected `str`, got `int`",
    ]
    assert [defect.allowed for defect in shape_defects("a.json", "A", Army, [])] == ["an object"]


def test_a_sound_object_has_no_defect() -> None:
    assert list(shape_defects("a.json", "A", Army, {"name": "A", "cost": 3})) == []


def test_every_place_is_named_however_deep_with_the_rule_of_its_struct() -> None:
    deep = {"op": "roll", "on": {"kill": [{"op": "gain", "n": 4}, {"op": "gain"}], "push": [{"op": "win"}]}}
    assert places({"effects": [{"op": "gain", "n": 3}, deep], "at": [1, "2"], "army": {"name": 1}, "x": 0}) == [
        "x Z-7",
        "effects[1].on.kill[0].n Z-7",
        "effects[1].on.kill[1].n Z-7",
        "effects[1].on.push[0] Z-7",
        "at[1] Z-7",
        "army.name Z-7",
        "army.cost Z-7",
    ]


@pytest.mark.parametrize(
    ("found", "place"),
    [
        ({"effects": []}, "effects Z-7"),
        ({"effects": [{"op": "gain", "n": 1}], "at": [1, 2, 3]}, "at Z-7"),
        ({"effects": [{"op": "gain", "n": 1}], "army": 3}, "army Z-7"),
        ({"effects": [None]}, "effects[0] Z-7"),
        ({"effects": "gain"}, "effects Z-7"),
    ],
)
def test_what_cannot_be_gone_into_is_named_as_a_whole(found: object, place: str) -> None:
    assert places(found) == [place]


class Sign(StrEnum):
    SUN = "sun"
    MOON = "moon"


class Coat(Struct, frozen=True):
    colour: Literal["red", "blue"]
    signs: tuple[Sign, ...] = ()


def test_the_words_that_are_allowed_are_told() -> None:
    assert [defect.allowed for defect in shape_defects("c.json", "C", Coat, {"colour": "rad", "signs": ["son"]})] == [
        "red, blue",
        "sun, moon",
    ]


def test_the_kinds_that_are_allowed_are_told_by_their_tags() -> None:
    (defect,) = shape_defects("c.json", "C", Card, {"effects": [{"op": "win"}]})
    assert (defect.field, defect.allowed) == ("effects[0]", "op gain, op roll")


def test_a_document_that_goes_deeper_than_can_be_followed_is_a_defect() -> None:
    deep: object = {"op": "gain", "n": 1}
    for _ in range(5000):
        deep = {"op": "roll", "on": {"kill": [deep]}}
    (defect,) = shape_defects("c.json", "C", Card, {"effects": [deep]})
    assert defect.found == "things within things without end"


def test_what_may_be_absent_may_be_nothing() -> None:
    assert places({"effects": [{"op": "gain", "n": 1}], "army": None}) == []


def test_advice_is_no_reason_to_refuse() -> None:
    wrong, advice = Defect("f", "c", "x", "1", "2", "Z-1"), Defect("f", "c", "y", "1", "2", advice=True)
    assert_sound([advice])
    with pytest.raises(GivenInvalid) as refused:
        assert_sound([advice, wrong])
    assert refused.value.defects == (wrong,)
    assert (str(wrong), str(advice)) == ("f: c: x: 1; allowed: 2 (Z-1)", "f: c: y: 1; better: 2")


def test_a_sheet_gathers_defects_and_gives_what_is_sound() -> None:
    sheet = Sheet("a.json", "A", [])
    card = sheet.table({"cost": 3, "dice": ["red", "blue"], "x": 1}, "", ("name", "cost", "dice"))
    assert sheet.integer(card, "cost", 1, 2) is None
    assert sheet.integer(card, "cost", 3, 3) == 3
    assert sheet.words(card, "dice", ("red",)) == ["red"]
    assert [defect.field for defect in sheet.defects] == ["name", "x", "cost", "dice[1]"]


@pytest.mark.parametrize("cost", [True, "3", None, 3.0])
def test_only_an_integer_is_one(cost: object) -> None:
    sheet = Sheet("a.json", "A", [])
    assert sheet.integer({"cost": cost}, "cost", 0, 9) is None
    assert len(sheet.defects) == 1


@pytest.mark.parametrize(("length", "defects"), [(80, 0), (81, 1)])
def test_a_name_has_a_longest_length(length: int, defects: int) -> None:
    sheet = Sheet("a.json", "A", [])
    sheet.text({"name": "n" * length}, "name")
    assert len(sheet.defects) == defects
