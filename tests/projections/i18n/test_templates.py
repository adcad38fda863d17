"""Templates: an English one is matched, its match fills one of another language."""

import pytest

from projections.i18n.templates import Forms, TemplateInvalid, TemplateSlot, fill, matched, names_in, read

UNITS = {"the Golem": {"is": "der Golem", "dat": "dem Golem"}, "the Pikes": {"is": "die Piken", "dat": "den Piken"}}


def told(slot: TemplateSlot, text: str) -> Forms | None:
    return {"is": text} if slot.kind in {"n", "any"} else UNITS.get(text)


def said(english: str, german: str, text: str) -> str | None:
    found = matched(read(english), text, told)
    return None if found is None else fill(german, found)


def test_what_stands_in_a_place_is_put_in_the_other_language() -> None:
    assert said("{unit} hits {unit2}.", "{unit2} trifft {unit}.", "the Golem hits the Pikes.") == (
        "die Piken trifft der Golem."
    )


def test_a_place_holds_what_its_kind_has_and_nothing_else() -> None:
    assert said("{unit} falls.", "{unit} fällt.", "the Golem falls.") == "der Golem fällt."
    assert said("{unit} falls.", "{unit} fällt.", "the Giant falls.") is None


def test_words_to_choose_from_follow_the_english_ones_in_their_order() -> None:
    english, german = "{unit} {is|are} {lost|found}.", "{unit:up} {ist|sind} {verloren|gefunden}."
    assert said(english, german, "the Golem is found.") == "Der Golem ist gefunden."
    assert said(english, german, "the Pikes are lost.") == "Die Piken sind verloren."


def test_a_form_is_asked_for_by_name_and_is_the_first_where_there_is_none() -> None:
    assert said("for {unit}", "mit {unit:dat}", "for the Golem") == "mit dem Golem"
    assert said("for {unit}", "für {unit:acc}", "for the Golem") == "für der Golem"


def test_a_word_follows_a_number() -> None:
    assert said("{n} left", "{n} {n?Punkt|Punkte}", "1 left") == "1 Punkt"
    assert said("{n} left", "{n} {n?Punkt|Punkte}", "2 left") == "2 Punkte"
    assert said("{n} left", "{n} {n?Punkt|Punkte}", "11 left") == "11 Punkte"


def test_a_text_that_could_be_cut_in_two_ways_is_cut_where_its_parts_are_known() -> None:
    assert said("{any} for {unit}", "{any}, {unit}", "a look for a fight for the Golem") == (
        "a look for a fight, der Golem"
    )


@pytest.mark.parametrize("wrong", ["{Unit}", "{unit ", "{unit} and {unit}", "{}"])
def test_a_template_that_cannot_be_read_says_why(wrong: str) -> None:
    if wrong.count("{") != wrong.count("}"):
        assert read(wrong) == (wrong,)
        return
    with pytest.raises(TemplateInvalid, match=r"no place|twice"):
        read(wrong)


def test_a_place_that_the_english_text_has_not_is_said() -> None:
    with pytest.raises(TemplateInvalid, match=r"has no \{unit2\}"):
        said("{unit} falls.", "{unit2} fällt.", "the Golem falls.")
    with pytest.raises(TemplateInvalid, match="choice of words"):
        said("{unit} falls.", "{fällt|fallen}", "the Golem falls.")


def test_the_places_of_a_template_are_named_once() -> None:
    assert names_in("{unit:up} {hat|haben} {n} {n?Punkt|Punkte}: {unit2*}") == {"unit", "n", "unit2"}
