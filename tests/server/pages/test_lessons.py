"""Guides as pages load them."""

import json

import pytest

from projections.registry import faces
from server.pages.lessons import GUIDES, learning_answer


@pytest.mark.parametrize("game", sorted(faces()))
def test_the_pictures_of_a_german_guide_are_in_german(game: str) -> None:
    found = [learning_answer(faces(), f"{GUIDES}{game}", {"lang": language}) for language in ("en", "de")]
    english, german = (json.loads(one or b"{}")["parts"] for one in found)
    scenes = [
        (a["picture"]["scene"], b["picture"]["scene"]) for a, b in zip(english, german, strict=True) if "picture" in a
    ]
    labels = [
        (piece["label"], there["pieces"][ref]["label"])
        for here, there in scenes
        for ref, piece in here["pieces"].items()
        if " " in piece.get("label", "") and "," in piece["label"]
    ]
    assert len(labels) > 8
    assert [one for one, other in labels if one == other] == []
