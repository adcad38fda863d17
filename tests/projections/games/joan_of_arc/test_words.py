"""The words of Joan of Arc: every event, every question and every choice, as each viewer may hear them."""

from typing import Literal

import pytest

from domain.joan_of_arc import GAME
from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.cards.cards import SHIPPED
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.hooks import OPERATIONS, Wound
from domain.joan_of_arc.rules.actions.marching import March
from domain.joan_of_arc.state import attack_events as a
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.attack_state import Fighter
from domain.joan_of_arc.state.events import IntrigueCardTaken, LegendDrawn
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import Plan, UnitId
from domain.kernel import DiceRolled, Event, One, Seat
from projections.games.joan_of_arc import FACE
from projections.games.joan_of_arc.field_tellings import plan_words
from projections.games.joan_of_arc.narration import SENTENCES, narrate
from projections.games.joan_of_arc.options import option
from projections.games.joan_of_arc.texts import capital, deed, die_shown, faces_counted
from projections.games.joan_of_arc.words import area_name, card_name, question, unit_name, waiting
from projections.i18n.language import language_of
from tests.domain.joan_of_arc.table import given
from tests.projections.games.joan_of_arc.matches import TABLES, questions, steps, viewers

NUMBERS = range(len(TABLES))


def test_every_event_has_its_sentence() -> None:
    assert set(SENTENCES) == set(GAME.spec.events)


def test_numbers_and_capitals_are_those_of_english() -> None:
    assert [faces_counted(number, Face.PUSH) for number in (1, 2)] == ["1 push", "2 pushes"]
    assert faces_counted(2, Face.KILL) == "2 kills"
    assert capital("gain 2 XP") == "Gain 2 XP"


def test_the_rule_of_a_roll_stands_behind_its_dice_in_english_and_german() -> None:
    state = given(seat0={"units": ["e1: e_billmen @L1"]}, seat1={"units": ["f1: f_voulgiers @L2"]}).state
    roll = DiceRolled("JA-107", "Attack", 0, "key", 6, (1,), kinds=("red",))
    told = narrate(state, state, roll, None)
    assert told == "Attack: red kill (JA-107)."
    german = language_of("joan_of_arc", "de")
    assert german is not None
    assert german.text(told) == "Angriff: roter Treffer (JA-107)."


def test_what_is_declared_reads_alike_of_one_and_of_many() -> None:
    units = ["e1: e_billmen @L1", "t1: e_talbot @L1"]
    state = given(seat0={"units": units}, seat1={"units": ["f1: f_voulgiers @L2"]}).state
    one, other = UnitId("e1"), UnitId("t1")
    told = [
        plan_words(state, Plan(one, "melee", target=AreaId("2,0:a"))),
        plan_words(state, Plan(one, "shooting", target=AreaId("2,0:a"))),
        plan_words(state, Plan(one, "heal", aim=other)),
        plan_words(state, Plan(other, "charge", path=(AreaId("1,0:a"),), target=AreaId("2,0:a"))),
    ]
    assert told == [
        "English Billmen e1 will fight against the plain 2,0",
        "English Billmen e1 will shoot at the plain 2,0",
        "English Billmen e1 will heal John Talbot t1",
        "John Talbot t1 will charge to the plain 1,0, against the plain 2,0",
    ]


@pytest.mark.parametrize("number", NUMBERS)
def test_events_are_told_in_sentences_without_ids(number: int) -> None:
    for viewer in viewers(number):
        for before, event, after in steps(number, viewer):
            told = narrate(before, after, event, viewer)
            assert "#" not in told, told
            assert "_" not in told, told
            assert not told or (told[-1] in ".!?" and (told[0].isupper() or told[0].isdigit())), told


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_392_ja_399_cards_that_are_drawn_in_secret_are_named_to_who_draws_them_alone(number: int) -> None:
    secret = 0
    for viewer in viewers(number):
        for before, event, after in steps(number, viewer):
            if isinstance(event, LegendDrawn | IntrigueCardTaken):
                assert (": " in narrate(before, after, event, viewer)) == (event.seat == viewer)
                secret += 1
    assert secret


@pytest.mark.parametrize("number", NUMBERS)
def test_questions_and_choices_are_told_apart_without_ids(number: int) -> None:
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        for view, asked in questions(number, viewer):
            assert question(view, asked).endswith("?")
            assert waiting(view, asked).endswith(".")
            form = GAME.revive_decision(asked).form(view)
            told = [option(view, asked, choice) for choice in form] if isinstance(form, One) else []
            assert len(set(told)) == len(told), told
            assert not [text for text in told if "#" in text or "_" in text or not text], told


def test_every_effect_operation_has_its_words() -> None:
    told = {type(each): deed(each) for card in SHIPPED.war_council for each in card.effects}
    told |= {type(each): deed(each) for card in SHIPPED.legend for each in card.effects}
    told |= {type(each): deed(each) for card in SHIPPED.equipment for each in card.effects}
    told |= {type(each): deed(each) for card in SHIPPED.discussions for of in card.answers.values() for each in of}
    told |= {type(each): deed(each) for card in SHIPPED.intrigue for slot in card.slots for each in slot.effects}
    told[Wound] = deed(Wound("character", 1))
    assert set(told) == set(OPERATIONS)
    assert not [kind for kind, text in told.items() if text == kind.__name__ or not text]


def test_cards_are_named_as_they_are_printed() -> None:
    *_, (_, __, view) = steps(0, Seat(0))
    assert card_name(view, SHIPPED.legend[0].id) == SHIPPED.legend[0].name


def test_what_seldom_happens_is_told_by_the_names_of_units_cards_and_areas() -> None:
    *_, (before, __, view) = steps(0, None)
    first, second = list(view.field.units)[:2]
    area, card = view.field.units[first].area, SHIPPED.equipment[0]
    seldom: list[tuple[Event, str]] = [
        (e.PassengerSetDown(first), "set down"),
        (e.EquipmentGained(first, card.type, card.id), card.name),
        (e.EquipmentDiscarded(first, card.type, card.id), card.name),
        (e.EquipmentHanded(first, second, card.id), unit_name(view, second)),
        (e.RansomRefused(first), "captive"),
        (e.CharacterCaptured(first, Seat(1)), "Player 2"),
        (e.CharacterRansomed(first, 2), "2 XP"),
        (e.BarricadeBuilt(area, "english"), "the English"),
        (e.BarricadeRemoved(area, "JA-220"), area_name(view, area)),
        (e.FirePutOut(area), area_name(view, area)),
        (e.BuildingRemoved(area), area_name(view, area)),
    ]
    for event, named in seldom:
        assert named in narrate(before, view, event, None)


def test_ja_196_who_may_roll_a_die_again_is_told_what_it_shows_and_what_for() -> None:
    ours = {"orders": "1 command", "reroll": True, "units": ["b1: e_bowmen @L0"]}
    table = given("yellow=P", seat0=ours, seat1={"units": ["f1: f_voulgiers @L4"]}, rules={"forced_march": True})
    table.do("PlayOrder command 0,0:a").answer(March((AreaId("1,0:a"), AreaId("2,0:a"))))
    assert question(table.state, table.asked()) == "Forced march: yellow push. Do you roll the die again?"


def test_a_doom_die_is_told_by_its_face_alone_for_there_is_one_kind() -> None:
    assert die_shown("doom", Face.DISRUPT) == "disrupt"
    assert die_shown("red", Face.KILL) == "red kill"
    german = language_of("joan_of_arc", "de")
    assert german is not None
    assert german.text("Bo, Doom: delayed rally (JA-225).") == "Bo, Schicksal: spätes Sammeln (JA-225)."


@pytest.mark.parametrize(
    ("card", "face", "told"),
    [
        ("f_voulgiers", Face.DISRUPT, "disrupt. It stays in the infirmary."),
        ("f_voulgiers", Face.DEATH, "death."),
        ("f_voulgiers", Face.RALLY, "it rallies."),
        ("f_voulgiers", Face.DELAYED_RALLY, "it rallies later."),
        ("m_revenants", Face.DEATH, "death. It stays in the infirmary."),
    ],
)
def test_ja_227_ja_274_who_stays_in_the_infirmary_after_a_doom_die_is_said_to(card: str, face: Face, told: str) -> None:
    state = given(seat0={"units": [f"f#1: {card} @L1"]}).state
    said = narrate(state, state, e.DoomRolled(UnitId("f#1"), face), None)
    assert said == f"The doom die of {unit_name(state, 'f#1')}: {told}"
    german = language_of("joan_of_arc", "de")
    assert german is not None
    assert german.has(said)


@pytest.mark.parametrize(("kind", "how"), [("melee", "in melee"), ("shooting", "by shooting")])
@pytest.mark.parametrize("held", [True, False])
def test_ja_108_who_holds_an_area_stands_beside_the_area_as_it_is_attacked(
    kind: Literal["melee", "shooting"], how: str, *, held: bool
) -> None:
    units = ["b#1: e_bowmen @L1", "b#2: e_bowmen @L1"]
    state = given(seat0={"units": units}, seat1={"units": ["f#1: f_voulgiers @L2"]}).state
    area, target = AreaId("1,0:a"), AreaId("2,0:a")
    defenders = (Fighter("f#1"),) if held else ()
    starts = tuple((Fighter(unit), area) for unit in ("b#1", "b#2"))
    told = narrate(state, state, a.AttackDeclared(Seat(0), kind, target, starts, defenders), None)
    by = ", held by Voulgiers," if held else ""
    assert told.endswith(f"attacks {area_name(state, target)}{by} {how} with English Bowmen 1 and English Bowmen 2.")
    german = language_of("joan_of_arc", "de")
    assert german is not None
    assert german.has(told)


@pytest.mark.parametrize(("lost", "gone"), [(1, "1 command order"), (3, "3 command orders")])
def test_orders_that_find_no_room_are_told_alike_of_one_and_of_many(lost: int, gone: str) -> None:
    state = given(seat0={"units": ["b1: e_bowmen @L0"]}).state
    event = e.OrdersReserved(Seat(0), OrdersHeld(charge=1), OrdersHeld(command=lost))
    told = narrate(state, state, event, Seat(0))
    assert told.endswith(f" keeps 1 charge order in reserve; no room is left for {gone}.")
    german = language_of("joan_of_arc", "de")
    assert german is not None
    assert "; ohne Platz: " in german.text(told)


def test_what_came_of_a_move_or_an_attack_is_told_of_somebody_and_a_declared_wait_of_nobody() -> None:
    told: dict[str, set[bool]] = {}
    for number in NUMBERS:
        for before, event, _ in steps(number, None):
            match event:
                case e.UnitsMoved(units=units):
                    owners = {before.field.units[unit].owner for unit in units}
                    told.setdefault("moved", set()).add(FACE.speaker(before, event) in owners)
                case a.LossesCounted() if before.attack is not None:
                    told.setdefault("losses", set()).add(FACE.speaker(before, event) == before.attack.by)
                case e.PointsScored(side=side, rule="JA-246"):
                    sides = setting_of(before).sides
                    told.setdefault("points", set()).add(FACE.speaker(before, event) == sides.index(side))
                case e.PointsScored():
                    told.setdefault("of a loss", set()).add(FACE.speaker(before, event) is None)
                case e.UnitWaited(rule="JA-089"):
                    told.setdefault("waited", set()).add(FACE.speaker(before, event) is None)
    assert told == {key: {True} for key in ("moved", "losses", "points", "of a loss", "waited")}
