"""Why a bot moved: facts of the view before it, nothing that is hidden, silence where a move speaks for itself."""

from typing import Any

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.state.attack_events import AttackDeclared
from domain.joan_of_arc.state.events import ActionDeclared, OrderPlayed, WarCouncilChosen
from domain.joan_of_arc.state.state import JoanState, Plan, UnitId
from domain.kernel import Seat
from projections.games.joan_of_arc import FACE
from projections.games.joan_of_arc.reasons import reason
from tests.domain.joan_of_arc.table import given
from tests.projections.games.joan_of_arc.matches import steps

L1, L2 = AreaId("1,0:a"), AreaId("2,0:a")
VICTORY: dict[str, Any] = {
    "destroyed": {"troop": {"vp": 1}, "character": {"vp": 3}, "civilian": {}},
    "camp": [{"if": {"area_held": L2}, "vp": 1}],
    "final": {"most": "vp", "tie": "P1"},
}


def table(enemy: str, **more: Any) -> JoanState:
    units = ["e1: e_billmen @L1", "e2: e_billmen @L1", "k1: e_knights @L0"]
    return given(seat0={"units": units}, seat1={"units": [enemy]}, **more).state


def attack(*units: str, defenders: tuple[str, ...] = ("f1",), kind: Any = "melee") -> AttackDeclared:
    starts = tuple((UnitId(unit), L1) for unit in units)
    return AttackDeclared(Seat(0), kind, L2, starts, tuple(UnitId(each) for each in defenders))


def test_an_attack_is_for_what_scores_then_for_characters_then_by_its_dice() -> None:
    named, plain = table("f1: f_la_hire @L2"), table("f1: f_voulgiers @L2")
    scored = table("f1: f_la_hire @L2", victory=VICTORY)
    assert "scores" in reason(scored, attack("e1"))
    assert "La Hire" in reason(named, attack("e1"))
    assert reason(plain, attack("e1", "e2")) == "Why: 2 dice against 1."
    assert reason(plain, attack("e1")) == ""


def test_who_goes_to_what_scores_or_stays_there_is_told() -> None:
    for at, plan in [("L1", Plan(UnitId("e1"), "move", (L2,))), ("L2", Plan(UnitId("e1"), "wait"))]:
        seats: dict[str, Any] = {
            "seat0": {"units": [f"e1: e_billmen @{at}"]},
            "seat1": {"units": ["f1: f_knights @L4"]},
        }
        event = ActionDeclared(plan)
        assert "scores" in reason(given(victory=VICTORY, **seats).state, event)
        assert reason(given(**seats).state, event) == ""
        assert FACE.speaker(given(**seats).state, event) == 0, "it is said of whose unit it is"


def test_a_card_of_the_council_is_for_what_its_orders_do() -> None:
    view = table("f1: f_voulgiers @L2")
    assert "charge" in reason(view, WarCouncilChosen(Seat(0), "wc_spurs"))
    assert reason(view, WarCouncilChosen(Seat(1), "wc_spurs")) == "", "it has nobody who charges"
    assert "area" in reason(view, WarCouncilChosen(Seat(1), "wc_muster"))
    assert reason(view, OrderPlayed(Seat(0), "command", L1)) == ""


def test_reasons_are_sentences_and_found_in_a_match() -> None:
    told = [FACE.reason(before, event) for before, event, _ in steps(0, Seat(0))]
    assert all(not why or (why.startswith("Why: ") and why.endswith(".") and "#" not in why) for why in told)
    assert len([why for why in told if why]) > 5
