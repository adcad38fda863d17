"""Words of Joan of Arc: names of units, areas, sides and cards, questions, and the sentences for others."""

from collections.abc import Iterable
from typing import Any, Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.state.attack_events import LossesCounted
from domain.joan_of_arc.state.events import PointsScored, UnitsMoved, UnitWaited
from domain.joan_of_arc.state.queries import border_of, setting_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import Asked, Event
from projections.games.joan_of_arc.texts import dice_shown
from projections.words import join, player

View = JoanState
SIDES: Final = {"english": "the English", "french": "the French"}
PHASES: Final = {
    "setup": "Set-up",
    "council": "War council",
    "orders": "Orders",
    "reserve": "Reserve",
    "camp": "Camp",
}
PILES: Final = {
    "council": "The war council deck",
    "rounds": "The round deck",
    "legend": "The legend deck",
    "tactics": "The deck of tactical equipment",
    "myth": "The deck of mythical equipment",
}
QUESTIONS: Final = {
    "CouncilPick": "Which card of the war council do you take?",
    "OrderChoice": "Which order do you play, and where?",
    "NextAction": "Which action is resolved next?",
    "InterruptOffer": "Do you interrupt?",
    "WhoMoves": "Not all of them fit any longer: who moves?",
    "DiceAssignment": "Which die goes to which area?",
    "WreckChoice": "What is broken?",
    "FrightChoice": "Which attacker is frightened?",
    "RollEffects": "Do you change your roll?",
    "TokenDice": "Which dice are rolled again?",
    "ShieldSwallowing": "Does the swamp swallow a shield?",
    "ShieldChoice": "How many shields do you use?",
    "CancelledResults": "Which of the last kind of results do they cancel?",
    "ReturnedResults": "Which results strike back?",
    "StayOffer": "Who takes a wound and stays?",
    "PushDestination": "Whom do you push, and where to?",
    "MarchLength": "How far does the march go?",
    "ImpetuousChoice": "Not all who must follow up find room: who does?",
    "HillOffer": "Which die strikes back from the high ground?",
    "FollowUpChoice": "Who moves into the attacked area?",
    "RerollOffer": "Do you roll the die again?",
    "TerrorDice": "Which terror dice are rolled again?",
    "CollapseDice": "Which defence dice are rolled again?",
    "DoomChoice": "For whom is the doom die rolled next?",
    "LegendOffer": "Do you play a legend card?",
    "CharismaReroll": "Do you roll the die of the answer again?",
    "RallyPointMove": "Where does the rally point go?",
    "CardDice": "Which dice are rolled again?",
    "GrantChoice": "Which unit has the skill?",
    "CharacterChoice": "Which character does the card concern?",
    "PatientChoice": "Whom of the infirmary does the card help?",
    "AreaChoice": "In which area are units activated?",
    "UnitsChoice": "Which units are activated?",
    "EffectMove": "Whom does the card move, and where?",
    "EffectJump": "Who jumps, and where?",
    "FireChoice": "Where is the fire laid?",
}
OF_A_UNIT: Final = {
    "Upkeep": "Do you keep {unit} at level 2?",
    "Declaration": "What should {unit} do?",
    "TokenOffer": "Should {unit} take the reroll token back?",
    "StrideIn": "Should {unit} move into the attacked hex?",
    "DieChoice": "Which single die should {unit} roll?",
    "DodgeOffer": "Should {unit} dodge, and where to?",
    "GuardOffer": "Which result should {unit} take over?",
    "BatterChoice": "How many results should {unit} spend on the building?",
    "CaptureOffer": "Should {unit} be captured instead of destroyed?",
    "BreakthroughOffer": "Should {unit} ride on?",
    "RallyPlace": "Where should {unit} come back?",
    "RansomOffer": "Do you pay for {unit}?",
    "QuestionChoice": "What should {unit} ask?",
    "EquipmentLimit": "Which card should {unit} lay down?",
}
"""Questions about the unit that the terms name."""
WAITING: Final = {
    "CouncilPick": "chooses at the war council",
    "Upkeep": "decides on upkeep",
    "OrderChoice": "may play an order",
    "InterruptOffer": "may interrupt",
    "Declaration": "declares what units do",
    "NextAction": "chooses the next action",
    "LegendOffer": "may play a legend card",
    "ShieldChoice": "uses shields",
    "CancelledResults": "uses shields",
    "ReturnedResults": "chooses what strikes back",
    "ResultTaker": "gives results to units",
    "GuardOffer": "may let a bodyguard take a result over",
    "RollEffects": "may change the roll",
    "FollowUpChoice": "may follow up",
    "PushDestination": "chooses where a unit is pushed",
    "StayOffer": "decides on a push",
    "DoomChoice": "rolls doom dice",
    "RallyPlace": "places a unit that rallies",
    "RansomOffer": "may pay a ransom",
    "QuestionChoice": "asks a question",
}


def side_name(side: str | None) -> str:
    """A side: "the English"."""
    return SIDES.get(side or "", side or "nobody")


def plain_name(printed: str) -> str:
    """A card's name without the part in brackets after it."""
    return printed.partition(" (")[0]


def unit_name(view: View, id_: str) -> str:
    """A unit by its card, with its number if the match has several of its kind: "English Bowmen 2"."""
    unit = view.field.units.get(UnitId(id_))
    stem, _, number = id_.rpartition("#")
    if unit is None:
        return id_
    name = plain_name(setting_of(view).index.units[unit.card].name)
    alike = sum(other.rpartition("#")[0] == stem for other in view.field.units)
    if not stem:
        return f"{name} {id_}"
    return f"{name} {number}" if alike > 1 else name


def unit_ref(id_: str) -> str:
    """The name of a unit's piece in a Scene, where `#` stands for a place of a zone."""
    return id_.replace("#", ".")


def units_named(view: View, ids: Iterable[str]) -> str:
    """Several units; "nobody" for none."""
    return join([unit_name(view, id_) for id_ in ids]) or "nobody"


def area_name(view: View, id_: str) -> str:
    """An area by its terrain and place: "the hill 1,-1 b", "the church of 0,0", "the clouds above 1,0 a"."""
    area = setting_of(view).board.areas.get(AreaId(id_))
    if area is None:
        return id_
    alone = len(setting_of(view).board.hexes["sky" if area.level == "sky" else "ground"][area.hex]) == 1
    at = f"{area.hex[0]},{area.hex[1]}" + ("" if alone else f" {area.letter}")
    if area.building:
        return f"the {area.building.replace('_', ' ')} of {at}"
    what = (area.terrain or "area").replace("_", " ")
    return f"the {what} above {at}" if area.level == "sky" else f"the {what} {at}"


def areas_named(view: View, ids: Iterable[str]) -> str:
    """Several areas."""
    return join([area_name(view, id_) for id_ in ids]) or "nowhere"


def edge_name(name: str) -> str:
    """A hex edge: "edge 2 of 0,-1"."""
    (q, r), edge = border_of(name)
    return f"edge {edge} of {q},{r}"


def card_name(view: View, id_: str) -> str:
    """Any card by its name; round and discussion cards have no names, and are called by their kind."""
    index = setting_of(view).index
    for cards in (index.units, index.war_council, index.legend, index.equipment):
        if id_ in cards:
            return plain_name(cards[id_].name)
    if id_ in index.intrigue:
        return f"the intrigue card of {side_name(index.intrigue[id_].side)}"
    return id_


def cards_named(view: View, ids: Iterable[str]) -> str:
    """Several cards."""
    return join([card_name(view, id_) for id_ in ids])


def pile_name(view: View, pile: str) -> str:
    """A deck as the beginning of a sentence: "The legend deck", "The level 1 deck of the Priest"."""
    unit, colon, level = pile.partition(":")
    if colon:
        return f"The level {level} deck of the {card_name(view, unit)}"
    return PILES.get(pile, pile)


def named(view: View, event: Event) -> dict[str, str]:
    """The units that an event names, each with its ref."""
    return {unit_name(view, id_): unit_ref(id_) for id_ in _ids(view, event)}


def _ids(view: View, value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value in view.field.units else []
    if isinstance(value, tuple):
        return [id_ for each in value for id_ in _ids(view, each)]
    if hasattr(value, "__struct_fields__"):
        return [id_ for name in value.__struct_fields__ for id_ in _ids(view, getattr(value, name))]
    return []


def speaker(view: View, event: Event) -> int | None:
    """The seat of an event: the seat it names, or the owner of the units, plan, side or attack concerned.

    Two kinds of events belong to no seat: a unit that stays as declared, and the score for a loss, because the loss is
    the news.
    """
    match event:
        case PointsScored(side=side, rule="JA-246"):
            return next((seat for seat, each in enumerate(setting_of(view).sides) if each == side), None)
        case LossesCounted():
            return None if view.attack is None else view.attack.by
        case UnitWaited(rule="JA-089"):
            return None
    seat = getattr(event, "seat", None)
    if isinstance(seat, int):
        return seat
    about = getattr(event, "plan", event)
    ids = getattr(event, "units", ()) if isinstance(event, UnitsMoved) else (getattr(about, "unit", None),)
    unit = next((view.field.units[id_] for id_ in ids if id_ in view.field.units), None)
    return None if unit is None else unit.owner


def question(view: View, asked: Asked) -> str:
    """The question."""
    terms = asked.terms
    if asked.kind in OF_A_UNIT:
        return OF_A_UNIT[asked.kind].format(unit=unit_name(view, str(terms["unit"])))
    if asked.kind in {"RerollOffer", "CharismaReroll"} and view.roll is not None:
        return f"{view.roll.title}: {dice_shown(view.roll)}. {QUESTIONS[asked.kind]}"
    if asked.kind == "ResultTaker":
        back = " that strikes back" if terms["party"] == "retaliation" else ""
        return f"Who takes the {terms['die']['face']}{back}?"
    if asked.kind == "CommandTargets":
        return f"Whom should {unit_name(view, str(terms['commander']))} command?"
    return QUESTIONS.get(asked.kind, "What do you do?")


def waiting(view: View, asked: Asked) -> str:
    """The sentence that others see during an open question: one fixed sentence per kind of decision."""
    return f"{player(view, asked.seat)} {WAITING.get(asked.kind, 'decides')}."
