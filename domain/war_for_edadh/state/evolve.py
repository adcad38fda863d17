"""The effect of each event on the state: one function per event class, in one table. No rule is consulted here."""

from typing import Any, Final

from msgspec.structs import replace

from domain.commons.rows import change, put
from domain.kernel import Event, Seat
from domain.kernel.evolve import Evolve
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.state import NO_COLUMNS, Ground, Position, RoundState, Side, TroopId, Under, WarState

State = WarState

FORWARD: Final[tuple[Position, ...]] = ("range", "ballistic", "charge", "melee")
"""The positions, from the rear forward."""


def _side(state: State, seat: Seat, **changes: Any) -> State:
    return replace(state, sides=change(state.sides, seat, **changes))


def _round(state: State, **changes: Any) -> State:
    return replace(state, round=replace(state.round, **changes))


def _flip(state: State, troops: tuple[TroopId, ...], flipped: bool) -> State:
    turned = {troop: replace(state.troops[troop], flipped=flipped) for troop in troops}
    return replace(state, troops={**state.troops, **turned})


def army_chosen(state: State, event: e.ArmyChosen) -> State:
    return _side(state, event.seat, army=event.army, chosen=True)


def deck_chosen(state: State, event: e.DeckChosen) -> State:
    return _side(state, event.seat, deck=event.deck, deck_size=event.size)


def combat_begun(state: State, event: e.CombatBegun) -> State:
    return replace(
        state,
        combat=event.number,
        outcome=None,
        reason="",
        reason_rule="",
        position="range",
        movement="",
        retreats=(False, False),
        sent_back=0,
        fresh_again=False,
        duration=0,
    )


def terrain_shuffled(state: State, event: e.TerrainShuffled) -> State:
    return replace(state, terrain_deck=event.deck, terrain_left=event.size, set_aside=(), ground=None)


def _drawn(state: State) -> State:
    return replace(state, terrain_deck=state.terrain_deck[1:], terrain_left=state.terrain_left - 1)


def terrain_laid(state: State, event: e.TerrainLaid) -> State:
    state = _drawn(state) if event.drawn else state
    return replace(state, ground=Ground(event.code, event.turned))


def terrain_cut(state: State, event: e.TerrainCut) -> State:
    return replace(_drawn(state), set_aside=(*state.set_aside, event.code))


def terrain_set_aside(state: State, event: e.TerrainSetAside) -> State:
    aside = (*(code for code in state.set_aside if code != event.code), event.code)
    barred = (*state.barred, event.barring) if event.barring else state.barred
    ground = None if state.ground is not None and state.ground.code == event.code else state.ground
    return replace(state, set_aside=aside, barred=barred, ground=ground)


def terrain_combined(state: State, event: e.TerrainCombined) -> State:
    assert state.ground is not None
    ground = replace(state.ground, under=(*state.ground.under, Under(event.code, event.half)))
    return replace(state, ground=ground, set_aside=tuple(code for code in state.set_aside if code != event.code))


def terrain_turned(state: State, event: e.TerrainTurned) -> State:
    assert state.ground is not None
    under = tuple(Under(u.code, half) for u, half in zip(state.ground.under, event.halves, strict=True))
    return replace(state, ground=Ground(state.ground.code, event.turned, under))


def unit_selected(state: State, event: e.UnitSelected) -> State:
    return _side(state, event.seat, selection=event.selection)


def unit_deployed(state: State, event: e.UnitDeployed) -> State:
    side = state.sides[event.seat]
    fresh = Side(
        army=side.army,
        chosen=side.chosen,
        deck=side.deck,
        deck_size=side.deck_size,
        countered=side.countered,
        faction=event.faction,
        combat_master=event.combat_master,
        master_lost=side.master_lost,
        battle_master=event.battle_master,
        standards=event.standards,
        standards_used=side.standards_used,
        columns=event.columns,
        support=event.support,
        removed=side.removed,
        retired=side.retired,
        fielded=(*side.fielded, *event.units),
        shown=event.shown,
        survivors=side.survivors,
        combats_won=side.combats_won,
    )
    troops = {**state.troops, **{troop.id: troop for troop in event.troops}}
    return replace(state, sides=put(state.sides, event.seat, fresh), troops=troops)


def stratagems_picked(state: State, event: e.StratagemsPicked) -> State:
    return _side(
        state,
        event.seat,
        in_play=event.in_play,
        holding=event.holding,
        holding_count=event.face_down,
        deck=event.deck,
        deck_size=event.deck_size,
    )


def duration_begun(state: State, event: e.DurationBegun) -> State:
    first, second = (
        replace(side, spent=(), spent_support=(), loose=(), due_first=(), combined=False, discard_from="main")
        for side in state.sides
    )
    return replace(
        state,
        sides=(first, second),
        duration=event.number,
        rounds=event.rounds,
        larger=event.larger,
        helpers=event.helpers,
        movement="",
        retreats=(False, False),
        round=RoundState(),
    )


def bonus_rows_ready(state: State, event: e.BonusRowsReady) -> State:
    first, second = state.sides
    sides = (replace(first, fresh=True, row_used=False), replace(second, fresh=True, row_used=False))
    return replace(state, sides=sides, fresh_again=False)


def round_begun(state: State, event: e.RoundBegun) -> State:
    return replace(state, round=RoundState(number=event.number), rows=("", ""))


def card_laid(state: State, event: e.CardLaid) -> State:
    return _round(state, laid=put(state.round.laid, event.seat, event.laid))


def cards_compared(state: State, event: e.CardsCompared) -> State:
    return _round(state, values=event.values, attacker=event.attacker)


def mp_changed(state: State, event: e.MpChanged) -> State:
    return _side(state, event.seat, mp=event.mp)


def dmg_changed(state: State, event: e.DmgChanged) -> State:
    return _side(state, event.seat, dmg=event.dmg)


def battle_master_promoted(state: State, event: e.BattleMasterPromoted) -> State:
    return _side(state, event.seat, promoted=True)


def battle_master_flipped(state: State, event: e.BattleMasterFlipped) -> State:
    return _side(state, event.seat, battle_flipped=True)


def tie_card_laid(state: State, event: e.TieCardLaid) -> State:
    return _round(state, tie=put(state.round.tie, event.seat, event.cv))


def tie_compared(state: State, event: e.TieCompared) -> State:
    return _round(state, leader=event.winner)


def tie_drawn(state: State, event: e.TieDrawn) -> State:
    return _round(state, leader=event.winner)


def first_chooser_fixed(state: State, event: e.FirstChooserFixed) -> State:
    return _round(state, leader=event.seat)


def troop_chosen(state: State, event: e.TroopChosen) -> State:
    side, now = state.sides[event.seat], state.round
    if event.by != event.seat and event.rank > 1:
        state = _side(state, event.seat, due_first=(*side.due_first, event.troop))
    if event.unit == "main":
        state = _side(state, event.seat, spent=(*side.spent, event.column))
    else:
        state = _side(state, event.seat, spent_support=(*side.spent_support, event.column))
    return _round(
        state,
        chosen=put(now.chosen, event.seat, event.troop),
        enemy_picked=put(now.enemy_picked, event.seat, event.by != event.seat),
    )


def bow_column_named(state: State, event: e.BowColumnNamed) -> State:
    return state


def troop_combined(state: State, event: e.TroopCombined) -> State:
    now = state.round
    chosen = TroopId(now.chosen[event.seat])
    loose = tuple(dict.fromkeys((*state.sides[event.seat].loose, chosen, event.helper)))
    side = state.sides[event.seat]
    # WE-240 is apart from WE-158: a helper of the other Unit does not use up the larger side's round.
    beside = any(chosen in column for column in (side.columns if event.unit == "main" else side.support))
    state = _side(state, event.seat, loose=loose, combined=side.combined or (event.unit == "main" and beside))
    return _round(state, helpers=(*now.helpers, event.helper), boosts=(*now.boosts, event.boost))


def row_used(state: State, event: e.RowUsed) -> State:
    used = state.sides[event.seat].row_used or event.row == "first_melee"
    return _side(replace(state, rows=put(state.rows, event.seat, event.row)), event.seat, row_used=used)


def bonus_announced(state: State, event: e.BonusAnnounced) -> State:
    return _round(state, announced=put(state.round.announced, event.seat, event.bonus))


def bonus_applied(state: State, event: e.BonusApplied) -> State:
    boosts = (*state.round.boosts, event.boost) if event.boost else state.round.boosts
    return _round(state, used=put(state.round.used, event.seat, event.bonus), boosts=boosts)


def bonus_lost(state: State, event: e.BonusLost) -> State:
    return _round(state, used=put(state.round.used, event.seat, event.bonus))


def standard_flipped(state: State, event: e.StandardFlipped) -> State:
    used = (*state.sides[event.seat].standards_used, event.standard)
    state = _side(state, event.seat, standards_used=used)
    return _round(state, boosts=(*state.round.boosts, event.boost)) if event.boost else state


def res_shown(state: State, event: e.ResShown) -> State:
    side = state.sides[event.seat]
    used = (*side.standards_used, event.standard) if event.standard else side.standards_used
    return _side(state, event.seat, standards_used=used, res=event.res)


def guard_tested(state: State, event: e.GuardTested) -> State:
    shielded = put(state.round.shielded, event.seat, event.out_of_range)
    return _round(state, guarded=event.guarded, shielded=shielded)


def blow_resolved(state: State, event: e.BlowResolved) -> State:
    now = state.round
    return _round(
        state,
        damage=put(now.damage, event.seat, now.damage[event.seat] + event.parts),
        shielded=put(now.shielded, event.seat, now.shielded[event.seat] or event.out_of_range),
    )


def damage_added(state: State, event: e.DamageAdded) -> State:
    now = state.round
    return _round(state, damage=put(now.damage, event.seat, now.damage[event.seat] + event.parts))


def damage_taken(state: State, event: e.DamageTaken) -> State:
    state = _side(state, event.seat, dmg=event.dmg)
    return _round(state, taken=put(state.round.taken, event.seat, event.damage))


def troops_flipped(state: State, event: e.TroopsFlipped) -> State:
    return _flip(state, event.troops, True)


def troop_instant_discarded(state: State, event: e.TroopInstantDiscarded) -> State:
    side = state.sides[event.seat]
    return _side(
        state,
        event.seat,
        pile=(*side.pile, event.troop),
        instant=(*side.instant, event.troop),
        columns=event.columns,
        support=event.support,
    )


def master_instant_discarded(state: State, event: e.MasterInstantDiscarded) -> State:
    return _side(state, event.seat, master_lost=True, master_in_pile=True)


def gap_filled(state: State, event: e.GapFilled) -> State:
    return _side(state, event.seat, columns=event.columns, support=event.support)


def master_flipped(state: State, event: e.MasterFlipped) -> State:
    return _side(state, event.seat, master_flipped=True)


def round_skipped(state: State, event: e.RoundSkipped) -> State:
    return state


def round_ended(state: State, event: e.RoundEnded) -> State:
    return state


def stratagems_entered(state: State, event: e.StratagemsEntered) -> State:
    return _side(state, event.seat, in_play=event.in_play, holding=(), holding_count=0, promoted=False)


def holding_returned(state: State, event: e.HoldingReturned) -> State:
    return _side(state, event.seat, holding=(), holding_count=0, deck=event.deck, deck_size=event.deck_size)


def movement_ordered(state: State, event: e.MovementOrdered) -> State:
    back = event.movement == "retreat" or state.retreats[event.seat]
    return replace(state, movement=event.movement, retreats=put(state.retreats, event.seat, back))


def stratagem_countered(state: State, event: e.StratagemCountered) -> State:
    countered = (*state.sides[event.seat].countered, event.code)
    return _side(state, event.seat, in_play=event.in_play, countered=countered)


def stratagem_returned(state: State, event: e.StratagemReturned) -> State:
    return _side(state, event.seat, in_play=event.in_play, deck=event.deck, deck_size=event.deck_size)


def discard_unit_named(state: State, event: e.DiscardUnitNamed) -> State:
    return _side(state, event.seat, discard_from=event.unit)


def troop_discarded(state: State, event: e.TroopDiscarded) -> State:
    side = state.sides[event.seat]
    return _side(
        state,
        event.seat,
        dmg=event.dmg,
        pile=(*side.pile, event.troop),
        columns=event.columns,
        support=event.support,
        loose=tuple(troop for troop in side.loose if troop != event.troop),
    )


def troop_retired(state: State, event: e.TroopRetired) -> State:
    retired = (*state.sides[event.seat].retired, event.troop)
    return _side(state, event.seat, mp=event.mp, retired=retired, columns=event.columns, support=event.support)


def bonus_rows_tested(state: State, event: e.BonusRowsTested) -> State:
    sides = zip(state.sides, event.fresh, strict=True)
    first, second = (replace(side, fresh=fresh, row_used=False) for side, fresh in sides)
    return replace(state, sides=(first, second), fresh_again=True)


def support_takes_over(state: State, event: e.SupportTakesOver) -> State:
    return _side(state, event.seat, columns=state.sides[event.seat].support, support=NO_COLUMNS)


def piles_counted(state: State, event: e.PilesCounted) -> State:
    first, second = (
        replace(side, shaken=shaken, routed=routed, res=0)
        for side, shaken, routed in zip(state.sides, event.shaken, event.routed, strict=True)
    )
    return replace(state, sides=(first, second))


def piles_removed(state: State, event: e.PilesRemoved) -> State:
    first, second = (
        replace(side, removed=(*side.removed, *side.pile), pile=(), instant=(), master_in_pile=False)
        for side in state.sides
    )
    return replace(state, sides=(first, second))


def cards_turned_up(state: State, event: e.CardsTurnedUp) -> State:
    first, second = (replace(side, master_flipped=False, battle_flipped=False) for side in state.sides)
    state = replace(state, sides=(first, second))
    return _flip(state, tuple(troop.id for troop in state.troops.values() if troop.flipped), False)


def troops_swapped(state: State, event: e.TroopsSwapped) -> State:
    return _side(state, event.seat, columns=event.columns, support=event.support)


def support_added(state: State, event: e.SupportAdded) -> State:
    return _side(state, event.seat, columns=event.columns, support=event.support)


def units_switched(state: State, event: e.UnitsSwitched) -> State:
    side = state.sides[event.seat]
    return _side(state, event.seat, columns=side.support, support=side.columns)


def units_moved(state: State, event: e.UnitsMoved) -> State:
    back = FORWARD.index(event.position) < FORWARD.index(state.position)
    return replace(state, position=event.position, sent_back=state.duration if back else state.sent_back)


def combat_ended(state: State, event: e.CombatEnded) -> State:
    return replace(state, outcome=event.winner, reason=event.reason, reason_rule=event.rule)


def survivors_set_aside(state: State, event: e.SurvivorsSetAside) -> State:
    side = state.sides[event.seat]
    return _side(
        state,
        event.seat,
        survivors=(*side.survivors, event.survivors),
        combats_won=event.combats_won,
        deck=event.deck,
        deck_size=event.deck_size,
        in_play=(),
        holding=(),
        holding_count=0,
        selection=None,
        columns=NO_COLUMNS,
        support=NO_COLUMNS,
    )


EVOLVE: Final[dict[type[Event], Evolve[Any]]] = {
    e.ArmyChosen: army_chosen,
    e.DeckChosen: deck_chosen,
    e.CombatBegun: combat_begun,
    e.TerrainShuffled: terrain_shuffled,
    e.TerrainLaid: terrain_laid,
    e.TerrainCut: terrain_cut,
    e.TerrainSetAside: terrain_set_aside,
    e.TerrainCombined: terrain_combined,
    e.TerrainTurned: terrain_turned,
    e.UnitSelected: unit_selected,
    e.UnitDeployed: unit_deployed,
    e.StratagemsPicked: stratagems_picked,
    e.DurationBegun: duration_begun,
    e.BonusRowsReady: bonus_rows_ready,
    e.RoundBegun: round_begun,
    e.CardLaid: card_laid,
    e.CardsCompared: cards_compared,
    e.MpChanged: mp_changed,
    e.DmgChanged: dmg_changed,
    e.BattleMasterPromoted: battle_master_promoted,
    e.BattleMasterFlipped: battle_master_flipped,
    e.TieCardLaid: tie_card_laid,
    e.TieCompared: tie_compared,
    e.TieDrawn: tie_drawn,
    e.FirstChooserFixed: first_chooser_fixed,
    e.TroopChosen: troop_chosen,
    e.BowColumnNamed: bow_column_named,
    e.TroopCombined: troop_combined,
    e.RowUsed: row_used,
    e.BonusAnnounced: bonus_announced,
    e.BonusApplied: bonus_applied,
    e.BonusLost: bonus_lost,
    e.StandardFlipped: standard_flipped,
    e.ResShown: res_shown,
    e.GuardTested: guard_tested,
    e.BlowResolved: blow_resolved,
    e.DamageAdded: damage_added,
    e.DamageTaken: damage_taken,
    e.TroopsFlipped: troops_flipped,
    e.TroopInstantDiscarded: troop_instant_discarded,
    e.MasterInstantDiscarded: master_instant_discarded,
    e.GapFilled: gap_filled,
    e.MasterFlipped: master_flipped,
    e.RoundSkipped: round_skipped,
    e.RoundEnded: round_ended,
    e.StratagemsEntered: stratagems_entered,
    e.HoldingReturned: holding_returned,
    e.MovementOrdered: movement_ordered,
    e.StratagemCountered: stratagem_countered,
    e.StratagemReturned: stratagem_returned,
    e.DiscardUnitNamed: discard_unit_named,
    e.TroopDiscarded: troop_discarded,
    e.TroopRetired: troop_retired,
    e.BonusRowsTested: bonus_rows_tested,
    e.SupportTakesOver: support_takes_over,
    e.PilesCounted: piles_counted,
    e.PilesRemoved: piles_removed,
    e.CardsTurnedUp: cards_turned_up,
    e.TroopsSwapped: troops_swapped,
    e.SupportAdded: support_added,
    e.UnitsSwitched: units_switched,
    e.UnitsMoved: units_moved,
    e.CombatEnded: combat_ended,
    e.SurvivorsSetAside: survivors_set_aside,
}
