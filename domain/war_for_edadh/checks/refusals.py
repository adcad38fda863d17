"""The ledger row that forbids a refused choice of War for Edaðh (`GameSpec.forbids`).

The forms alone decide which choices are legal. This module examines a refused choice again, to name the row.
It uses only the knowledge of the seat that is asked: its own cards and open cards.
"""

from collections import Counter as Count

from domain.commons.forbidding import Reasons, first_of, told_in
from domain.commons.rows import foe
from domain.kernel import Choice, Decision, Forbidden, Hidden, Seat
from domain.war_for_edadh.cards.cards import Level, Stratagem
from domain.war_for_edadh.rules.best_of_3 import CombineTerrain, CutAgain, Veto
from domain.war_for_edadh.rules.choosing import BowColumn, BowTarget, ChooseTroop, NameColumn, TroopSelection
from domain.war_for_edadh.rules.combat_masters import BonusOffer, LendBonus, TakeMp
from domain.war_for_edadh.rules.combining import Combine, CombiningOffer, helpers
from domain.war_for_edadh.rules.discarding import RETIRE_AT_MP, Discard, Removal, Retire, StopRetiring, discard_due
from domain.war_for_edadh.rules.end_of_duration import FARTHEST_SWAP, Swap, SwapOffer
from domain.war_for_edadh.rules.fielding import (
    BringArmy,
    ChooseArmy,
    ChooseStratagems,
    DeckSelection,
    Deploy,
    FieldUnits,
    UnitSelection,
    automatic,
    units_left,
)
from domain.war_for_edadh.rules.instant_discard import GapRefill, MoveIntoGap
from domain.war_for_edadh.rules.round import LayCards, MasteryLay
from domain.war_for_edadh.rules.rows import UseRow
from domain.war_for_edadh.rules.standards import FlipStandard
from domain.war_for_edadh.rules.stratagems import (
    Counter,
    PickStratagems,
    StratagemSelection,
    budget,
    names_out,
    restriction_met,
)
from domain.war_for_edadh.rules.support import PlaceBehind, SupportPlacing, SwitchUnits
from domain.war_for_edadh.rules.tie_break import LayTieCard, TieLay
from domain.war_for_edadh.state.queries import (
    attached,
    cards_of,
    coming_position,
    everyone,
    has_combat_master,
    place,
    ready_armies,
    terrain_effects,
)
from domain.war_for_edadh.state.state import TroopId, WarState


def forbids(state: WarState, decision: Decision, choice: Choice) -> Forbidden | None:
    """The row that forbids the choice; None if it is the row of the question itself."""
    if isinstance(choice, BringArmy):
        return told_in(decision.form(state).check(choice))
    return first_of(_reasons(state, decision, choice))


def _reasons(state: WarState, decision: Decision, choice: Choice) -> Reasons:
    seat = decision.by
    match choice:
        case LayCards() if isinstance(decision, MasteryLay):
            yield from _laying(state, seat, choice)
        case LayTieCard(cv=cv) if isinstance(decision, TieLay):
            yield cv not in cards_of(state).ends, "WE-008", "No Mastery Card has that end."
            yield True, "WE-077", "That card lies on the table; one of the other five is laid."
        case ChooseTroop(troop=troop) if isinstance(decision, TroopSelection):
            yield from _choosing(state, seat, TroopId(troop))
        case ChooseTroop() if isinstance(decision, BowTarget):
            yield True, "WE-Q52", "A face-up card of the column is picked."
        case NameColumn() if isinstance(decision, BowColumn):
            yield True, "WE-Q52", "A column is named that has supplied no Chosen Troop in this Duration."
        case Combine() if isinstance(decision, CombiningOffer):
            yield from _combining(state, seat, choice)
        case LendBonus() if isinstance(decision, BonusOffer):
            yield choice.bonus != decision.bonus, "WE-163", "One bonus is lent, in its own step."
            yield choice.reduce, "WE-169", "The Damage bonus lowers one's own damage as Defender or in a draw."
            yield True, "WE-Q60", "It does not add to the opponent's damage here."
        case TakeMp():
            yield True, "WE-171", "The MP bonus is taken late by whoever used no other."
        case UseRow():
            yield from _row(state, seat)
        case FlipStandard(standard=code):
            yield from _standard(state, seat, decision, code)
        case _:
            yield from _between(state, decision, choice)


def _between(state: WarState, decision: Decision, choice: Choice) -> Reasons:
    """The End of Duration, and choices before and after a combat."""
    seat = decision.by
    match choice:
        case Discard() | Retire() | StopRetiring() if isinstance(decision, Removal):
            yield from _removing(state, decision, choice)
        case Swap() if isinstance(decision, SwapOffer):
            yield from _swapping(state, decision, choice)
        case PickStratagems(codes=codes) if isinstance(decision, StratagemSelection):
            yield from _picking(state, seat, codes)
        case Counter(code=code):
            yield from _countering(state, seat, code)
        case MoveIntoGap(troop=troop) if isinstance(decision, GapRefill):
            yield _is_front(state, troop), "WE-103", "A rear card fills the gap."
            yield True, "WE-103", "The card comes from an adjacent column."
        case PlaceBehind(troop=troop) if isinstance(decision, SupportPlacing):
            yield troop not in decision.rank, "WE-Q67", "The cards are placed rank by rank."
            yield True, "WE-243", "A card is placed behind a shortest column."
        case SwitchUnits():
            yield True, "WE-244", "Units are switched after one's own Retreat alone."
        case _:
            yield from _before(state, decision, choice)


def _before(state: WarState, decision: Decision, choice: Choice) -> Reasons:
    seat = decision.by
    match choice:
        case ChooseArmy(army=name):
            yield (
                any(army.name == name for army in ready_armies(state)),
                "WE-Q80",
                ("No Unit of that army may enter the Terrain."),
            )
        case ChooseStratagems(stratagems=codes) if isinstance(decision, DeckSelection):
            yield from _deck(state, codes)
        case FieldUnits() if isinstance(decision, UnitSelection):
            yield from _fielding(state, seat, choice)
        case Deploy():
            yield True, "WE-Q71", "Every card of the Units stands on one of their places."
        case Veto() | CutAgain():
            yield not state.terrain_left, "WE-252", "No Terrain Card is left."
        case CombineTerrain(half=half):
            yield half == seat, "WE-Q80", "It would leave one no Unit to field."


def _laying(state: WarState, seat: Seat, choice: LayCards) -> Reasons:
    side = state.sides[seat]
    yield choice.cv not in cards_of(state).ends, "WE-008", "No Mastery Card has that end."
    if choice.secondary == "tcts":
        yield not side.battle_master, "WE-065", "There is no Battle Master."
        yield side.promoted, "WE-Q22", "The Battle Master is Promoted."
        yield side.battle_flipped, "WE-065", "The Battle Master is flipped."
    if choice.secondary == "mst":
        yield not has_combat_master(side), "WE-064", "There is no Combat Master."
        yield side.master_flipped, "WE-064", "The Combat Master is flipped."


def _choosing(state: WarState, seat: Seat, id_: TroopId) -> Reasons:
    troop = state.troops.get(id_)
    if troop is None:
        return
    side = state.sides[seat]
    yield troop.seat != seat, "WE-072", "It is the opponent's Troop."
    yield id_ not in everyone(side), "WE-072", "The Troop has left."
    if troop.seat != seat or id_ not in everyone(side):
        return
    unit, column, rank = place(state, id_)
    yield troop.flipped, "WE-036", "A flipped card cannot be chosen again in this Duration."
    support = unit == "support"
    yield support and state.level is not Level.BALLISTIC, "WE-239", "The Support Unit fights at Ballistic alone."
    yield support and rank == 1, "WE-239", "That Troop has no weapon at Ballistic."
    spent = side.spent_support if support else side.spent
    yield column in spent, "WE-199", "That column has supplied its Chosen Troop in this Duration."
    yield rank > 1, "WE-217", "A rear card is chosen only by a Composition that works there."
    yield state.level is Level.MELEE, "WE-075", "At Melee the columns that face each other fight."


def _combining(state: WarState, seat: Seat, choice: Combine) -> Reasons:
    helper = TroopId(choice.helper)
    troop = state.troops.get(helper)
    if troop is None:
        return
    yield troop.seat != seat, "WE-160", "It is the opponent's Troop."
    yield troop.flipped, "WE-036", "A flipped card does not help."
    yield helper in helpers(state, seat), "WE-160", "The helper's Mastery Level changes one stat that there is."
    yield helper in everyone(state.sides[seat]) and place(state, helper)[2] > 1, "WE-159", "A rear card does not help."
    yield state.larger != seat, "WE-158", "Only the larger side combines its own Troops."
    yield True, "WE-158", "As many Troops help in this Duration as the larger side has more."


def _row(state: WarState, seat: Seat) -> Reasons:
    yield state.level is not Level.MELEE, "WE-212", "Rows of the reverse are for Melee."
    yield "counter_mounts" in terrain_effects(state, seat), "WE-186", "The Terrain has Counter Mounts."
    yield not state.sides[seat].fresh, "WE-187", "The 1st Duration Melee Bonus is over, or the Troop has no such row."


def _standard(state: WarState, seat: Seat, decision: Decision, code: str) -> Reasons:
    side = state.sides[seat]
    yield code not in side.standards, decision.rule, "That Standard is not in one's Set."
    yield code in side.standards_used, "WE-178", "That Standard was used in this game."
    yield True, decision.rule, "That Standard has nothing for this moment."


def _removing(state: WarState, decision: Removal, choice: Choice) -> Reasons:
    seat = decision.by
    due = discard_due(state, seat, decision.begun)
    if isinstance(choice, StopRetiring):
        yield due, "WE-120" if decision.begun else "WE-118", "A Discard is due."
        return
    if not isinstance(choice, Discard | Retire):
        return
    id_, side = TroopId(choice.troop), state.sides[seat]
    troop = state.troops.get(id_)
    if troop is None:
        return
    yield troop.seat != seat, "WE-118", "It is the opponent's Troop."
    yield id_ not in everyone(side), "WE-118", "The Troop has left."
    yield isinstance(choice, Discard) and not due, "WE-118", "The Dmg is not above the lowest DV."
    yield isinstance(choice, Retire) and side.mp > RETIRE_AT_MP, "WE-123", f"MP are above {RETIRE_AT_MP}."
    yield not _is_front(state, id_), "WE-117", "Front Rank cards leave."
    yield bool(set(side.due_first) & set(everyone(side))), "WE-201", "The card that the opponent picked leaves first."
    yield (
        isinstance(choice, Discard) and bool(side.support[0] + side.support[1] + side.support[2]),
        "WE-241",
        ("Cards leave the Unit that the opponent has named."),
    )
    yield True, "WE-121", "A card of the longest column leaves."


def _is_front(state: WarState, troop: str) -> bool:
    """Whether the Troop stands in a Front Rank."""
    id_ = TroopId(troop)
    standing = id_ in state.troops and id_ in everyone(state.sides[state.troops[id_].seat])
    return standing and place(state, id_)[2] == 1


def _swapping(state: WarState, decision: SwapOffer, choice: Swap) -> Reasons:
    pair = (TroopId(choice.first), TroopId(choice.second))
    side = state.sides[decision.by]
    if any(id_ not in state.troops for id_ in pair):
        return
    yield any(id_ not in everyone(side) for id_ in pair), "WE-152", "Two of one's own cards change places."
    if any(id_ not in everyone(side) for id_ in pair):
        return
    yield any(id_ in decision.moved for id_ in pair), "WE-Q66", "A card takes part in one swap at most."
    (unit, column, rank), (other_unit, other_column, other_rank) = (place(state, id_) for id_ in pair)
    yield (unit, column) != (other_unit, other_column), "WE-152", "Cards of one column change places."
    yield abs(rank - other_rank) > FARTHEST_SWAP, "WE-152", "Cards at most two ranks apart change places."
    yield rank >= other_rank, "WE-152", "The card in front is named first."


def _picking(state: WarState, seat: Seat, codes: tuple[str, ...]) -> Reasons:
    side, index = state.sides[seat], cards_of(state).stratagems
    most = budget(state, seat)
    yield most < 0 and bool(codes), "WE-141", "Without a master no Stratagem is picked."
    deck = () if isinstance(side.deck, Hidden) else side.deck
    yield any(code not in deck for code in codes), "WE-138", "Stratagems are picked from one's own deck."
    yield len(set(codes)) < len(codes), "WE-150", "A Stratagem is picked once."
    picked = [index[code] for code in codes if code in index]
    for found in picked:
        yield from _pickable(state, seat, found)
    alone = any(found.cost == "*" for found in picked)
    yield alone and len(picked) > 1, "WE-143", "A card of Cost * is the only one picked."
    cost = sum(found.cost for found in picked if isinstance(found.cost, int))
    yield cost > most, "WE-139" if side.battle_master else "WE-140", f"They cost {cost}, and {most} may be spent."


def _pickable(state: WarState, seat: Seat, found: Stratagem) -> Reasons:
    side, index = state.sides[seat], cards_of(state).stratagems
    lying = [index[card.code] for card in side.in_play]
    combat = found.proficiency == "combat" and not found.secondary
    yield not side.battle_master and not combat, "WE-140", "Without a Battle Master only Combat Tactics are picked."
    yield not attached(state, seat, found), "WE-184", "The master that it is assigned to is not there."
    yield found.name in names_out(state, seat), "WE-142", "The opponent's Stratagem of that name, with X, lies In Play."
    yield found.name in {other.name for other in lying}, "WE-150", "One of that name lies In Play."
    formless = found.type == "formation" and "no_formation" in terrain_effects(state, seat)
    yield formless, "WE-144", "The Terrain has No Formation."
    aerial = found.type == "aerial" and "counter_aerial" in terrain_effects(state, seat)
    yield aerial, "WE-145", "The Terrain has Counter Aerial."
    flags = {flag for other in lying for flag in other.flags}
    strange = bool(lying) and not found.common and not flags & set(found.flags)
    yield strange, "WE-146", "It has no Flag of those In Play."
    position = coming_position(state)
    unmet = any(not restriction_met(state, seat, each, position) for each in found.restrictions)
    yield unmet, "WE-147", "Its Restriction is not met."


def _countering(state: WarState, seat: Seat, code: str) -> Reasons:
    lying = {card.code: card for card in state.sides[foe(seat)].in_play}
    found = cards_of(state).stratagems.get(code)
    yield code not in lying, "WE-111", "That Stratagem does not lie In Play with the opponent."
    yield found is not None and not found.counterable, "WE-111", "It has no C notation."
    yield code in lying and lying[code].since > state.duration, "WE-Q41", "It was not In Play when the Duration began."


def _deck(state: WarState, codes: tuple[str, ...]) -> Reasons:
    index = cards_of(state).stratagems
    given = {card.code for card in automatic(state)}
    yield len(set(codes)) < len(codes), "WE-Q38", "A deck holds each name once."
    yield bool(given & set(codes)), "WE-Q42", "That Stratagem is in the deck anyway."
    picked = [index[code] for code in codes if code in index]
    combat = all(found.proficiency == "combat" and not found.secondary for found in picked)
    yield not combat, "WE-Q42", "Without a Battle Master further Stratagems are Combat Tactics."


def _fielding(state: WarState, seat: Seat, choice: FieldUnits) -> Reasons:
    left = units_left(state, seat, "main")
    yield choice.main not in left, "WE-254", "That Unit is not left to field."
    support = choice.support >= 0
    yield support and not state.options.support, "WE-003", "Support Units are off."
    yield (
        support and choice.support not in units_left(state, seat, "support"),
        "WE-254",
        ("That Support Unit is not left to field."),
    )
    many = Count((*choice.main_rear, 0)).most_common(1)[0][1] > 1
    yield many, "WE-Q71", "A rear place is named twice."
    yield True, "WE-223", "Every Troop has the Element and the Access of the Terrain, and the rearmost rank its places."
