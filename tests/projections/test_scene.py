"""Patches lead from one Scene to the next, and the vocabulary finds what does not belong."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.kernel import Seat
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from tests.projections.matches import VERA_FACE, vera

LEAVES = st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=3)
JSON = st.recursive(LEAVES, lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, max_size=4), max_leaves=12)
TREES = st.dictionaries(st.sampled_from("abcd"), JSON, max_size=4)


@settings(deadline=None)
@given(TREES, TREES)
def test_a_patch_leads_from_old_to_new(old: dict[str, Any], new: dict[str, Any]) -> None:
    kept = deepcopy(old)
    patch = diff(old, new)
    assert (patch is None) == (old == new)
    assert merge(old, patch or {}) == new
    assert old == kept


def test_rfc_7396_examples() -> None:
    assert merge({"a": "b"}, {"a": "c"}) == {"a": "c"}
    assert merge({"a": "b", "b": "c"}, {"a": None}) == {"b": "c"}
    assert merge({"a": ["b"]}, {"a": "c"}) == {"a": "c"}
    assert merge({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}) == {"a": {"b": "d"}}
    assert merge({"a": "foo"}, "bar") == "bar"
    assert merge({}, {"a": {"bb": {"ccc": None}}}) == {"a": {"bb": {}}}


def scene() -> dict[str, Any]:
    """A Scene in the middle of a match."""
    face = VERA_FACE
    return deepcopy(face.scene(face.game.view(vera(3)[:300], 1), Seat(0)))  # type: ignore[arg-type]


def test_a_good_scene_has_no_defects() -> None:
    assert defects(scene()) == []


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("pieces", "u2", "colour"), "red", "unknown field `colour`"),
        (("pieces", "u2", "zone"), "nowhere", "piece u2 is nowhere"),
        (("pieces", "u2", "on"), "u99", "piece u2 is nowhere"),
        (("pieces", "u/1"), {"shape": "card", "kind": "x", "zone": "hand", "label": "x"}, "may not have"),
        (("pieces", "u2", "shape"), "ball", "Invalid enum value"),
        (("pieces", "u2", "face"), "down", "shows its face"),
        (("pieces", "u2", "sub"), None, "Expected `str`, got `null`"),
        (("layouts", "wide", "at", "hand"), [0, 0, 999, 1], "zone hand leaves layout wide"),
        (("layouts", "wide", "at", "lost"), [0, 0, 1, 1], "lost, which is not there"),
        (("title",), "x" * 200_000, "bytes"),
        (
            ("prompt",),
            {"id": "1", "seat": 0, "mode": "wait", "ask": "?", "fields": [{"id": "f", "type": "one"}]},
            "who is not asked",
        ),
        (
            ("prompt",),
            {
                "id": "1",
                "seat": 0,
                "mode": "you",
                "ask": "?",
                "fields": [
                    {"id": "f", "type": "one", "options": [{"id": "0", "label": "x", "at": ["army0#9,9"]}]},
                ],
            },
            "army0#9,9",
        ),
    ],
)
def test_defects_are_found(path: tuple[str, ...], value: object, why: str) -> None:
    wrong = scene()
    at = wrong
    assert wrong["pieces"]["u2"]["face"] != "down"
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert why in " ".join(defects(wrong))


def test_a_cue_that_names_nothing_is_found() -> None:
    before: dict[str, Any] = {"pieces": {"u2": {}}, "zones": {}}
    after: dict[str, Any] = {"pieces": {}, "zones": {}}
    assert cue_defects({"k": "flip", "ref": "u2", "when": "pre"}, before, after) == []
    assert cue_defects({"k": "flip", "ref": "u2"}, before, after) == ["cue flip names u2"]
    assert cue_defects({"k": "jump", "ref": "u2"}, before, after)


def test_cues_that_point_at_nothing_are_left_out() -> None:
    before: dict[str, Any] = {"pieces": {"u1": {}}, "zones": {"tray": {}}}
    after: dict[str, Any] = {"pieces": {}, "zones": {"tray": {}}}
    hit, flip = {"k": "hit", "ref": "u1", "when": "pre"}, {"k": "flip", "ref": "u1"}
    roll, banner = {"k": "roll", "zone": "tray"}, {"k": "banner", "t": "Round 1"}
    assert fitting([hit, flip, roll, banner], before, after) == [hit, roll, banner]
    assert fitting([hit, flip], after, before) == [flip]
