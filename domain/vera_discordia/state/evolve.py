"""The effect of each event on the state: one function per event class, in one table.

The functions decide nothing. Three events serve several rules; their field `rule` selects the further changes.
"""

from typing import Any, Final

from msgspec.structs import replace

from domain.commons.cards import without
from domain.commons.rows import change, put
from domain.kernel import Event, Seat
from domain.kernel.evolve import Evolve
from domain.vera_discordia.cards.cards import Ability, OrderType
from domain.vera_discordia.state import events as e
from domain.vera_discordia.state.state import Attack, Held, Unit, UnitId, VeraState, place

State = VeraState


def _with_unit(state: State, unit_id: UnitId, **changes: Any) -> State:
    return replace(state, units={**state.units, unit_id: replace(state.units[unit_id], **changes)})


def _with_side(state: State, seat: Seat, **changes: Any) -> State:
    return replace(state, sides=change(state.sides, seat, **changes))


def general_chosen(state: State, event: e.GeneralChosen) -> State:
    return _with_side(state, event.seat, general=event.general, faction=event.faction)


def order_deck_shuffled(state: State, event: e.OrderDeckShuffled) -> State:
    return _with_side(state, event.seat, deck=event.deck, deck_size=event.size, pile=event.pile, pile_size=0, top=None)


def army_dealt(state: State, event: e.ArmyDealt) -> State:
    return _with_side(state, event.seat, recruits=event.cards, mustered=event.mustered, rest=event.rest)


def rank_exchanged(state: State, event: e.RankExchanged) -> State:
    return _with_side(state, event.seat, recruits=event.cards, rest=event.rest, exchanged=event.rank, settled=True)


def exchange_declined(state: State, event: e.ExchangeDeclined) -> State:
    return _with_side(state, event.seat, settled=True)


def army_counted(state: State, event: e.ArmyCounted) -> State:
    return _with_side(state, event.seat, vision=event.vision, stealth=event.stealth, closed=event.closed)


def initiative_taken(state: State, event: e.InitiativeTaken) -> State:
    return replace(state, initiative=event.seat)


def army_shown(state: State, event: e.ArmyShown) -> State:
    return _with_side(
        state,
        event.seat,
        reserve=event.open,
        covert=event.closed,
        covert_count=event.closed_count,
        recruits=(),
        mustered=(),
    )


def terrain_laid(state: State, event: e.TerrainLaid) -> State:
    return replace(state, laid=event.terrain)


def terrain_examined(state: State, event: e.TerrainExamined) -> State:
    return replace(state, looked={**state.looked, f"{event.seat}{event.column}": event.terrain})


def examination_ended(state: State, event: e.ExaminationEnded) -> State:
    return _with_side(state, event.seat, done=True)


def unit_deployed(state: State, event: e.UnitDeployed) -> State:
    side = state.sides[event.seat]
    opened = event.open_card is not None
    unit = Unit(
        id=event.unit,
        seat=event.seat,
        space=event.space,
        card=event.open_card if event.open_card is not None else event.card,
        life=event.open_life if event.open_life is not None else event.life,
        open=opened,
        general=event.general,
    )
    if event.open_card is not None:
        side = replace(side, reserve=without(side.reserve, event.open_card))
    else:
        side = replace(side, covert=event.covert, covert_count=side.covert_count - 1)
    if event.general:
        side = replace(side, general_deployed=True)
    return replace(
        state,
        sides=put(state.sides, event.seat, side),
        units={**state.units, event.unit: unit},
        at={**state.at, place(event.seat, event.space): event.unit},
        deployed=state.deployed + 1,
    )


def terrain_revealed(state: State, event: e.TerrainRevealed) -> State:
    return replace(state, terrain=event.terrain, laid=event.terrain)


def phase_began(state: State, event: e.PhaseBegan) -> State:
    changed = replace(state, phase=event.phase, round=event.round)
    sides = tuple(replace(side, done=False, taken=0) for side in state.sides)
    return replace(changed, sides=sides)


def unit_went_wild(state: State, event: e.UnitWentWild) -> State:
    if event.ability is Ability.CHAOS:
        return _with_unit(state, event.unit, chaotic=True)
    return _with_unit(state, event.unit, enraged=True)


def unit_took_order(state: State, event: e.UnitTookOrder) -> State:
    side = state.sides[event.seat]
    autonomous = side.autonomous + (event.rule == "VD-311")
    changed = _with_side(state, event.seat, deck=side.deck[1:], deck_size=side.deck_size - 1, autonomous=autonomous)
    return _with_unit(changed, event.unit, order=Held(event.order, dealt=True))


def units_rolled(state: State, event: e.UnitsRolled) -> State:
    units = {i: replace(unit, rolled=True, hurt=unit.hurt or i in event.hurt) for i, unit in state.units.items()}
    return replace(state, units=units)


def life_regained(state: State, event: e.LifeRegained) -> State:
    if state.units[event.unit].open:
        return _with_unit(state, event.unit, life=event.marker, marker=None)
    return _with_unit(state, event.unit, life=event.life, marker=event.marker)


def ability_shown(state: State, event: e.AbilityShown) -> State:
    unit = state.units[event.unit]
    return _with_unit(state, event.unit, shown=(*unit.shown, event.ability))


def cards_drawn(state: State, event: e.CardsDrawn) -> State:
    side = state.sides[event.seat]
    return _with_side(
        state,
        event.seat,
        deck=side.deck[event.count :],
        deck_size=side.deck_size - event.count,
        hand=event.hand,
        hand_size=event.hand_size,
    )


def orders_issued(state: State, event: e.OrdersIssued) -> State:
    units = dict(state.units)
    for i, unit_id in enumerate(event.units):
        units[unit_id] = replace(units[unit_id], order=Held(event.orders[i]))
    sides = change(state.sides, event.seat, hand=event.hand, hand_size=event.hand_size, done=True)
    return replace(state, units=units, sides=sides)


def leftover_discarded(state: State, event: e.LeftoverDiscarded) -> State:
    side = state.sides[event.seat]
    return _with_side(
        state,
        event.seat,
        hand=event.hand,
        hand_size=event.hand_size,
        pile=side.pile + (event.order,),
        pile_size=side.pile_size + 1,
        top=event.order,
    )


def order_taken_back(state: State, event: e.OrderTakenBack) -> State:
    side = state.sides[event.seat]
    changed = _with_side(state, event.seat, hand=event.hand, hand_size=side.hand_size + 1, taken=side.taken + 1)
    changed = _with_unit(changed, event.unit, order=None)
    other = Seat(1 - event.seat)
    return _with_side(changed, other, done=False)


def keeping_ended(state: State, event: e.KeepingEnded) -> State:
    return _with_side(state, event.seat, done=True)


def turn_began(state: State, event: e.TurnBegan) -> State:
    return replace(_with_side(state, event.seat, inspired=None), turn=event.seat)


def card_exchanged(state: State, event: e.CardExchanged) -> State:
    held = state.units[event.unit].order
    dealt = held is not None and held.dealt
    changed = _with_unit(state, event.unit, order=Held(event.order, dealt=dealt))
    return _with_side(changed, event.seat, hand=event.hand)


def orders_exchanged(state: State, event: e.OrdersExchanged) -> State:
    first, second = state.units[event.first], state.units[event.second]
    units = {
        **state.units,
        event.first: replace(first, order=second.order),
        event.second: replace(second, order=first.order),
    }
    return replace(state, units=units)


def order_reclaimed(state: State, event: e.OrderReclaimed) -> State:
    changed = _with_unit(state, event.unit, order=None)
    return _with_side(changed, event.seat, hand=event.hand, hand_size=1)


def order_turned_up(state: State, event: e.OrderTurnedUp) -> State:
    held = state.units[event.unit].order or Held(event.order)
    return _with_unit(state, event.unit, order=replace(held, type=event.order, up=True, seen=True))


def tactic_declared(state: State, event: e.TacticDeclared) -> State:
    return _with_side(state, event.seat, declared=event.type)


def order_discarded(state: State, event: e.OrderDiscarded) -> State:
    changed = state
    if event.unit in state.units:
        changed = _with_unit(state, event.unit, order=None)
    if event.virtual:
        return changed
    side = changed.sides[event.seat]
    return _with_side(
        changed, event.seat, pile=side.pile + (event.order,), pile_size=side.pile_size + 1, top=event.order
    )


def order_examined(state: State, event: e.OrderExamined) -> State:
    held = state.units[event.unit].order or Held(event.order)
    return _with_unit(state, event.unit, order=replace(held, type=event.order, seen=True))


def order_converted(state: State, event: e.OrderConverted) -> State:
    return state


def player_grounded(state: State, event: e.PlayerGrounded) -> State:
    return _with_side(state, event.seat, grounded=True)


def unit_charged(state: State, event: e.UnitCharged) -> State:
    charged = Held(OrderType.ATTACK, seen=True, charge=True, virtual=event.virtual)
    changed = _with_unit(state, event.unit, order=charged)
    if event.virtual:
        return changed
    side = state.sides[event.seat]
    return _with_side(changed, event.seat, pile=event.pile, pile_size=side.pile_size - 1, top=event.top)


def maneuver_passed(state: State, event: e.ManeuverPassed) -> State:
    return state


def unit_moved(state: State, event: e.UnitMoved) -> State:
    unit = state.units[event.unit]
    at = {key: who for key, who in state.at.items() if who != event.unit}
    at[place(unit.seat, event.to)] = event.unit
    return replace(_with_unit(state, event.unit, space=event.to), at=at)


def units_swapped(state: State, event: e.UnitsSwapped) -> State:
    first, second = state.units[event.first], state.units[event.second]
    units = {
        **state.units,
        event.first: replace(first, space=second.space),
        event.second: replace(second, space=first.space),
    }
    at = {
        **state.at,
        place(first.seat, first.space): event.second,
        place(second.seat, second.space): event.first,
    }
    return replace(state, units=units, at=at)


def terrain_captured(state: State, event: e.TerrainCaptured) -> State:
    return _with_unit(state, event.unit, capture=True)


def capture_lost(state: State, event: e.CaptureLost) -> State:
    return _with_unit(state, event.unit, capture=False)


def attack_failed(state: State, event: e.AttackFailed) -> State:
    return state


def attack_declared(state: State, event: e.AttackDeclared) -> State:
    attack = Attack(
        kind=event.kind,
        attacker=event.attacker,
        target=event.target,
        column=event.column,
        opening=event.opening,
        closed_attacker=event.closed_attacker,
        closed_target=event.closed_target,
        strike=event.strike,
    )
    return replace(state, attack=attack)


def _with_attack(state: State, **changes: Any) -> State:
    assert state.attack is not None, "an attack is under way"
    return replace(state, attack=replace(state.attack, **changes))


def supports_committed(state: State, event: e.SupportsCommitted) -> State:
    if event.counter:
        return _with_attack(state, counter_supports=len(event.units))
    return _with_attack(state, supports=len(event.units))


def unit_opened(state: State, event: e.UnitOpened) -> State:
    changed = _with_unit(state, event.unit, open=True, card=event.card, life=event.life, marker=None, shown=())
    attack = state.attack
    if event.rule == "VD-052" and attack is not None and attack.target == event.unit:  # VD-307
        return _with_attack(changed, closed_target=False)
    return changed


def unit_transformed(state: State, event: e.UnitTransformed) -> State:
    original = state.units[event.unit].card
    return _with_unit(state, event.unit, card=event.card, life=event.life, changed=True, original=original)


def chrysalis_met(state: State, event: e.ChrysalisMet) -> State:
    return _with_attack(state, chrysalis=True)


def morale_checked(state: State, event: e.MoraleChecked) -> State:
    return state


def ranks_closed(state: State, event: e.RanksClosed) -> State:
    return _with_attack(state, closed_ranks=True)


def hits_counted(state: State, event: e.HitsCounted) -> State:
    return state


def unit_damaged(state: State, event: e.UnitDamaged) -> State:
    marker = None if state.units[event.unit].open else event.life
    return _with_unit(state, event.unit, life=event.life, marker=marker)


def unit_destroyed(state: State, event: e.UnitDestroyed) -> State:
    unit = state.units[event.unit]
    units = {i: u for i, u in state.units.items() if i != event.unit}
    at = {key: who for key, who in state.at.items() if who != event.unit}
    side = state.sides[unit.seat]
    card = unit.card if unit.original is None else unit.original
    sides = change(
        state.sides,
        unit.seat,
        motivation=event.motivation,
        destroyed=side.destroyed + 1,
        fallen=(*side.fallen, card),
    )
    return replace(state, units=units, at=at, sides=sides)


def motivation_lost(state: State, event: e.MotivationLost) -> State:
    changed = _with_unit(state, event.unit, paid=True)
    return _with_side(changed, event.seat, motivation=event.motivation)


def disrupted(state: State, event: e.Disrupted) -> State:
    return _with_attack(state, disruptions=event.total)


def counterattack_declared(state: State, event: e.CounterattackDeclared) -> State:
    return _with_attack(state, counter=True, counter_strike=event.strike, riposte=event.rule == "VD-355")


def counterattack_refused(state: State, event: e.CounterattackRefused) -> State:
    return _with_attack(state, counter_done=True)


def attack_ended(state: State, event: e.AttackEnded) -> State:
    attack = state.attack
    if attack is None:
        return state
    changed = state
    if event.landed and attack.target in state.units and attack.kind == "aerial":
        changed = _with_unit(state, attack.target, struck_from_air=True)
    return replace(changed, attack=None)


def strategy_used(state: State, event: e.StrategyUsed) -> State:
    spent = state.sides[event.seat].strategy_spent or event.spent
    if event.deferred:
        return _with_side(state, event.seat, strategy_spent=spent, deferred=event.unit)
    return _with_side(state, event.seat, strategy_spent=spent, inspired=event.unit)


def strategy_resumed(state: State, event: e.StrategyResumed) -> State:
    return _with_side(state, event.seat, deferred=None)


def morale_raised(state: State, event: e.MoraleRaised) -> State:
    units = dict(state.units)
    for unit_id in event.units:
        units[unit_id] = replace(units[unit_id], morale=units[unit_id].morale + event.bonus)
    return replace(state, units=units)


def round_ended(state: State, event: e.RoundEnded) -> State:
    units = {
        i: replace(unit, chaotic=False, enraged=False, struck_from_air=False, morale=0)
        for i, unit in state.units.items()
    }
    sides = tuple(replace(side, declared=None, autonomous=0, grounded=False) for side in state.sides)
    return replace(state, units=units, sides=sides, turn=None)


EVOLVE: Final[dict[type[Event], Evolve[Any]]] = {
    e.GeneralChosen: general_chosen,
    e.OrderDeckShuffled: order_deck_shuffled,
    e.ArmyDealt: army_dealt,
    e.RankExchanged: rank_exchanged,
    e.ExchangeDeclined: exchange_declined,
    e.ArmyCounted: army_counted,
    e.InitiativeTaken: initiative_taken,
    e.ArmyShown: army_shown,
    e.TerrainLaid: terrain_laid,
    e.TerrainExamined: terrain_examined,
    e.ExaminationEnded: examination_ended,
    e.UnitDeployed: unit_deployed,
    e.TerrainRevealed: terrain_revealed,
    e.PhaseBegan: phase_began,
    e.UnitWentWild: unit_went_wild,
    e.UnitTookOrder: unit_took_order,
    e.UnitsRolled: units_rolled,
    e.LifeRegained: life_regained,
    e.AbilityShown: ability_shown,
    e.CardsDrawn: cards_drawn,
    e.OrdersIssued: orders_issued,
    e.LeftoverDiscarded: leftover_discarded,
    e.OrderTakenBack: order_taken_back,
    e.KeepingEnded: keeping_ended,
    e.TurnBegan: turn_began,
    e.CardExchanged: card_exchanged,
    e.OrdersExchanged: orders_exchanged,
    e.OrderReclaimed: order_reclaimed,
    e.OrderTurnedUp: order_turned_up,
    e.TacticDeclared: tactic_declared,
    e.OrderDiscarded: order_discarded,
    e.OrderExamined: order_examined,
    e.OrderConverted: order_converted,
    e.PlayerGrounded: player_grounded,
    e.UnitCharged: unit_charged,
    e.ManeuverPassed: maneuver_passed,
    e.UnitMoved: unit_moved,
    e.UnitsSwapped: units_swapped,
    e.TerrainCaptured: terrain_captured,
    e.CaptureLost: capture_lost,
    e.AttackFailed: attack_failed,
    e.AttackDeclared: attack_declared,
    e.SupportsCommitted: supports_committed,
    e.UnitOpened: unit_opened,
    e.UnitTransformed: unit_transformed,
    e.ChrysalisMet: chrysalis_met,
    e.MoraleChecked: morale_checked,
    e.RanksClosed: ranks_closed,
    e.HitsCounted: hits_counted,
    e.UnitDamaged: unit_damaged,
    e.UnitDestroyed: unit_destroyed,
    e.MotivationLost: motivation_lost,
    e.Disrupted: disrupted,
    e.CounterattackDeclared: counterattack_declared,
    e.CounterattackRefused: counterattack_refused,
    e.AttackEnded: attack_ended,
    e.StrategyUsed: strategy_used,
    e.StrategyResumed: strategy_resumed,
    e.MoraleRaised: morale_raised,
    e.RoundEnded: round_ended,
}
