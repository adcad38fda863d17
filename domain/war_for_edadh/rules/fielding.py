"""2.G Set-up: armies, decks, the Units of a combat and their arrangement; WE-051 to WE-054, WE-254, WE-265."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from domain.commons.cards import known
from domain.kernel import NEXT, Assign, Choice, Decision, Flow, Hidden, One, Open, Pick, Resolver, Seat, only
from domain.war_for_edadh.cards.armies import army_defects, fielding_defects
from domain.war_for_edadh.cards.cards import Army, Stratagem
from domain.war_for_edadh.rules.terrain import unit_may_enter
from domain.war_for_edadh.state.events import ArmyChosen, DeckChosen, UnitDeployed, UnitSelected
from domain.war_for_edadh.state.queries import cards_of, half_cards, ready_armies
from domain.war_for_edadh.state.state import (
    NO_COLUMNS,
    Codes,
    Columns,
    Selection,
    Troop,
    TroopId,
    WarState,
)

MOST_TOLD = 20
"""The number of an army's defects that one refusal lists."""


class ChooseArmy(Choice, frozen=True):
    """Fight with this army."""

    army: str


class BringArmy(Choice, frozen=True):
    """Fight with this army of the player's own."""

    army: Army


class ArmySelection(Decision, frozen=True):
    """WE-265 The army, ready or the player's own; sealed until both have chosen, hidden until it is fielded."""

    rule = "WE-265"

    def form(self, state: WarState) -> Open:
        """The ready armies that the agreed Terrain admits (WE-Q80), or any that the rules of army building allow."""
        listed = tuple(ChooseArmy(army.name) for army in ready_armies(state) if admitted(state, army))
        return Open(listed, BringArmy, lambda choice: why_not(state, choice))

    def resolve(self, r: Resolver[WarState], choice: ChooseArmy | BringArmy) -> Flow:
        """The army is the player's secret."""
        if isinstance(choice, BringArmy):
            r.emit(ArmyChosen(self.by, choice.army))
        else:
            r.emit(ArmyChosen(self.by, army_named(r.state, choice.army)))
        return NEXT


def army_named(state: WarState, name: str) -> Army:
    """The army of this name, even if only older rules offered it when the sealed answer was given."""
    return next(army for army in (*cards_of(state).armies.values(), *state.options.armies) if army.name == name)


def why_not(state: WarState, choice: Choice) -> str:
    """Reasons why a player's own army cannot be fielded, as sentences; empty when it can."""
    assert isinstance(choice, BringArmy)
    army, options = choice.army, state.options
    wrong = [str(defect) for defect in army_defects(army, cards_of(state), "army", options.cap)]
    wrong += [str(defect) for defect in fielding_defects(army, options.game)]
    if not wrong and not admitted(state, army):
        wrong.append(f"army: {army.name}: no Main Unit may enter the agreed Terrain (WE-Q80)")
    return "; ".join(wrong[:MOST_TOLD])


def admitted(state: WarState, army: Army) -> bool:
    """WE-Q80: whether the agreed Terrain admits one of the army's Main Units."""
    index = cards_of(state)
    agreed = state.options.terrain
    terrain = (index.terrain[agreed],) if agreed else ()
    mains = (unit for unit in army.units if unit.role == "main")
    return any(unit_may_enter(index, unit.troops, terrain) for unit in mains)


class ChooseStratagems(Choice, frozen=True):
    """Put these into the deck besides Hold, Retreat and Counter."""

    stratagems: tuple[str, ...]


class DeckSelection(Decision, frozen=True):
    """WE-181 The further Stratagems; only the size of the deck is public."""

    rule = "WE-181"

    def form(self, state: WarState) -> Pick:
        """As many as the Battle Master's Mastery Level; without a Battle Master WE-Q42."""
        army = state.sides[self.by].army
        if army is None or isinstance(army, Hidden):
            return Pick(ChooseStratagems, (), 0, 0)
        index = cards_of(state)
        further = [card for card in index.stratagems.values() if card not in tuple(index.automatic())]
        if army.battle_masters:
            most = index.battle_masters[army.battle_masters[0]].mastery_level
        elif army.combat_masters and state.options.combat_masters:
            most = index.combat_masters[army.combat_masters[0]].combat_tactics
            further = [card for card in further if card.proficiency == "combat" and not card.secondary]
        else:
            most = 0
        items = tuple(card.code for card in further)
        return Pick(ChooseStratagems, items, 0, min(most, len(items)))

    def resolve(self, r: Resolver[WarState], choice: ChooseStratagems) -> Flow:
        """WE-180: Hold, Retreat and Counter are always in the deck."""
        deck = (*(card.code for card in automatic(r.state)), *choice.stratagems)
        r.emit(DeckChosen(self.by, len(deck), deck))
        return NEXT


def automatic(state: WarState) -> tuple[Stratagem, ...]:
    """WE-180: the Stratagems of every deck."""
    return tuple(cards_of(state).automatic())


def unit_codes(state: WarState, seat: int, number: int) -> Codes:
    """The cards of a Unit that has not fought, or the survivors of one that has (WE-262)."""
    side = state.sides[seat]
    for left in reversed(side.survivors):
        if number == left.unit:
            return left.codes
        if number == left.support_unit:
            return left.support
    return known(side.army).units[number].troops  # type: ignore[union-attr]


def units_left(state: WarState, seat: int, role: str) -> tuple[int, ...]:
    """The Units a player may field in this combat, by number in his army (WE-254, WE-259, WE-262, WE-Q74)."""
    side = state.sides[seat]
    army = side.army
    if army is None or isinstance(army, Hidden):
        return ()
    numbers = [number for number, unit in enumerate(army.units) if unit.role == role]
    if role == "main" and state.combat >= 3:
        won = tuple(left.unit for left in side.survivors if left.won and left.codes)
        return won[:1] or tuple(left.unit for left in side.survivors if left.codes)
    fresh = tuple(number for number in numbers if number not in side.fielded)
    if role == "main":
        return fresh
    # WE-Q81: the rest of a Support Unit may be placed again.
    fought = {left.support_unit for left in side.survivors}
    return fresh + tuple(number for number in numbers if number in fought and unit_codes(state, seat, number))


def fieldable(state: WarState, seat: int, role: str) -> tuple[int, ...]:
    """WE-Q80: the Units left that may enter the Terrain."""
    index, terrain = cards_of(state), half_cards(state, seat)
    agreed = state.options.terrain
    if agreed and not terrain:
        terrain = (index.terrain[agreed],)
    units = units_left(state, seat, role)
    return tuple(n for n in units if unit_may_enter(index, unit_codes(state, seat, n), terrain))


def rear_columns(troops: int) -> tuple[tuple[int, ...], ...]:
    """WE-Q71: the columns that the cards of an incomplete last rank may stand in."""
    return tuple(combinations((1, 2, 3), troops % 3))


class FieldUnits(Choice, frozen=True):
    """Field this Main Unit and, unless -1, this Support Unit; `*_rear`: the columns of the last rank's cards."""

    main: int
    support: int = -1
    main_rear: tuple[int, ...] = ()
    support_rear: tuple[int, ...] = ()


class UnitSelection(Decision, frozen=True):
    """WE-254 The Unit that fights, and the Support Unit that stands behind it (WE-238)."""

    rule = "WE-254"

    def form(self, state: WarState) -> One:
        """Every Unit that may enter, with and without a Support Unit."""
        return only(tuple(self._fields(state)))

    def _fields(self, state: WarState) -> Iterator[FieldUnits]:
        supports = (-1, *fieldable(state, self.by, "support")) if state.options.support else (-1,)
        for main in fieldable(state, self.by, "main"):
            for main_rear in rear_columns(len(unit_codes(state, self.by, main))):
                for support in supports:
                    size = len(unit_codes(state, self.by, support)) if support >= 0 else 0
                    for support_rear in rear_columns(size):
                        yield FieldUnits(main, support, main_rear, support_rear)

    def resolve(self, r: Resolver[WarState], choice: FieldUnits) -> Flow:
        """The selection is the player's secret until the Units are deployed."""
        selection = Selection(choice.main, choice.support, choice.main_rear, choice.support_rear)
        r.emit(UnitSelected(self.by, selection))
        return NEXT


class Deploy(Choice, frozen=True):
    """Put the cards on the places, in the order of the places."""

    codes: tuple[str, ...]


def places(size: int, rear: tuple[int, ...], unit: str) -> tuple[str, ...]:
    """The places of a Unit, rank by rank: `main-c1r1` is column 1, Front Rank."""
    full = tuple(f"{unit}-c{column}r{rank}" for rank in range(1, size // 3 + 1) for column in (1, 2, 3))
    return full + tuple(f"{unit}-c{column}r{size // 3 + 1}" for column in rear)


class Deployment(Decision, frozen=True):
    """WE-052 The arrangement of the Units, sealed until both have arranged theirs (WE-Q77)."""

    rule = "WE-052"

    def form(self, state: WarState) -> Assign:
        """Any card in any place of the three columns."""
        main, support = self._codes(state)
        return Assign(Deploy, self.slots(state), dict(sorted(Counter((*main, *support)).items())))

    def slots(self, state: WarState) -> tuple[str, ...]:
        """The places of both Units, those of the Main Unit first."""
        selection = state.sides[self.by].selection
        if selection is None or isinstance(selection, Hidden):
            return ()
        main, support = self._codes(state)
        rear = selection.support_rear
        return (*places(len(main), selection.main_rear, "main"), *places(len(support), rear, "support"))

    def _codes(self, state: WarState) -> tuple[Codes, Codes]:
        selection = state.sides[self.by].selection
        if selection is None or isinstance(selection, Hidden):
            return (), ()
        support = unit_codes(state, self.by, selection.support) if selection.support >= 0 else ()
        return unit_codes(state, self.by, selection.main), support

    def resolve(self, r: Resolver[WarState], choice: Deploy) -> Flow:
        """Everything on the table is open from now on (WE-282)."""
        deploy(r, self.by, self.slots(r.state), choice.codes)
        return NEXT


def deploy(r: Resolver[WarState], seat: Seat, slots: tuple[str, ...], codes: tuple[str, ...]) -> None:
    """WE-254: a player's Units, masters and Standards lie on the table; WE-049: the Score Card shows MP 50, Dmg 0."""
    state = r.state
    army = known(state.sides[seat].army)
    selection = known(state.sides[seat].selection)
    assert army is not None
    assert selection is not None
    first = sum(1 for troop in state.troops.values() if troop.seat == seat) + 1
    troops = tuple(Troop(TroopId(f"{'AB'[seat]}{number}"), seat, code) for number, code in enumerate(codes, first))
    options = state.options
    units = tuple(number for number in (selection.main, selection.support) if number >= 0)
    side = state.sides[seat]
    shown = (*side.shown, *((n, army.units[n].troops) for n in units if n not in side.fielded))
    r.emit(
        UnitDeployed(
            seat,
            army.faction,
            units,
            troops,
            _columns(slots, troops, "main"),
            _columns(slots, troops, "support") if selection.support >= 0 else NO_COLUMNS,
            army.combat_masters[0] if army.combat_masters and options.combat_masters else "",
            army.battle_masters[0] if army.battle_masters and options.stratagems else "",
            army.standards if options.standards else (),
            shown,
        )
    )


def _columns(slots: tuple[str, ...], troops: tuple[Troop, ...], unit: str) -> Columns:
    first, second, third = (
        tuple(t.id for slot, t in zip(slots, troops, strict=True) if slot.startswith(f"{unit}-c{column}"))
        for column in (1, 2, 3)
    )
    return first, second, third
