"""Another world that looks the same to a viewer, for the proof that nothing leaks and for bots.

Only the viewer's knowledge of the given state is used: public facts, the viewer's own secrets, and discard piles, of
which both players saw every card. Fields in `keep` stay as they are: unit ids, `hand0`, `deck0`, `army0`, `terrain`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from domain.commons.cards import known
from domain.commons.rows import BOTH, put
from domain.commons.sealed import by_name, other_answers
from domain.kernel import Asked, Below, Hidden, Seat, shuffled
from domain.vera_discordia.cards.cards import Ability, CardKey, Muster, OrderType
from domain.vera_discordia.rules.deployment import general_ranks
from domain.vera_discordia.rules.generals import SecretSelection
from domain.vera_discordia.rules.issuing import LeftoverDisposal, OrderIssue
from domain.vera_discordia.rules.recruiting import ClosedSelection, count_ability, deal_numbers, rank_of
from domain.vera_discordia.state.queries import cards_of, leadership, profile_of
from domain.vera_discordia.state.state import Held, Side, Unit, VeraState

ATTEMPTS = 60
"""The number of whole armies that are drawn before one that contradicts known facts is mended card by card."""
STEPS = 4000
"""The exchanges of two cards after which mending ends; 56 positions of random matches needed 292 at most."""
WORSE = 20
"""Of the exchanges that add contradictions, mending makes one in this many; otherwise it could get stuck."""
SWAPS = 40
ROLLED = (Ability.CHAOS, Ability.RAGE)
SEALED = by_name(SecretSelection, ClosedSelection, OrderIssue, LeftoverDisposal)


def resample(state: VeraState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()) -> VeraState:
    """Everything hidden from the viewer, drawn again; `viewer` None is a spectator."""
    if not state.options.without_terrain and "terrain" not in keep:
        state = _terrain(state, viewer, below)
    for seat in BOTH:
        if seat != viewer:
            state = _army(state, seat, below, keep)
        state = _orders(state, seat, below, keep, own=seat == viewer)
        state = _undealt(state, seat, below)

    def keeps(asked: Asked) -> bool:
        return asked.seat == viewer or bool({f"hand{asked.seat}", f"army{asked.seat}"} & keep)

    return other_answers(state, SEALED, below, keeps)


def _terrain(state: VeraState, viewer: Seat | None, below: Below) -> VeraState:
    """Redraw face-down Terrain that the viewer has not seen; a player who looked at it then knows the new cards."""
    if state.terrain:
        return replace(state, looked={key: state.terrain[int(key[1]) - 1] for key in state.looked})
    if not state.laid:
        return state
    seen = {int(key[1]): value for key, value in state.looked.items() if int(key[0]) == viewer}
    pool = Counter(cards_of(state).terrain_deck) - Counter(known(value) for value in seen.values())
    left = shuffled(pool.elements(), below)
    laid = tuple(known(seen[column]) if column in seen else left.pop() for column in range(1, 5))
    looked = {key: laid[int(key[1]) - 1] for key in state.looked}
    return replace(state, laid=laid, looked=dict(looked))


def _piles(state: VeraState, seat: Seat) -> Counter[CardKey]:
    """VD-Q57: all cards that could be in the army, without those that `muster` took out of the game (VD-K02)."""
    faction = state.sides[seat].faction
    copies = Counter(cards_of(state).army_deck(faction))
    for hook in leadership(state, seat, Muster):
        copies[CardKey(f"{faction}/{hook.type_id}")] = hook.max
    return copies


def _army(state: VeraState, seat: Seat, below: Below, keep: frozenset[str]) -> VeraState:
    """The Closed and undealt Units of a player."""
    side = state.sides[seat]
    waiting = side.recruits != () or side.covert != ()
    if not side.faction or f"army{seat}" in keep or not (waiting or _closed(state, seat)):
        return state
    if not isinstance(side.rest, Hidden):
        return _mix_army(state, seat, below, keep)
    for _ in range(ATTEMPTS):
        world = _draw_army(state, seat, below, keep)
        if world is not None:
            return world
    return _mended(state, seat, below, keep)


def _mended(state: VeraState, seat: Seat, below: Below, keep: frozenset[str]) -> VeraState:
    """For when few armies are possible: draw any army, exchange cards until it fits the known facts, then mix it.

    Returns the unchanged state if no army was found.
    """
    units = [unit for unit in _closed(state, seat) if unit.id not in keep]
    certain = _certain(state, seat, units)
    dealt, rest = _deal(state, seat, certain, below)
    cards, army = [*shuffled(dealt, below), *rest], len(dealt)
    wrong = _wrong(state, seat, units, certain, cards[:army])
    for _ in range(STEPS):
        if not wrong:
            break
        i, j = below(army), below(len(cards))
        if cards[i] == cards[j] or (j >= army and rank_of(state, cards[i]) is not rank_of(state, cards[j])):
            continue
        cards[i], cards[j] = cards[j], cards[i]
        now = _wrong(state, seat, units, certain, cards[:army])
        if now > wrong and below(WORSE):
            cards[i], cards[j] = cards[j], cards[i]
        else:
            wrong = now
    if wrong:
        return state
    fitting = [fits for unit, card in zip(units, cards, strict=False) if (fits := _fit(state, unit, card))]
    world = _with_army(state, seat, fitting, cards[len(units) : army], tuple(cards[army:]))
    return state if world is None else _mix_army(world, seat, below, keep)


def _wrong(
    state: VeraState, seat: Seat, units: Sequence[Unit], certain: Sequence[CardKey], army: Sequence[CardKey]
) -> int:
    """The number of known facts that an army contradicts; the cards of the `units` come first in the army."""
    unfit = sum(_fit(state, unit, card) is None for unit, card in zip(units, army, strict=False))
    lacking = sum((Counter(_forced(state, seat)) - Counter(army) - Counter(certain)).values())
    side, (vision, stealth) = state.sides[seat], _totals(state, seat, [*army, *certain])
    counted = 0 if state.initiative is None else abs(vision - side.vision) + abs(stealth - side.stealth)
    return unfit + lacking + counted


def _certain(state: VeraState, seat: Seat, hidden: Sequence[Unit]) -> list[CardKey]:
    """The cards of the army that are known."""
    side = state.sides[seat]
    own = [unit for unit in state.units.values() if unit.seat == seat and unit not in hidden]
    fielded = [known(unit.card) if unit.original is None else unit.original for unit in own]
    return [*(known(card) for card in side.fallen), *side.reserve, *fielded]


def _mix_army(state: VeraState, seat: Seat, below: Below, keep: frozenset[str]) -> VeraState:
    """Mix the army of a whole state by many exchanges of two hidden cards. No exchange changes a known fact.

    This is a random walk over the possible worlds (Metropolis 1953); therefore no attempt is wasted.
    """
    side = state.sides[seat]
    units = [unit for unit in _closed(state, seat) if unit.id not in keep]
    hand = known(side.recruits) or known(side.covert)
    cards = [*(known(unit.card) for unit in units), *hand, *known(side.rest)]
    army = len(units) + len(hand)
    for _ in range(SWAPS):
        i, j = below(len(cards)), below(len(cards))
        if cards[i] == cards[j] or (i >= army and j >= army):
            continue
        if (i >= army or j >= army) and not _alike(state, cards[i], cards[j]):
            continue
        cards[i], cards[j] = cards[j], cards[i]
        fits = all(k >= len(units) or _fit(state, units[k], cards[k]) for k in (i, j))
        if not fits or not _has_forced(state, seat, cards[:army]):
            cards[i], cards[j] = cards[j], cards[i]
    changed = [fitting for unit, card in zip(units, cards, strict=False) if (fitting := _fit(state, unit, card))]
    waiting, rest = tuple(sorted(cards[len(units) : army])), tuple(cards[army:])
    new = replace(side, rest=rest, recruits=waiting) if side.recruits else replace(side, rest=rest, covert=waiting)
    return _place(state, seat, new, changed)


def _alike(state: VeraState, first: CardKey, second: CardKey) -> bool:
    """Whether an army with one card instead of the other has the same ranks, Vision and Stealth (VD-370)."""
    types = cards_of(state).types
    one, other = types[first], types[second]
    counted = () if state.initiative is None else (Ability.VISION, Ability.STEALTH)
    return one.rank is other.rank and all((a in one.abilities) == (a in other.abilities) for a in counted)


def _has_forced(state: VeraState, seat: Seat, hidden: Sequence[CardKey]) -> bool:
    """VD-K02: whether the army still holds as many cards of a mustered type as it must."""
    side = state.sides[seat]
    own = Counter(hidden) + Counter(known(side.mustered)) + Counter(known(card) for card in side.fallen)
    own += Counter(side.reserve)
    own += Counter(
        known(unit.card) if unit.original is None else unit.original
        for unit in state.units.values()
        if unit.seat == seat and unit.open
    )
    return all(own[card] >= number for card, number in Counter(_forced(state, seat)).items())


def _closed(state: VeraState, seat: Seat) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.seat == seat and not unit.open]


def _draw_army(state: VeraState, seat: Seat, below: Below, keep: frozenset[str]) -> VeraState | None:
    """One attempt; None if it contradicts known facts."""
    hidden = [unit for unit in _closed(state, seat) if unit.id not in keep]
    certain = _certain(state, seat, hidden)
    dealt, rest = _deal(state, seat, certain, below)
    taken = shuffled(dealt, below)
    changed = []
    for unit in hidden:
        card = taken.pop()
        fitting = _fit(state, unit, card)
        if fitting is None:
            return None
        changed.append(fitting)
    world = _with_army(state, seat, changed, taken, rest)
    return world if world is not None and _totals_fit(world, seat, [*dealt, *certain]) else None


def _with_army(
    state: VeraState, seat: Seat, units: Iterable[Unit], waiting: Sequence[CardKey], rest: tuple[CardKey, ...]
) -> VeraState | None:
    """The world with an army: Closed Units, and the waiting cards; None if these lack mustered cards."""
    side = state.sides[seat]
    if side.recruits == ():
        return _place(state, seat, replace(side, covert=tuple(sorted(waiting)), rest=rest), units)
    mustered = _forced(state, seat)
    if Counter(mustered) - Counter(waiting):
        return None
    free = Counter(waiting) - Counter(mustered)
    new = replace(side, recruits=tuple(sorted(free.elements())), mustered=mustered, rest=rest)
    return _place(state, seat, new, units)


def _undealt(state: VeraState, seat: Seat, below: Below) -> VeraState:
    """The cards left in the recruiting piles: all cards that are not in the army. A view does not hold them."""
    side = state.sides[seat]
    if not side.faction or not isinstance(side.rest, Hidden):
        return state
    units = [unit for unit in state.units.values() if unit.seat == seat]
    fielded = [unit.card if unit.original is None else unit.original for unit in units]
    waiting = (side.recruits, side.mustered, side.covert)
    if any(isinstance(cards, Hidden) for cards in (*waiting, *fielded)):
        return state
    army = [known(card) for card in (*fielded, *side.fallen, *side.reserve)]
    army += [card for cards in waiting for card in known(cards)]
    left = _piles(state, seat) - Counter(army)
    return _place(state, seat, replace(side, rest=tuple(shuffled(left.elements(), below))), ())


def _forced(state: VeraState, seat: Seat) -> tuple[CardKey, ...]:
    faction = state.sides[seat].faction
    return tuple(
        card for hook in leadership(state, seat, Muster) for card in [CardKey(f"{faction}/{hook.type_id}")] * hook.min
    )


def _deal(
    state: VeraState, seat: Seat, certain: Sequence[CardKey], below: Below
) -> tuple[list[CardKey], tuple[CardKey, ...]]:
    """The unknown cards of the army, rank by rank, and the cards not recruited; mustered ones are always in."""
    left = _piles(state, seat) - Counter(certain)
    forced = Counter(_forced(state, seat)) - Counter(certain)
    dealt: list[CardKey] = list(forced.elements())
    rest: list[CardKey] = []
    have = Counter(rank_of(state, card) for card in (*certain, *dealt))
    for rank, number in deal_numbers(state, seat).items():
        pile = shuffled((c for c in (left - forced).elements() if rank_of(state, c) is rank), below)
        more = max(0, number - have[rank])
        dealt += pile[:more]
        rest += pile[more:]
    return dealt, tuple(rest)


def _fit(state: VeraState, unit: Unit, card: CardKey) -> Unit | None:
    """The Closed Unit with another card, if everything known of it still holds."""
    whole = profile_of(state, card, unit.seat, hero=unit.general, forest=False, changed=False)
    begins = {ability for ability in ROLLED if ability in whole.abilities} if unit.rolled else set()
    if unit.rolled and Ability.CHAOS not in whole.abilities and Ability.AUTONOMY in whole.abilities:
        begins.add(Ability.AUTONOMY)
    if unit.hurt and Ability.REGENERATION in whole.abilities:
        begins.add(Ability.REGENERATION)
    if not begins <= set(unit.shown) or not set(unit.shown) <= whole.abilities:
        return None
    if unit.general and rank_of(state, card) not in general_ranks(state, unit.seat):
        return None
    if unit.marker is not None and unit.marker >= whole.max_life:
        return None
    return replace(unit, card=card, life=whole.max_life if unit.marker is None else unit.marker)


def _place(state: VeraState, seat: Seat, side: Side, units: Iterable[Unit]) -> VeraState:
    return replace(
        state, sides=put(state.sides, seat, side), units={**state.units, **{unit.id: unit for unit in units}}
    )


def _totals_fit(state: VeraState, seat: Seat, army: Sequence[CardKey]) -> bool:
    """VD-370: Vision and Stealth were announced, once they were counted."""
    side = state.sides[seat]
    return state.initiative is None or _totals(state, seat, army) == (side.vision, side.stealth)


def _totals(state: VeraState, seat: Seat, army: Sequence[CardKey]) -> tuple[int, int]:
    """How many of an army have Vision and Stealth."""
    bare = replace(state.sides[seat], recruits=tuple(army), mustered=())
    world = _place(state, seat, bare, ())
    return count_ability(world, seat, Ability.VISION), count_ability(world, seat, Ability.STEALTH)


def _is_unknown(unit: Unit, keep: frozenset[str]) -> bool:
    held = unit.order
    return held is not None and not (held.up or held.seen or held.virtual) and unit.id not in keep


def _orders(state: VeraState, seat: Seat, below: Below, keep: frozenset[str], *, own: bool) -> VeraState:
    """Redraw all decks, and the hands and face-down orders of the other players."""
    side = state.sides[seat]
    if not side.deck_size + side.hand_size + side.pile_size:
        return state
    units = [unit for unit in state.units.values() if unit.seat == seat and unit.order is not None]
    unknown = [] if own else [unit for unit in units if _is_unknown(unit, keep)]
    fixed = [u.order for u in units if u not in unknown and u.order is not None and not u.order.virtual]
    pool = Counter(cards_of(state).order_deck) - Counter(known(held.type) for held in fixed)
    keep_hand = own or f"hand{seat}" in keep
    keep_deck = f"deck{seat}" in keep
    for kept, cards in ((keep_hand, side.hand), (keep_deck, side.deck)):
        if kept:
            pool -= Counter(known(cards))
    if not isinstance(side.pile, Hidden):
        pool -= Counter(side.pile)
    elif side.top is not None:
        pool -= Counter([side.top])
    left = shuffled(pool.elements(), below)
    placed = {u.id: replace(u, order=replace(_held(u), type=left.pop())) for u in unknown}
    hand = side.hand if keep_hand else tuple(left.pop() for _ in range(side.hand_size))
    deck = side.deck if keep_deck else tuple(left.pop() for _ in range(side.deck_size))
    pile: tuple[OrderType, ...] | Hidden = side.pile
    if isinstance(pile, Hidden):
        pile = (*left, *(() if side.top is None else (side.top,)))
    return _place(state, seat, replace(side, hand=hand, deck=deck, pile=pile), placed.values())


def _held(unit: Unit) -> Held:
    assert unit.order is not None, "only Units with orders are asked for"
    return unit.order
