"""The refs that a prompt of Disciples: Legacy lights up, the reason for the question, and the result of each option."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

from domain.commons.rows import foe
from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.cards import Body, Deck
from domain.disciples_legacy.cards.hooks import Ability
from domain.disciples_legacy.rules import (
    attacking,
    founding,
    healing,
    paying,
    planting,
    rearranging,
    recruiting,
    replacing,
    setup,
    shopping,
    spells,
    strategic,
    thieving,
    trading,
)
from domain.disciples_legacy.rules.battle import rounds, skills, steps, striking
from domain.disciples_legacy.rules.battle.adjacency import opposing
from domain.disciples_legacy.state.formation import FRONT, column, moves
from domain.disciples_legacy.state.queries import (
    cards_of,
    decks_of,
    hand_of,
    leadership,
    living,
    modifier,
    slot_of,
    unit_price,
    units_of,
    untapped_yield,
)
from domain.disciples_legacy.state.state import MemberId, PlaceId
from domain.disciples_legacy.state.stats import attack, hp, max_hp, style
from domain.kernel import Asked, Choice, Seat
from projections.games.disciples_legacy.hints import ALONE, out_of_reach_then, setting
from projections.games.disciples_legacy.options import option
from projections.games.disciples_legacy.texts import RACES, STYLES, WHOM, abilities_of, ability_words, figures
from projections.games.disciples_legacy.words import (
    View,
    card_name,
    member_name,
    question,
    slot_name,
    waiting,
)
from projections.prompt import Words
from projections.words import count, join

More = dict[str, Any]

QUIET: Final = {"tone": "quiet", "key": "0"}
FLIGHT: Final = "whoever retreats suffers two blows first"
"""DL-218: an attack may have no more effect than these."""


def slot_key(slot: int, *, far: bool) -> str:
    """The grid slot of a place in a formation; a far Party, seen from across the table, is turned round."""
    at, row = column(slot) - 1, int(slot > 3)
    return f"{2 - at},{1 - row}" if far else f"{at},{row}"


def slot_refs(view: View, party: str, slot: int) -> list[str]:
    """The refs to click for a slot of the viewer's Party: its member, else the slot; a lone card shows no slots."""
    found = view.parties[MemberId(party)]
    if found.slots[slot - 1]:
        return [found.slots[slot - 1]]
    return [] if is_alone(view, found.leader) else [f"p{party}#{slot_key(slot, far=False)}"]


def is_alone(view: View, leader: MemberId) -> bool:
    """Whether a Party is shown as one card: a Minor Leader's Party that does not fight."""
    battle = view.battle
    fights = battle is not None and leader in {battle.attacker, battle.defender}
    return view.members[leader].kind == "minor" and not fights


def hand_ref(view: View, seat: Seat, card: str) -> str:
    """A card of the viewer's own Reserves."""
    return f"h{hand_of(view, seat).index(card)}"


def after_damage(view: View, id_: str, amount: int) -> str:
    """The effect of this much damage on a member: "6 → 3", "ward 2, 7 → 6", "2 → dead"."""
    member = view.members[MemberId(id_)]
    absorbed = min(member.ward.points, amount) if member.ward is not None else 0
    now = hp(view, member.id)
    left = now - (amount - absorbed)
    return f"{f'ward {absorbed}, ' if absorbed else ''}{now} → {left if left > 0 else 'dead'}"


def after_healing(view: View, id_: str, amount: int) -> str:
    """The effect of healing on a member: "2 → 4"."""
    now = hp(view, MemberId(id_))
    return f"{now} → {min(max_hp(view, MemberId(id_)), now + amount)}"


def forecast(view: View, ability: Ability, target: str) -> str:
    """The effect of an ability on the HP of its one target."""
    if target not in view.members or ability.selector in {"own_party", "enemy_party"}:
        return ""
    match ability.op:
        case hooks.Damage(n):
            return after_damage(view, target, n)
        case hooks.HealOperation(n):
            return after_healing(view, target, n)
        case hooks.ReviveOperation(hp=left):
            return f"dead → {left}"
        case hooks.Atk(n):
            return f"Attack {attack(view, MemberId(target))} → {max(0, attack(view, MemberId(target)) + n)}"
        case hooks.Summon():
            return after_healing(view, target, 20)
    return ""


def _said(**words: Any) -> More:
    """The parts that are not empty."""
    return {key: value for key, value in words.items() if value}


def _deck(view: View, _: Seat, choice: setup.ChooseDeck) -> More:
    deck = decks_of(view)[choice.deck]
    leaders = join([card_name(view, party.leader) for party in deck.parties])
    end = {"end": "to begin with: most HP"} if choice.deck == _toughest(view) else {}
    return {"at": [f"x-{choice.deck}"], "sub": f"{RACES[deck.race]}: {leaders}; {army_figures(view, deck)}", **end}


def _bodies(view: View, deck: Deck) -> list[Body]:
    """The cards of everybody in an army."""
    return [cards_of(view).bodies[code] for party in deck.parties for code in (party.leader, *party.units.values())]


def _toughest(view: View) -> str:
    """The army that bears the most damage, and therefore forgives the most mistakes: for beginners."""
    decks = decks_of(view)
    return max(decks, key=lambda name: sum(body.hp for body in _bodies(view, decks[name])))


def rank(view: View, _: Asked, choice: Choice) -> int:
    """The best army for beginners comes first."""
    return 0 if not isinstance(choice, setup.ChooseDeck) or choice.deck == _toughest(view) else 1


def army_figures(view: View, deck: Deck) -> str:
    """An army's size, total strength and reach, by which armies can be compared."""
    bodies = _bodies(view, deck)
    reach = Counter(body.style for body in bodies)
    return (
        f"{len(bodies)} members, {sum(body.hp for body in bodies)} HP, Attack {sum(body.attack for body in bodies)}; "
        f"{reach['any']} can strike any enemy, {reach['all']} all enemies at once"
    )


def _found(view: View, seat: Seat, choice: founding.RecruitCity) -> More:
    city = cards_of(view).cities[choice.card]
    said = " ".join(abilities_of(cards_of(view), choice.card))
    gives = f"{city.yield_c} (C) {'a turn' if view.turn < view.options.turn_limit else 'this turn'}"
    sub = f"Free; gives {gives} while it is yours: an attack nobody blocks takes it. {said}".strip()
    at = [choice.leader, hand_ref(view, seat, choice.card)]
    return {"at": at, "sub": sub, "end": f"+{city.yield_c} (C)", "grp": "Found a City"}


def _recruit_minor(view: View, seat: Seat, choice: recruiting.RecruitMinor) -> More:
    card = cards_of(view).minors[choice.card]
    former = recruiting.same_name(view, seat, card.name)
    instead = f"; {member_name(view, former)} is discarded for it" if former else ""
    does = " ".join((f"Alone in its Party{instead}.", *abilities_of(cards_of(view), card.id)))
    sub = f"Costs {card.cost} (C). {figures(cards_of(view), card.id)}. {does}"
    at = [choice.leader, hand_ref(view, seat, choice.card)]
    return {"at": at, "sub": sub, "end": f"{card.cost} (C)", "grp": "Recruit"}


def _recruit_unit(view: View, seat: Seat, choice: recruiting.RecruitUnit) -> More:
    card, leader = cards_of(view).units[choice.card], MemberId(choice.leader)
    has, most = len(units_of(view, leader)), leadership(view, leader)
    full = has >= most
    room = f"; the Party has {has} of {most} Units: one must go" if full else f"; Unit {has + 1} of {most}"
    price = unit_price(view, seat, card)
    less = f", {card.cost - price} less for the first Unit of a turn" if price < card.cost else ""
    sub = f"Costs {price} (C){less}. {figures(cards_of(view), card.id)}{room}"
    at = [choice.leader, hand_ref(view, seat, choice.card)]
    warned = {"tone": "danger", "confirm": "Recruit"} if full else {}
    return {"at": at, "sub": sub, "end": f"{price} (C)", "grp": "Recruit", **warned}


def _shop(view: View, seat: Seat, choice: shopping.Shop) -> More:
    whole = shopping.price(view, choice.items)
    free = min(whole, shopping.free_resources(view, seat))
    at = [choice.leader, *(hand_ref(view, seat, item) for item in choice.items)]
    does = [_item_does(view, card) for card in choice.items]
    named = (
        does
        if len(does) == 1
        else [f"{card_name(view, i)}: {told}" for i, told in zip(choice.items, does, strict=True)]
    )
    sub = " ".join((f"Costs {whole} (C): {free} given, {whole - free} to pay.", *named))
    return {"at": at, "sub": sub, "end": f"{whole} (C)", "grp": "Buy Items"}


def _item_does(view: View, card: str) -> str:
    """The effect of an Item on its bearer, and whether the Item is used up."""
    index = cards_of(view)
    return " ".join((*abilities_of(index, card), *(["Discarded after use."] if index.items[card].consumable else [])))


def _give_item(view: View, _: Seat, choice: trading.GiveItem) -> More:
    return {"at": [choice.leader], "sub": _item_does(view, choice.item)}


def _trade(view: View, _: Seat, choice: trading.Trade) -> More:
    del view
    sub = "Units and Items go from Party to Party as you like; only the first Leader is spent"
    return {"at": [choice.leader, choice.partner], "sub": sub, "grp": "Trade"}


def _assault(view: View, seat: Seat, choice: attacking.Assault) -> More:
    blockers = attacking.blockers(view, foe(seat), choice.target)
    may, end = _may_block(view, blockers), "" if blockers else "nobody can block"
    if choice.target in view.parties:
        there = living(view, MemberId(choice.target))
        end = join([f"{_hp_of(view, there)} HP", *([end] if end else [])])
        who = f"A Battle against {len(there)} with {_hp_of(view, there)} HP in all; {may}; {FLIGHT}"
    else:
        who = f"It is yours at once if nobody blocks; {may}"
        guard = view.cities.get(PlaceId(choice.target))
        damage = cards_of(view).modifier(guard.card, "garrison") if guard else 0
        who += f"; its garrison deals {damage} damage" if damage else ""
    return {"at": [choice.leader, choice.target], "sub": who, "grp": "Attack", **_said(end=end)}


def _may_block(view: View, leaders: tuple[MemberId, ...]) -> str:
    """DL-159, DL-160: the possible blockers and their HP; DL-189: when the attack continues."""
    if not leaders:
        return "nobody can block"
    most = max(_hp_of(view, living(view, leader)) for leader in leaders)
    who = f"{count(len(leaders), 'enemy Leader')} may block, with {'up to ' if len(leaders) > 1 else ''}{most} HP"
    return f"{who}: you then fight the blocker's Party first, and go on only if it flees or is wiped out"


def _hp_of(view: View, members: Iterable[MemberId]) -> int:
    return sum(hp(view, member) for member in members)


def _replace(view: View, seat: Seat, choice: replacing.ReplaceLeader) -> More:
    card = cards_of(view).majors[choice.card]
    sub = f"Costs {card.cost} (C); comes back alone and spent. {figures(cards_of(view), card.id)}"
    at, end = [choice.leader, f"disc{seat}"], f"{card.cost} (C)"
    return {"at": at, "sub": sub, "grp": "Bring back a fallen Leader", "end": end}


def _plant(view: View, seat: Seat, choice: planting.Plant) -> More:
    sub = "It stays in play for Spells and is not used up; it can be captured"
    return {"at": [choice.leader, hand_ref(view, seat, choice.card)], "sub": sub, "grp": "Plant Mana"}


def _cast(view: View, seat: Seat, choice: spells.Cast) -> More:
    (ability,) = cards_of(view).abilities[choice.spell]
    at = [choice.leader, hand_ref(view, seat, choice.spell), *([choice.target] if choice.target else [])]
    sub = f"{ability_words(ability, cards_of(view))} One Spell a turn"
    return {"at": at, "grp": "Cast a Spell", "sub": sub, **_said(end=forecast(view, ability, choice.target))}


def _ability(view: View, _: Seat, choice: thieving.UseAbility) -> More:
    ability = cards_of(view).abilities[view.members[MemberId(choice.leader)].card][choice.ability]
    at = [ref for ref in (choice.leader, choice.target.partition("/")[0], choice.receiver) if ref]
    return {"at": at, "grp": "Use an ability", **_said(end=forecast(view, ability, choice.target))}


def _rearrange(view: View, _: Seat, choice: strategic.Rearrange) -> More:
    del view
    return {"at": [choice.party], "grp": "Formation", "sub": "Free, and no action", "tone": "quiet"}


def _fighter(view: View, id_: str) -> str:
    """The fighter who acts in a Battle, as a heading."""
    member = MemberId(id_)
    return f"{member_name(view, id_)}: Attack {attack(view, member)}, {STYLES[style(view, member)]}"


def _strike(view: View, _: Seat, choice: striking.Strike) -> More:
    member = MemberId(choice.member)
    amount, grp = attack(view, member), _fighter(view, choice.member)
    hits = " ".join(ability_words(ability, cards_of(view)) for ability in striking.on_hit(view, member))
    if choice.target:
        end = after_damage(view, choice.target, amount)
        sub = " ".join(said for said in (hits, *_if_it_dies(view, MemberId(choice.target), amount)) if said)
        return {"at": [choice.member, choice.target], "grp": grp, "end": end, **_said(sub=sub)}
    struck = living(view, opposing(view, member))
    told = [f"{member_name(view, id_)} {after_damage(view, id_, amount)}" for id_ in struck]
    return {"at": [choice.member], "grp": grp, "sub": "; ".join([*told, *([hits] if hits else [])])}


def _if_it_dies(view: View, target: MemberId, amount: int) -> list[str]:
    """DL-096, DL-102: after a death the row behind may strike; DL-109: the dead come back while their Party lives."""
    member, battle = view.members[target], view.battle
    others = [other for other in living(view, member.party) if other != target]
    ward = member.ward.points if member.ward is not None else 0
    if battle is None or not others or amount - ward < hp(view, target):
        return []
    slots = [slot_of(view.parties[member.party], other) for other in (target, *others)]
    said = []
    if slots[0] in FRONT and not any(slot in FRONT for slot in slots[1:]) and not battle.free:
        said.append("The front row is then empty: those behind it can strike and be struck.")
    if view.turn < view.options.turn_limit:
        price = healing.LEADER_REVIVAL if member.kind != "unit" else healing.UNIT_REVIVAL
        said.append(f"While its Party lives it may be revived next turn, for {price} (C).")
    return said


def _skill(view: View, _: Seat, choice: skills.UseSkill) -> More:
    ability = cards_of(view).abilities[view.members[MemberId(choice.member)].card][choice.ability]
    at = [choice.member, *([choice.target] if choice.target else [])]
    whom = WHOM["enemies"] if ability.selector == "enemies" else ""
    words = _said(end=forecast(view, ability, choice.target) or whom)
    sub = f"{ability_words(ability, cards_of(view))} {_taps(view, choice.member)}"
    return {"at": at, "grp": _fighter(view, choice.member), "sub": sub, **words}


def _item(view: View, _: Seat, choice: skills.UseItem) -> More:
    (ability,) = cards_of(view).abilities[choice.item]
    at = [choice.leader, *([choice.target] if choice.target else [])]
    words = _said(end=forecast(view, ability, choice.target))
    sub = f"{_item_does(view, choice.item)} {_taps(view, choice.leader)}"
    return {"at": at, "grp": _fighter(view, choice.leader), "sub": sub, **words}


def _taps(view: View, id_: str) -> str:
    """DL-003, DL-043: the cost of an ability or an Item in a Battle; DL-195: a strike costs the same."""
    return f"It taps {member_name(view, id_)}, as a strike does."


def _revive(view: View, _: Seat, choice: healing.Revive) -> More:
    price = healing.revival_price(view, view.members[MemberId(choice.member)])
    paid = f"{price} (C)" if price else "free"
    return {
        "at": [choice.member],
        "sub": f"Costs {price} (C)" if price else "Free this once",
        "end": f"{paid}, dead → 1",
    }


def _heal(view: View, seat: Seat, choice: healing.Heal) -> More:
    healed = after_healing(view, choice.member, _healed(view, seat))
    return {"at": [choice.member], "sub": "Costs 1 (C)", "end": f"1 (C), {healed}"}


def _healed(view: View, seat: Seat) -> int:
    """The HP that 1 (C) heals."""
    return healing.HP_PER_C + modifier(view, seat, "heal3_amount")


def _tap(view: View, asked: Asked, choice: paying.TapCity) -> More:
    gives = cards_of(view).towns[view.cities[PlaceId(choice.city)].card].yield_c
    then = view.sides[asked.seat].credit + gives
    heals = _healed(view, asked.seat)
    costs = f"a Unit costs {healing.UNIT_REVIVAL}, a Leader {healing.LEADER_REVIVAL}"
    once = "it pays for no recruits and Items this turn"
    what = {
        "Revival": f"You then have {then} (C): {costs}, each left can heal {heals} HP next; {once}",
        "HealingPurchase": f"You then have {then} (C): each heals {heals} HP; {once}",
    }
    return {"at": [choice.city], "sub": what.get(asked.kind, f"You then have {then} (C)"), "end": f"+{gives} (C)"}


def _placed(view: View, asked: Asked, choice: recruiting.PlaceUnit) -> More:
    return {"at": slot_refs(view, str(asked.terms["leader"]), choice.slot)}


def _move(view: View, asked: Asked, choice: rearranging.Move) -> More:
    party = view.members[MemberId(choice.member)].party
    there = view.parties[party].slots[choice.slot - 1]
    said = [f"{member_name(view, there)} changes places"] if there else []
    if asked.kind == "BattleFormation":
        found = moves(cards_of(view), view, view.parties[party], MemberId(choice.member))
        slots = next(slots for slot, slots in found if slot == choice.slot)
        idle = [member_name(view, member) for member in out_of_reach_then(view, asked.seat, slots)]
        said += [f"behind the front row {join(idle)} could then strike nobody"] if idle else []
    sub = "; ".join(said)
    return {"at": [choice.member, *slot_refs(view, party, choice.slot)], "grp": "Move", **_said(sub=sub)}


def _block(view: View, _: Seat, choice: attacking.Block) -> More:
    """DL-161; DL-189: when the attack continues in spite of the block."""
    there = living(view, MemberId(choice.leader))
    who = f"{len(there)} with {_hp_of(view, there)} HP fight first"
    sub = f"{who}, and only if they flee or are wiped out the attack goes on; the Leader is spent for this turn"
    return {"at": [choice.leader], "sub": sub, "end": f"{_hp_of(view, there)} HP"}


def _discard(view: View, _: Seat, choice: recruiting.DiscardUnits) -> More:
    units = [MemberId(id_) for id_ in choice.units]
    told = [f"{hp(view, unit)} of {max_hp(view, unit)} HP" for unit in units]
    end = "" if any(hp(view, unit) for unit in units) else "dead"
    return {"at": list(choice.units), "sub": join(told), "tone": "danger", **_said(end=end)}


def _decline(view: View, seat: Seat, _: attacking.DeclineBlock) -> More:
    del seat
    attack_ = view.attack
    place = attack_ is not None and attack_.target not in view.parties
    return {**QUIET, "sub": "It is lost at once" if place else "The attacked Party fights"}


def _revived(view: View, seat: Seat, _: healing.ConfirmRevives) -> More:
    """DL-084: (C) of this step stay for Step 3, after which they are lost."""
    sub, credit = "The dead stay in their Party", view.sides[seat].credit
    if view.turn < view.options.turn_limit:
        sub += " and may be revived next turn"
    if credit:
        hurt = any(member.damage > healing.FREE_HP for member in healing.wounded(view, seat))
        sub += f"; your {credit} (C) {'stay for healing' if hurt else 'find nobody to heal'}"
    return {**QUIET, "sub": sub}


def _confirmed_heals(view: View, seat: Seat, _: healing.ConfirmHeals) -> More:
    credit = view.sides[seat].credit
    lost = [f"your {credit} (C) {'is' if credit == 1 else 'are'} lost"] if credit else []
    kept = ["untapped Cities stay untapped"] if untapped_yield(view, seat) else []
    sub = ", ".join((*lost, *kept))
    return {**QUIET, **_said(sub=sub[:1].upper() + sub[1:])}


def _retreat(view: View, seat: Seat, _: steps.Retreat) -> More:
    """DL-218, DL-221; DL-Q30: no end of the Battle spends a Leader who was attacked and has not acted."""
    sub, battle = "The enemy has two Battle Actions first; whoever lives then escapes", view.battle
    leader = view.members[battle.party(seat)] if battle is not None else None
    if leader is not None and not leader.dead and not leader.spent:
        sub += f"; {member_name(view, leader.id)} is not spent for it"
    return {"sub": sub, "tone": "danger", "confirm": "Retreat"}


def _finish(view: View, seat: Seat, _: strategic.Finish) -> More:
    """DL-Q17: the turn ends, because the enemy has no action left; DL-Q60: the last turn ends the match."""
    del seat
    last = view.turn >= view.options.turn_limit
    what = "do nothing more, and the match ends" if last else "stay unspent and do nothing"
    return {"sub": f"Your unspent Leaders {what}", "confirm": "Finish"}


MORE: Final[dict[type[Choice], Callable[[View, Seat, Any], More]]] = {
    setup.ChooseDeck: _deck,
    founding.RecruitCity: _found,
    recruiting.RecruitMinor: _recruit_minor,
    recruiting.RecruitUnit: _recruit_unit,
    recruiting.DiscardUnits: _discard,
    shopping.Shop: _shop,
    trading.Trade: _trade,
    trading.GiveUnit: lambda _, __, choice: {"at": [choice.unit]},
    trading.GiveItem: _give_item,
    attacking.Assault: _assault,
    attacking.Block: _block,
    attacking.DeclineBlock: _decline,
    steps.Retreat: _retreat,
    replacing.ReplaceLeader: _replace,
    planting.Plant: _plant,
    spells.Cast: _cast,
    thieving.UseAbility: _ability,
    strategic.Rearrange: _rearrange,
    strategic.Finish: _finish,
    striking.Strike: _strike,
    skills.UseSkill: _skill,
    skills.UseItem: _item,
    healing.Revive: _revive,
    healing.Heal: _heal,
    healing.ConfirmRevives: _revived,
    healing.ConfirmHeals: _confirmed_heals,
}
PASSED: Final = "Once a Battle Round, not right after a pass; then you must act while the enemy still can"
"""DL-179, DL-180, DL-181, DL-Q17."""
FIXED: Final[dict[type[Choice], More]] = {
    setup.DeployAsListed: {"sub": "As you see them on the table"},
    strategic.Pass: {**QUIET, "sub": "Once a turn, and not right after a pass"},
    trading.SettleTrade: {"sub": "Everything named so far goes over at once", "key": "0"},
    rearranging.Keep: {"key": "0"},
    attacking.Cancel: {**QUIET, "sub": "The attack ends here"},
    steps.Stand: {"sub": "The Battle Round is fought", "key": "1"},
    rounds.PassRound: {**QUIET, "sub": PASSED},
    # a pass beside it has the key 0
    rounds.FinishRound: {"tone": "quiet", "sub": "Untapped members do nothing more"},
}
"""Choices that touch nothing on the table."""


def more(view: View, asked: Asked, choice: Choice) -> More:
    """The refs that an option touches, and its result."""
    kind = type(choice)
    if kind in FIXED:
        return FIXED[kind]
    match choice:
        case recruiting.PlaceUnit():
            return _placed(view, asked, choice)
        case paying.TapCity():
            return _tap(view, asked, choice)
        case rearranging.Move():
            return _move(view, asked, choice)
        case attacking.Engage() if view.attack is not None:
            return {"at": [view.attack.target], "sub": "A new Battle"}
    return MORE[kind](view, asked.seat, choice) if kind in MORE else {}


def item(view: View, asked: Asked, name: str) -> More:
    """The option that is answered with a file, or a member or slot of a deployment."""
    if name == setup.BringDeck.__name__:
        return {"label": "An army of your own", "sub": "a JSON file; herald army check says what is wrong with one"}
    if name != setup.Deploy.__name__:
        return _deployed(view, asked, name)
    return {"label": "In another order", "sub": "Put everybody on the board as you like"}


def _deployed(view: View, asked: Asked, name: str) -> More:
    """A member of the army before it is deployed, `PARTY.NUMBER`, or a slot of a Party, `slot PARTY.SLOT`."""
    deck = view.sides[asked.seat].deck
    assert isinstance(deck, Deck), "only who knows the deck arranges it"
    number, at = map(int, name.removeprefix("slot ").split("."))
    party = deck.parties[number]
    if name.startswith("slot "):
        leader = f"{card_name(view, party.leader)}'s Party"
        return {"label": f"{leader}, {slot_name(at)}", "at": f"q{number}#{slot_key(at, far=False)}"}
    return {"label": card_name(view, party.places[at][1]), "at": f"q{number}x{at}"}


WORDS: Final = Words(question, option, waiting, more=more, item=item, setting=setting, rank=rank, alone=ALONE)
