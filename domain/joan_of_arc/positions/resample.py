"""Another world that looks the same to a viewer, for the proof that nothing leaks and for bots (section AB).

Hidden are the order of decks (JA-389 to JA-391, JA-394, JA-396), the hands of legend cards of the others (JA-392), and
which intrigue card another player holds (JA-399). `keep` may name `hand0`, `hand1` and so on per seat, and `deck`.
"""

from msgspec.structs import replace

from domain.joan_of_arc.rules.phases.setup import decks_of
from domain.joan_of_arc.state.evolve_state import with_board
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import Codes, JoanState, Pile, PlayerBoard
from domain.kernel import Below, Hidden, Seat, shuffled


def resample(state: JoanState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()) -> JoanState:
    """Everything hidden from the viewer, drawn again; `viewer` None is a spectator."""
    state = _legend(state, viewer, below, keep)
    for name in state.piles if "deck" not in keep else ():
        if name != "legend":
            state = _with_pile(state, name, shuffled(_unseen(state, name), below))
    if state.talk_card:  # JA-398: the printed back of a card that lies open is the same in every world
        state = replace(state, talk_back=setting_of(state).index.discussions[state.talk_card].back())
    for seat, board in enumerate(state.boards):
        if board.holds_intrigue and seat != viewer and f"hand{seat}" not in keep:
            state = with_board(state, seat, intrigue_card=_intrigue(state, Seat(seat), board, below))
    return state


def _with_pile(state: JoanState, name: str, cards: list[str]) -> JoanState:
    return replace(state, piles={**state.piles, name: replace(state.piles[name], cards=tuple(cards))})


def _unseen(state: JoanState, name: str) -> Codes:
    """The cards that are in a deck, inferred from the other cards, which everybody sees."""
    pile = state.piles[name]
    if isinstance(pile.cards, tuple):
        return pile.cards
    cards = list(decks_of(state)[name])
    for card in (*pile.discards, *_public(state, name)):
        cards.remove(card)
    return tuple(cards)


def _public(state: JoanState, name: str) -> Codes:
    """The cards of a deck that lie open outside its discards."""
    if name == "council":
        return state.river
    if name in {"tactics", "myth"}:
        kinds = setting_of(state).index.equipment
        worn = (card for unit in state.field.units.values() for card in unit.equipment)
        return tuple(card for card in worn if kinds[card].type == name)
    return ()


def _legend(state: JoanState, viewer: Seat | None, below: Below, keep: frozenset[str]) -> JoanState:
    """JA-391, JA-392: hands of the others and the deck, from the cards that are in no known place."""
    pile = state.piles.get("legend")
    if pile is None:
        return state
    known = [seat for seat in range(len(state.boards)) if seat == viewer or f"hand{seat}" in keep]
    left = _legend_unknown(state, pile, known)
    if "deck" in keep and isinstance(pile.cards, tuple):
        for card in pile.cards:
            left.remove(card)
    drawn = shuffled(left, below)
    for seat, board in enumerate(state.boards):
        if seat not in known:
            state = with_board(state, seat, hand=tuple(drawn[: board.hand_size]))
            drawn = drawn[board.hand_size :]
    return state if "deck" in keep else _with_pile(state, "legend", drawn)


def _legend_unknown(state: JoanState, pile: Pile, known: list[int]) -> list[str]:
    left = list(decks_of(state)["legend"])
    for card in (*pile.discards, *state.in_play):
        left.remove(card)
    for seat in known:
        hand = state.boards[seat].hand
        for card in () if isinstance(hand, Hidden) else hand:
            left.remove(card)
    return left


def _intrigue(state: JoanState, seat: Seat, board: PlayerBoard, below: Below) -> str:
    """JA-399: any card of the player's side whose triggered effects are those that were seen."""
    setting = setting_of(state)
    side = setting.scenario.players[seat].side
    cards = [card for card in setting.index.intrigue.values() if card.side == side]
    fitting = [card.id for card in cards if all(slot in card.slots for slot in board.slots)]
    return fitting[below(len(fitting))]
