"""Positions of War for Edaðh as text (docs/scenarios.md): read, shown, and as a viewer knows them."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.commons.notation import FILL, Fields, check_keys, convert, one_of, tables, texts_in, words_of
from domain.commons.rows import BOTH, put
from domain.commons.sealed import seen_answers
from domain.commons.starts import by_name, read_start
from domain.kernel import HIDDEN, Frame, Hidden, Procedure, Seat
from domain.war_for_edadh.cards.cards import (
    SHIPPED,
    BattleMaster,
    CardSet,
    CombatMaster,
    Row,
    Standard,
    Stratagem,
    TerrainCard,
    TroopCard,
    index_of,
)
from domain.war_for_edadh.checks.invariants import invariants
from domain.war_for_edadh.positions.figures import figures
from domain.war_for_edadh.rules.blows import Blows
from domain.war_for_edadh.rules.combat import Combat
from domain.war_for_edadh.rules.discarding import Removing
from domain.war_for_edadh.rules.duration import Duration
from domain.war_for_edadh.rules.end_of_duration import EndOfDuration
from domain.war_for_edadh.rules.match import Match
from domain.war_for_edadh.rules.round import Round
from domain.war_for_edadh.state.options import Options
from domain.war_for_edadh.state.queries import cards_of, ready_armies
from domain.war_for_edadh.state.state import Columns, Ground, InPlay, RoundState, Side, Troop, TroopId, Under, WarState

SIDES: Final = ("seat0", "seat1")
DEFAULT_COLUMNS: Final = (
    [["A1 DZ01", "A4 DZ02"], ["A2 DZ01", "A5 DZ02"], ["A3 DZ01", "A6 DZ02"]],
    [["B1 AN01", "B4 AN02"], ["B2 AN01", "B5 AN02"], ["B3 AN01", "B6 AN02"]],
)
"""WE-053: the quick start."""
FACTIONS: Final = ("Dzaa Empire", "Ang Rebels")
READ_APART: Final = ("columns", "support", "in_play", "army", "pile", "instant", "removed", "retired", FILL)
LISTED: Final = ("pile", "removed", "retired", "instant", "in_play")
SIDE_KEYS: Final = (*(name for name in Side.__struct_fields__ if name not in {"selection", "shown"}), FILL)
TABLE: Final = (
    *("combat", "duration", "position", "rounds", "larger", "helpers", "movement", "retreats", "sent_back"),
    *("fresh_again", "rows", "set_aside"),
)
PLAYED: Final = {"range": 1, "ballistic": 2}
"""WE-057: the default number of Durations at Ballistic that a position has had, this one included."""
OWN_CARDS: Final = ("troops", "masters", "battle_masters", "standards", "stratagems", "terrains")
KEYS: Final = (*TABLE, "start", "with", "ground", "round", *OWN_CARDS, *SIDES)
STARTS: Final = by_name(Match, Combat, Duration, Round, Blows, EndOfDuration, Removing)
PLAIN_ROW: Final = {
    "ml": 2,
    "mp_bonus": 2,
    "guard_value": 0,
    "guard_penetration": 2,
    "att": 6,
    "att_dmg": 8,
    "def": 5,
    "def_dmg": 4,
    "cb": 0,
}
"""The default values of a player's own Troop at every level."""
PLAIN_TROOP: Final = {
    "faction": FACTIONS[0],
    "species": "own",
    "type": "i",
    "rarity": 1,
    "cost": 4,
    "level": 1,
    "psy": 3,
    "speed": 4,
    "power": 10,
    "dv": 11,
    "elements": ["land"],
}

PLAIN_MASTER: Final = {"faction": FACTIONS[0], "mastery_level": 3, "cost": 5, "dv": 11, "combat_tactics": 2}
PLAIN_BATTLE_MASTER: Final = {"faction": FACTIONS[0], "mastery_level": 3, "cost": 5, "dv": 11}
PLAIN_STANDARD: Final = {"faction": FACTIONS[0], "level": 1, "cost": 1}
PLAIN_STRATAGEM: Final = {
    "cost": 1,
    "proficiency": "battle",
    "levels": ["ballistic", "charge", "melee"],
    "counterable": False,
    "x": False,
    "secondary": False,
    "common": False,
    "flags": ["sun", "moon", "wolf", "tower"],
}
"""The default values of a player's own Stratagem, which always states its effects."""
OWN_KINDS: Final[dict[str, type[Any]]] = {
    "masters": CombatMaster,
    "battle_masters": BattleMaster,
    "standards": Standard,
    "stratagems": Stratagem,
    "terrains": TerrainCard,
}

SAMPLE: Final[Fields] = {"round": {"chosen": ["A1", "B1"]}}


class WarPositions:
    """The notation; implements `domain.kernel.SeenPositions` and `Figured`."""

    sample: Fields = SAMPLE

    def read(self, given: Fields, options: Fields) -> tuple[WarState, Procedure]:
        """The state and the procedure it starts with. Raises `ValueError` with the place and the values allowed."""
        check_keys("position", given, KEYS)
        agreed = convert("options", options, Options)
        cards = _own_cards(agreed.cards or SHIPPED, given)
        wrong = agreed.defects(index_of(cards))
        if wrong:
            raise ValueError(f"options: {wrong[0]}")
        if cards is not SHIPPED:
            agreed = replace(agreed, cards=cards)
        state = _read_table(WarState(options=agreed, begun=True), given)
        for seat in BOTH:
            early = str(given.get("start")) in {"Match", "Combat"}
            state = _read_side(state, seat, given.get(SIDES[seat], {}), early)
        faults = list(invariants(state))
        if faults:
            raise ValueError(f"it is no position of the game: {faults[0]}")
        name = str(given.get("start", "Round"))
        procedure = read_start(STARTS, name, given.get("with", {}), _parameters(state, name))
        _assert_number(state, procedure)
        return replace(state, stack=_around(state, name)), procedure

    def show(self, state: WarState) -> Fields:
        """The position as plain data that scenarios compare: the table, the round, both sides by key, flipped cards."""
        table: Fields = {name: getattr(state, name) for name in TABLE}
        table["ground"] = None if state.ground is None else state.ground.code
        table["round"] = msgspec.structs.asdict(state.round)
        table["flipped"] = frozenset(troop.id for troop in state.troops.values() if troop.flipped)
        table["terrain_deck"] = state.terrain_deck
        for seat in BOTH:
            side = msgspec.structs.asdict(state.sides[seat])
            side["in_play"] = [lying.code for lying in state.sides[seat].in_play]
            army = state.sides[seat].army
            side["army"] = army if army is None or isinstance(army, Hidden) else army.name
            table[SIDES[seat]] = side
        return table

    def view(self, state: WarState, viewer: Seat | None) -> WarState:
        """The position as a seat, or a spectator (None), knows it (ledger section V)."""
        built = state.duration > 0 and state.options.stratagems
        first, second = (_see(side, seat == viewer, built=built) for seat, side in enumerate(state.sides))
        deck = HIDDEN if state.terrain_left else state.terrain_deck
        return replace(
            state, sides=(first, second), answered=seen_answers(state, viewer), terrain_deck=deck, stack=HIDDEN
        )

    def names(self, state: WarState) -> Mapping[str, Collection[Any]]:
        """Ends of Mastery Cards, columns, Troops, cards and armies."""
        index = cards_of(state)
        troops = dict.fromkeys(state.troops)
        fields: dict[str, Collection[Any]] = dict.fromkeys(("troop", "helper", "first", "second", "troops"), troops)
        listed = {*texts_in(index.cards), *(army.name for army in ready_armies(state))}
        return fields | {"cv": sorted(index.ends), "column": range(1, 4), "": listed}

    def figures(self, state: WarState) -> Fields:
        """The players' halves of the Terrain, and the stats of the Troops."""
        return figures(state)


POSITIONS: Final = WarPositions()


def _see(side: Side, own: bool, *, built: bool) -> Side:
    """WE-278, WE-279, WE-283: the other side's army, selection, deck and Holding cards.

    Once the decks are `built`, deck and Holding cards are hidden even while there are none.
    """
    if own:
        return side
    return replace(
        side,
        army=HIDDEN if side.army is not None else None,
        selection=HIDDEN if side.selection is not None else None,
        deck=HIDDEN if side.deck_size or built else side.deck,
        holding=HIDDEN if side.holding_count or built else side.holding,
    )


def _own_cards(base: CardSet, given: Fields) -> CardSet:
    """Cards of the scenario's own, by code, each merged over a plain one."""
    grass = msgspec.to_builtins(next(card for card in base.terrain if card.symbol == "grass"))
    plain: dict[str, Fields] = {
        "masters": PLAIN_MASTER,
        "battle_masters": PLAIN_BATTLE_MASTER,
        "standards": PLAIN_STANDARD,
        "stratagems": PLAIN_STRATAGEM,
        "terrains": {**grass, "symbol": None},
    }
    own = {"troops": _read_own("troops", given, TroopCard, _own_troop)}
    for place, usual in plain.items():
        own[place] = _read_own(place, given, OWN_KINDS[place], partial(_over, usual))
    fields = {"masters": "combat_masters", "terrains": "terrain"}
    added = {fields.get(place, place): cards for place, cards in own.items() if cards}
    return replace(base, **{name: (*getattr(base, name), *cards) for name, cards in added.items()}) if added else base


def _read_own(place: str, given: Fields, kind: type[Any], whole: Callable[[str, Fields], Fields]) -> tuple[Any, ...]:
    own = tables(place, given.get(place, {}))
    return tuple(convert(f"{place}.{code}", whole(code, dict(fields)), kind) for code, fields in own.items())


def _over(usual: Fields, code: str, fields: Fields) -> Fields:
    """A card's fields over those of a plain one; `name` and `title` are its code."""
    named = "title" if usual is PLAIN_STANDARD else "name"
    return {**usual, "code": code, named: code, **fields}


def _own_troop(code: str, fields: Fields) -> Fields:
    """`row` gives the same stats at all three levels; `att = 0` stands for *(5)."""
    row = {**PLAIN_ROW, **check_keys(f"troops.{code}.row", fields.pop("row", {}), (*PLAIN_ROW, *Row.__struct_fields__))}
    if row["att"] == 0:
        row = {key: value for key, value in row.items() if key not in {"att", "att_dmg"}}
    rows = dict.fromkeys(("ballistic", "charge", "melee"), row)
    return {**PLAIN_TROOP, "code": code, "name": code, "rows": rows, **fields}


def _read_table(state: WarState, given: Fields) -> WarState:
    defaults: Fields = {"combat": 1, "duration": 1, "position": "range", "rounds": 3}
    fields = {name: value for name, value in {**defaults, **given}.items() if name in TABLE}
    read = convert("position", {"options": state.options, **fields}, WarState)
    fields = {name: getattr(read, name) for name in fields}
    if fields["position"] in PLAYED:
        fields.setdefault("sent_back", fields["duration"] - PLAYED[fields["position"]])
    ground = given.get("ground", "TE05")
    table = {"code": ground} if isinstance(ground, str) else check_keys("ground", ground, ("code", "turned", "under"))
    one_of("ground", table.get("code"), index_of(state.options.cards).terrain)
    under = convert("ground.under", table.get("under", []), tuple[Under, ...])
    laid = Ground(str(table["code"]), convert("ground.turned", table.get("turned", False), bool), under)
    rounds = convert("round", given.get("round", {}), RoundState)
    return replace(state, ground=laid, round=rounds, **fields)


def _read_side(state: WarState, seat: Seat, given: Fields, early: bool) -> WarState:
    where = SIDES[seat]
    standing = ([[], [], []],) * 2 if early else DEFAULT_COLUMNS
    check_keys(where, given, SIDE_KEYS)
    listed = {key: convert(f"{where}.{key}", given.get(key, []), list[str]) for key in LISTED}
    side = convert(where, {key: value for key, value in given.items() if key not in READ_APART}, Side)
    troops: dict[TroopId, Troop] = dict(state.troops)
    columns = _read_columns(where, _filled(given, standing[seat], seat), seat, troops, state)
    support = _read_columns(where, given.get("support", [[], [], []]), seat, troops, state)
    piles = {
        name: tuple(_read_troop(where, text, seat, troops, state) for text in listed[name])
        for name in ("pile", "removed", "retired")
    }
    deck = tuple(side.deck) if not isinstance(side.deck, Hidden) else ()
    holding = tuple(side.holding) if not isinstance(side.holding, Hidden) else ()
    armies = {army.name: army for army in ready_armies(state)}
    army = armies[one_of(f"{where}.army", given["army"], armies)] if "army" in given else None
    side = replace(
        side,
        **piles,
        army=army,
        chosen=army is not None,
        faction=side.faction or FACTIONS[seat],
        columns=columns,
        support=support,
        instant=tuple(TroopId(one_of(f"{where}.instant", troop, piles["pile"])) for troop in listed["instant"]),
        in_play=tuple(_read_lying(where, text, state) for text in listed["in_play"]),
        deck=deck,
        deck_size=len(deck),
        holding=holding,
        holding_count=len(holding),
    )
    return replace(state, sides=put(state.sides, seat, side), troops=troops)


def _filled(given: Fields, standing: Any, seat: int) -> Any:
    """The columns as written; if a side has a filler, each column without a Troop gets one filler Troop."""
    columns = given.get("columns", [] if FILL in given else standing)
    if FILL not in given or not isinstance(columns, list):
        return columns
    named = (*columns, *([] for _ in range(3 - len(columns))))
    return [column or [f"{seat}c{number} {given[FILL]}"] for number, column in enumerate(named, 1)]


def _read_columns(where: str, given: Any, seat: Seat, troops: dict[TroopId, Troop], state: WarState) -> Columns:
    if not isinstance(given, list) or len(given) != 3 or not all(isinstance(each, list) for each in given):
        raise ValueError(f"{where}: three columns are needed, from the player's own left, each a list, not {given!r}")
    first, second, third = (tuple(_read_troop(where, text, seat, troops, state) for text in each) for each in given)
    return first, second, third


def _read_troop(where: str, text: object, seat: Seat, troops: dict[TroopId, Troop], state: WarState) -> TroopId:
    """`A1 DZ01 flipped`: a name for choices and events, the card, and whether it is flipped."""
    words = words_of(where, text)
    if not 2 <= len(words) <= 3 or words[2:] not in ([], ["flipped"]):
        raise ValueError(f"{where}: {text!r}: write a name, a code and perhaps `flipped`, such as 'A1 DZ01 flipped'")
    troop = TroopId(words[0])
    if troop in troops:
        raise ValueError(f"{where}: {troop} stands there twice")
    one_of(where, words[1], index_of(state.options.cards).troops)
    troops[troop] = Troop(troop, seat, words[1], len(words) == 3)
    return troop


def _read_lying(where: str, text: str, state: WarState) -> InPlay:
    """`SG04` has been In Play since before this Duration; `SG04@2` since Duration 2."""
    code, _, since = text.partition("@")
    if since and not (since.isascii() and since.isdecimal() and len(since) < 4):
        raise ValueError(f"{where}: {text!r}: write a Stratagem such as 'SG04', or 'SG04@2' since Duration 2")
    return InPlay(one_of(where, code, index_of(state.options.cards).stratagems), int(since or 0))


def _parameters(state: WarState, name: str) -> Fields:
    """The parameters of the procedure where the position names none."""
    numbers = {"Round": state.round.number + 1, "Combat": state.combat}
    return {"number": numbers[name]} if name in numbers else {}


def _assert_number(state: WarState, procedure: Procedure) -> None:
    """Check that a combat, Duration or round can exist. Raises `ValueError`."""
    played = state.round.number
    bounds = {"Combat": (1, 3), "Duration": (played, played), "Round": (1, state.rounds)}
    number, (least, most) = getattr(procedure, "number", 0), bounds.get(type(procedure).__name__, (0, 0))
    if not least <= number <= most:
        why = "; so many rounds are played as round = { number } says" if isinstance(procedure, Duration) else ""
        raise ValueError(f"with.number: {number}; allowed: {f'{least} to {most}' if least < most else least}{why}")


def _around(state: WarState, name: str) -> tuple[Frame, ...]:
    """The procedures around the one that a position starts with, outermost first."""
    number = state.round.number
    match = Frame("Match", "WE-260", {})
    combat = Frame("Combat", "WE-155", {"number": state.combat})
    rounds = Frame("Duration", "WE-105", {"number": number + 1})
    last = Frame("Duration", "WE-155", {"number": state.rounds})
    around: dict[str, tuple[Frame, ...]] = {
        "Match": (),
        "Combat": (match,),
        "Duration": (match, combat),
        "Round": (match, combat, rounds),
        "Blows": (match, combat, Frame("Duration", "WE-105", {"number": number}), _round(number)),
        "EndOfDuration": (match, combat, last),
        "Removing": (match, combat, last, Frame("EndOfDuration", "WE-187", {"order": [0, 1]})),
    }
    return around[name]


def _round(number: int) -> Frame:
    return Frame("Round", "WE-171", {"number": number})
