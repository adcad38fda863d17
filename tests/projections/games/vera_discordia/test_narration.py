"""Every event of Vera Discordia is told, in words a viewer may hear."""

import random
import re

import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, DiceRolled, Event, Part, Seat
from domain.kernel.events import KERNEL_EVENTS
from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import CardKey, OrderType
from domain.vera_discordia.state import events as e
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.state import Held, Space, Unit, UnitId, VeraState
from projections.games.vera_discordia.narration import SILENT, TOLD, narrate
from projections.games.vera_discordia.words import unit_title
from projections.i18n.language import language_of
from projections.plain import KERNEL_SILENT, narrate_kernel
from tests.projections.matches import VERA_FACE, VIEWERS, vera, walk

SEEDS = (3, 9, 10, 13)


def test_every_event_class_is_told_or_listed_as_silent() -> None:
    game = set(GAME.events.values()) - set(KERNEL_EVENTS)
    assert game == set(TOLD) | SILENT
    assert not set(TOLD) & SILENT


def test_the_kernel_tells_all_but_what_it_lists_as_silent() -> None:
    silent = {kind for kind in KERNEL_EVENTS if kind in KERNEL_SILENT}
    assert silent < set(KERNEL_EVENTS)
    for seed in SEEDS:
        for before, event, after in walk(GAME, vera(seed), None):
            told = narrate_kernel(before, after, event, None)
            if type(event) in KERNEL_EVENTS:
                assert (told == "") == (type(event) in silent), event


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_whole_match_reads_as_sentences(seed: int, viewer: Seat | None) -> None:
    for before, event, after in walk(GAME, vera(seed), viewer):
        told = narrate(before, after, event, viewer)
        assert "HIDDEN" not in told
        assert "Unit u" not in told, "a Unit is called by its id"
        assert not re.search(r"\(\)|  |\bNone\b|=|_", told), told
        assert not told or (told[0].isupper() and told.endswith(".")), told


def test_silence_is_kept() -> None:
    for before, event, after in walk(GAME, vera(5), Seat(0)):
        if type(event) in SILENT:
            assert narrate(before, after, event, Seat(0)) == ""


def test_drawn_cards_are_named_to_their_owner_alone() -> None:
    heard: dict[Seat | None, set[str]] = {}
    for viewer in VIEWERS:
        heard[viewer] = {
            narrate(before, after, event, viewer)
            for before, event, after in walk(GAME, vera(9), viewer)
            if isinstance(event, e.CardsDrawn) and event.seat == 0
        }
    assert all(re.fullmatch(r"Abel draws \d+ cards?\.", told) for told in heard[None])
    assert heard[Seat(1)] == heard[None]
    assert all(re.match(r"Abel draws \d+ cards?: [AMDST]", told) for told in heard[Seat(0)])


def test_orders_are_named_to_their_owner_alone() -> None:
    names = "Attack|Maneuver|Defense|Support|Tactic"
    for viewer in VIEWERS:
        for before, event, after in walk(GAME, vera(3), viewer):
            if isinstance(event, e.OrdersIssued) and event.units:
                told = narrate(before, after, event, viewer)
                assert bool(re.search(names, told)) == (viewer == event.seat), told


PIKES = CardKey("talmar/league-pikes")


def _view() -> VeraState:
    a1 = Unit(UnitId("u1"), Seat(0), Space("V1"), PIKES, 6, open=True, order=Held(OrderType.ATTACK))
    b1 = Unit(UnitId("u2"), Seat(1), Space("V1"), HIDDEN, HIDDEN)
    units = {a1.id: a1, b1.id: b1}
    return VeraState(options=Options(), players=("Abel", "Doviso"), units=units)


def _told(event: Event) -> str:
    view = _view()
    return narrate(view, view, event, None)


def test_the_parts_of_a_roll_are_explained() -> None:
    parts = (Part("VD-017", 4, "printed"), Part("VD-297", -1, "River"), Part("VD-203", 1, "Support"))
    roll = DiceRolled("VD-217", "Attack", 1, "", 6, (5, 2), Seat(0), ("u1", "u2"), ("melee", "magic"), (4, 3), parts)
    assert _told(roll) == (
        "Attack roll of Abel's League Pikes (V1) (VD-217): Melee 5✓, Magic 2. "
        "2 dice: 4 printed, −1 River (VD-297), +1 Support (VD-203)."
    )


@pytest.mark.parametrize(("count", "said"), [(1, "1 Unit stays Closed."), (2, "2 Units stay Closed.")])
def test_how_many_stay_closed_agrees_with_its_verb(count: int, said: str) -> None:
    told = _told(e.ArmyShown(Seat(0), (), count))
    assert told == f"Abel shows no Unit; {said}"
    german = language_of("vera_discordia", "de")
    assert german is not None
    assert german.text(told).endswith(f"{count} {'Einheit bleibt' if count == 1 else 'Einheiten bleiben'} verdeckt.")


@pytest.mark.parametrize(("face", "passed"), [(2, False), (3, True)])
def test_a_check_names_die_and_need(face: int, passed: bool) -> None:
    verb = "passes" if passed else "fails"
    told = _told(e.MoraleChecked(UnitId("u2"), "VD-214", passed, face))
    assert told == f"Doviso's Closed Unit (V1) {verb} the Disorganisation check (VD-214): rolled {face}, 3 needed."


def test_a_check_adds_its_parts_up() -> None:
    told = _told(e.MoraleChecked(UnitId("u1"), "VD-221", True, 3, (Part("VD-038", 1), Part("VD-324", -1, "Discord"))))
    assert told == (
        "Abel's League Pikes (V1) pass the Rout check (VD-221): "
        "rolled 3, +1 Bravery (VD-038), −1 Discord (VD-324): 3 in all, 3 needed."
    )


@pytest.mark.parametrize("face", [1, 6])
def test_a_natural_one_or_six_needs_no_sum(face: int) -> None:
    told = _told(e.MoraleChecked(UnitId("u1"), "VD-221", face == 6, face, (Part("VD-038", 1),)))
    assert told.endswith(f"(VD-221): a natural {face}.")


def test_verbs_agree_with_names() -> None:
    assert _told(e.AttackFailed(UnitId("u1"))) == "Abel's League Pikes (V1) have nothing to attack (VD-189)."
    assert _told(e.AttackFailed(UnitId("u2"))) == "Doviso's Closed Unit (V1) has nothing to attack (VD-189)."


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_told_last_of_a_lost_unit_names_it_and_not_its_order_alone(seed: int) -> None:
    """ "Its Attack order is discarded" was all that stood under the question when a Unit had been routed."""
    lost = with_order = 0
    after_a_loss = False
    for before, event, after in walk(GAME, vera(seed), Seat(0)):
        told = narrate(before, after, event, Seat(0))
        if isinstance(event, e.UnitDestroyed):
            lost += 1
            with_order += before.units[event.unit].order is not None
            assert ("The order there is discarded (VD-Q12)." in told) == (before.units[event.unit].order is not None)
            assert re.search(r"\([VR][1-4]\)", told)
        if isinstance(event, e.OrderDiscarded):
            assert (event.rule == "VD-Q12") == (after_a_loss and event.unit not in before.units)
            assert told == "" or event.unit in before.units
        after_a_loss = isinstance(event, e.UnitDestroyed)
    assert lost
    assert with_order


def test_a_marker_on_a_lost_unit_disappears() -> None:
    view = _view()
    charging = replace(view.units[UnitId("u1")], order=Held(OrderType.ATTACK, virtual=True))
    before = replace(view, units={**view.units, charging.id: charging})
    gone = replace(view, units={UnitId("u2"): view.units[UnitId("u2")]})
    lost = e.UnitDestroyed(charging.id, Seat(0), "VD-220", 2, 8)
    told = narrate(before, gone, lost, None)
    assert told == (
        "Abel's League Pikes (V1) are destroyed: Abel loses 2 Motivation, 8 left. The order there disappears (VD-Q12)."
    )
    german = language_of("vera_discordia", "de")
    assert german is not None
    assert german.text(told).endswith("Der Befehl dort verschwindet (VD-Q12).")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_closed_unit_keeps_its_name(seed: int) -> None:
    state = GAME.fold(vera(seed)[:1])
    watched = 0
    for full, (before, event, after) in zip(vera(seed)[1:], walk(GAME, vera(seed), None), strict=True):
        state = GAME.fold((full,), state)
        if not after.round:
            continue
        known = {unit_title(view, unit) for view in (before, after) for unit in view.units.values()}
        secret = {unit_title(state, unit) for unit in state.units.values() if not unit.open} - known
        told = narrate(before, after, event, None)
        watched += bool(secret)
        assert not any(re.search(rf"\b{title} \(", told) for title in secret), told
    assert watched, "there are Closed Units"


def test_every_decision_has_a_question_of_its_own() -> None:
    from projections.games.vera_discordia.words import QUESTIONS, waiting

    asked_kinds = set()
    for seed in SEEDS:
        for viewer in VIEWERS[1:]:
            for _, _, view in walk(GAME, vera(seed), viewer):
                for asked in view.asked:
                    if asked.seat == viewer:
                        asked_kinds.add(asked.kind)
                        assert VERA_FACE.question(view, asked).endswith(("?", ".")), asked.kind
                    else:
                        assert waiting(view, asked).endswith(".")
    assert len(asked_kinds) > 10
    assert set(QUESTIONS) <= {decision.__name__ for decision in GAME.spec.decisions}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_choice_has_words(seed: int) -> None:
    rng = random.Random(seed)
    for viewer in VIEWERS[1:]:
        for _, _, view in walk(GAME, vera(seed), viewer):
            for asked in view.asked:
                if asked.seat == viewer:
                    choice = GAME.revive_decision(asked).form(view).sample(rng.randrange)
                    words = VERA_FACE.option(view, asked, choice)
                    assert words
                    assert not re.search(r"[\[\]{}_=:]\S|\('|\(\)|\bu\d", words.replace(": ", " ")), words
                    fields = [str(getattr(choice, name)) for name in choice.__struct_fields__]
                    assert words != " ".join([type(choice).__name__, *fields])
