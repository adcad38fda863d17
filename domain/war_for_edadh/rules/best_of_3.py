"""2.T Best of 3: the Terrain of a combat and the players' choices about it (WE-251 to WE-253, WE-258, WE-261)."""

from collections.abc import Iterator

from domain.commons.rows import BOTH, foe
from domain.kernel import NEXT, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step
from domain.war_for_edadh.cards.cards import TerrainCard
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.rules.fielding import unit_codes, units_left
from domain.war_for_edadh.rules.terrain import (
    Barring,
    can_combine,
    cut_terrain,
    is_hills,
    lay_terrain,
    shuffle_terrain,
    unit_may_enter,
)
from domain.war_for_edadh.state.events import CombatEnded, TerrainCombined, TerrainSetAside, TerrainTurned
from domain.war_for_edadh.state.queries import cards_of, half_cards
from domain.war_for_edadh.state.state import DRAW, WarState

LAST_COMBAT = 3


def barring(state: WarState) -> Barring:
    """WE-Q80: whether a Terrain leaves one of the players no Unit to field."""
    first, second = (
        tuple(unit_codes(state, seat, number) for number in units_left(state, seat, "main")) for seat in BOTH
    )
    return Barring((first, second))


def draw_terrain(r: Resolver[WarState]) -> Flow:
    """The next card that may be used; WE-261: not Hills in the third combat. Without a card nobody can fight."""
    if not lay_terrain(r, barring(r.state), r.state.combat == LAST_COMBAT):
        r.emit(CombatEnded(DRAW, "no Terrain", "WE-Q80"))
        return Goto("WE-257")
    return NEXT


class Veto(Choice, frozen=True):
    """Set the Terrain aside; the next card is turned up."""


class CutAgain(Choice, frozen=True):
    """Cut again and take the next card, to combine it."""


class AcceptTerrain(Choice, frozen=True):
    """Leave the Terrain as it is."""


class TerrainAction(Decision, frozen=True):
    """WE-252, WE-253 Veto, cut and combine, or neither: one action for each player (WE-Q72)."""

    rule = "WE-252"

    def form(self, state: WarState) -> One:
        """All three while a card is left."""
        left = (Veto(), CutAgain()) if state.terrain_left else ()
        return only((AcceptTerrain(), *left))

    def resolve(self, r: Resolver[WarState], choice: Veto | CutAgain | AcceptTerrain) -> Flow:
        """A veto takes the card away; a cut may be combined."""
        match choice:
            case Veto():
                assert r.state.ground is not None
                r.emit(TerrainSetAside(r.state.ground.code, "WE-252", self.by))
                return draw_terrain(r)
            case CutAgain():
                code = cut_terrain(r, self.by)
                found = cards_of(r.state).terrain[code]
                # WE-Q72: Hills that a combine cut turns up in the third combat are replaced.
                while r.state.combat == LAST_COMBAT and is_hills(found) and r.state.terrain_left:
                    r.emit(TerrainSetAside(code, "WE-261"))
                    code = cut_terrain(r, self.by)
                    found = cards_of(r.state).terrain[code]
                return Call(TerrainCombination(self.by, code)) if may_combine(r.state, found) else NEXT
        return NEXT


def may_combine(state: WarState, found: TerrainCard) -> bool:
    """WE-253, WE-043: whether the card turned up may lie with every card on the table; CU with one U, no third card."""
    assert state.ground is not None
    index = cards_of(state).terrain
    lying = [index[code] for code in (state.ground.code, *(under.code for under in state.ground.under))]
    wrong = state.combat == LAST_COMBAT and is_hills(found)
    full = len(lying) > 1 and any(card.combine == "CU" for card in lying)
    return not wrong and not full and all(can_combine(card, found) for card in lying)


class CombineTerrain(Choice, frozen=True):
    """Lay the card under the other on this player's half."""

    half: int


class SetTerrainAside(Choice, frozen=True):
    """Do not combine the card."""


class CombinationOffer(Decision, frozen=True):
    """WE-232 The half on which the cut card is combined, if at all."""

    rule = "WE-232"

    code: str

    def form(self, state: WarState) -> One:
        """Either half, or none; one's own half only if it leaves one a Unit to field."""
        return only((SetTerrainAside(), *self._halves(state)))

    def _halves(self, state: WarState) -> Iterator[CombineTerrain]:
        yield CombineTerrain(foe(self.by))
        if admits(state, self.by, self.code):
            yield CombineTerrain(self.by)

    def resolve(self, r: Resolver[WarState], choice: CombineTerrain | SetTerrainAside) -> Flow:
        """WE-Q80: a combination that leaves the opponent no Unit is refused: the card is set aside."""
        if isinstance(choice, CombineTerrain):
            half = Seat(choice.half)
            if admits(r.state, half, self.code):
                r.emit(TerrainCombined(self.by, self.code, half))
            else:
                assert r.state.ground is not None
                r.emit(TerrainSetAside(self.code, "WE-Q80", barring=(r.state.ground.code, self.code)))
        return NEXT


def admits(state: WarState, seat: int, code: str) -> bool:
    """WE-Q80: whether a player has a Unit that may enter his half with this card added."""
    index = cards_of(state)
    terrain = (*half_cards(state, seat), index.terrain[code])
    units = units_left(state, seat, "main")
    return any(unit_may_enter(index, unit_codes(state, seat, number), terrain) for number in units)


class TerrainCombination(Procedure, frozen=True):
    """WE-253: the player who cut may combine the card."""

    seat: Seat
    code: str

    @step("WE-232")
    def offer(self, r: Resolver[WarState]) -> Flow:
        """On either half."""
        return ask(CombinationOffer(self.seat, self.code))


class TerrainSetting(Procedure, frozen=True):
    """The Terrain of a combat of Best of 3. In odd combats seat 0 shuffles, in even ones seat 1."""

    @step("WE-251", "WE-257", "WE-284")
    def shuffle(self, r: Resolver[WarState]) -> Flow:
        """Shuffle, cut, and lay the next card."""
        shuffle_terrain(r, "WE-251")
        return draw_terrain(r)

    @step("WE-252", "WE-253")
    def first_action(self, r: Resolver[WarState]) -> Flow:
        """The player who did not shuffle acts first (WE-Q72)."""
        return ask_or_take(r, TerrainAction(Seat(r.state.combat % 2)))

    @step("WE-Q72")
    def second_action(self, r: Resolver[WarState]) -> Flow:
        """The other player acts, on the card that lies there now."""
        return ask_or_take(r, TerrainAction(Seat(1 - r.state.combat % 2)))

    @step("WE-257")
    def settled(self, r: Resolver[WarState]) -> Flow:
        """The Terrain is settled."""
        return NEXT


def turn_hills(r: Resolver[WarState]) -> bool:
    """WE-258, WE-Q73: the same Hills turned round, on top or under another card, with all cards combined with them;
    False when a player could field no Unit there (WE-Q80).
    """
    ground, index = r.state.ground, cards_of(r.state)
    if r.state.combat != 2 or ground is None:
        return False
    if not any(is_hills(index.terrain[code]) for code in (ground.code, *(under.code for under in ground.under))):
        return False
    r.emit(TerrainTurned(not ground.turned, tuple(foe(under.seat) for under in ground.under)))
    for seat in BOTH:
        terrain, units = half_cards(r.state, seat), units_left(r.state, seat, "main")
        if not any(unit_may_enter(index, unit_codes(r.state, seat, number), terrain) for number in units):
            r.emit(TerrainSetAside(ground.code, "WE-Q80", barring=tuple(card.code for card in terrain)))
            return False
    return True
