"""One sentence per event of War for Edaðh, for one viewer."""

from typing import Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Event, Hidden, Seat
from domain.war_for_edadh.rules.choosing import TroopSelection
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.queries import cards_of
from domain.war_for_edadh.state.state import DRAW, WarState
from projections.blocks.narration import Telling, narrator, silent
from projections.games.war_for_edadh.round import is_one_card
from projections.games.war_for_edadh.words import (
    BONUS_NAMES,
    POSITIONS,
    ROWS,
    SECONDARY,
    STATS,
    cards,
    column_seen,
    ended,
    is_far,
    master_name,
    spot,
    stratagem_name,
    stratagems_named,
    terrain_name,
    troop_name,
    troops_named,
)
from projections.words import count, player, reasons, signed

View = WarState
WHY: Final = {
    "WE-252": "vetoed",
    "WE-253": "not combined",
    "WE-261": "Hills are not used in a third combat",
    "WE-Q80": "it bars a Unit",
}
REASONS: Final = {
    "damage": "more damage than MP",
    "rout": "the enemy Routs",
    "exhaustion": "the enemy's MP is spent",
    "annihilation": "the enemy has no Troops left",
}


def army_chosen(_: View, view: View, event: e.ArmyChosen) -> str:
    mine = "" if isinstance(event.army, Hidden) else f": {event.army.name}"
    return f"{player(view, event.seat)} has chosen an army{mine}."


def deck_chosen(_: View, view: View, event: e.DeckChosen) -> str:
    mine = "" if isinstance(event.deck, Hidden) else f": {stratagems_named(view, event.deck)}"
    return f"{player(view, event.seat)}'s Stratagem Deck holds {cards(event.size)}{mine}."


def combat_begun(_: View, view: View, event: e.CombatBegun) -> str:
    return "The combat begins." if view.options.game == "unit" else f"Combat {event.number} begins."


def terrain_laid(_: View, view: View, event: e.TerrainLaid) -> str:
    return f"{terrain_name(view, event.code)} lies between the Units."


def terrain_cut(_: View, view: View, event: e.TerrainCut) -> str:
    return f"{player(view, event.seat)} cuts again and turns up {terrain_name(view, event.code)}."


def terrain_set_aside(_: View, view: View, event: e.TerrainSetAside) -> str:
    by = f" by {player(view, event.seat)}" if event.seat is not None else ""
    return f"{terrain_name(view, event.code)} is set aside{by}: {WHY[event.rule]} ({event.rule})."


def terrain_combined(_: View, view: View, event: e.TerrainCombined) -> str:
    half = player(view, event.half)
    return f"{player(view, event.seat)} combines {terrain_name(view, event.code)} on {half}'s half."


def terrain_turned(_: View, _view: View, _event: e.TerrainTurned) -> str:
    return "The Hills are turned round: each player has the other half (WE-258)."


def unit_selected(_: View, view: View, event: e.UnitSelected) -> str:
    return f"{player(view, event.seat)} has selected a Unit."


def unit_deployed(_: View, view: View, event: e.UnitDeployed) -> str:
    masters = [master_name(view, code) for code in (event.combat_master, event.battle_master) if code]
    behind = f" under {' and '.join(masters)}" if masters else ""
    return f"{player(view, event.seat)} deploys {count(len(event.troops), 'Troop')} of {event.faction}{behind}."


def stratagems_picked(_: View, view: View, event: e.StratagemsPicked) -> str:
    who = player(view, event.seat)
    up = f"picks {stratagems_named(view, event.face_up)}" if event.face_up else ""
    mine = ""
    if not isinstance(event.holding, Hidden) and event.holding:
        mine = f" ({stratagems_named(view, event.holding)})"
    down = f"lays {cards(event.face_down)} face down{mine}" if event.face_down else ""
    return f"{who} {' and '.join(word for word in (up, down) if word) or 'picks no Stratagem'}."


def duration_begun(_: View, view: View, event: e.DurationBegun) -> str:
    more = f" {player(view, event.larger)} may combine Troops." if event.larger >= 0 else ""
    return f"Duration {event.number}, {POSITIONS[view.position]}: {count(event.rounds, 'round')}.{more}"


def bonus_rows_ready(_: View, _view: View, _event: e.BonusRowsReady) -> str:
    return "The charge goes home: 1st Duration Melee Bonus rows may be used (WE-185)."


def round_begun(_: View, _view: View, event: e.RoundBegun) -> str:
    return f"Round {event.number}."


def card_laid(_: View, view: View, event: e.CardLaid) -> str:
    return f"{player(view, event.seat)} lays {event.laid.cv}{SECONDARY[event.laid.secondary]}."


def cards_compared(_: View, view: View, event: e.CardsCompared) -> str:
    laid = [card.cv if card else 0 for card in view.round.laid]
    pairs = zip(laid, reversed(laid), event.values, strict=True)
    altered = [f"{cv} counts as {value} against {other}" for cv, other, value in pairs if cv != value]
    why = f"{altered[0]}: " if altered and event.attacker != DRAW else ""
    if event.attacker == DRAW:
        if len(set(laid)) > 1 and is_one_card(view):
            return f"{laid[0]} and {laid[1]} are the two ends of one card: the round is a draw."
        return "The round is a draw."
    return f"{why}{player(view, event.attacker)} attacks."


def mp_changed(_: View, view: View, event: e.MpChanged) -> str:
    return f"{player(view, event.seat)}'s MP is {event.mp} ({reasons(event.parts)})."


def dmg_changed(_: View, view: View, event: e.DmgChanged) -> str:
    return f"{player(view, event.seat)}'s Dmg falls to {event.dmg} ({reasons(event.parts)})."


def battle_master_promoted(_: View, view: View, event: e.BattleMasterPromoted) -> str:
    return f"{player(view, event.seat)}'s Battle Master is Promoted (WE-067)."


def battle_master_flipped(_: View, view: View, event: e.BattleMasterFlipped) -> str:
    return f"{player(view, event.seat)}'s tactics fail: the Battle Master is flipped (WE-067)."


def tie_card_laid(_: View, view: View, event: e.TieCardLaid) -> str:
    return f"{player(view, event.seat)} lays {event.cv} to break the tie."


def tie_compared(_: View, view: View, event: e.TieCompared) -> str:
    return "Again a tie." if event.winner == DRAW else f"{player(view, event.winner)} breaks the tie."


def tie_drawn(_: View, view: View, event: e.TieDrawn) -> str:
    return f"The die decides for {player(view, event.winner)} (WE-Q03)."


def troop_chosen(before: View, view: View, event: e.TroopChosen, viewer: Seat | None = None) -> str:
    by = f", picked by {player(view, event.by)}'s bow" if event.by != event.seat else _unasked(before, event)
    where = spot(event.unit, event.column, event.rank, far=is_far(event.seat, viewer))
    return f"{player(view, event.seat)}'s {troop_name(view, event.troop)} ({where}) fights{by}."


def _unasked(before: View, event: e.TroopChosen) -> str:
    """WE-075: the reason why nobody was asked for the Troop that answers another at Melee; else empty."""
    first = before.round.chosen[foe(event.seat)]
    if not first or before.position != "melee" or len(TroopSelection(event.seat, first=False).troops(before)) != 1:
        return ""
    return f": no other can meet {troop_name(before, first)} (WE-075)"


def bow_column_named(_: View, view: View, event: e.BowColumnNamed, viewer: Seat | None = None) -> str:
    column = column_seen(event.column, far=is_far(event.seat, viewer))
    return f"{player(view, event.seat)} names the {column} to the bow."


def troop_combined(_: View, view: View, event: e.TroopCombined) -> str:
    change = f"{STATS[event.boost.stat]} {signed(event.boost.amount)}"
    return f"{player(view, event.seat)}'s {troop_name(view, event.helper)} helps: {change}."


def row_used(_: View, view: View, event: e.RowUsed) -> str:
    return f"{player(view, event.seat)}'s Chosen Troop uses its {ROWS[event.row]} row (WE-Q85)."


def bonus_announced(_: View, view: View, event: e.BonusAnnounced) -> str:
    return f"{player(view, event.seat)} announces the Combat Master's {BONUS_NAMES[event.bonus]} bonus."


def bonus_applied(_: View, view: View, event: e.BonusApplied) -> str:
    return f"{player(view, event.seat)}'s Combat Master lends {BONUS_NAMES[event.bonus]} {signed(event.amount)}."


def bonus_lost(_: View, view: View, event: e.BonusLost) -> str:
    return f"{player(view, event.seat)}'s announced {BONUS_NAMES[event.bonus]} bonus is lost (WE-Q61)."


def standard_flipped(_: View, view: View, event: e.StandardFlipped) -> str:
    return f"{player(view, event.seat)} flips {cards_of(view).standards[event.standard].title}."


def res_shown(_: View, view: View, event: e.ResShown) -> str:
    if not event.standard:
        return f"{player(view, event.seat)} flips no Standard."
    title = cards_of(view).standards[event.standard].title
    return f"{player(view, event.seat)} flips {title}: {event.res} fewer count (WE-127)."


def guard_tested(_: View, view: View, event: e.GuardTested) -> str:
    who = player(view, event.seat)
    if event.out_of_range:
        return f"{who} guards ({reasons(event.ways)}), and is out of range: no damage (WE-192)."
    if event.guarded:
        return f"{who} guards, the blow is stopped ({reasons(event.ways)})."
    return f"{who} fails to guard: neither Mastery Level nor shield nor terrain is high enough (WE-084)."


def blow_resolved(_: View, view: View, event: e.BlowResolved) -> str:
    attacker, who = player(view, foe(event.seat)), player(view, event.seat)
    if event.rule == "WE-092":
        return f"{attacker}'s Troop has no attack: nothing in a draw (WE-092)."
    if event.rule == "WE-091":
        return f"{attacker}'s Troop has no attack: {who} loses 5 MP instead (WE-091)."
    if event.out_of_range:
        return f"{who} is out of range: no damage, 5 MP instead (WE-192)."
    verb = "beats" if event.rule == "WE-087" else "does not beat"
    return f"{attacker}'s att {event.att} {verb} {who}'s def {event.defence}: {reasons(event.parts)}."


def damage_taken(_: View, view: View, event: e.DamageTaken) -> str:
    if view.round.shielded[event.seat]:
        return f"{player(view, event.seat)} takes no damage out of range (WE-192): Dmg {event.dmg}."
    if event.damage < 0:
        return f"{player(view, event.seat)}'s Dmg Counter is lowered by {reasons(event.parts)}: Dmg {event.dmg}."
    return f"{player(view, event.seat)} takes {event.damage} in this round: {reasons(event.parts)}; Dmg {event.dmg}."


def troop_instant_discarded(_: View, view: View, event: e.TroopInstantDiscarded) -> str:
    name = troop_name(view, event.troop)
    return f"{event.damage} is more than {event.dv}: {player(view, event.seat)}'s {name} is Instant Discarded (WE-099)."


def master_instant_discarded(_: View, view: View, event: e.MasterInstantDiscarded) -> str:
    who = player(view, event.seat)
    return f"{event.damage} is more than {event.dv}: {who}'s Combat Master is Instant Discarded (WE-101)."


def gap_filled(_: View, view: View, event: e.GapFilled) -> str:
    return f"{player(view, event.seat)}'s {troop_name(view, event.troop)} fills the gap."


def master_flipped(_: View, view: View, event: e.MasterFlipped) -> str:
    return f"{player(view, event.seat)}'s Combat Master is flipped."


def round_skipped(_: View, _view: View, _event: e.RoundSkipped) -> str:
    return "A side has nothing left to choose: the Duration ends early (WE-Q21)."


def stratagems_entered(_: View, view: View, event: e.StratagemsEntered) -> str:
    entered = stratagems_named(view, event.codes) or "nothing"
    return f"{player(view, event.seat)}'s Battle Master brings {entered} into play."


def holding_returned(_: View, view: View, event: e.HoldingReturned) -> str:
    return f"{player(view, event.seat)} takes {cards(event.count)} back from Holding, unseen."


def movement_ordered(_: View, view: View, event: e.MovementOrdered) -> str:
    return f"{player(view, event.seat)} orders {event.movement.capitalize()}."


def stratagem_countered(_: View, view: View, event: e.StratagemCountered) -> str:
    return f"{player(view, event.seat)}'s {stratagem_name(view, event.code)} is Countered and leaves the game."


def stratagem_returned(_: View, view: View, event: e.StratagemReturned) -> str:
    return f"{stratagem_name(view, event.code)} returns to {player(view, event.seat)}'s deck."


def discard_unit_named(_: View, view: View, event: e.DiscardUnitNamed) -> str:
    return f"{player(view, event.seat)} must Discard from the {event.unit.capitalize()} Unit."


def troop_discarded(_: View, view: View, event: e.TroopDiscarded) -> str:
    return f"{player(view, event.seat)} Discards {troop_name(view, event.troop)}: Dmg {event.dmg}."


def troop_retired(_: View, view: View, event: e.TroopRetired) -> str:
    return f"{player(view, event.seat)} Retires {troop_name(view, event.troop)}: MP {event.mp}."


def bonus_rows_tested(_: View, view: View, event: e.BonusRowsTested) -> str:
    still = [player(view, seat) for seat in BOTH if event.fresh[seat]]
    return f"{still[0]} keeps the bonus rows (WE-187)." if still else "The bonus rows are spent (WE-187)."


def support_takes_over(_: View, view: View, event: e.SupportTakesOver) -> str:
    return f"{player(view, event.seat)}'s Support Unit becomes the Main Unit (WE-Q63)."


def piles_counted(before: View, view: View, event: e.PilesCounted) -> str:
    told = [f"Cards lost: {event.adjusted[0]} to {event.adjusted[1]}."]
    for seat in BOTH:
        if event.routed[seat]:
            told.append(f"{player(view, seat)}'s Unit Routs (WE-130).")
        elif event.shaken[seat]:
            told.append(f"{player(view, seat)}'s Unit is Shaken (WE-129).")
        elif before.sides[seat].shaken:
            told.append(f"{player(view, seat)}'s Unit is no longer Shaken (WE-131).")
    return " ".join(told) if any(event.counts) or len(told) > 1 else ""


def piles_removed(before: View, view: View, _event: e.PilesRemoved) -> str:
    gone = tuple(troop for side in before.sides for troop in side.pile)
    return f"{troops_named(view, gone)} {'leaves' if len(gone) == 1 else 'leave'} the game." if gone else ""


def cards_turned_up(_: View, _view: View, _event: e.CardsTurnedUp) -> str:
    return "All cards turn face up."


def troops_swapped(_: View, view: View, event: e.TroopsSwapped) -> str:
    pair = f"{troop_name(view, event.first)} and {troop_name(view, event.second)}"
    return f"{player(view, event.seat)} swaps {pair}."


def support_added(_: View, view: View, event: e.SupportAdded) -> str:
    return f"{player(view, event.seat)}'s {troop_name(view, event.troop)} joins the Main Unit."


def units_switched(_: View, view: View, event: e.UnitsSwitched) -> str:
    return f"{player(view, event.seat)} switches Main and Support Unit."


def units_moved(before: View, _view: View, event: e.UnitsMoved) -> str:
    if before.position == event.position:
        return f"The Units stay at {POSITIONS[event.position]} ({event.rule})."
    return f"The Units move to {POSITIONS[event.position]} ({event.rule})."


def combat_ended(_: View, view: View, event: e.CombatEnded) -> str:
    if event.winner == DRAW:
        return f"The combat is drawn ({event.rule}). {ended(view)}."
    why = REASONS.get(event.reason, event.reason)
    return f"{player(view, event.winner)} wins the combat: {why} ({event.rule}). {ended(view)}."


SENTENCES: Final[dict[type[Event], Telling]] = {
    e.ArmyChosen: army_chosen,
    e.DeckChosen: deck_chosen,
    e.CombatBegun: combat_begun,
    e.TerrainShuffled: silent,
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
    e.FirstChooserFixed: silent,
    e.TroopChosen: troop_chosen,
    e.BowColumnNamed: bow_column_named,
    e.TroopCombined: troop_combined,
    e.BonusAnnounced: bonus_announced,
    e.RowUsed: row_used,
    e.BonusApplied: bonus_applied,
    e.BonusLost: bonus_lost,
    e.StandardFlipped: standard_flipped,
    e.ResShown: res_shown,
    e.GuardTested: guard_tested,
    e.BlowResolved: blow_resolved,
    e.DamageAdded: silent,
    e.DamageTaken: damage_taken,
    e.TroopsFlipped: silent,
    e.TroopInstantDiscarded: troop_instant_discarded,
    e.MasterInstantDiscarded: master_instant_discarded,
    e.GapFilled: gap_filled,
    e.MasterFlipped: master_flipped,
    e.RoundSkipped: round_skipped,
    e.RoundEnded: silent,
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
    e.SurvivorsSetAside: silent,
}

_TELL: Final = narrator(SENTENCES)


def narrate(before: View, view: View, event: Event, viewer: Seat | None) -> str:
    """A sentence about any event; "" if there is nothing to say. Columns are named as the viewer sees them."""
    match event:
        case e.TroopChosen():
            return troop_chosen(before, view, event, viewer)
        case e.BowColumnNamed():
            return bow_column_named(before, view, event, viewer)
    return _TELL(before, view, event, viewer)
