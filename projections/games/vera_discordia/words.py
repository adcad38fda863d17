"""Words of Vera Discordia: the names of Units, orders and places for one viewer."""

from typing import Final

from domain.kernel import Asked, Choice, Event, Hidden, Seat
from domain.vera_discordia.cards.cards import Ability, CardKey, OrderType, Terrain, UnitType
from domain.vera_discordia.rules.recruiting import recruits
from domain.vera_discordia.state.queries import cards_of
from domain.vera_discordia.state.state import AttackKind, Held, Space, Unit, VeraState
from projections.words import count, join, player

ORDER_NAMES: Final = {
    OrderType.ATTACK: "Attack",
    OrderType.MANEUVER: "Maneuver",
    OrderType.DEFENSE: "Defense",
    OrderType.SUPPORT: "Support",
    OrderType.TACTIC: "Tactic",
}
TERRAIN_NAMES: Final = {
    Terrain.PLAINS: ("Plains", "No effect"),
    Terrain.FOREST: ("Forest", "Indirect, Aerial −1 die"),
    Terrain.RIVER: ("River", "Direct −1 die"),
    Terrain.MOUNTAIN: ("Mountain", "Direct, Indirect −1 die"),
}
MORALE_WORDS: Final = {"VD-038": "Bravery", "VD-039": "Cowardice", "VD-041": "Tenacious"}
"""The abilities behind the parts of a Morale Check, by the row of the rules."""
ATTACK_NAMES: Final = {
    AttackKind.DIRECT: "Direct Attack",
    AttackKind.INDIRECT: "Indirect Attack",
    AttackKind.AERIAL: "Aerial Attack",
}


def ability_name(ability: Ability) -> str:
    """An ability's printed name."""
    special = {
        Ability.AFFINITY_FORESTS: "Affinity with Forests",
        Ability.AFFINITY_RIVERS: "Affinity with Rivers",
        Ability.AFFINITY_MOUNTAINS: "Affinity with Mountains",
    }
    return special.get(ability) or ability.value.capitalize()


def card_of(view: VeraState, card: CardKey) -> UnitType:
    """The printed values of a kind of Unit card."""
    return cards_of(view).types[card]


def space_name(space: Space) -> str:
    """A space in words."""
    return f"{'Vanguard' if space[0] == 'V' else 'Rearguard'} {space[1]}"


def unit_title(view: VeraState, unit: Unit) -> str:
    """The Unit's name, or that it is a Closed Unit."""
    if isinstance(unit.card, Hidden):
        return "Closed Unit"
    return card_of(view, unit.card).name


def own_name(view: VeraState, unit_id: str) -> str:
    """A Unit with its place, for texts that show its owner already; a destroyed Unit by its id."""
    unit = view.units.get(unit_id)  # type: ignore[call-overload]
    return f"Unit {unit_id}" if unit is None else f"{unit_title(view, unit)} ({unit.space})"


def unit_name(view: VeraState, unit_id: str) -> str:
    """A Unit with its owner and place; a destroyed Unit by its id."""
    unit = view.units.get(unit_id)  # type: ignore[call-overload]
    if unit is None:
        return f"Unit {unit_id}"
    return f"{player(view, unit.seat)}'s {own_name(view, unit_id).removeprefix('The ')}"


def _units_of(event: Event) -> list[str]:
    """The Units that an event is about."""
    units = [getattr(event, name) for name in ("unit", "attacker", "first", "second", "target") if hasattr(event, name)]
    several = [*getattr(event, "units", ()), *getattr(event, "about", ())]
    return [unit for unit in (*units, *several) if isinstance(unit, str)]


def named(view: VeraState, event: Event) -> dict[str, str]:
    """The names, long and short, that the sentence of an event may use for its Units."""
    units = [unit for unit in _units_of(event) if unit in view.units]
    return {name(view, unit): unit for unit in units for name in (unit_name, own_name)}


def speaker(view: VeraState, event: Event) -> int | None:
    """The seat of an event: the seat it names, or the owner of the Unit concerned."""
    seat = getattr(event, "seat", None)
    unit = view.units.get(next(iter(_units_of(event)), ""))  # type: ignore[call-overload]
    return seat if isinstance(seat, int) or unit is None else unit.seat


PLURAL_VERBS: Final = {"is": "are", "has": "have", "does": "do", "passes": "pass"}
SINGULAR_NAMES: Final = frozenset({"Chrysalis"})


def is_plural(view: VeraState, unit_id: str) -> bool:
    """Whether the Unit's name takes a plural verb."""
    unit = view.units.get(unit_id)  # type: ignore[call-overload]
    title = "" if unit is None else unit_title(view, unit)
    return title.endswith("s") and title not in SINGULAR_NAMES


def tell(view: VeraState, unit_id: str, predicate: str) -> str:
    """A sentence about a Unit. The predicate begins with a verb in the singular, which agrees with the name."""
    verb, space, rest = predicate.partition(" ")
    if is_plural(view, unit_id):
        verb = PLURAL_VERBS.get(verb) or verb.removesuffix("s")
    return f"{unit_name(view, unit_id)} {verb}{space}{rest}."


def units_named(view: VeraState, units: tuple[str, ...]) -> str:
    """Several Units of one owner."""
    return join([own_name(view, unit) for unit in units]) or "no Unit"


def order_name(order: OrderType | Hidden) -> str:
    """An order's name, or that it is face down."""
    return "face-down order" if isinstance(order, Hidden) else ORDER_NAMES[order]


def held_name(view: VeraState, seat: Seat, held: Held) -> str:
    """An order on a Unit, with the declared type of a Tactic."""
    name = order_name(held.type)
    declared = view.sides[seat].declared
    return f"{name} as {ORDER_NAMES[declared]}" if held.type == OrderType.TACTIC and declared else name


def cards_named(view: VeraState, cards: tuple[CardKey, ...]) -> str:
    """Kinds of Units with their numbers."""
    names = [card_of(view, card).name for card in cards]
    return join([f"{names.count(name)} {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names)])


QUESTIONS: Final = {
    "GeneralSelection": "Which General do you command?",
    "SecretSelection": "Which General do you choose in secret?",
    "OtherGeneral": "The lot gave your General to the other side. Whom do you take instead?",
    "Exchange": "Do you exchange the Units of one rank?",
    "TerrainExamination": "Which Terrain do you look at?",
    "Deployment": "Which Unit do you place, and where?",
    "Redeployment": "Which two Units exchange their spaces?",
    "DiamondStrategy": "Do you use your General's Strategy now? It can be used once a game.",
    "Shifting": "Which Unit moves one space?",
    "OrderIssue": "Which order goes to which Unit?",
    "LeftoverDisposal": "Which cards left over by Chaotic Units do you discard?",
    "OrderReturn": "Do you take an order back into your hand?",
    "OrderExecution": "Which Unit executes its order?",
    "TacticDeclaration": "Which order is your Tactic this round?",
    "InterceptionOffer": "Does a Unit Intercept the Aerial Attack?",
    "Mending": "Which Units regain life?",
    "Spying": "Which enemy orders do you examine?",
    "Reissuing": "Which Units get the top card of your deck?",
    "Sabotaging": "Which enemy Units must check or lose their orders?",
}


def question(view: VeraState, asked: Asked) -> str:
    """The question as a sentence, from public facts and facts that the seat may know."""
    kind, terms = asked.kind, asked.terms
    if kind == "ClosedSelection":
        return f"Which {count(terms['count'], 'Unit')} do you keep Closed?"
    unit = own_name(view, terms["unit"]) if terms.get("unit") else ""
    match kind:
        case "RageConversion":
            return f"Shall {unit}, Enraged, convert the order?"
        case "StarStrategy":
            return f"{unit}: the Tactic is executed. Do you use your General's Strategy?"
        case "ManeuverChoice":
            return f"{unit}: what does the Maneuver do?"
        case "AttackSelection":
            return f"How shall {unit} attack?"
        case "TargetSelection":
            return f"Whom shall {unit} attack?"
        case "SupportSelection":
            return f"Which Supports shall {unit} use?"
        case "Mastery":
            return f"{unit}: no die hit. Do you reroll all dice?"
        case "Counterattacking":
            return f"Shall {unit} strike back?"
    return QUESTIONS.get(kind, kind)


def waiting(view: VeraState, asked: Asked) -> str:
    """The sentence that others see while a seat decides: one fixed sentence per kind of decision."""
    who = player(view, asked.seat)
    acts = {
        "GeneralSelection": "chooses a General",
        "OtherGeneral": "takes another General",
        "Exchange": "may exchange Units",
        "Redeployment": "may exchange two Units' spaces",
        "DiamondStrategy": "may use the General's Strategy",
        "StarStrategy": "may use the General's Strategy",
        "Shifting": "moves a Unit one space",
        "LeftoverDisposal": "discards what Chaotic Units left over",
        "TacticDeclaration": "declares a Tactic",
        "ManeuverChoice": "chooses a Maneuver",
        "AttackSelection": "chooses how to attack",
        "TargetSelection": "chooses whom to attack",
        "SupportSelection": "chooses Supports",
        "Mastery": "may reroll the dice",
        "Counterattacking": "may strike back",
        "Mending": "chooses the Units that regain life",
        "OrderIssue": "is issuing orders in secret",
        "OrderReturn": "may take an order back",
        "ClosedSelection": "chooses the Closed Units in secret",
        "SecretSelection": "chooses a General in secret",
        "Deployment": "places a Unit",
        "OrderExecution": "chooses the Unit that executes its order",
        "InterceptionOffer": "decides about Interception",
        "TerrainExamination": "may look at Terrain",
    }
    return f"{who} {acts.get(asked.kind, 'decides')}."


def option(view: VeraState, asked: Asked, choice: Choice) -> str:
    """A choice in words."""
    c = choice
    name = type(choice).__name__
    field = {f: getattr(c, f) for f in c.__struct_fields__}
    unit = own_name(view, field["unit"]) if "unit" in field else ""
    if name == "StopExamining" and not any(key[0] == str(asked.seat) for key in view.looked):
        return "Look at no Terrain"
    simple = SIMPLE.get(name)
    if simple:
        return simple
    match name:
        case "ChooseGeneral":
            faction, general = cards_of(view).general(field["general"])
            return f"{general.name} of {cards_of(view).factions[faction].name}"
        case "ExchangeRank":
            return f"Exchange the {field['rank'].value.capitalize()} Units"
        case "Examine":
            return f"Column {field['column']}"
        case "Deploy":
            lead = ", with the General" if field["general"] else ""
            face = "Closed" if field["closed"] else "Open"
            return f"{card_of(view, field['card']).name} ({face}) to {space_name(field['space'])}{lead}"
        case "ExchangeSpaces" | "ShiftPair" | "ExchangeOrders":
            what = "exchange orders" if name == "ExchangeOrders" else "change places"
            return f"{own_name(view, field['first'])} and {own_name(view, field['second'])} {what}"
        case "ShiftUnit":
            return f"{unit} to {space_name(field['to'])}"
        case "Execute":
            held = view.units[field["unit"]].order
            return f"{unit}: {held_name(view, asked.seat, held)}" if held else unit
        case "TakeBack":
            held = view.units[field["unit"]].order
            return f"Take {held_name(view, asked.seat, held) if held else 'the order'} back from {unit}"
        case "ReclaimOrder":
            return f"Link: take the order of {unit} back to the hand"
        case "ExchangeCard":
            return f"Link: {ORDER_NAMES[field['card']]} from the hand for the order of {unit}"
        case "Declare":
            return ORDER_NAMES[field["type"]]
        case "Move":
            return f"Move to {space_name(field['to'])}"
        case "Castle":
            return f"Castle with {unit}{' by its Mobility' if field['mobility'] else ''}"
        case "AttackBy":
            return ATTACK_NAMES[field["kind"]]
        case "Target":
            return unit
        case "Intercept":
            as_type = f", the Tactic as {ORDER_NAMES[field['declare']]}" if field["declare"] else ""
            return f"{unit} Intercepts{as_type}"
        case "IssueOrders":
            return join([ORDER_NAMES[OrderType(o)] if o != "?" else "at random" for o in field["orders"]])
        case "CloseUnits" | "DiscardLeftovers" | "Designate" | "Support":
            return join([thing_name(view, asked.seat, thing) for thing in next(iter(field.values()))]) or "None"
        case "StrikeBack":
            return STRIKES.get(field["rule"], "Counterattack")
    return f"{name} {' '.join(str(v) for v in field.values())}".strip()


def thing_name(view: VeraState, seat: Seat, thing: str) -> str:
    """A Unit, an order in the hand (`attack:0`) or a recruit (`c3`) of a form, by its id."""
    if thing in view.units:
        return own_name(view, thing)
    kind, _, copy = thing.partition(":")
    if copy:
        return ORDER_NAMES[OrderType(kind)]
    return card_of(view, recruits(view, seat)[int(thing[1:]) - 1]).name


SIMPLE: Final = {
    "KeepArmy": "Keep the Units dealt",
    "StopExamining": "Look at no more Terrain",
    "StopExchanging": "No more exchanges",
    "UseStrategy": "Use the Strategy",
    "DeclineStrategy": "Not now",
    "StopShifting": "No more moves",
    "KeepOrders": "Keep the orders as they lie",
    "KeepOrder": "Execute the order as it is",
    "ConvertOrder": "Convert it",
    "DoNothing": "Do nothing",
    "Capture": "Capture the Terrain",
    "StopIntercepting": "No Interception",
    "Reroll": "Reroll all dice",
    "Stand": "Let the roll stand",
    "HoldBack": "Do not strike back",
}
STRIKES: Final = {
    "VD-349": "Convert the order and strike back (Rage)",
    "VD-355": "Strike back by Riposte, 2 dice less",
    "VD-317": "Strike back (Chaos)",
}
