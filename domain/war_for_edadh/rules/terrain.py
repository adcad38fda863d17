"""2.Q Terrain: Troops that may enter, effects of a half, cards that combine; WE-037, WE-039, WE-040."""

from collections.abc import Iterable

from domain.commons.cards import known
from domain.kernel import Resolver, Seat
from domain.war_for_edadh.cards.cards import CardIndex, Entry, Level, TerrainCard
from domain.war_for_edadh.state.events import TerrainCut, TerrainLaid, TerrainSetAside, TerrainShuffled
from domain.war_for_edadh.state.queries import cards_of, effects_on, half_cards
from domain.war_for_edadh.state.state import Codes, WarState


def may_enter(index: CardIndex, code: str, terrain: Iterable[TerrainCard]) -> bool:
    """WE-223 to WE-226: whether a Troop has the Element and no Access Value bars its Power.

    WE-233: the lowest of several plus values bars most, and the highest of several minus values; each is tested in
    turn.
    """
    troop = index.troops[code]
    for found in terrain:
        if found.element not in troop.elements:
            return False
        for access in found.access:
            barred = troop.power >= access.value if access.kind == "plus" else troop.power <= access.value
            if barred:
                return False
    return True


def unit_may_enter(index: CardIndex, codes: Iterable[str], terrain: Iterable[TerrainCard]) -> bool:
    """WE-227: one excluded Troop excludes the whole Unit."""
    cards = tuple(terrain)
    return all(may_enter(index, code, cards) for code in codes)


def _entries(state: WarState, seat: int) -> tuple[Entry, ...]:
    """WE-037, WE-039: the entries of the player's half at this level; none at Melee."""
    ground = state.ground
    if ground is None or state.level is Level.MELEE:
        return ()
    number = (seat == 1) != ground.turned
    return tuple(
        card.halves[number].ballistic if state.level is Level.BALLISTIC else card.halves[number].charge
        for card in half_cards(state, seat)
    )


def terrain_modifier(state: WarState, seat: int) -> int:
    """WE-096, WE-235: the damage that the Defender's half adds to his; Terrain Advantage takes a positive sum away."""
    amount = sum(entry.mod for entry in _entries(state, seat))
    if amount > 0 and any(effect.op == "ignore_positive_terrain" for _, effect in effects_on(state, seat)):
        return 0
    return amount


def terrain_guard(state: WarState, seat: int) -> int:
    """WE-083, WE-235: the highest Guard Value on the Defender's half."""
    return max((entry.guard for entry in _entries(state, seat)), default=0)


def terrain_range(state: WarState, seat: int) -> int:
    """WE-040, WE-236: the lowest Terrain Range on the half; "no limit" counts as more than any weapon's range."""
    return min((100 if card.range == "*" else card.range for card in half_cards(state, seat)), default=100)


def can_combine(one: TerrainCard, other: TerrainCard) -> bool:
    """WE-043, WE-231, WE-Q57: whether the codes of both cards allow the pair; no Terrain combines with itself."""
    if one.name == other.name:
        return False
    codes = {one.combine, other.combine}
    return codes == {"CU", "U"} or ("C" in codes and "CU" not in codes)


def shuffle_terrain(r: Resolver[WarState], rule: str) -> None:
    """WE-251: all Terrain Cards are shuffled and cut."""
    deck = r.shuffle(tuple(cards_of(r.state).terrain), rule, "Terrain")
    r.emit(TerrainShuffled(len(deck), deck))


def lay_terrain(r: Resolver[WarState], barring: "Barring", without_hills: bool = False) -> bool:
    """Turn up cards until one may be used (WE-Q80, WE-261); False when the deck has run out."""
    index = cards_of(r.state)
    while r.state.terrain_left:
        code = known(r.state.terrain_deck)[0]
        turned = r.roll(1, "WE-037", "Facing", sides=2)[0] == 2
        r.emit(TerrainLaid(code, turned))
        if without_hills and is_hills(index.terrain[code]):
            r.emit(TerrainSetAside(code, "WE-261"))
        elif barring(r.state, (index.terrain[code],)):
            r.emit(TerrainSetAside(code, "WE-Q80", barring=(code,)))
        else:
            return True
    return False


def cut_terrain(r: Resolver[WarState], seat: Seat) -> str:
    """WE-253: the next card of the cut deck."""
    code = known(r.state.terrain_deck)[0]
    r.emit(TerrainCut(seat, code))
    return code


def is_hills(card: TerrainCard) -> bool:
    """WE-258, WE-261: whether the card is the Hills."""
    return card.symbol == "hills"


class Barring:
    """WE-Q80: whether a Terrain bars a player from fielding any Unit."""

    def __init__(self, units: tuple[tuple[Codes, ...], tuple[Codes, ...]]) -> None:
        self.units = units

    def __call__(self, state: WarState, terrain: tuple[TerrainCard, ...]) -> bool:
        """Whether one of the players has no Unit that may enter."""
        index = cards_of(state)
        return any(not any(unit_may_enter(index, unit, terrain) for unit in units) for units in self.units)
