"""Positions of Joan of Arc as text (docs/scenarios.md): read, shown, and as a viewer knows them."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final, get_args

from msgspec import Meta
from msgspec.structs import asdict, replace

from domain.commons.notation import Fields, check_keys, convert, one_of, tables, texts_in
from domain.commons.sealed import seen_answers
from domain.commons.starts import read_start
from domain.joan_of_arc.board.maps import TileName
from domain.joan_of_arc.board.scenarios import (
    FinalVictory,
    OrdersHeld,
    Player,
    Resources,
    Reward,
    Rewards,
    Scenario,
    Victory,
)
from domain.joan_of_arc.board.table import BARE, EdgeStanding, laid_out
from domain.joan_of_arc.board.terrain import Element
from domain.joan_of_arc.cards.cards import index_of
from domain.joan_of_arc.checks.invariants import invariants
from domain.joan_of_arc.checks.scenario_checks import option_defects
from domain.joan_of_arc.positions.boards import LYING, Ground, ground_of
from domain.joan_of_arc.positions.figures import figures
from domain.joan_of_arc.positions.notation import (
    BOARD,
    order_of,
    read_board,
    read_piles,
    read_unit,
    say_board,
    say_pile,
    say_unit,
    units_by_id,
)
from domain.joan_of_arc.positions.starts import PHASES, STARTS, around
from domain.joan_of_arc.rules.phases.setup import decks_of
from domain.joan_of_arc.rules.phases.turn import Turn
from domain.joan_of_arc.state.evolve_state import with_field
from domain.joan_of_arc.state.options import Options, scenario_of
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState, Phase, PlayerBoard, Unit
from domain.kernel import HIDDEN, Procedure, Seat

SEATS: Final = ("seat0", "seat1", "seat2", "seat3")
TABLE: Final = ("phase", "round", "turn", "played")
KEYS: Final = (
    *("start", "with", "map", "areas", "edges", "sky", "placed", "river", "scores", "rallies", "decks", "discards"),
    *("civilians", "victory", "rules", "speakers", *TABLE, *SEATS),
)
SIDE_KEYS: Final = ("units", *BOARD)
REWARDS: Final = Rewards(troop=Reward(vp=1), character=Reward(vp=3, xp=1), civilian=Reward())
"""Ledger 0.2: the reward for destroying units in positions."""
ROUNDS: Final = tuple(f"round_{letter}" for letter in "abcdefgh")


AREA_FIELDS: Final = ("area", "areas", "path", "target", "start", "end", "attacked", "moved_to", "moved")
"""Fields of choices and events that name areas."""
UNIT_FIELDS: Final = (
    *("unit", "units", "civilian", "passenger", "other", "to", "carrier", "commander"),
    *("charged", "defenders", "giants", "smooth"),
)
"""Fields of choices and events that name units."""
NUMBERED: Final = 40
"""The number of dice and results that may be named by their numbers."""
MostElements = Annotated[int, Meta(ge=0, le=20)]
KINDS: Final[dict[str, Any]] = {"damage": int, "rubble": bool, "barricade": str}
"""The fields of an area's contents besides elements and fire, and their types."""
SAMPLE: Final[Fields] = {
    "map": "line",
    "areas": {"L1": {"terrain": "village", "building": "church", "elements": {"tree": 1}}},
    "edges": {"L1-L2": "stakes english"},
    "rallies": {"english": ["L0"]},
    "scores": {"english": 1},
    "placed": {"L0": ["command"]},
    "seat0": {"units": ["bp: e_black_prince_1 @L0 wounds:1 +em_relic discussed"], "hand": ["lt_volley"]},
    "seat1": {"units": ["f1: f_voulgiers disrupted sent_by:0", "j: f_joan_1 captive captor:0"]},
}


class JoanPositions:
    """The notation; implements `domain.kernel.SeenPositions` and `Figured`."""

    sample: Fields = SAMPLE

    def read(self, given: Fields, options: Fields) -> tuple[JoanState, Procedure]:
        """The state and the procedure it starts with. Raises `ValueError` with the place and the values allowed."""
        check_keys("position", given, KEYS)
        agreed = convert("options", options, Options)
        for wrong in option_defects(agreed):
            raise ValueError(f"options: {wrong}")
        areas = tables("areas", given.get("areas", {}))
        if options.get("scenario") or options.get("seats") or options.get("own"):
            ground = _ground_agreed(agreed, given, areas)
        else:
            ground = ground_of(given.get("map", "line")).furnish(areas)
            agreed = replace(agreed, own=_scenario(ground, given))
        start = one_of("start", given.get("start", "Turn"), STARTS)
        state = _table(JoanState(options=agreed, boards=(), begun=True), given, ground, areas)
        phase = one_of("phase", given.get("phase", PHASES.get(start, "orders")), get_args(Phase))
        state = replace(state, phase=phase, round=convert("round", given.get("round", int(phase != "setup")), int))
        faults = list(invariants(state))
        if faults:
            raise ValueError(f"it is no position of the game: {faults[0]}")
        procedure = read_start(STARTS, start, given.get("with", {}), {"seat": setting_of(state).order[0]})
        if isinstance(procedure, Turn) and procedure.seat not in setting_of(state).seats:
            raise ValueError(f"with.seat: there is no seat {procedure.seat}; there are {len(state.boards)}, from 0")
        return replace(state, stack=around(state, procedure)), procedure

    def show(self, state: JoanState) -> Fields:
        """The position as scenarios compare it, as plain data: the table, units, areas, player boards, decks."""
        ground = _ground_of(state)
        shown: Fields = {name: getattr(state, name) for name in TABLE}
        shown |= {"scores": state.scores, "river": list(state.river), "sky": list(state.sky)}
        shown["rallies"] = {side: [ground.say(area) for area in at] for side, at in state.rallies.items()}
        shown["placed"] = {ground.say(area): list(orders) for area, orders in state.placed.items()}
        shown["units"] = {unit.id: say_unit(unit, ground) for unit in state.field.units.values()}
        shown["areas"] = {ground.say(area): asdict(lying) for area, lying in state.field.lying.items()}
        shown["edges"] = {
            edge: f"{found.feature} {found.side or ''}".strip() for edge, found in state.field.edges.items()
        }
        shown["decks"] = {name: say_pile(pile) for name, pile in state.piles.items()}
        shown["acting"] = [asdict(each) for each in state.activations]
        return shown | {name: say_board(board) for name, board in zip(SEATS, state.boards, strict=False)}

    def view(self, state: JoanState, viewer: Seat | None) -> JoanState:
        """The position as a seat, or a spectator (None), knows it (section AB)."""
        boards = tuple(_see(board, seat == viewer) for seat, board in enumerate(state.boards))
        piles = {name: replace(pile, cards=HIDDEN if pile.left else ()) for name, pile in state.piles.items()}
        back = HIDDEN if state.talk_card and viewer != state.reader else state.talk_back  # JA-397, JA-398
        answered = seen_answers(state, viewer)
        return replace(state, boards=boards, piles=piles, talk_back=back, answered=answered, stack=HIDDEN)

    def names(self, state: JoanState) -> Mapping[str, Collection[Any]]:
        """Areas, units and cards."""
        setting = setting_of(state)
        areas = [*setting.board.areas, *(area for area in _ground_of(state).short)]
        fields: dict[str, Collection[Any]] = dict.fromkeys(AREA_FIELDS, areas)
        fields |= dict.fromkeys(UNIT_FIELDS, state.field.units)
        return fields | {"": {*texts_in(setting.index.cards), *areas, *state.field.units, *map(str, range(NUMBERED))}}

    def spelled(self, state: JoanState, field: str, word: str) -> str:
        """`L2` and `L2/church` as areas' ids, and `L1-L2` as an edge's."""
        ground = _ground_of(state)
        if field in AREA_FIELDS:
            around, slash, building = word.partition("/")
            return f"{ground.short[around]}{slash}{building}" if around in ground.short else word
        return ground.edge(field, word) if field == "edge" and word.count("-") == 1 and "/" not in word else word

    def figures(self, state: JoanState) -> Fields:
        """Room and neighbours of areas; dice, HPs left and reach of units."""
        return figures(state, _ground_of(state))


POSITIONS: Final = JoanPositions()


def _see(board: PlayerBoard, own: bool) -> PlayerBoard:
    """JA-392, JA-399: the hand and the intrigue card of another."""
    if own:
        return board
    return replace(
        board,
        hand=HIDDEN if board.hand_size else (),
        intrigue_card=HIDDEN if board.holds_intrigue else "",
    )


def _ground_agreed(agreed: Options, given: Fields, areas: dict[str, Fields]) -> Ground:
    """The map of the options' scenario. Raises `ValueError` if the position names it too."""
    for key in ("map", "rules", "victory", "speakers"):
        if key in given:
            raise ValueError(f"{key}: the options name a scenario, which says it; leave one of them out")
    for name, fields in areas.items():
        check_keys(f"areas.{name}", fields, LYING)
    found = scenario_of(agreed).ground()
    assert found is not None, "a scenario that was checked has its map"
    return Ground(found)


def _ground_of(state: JoanState) -> Ground:
    return Ground(setting_of(state).ground)


def _seated(given: Fields) -> tuple[str, ...]:
    """The seats of a position: two, or as many as it names; they play the sides alternately (JA-037)."""
    named = [at for at, name in enumerate(SEATS, 1) if name in given]
    return SEATS[: max([2, *named])]


def _scenario(ground: Ground, given: Fields) -> Scenario:
    """Ledger 0.2: P1 is English and first player, P2 is French; VP as in all cases, other victory as `victory` says."""
    victory = Victory(REWARDS, FinalVictory("vp", "P1"))
    if "victory" in given:
        own = check_keys("victory", given["victory"], Victory.__struct_encode_fields__)
        victory = convert("victory", {"destroyed": REWARDS, "final": victory.final, **own}, Victory)
    none = Resources(0, 0, 0, 0, 0, OrdersHeld())
    names = [f"P{at}" for at, _ in enumerate(_seated(given), 1)]
    cards = convert("speakers", given.get("speakers", ["c_priest", "c_blacksmith"]), list[str])
    speakers = tuple((one_of("speakers", card, index_of(None).units), "0,0:a", 1) for card in cards)
    return Scenario(
        id="position",
        name="Position",
        players=tuple(Player(name, "french" if at % 2 else "english") for at, name in enumerate(names)),
        first_player="P1",
        rounds=ROUNDS,
        legend_types=("T", "M"),
        map=ground.map,
        rally_points={},
        units=(),
        civilians=speakers,
        resources=dict.fromkeys(names, none),
        victory=victory,
        options=convert("rules", given.get("rules", {}), type(scenario_of(Options()).options)),
    )


def _table(state: JoanState, given: Fields, ground: Ground, areas: dict[str, Fields]) -> JoanState:
    """Units, boards, decks and the contents of the board."""
    state = replace(state, sky=convert("sky", given.get("sky", []), tuple[TileName, ...]))
    setting = setting_of(state)
    units: list[Unit] = []
    boards: list[PlayerBoard] = []
    for seat, name in enumerate(SEATS[: len(setting.seats)]):
        side = check_keys(name, given.get(name, {}), SIDE_KEYS)
        listed = convert(f"{name}.units", side.get("units", []), list[str])
        units += [read_unit(f"{name}.units", text, Seat(seat), ground, setting.index) for text in listed]
        boards.append(read_board(name, side, setting.index))
    neutral = convert("civilians", given.get("civilians", []), list[str])
    units += [read_unit("civilians", text, None, ground, setting.index) for text in neutral]
    river = convert("river", given.get("river", []), tuple[str, ...])
    for card in river:
        one_of("river", card, setting.index.war_council)
    state = replace(state, boards=tuple(boards), river=river)
    state = with_field(state, units=units_by_id(units), **_lying(state, given, ground, areas))
    state = replace(
        state,
        scores=convert("scores", given.get("scores", {}), dict[str, int]),
        played=convert("played", given.get("played", 0), int),
        turn=None if given.get("turn") is None else Seat(convert("turn", given["turn"], int)),
        rallies={
            side: tuple(ground.area("rallies", at) for at in spots)
            for side, spots in convert("rallies", given.get("rallies", {}), dict[str, list[str]]).items()
        },
        placed={
            ground.area("placed", at): tuple(order_of("placed", o) for o in os)
            for at, os in convert("placed", given.get("placed", {}), dict[str, list[str]]).items()
        },
    )
    return replace(state, piles=read_piles(state, decks_of(state), given.get("decks", {}), given.get("discards", {})))


def _lying(state: JoanState, given: Fields, ground: Ground, areas: dict[str, Fields]) -> Fields:
    """The contents of areas and edges; a fire belongs to the seat that `fire` names."""
    table = laid_out(setting_of(state).board, setting_of(state).owners)
    lying, fires = dict(table.furnishings), {}
    for name, fields in areas.items():
        area = ground.area(f"areas.{name}", name)
        found = lying.get(area, BARE)
        for key in LYING:
            if key in fields:
                found = replace(found, **_furnished(f"areas.{name}", key, fields[key]))
        if "fire" in fields:
            fires[area] = Seat(convert(f"areas.{name}.fire", fields["fire"], int))
        lying[area] = found
        if found == BARE:
            del lying[area]
    told = convert("edges", given.get("edges", {}), dict[str, str])
    edges = {ground.edge("edges", edge): _edge(text) for edge, text in told.items()}
    return {"lying": lying, "fires": fires, "edges": edges}


def _furnished(place: str, key: str, value: Any) -> Fields:
    if key == "elements":
        numbers = convert(f"{place}.elements", value, dict[Element, MostElements])
        return {key: tuple(sorted(name for name, number in numbers.items() for _ in range(number)))}
    if key == "razed":
        return {"building": None}
    return {key: True if key == "fire" else convert(f"{place}.{key}", value, KINDS[key])}


def _edge(text: object) -> EdgeStanding:
    feature, _, side = str(text).partition(" ")
    return EdgeStanding("wall" if one_of("edges", feature, ("stakes", "wall")) == "wall" else "stakes", side or None)
