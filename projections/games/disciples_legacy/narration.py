"""One sentence per event of Disciples: Legacy, for one viewer."""

from typing import Final

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.queries import cards_of, decks_of
from domain.disciples_legacy.state.state import MemberId
from domain.disciples_legacy.state.stats import hp, max_hp
from domain.kernel import DiceRolled, Event, Hidden, Shuffled
from projections.blocks.narration import Telling, narrator, silent
from projections.games.disciples_legacy.texts import RACES, deed
from projections.games.disciples_legacy.words import (
    PHASES,
    View,
    card_name,
    cards_named,
    member_name,
    members_named,
    party_name,
    place_name,
    target_name,
)
from projections.words import count, join, player, signed

OF_AN_ACT: Final = frozenset({"DL-003", "DL-043", "DL-184", "DL-195"})
"""Tapping and untapping that belong to an attack, an ability or the end of a Battle Round."""
PAID_FOR: Final = {
    "DL-110": "reviving a Unit",
    "DL-111": "reviving a Leader",
    "DL-116": "healing",
    "DL-135": "a Minor Leader",
    "DL-138": "a Unit",
    "DL-142": "Items",
    "DL-166": "a fallen Leader",
}
HURT_BY: Final = {"DL-Q51": "The garrison strikes: "}


def deck_chosen(_: View, view: View, event: e.DeckChosen) -> str:
    deck = "" if isinstance(event.deck, Hidden) else f": {event.deck.name}"
    return f"{player(view, event.seat)} has chosen an army{deck}."


def army_deployed(_: View, view: View, event: e.ArmyDeployed) -> str:
    leaders = [card_name(view, member.card) for member in event.members if member.kind == "major"]
    return (
        f"{player(view, event.seat)} leads the {RACES[event.race]} from {card_name(view, event.capital.card)}: "
        f"{count(len(event.members), 'member')} under {join(leaders)}."
    )


def reserves_drawn(_: View, view: View, event: e.ReservesDrawn) -> str:
    mine = "" if isinstance(event.cards, Hidden) else f": {cards_named(view, event.cards)}"
    return f"{player(view, event.seat)} holds {count(event.count, 'card')} of Reserves{mine}."


def reserves_shown(_: View, view: View, event: e.ReservesShown) -> str:
    deck = decks_of(view).get(event.deck)
    name = f" of {deck.name}" if deck else ""
    held = cards_named(view, event.cards) or "none"
    return f"{player(view, event.seat)}'s Reserves{name} were: {held}."


def turn_began(_: View, view: View, event: e.TurnBegan) -> str:
    return f"Turn {event.turn}, {player(view, event.seat)} first."


def phase_began(_: View, __: View, event: e.PhaseBegan) -> str:
    if event.phase in {"untap", "end", "setup"} or event.step > 1:
        return ""
    return f"{PHASES[event.phase]}."


def cities_untapped(_: View, __: View, event: e.CitiesUntapped) -> str:
    return f"{count(len(event.cities), 'City untaps', 'Cities untap')}."


def leaders_unspent(_: View, view: View, event: e.LeadersUnspent) -> str:
    if event.rule == "DL-107":
        return "All Leaders may act again."
    return f"{members_named(view, event.leaders)} may act again."


def city_tapped(_: View, view: View, event: e.CityTapped) -> str:
    name = place_name(view, event.city)
    if not event.gives:
        return f"{name} is tapped and gives nothing."
    return f"{player(view, event.seat)} taps {name} for {event.gives} (C)."


def credit_given(_: View, view: View, event: e.CreditGiven) -> str:
    what = "Items" if event.rule == "DL-144" else "healing"
    return f"{player(view, event.seat)} is given {event.amount} (C) for {what}."


def cost_paid(_: View, view: View, event: e.CostPaid) -> str:
    what = PAID_FOR.get(event.rule, "it")
    return f"{player(view, event.seat)} pays {event.amount} (C) for {what}."


def surplus_lost(_: View, view: View, event: e.SurplusLost) -> str:
    verb = "is" if event.amount == 1 else "are"
    return f"{event.amount} (C) that {player(view, event.seat)} has not spent {verb} lost."


def member_revived(_: View, view: View, event: e.MemberRevived) -> str:
    free = ", for nothing" if event.free else ""
    return f"{member_name(view, event.member)} lives again with {hp(view, event.member)} HP{free}."


def members_healed(_: View, view: View, event: e.MembersHealed) -> str:
    told = [f"{member_name(view, each.member)} {each.amount}" for each in event.healed]
    return f"Healed: {join(told)}."


def healing_confirmed(_: View, view: View, event: e.HealingConfirmed) -> str:
    return f"{player(view, event.seat)} is done with this step of the Healing Phase."


def leader_spent(_: View, view: View, event: e.LeaderSpent) -> str:
    if not event.reaction or event.rule == "DL-161":
        return ""
    return f"{member_name(view, event.leader)} is spent and cannot act this turn."


def cards_named_(_: View, view: View, event: e.CardsNamed) -> str:
    return f"{member_name(view, event.leader)} calls for {cards_named(view, event.cards)}."


def passed(_: View, view: View, event: e.Passed) -> str:
    return f"{player(view, event.seat)} passes."


def player_skipped(_: View, view: View, event: e.PlayerSkipped) -> str:
    lacks = f", so the Reserves hold no {join([card_name(view, c) for c in event.lacks], 'or')}" if event.lacks else ""
    return f"{player(view, event.seat)} has no action and is skipped{lacks}."


def phase_finished(_: View, view: View, event: e.PhaseFinished) -> str:
    return f"{player(view, event.seat)} takes no further action this turn."


def city_recruited(_: View, view: View, event: e.CityRecruited) -> str:
    gives = cards_of(view).towns[event.city.card].yield_c
    return f"{member_name(view, event.leader)} founds {place_name(view, event.city.id)}, which gives {gives} (C)."


def leader_arrived(_: View, view: View, event: e.LeaderArrived) -> str:
    name, who = member_name(view, event.member.id), player(view, event.member.seat)
    told = {
        "hand": f"{name} enters the service of {who}",
        "discard": f"{name} comes back to {who}, spent for this turn",
        "summon": f"{name} is summoned by {who}",
    }
    return f"{told[event.origin]}: {max_hp(view, event.member.id)} HP."


def leader_dismissed(before: View, _: View, event: e.LeaderDismissed) -> str:
    return f"{member_name(before, event.leader)} is discarded for the new one."


def unit_recruited(_: View, view: View, event: e.UnitRecruited) -> str:
    return f"{member_name(view, event.member.id)} joins {party_name(view, event.party.leader)}."


def units_discarded(before: View, _: View, event: e.UnitsDiscarded) -> str:
    verb = "leaves" if len(event.units) == 1 else "leave"
    return f"{members_named(before, event.units)} {verb} {party_name(before, event.party.leader)}."


def items_bought(_: View, view: View, event: e.ItemsBought) -> str:
    return f"{member_name(view, event.leader)} buys {cards_named(view, event.items)}."


def item_moved(before: View, _: View, event: e.ItemMoved) -> str:
    item, giver = card_name(before, event.item), member_name(before, event.giver)
    verb = "captures" if event.rule == "DL-213" else "gets"
    return f"{member_name(before, event.receiver)} {verb} {item} of {giver}."


def items_discarded(before: View, _: View, event: e.ItemsDiscarded) -> str:
    why = {"DL-071": ", being a second one", "DL-Q38": " after use"}.get(event.rule, "")
    verb = "is" if len(event.items) == 1 else "are"
    return f"{cards_named(before, event.items)} of {member_name(before, event.leader)} {verb} discarded{why}."


def parties_traded(before: View, view: View, event: e.PartiesTraded) -> str:
    told = []
    for party, items in zip(event.parties, event.items, strict=True):
        was = before.parties[party.leader]
        came = [member_name(view, id_) for id_ in dict.fromkeys(party.slots) if id_ and id_ not in was.slots]
        had = before.members[party.leader].items
        came += [card_name(view, item) for item in items if item not in had]
        if came:
            told.append(f"{party_name(view, party.leader)} gets {join(came)}")
    return f"Traded: {'; '.join(told) or 'nothing'}."


def party_rearranged(_: View, view: View, event: e.PartyRearranged) -> str:
    return f"{member_name(view, event.moved)} changes place in {party_name(view, event.party)}."


def attack_declared(_: View, view: View, event: e.AttackDeclared) -> str:
    target = target_name(view, event.target, as_party=True)
    return f"{party_name(view, event.leader)} attacks {target}."


def attack_blocked(_: View, view: View, event: e.AttackBlocked) -> str:
    return f"{party_name(view, event.leader)} blocks the attack."


def block_declined(_: View, view: View, event: e.BlockDeclined) -> str:
    return f"{player(view, event.seat)} does not block."


def attack_engaged(_: View, view: View, event: e.AttackEngaged) -> str:
    return f"{player(view, event.seat)} attacks on."


def place_captured(_: View, view: View, event: e.PlaceCaptured) -> str:
    return f"{place_name(view, event.place)} is now {player(view, event.seat)}'s."


def attack_ended(before: View, _: View, event: e.AttackEnded) -> str:
    if event.reached or before.attack is None:
        return ""
    return "The attack has failed."


def mana_planted(_: View, view: View, event: e.ManaPlanted) -> str:
    return f"{member_name(view, event.leader)} plants {place_name(view, event.mana.id)}."


def spell_cast(_: View, view: View, event: e.SpellCast) -> str:
    (ability,) = cards_of(view).abilities[event.spell]
    as_party = ability.selector in {"own_party", "enemy_party"}
    whom = f" on {target_name(view, event.target, as_party=as_party)}" if event.target else ""
    spell = f"{card_name(view, event.spell)}{whom}: {deed(ability, cards_of(view))}"
    return f"{member_name(view, event.leader)} casts {spell}."


def ability_used(before: View, _: View, event: e.AbilityUsed) -> str:
    said = deed(hooks.parse(event.ability), cards_of(before))
    whom = f", {target_name(before, event.target)}" if event.target else ""
    if event.item:
        return f"{member_name(before, event.member)} uses {card_name(before, event.item)}: {said}{whom}."
    return f"{member_name(before, event.member)} uses an ability: {said}{whom}."


def hand_peeked(_: View, view: View, event: e.HandPeeked) -> str:
    cards = "" if isinstance(event.cards, Hidden) else f": {cards_named(view, event.cards)}"
    other = player(view, 1 - event.seat)
    return f"{player(view, event.seat)} sees {count(event.count, 'card')} of {other}'s Reserves{cards}."


def effect_laid(_: View, view: View, event: e.EffectLaid) -> str:
    stat = "Attack" if event.effect.stat == "atk" else "Max HP"
    return f"{members_named(view, event.members)}: {stat} {signed(event.effect.amount)} {_until(event.effect.until)}."


def _until(until: str) -> str:
    return {"round": "for this Battle Round", "battle": "for this Battle", "turn": "for this turn"}[until]


def warded(_: View, view: View, event: e.Warded) -> str:
    points = count(event.ward.points, "point")
    return f"{members_named(view, event.members)}: a ward absorbs {points} of damage {_until(event.ward.until)}."


def poisoned(_: View, view: View, event: e.Poisoned) -> str:
    poison = event.poison
    rounds = count(poison.left, "Battle Round")
    return f"{members_named(view, event.members)}: poisoned, {poison.amount} damage at the end of each of {rounds}."


def poison_faded(_: View, view: View, event: e.PoisonFaded) -> str:
    return f"That was the poison of {members_named(view, event.members)}."


def members_tapped(_: View, view: View, event: e.MembersTapped) -> str:
    if event.rule in OF_AN_ACT:
        return ""
    return f"Tapped: {members_named(view, event.members)}."


def members_untapped(_: View, view: View, event: e.MembersUntapped) -> str:
    if event.rule in OF_AN_ACT:
        return ""
    return f"Untapped: {members_named(view, event.members)}."


def members_damaged(before: View, view: View, event: e.MembersDamaged) -> str:
    told = []
    for each in event.hurt:
        ward = f", {each.absorbed} absorbed" if each.absorbed else ""
        left = max_hp(before, each.member) - view.members[each.member].damage
        told.append(f"{member_name(view, each.member)} takes {each.damage}{ward}, {left} HP left")
    return f"{HURT_BY.get(event.rule, '')}{'; '.join(told)}."


def members_died(before: View, _: View, event: e.MembersDied) -> str:
    dead = tuple(each.member for each in event.dead)
    return f"{members_named(before, dead)} {'is' if len(dead) == 1 else 'are'} dead."


def party_wiped_out(before: View, view: View, event: e.PartyWipedOut) -> str:
    """DL-165: any Major Leader left can bring back one who fell; in the last turn, only one who is not spent can."""
    gone = f"{party_name(before, event.party)} is wiped out; all its cards are discarded"
    leader = before.members[event.party]
    fallen = cards_of(before).majors.get(leader.card)
    majors = [m for m in view.members.values() if m.kind == "major" and m.seat == leader.seat and not m.dead]
    if view.turn >= view.options.turn_limit:
        majors = [m for m in majors if not m.spent]
    if fallen is None or not majors:
        return f"{gone}."
    return f"{gone}, and another Major Leader can bring {fallen.name} back for {fallen.cost} (C)."


def battle_began(before: View, _: View, event: e.BattleBegan) -> str:
    return f"Battle: {party_name(before, event.attacker)} against {party_name(before, event.defender)}."


def battle_round_began(_: View, view: View, event: e.BattleRoundBegan) -> str:
    return f"Battle Round {event.round} begins; {player(view, event.first)} acts first."


def retreated(_: View, view: View, event: e.Retreated) -> str:
    other = player(view, 1 - event.seat)
    return f"{player(view, event.seat)} retreats; {other} has {count(event.free, 'Battle Action')} first."


def struck(before: View, _: View, event: e.Struck) -> str:
    targets = members_named(before, event.targets)
    return f"{member_name(before, event.member)} strikes {targets} with Attack {event.attack}."


def battle_passed(_: View, view: View, event: e.BattlePassed) -> str:
    return f"{player(view, event.seat)} passes."


def battle_skipped(_: View, view: View, event: e.BattleSkipped) -> str:
    return f"{player(view, event.seat)} has nobody who can act."


def round_finished(_: View, view: View, event: e.RoundFinished) -> str:
    return f"{player(view, event.seat)} takes no further Battle Action."


def battle_ended(before: View, view: View, event: e.BattleEnded) -> str:
    if event.escaped and MemberId(event.escaped) in view.parties:
        return f"{party_name(before, event.escaped)} escapes; the Battle is over."
    return "The Battle is over."


SENTENCES: Final[dict[type[Event], Telling]] = {
    e.DeckChosen: deck_chosen,
    e.ArmyDeployed: army_deployed,
    e.ReservesDrawn: reserves_drawn,
    e.ReservesShown: reserves_shown,
    e.TurnBegan: turn_began,
    e.PhaseBegan: phase_began,
    e.CitiesUntapped: cities_untapped,
    e.LeadersUnspent: leaders_unspent,
    e.CityTapped: city_tapped,
    e.CreditGiven: credit_given,
    e.CostPaid: cost_paid,
    e.SurplusLost: surplus_lost,
    e.MemberRevived: member_revived,
    e.MembersHealed: members_healed,
    e.HealingConfirmed: healing_confirmed,
    e.LeaderSpent: leader_spent,
    e.CardsNamed: cards_named_,
    e.Passed: passed,
    e.PlayerSkipped: player_skipped,
    e.PhaseFinished: phase_finished,
    e.CityRecruited: city_recruited,
    e.LeaderArrived: leader_arrived,
    e.LeaderDismissed: leader_dismissed,
    e.UnitRecruited: unit_recruited,
    e.UnitsDiscarded: units_discarded,
    e.ItemsBought: items_bought,
    e.ItemMoved: item_moved,
    e.ItemsDiscarded: items_discarded,
    e.PartiesTraded: parties_traded,
    e.PartyRearranged: party_rearranged,
    e.AttackDeclared: attack_declared,
    e.AttackBlocked: attack_blocked,
    e.BlockDeclined: block_declined,
    e.AttackEngaged: attack_engaged,
    e.PlaceCaptured: place_captured,
    e.AttackEnded: attack_ended,
    e.ManaPlanted: mana_planted,
    e.SpellCast: spell_cast,
    e.AbilityUsed: ability_used,
    e.HandPeeked: hand_peeked,
    e.EffectLaid: effect_laid,
    e.Warded: warded,
    e.Poisoned: poisoned,
    e.PoisonFaded: poison_faded,
    e.MembersTapped: members_tapped,
    e.MembersUntapped: members_untapped,
    e.MembersDamaged: members_damaged,
    e.MembersDied: members_died,
    e.PartyWipedOut: party_wiped_out,
    e.BattleBegan: battle_began,
    e.BattleRoundBegan: battle_round_began,
    e.Retreated: retreated,
    e.Struck: struck,
    e.BattlePassed: battle_passed,
    e.BattleSkipped: battle_skipped,
    e.RoundFinished: round_finished,
    e.BattleEnded: battle_ended,
    **dict.fromkeys(
        (
            e.PlayerToAct,  # comes before every question; a skip has its own event
            e.BattlePlayerToAct,
            e.FormationKept,  # ends every formation step
            e.HealingReopened,
            e.EffectsEnded,  # the end was told when they were laid
        ),
        silent,
    ),
}


def own(_: View, event: Event) -> str | None:
    """The first turn's roll in the words of this game; the shuffle of a peek is told by the cards seen."""
    if isinstance(event, DiceRolled) and event.rule == "DL-Q04":
        return f"A die decides who has the first turn: {event.dice[0]}."
    return "" if isinstance(event, Shuffled) and event.rule == "DL-232" else None


narrate = narrator(SENTENCES, own)
