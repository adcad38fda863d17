"""Units, player boards and decks of positions as text."""

import re
from typing import Any, Final, get_args

from msgspec.structs import asdict

from domain.commons.cards import unnamed
from domain.commons.notation import Fields, check_keys, convert, one_of, read_list, write_list
from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.cards.cards import CardIndex
from domain.joan_of_arc.cards.hooks import ORDERS, Order
from domain.joan_of_arc.positions.boards import Ground
from domain.joan_of_arc.state.state import Codes, Grant, JoanState, Mark, Pile, PlayerBoard, Spot, Unit, UnitId
from domain.kernel import HIDDEN, Hidden, Seat

UNIT: Final = re.compile(r"(?:(?P<id>[\w#]+): *)?(?P<card>\w+)(?: +@(?P<area>\S+))?(?P<words>(?: +\S+)*)")
BOARD: Final = ("xp", "legend", "intrigue", "reroll", "stakes", "orders", "hand", "intrigue_card", "slots")
OFF_BOARD: Final = tuple(spot for spot in get_args(Spot) if spot != "board")


def read_unit(place: str, text: object, owner: Seat | None, ground: Ground, index: CardIndex) -> Unit:
    """`e1: e_billmen @L1 wounds:1`: a name for choices, card, place, words in any order. Raises `ValueError`.

    Off the board a word names the section (`disrupted sent_by:0`); `carried:arc`, `tokens:2`, `+em_relic`.
    """
    found = UNIT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{place}: {text!r}: write a unit such as 'e1: e_billmen @L1 wounds:1'")
    card = one_of(place, found["card"], index.units)
    fields: Fields = {"id": found["id"] or card, "card": card, "owner": owner}
    if found["area"]:
        fields["area"] = ground.area(place, found["area"])
    for word in found["words"].split():
        _read_word(place, word, fields, index)
    if not found["area"] and "spot" not in fields:
        raise ValueError(f"{place}: {text!r}: say where it is: @area, or one of {', '.join(OFF_BOARD)}")
    return convert(place, fields, Unit)


def _read_word(place: str, word: str, fields: Fields, index: CardIndex) -> None:
    name, colon, value = word.partition(":")
    if word.startswith("+"):
        fields["equipment"] = (*fields.get("equipment", ()), one_of(place, word[1:], index.equipment))
    elif word in OFF_BOARD:
        fields["spot"] = word
    elif word in get_args(Mark):
        fields["marks"] = (*fields.get("marks", ()), word)
    elif colon and name in {"wounds", "tokens", "sent_by", "captor"} and value.isdecimal():
        fields[name] = int(value)
    elif name == "has":
        fields["grants"] = (*fields.get("grants", ()), _read_grant(place, word))
    elif colon and name == "closed":
        fields[name] = one_of(place, value, index.units)
    elif colon and name == "carrier":
        fields[name] = value
    else:
        allowed = f"{', '.join(OFF_BOARD)}, {', '.join(get_args(Mark))}, wounds:1, tokens:2, sent_by:0, captor:0"
        allowed += ", carrier:arc, closed:card, has:terror:2:end_of_turn, +card"
        raise ValueError(f"{place}: {word!r} says nothing here; allowed: {allowed}")


def _read_grant(place: str, word: str) -> Grant:
    """`has:terror:2:end_of_turn`. Raises `ValueError`."""
    parts = word.split(":")
    if len(parts) != 4 or not parts[2].isdecimal():
        raise ValueError(f"{place}: {word!r}: write a skill for a time such as has:terror:2:end_of_turn")
    return convert(place, {"skill": parts[1], "x": int(parts[2]), "until": parts[3]}, Grant)


def say_unit(unit: Unit, ground: Ground) -> Fields:
    """A unit's fields as scenarios compare them, without those that are empty."""
    shown: Fields = {"card": unit.card, "owner": unit.owner, "wounds": unit.wounds}
    shown["at"] = ground.say(unit.area) if unit.spot == "board" else unit.spot
    for name in ("carrier", "sent_by", "captor", "closed"):
        if getattr(unit, name) not in {None, ""}:
            shown[name] = getattr(unit, name)
    for name in ("equipment", "marks"):
        if getattr(unit, name):
            shown[name] = list(getattr(unit, name))
    if unit.grants:
        shown["grants"] = [asdict(grant) for grant in unit.grants]
    return shown


def read_board(place: str, given: Fields, index: CardIndex) -> PlayerBoard:
    """A player board; orders as `2 command, 1 charge`. Raises `ValueError`."""
    fields: Fields = {name: given[name] for name in BOARD if name in given}
    fields["orders"] = read_orders(f"{place}.orders", given.get("orders", ""))
    hand = read_list(f"{place}.hand", given.get("hand", []), lambda card: one_of(f"{place}.hand", card, index.legend))
    fields |= {"hand": hand, "hand_size": len(hand)}
    if fields.get("intrigue_card"):
        one_of(f"{place}.intrigue_card", fields["intrigue_card"], index.intrigue)
        by_number = {slot.slot: slot for slot in index.intrigue[fields["intrigue_card"]].slots}
        numbers = convert(f"{place}.slots", given.get("slots", []), list[int])
        for number in numbers:
            one_of(f"{place}.slots", str(number), map(str, by_number))
        fields["slots"] = tuple(by_number[number] for number in numbers)
    elif fields.get("slots"):
        raise ValueError(f"{place}.slots: effects are triggered of an intrigue card; name it as intrigue_card")
    return convert(place, {**fields, "holds_intrigue": bool(fields.get("intrigue_card"))}, PlayerBoard)


def read_orders(place: str, given: object) -> OrdersHeld:
    """Orders as a list with numbers. Raises `ValueError`."""
    listed: tuple[Any, ...] = read_list(place, given, lambda word: one_of(place, word, ORDERS))
    return OrdersHeld(*(listed.count(order) for order in ORDERS))


def say_orders(orders: OrdersHeld) -> str:
    """Orders in the form that `read_orders` reads."""
    counted = ((order, getattr(orders, order)) for order in ORDERS)
    return ", ".join(f"{number} {order}" for order, number in counted if number)


def say_board(board: PlayerBoard) -> Fields:
    """A player board as scenarios compare it."""
    shown: Fields = {
        name: getattr(board, name) for name in ("xp", "legend", "intrigue", "reroll", "stakes", "hand_size")
    }
    shown["orders"] = say_orders(board.orders)
    shown["hand"] = HIDDEN if isinstance(board.hand, Hidden) else write_list(board.hand)
    return shown | {"intrigue_card": board.intrigue_card, "slots": [slot.slot for slot in board.slots]}


def read_piles(state: JoanState, all_cards: dict[str, Codes], decks: object, discards: object) -> dict[str, Pile]:
    """The decks from the top, then all cards of each deck that are named nowhere else. Raises `ValueError`."""
    on_top = check_keys("decks", decks, all_cards)
    away = check_keys("discards", discards, all_cards)
    piles: dict[str, Pile] = {}
    for name, cards in all_cards.items():
        top = _named(f"decks.{name}", on_top.get(name, []), cards)
        gone = _named(f"discards.{name}", away.get(name, []), cards)
        try:
            rest = unnamed({card: cards.count(card) for card in cards}, top, gone, _elsewhere(state, name))
        except ValueError as wrong:
            raise ValueError(f"decks.{name}: {wrong}") from wrong
        piles[name] = Pile((*top, *rest), len(top) + len(rest), gone)
    return piles


def _named(place: str, given: object, cards: Codes) -> Codes:
    return read_list(place, given, lambda card: one_of(place, card, dict.fromkeys(cards)))


def _elsewhere(state: JoanState, name: str) -> Codes:
    """Cards of a deck that lie in the river, in hands, or on characters."""
    if name == "council":
        return state.river
    if name == "legend":
        return tuple(card for board in state.boards for card in board.hand)  # type: ignore[union-attr]  # all is known
    if name in {"tactics", "myth"}:
        worn = (card for unit in state.field.units.values() for card in unit.equipment)
        return tuple(card for card in worn if card.startswith("et_" if name == "tactics" else "em_"))
    return ()


def say_pile(pile: Pile) -> Fields:
    """A deck as scenarios compare it."""
    return {"left": pile.left, "discards": list(pile.discards), "cards": _listed(pile)}


def _listed(pile: Pile) -> object:
    return HIDDEN if isinstance(pile.cards, Hidden) else list(pile.cards)


def units_by_id(units: list[Unit]) -> dict[UnitId, Unit]:
    """The units by their ids. Raises `ValueError` for one id twice."""
    found: dict[UnitId, Unit] = {}
    for unit in units:
        if unit.id in found:
            raise ValueError(f"{unit.id} stands there twice; give units names of their own, such as 'e2: {unit.card}'")
        found[unit.id] = unit
    return found


def order_of(place: str, word: object) -> Order:
    """An order's type. Raises `ValueError`."""
    order: Order = one_of(place, word, ORDERS)  # type: ignore[assignment]  # it is one of them
    return order
