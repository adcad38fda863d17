"""2.G and 2.T: one combat, from its Terrain to its winner (WE-051 to WE-056, WE-254, WE-255)."""

from domain.commons.cards import known
from domain.commons.rows import BOTH
from domain.kernel import DONE, NEXT, Call, Flow, Goto, Procedure, Resolver, Seat, ask, step
from domain.war_for_edadh.rules.best_of_3 import TerrainSetting, turn_hills
from domain.war_for_edadh.rules.duration import Duration
from domain.war_for_edadh.rules.fielding import Deployment, UnitSelection, deploy, places, units_left
from domain.war_for_edadh.rules.stratagems import ask_picks
from domain.war_for_edadh.rules.terrain import Barring, lay_terrain, shuffle_terrain
from domain.war_for_edadh.state.events import CombatBegun, CombatEnded, SurvivorsSetAside, TerrainLaid, UnitSelected
from domain.war_for_edadh.state.queries import cards_of, columns_of, everyone
from domain.war_for_edadh.state.state import DRAW, Codes, Selection, Side, Survivors, Unit, WarState


class Combat(Procedure, frozen=True):
    """One combat."""

    number: int

    @step("WE-255")
    def begin(self, r: Resolver[WarState]) -> Flow:
        """WE-262, WE-Q74: in a third combat a player with no Unit left forfeits it."""
        r.emit(CombatBegun(self.number))
        if r.state.options.game == "unit":
            return Goto("WE-254")
        first, second = (not units_left(r.state, seat, "main") for seat in BOTH)
        if first or second:
            r.emit(CombatEnded(DRAW if first and second else int(first), "no Unit", "WE-Q74"))
            return Goto("WE-256")
        return NEXT

    @step("WE-251", "WE-258")
    def terrain(self, r: Resolver[WarState]) -> Flow:
        """WE-258: Hills are turned round for the second combat; else new Terrain."""
        return NEXT if turn_hills(r) else Call(TerrainSetting())

    @step("WE-254", "WE-259", "WE-262", "WE-238")
    def select(self, r: Resolver[WarState]) -> Flow:
        """Each player selects his Units; both at once (WE-283)."""
        if r.state.outcome is not None:
            return Goto("WE-256")
        if r.state.options.quick_start:
            return Goto("WE-053")
        return ask(*(UnitSelection(seat) for seat in BOTH), sealed=True)

    @step("WE-052", "WE-Q77")
    def arrange(self, r: Resolver[WarState]) -> Flow:
        """Each player arranges them; both at once."""
        return ask(*(Deployment(seat) for seat in BOTH), sealed=True)

    @step("WE-054")
    def lay(self, r: Resolver[WarState]) -> Flow:
        """Unit vs. Unit: the agreed Terrain, or cards until every fielded Unit may enter (WE-Q80)."""
        if r.state.options.game != "unit":
            return Goto("WE-056")
        return self._lay(r)

    def _lay(self, r: Resolver[WarState]) -> Flow:
        if r.state.options.terrain:
            turned = r.roll(1, "WE-037", "Facing", sides=2)[0] == 2
            r.emit(TerrainLaid(r.state.options.terrain, turned, False))
            return Goto("WE-056")
        shuffle_terrain(r, "WE-054")
        fielded = tuple(tuple(r.state.troops[troop].code for troop in everyone(side)) for side in r.state.sides)
        if not lay_terrain(r, Barring(((fielded[0],), (fielded[1],)))):
            r.emit(CombatEnded(DRAW, "no Terrain", "WE-Q80"))
            return Goto("WE-256")
        return Goto("WE-056")

    @step("WE-053")
    def quick_start(self, r: Resolver[WarState]) -> Flow:
        """The armies and the Woods of the quick start, as printed."""
        for seat in BOTH:
            r.emit(UnitSelected(seat, Selection(0)))
            army = known(r.state.sides[seat].army)
            assert army is not None
            codes = army.units[0].troops
            deploy(r, seat, places(len(codes), (), "main"), codes)
        terrain = r.state.options.terrain or next(
            code for code, card in cards_of(r.state).terrain.items() if card.symbol == "woods"
        )
        r.emit(TerrainLaid(terrain, False, False))
        return NEXT

    @step("WE-056", "WE-049")
    def ready(self, r: Resolver[WarState]) -> Flow:
        """Both Units stand at Ballistic in the Range Position, MP 50 and Dmg 0."""
        return NEXT

    @step("WE-055")
    def pick(self, r: Resolver[WarState]) -> Flow:
        """Stratagems before the first round (WE-Q44)."""
        return ask_picks(r)

    @step("WE-004")
    def durations(self, r: Resolver[WarState]) -> Flow:
        """Duration after Duration, until the combat is over."""
        return Call(Duration()) if r.state.outcome is None else NEXT

    @step("WE-155")
    def again(self, r: Resolver[WarState]) -> Flow:
        """The next Duration."""
        return Goto("WE-004") if r.state.outcome is None else NEXT

    @step("WE-256")
    def survivors(self, r: Resolver[WarState]) -> Flow:
        """Best of 3: survivors are set aside; Stratagems go back to the decks (WE-Q75)."""
        if r.state.options.game == "unit":
            return DONE
        winner = r.state.outcome
        for seat in BOTH:
            side = r.state.sides[seat]
            won = winner == seat
            deck = (*known(side.deck), *(lying.code for lying in side.in_play), *known(side.holding))
            left = survivors_of(r.state, seat, won)
            r.emit(SurvivorsSetAside(seat, left, side.combats_won + won, len(deck), deck))
        return NEXT


def survivors_of(state: WarState, seat: Seat, won: bool) -> Survivors:
    """WE-256: the survivors of the Main Unit; WE-Q81: separately, those of a Support Unit that has not joined it."""
    side = state.sides[seat]
    army = known(side.army)
    assert army is not None
    main = next((n for n in reversed(side.fielded) if army.units[n].role == "main"), 0)
    last = side.fielded[-1] if side.fielded else main
    behind = last if army.units[last].role == "support" else -1
    return Survivors(main, unit_cards(state, side, "main"), won, behind, unit_cards(state, side, "support"))


def unit_cards(state: WarState, side: Side, unit: Unit) -> Codes:
    """The codes of the cards that stand in one of the player's Units."""
    return tuple(state.troops[troop].code for column in columns_of(side, unit) for troop in column)
