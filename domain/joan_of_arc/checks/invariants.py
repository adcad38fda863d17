"""Invariants of every state: room, sides, units, orders, tokens, cards."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import border
from domain.joan_of_arc.board.table import collapses, interior_of, left, units_in
from domain.joan_of_arc.cards.hooks import ORDERS
from domain.joan_of_arc.rules.phases.setup import civilians_of, decks_of, forces_of
from domain.joan_of_arc.state.queries import border_of, card_of, held, setting_of, table_of
from domain.joan_of_arc.state.state import JoanState, PlayerBoard
from domain.kernel import Hidden, Seat


def invariants(state: JoanState) -> Iterator[str]:
    """A sentence for each violated invariant. Takes a whole state, not a view."""
    unknown = list(_unknown(state))
    yield from unknown
    if unknown:
        return
    yield from _table(state)
    yield from _areas(state)
    yield from _furnishings(state)
    if not state.field.units:
        return
    yield from _units(state)
    yield from _away(state)
    yield from _all_units(state)
    yield from _passengers(state)
    yield from _tokens(state)
    yield from _acting(state)
    for seat, board in enumerate(state.boards):
        yield from _board(state, seat, board)
    for name in decks_of(state):
        yield from _pile(state, name)


def _areas(state: JoanState) -> Iterator[str]:
    """JA-022, JA-028, JA-032."""
    table = table_of(state)
    for area in {**table.standing, **table.furnishings}:
        if left(table, area) < 0:
            yield f"{area} holds more than it has room for"
        here = table.board.areas[area]
        if here.around is not None and interior_of(table, here.around) is None:
            yield f"units stand in {area}, which is no more"
        sides = {unit.side for unit in units_in(table, area)} - {None}
        if len(sides) > 1 and here.level != "interior":
            yield f"{area} holds units of {', '.join(sorted(map(str, sides)))}"
        flyers = all(unit.card.flying or unit.carried for unit in units_in(table, area))
        if here.level == "sky" and not flyers:
            yield f"somebody stands in {area} who cannot fly"
        if here.impassable and units_in(table, area):
            yield f"somebody stands in {area}, which is impassable"
        if here.level == "interior" and not all(unit.card.enters_buildings for unit in units_in(table, area)):
            yield f"somebody stands in {area} who does not enter buildings"


def _unknown(state: JoanState) -> Iterator[str]:
    """Unknown names, which the other checks could not look up: of areas, cards, sides, carriers."""
    setting, field = setting_of(state), state.field
    areas, sides = setting.board.areas, set(setting.sides)
    yield from _seats(state)
    edges = {edge for at in setting.board.hexes["ground"] for edge in (border(at, side) for side in range(6))}
    for unit in field.units.values():
        if unit.card not in setting.index.units or not set(unit.equipment) <= set(setting.index.equipment):
            yield f"{unit.id} shows a card that there is not"
        if unit.area and unit.area not in areas:
            yield f"{unit.id} stands in {unit.area}, which is no area"
        if unit.carrier and unit.carrier not in field.units:
            yield f"{unit.id} is carried by {unit.carrier}, who is not there"
    for area in (*field.lying, *field.fires, *state.placed, *(at for found in state.rallies.values() for at in found)):
        if area not in areas:
            yield f"something lies in {area}, which is no area"
    builders = (lying.barricade for lying in field.lying.values())
    planters = (edge.side for edge in field.edges.values())
    for side in {*state.scores, *state.rallies, *builders, *planters} - sides - {None}:
        yield f"there is no side {side!r}; allowed: {', '.join(sorted(sides))}"
    for name in field.edges:
        if border_of(name) not in edges:
            yield f"{name} is no edge of the board"


def _seats(state: JoanState) -> Iterator[str]:
    """Check that seats exist."""
    setting, field = setting_of(state), state.field
    seats = {*setting.seats, None}
    named: dict[str, Seat | None] = {"turn": state.turn, "reader": state.reader}
    named |= {f"the fire in {area}": seat for area, seat in field.fires.items()}
    for unit in field.units.values():
        named |= {f"{unit.id}: {name}": getattr(unit, name) for name in ("owner", "sent_by", "captor")}
    for what, seat in named.items():
        if seat not in seats:
            yield f"{what}: there is no seat {seat}; there are {len(setting.seats)}, from 0"


def _table(state: JoanState) -> Iterator[str]:
    """The counts of the table; JA-005: there are as many rounds as round cards."""
    rounds = len(setting_of(state).scenario.rounds)
    if not 0 <= state.round <= rounds or (state.round == 0) != (state.phase == "setup"):
        yield f"round {state.round} of {rounds} in the phase {state.phase}"
    if state.played < 0:
        yield f"{state.played} orders were played"
    for seat, board in enumerate(state.boards):
        if board.holds_intrigue != bool(board.intrigue_card):
            yield f"seat {seat} holds an intrigue card and does not"
        if board.slots and not board.holds_intrigue:
            yield f"seat {seat} has triggered effects of no intrigue card"


def _furnishings(state: JoanState) -> Iterator[str]:
    """JA-307, JA-322, JA-323: only a standing building has damage, and less than makes it collapse."""
    board = table_of(state).board
    for area, lying in state.field.lying.items():
        built = lying.building is not None and not lying.rubble
        if lying.damage < 0 or (lying.damage and not built):
            yield f"{lying.damage} damage lies in {area}, where no building stands"
        elif built and collapses(lying) and not state.activations and state.phase != "camp":
            yield f"the building in {area} has {lying.damage} damage and stands"
        if lying.rubble and lying.building is None:
            yield f"rubble lies in {area} of no building"
        if lying.elements and board.areas[area].level != "ground":
            yield f"terrain elements lie in {area}, which is no ground"
    for name, edge in state.field.edges.items():
        if edge.feature == "wall" and edge.side is not None:
            yield f"the wall on {name} belongs to a side"


def _away(state: JoanState) -> Iterator[str]:
    """JA-142, JA-347: the seat that sent a unit to the infirmary, or holds it captive, is an opponent."""
    setting = setting_of(state)
    for unit in state.field.units.values():
        card = setting.index.units[unit.card]
        if unit.owner is None and card.kind != "civilian":
            yield f"{unit.id} is nobody's, and no civilian"
        if unit.sent_by is not None and unit.spot not in {"disrupted", "waiting"}:
            yield f"{unit.id} was sent to the infirmary and is in {unit.spot}"
        own = None if unit.owner is None else setting.sides[unit.owner]
        if unit.captor is not None and own == setting.sides[unit.captor]:
            yield f"{unit.id} is captive of its own side"
        if unit.captor is not None and card.kind != "character":
            yield f"{unit.id} is captive, and no character"
        if unit.tokens < 0 or unit.wounds < 0:
            yield f"{unit.id} has tokens or wounds below 0"
        if unit.closed and unit.closed not in setting.index.units:
            yield f"{unit.id} may not become {unit.closed}, which is no card"


def _units(state: JoanState) -> Iterator[str]:
    for unit in state.field.units.values():
        card = card_of(state, unit)
        if (unit.spot == "board") != bool(unit.area):
            yield f"{unit.id} is in {unit.spot} and in {unit.area or 'no area'}"
        if unit.wounds < 0 or (card.hp is not None and unit.spot != "graveyard" and unit.wounds >= card.hp):
            yield f"{unit.id} has {unit.wounds} wounds of {card.hp}"
        settled = card.gigantic or card.kind == "civilian" or "war_machine" in card.traits
        if unit.spot in {"disrupted", "waiting"} and settled:
            yield f"{unit.id} is in the infirmary"
        if len(unit.equipment) > 2 and not _is_asked(state, "EquipmentLimit"):
            yield f"{unit.id} carries {len(unit.equipment)} equipment cards"
    if not state.activations and any(unit.grants and unit.spot != "board" for unit in state.field.units.values()):
        yield "somebody off the board has a skill for a time"


def _all_units(state: JoanState) -> Iterator[str]:
    """No unit of the scenario is gained or lost, and only civilians change hands."""
    setting = setting_of(state)
    scenario = setting.scenario
    begun = {unit.id: unit.owner for seat in setting.seats for unit in forces_of(scenario, seat)}
    if not begun:
        return  # a position, which has its own units
    civilians = {unit.id for unit in civilians_of(scenario)}
    if set(state.field.units) != {*begun, *civilians}:
        yield "a unit was gained or lost"
    for unit in state.field.units.values():
        if unit.id in begun and unit.owner != begun[unit.id]:
            yield f"{unit.id} has changed hands"


def _passengers(state: JoanState) -> Iterator[str]:
    """JA-256, JA-261, JA-Q55: one passenger, where its carrier is; JA-258: nobody is carried on the ground."""
    units = state.field.units
    riding = [unit for unit in units.values() if unit.carrier]
    if len({unit.carrier for unit in riding}) != len(riding):
        yield "a carrier carries two"
    for unit in riding:
        if (unit.spot, units[unit.carrier].spot, unit.area) != ("board", "board", units[unit.carrier].area):
            yield f"{unit.id} is carried by nobody who is there"
    for unit in units.values():
        if (unit.spot == "captive") != (unit.captor is not None):
            yield f"{unit.id} is in {unit.spot}, captive of {unit.captor}"


def _tokens(state: JoanState) -> Iterator[str]:
    """Rally points are as many as at first and never in an enemy area by their own movement; fire tokens have an owner
    (JA-Q45); stakes are no more than were taken; JA-065: at most two orders lie on an area.
    """
    setting, field = setting_of(state), state.field
    for area, orders in state.placed.items():
        if len(orders) > 2:
            yield f"{len(orders)} orders lie on {area}"
    burning = {area for area, lying in field.lying.items() if lying.fire}
    if burning != set(field.fires):
        yield f"fire tokens of nobody: {sorted(burning ^ set(field.fires))}"
    if not setting.scenario.units:
        return
    sides = [setting.owners[name] for name in setting.scenario.rally_points]
    if {side: len(at) for side, at in state.rallies.items()} != {side: sides.count(side) for side in set(sides)}:
        yield "a rally point was gained or lost"
    planted = sum(edge.feature == "stakes" for edge in field.edges.values())
    first = sum(edge.feature == "stakes" for edge in setting.ground.edge_features)
    taken = setting.scenario.stakes_reserve
    if len(taken) == len(state.boards) and planted + sum(each.stakes for each in state.boards) > first + sum(
        taken.values()
    ):
        yield "stakes were gained"


def _acting(state: JoanState) -> Iterator[str]:
    """JA-083: no unit is declared, or acts, twice in an activation; JA-085: nor takes a bonus action twice."""
    for now in state.activations:
        declared = [plan.unit for plan in now.plans]
        for what, units in (("is declared", declared), ("acts", now.done), ("has bonus", now.bonuses)):
            twice = {unit for unit in units if list(units).count(unit) > 1}
            if twice:
                yield f"{', '.join(sorted(twice))} {what} twice"
        if not set(declared) <= set(now.units):
            yield "somebody acts who was not activated"


def _is_asked(state: JoanState, kind: str) -> bool:
    return any(asked.kind == kind for asked in (*state.asked, *state.waiting))


def _board(state: JoanState, seat: int, board: PlayerBoard) -> Iterator[str]:
    if min(board.xp, board.legend, board.intrigue, board.stakes, *(held(board, order) for order in ORDERS)) < 0:
        yield f"seat {seat} owes tokens or orders"
    if not isinstance(board.hand, Hidden) and len(board.hand) != board.hand_size:
        yield f"seat {seat}: the hand is counted wrongly"
    if state.phase == "council" and any(state.placed.values()):
        yield "orders lie on the board in the council phase"
    if len({slot.slot for slot in board.slots}) != len(board.slots):
        yield f"seat {seat}: an intrigue effect was triggered twice"


def _pile(state: JoanState, name: str) -> Iterator[str]:
    """No card is gained or lost."""
    pile = state.piles[name]
    if isinstance(pile.cards, Hidden):
        yield f"the deck {name} is hidden"
        return
    if len(pile.cards) != pile.left:
        yield f"the deck {name} is counted wrongly"
    if sorted((*pile.cards, *pile.discards, *_out(state, name))) != sorted(decks_of(state)[name]):
        yield f"the deck {name} has gained or lost cards"


def _out(state: JoanState, name: str) -> Iterator[str]:
    """The cards of a deck that lie elsewhere."""
    if name == "council":
        yield from state.river
    if name == "legend":
        yield from state.in_play
        yield from (card for board in state.boards for card in board.hand)  # type: ignore[union-attr]  # not a view
    if name in {"tactics", "myth"}:
        cards = setting_of(state).index.equipment
        worn = (card for unit in state.field.units.values() for card in unit.equipment)
        yield from (card for card in worn if cards[card].type == name)
