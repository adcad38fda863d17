"""What must hold of every state: room, sides, units, orders, tokens, cards."""

from collections.abc import Iterator

from domain.joan_of_arc.board.table import interior_of, left, units_in
from domain.joan_of_arc.cards.hooks import ORDERS
from domain.joan_of_arc.rules.phases.setup import civilians_of, decks_of, forces_of
from domain.joan_of_arc.state.queries import card_of, held, setting_of, table_of
from domain.joan_of_arc.state.state import JoanState, PlayerBoard
from domain.kernel import Hidden


def invariants(state: JoanState) -> Iterator[str]:
    """Sentences about everything that is wrong; of a whole state, not of a view."""
    if not state.field.units:
        return
    yield from _areas(state)
    yield from _units(state)
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
    for area in table.standing:
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
    """No unit of the scenario is gained or lost, and none changes hands but civilians."""
    setting = setting_of(state)
    scenario = setting.scenario
    begun = {unit.id: unit.owner for seat in setting.seats for unit in forces_of(scenario, seat)}
    if not begun:
        return  # a position, whose units are its own
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
    """Rally points are as many as at first and never in an enemy area by their own movement; fire tokens are somebody's
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
    """JA-083: nobody is declared, or acts, twice in an activation; JA-085: nor takes a bonus action twice."""
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
