"""Another world that looks the same to a viewer, for the proof that nothing leaks and for bots.

Only the viewer's knowledge of the given state is used: public facts and the viewer's own secrets. Fields in `keep`
stay as they are: `army0` the army and the Units selected of it, `deck0` the Stratagem Deck, `hand0` the cards
laid face down: Holding cards, the Units selected and a sealed answer (with the seat's number); `terrain`.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import msgspec
from msgspec.structs import replace

from domain.commons.rows import BOTH, put
from domain.commons.sealed import by_name, other_answers
from domain.kernel import Asked, Below, Hidden, Seat, shuffled
from domain.war_for_edadh.cards.cards import Army, Copies, UnitList
from domain.war_for_edadh.rules.best_of_3 import LAST_COMBAT, barring
from domain.war_for_edadh.rules.fielding import (
    ArmySelection,
    DeckSelection,
    Deployment,
    UnitSelection,
    admitted,
    automatic,
)
from domain.war_for_edadh.rules.match import QUICK
from domain.war_for_edadh.rules.round import MasteryLay
from domain.war_for_edadh.rules.rows import RowOffer
from domain.war_for_edadh.rules.standards import Resolve
from domain.war_for_edadh.rules.stratagems import StratagemSelection, budget
from domain.war_for_edadh.rules.tie_break import TieLay
from domain.war_for_edadh.state.queries import cards_of, ready_armies
from domain.war_for_edadh.state.state import Codes, Selection, Side, WarState

ATTEMPTS = 200
SEALED = by_name(
    ArmySelection,
    DeckSelection,
    UnitSelection,
    Deployment,
    StratagemSelection,
    MasteryLay,
    TieLay,
    RowOffer,
    Resolve,
)


def resample(state: WarState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()) -> WarState:
    """Everything hidden from the viewer, drawn again; `viewer` None is a spectator."""
    for _ in range(ATTEMPTS):
        world = _draw(state, viewer, below, keep)
        if _consistent(world):
            return world
    return state


def _draw(state: WarState, viewer: Seat | None, below: Below, keep: frozenset[str]) -> WarState:
    if "terrain" not in keep and state.terrain_left:
        state = replace(state, terrain_deck=_terrain(state, below))
    for seat in BOTH:
        if seat != viewer:
            state = _side(state, seat, below, keep)

    def keeps(asked: Asked) -> bool:
        return asked.seat == viewer or f"hand{asked.seat}" in keep

    return other_answers(state, SEALED, below, keeps)


def _terrain(state: WarState, below: Below) -> Codes:
    """WE-284: the cards that have not been turned up, in any order."""
    seen = set(state.set_aside)
    if state.ground is not None:
        seen |= {state.ground.code, *(under.code for under in state.ground.under)}
    left = shuffled((code for code in cards_of(state).terrain if code not in seen), below)
    return tuple(left[: state.terrain_left])


def _side(state: WarState, seat: Seat, below: Below, keep: frozenset[str]) -> WarState:
    side = state.sides[seat]
    if state.options.quick_start and side.chosen:  # WE-053: the options say which
        side = replace(side, army=cards_of(state).armies[QUICK[seat]])
        state = _with(state, seat, side)
    elif side.chosen and f"army{seat}" not in keep:
        armies = [army for army in ready_armies(state) if fits(state, side, army)]
        side = replace(side, army=armies[below(len(armies))] if armies else imagined(state, side, below))
        state = _with(state, seat, side)
    if side.selection is not None and not any(side.columns) and not {f"army{seat}", f"hand{seat}"} & keep:
        choices = tuple(UnitSelection(seat).form(state))
        if choices:
            picked = choices[below(len(choices))]
            side = replace(side, selection=Selection(**msgspec.structs.asdict(picked)))
            state = _with(state, seat, side)
    if side.deck_size and f"deck{seat}" not in keep:
        state = _with(state, seat, _stratagems(state, seat, below, keep))
    elif isinstance(state.sides[seat].deck, Hidden) and not side.deck_size:
        state = _with(state, seat, replace(state.sides[seat], deck=()))
    return state


def _with(state: WarState, seat: Seat, side: Side) -> WarState:
    return replace(state, sides=put(state.sides, seat, side))


def fits(state: WarState, side: Side, army: Army) -> bool:
    """Whether an army fits the parts of it that were seen: faction, masters, the Units fielded, the deck."""
    if not admitted(state, army):
        return False
    index = cards_of(state)
    most = index.battle_masters[army.battle_masters[0]].mastery_level if army.battle_masters else 2
    if side.deck_size + len(side.in_play) + side.holding_count + len(side.countered) > 3 + most:
        return False
    if not side.faction:
        return True
    if army.faction != side.faction or (side.battle_master and army.battle_masters[:1] != (side.battle_master,)):
        return False
    if side.combat_master and army.combat_masters[:1] != (side.combat_master,):
        return False
    if state.options.standards and army.standards != side.standards:
        return False
    seen = known_units(side)
    return all(number < len(army.units) and sorted(army.units[number].troops) == codes for number, codes in seen)


def imagined(state: WarState, side: Side, below: Below) -> Army:
    """An army of the player's own that agrees with its cards seen so far; the other cards are as in a ready army."""
    ready = [army for army in ready_armies(state) if admitted(state, army)]
    alike = [army for army in ready if army.faction == side.faction] or ready
    model = alike[below(len(alike))]
    units = tuple(_units(state, side, next(unit for unit in model.units if unit.role == "main")))
    codes = Counter(code for unit in units for code in unit.troops)
    return Army(
        name="?",
        faction=side.faction or model.faction,
        troops=tuple(Copies(code, copies) for code, copies in codes.items()),
        total=model.total,
        combat_masters=(side.combat_master,) if side.combat_master else model.combat_masters,
        battle_masters=(side.battle_master,) if side.battle_master else model.battle_masters,
        standards=side.standards or model.standards,
        units=units,
    )


def _units(state: WarState, side: Side, model: UnitList) -> Iterator[UnitList]:
    """The Units that have been seen, by number, and others as in a ready army: as many Main Units as the game needs."""
    seen = dict(side.shown)
    fought = sum(1 + (left.support_unit >= 0) for left in side.survivors)
    supports = {left.support_unit for left in side.survivors} | set(side.fielded[fought:][1:])
    wanted = (2 if state.options.game == "best_of_3" else 1) - len(set(seen) - supports)
    for number in range(max([len(seen) + max(0, wanted), *(number + 1 for number in seen)])):
        if number in seen:
            yield UnitList("support" if number in supports else "main", _in_columns(seen[number]))
            continue
        yield UnitList("main" if wanted > 0 else "support", model.columns)
        wanted -= 1


def _in_columns(codes: Codes) -> tuple[Codes, Codes, Codes]:
    return codes[0::3], codes[1::3], codes[2::3]


def known_units(side: Side) -> tuple[tuple[int, list[str]], ...]:
    """The Units that have been fielded, as number and codes, in the first combat that fielded them."""
    return tuple((number, sorted(codes)) for number, codes in side.shown)


def _stratagems(state: WarState, seat: Seat, below: Below, keep: frozenset[str]) -> Side:
    """WE-278, WE-279: the deck and face-down cards; In Play and Countered cards are known, and the common three."""
    side, index = state.sides[seat], cards_of(state)
    three = {card.code for card in automatic(state)}
    out = {*(lying.code for lying in side.in_play), *side.countered}
    pool = [code for code in index.stratagems if code not in three and code not in out]
    if not _battle(side):
        pool = [c for c in pool if index.stratagems[c].proficiency == "combat" and not index.stratagems[c].secondary]
    unseen = side.deck_size + side.holding_count
    own = [code for code in index.stratagems if code in three and code not in out]
    cards = (*own, *shuffled(pool, below)[: unseen - len(own)])
    if f"hand{seat}" in keep and not isinstance(side.holding, Hidden):
        holding = side.holding
        cards = (*holding, *(code for code in cards if code not in holding))[:unseen]
    else:
        holding = _holding(state, seat, cards, below)
    return replace(side, deck=tuple(code for code in cards if code not in holding), holding=holding)


def _battle(side: Side) -> bool:
    if side.faction:
        return bool(side.battle_master)
    return not isinstance(side.army, Hidden) and side.army is not None and bool(side.army.battle_masters)


def _holding(state: WarState, seat: Seat, cards: Codes, below: Below) -> Codes:
    """Face-down cards that could have been picked for what the Battle Master may spend."""
    side, index = state.sides[seat], cards_of(state).stratagems
    if not side.holding_count:
        return ()
    secret = [code for code in cards if index[code].secondary]
    sets = [
        picked
        for picked in combinations(secret, side.holding_count)
        if sum(0 if index[c].cost == "*" else int(index[c].cost) for c in picked) <= budget(state, seat)
    ]
    return sets[below(len(sets))] if sets else tuple(secret[: side.holding_count])


def _consistent(state: WarState) -> bool:
    """WE-Q80: every Terrain that was set aside for barring a Unit must bar one, as long as a Unit has not been seen."""
    if any(side.holding_count != len(side.holding) for side in state.sides if not isinstance(side.holding, Hidden)):
        return False
    if any(isinstance(side.army, Hidden) or (side.chosen and side.army is None) for side in state.sides):
        return True
    # In the last combat the Units have been seen, and the rest of a Unit may enter where the whole Unit could not.
    if state.options.game == "unit" or not state.barred or state.combat == LAST_COMBAT:
        return True
    index = cards_of(state).terrain
    bars = barring(state)
    return all(bars(state, tuple(index[code] for code in codes)) for codes in state.barred)
