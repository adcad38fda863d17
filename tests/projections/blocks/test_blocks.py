"""Blocks of Scenes: what is built of them is in the vocabulary, and hides what is hidden."""

from typing import Any

import pytest

from domain.kernel import DiceRolled, Event, MatchBegun, Part, Seat, State
from projections.blocks import cues
from projections.blocks.frame import counter, frame, mark, plate
from projections.blocks.narration import narrator, silent
from projections.blocks.pieces import card, docked, down, state
from projections.blocks.zones import field, grid, layout, pile, row, tray, zone
from projections.prompt import Words
from projections.vocabulary import cue_defects, defects
from tests.skirmish.game import GAME, CardShown, RoundEnded, SkirmishState

FIRST, SECOND = Seat(0), Seat(1)
VIEW = SkirmishState(rounds=3, players=("Ann", "Bob"), begun=True)
WORDS = Words(lambda _v, _a: "Which?", lambda _v, _a, _c: "This.", lambda _v, _a: "Bob decides.")


def scene(view: State = VIEW, viewer: Seat | None = FIRST) -> dict[str, Any]:
    pieces = {
        "c1": card("unit", "field1", "0,0", FIRST, face="up", glyph="lion", title="Lion", label="Lion", **state("hot")),
        "c2": card("unit", "field1", "1,0", SECOND, **down("A card", "a card, face down", SECOND)),
        "f1": docked("flag", "c1", "tr", 0.3, 0.1, FIRST, shape="flag", glyph="flying-flag", title="F", label="flag"),
    }
    for piece in pieces.values():
        piece.setdefault("face", "up")
    zones = {
        "ground": field(),
        "field1": zone(grid(2, 1), "Field", owner=FIRST),
        "hand": zone(row(aspect=0.7), "Hand", "Your hand"),
        "deck": zone(pile(6, FIRST), "Deck", "The deck"),
        "tray": tray(view, {}),
    }
    at: dict[str, list[float]] = {name: [0, 10.0 * number, 100, 9] for number, name in enumerate(zones)}
    plates = [
        plate(view, seat, "Lions", "lion", {"vp": counter("drop", "Points", 3, 5, key=True)}, {"m": mark("oak", "M")})
        for seat in (FIRST, SECOND)
    ]
    wide = {"wide": layout(100, 60, at)}
    found = frame(
        GAME, VIEW, viewer, WORDS, crumbs=["Round 1"], plates=plates, layouts=wide, zones=zones, pieces=pieces
    )
    return {"seq": 0, "log": [], **found}


@pytest.mark.parametrize("viewer", [None, FIRST, SECOND])
def test_a_scene_of_blocks_is_in_the_vocabulary(viewer: Seat | None) -> None:
    assert defects(scene(viewer=viewer)) == []


def test_a_plate_names_the_player_and_who_is_asked() -> None:
    plates = scene()["seats"]
    assert [plates[seat]["name"] for seat in ("0", "1")] == ["Ann", "Bob"]
    assert not plates["0"]["active"]


def test_a_counter_has_a_limit_only_where_there_is_one() -> None:
    assert counter("drop", "Points", 3) == {"g": "drop", "label": "Points", "v": 3}
    assert counter("drop", "Points", 3, 0)["max"] == 0


def test_a_face_down_card_says_nothing_of_itself() -> None:
    assert set(down("A card", "a card", FIRST)) == {"face", "back", "backTitle", "label"}


@pytest.mark.parametrize(("words", "told"), [(("", "used"), {"state": ["used"]}), (("", ""), {}), ((), {})])
def test_only_what_is_so_is_told_of_a_piece(words: tuple[str, ...], told: dict[str, Any]) -> None:
    assert state(*words) == told


def test_the_tray_gives_the_reasons_of_a_roll() -> None:
    roll = DiceRolled("Z-1", "Attack", 1, "k", 6, (4, 2), FIRST, (), (), (4, 4), (Part("Z-2", 1, "river"),))
    geom = tray(SkirmishState(rounds=3, roll=roll), {}, "Ann")["geom"]
    assert geom["roll"]["groups"][0]["sum"] == "+1 river"
    assert geom["roll"]["result"] == "1 of 2 succeed"


@pytest.mark.parametrize(
    "cue",
    [
        cues.arrow("c1", "c2", "seat0"),
        cues.hit("c1", 2),
        cues.guard("c1", "guarded"),
        cues.gain("c1", "+1", "green", "drop"),
        cues.flip("c2"),
        cues.pulse("c1"),
        cues.roll(),
        cues.banner("Round 2"),
        cues.banner("The end", "more points"),
    ],
    ids=lambda cue: str(cue["k"]),
)
def test_cues_are_in_the_vocabulary(cue: cues.Cue) -> None:
    assert cue_defects(cue, scene(), scene()) == []


def test_events_are_told_by_the_table_and_the_kernels_by_everybodys_words() -> None:
    tell = narrator({CardShown: lambda _b, _v, event: f"A {event.card}.", RoundEnded: silent})
    assert tell(VIEW, VIEW, CardShown(FIRST, 4), None) == "A 4."
    assert tell(VIEW, VIEW, RoundEnded(2), None) == ""
    assert tell(VIEW, VIEW, MatchBegun(), None) == narrator({})(VIEW, VIEW, MatchBegun(), FIRST) != ""


def test_a_game_may_tell_the_kernels_events_in_its_own_words() -> None:
    def own(_: Any, event: Event) -> str | None:
        return "Swords are drawn." if isinstance(event, MatchBegun) else None

    tell = narrator({CardShown: silent}, own)
    assert tell(VIEW, VIEW, MatchBegun(), None) == "Swords are drawn."
    assert tell(VIEW, VIEW, CardShown(FIRST, 4), None) == ""
