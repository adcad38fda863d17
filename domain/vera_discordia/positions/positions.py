"""Positions of Vera Discordia as text (docs/scenarios.md): read, shown, written, and as a viewer knows them."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.commons.cards import known
from domain.commons.notation import FILL, REST, Fields, check_keys, convert, one_of, read_lists, texts_in, write_list
from domain.commons.rows import BOTH, put
from domain.commons.sealed import seen_answers
from domain.kernel import HIDDEN, Hidden, Procedure, Seat
from domain.vera_discordia.cards.cards import CardIndex, OrderType, Terrain, index_of
from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.checks.invariants import invariants
from domain.vera_discordia.positions.figures import figures
from domain.vera_discordia.positions.notation import (
    FLAGS,
    order_named,
    own_cards,
    read_card,
    read_cards,
    read_order,
    write_card,
    write_order,
    write_unit,
)
from domain.vera_discordia.positions.starts import PHASES, read_start
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.queries import cards_of, profile_of
from domain.vera_discordia.state.state import (
    SPACES,
    Attack,
    Phase,
    Side,
    Space,
    Unit,
    UnitId,
    VeraState,
    place,
)

SIDES: Final = ("seat0", "seat1")
CARD_LISTS: Final = ("recruits", "mustered", "rest", "reserve", "covert", "fallen")
ORDER_LISTS: Final = ("hand", "pile", "deck")
PLAIN_FIELDS: Final = (
    "faction",
    "general",
    "exchanged",
    "settled",
    "vision",
    "stealth",
    "closed",
    "general_deployed",
    "motivation",
    "destroyed",
    "declared",
    "autonomous",
    "grounded",
    "taken",
    "done",
    "strategy_spent",
    "inspired",
    "deferred",
)
SIDE_KEYS: Final = (*SPACES, *PLAIN_FIELDS, *CARD_LISTS, *ORDER_LISTS, "looked", FILL)
KEYS: Final = (
    *("start", "with", "phase", "round", "initiative", "turn", "terrain", "laid", "attack", "deployed"),
    *("types", "generals", *SIDES),
)
NOTHING: Final = "none"
"""The mark of an empty space where the other spaces are filled."""
SET_UP: Final = frozenset(list(Phase)[:5])
"""Before the first round."""
EARLY: Final = ("Match", "ChoiceOfGenerals")
"""Procedures that run before the order decks are ready."""

NAMED_AHEAD: Final = 28
"""The number of future Units, and of future cards of a kind, that may be named."""
UNIT_FIELDS: Final = ("unit", "units", "attacker", "target", "first", "second", "by", "hurt")
"""Fields of choices and events that name Units."""

SAMPLE: Final[Fields] = {
    "attack": {"attacker": "A", "target": "D"},
    "seat0": {"V1": "A: sentinels attack", "looked": [1]},
    "seat1": {"V1": "D: trackers"},
}


class VeraPositions:
    """The notation; implements `domain.kernel.SeenPositions` and `Figured`."""

    sample: Fields = SAMPLE

    def read(self, given: Fields, options: Fields) -> tuple[VeraState, Procedure]:
        """The state and the procedure it starts with. Raises `ValueError` with the place and the values allowed."""
        check_keys("position", given, KEYS)
        agreed = convert("options", options, Options)
        base = agreed.cards or SHIPPED
        if "types" in given or "generals" in given:
            base = own_cards(base, given.get("types", {}), given.get("generals", {}))
        wrong = agreed.defects(index_of(base))
        if wrong:
            raise ValueError(f"options: {wrong[0]}")
        state = _read_table(VeraState(options=agreed, cards=None if base is SHIPPED else base), given)
        for seat in BOTH:
            state = _read_side(state, seat, check_keys(SIDES[seat], given.get(SIDES[seat], {}), SIDE_KEYS), given)
        state = _read_attack(state, given)
        faults = list(invariants(state))
        if faults:
            raise ValueError(f"it is no position of the game: {faults[0]}")
        by = state.turn if state.turn is not None else state.initiative
        name = str(given.get("start", "Resolution"))
        procedure, stack = read_start(state, name, given.get("with", {}), Seat(0) if by is None else by)
        return replace(state, stack=stack), procedure

    def show(self, state: VeraState) -> Fields:
        """The position as plain data that scenarios compare: the table, both sides by their keys, and `units` by id."""
        index = cards_of(state)
        table: Fields = {
            name: getattr(state, name)
            for name in ("phase", "round", "initiative", "turn", "deployed", "terrain", "laid")
        }
        table["attack"] = None if state.attack is None else msgspec.structs.asdict(state.attack)
        table["units"] = {unit.id: _show_unit(unit, index) for unit in state.units.values()}
        for seat in BOTH:
            side = msgspec.structs.asdict(state.sides[seat])
            looked = {key[1]: value for key, value in state.looked.items() if key[0] == str(seat)}
            spaces = {space: state.at.get(place(seat, space)) for space in SPACES}
            table[SIDES[seat]] = {**side, "looked": looked, **spaces}
        return table

    def view(self, state: VeraState, viewer: Seat | None) -> VeraState:
        """The position as a seat, or a spectator (None), knows it (ledger section AH)."""
        units = {unit.id: _see_unit(unit, viewer) for unit in state.units.values()}
        looked = {key: value if key[0] == str(viewer) else HIDDEN for key, value in state.looked.items()}
        first, second = (_see_side(side, state.phase, own=seat == viewer) for seat, side in enumerate(state.sides))
        laid = state.laid if state.terrain else _hide(state.laid)
        return replace(
            state,
            units=units,
            looked=looked,
            sides=(first, second),
            laid=laid,
            answered=seen_answers(state, viewer),
            stack=HIDDEN,
        )

    def names(self, state: VeraState) -> Mapping[str, Collection[Any]]:
        """The names of columns, spaces, present and future Units, cards and Generals."""
        index = cards_of(state)
        units = {*state.units, *(f"u{number}" for number in range(1, NAMED_AHEAD))}
        places = [f"c{at}" for at in range(1, NAMED_AHEAD)]
        orders = [f"{kind.value}:{at}" for kind in OrderType for at in range(NAMED_AHEAD)]
        listed = {*texts_in(index.card_set), *index.types, *places, *orders, *(kind.value for kind in OrderType), "?"}
        fields: dict[str, Collection[Any]] = dict.fromkeys(UNIT_FIELDS, units)
        return fields | {"column": range(1, 5), "space": SPACES, "": {*listed, *SPACES, *units}}

    def figures(self, state: VeraState) -> Fields:
        """Dice, shields and abilities of the Units."""
        return figures(state)

    def write(self, state: VeraState) -> Fields:
        """The position of a whole state; reading it gives the same state. The reader adds `start`."""
        index = cards_of(state)
        given: Fields = {
            name: getattr(state, name)
            for name in ("phase", "round", "initiative", "turn", "deployed")
            if getattr(state, name) is not None
        }
        given["terrain"] = [kind.value for kind in state.terrain]
        given["laid"] = [kind.value for kind in known(state.laid)]
        if state.attack is not None:
            given["attack"] = msgspec.to_builtins(state.attack)
        for seat in BOTH:
            given[SIDES[seat]] = _write_side(state, seat, index)
        return given


POSITIONS: Final = VeraPositions()


def _read_table(state: VeraState, given: Fields) -> VeraState:
    """The fields that belong to neither side."""
    start = str(given.get("start", "Resolution"))
    phase = given.get("phase", PHASES.get(start, Phase.RESOLUTION))
    set_up = Phase(one_of("phase", phase, Phase)) in SET_UP
    laid = _read_terrain("laid", given.get("laid", []))
    terrain = _read_terrain("terrain", given.get("terrain", [] if set_up else laid or ["plains"] * 4))
    early = start in {*EARLY, "Recruiting"}
    return replace(
        state,
        phase=Phase(phase),
        round=convert("round", given.get("round", 0 if set_up else 1), int),
        initiative=_seat("initiative", given.get("initiative", None if early else 0)),
        turn=_seat("turn", given.get("turn")),
        terrain=terrain,
        laid=laid or terrain,
    )


def _read_terrain(where: str, given: object) -> tuple[Terrain, ...]:
    words = [given] * 4 if isinstance(given, str) else given
    if not isinstance(words, list | tuple) or len(words) not in {0, 4}:
        raise ValueError(f"{where}: name the Terrain of the four columns, or one kind for all, not {given!r}")
    return tuple(Terrain(one_of(where, word, Terrain)) for word in words)


def _seat(where: str, given: object) -> Seat | None:
    if given is None or given in BOTH:
        return None if given is None else Seat(convert(where, given, int))
    raise ValueError(f"{where}: a seat is 0 or 1, not {given!r}")


def _read_side(state: VeraState, seat: Seat, given: Fields, position: Fields) -> VeraState:
    """A side's cards and counters, then its Units, then its order cards, including the Units' orders."""
    where, index = SIDES[seat], cards_of(state)
    fields: Fields = {name: given[name] for name in PLAIN_FIELDS if name in given}
    commander = given.get("general", "")
    generals = {card.general_id: faction for faction, card in index.generals()}
    if commander:
        fields.setdefault("faction", generals[one_of(f"{where}.general", commander, generals)])
    if fields.get("faction"):
        one_of(f"{where}.faction", fields["faction"], index.factions)
    side = convert(where, fields, Side)
    lists: Fields = {n: read_cards(f"{where}.{n}", given[n], index) for n in CARD_LISTS if n in given}
    side = replace(side, **lists)
    side = replace(side, covert_count=len(known(side.covert)))
    state = _with_side(state, seat, side)
    state = _read_units(state, seat, given)
    state = _read_looked(state, seat, given)
    deployed = position.get("deployed", len(state.units))
    state = replace(state, deployed=convert("deployed", deployed, int))
    return _read_orders(state, seat, given, early=position.get("start") in EARLY)


def _with_side(state: VeraState, seat: Seat, side: Side) -> VeraState:
    return replace(state, sides=put(state.sides, seat, side))


def _read_units(state: VeraState, seat: Seat, given: Fields) -> VeraState:
    units, at = dict(state.units), dict(state.at)
    for space in SPACES:
        told = given.get(space, given.get(FILL, NOTHING))
        if told != NOTHING:
            unit = _read_unit(state, seat, space, told)
            if unit.id in units:
                raise ValueError(f"{SIDES[seat]}.{space}: there are two Units {unit.id!r}; name them differently")
            units[unit.id] = unit
            at[place(seat, space)] = unit.id
    general = any(unit.general and unit.seat == seat for unit in units.values())
    side = state.sides[seat]
    side = replace(side, general_deployed=side.general_deployed or general)
    return replace(_with_side(state, seat, side), units=units, at=at)


def _read_unit(state: VeraState, seat: Seat, space: Space, given: object) -> Unit:
    """`ID: card life closed flags order`; only the card is needed."""
    where, index = f"{SIDES[seat]}.{space}", cards_of(state)
    if not isinstance(given, str) or not given.strip():
        raise ValueError(f"{where}: a Unit is a text such as 'A: trackers closed 2 attack', not {given!r}")
    name, colon, rest = given.partition(": ")
    words = (rest if colon else given).split()
    card = read_card(where, words.pop(0) if words else "", index)
    order = read_order(where, words)
    fields: Fields = {"id": UnitId(name.strip() if colon else place(seat, space)), "order": order}
    opened, shown = True, []
    for word in words:
        key, _, value = word.partition(":")
        if word.isdecimal():
            fields["life"] = int(word)
        elif word in {"open", "closed"}:
            opened = word == "open"
        elif word in FLAGS:
            fields[FLAGS[word]] = True
        elif key == "was":
            fields |= {"changed": True, "original": read_card(where, value, index)}
        elif key == "morale":
            fields["morale"] = convert(where, int(value) if value.isdecimal() else value, int)
        elif key == "shows":
            shown.append(value)
        else:
            orders = [kind.value for kind in OrderType]
            one_of(where, word, [*orders, "up", "seen", "charge", "virtual", "dealt", "open", "closed", *FLAGS])
    fields["shown"] = convert(where, shown, tuple)
    return _complete(state, where, card, {**fields, "open": opened, "seat": seat, "space": space})


def _complete(state: VeraState, where: str, card: str, fields: Fields) -> Unit:
    unit = convert(where, {"card": card, "life": 1, **msgspec.to_builtins(fields)}, Unit)
    most = profile_of(
        state, known(unit.card), unit.seat, hero=unit.general, forest=False, changed=unit.changed
    ).max_life
    life = fields.get("life", most)
    if not 1 <= life <= most:
        raise ValueError(f"{where}: its life is 1 to {most}, not {life}")
    return replace(unit, life=life, marker=life if not unit.open and life < most else None)


def _read_looked(state: VeraState, seat: Seat, given: Fields) -> VeraState:
    columns = convert(f"{SIDES[seat]}.looked", given.get("looked", []), list[int])
    laid = known(state.laid)
    if any(not 1 <= column <= len(laid) for column in columns):
        raise ValueError(f"{SIDES[seat]}.looked: columns 1 to 4 of Terrain that is laid, not {columns}")
    return replace(state, looked={**state.looked, **{f"{seat}{column}": laid[column - 1] for column in columns}})


def _read_orders(state: VeraState, seat: Seat, given: Fields, *, early: bool) -> VeraState:
    """Hand, pile and deck; `"..."` in one of them stands for all cards named nowhere else."""
    where = SIDES[seat]
    defaults: dict[str, list[str]] = {"hand": [], "pile": [], "deck": [] if early else [REST]}
    lists = {name: given.get(name, defaults[name]) for name in ORDER_LISTS}
    held = [
        known(unit.order.type)
        for unit in state.units.values()
        if unit.seat == seat and unit.order is not None and not unit.order.virtual
    ]
    numbers = cards_of(state).order_deck
    deck_cards = {kind: numbers.count(kind) for kind in OrderType}
    read = read_lists(where, lists, lambda word: order_named(where, word), deck_cards, held)
    hand, pile, deck = (read[name] for name in ORDER_LISTS)
    side = replace(
        state.sides[seat],
        hand=hand,
        hand_size=len(hand),
        pile=pile,
        pile_size=len(pile),
        deck=deck,
        deck_size=len(deck),
        top=pile[-1] if pile else None,
    )
    return _with_side(state, seat, side)


def _read_attack(state: VeraState, given: Fields) -> VeraState:
    """The attack under way: its Units by id; the column is the attacker's, or the target's in an Aerial Attack."""
    if "attack" not in given:
        return state
    table = dict(check_keys("attack", given["attack"], Attack.__struct_fields__))
    for name in ("attacker", "target"):
        one_of(f"attack.{name}", table.get(name), state.units)
    above = table.get("kind") == "aerial"
    column = state.units[table["target" if above else "attacker"]].space[1]
    return replace(state, attack=convert("attack", {"kind": "direct", "column": int(column), **table}, Attack))


def _show_unit(unit: Unit, index: CardIndex) -> Fields:
    shown = msgspec.structs.asdict(unit)
    shown["card"] = unit.card if isinstance(unit.card, Hidden) else write_card(unit.card, index)
    shown["order"] = write_order(unit.order)
    return shown


def _see_unit(unit: Unit, viewer: Seat | None) -> Unit:
    """VD-364, VD-365, VD-377: only the owner knows a Closed Unit's card and life, and an unseen order."""
    if unit.seat == viewer:
        return unit
    held = unit.order
    if held is not None and not (held.up or held.seen):
        held = replace(held, type=HIDDEN)
    if unit.open:
        return replace(unit, order=held)
    return replace(unit, order=held, card=HIDDEN, life=HIDDEN if unit.marker is None else unit.marker)


def _hide(value: tuple[Any, ...] | Hidden, *, always: bool = False) -> tuple[Any, ...] | Hidden:
    """Hide a value. An empty value is public, unless it is `always` hidden."""
    return HIDDEN if value or always else ()


def _see_side(side: Side, phase: Phase, *, own: bool) -> Side:
    """VD-367, VD-368, VD-375, VD-376: nobody knows the deck's order, the pile and the unused Units.

    A deck or pile is hidden as soon as it may hold cards, even while it is empty: cards that come there later are
    hidden too.
    """
    ready, dealt = phase is not Phase.GENERALS, phase not in SET_UP
    seen = replace(
        side,
        rest=_hide(side.rest, always=ready),
        deck=_hide(side.deck, always=ready),
        pile=_hide(side.pile, always=ready),
    )
    if own:
        return seen
    recruits = known(side.recruits) + known(side.mustered)
    return replace(
        seen,
        recruits=_hide(recruits),
        mustered=_hide(recruits),
        covert=_hide(side.covert),
        hand=_hide(side.hand, always=dealt),
    )


def _write_side(state: VeraState, seat: Seat, index: CardIndex) -> Fields:
    side, empty = state.sides[seat], Side()
    given: Fields = {
        name: msgspec.to_builtins(getattr(side, name))
        for name in PLAIN_FIELDS
        if getattr(side, name) != getattr(empty, name)
    }
    for name in CARD_LISTS:
        cards = known(getattr(side, name))
        if cards:
            given[name] = write_list([write_card(card, index) for card in cards])
    given |= {name: write_list(known(getattr(side, name))) for name in ORDER_LISTS}
    looked = [int(key[1]) for key in state.looked if key[0] == str(seat)]
    if looked:
        given["looked"] = looked
    for unit in state.units.values():
        if unit.seat == seat:
            given[unit.space] = write_unit(unit, index)
    return given
