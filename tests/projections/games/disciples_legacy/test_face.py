"""The face of Disciples: Legacy: well-formed Scenes, a sentence for every event, options that say what they lead to."""

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.cards import SHIPPED, index_of
from domain.disciples_legacy.state.events import HandPeeked, ReservesShown
from domain.disciples_legacy.state.queries import hand_of
from domain.disciples_legacy.state.state import DisciplesState
from domain.disciples_legacy.state.stats import hp, max_hp
from domain.kernel import DecisionsOpened, Event, Hidden, MatchEnded, Seat
from projections.games.disciples_legacy import FACE
from projections.games.disciples_legacy.cues import cues
from projections.games.disciples_legacy.glyphs import CHARGES, GLYPHS, glyph_of
from projections.games.disciples_legacy.hints import HINTS, at_stake
from projections.games.disciples_legacy.narration import SENTENCES
from projections.games.disciples_legacy.prompts import WORDS
from projections.games.disciples_legacy.texts import card_lines
from projections.games.disciples_legacy.words import COLUMNS, QUESTIONS, WAITING
from projections.glossary import glossary
from projections.i18n.language import language_of
from projections.prompt import why_alone
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from tests.projections.matches import VIEWERS, play, walk

SHEETS = Path(__file__).parents[4] / "server" / "web" / "glyphs"
SEEDS = (1, 4)
Pause = tuple[DisciplesState, dict[str, Any]]


@cache
def match(seed: int) -> tuple[Event, ...]:
    return tuple(play(GAME, seed, {"turn_limit": 4}))


@cache
def pauses(seed: int, viewer: Seat | None) -> tuple[Pause, ...]:
    return tuple(
        (view, FACE.scene(view, viewer))
        for _, event, view in walk(GAME, match(seed), viewer)
        if isinstance(event, DecisionsOpened | MatchEnded)
    )


def test_the_capital_stands_before_the_cities() -> None:
    view, scene = pauses(SEEDS[0], None)[-1]
    assert len(view.cities) > 2, "a City has been founded"
    for city in view.cities.values():
        assert (scene["pieces"][city.id]["slot"] == 0) == city.capital


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_scenes_hold_to_the_vocabulary(seed: int, viewer: Seat | None) -> None:
    assert len(pauses(seed, viewer)) > 20
    for _, scene in pauses(seed, viewer):
        assert defects(scene) == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_zone_of_a_scene_is_drawn_in_both_layouts_while_no_battle_is_fought(viewer: Seat | None) -> None:
    seen = 0
    for view, scene in pauses(SEEDS[0], viewer):
        if view.battle is None and view.turn:
            seen += 1
            assert set(scene["layouts"]["wide"]["at"]) == set(scene["zones"])
            assert set(scene["layouts"]["tall"]["at"]) == set(scene["zones"]) - {"field"}
    assert seen


@pytest.mark.parametrize("viewer", VIEWERS)
def test_all_parties_are_drawn_in_both_layouts_during_a_battle(viewer: Seat | None) -> None:
    seen = 0
    for view, scene in pauses(SEEDS[0], viewer):
        if view.battle is not None:
            seen += 1
            for name in ("wide", "tall"):
                assert {f"p{leader}" for leader in view.parties} <= set(scene["layouts"][name]["at"])
    assert seen


@pytest.mark.parametrize("viewer", VIEWERS)
def test_patches_lead_from_scene_to_scene(viewer: Seat | None) -> None:
    for (_, old), (_, new) in pairwise(pauses(SEEDS[0], viewer)):
        assert merge(old, diff(old, new) or {}) == new


def test_cues_name_what_is_there() -> None:
    waiting: list[dict[str, Any]] = []
    seen = set()
    scene = FACE.scene(GAME.fold(match(SEEDS[0])[:1]), None)
    for old, event, view in walk(GAME, match(SEEDS[0]), None):
        waiting += cues(old, event)
        if isinstance(event, DecisionsOpened | MatchEnded):
            new = FACE.scene(view, None)
            for cue in fitting(waiting, scene, new):
                seen.add(cue["k"])
                assert cue_defects(cue, scene, new) == []
            waiting, scene = [], new
    assert {"arrow", "hit", "gain", "banner", "guard", "result"} <= seen


def test_every_event_has_a_sentence_or_is_silent() -> None:
    assert set(SENTENCES) == set(GAME.spec.events)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_sentences_are_whole_and_name_no_class(seed: int, viewer: Seat | None) -> None:
    told = [FACE.narrate(old, view, event, viewer) for old, event, view in walk(GAME, match(seed), viewer)]
    translated = [sentence for sentence in told if sentence]
    assert len(translated) > 50
    assert all(sentence.endswith((".", "!")) for sentence in translated)
    assert not [sentence for sentence in translated if "HIDDEN" in sentence or "hidden" in sentence]


def test_every_decision_has_words_for_who_decides_and_who_waits() -> None:
    kinds = {decision.__name__ for decision in GAME.spec.decisions}
    assert set(WAITING) == kinds
    assert set(QUESTIONS) | set(HINTS) <= kinds


@pytest.mark.parametrize("seat", [Seat(0), Seat(1)])
@pytest.mark.parametrize("seed", SEEDS)
def test_options_of_a_prompt_are_distinct_and_put_in_words(seed: int, seat: Seat) -> None:
    classes = {choice.__name__ for choice in GAME.spec.choices} - {"Pass", "Retreat"}
    kinds = set()
    for view, scene in pauses(seed, seat):
        prompt = scene["prompt"]
        if prompt["mode"] != "you":
            continue
        asked = next(asked for asked in view.asked if asked.seat == seat)
        kinds.add(asked.kind)
        labels = [option["label"] for option in prompt["fields"][0]["options"]]
        assert prompt["ask"].endswith(("?", "."))
        assert prompt["why"] == glossary(GAME.name)[asked.kind].sentence()
        alone = why_alone(GAME.revive_decision(asked).form(view), asked, WORDS)
        assert prompt.get("also", "") == " ".join(filter(None, [at_stake(view, asked), alone]))
        assert len(set(labels)) == len(labels)
        assert not classes & set(labels)
    assert {"StrategicAction", "BattleFormation"} <= kinds


def options_of(kind: str) -> list[dict[str, Any]]:
    return [
        option
        for seed in SEEDS
        for seat in (Seat(0), Seat(1))
        for view, scene in pauses(seed, seat)
        for asked in view.asked
        if asked.seat == seat and asked.kind == kind
        for option in scene["prompt"]["fields"][0]["options"]
    ]


def test_an_attack_says_what_is_left_of_its_target() -> None:
    strikes = [option for option in options_of("BattleAction") if " strikes " in option["label"]]
    assert strikes
    for strike in strikes:
        assert "→" in strike.get("end", "") + strike.get("sub", "")


@pytest.mark.parametrize(
    ("kind", "said"), [("Revival", "a Unit costs 1, a Leader 2"), ("HealingPurchase", "each heals"), ("Payment", "(C)")]
)
def test_tapping_says_what_can_be_paid_then(kind: str, said: str) -> None:
    taps = [option["sub"] for option in options_of(kind) if option["label"].startswith("Tap ")]
    assert taps
    assert all(sub.startswith("You then have ") and said in sub for sub in taps)


def test_actions_of_the_strategic_phase_say_what_they_cost_or_lead_to() -> None:
    actions = options_of("StrategicAction")
    assert {"Recruit", "Found a City", "Attack", "Formation"} <= {action.get("grp") for action in actions}
    assert all(action.get("sub") or action.get("end") or action["grp"] == "Use an ability" for action in actions)
    assert all("(C)" in action["sub"] for action in actions if action.get("grp") in {"Recruit", "Buy Items"})


def test_a_retreat_is_asked_twice_and_says_that_the_enemy_acts_first() -> None:
    retreats = [option for option in options_of("RetreatOffer") if option["label"] == "Retreat"]
    assert retreats
    assert all(option["confirm"] and "two Battle Actions" in option["sub"] for option in retreats)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_board_stays_within_its_width(viewer: Seat | None) -> None:
    for view, _ in pauses(SEEDS[1], viewer):
        assert max(map(len, FACE.board(view, viewer).split("\n"))) <= 100


def test_lists_of_the_board_are_broken_between_their_items_only() -> None:
    lines = [line for view, _ in pauses(SEEDS[0], Seat(0)) for line in FACE.board(view, Seat(0)).split("\n")]
    assert any(line.startswith("Your Reserves: ") and line.endswith(",") for line in lines)
    assert all(line.count("(") == line.count(")") for line in lines)


def test_a_battle_whose_first_round_has_not_begun_is_in_no_round() -> None:
    told = [FACE.board(view, None) for view, _ in pauses(SEEDS[0], None) if view.battle is not None]
    assert any("before Round 1" in text for text in told)
    assert any("Round 1" in text and "before" not in text for text in told)
    assert not any("Round 0" in text for text in told)


def test_a_battle_is_called_by_its_round_or_a_retreat() -> None:
    paths = [scene["crumbs"] for seed in SEEDS for view, scene in pauses(seed, None) if view.battle is not None]
    assert {path[2] for path in paths} == {"before Round 1", "Round 1", "Round 2", "Retreat"}


def test_dl_087_a_far_party_is_seen_from_across_the_table() -> None:
    view, scene = next((v, s) for v, s in pauses(SEEDS[0], Seat(0)) if v.turn and v.battle is None)
    for party in view.parties.values():
        slot = party.slots.index(party.leader)
        here = (slot % 3, slot // 3)
        wanted = here if party.seat == 0 else (2 - here[0], 1 - here[1])
        assert scene["pieces"][party.leader]["slot"] == f"{wanted[0]},{wanted[1]}"


@pytest.mark.parametrize("viewer", [Seat(0), Seat(1)])
def test_columns_are_counted_as_who_looks_sees_them(viewer: Seat) -> None:
    view, scene = next((v, s) for v, s in pauses(SEEDS[0], viewer) if v.turn and v.battle is None)
    far = 0
    for party in view.parties.values():
        if party.seat != viewer:
            far += 1
            slots = scene["zones"][f"p{party.leader}"]["slots"]
            assert {key: slot["label"] for key, slot in slots.items()} == {
                f"{at},{row}": f"{'back' if row == 0 else 'front'} {COLUMNS[at]}" for at in range(3) for row in range(2)
            }
        for id_ in (id_ for id_ in party.slots if id_):
            piece = scene["pieces"][id_]
            column = COLUMNS[int(piece["slot"][0])]
            assert column in piece["tip"][0], piece
            assert column in piece["label"]
    assert far == 3


def test_dl_201_every_member_shows_attack_and_hp_at_every_size() -> None:
    for view, scene in pauses(SEEDS[0], None):
        for id_ in view.members:
            assert [stat["form"] for stat in scene["pieces"][id_]["stats"]] == ["key", "key"]
            assert scene["pieces"][id_]["stats"][1]["label"] == "HP"


@pytest.mark.parametrize("seat", [Seat(0), Seat(1)])
def test_dl_231_cards_of_the_other_hand_are_not_in_the_scene(seat: Seat) -> None:
    compared = 0
    for view, scene in pauses(SEEDS[1], seat):
        other = view.sides[1 - seat]
        if not view.turn or view.result is not None:
            continue
        assert isinstance(other.hand, Hidden)
        compared += 1
        shown = {piece["label"] for ref, piece in scene["pieces"].items() if ref.startswith(f"k{1 - seat}")}
        assert len(shown) == len(other.known)
        assert sum(ref.startswith("h") for ref in scene["pieces"]) == len(hand_of(view, seat))
    assert compared


def test_dl_232_who_peeks_sees_the_cards_in_rows_and_nobody_else_does() -> None:
    matches = (play(GAME, seed, {"turn_limit": 6}) for seed in range(200))
    events, at = next(
        (events, number)
        for events in matches
        for number, event in enumerate(events)
        if isinstance(event, HandPeeked) and len(set(event.cards)) > 3  # type: ignore[arg-type]
    )
    peek = events[at]
    assert isinstance(peek, HandPeeked)
    shown = {}
    for viewer in VIEWERS:
        *_, (before, event, view) = walk(GAME, tuple(events[: at + 1]), viewer)
        scene = FACE.scene(view, viewer)
        assert defects(scene) == []
        shown[viewer] = sum(ref.startswith(f"k{1 - peek.seat}") for ref in scene["pieces"])
        told = FACE.narrate(before, view, event, viewer)
        assert (": " in told) == (viewer == peek.seat)
    assert not isinstance(peek.cards, Hidden)
    assert shown[peek.seat] == len(set(peek.cards)) > len(view.sides[1 - peek.seat].known)
    assert shown[None] == len(view.sides[1 - peek.seat].known)


def test_the_deployment_starts_with_the_army_as_its_deck_lists_it() -> None:
    view, scene = next((v, s) for v, s in pauses(SEEDS[0], Seat(0)) if v.asked and v.asked[0].kind == "Deployment")
    deck = view.sides[0].deck
    assert deck is not None
    assert not isinstance(deck, Hidden)
    shown = [piece["title"] for piece in scene["pieces"].values() if piece["zone"].startswith("q")]
    bodies = index_of(None).bodies
    assert sorted(shown) == sorted(bodies[code].name for party in deck.parties for _, code in party.places)


def test_every_card_has_a_picture_and_says_what_it_does() -> None:
    names = {
        name for sheet in ("core", "disciples_legacy") for name in json.loads((SHEETS / f"{sheet}.json").read_text())
    }
    index = index_of(None)
    for card in SHIPPED.cards:
        assert glyph_of(index, card.id) in names
        lines = card_lines(index, card.id)
        assert len(lines) > len(getattr(card, "abilities", ()))
        assert all(line.endswith(".") and "None" not in line for line in lines)
    assert {*CHARGES.values(), *GLYPHS.values()} <= names
    assert set(GLYPHS) <= set(index.cards)


def test_the_reserves_that_the_end_shows_are_not_told_of_a_choice_beforehand() -> None:
    assert ReservesShown in FACE.plain


@pytest.mark.parametrize("seed", SEEDS)
def test_dl_201_the_hp_on_a_card_are_explained_where_it_is_pointed_at(seed: int) -> None:
    said = language_of(GAME.name, "de")
    assert said is not None
    for view, scene in pauses(seed, Seat(0)):
        for id_, member in view.members.items():
            piece = scene["pieces"].get(id_)
            if piece is None or "bar" not in piece:
                continue
            left, most = hp(view, member.id), max_hp(view, member.id)
            assert piece["stats"][1]["v"] == left
            assert ["HP:", f"{left} of {most} left; at 0 it is dead"] in piece["tip"]
            assert said.text(f"{left} of {most} left; at 0 it is dead") == f"{left} von {most} übrig; bei 0 ist es tot"
