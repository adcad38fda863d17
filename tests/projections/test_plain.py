"""A game without a face of its own can be read and played all the same."""

import re
import sys
from types import ModuleType
from typing import Any

import pytest

from domain.kernel import (
    ChanceAnchored,
    DiceRolled,
    GameInvalid,
    MatchEnded,
    OpenedSlot,
    Part,
    Result,
    RulesChanged,
    Seat,
    SecretsOpened,
)
from projections import registry
from projections.plain import narrate, narrate_kernel, plain_face
from projections.scene import diff, merge
from projections.vocabulary import defects
from tests.projections.matches import VIEWERS, play, walk
from tests.skirmish.game import GAME

FACE = plain_face(GAME)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", range(5))
def test_a_whole_match_is_told_and_shown(seed: int, viewer: Seat | None) -> None:
    events = tuple(play(GAME, seed))
    scene: dict[str, Any] = {}
    for before, event, after in walk(GAME, events, viewer):
        told = FACE.narrate(before, after, event, viewer)
        assert "HIDDEN" not in told
        assert not told or told.endswith(".")
        new = FACE.scene(after, viewer)
        assert defects(new) == []
        assert merge(scene, diff(scene, new) or {}) == new
        scene = new
        assert FACE.board(after, viewer)


@pytest.mark.parametrize("seed", range(5))
def test_own_decisions_have_words(seed: int) -> None:
    kinds = set()
    for viewer in VIEWERS[1:]:
        for _, _, view in walk(GAME, tuple(play(GAME, seed)), viewer):
            for asked in view.asked:
                if asked.seat == viewer:
                    kinds.add(asked.kind)
                    assert FACE.question(view, asked).endswith(".")
                    for choice in GAME.revive_decision(asked).form(view):
                        assert re.fullmatch(r"(Play \d|Take|Press)", FACE.option(view, asked, choice))
    assert kinds == {"CardSelection", "Pursuit"}


def test_a_hand_is_told_to_its_owner_alone() -> None:
    for viewer in VIEWERS:
        told = [narrate(b, a, e, viewer) for b, e, a in walk(GAME, tuple(play(GAME, 1)), viewer)]
        dealt = [line for line in told if "hand dealt" in line]
        assert ["cards" in line for line in dealt] == [viewer == 0, viewer == 1]


def _state() -> Any:
    return GAME.fold(play(GAME, 1)[:3])


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (ChanceAnchored("x", 9), "A new chain of dice keys begins after roll 9; its keys were fixed at the start."),
        (SecretsOpened((OpenedSlot(3, 0, "s", "1"),)), "1 secret of earlier lines is opened to all."),
        (SecretsOpened((OpenedSlot(3, 0, "s", "1"),) * 2), "2 secrets of earlier lines are opened to all."),
        (RulesChanged("1", "2"), "The match goes on under rules 2; until here they were 1."),
        (MatchEnded(Result(1, "more points")), "Doviso wins: more points."),
        (MatchEnded(Result(None, "tie", "SK-06")), "The match is drawn: tie (SK-06)."),
        (DiceRolled("SK-03", "Clash", 1, "", 6, (2, 5)), "Clash, SK-03: 2 5."),
        (
            DiceRolled("SK-04", "Pursuit", 1, "", 6, (3, 4), Seat(0), needs=(4, 4)),
            "Abel: Pursuit, SK-04: 3 4✓.",
        ),
        (
            DiceRolled("X-1", "Attack", 1, "", 6, (3,), kinds=("red",), parts=(Part("X-2", 2, "printed"),)),
            "Attack, X-1: red 3 (1 die: 2 printed).",
        ),
    ],
)
def test_kernel_events_in_words(event: Any, told: str) -> None:
    assert narrate_kernel(_state(), _state(), event, None) == told


def test_a_game_without_a_face_gets_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_ours", lambda: {"skirmish": GAME})
    registry._our_face.cache_clear()
    try:
        assert registry._our_face("skirmish").question(_state(), _asked()) == "Card selection."
    finally:
        registry._our_face.cache_clear()


def _asked() -> Any:
    return next(view.asked[0] for _, _, view in walk(GAME, tuple(play(GAME, 1)), None) if view.asked)


def test_a_package_whose_game_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "domain.vera_discordia", ModuleType("domain.vera_discordia"))
    sys.modules["domain.vera_discordia"].GAME = "none"  # type: ignore[attr-defined]
    registry._ours.cache_clear()
    try:
        with pytest.raises(GameInvalid, match="vera_discordia"):
            registry.games()
    finally:
        registry._ours.cache_clear()


def test_every_game_has_a_face() -> None:
    faces = registry.faces()
    assert set(registry.games()) <= set(faces)
    for name, face in faces.items():
        assert face.game.name == name
