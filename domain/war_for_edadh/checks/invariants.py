"""Invariants of every state: cards, Stratagems and points are conserved."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Final

from domain.commons.rows import BOTH
from domain.kernel import Hidden
from domain.war_for_edadh.state.queries import cards_of, everyone
from domain.war_for_edadh.state.state import DRAW, TroopId, WarState

LAST_COMBAT: Final = 3
"""WE-263: a Best of 3 has three combats at most."""
MOST_UNITS: Final = 8
"""The number of Units that an unknown army may have."""
MOST_ROUNDS: Final = 3
"""WE-106: the most rounds of a Duration, and the most cards of a Front Rank."""


def invariants(state: WarState) -> Iterator[str]:
    """A sentence for each violated invariant. Takes a whole state, not a view."""
    unknown = list(_unknown(state))
    yield from unknown
    if unknown:
        return
    yield from _table(state)
    yield from _round(state)
    for seat in BOTH:
        yield from _counters(state, seat)
        yield from _troops(state, seat)
        yield from _stratagems(state, seat)
        side = state.sides[seat]
        # WE-050: the Dmg Counter never goes below 0.
        if side.dmg < 0:
            yield f"seat {seat} has {side.dmg} Dmg"
        if set(side.standards_used) - set(side.standards) or len(set(side.standards_used)) < len(side.standards_used):
            yield f"seat {seat}: a Standard is used that is not there, or twice"
        if side.promoted and side.battle_flipped:
            yield f"seat {seat}: the Battle Master is Promoted and flipped"


def _troops(state: WarState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    places = Counter((*everyone(side), *side.pile, *side.removed, *side.retired))
    for troop, found in places.items():
        if found > 1:
            yield f"{troop} is in {found} places"
        if state.troops[troop].seat != seat:
            yield f"{troop} stands with the enemy"
    if state.options.game == "unit" and len(places) != sum(1 for t in state.troops.values() if t.seat == seat):
        yield f"seat {seat}: Troops are not conserved"


def _stratagems(state: WarState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    if isinstance(side.deck, Hidden) or isinstance(side.holding, Hidden):
        yield f"seat {seat}: the deck is hidden"
        return
    if len(side.deck) != side.deck_size or len(side.holding) != side.holding_count:
        yield f"seat {seat}: Stratagems are counted wrongly"
    cards = Counter((*side.deck, *side.holding, *(lying.code for lying in side.in_play), *side.countered))
    if any(found > 1 for found in cards.values()):
        yield f"seat {seat}: a Stratagem is in two places"


def _unknown(state: WarState) -> Iterator[str]:
    """Unknown names, which the other checks could not look up: Troops of the round and of marks, and cards."""
    for seat in BOTH:
        yield from _unknown_of(state, seat)
    for troop in (*(TroopId(id_) for id_ in state.round.chosen if id_), *state.round.helpers):
        if troop not in state.troops:
            yield f"there is no Troop {troop} in the round"
    terrain = () if isinstance(state.terrain_deck, Hidden) else state.terrain_deck
    laid = () if state.ground is None else tuple(under.code for under in state.ground.under)
    for code in (*terrain, *state.set_aside, *laid):
        if code not in cards_of(state).terrain:
            yield f"there is no Terrain Card {code}"


def _unknown_of(state: WarState, seat: int) -> Iterator[str]:
    side, index = state.sides[seat], cards_of(state)
    away = (*side.pile, *side.removed, *side.retired)
    for troop in (*side.loose, *side.due_first, *side.instant, *everyone(side), *away):
        if troop not in state.troops:
            yield f"seat {seat}: there is no Troop {troop}"
    decks = [code for cards in (side.deck, side.holding) if not isinstance(cards, Hidden) for code in cards]
    named: tuple[tuple[str, Iterable[str], Container[str]], ...] = (
        ("Stratagem", (*decks, *side.countered, *(lying.code for lying in side.in_play)), index.stratagems),
        ("Standard", side.standards, index.standards),
        ("Combat Master", filter(None, (side.combat_master,)), index.combat_masters),
        ("Battle Master", filter(None, (side.battle_master,)), index.battle_masters),
    )
    for kind, codes, known in named:
        for code in codes:
            if code not in known:
                yield f"seat {seat}: there is no {kind} {code}"


def _table(state: WarState) -> Iterator[str]:
    """WE-004, WE-021: the counts of the table; DRAW and "nobody" are -1."""
    if not 0 <= state.combat <= LAST_COMBAT or state.duration < 0:
        yield f"combat {state.combat}, Duration {state.duration}"
    if not 0 <= state.rounds <= MOST_ROUNDS or not 0 <= state.round.number <= MOST_ROUNDS:
        yield f"round {state.round.number} of {state.rounds}; a Duration has {MOST_ROUNDS} at most"
    if state.larger not in {DRAW, *BOTH} or not 0 <= state.helpers <= MOST_ROUNDS:
        yield f"{state.helpers} helpers of the larger side {state.larger}"
    if state.outcome not in {None, DRAW, *BOTH}:
        yield f"the combat was won by {state.outcome}"


def _round(state: WarState) -> Iterator[str]:
    """WE-008, WE-068, WE-072: the cards laid, the Attacker, and the Troops that fight."""
    now, ends = state.round, cards_of(state).ends
    for seat, laid in enumerate(now.laid):
        if laid is not None and laid.cv not in ends:
            yield f"seat {seat} has laid {laid.cv}, which no Mastery Card shows"
    if not {now.attacker, now.leader} <= {DRAW, *BOTH}:
        yield f"the attacker is {now.attacker}, the leader {now.leader}"
    for seat, troop in enumerate(now.chosen):
        if troop and state.troops[TroopId(troop)].seat != seat:
            yield f"seat {seat} fights with {troop}, which is the enemy's"


def _counters(state: WarState, seat: int) -> Iterator[str]:
    side = state.sides[seat]
    if min(side.res, side.combats_won) < 0:
        yield f"seat {seat} has won {side.combats_won} combats and takes {side.res} off its count"
    columns = (*side.spent, *side.spent_support)
    if not set(columns) <= {1, 2, 3} or any(len(set(each)) < len(each) for each in (side.spent, side.spent_support)):
        yield f"seat {seat} has used the columns {columns}; there are 1 to 3"
    if side.promoted and not side.battle_master:
        yield f"seat {seat}: nobody is Promoted"
    if (side.master_flipped or side.master_lost) and not side.combat_master:
        yield f"seat {seat}: a Combat Master who is not there is flipped or lost"
    units = len(side.army.units) if side.army is not None and not isinstance(side.army, Hidden) else MOST_UNITS
    if not set(side.fielded) <= set(range(units)) or not {each.unit for each in side.survivors} <= set(range(units)):
        yield f"seat {seat} has fielded {side.fielded}, and has the Units 0 to {units - 1}"
