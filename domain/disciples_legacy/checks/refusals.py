"""The ledger row that forbids a refused choice of Disciples: Legacy (`GameSpec.forbids`).

The forms alone decide which choices are legal. This module examines a refused choice again, to name the row.
It uses only the knowledge of the seat that is asked: its own hand and the table.
"""

from collections.abc import Iterator
from typing import Final

from domain.commons.forbidding import Reasons, first_of, told_in
from domain.commons.rows import foe
from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.rules.attacking import Assault, Block, BlockOffer, prints_action
from domain.disciples_legacy.rules.battle.adjacency import is_far_corner, living_slots, opposing
from domain.disciples_legacy.rules.battle.rounds import FinishRound, PassRound, battle_of, has_run_out
from domain.disciples_legacy.rules.battle.skills import UseItem, UseSkill
from domain.disciples_legacy.rules.battle.striking import Strike
from domain.disciples_legacy.rules.founding import RecruitCity
from domain.disciples_legacy.rules.healing import Heal, Revive, revival_price
from domain.disciples_legacy.rules.paying import TapCity
from domain.disciples_legacy.rules.planting import Plant
from domain.disciples_legacy.rules.rearranging import Arrangement, Move
from domain.disciples_legacy.rules.recruiting import (
    DiscardUnits,
    Placement,
    PlaceUnit,
    RecruitMinor,
    RecruitUnit,
    same_name,
)
from domain.disciples_legacy.rules.replacing import ReplaceLeader
from domain.disciples_legacy.rules.setup import BringDeck, Deploy
from domain.disciples_legacy.rules.shopping import MOST_ITEMS, Shop
from domain.disciples_legacy.rules.spells import Cast, is_paid
from domain.disciples_legacy.rules.strategic import Finish, Pass, Rearrange
from domain.disciples_legacy.rules.thieving import UseAbility
from domain.disciples_legacy.rules.trading import GiveItem, GiveUnit, SettleTrade, Trade
from domain.disciples_legacy.state.formation import BACK, FRONT
from domain.disciples_legacy.state.queries import (
    FREE_SHOPPING,
    MOST_MAJOR,
    MOST_MINOR,
    cards_of,
    hand_of,
    is_giant,
    leaders,
    modifier,
    purse,
    ready_leaders,
    slot_of,
    unit_price,
)
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId, PlaceId
from domain.disciples_legacy.state.stats import style
from domain.kernel import Choice, Decision, Forbidden, Seat

BY_LEADER: Final = (
    Assault,
    Plant,
    RecruitCity,
    RecruitMinor,
    RecruitUnit,
    ReplaceLeader,
    Shop,
    Trade,
    Cast,
    UseAbility,
)
"""The actions of Leaders in the Strategic Phase."""
BY_MAJORS: Final = (RecruitCity, RecruitMinor, RecruitUnit, ReplaceLeader, Shop, Trade)


def forbids(state: DisciplesState, decision: Decision, choice: Choice) -> Forbidden | None:
    """The row that forbids the choice; None if it is the row of the question itself."""
    if isinstance(choice, BringDeck | Deploy):
        return told_in(_sentence(state, decision, choice))
    return first_of(_reasons(state, decision, choice))


def _sentence(state: DisciplesState, decision: Decision, choice: Choice) -> str:
    """Forms of decks and deployments name the fault and its row themselves."""
    return decision.form(state).check(choice)


def _reasons(state: DisciplesState, decision: Decision, choice: Choice) -> Reasons:
    seat = decision.by
    if isinstance(choice, BY_LEADER) and decision.rule == "DL-123":
        yield from _leader(state, seat, MemberId(choice.leader), major=isinstance(choice, BY_MAJORS))
        yield from _action(state, seat, choice)
    elif isinstance(choice, BY_LEADER):
        yield state.battle is not None, "DL-008", "(S) abilities are used in the Strategic Phase alone."
    match choice:
        case Pass():
            yield state.sides[seat].passed, "DL-125", "A player passes once a turn."
            yield state.last_passed, "DL-126", "A pass does not follow a pass."
        case Finish():
            yield not state.sides[foe(seat)].skipped, "DL-Q17", "The opponent can still act."
        case Rearrange(party=party):
            yield state.battle is not None, "DL-091", "Formations outside Battle are not changed during one."
            yield party in state.sides[seat].rearranged, "DL-Q62", "That Party was arranged before this action."
        case Move():
            yield from _move(state, decision, choice)
        case Block(leader=leader):
            yield from _block(state, decision, MemberId(leader))
        case PlaceUnit(slot=slot) if isinstance(decision, Placement):
            yield from _placing(state, decision, slot)
        case DiscardUnits(units=units):
            yield not units, "DL-141", "The Party has too many Units."
            yield True, "DL-Q33", "As many Units go as make the Party legal, and none more."
        case _:
            yield from _others(state, decision, choice)


def _others(state: DisciplesState, decision: Decision, choice: Choice) -> Reasons:
    seat = decision.by
    match choice:
        case Strike() | UseSkill() | UseItem() if state.battle is not None:
            member = MemberId(choice.leader if isinstance(choice, UseItem) else choice.member)
            yield from _battle_member(state, seat, member)
            if isinstance(choice, Strike):
                yield from _strike(state, choice)
            else:
                yield True, "DL-003", "That member has no such ability, or it can do nothing to that target."
        case Strike() | UseSkill() | UseItem():
            yield True, "DL-008", "Battle Actions are taken in Battle alone."
        case PassRound() if state.battle is not None:
            yield battle_of(state).passed[seat], "DL-180", "A player passes once a Battle Round."
            yield battle_of(state).last_passed, "DL-181", "A pass does not follow a pass."
        case FinishRound() if state.battle is not None:
            yield not has_run_out(state, foe(seat)), "DL-Q17", "The opponent can still act."
        case Revive(member=id_):
            yield from _revival(state, seat, state.members.get(MemberId(id_)))
        case Heal(member=id_):
            yield from _healing(seat, state.members.get(MemberId(id_)))
        case TapCity(city=id_):
            yield from _tapping(state, seat, PlaceId(id_))
        case GiveUnit() | GiveItem() | SettleTrade():
            yield True, "DL-150", "Both Parties keep their Leadership, their slots and the limit of Giants."


def _leader(state: DisciplesState, seat: Seat, id_: MemberId, *, major: bool) -> Reasons:
    """DL-123: the player whose actions these are."""
    member = state.members.get(id_)
    if member is None:
        return
    yield member.seat != seat, "DL-039", "It is the opponent's Leader."
    yield member.kind == "unit", "DL-054", "Leaders act in the Strategic Phase, Units do not."
    yield member.dead, "DL-039", "A dead Leader does not act."
    yield member.spent, "DL-006", "A spent Leader does not act again this turn."
    yield major and member.kind == "minor", "DL-052", "A Minor Leader does only what its card prints."


def _action(state: DisciplesState, seat: Seat, choice: Choice) -> Iterator[tuple[bool, str, str]]:
    match choice:
        case Assault(leader=leader, target=target):
            yield from _assault(state, seat, MemberId(leader), target)
        case Trade(leader=leader, partner=partner):
            yield leader == partner, "DL-148", "A Leader trades with another one."
            majors = leaders(state, seat, "major")
            yield partner not in majors, "DL-148", "Trades are between two Major Leaders of one player."
            yield True, "DL-Q65", "Neither of them has anything to trade."
        case ReplaceLeader(card=card):
            yield len(leaders(state, seat, "major")) >= MOST_MAJOR, "DL-050", "There are three Major Leaders already."
            yield card not in state.sides[seat].discard, "DL-165", "That Leader is not in your discard pile."
            yield True, "DL-Q35", "The Leader's cost cannot be paid."
        case Shop(items=items):
            yield from _shopping(state, seat, items)
        case Cast(spell=spell):
            yield from _casting(state, seat, choice, spell)
        case Plant(leader=leader, card=card):
            yield card not in hand_of(state, seat), "DL-069", "That card is not in the hand."
            yield _prints(state, MemberId(leader), hooks.PlantOperation), "DL-069", "It is no Mana card."
            yield True, "DL-068", "Rod Planters plant Mana."
        case UseAbility():
            yield True, "DL-Q44", "The Leader's card has no such ability, or it can do nothing to that target."
        case RecruitCity(card=card) | RecruitUnit(card=card) | RecruitMinor(card=card):
            yield card not in hand_of(state, seat), "DL-134", "That card is not in the hand."
            yield from _recruiting(state, seat, choice, card)


def _prints(state: DisciplesState, leader: MemberId, kind: type[hooks.Operation]) -> bool:
    member = state.members.get(leader)
    abilities = () if member is None else cards_of(state).abilities[member.card]
    return any(ability.window == "S" and isinstance(ability.op, kind) for ability in abilities)


def _assault(state: DisciplesState, seat: Seat, leader: MemberId, target: str) -> Reasons:
    city, mana = state.cities.get(PlaceId(target)), state.mana.get(PlaceId(target))
    party = state.parties.get(MemberId(target))
    place = city or mana or party
    yield city is not None and city.capital, "DL-153", "A Capital is not attacked."
    yield place is not None and place.seat == seat, "DL-152", "It is one's own."
    member = state.members.get(MemberId(target))
    yield member is not None and member.kind == "unit", "DL-152", "A Party is attacked, by its Leader's name."
    attacker = state.members.get(leader)
    if attacker is not None and attacker.kind == "minor":
        yield not prints_action(state, leader, "attack_party"), "DL-052", "A Minor Leader does what its card prints."
        yield party is None, "DL-052", "That Minor Leader attacks Parties."
        yield True, "DL-Q23", "A Minor Leader's own attack does not reach a Minor Leader."


def _recruiting(state: DisciplesState, seat: Seat, choice: Choice, card: str) -> Reasons:
    index = cards_of(state)
    unit, minor = index.units.get(card), index.minors.get(card)
    races = {index.towns[city.card].race for city in state.cities.values() if city.seat == seat}
    if isinstance(choice, RecruitUnit):
        yield unit is None, "DL-138", "It is no Unit."
    elif isinstance(choice, RecruitMinor):
        yield minor is None, "DL-135", "It is no Minor Leader."
    else:
        yield True, "DL-132", "It is no City."
    found = unit or minor
    if found is None:
        return
    yield found.race not in races, "DL-056", f"No City or Capital of the {found.race} is controlled."
    cost = unit_price(state, seat, unit) if unit is not None else found.cost
    yield cost > purse(state, seat), "DL-Q05", f"It costs {cost} (C)."
    full = len(leaders(state, seat, "minor")) >= MOST_MINOR
    yield (
        full and minor is not None and same_name(state, seat, minor.name) is None,
        "DL-137",
        ("There are two Minor Leaders already, and none of that name."),
    )


def _shopping(state: DisciplesState, seat: Seat, items: tuple[str, ...]) -> Reasons:
    index = cards_of(state)
    yield not items, "DL-142", "At least one Item is bought."
    yield len(items) > MOST_ITEMS, "DL-143", f"At most {MOST_ITEMS} Items are bought at once."
    yield len(set(items)) < len(items), "DL-143", "The Items are different ones."
    hand = hand_of(state, seat)
    yield any(item not in hand for item in items), "DL-142", "That card is not in the hand."
    yield any(item not in index.items for item in items), "DL-142", "It is no Item."
    wares = [index.items[item] for item in items if item in index.items]
    races = {index.towns[city.card].race for city in state.cities.values() if city.seat == seat}
    yield any(item.race not in races for item in wares), "DL-147", "No City or Capital of its race is controlled."
    most = purse(state, seat) + FREE_SHOPPING + modifier(state, seat, "shop_bonus_c")
    cost = sum(item.cost for item in wares)
    yield cost > most, "DL-145", f"They cost {cost} (C), and {most} can be paid."


def _casting(state: DisciplesState, seat: Seat, choice: Cast, card: str) -> Reasons:
    index = cards_of(state)
    spell = index.spells.get(card)
    yield state.sides[seat].cast, "DL-077", "A player casts one Spell a turn."
    yield not _prints(state, MemberId(choice.leader), hooks.CastOperation), "DL-074", "Rod Planters cast Spells."
    yield card not in hand_of(state, seat), "DL-074", "That card is not in the hand."
    if spell is None:
        yield True, "DL-074", "It is no Spell."
        return
    races = {index.towns[city.card].race for city in state.cities.values() if city.seat == seat}
    yield spell.race not in races, "DL-081", f"No City or Capital of the {spell.race} is controlled."
    yield not is_paid(state, seat, spell), "DL-076", "The Mana that it shows is not there."
    summoned = isinstance(index.abilities[spell.id][0].op, hooks.Summon)
    yield summoned, "DL-079", "Its Leader is in play, or there are two Minor Leaders already."
    yield True, "DL-074", "It can do nothing to that target."


def _move(state: DisciplesState, decision: Decision, choice: Move) -> Reasons:
    member = state.members.get(MemberId(choice.member))
    if member is None:
        return
    moved = decision.moved if isinstance(decision, Arrangement) else state.battle.arranged if state.battle else ()
    yield member.seat != decision.by, "DL-090", "It is the opponent's member."
    yield member.id in moved, decision.rule, "It has been moved already."
    yield choice.slot not in (*FRONT, *BACK), "DL-087", "A formation has the slots 1 to 6."
    giant = is_giant(cards_of(state), member.card)
    yield giant and choice.slot in BACK, "DL-058", "A Giant is named by its front slot."


def _block(state: DisciplesState, decision: Decision, id_: MemberId) -> Reasons:
    if not isinstance(decision, BlockOffer):
        yield True, "DL-164", "An attack is blocked when it is declared, and only then."
        return
    member = state.members.get(id_)
    if member is None:
        return
    yield member.seat != decision.by, "DL-159", "It is the attacker's Leader."
    yield member.kind == "unit", "DL-Q20", "Leaders block, Units do not."
    yield member.id == decision.target, "DL-Q20", "The attacked Party does not block for itself."
    yield member.dead, "DL-Q20", "A dead Leader does not block."
    yield member.spent, "DL-Q20", "A spent Leader does not block."
    yield (
        member.kind == "minor" and id_ not in ready_leaders(state, decision.by).major,
        "DL-Q20",
        ("A Minor Leader blocks only where its card says so."),
    )


def _placing(state: DisciplesState, decision: Placement, slot: int) -> Reasons:
    giant = is_giant(cards_of(state), decision.card)
    yield slot not in (*FRONT, *BACK), "DL-087", "A formation has the slots 1 to 6."
    yield giant and slot in BACK, "DL-058", "A Giant is named by its front slot."
    yield giant, "DL-057", "A Giant needs both slots of a column."
    yield True, "DL-089", "Somebody stands there."


def _battle_member(state: DisciplesState, seat: Seat, id_: MemberId) -> Reasons:
    """DL-179: the members that act in a Battle."""
    member = state.members.get(id_)
    if member is None:
        return
    yield member.seat != seat, "DL-179", "It is the opponent's member."
    yield member.party != battle_of(state).party(seat), "DL-194", "Its Party takes no part in the Battle."
    yield member.dead, "DL-179", "A dead member does not act."
    yield member.tapped, "DL-002", "A tapped member does not act again in this Battle Round."


def _strike(state: DisciplesState, choice: Strike) -> Reasons:
    attacker, target = state.members.get(MemberId(choice.member)), state.members.get(MemberId(choice.target))
    if attacker is None or opposing(state, attacker.id) not in state.parties:
        return
    reach = style(state, attacker.id)
    if reach == "all":
        yield True, "DL-198", "It attacks everybody at once; no target is named."
    yield not choice.target, "DL-196", "A target is named."
    if target is None:
        return
    enemy = opposing(state, attacker.id)
    yield target.seat == attacker.seat, "DL-194", "It is one's own member."
    yield target.party != enemy, "DL-194", "Its Party takes no part in the Battle."
    yield target.dead, "DL-Q12", "A dead member is no target."
    yield from _far(state, attacker, target)


def _far(state: DisciplesState, attacker: Member, target: Member) -> Reasons:
    """DL-094 to DL-104: the members out of reach of an adj attack."""
    own, enemy = state.parties[attacker.party], state.parties[target.party]
    if attacker.id not in own.slots or target.id not in enemy.slots:
        return
    start, end = slot_of(own, attacker.id), slot_of(enemy, target.id)
    in_front = any(slot in FRONT for slot in living_slots(state, own))
    yield start in BACK and in_front, "DL-096", "From the back row it attacks only when nobody lives in the front row."
    theirs = living_slots(state, enemy)
    yield end in BACK and any(slot in FRONT for slot in theirs), "DL-097", "The front row shields the back row."
    yield is_far_corner(start, end, theirs), "DL-098", "The opposite corner is out of reach."


def _revival(state: DisciplesState, seat: Seat, member: Member | None) -> Reasons:
    if member is None:
        return
    yield member.seat != seat, "DL-109", "It is the opponent's member."
    yield not member.dead, "DL-109", "It lives."
    rule = "DL-110" if member.kind == "unit" else "DL-111"
    yield True, rule, f"That costs {revival_price(state, member)} (C), which are tapped for first."


def _healing(seat: Seat, member: Member | None) -> Reasons:
    if member is None:
        return
    yield member.seat != seat, "DL-116", "It is the opponent's member."
    yield member.dead, "DL-Q09", "A dead member is not healed."
    yield not member.damage, "DL-Q66", "It has no damage."
    yield True, "DL-117", "That costs 1 (C), which is tapped for first."


def _tapping(state: DisciplesState, seat: Seat, id_: PlaceId) -> Reasons:
    city = state.cities.get(id_)
    if city is None:
        return
    yield city.seat != seat, "DL-065", "It is the opponent's."
    yield city.tapped, "DL-002", "It is tapped."
    yield not cards_of(state).towns[city.card].yield_c, "DL-082", "It gives no (C)."
    yield True, "DL-082", "One of the same card is tapped first."
