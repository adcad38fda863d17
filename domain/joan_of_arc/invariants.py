"""What must hold of every state: room, sides, orders, cards."""

from collections.abc import Iterator

from domain.joan_of_arc.hooks import ORDERS
from domain.joan_of_arc.queries import card_of, held, setting_of, table_of
from domain.joan_of_arc.rules.setup import decks_of
from domain.joan_of_arc.state import JoanState, PlayerBoard
from domain.joan_of_arc.table import interior_of, left, units_in
from domain.kernel import Hidden


def invariants(state: JoanState) -> Iterator[str]:
    """Sentences about everything that is wrong; of a whole state, not of a view."""
    if not state.field.units:
        return
    yield from _areas(state)
    yield from _units(state)
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
        if unit.spot in {"disrupted", "waiting"} and (card.gigantic or card.kind == "civilian"):
            yield f"{unit.id} is in the infirmary"
        if len(unit.equipment) > 2 and not _is_asked(state, "EquipmentLimit"):
            yield f"{unit.id} carries {len(unit.equipment)} equipment cards"
    if not state.activations and any(unit.grants and unit.spot != "board" for unit in state.field.units.values()):
        yield "somebody off the board has a skill for a time"


def _is_asked(state: JoanState, kind: str) -> bool:
    return any(asked.kind == kind for asked in (*state.asked, *state.waiting))


def _board(state: JoanState, seat: int, board: PlayerBoard) -> Iterator[str]:
    if min(board.xp, board.legend, board.intrigue, board.stakes, *(held(board, order) for order in ORDERS)) < 0:
        yield f"seat {seat} owes tokens or orders"
    if not isinstance(board.hand, Hidden) and len(board.hand) != board.hand_size:
        yield f"seat {seat}: the hand is counted wrongly"
    if state.phase == "council" and any(state.placed.values()):
        yield "orders lie on the board in the council phase"


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
        yield from (card for board in state.boards for card in board.hand)  # type: ignore[union-attr]  # not a view
    if name in {"tactics", "myth"}:
        cards = setting_of(state).index.equipment
        worn = (card for unit in state.field.units.values() for card in unit.equipment)
        yield from (card for card in worn if cards[card].type == name)
