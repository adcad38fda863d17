"""The effect of each event on the state. The functions assign the event's values and decide nothing."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.evolve_battle import BATTLE_EVOLVE
from domain.disciples_legacy.state.evolve_members import MEMBER_EVOLVE
from domain.disciples_legacy.state.evolve_state import known_to_all, with_members, with_side
from domain.disciples_legacy.state.state import Attack, City, DisciplesState, Mana, PlaceId
from domain.kernel import Event


def deck_chosen(s: DisciplesState, event: e.DeckChosen) -> DisciplesState:
    """The deck is the player's secret."""
    return with_side(s, event.seat, deck=event.deck, chosen=True)


def army_deployed(s: DisciplesState, event: e.ArmyDeployed) -> DisciplesState:
    """The army is in play; the rest of the deck becomes the hand with the next event."""
    members = {**s.members, **{member.id: member for member in event.members}}
    parties = {**s.parties, **{party.leader: party for party in event.parties}}
    cities = {**s.cities, event.capital.id: event.capital}
    s = replace(s, members=members, parties=parties, cities=cities, places=s.places + 1)
    return with_side(s, event.seat, race=event.race, entered=len(event.members))


def reserves_drawn(s: DisciplesState, event: e.ReservesDrawn) -> DisciplesState:
    """The hand never changes (DL-018)."""
    return with_side(s, event.seat, hand=event.cards, hand_size=event.count)


def reserves_shown(s: DisciplesState, event: e.ReservesShown) -> DisciplesState:
    """Everybody knows the hand."""
    return with_side(s, event.seat, hand=event.cards, known=event.cards)


def turn_began(s: DisciplesState, event: e.TurnBegan) -> DisciplesState:
    """Counts for the turn start again."""
    for seat in (0, 1):
        s = with_side(s, seat, passed=False, skipped=False, cast=False, recruited=0, free_revives=0, rearranged=())
    return replace(s, turn=event.turn, first=event.seat, to_act=event.seat, last_passed=False)


def phase_began(s: DisciplesState, event: e.PhaseBegan) -> DisciplesState:
    """The present phase and step of the turn."""
    return replace(s, phase=event.phase, step=event.step)


def _cities(s: DisciplesState, places: Iterable[PlaceId], *, tapped: bool) -> DisciplesState:
    changed = {place: replace(s.cities[place], tapped=tapped) for place in places}
    return replace(s, cities={**s.cities, **changed})


def cities_untapped(s: DisciplesState, event: e.CitiesUntapped) -> DisciplesState:
    """DL-106."""
    return _cities(s, event.cities, tapped=False)


def city_tapped(s: DisciplesState, event: e.CityTapped) -> DisciplesState:
    """The (C) can be spent."""
    return _credit(_cities(s, (event.city,), tapped=True), event.seat, event.gives)


def _credit(s: DisciplesState, seat: int, amount: int) -> DisciplesState:
    return with_side(s, seat, credit=s.sides[seat].credit + amount)


def credit_given(s: DisciplesState, event: e.CreditGiven) -> DisciplesState:
    """(C) that no City gave."""
    return _credit(s, event.seat, event.amount)


def cost_paid(s: DisciplesState, event: e.CostPaid) -> DisciplesState:
    """(C) is spent."""
    return _credit(s, event.seat, -event.amount)


def surplus_lost(s: DisciplesState, event: e.SurplusLost) -> DisciplesState:
    """(C) is gone."""
    return _credit(s, event.seat, -event.amount)


def healing_confirmed(s: DisciplesState, event: e.HealingConfirmed) -> DisciplesState:
    """The player has finished the step."""
    return with_side(s, event.seat, confirmed=True)


def healing_reopened(s: DisciplesState, event: e.HealingReopened) -> DisciplesState:
    """Nobody has finished the step."""
    return with_side(with_side(s, 0, confirmed=False), 1, confirmed=False)


def leader_spent(s: DisciplesState, event: e.LeaderSpent) -> DisciplesState:
    """An action ends the effects of an earlier pass or skip (DL-126, DL-Q17)."""
    s = with_members(s, (event.leader,), spent=True)
    if event.reaction:
        return s
    return replace(with_side(s, s.members[event.leader].seat, skipped=False), last_passed=False)


def leaders_unspent(s: DisciplesState, event: e.LeadersUnspent) -> DisciplesState:
    """The tokens are off."""
    return with_members(s, event.leaders, spent=False)


def passed(s: DisciplesState, event: e.Passed) -> DisciplesState:
    """DL-125, DL-126."""
    return replace(with_side(s, event.seat, passed=True), last_passed=True)


def player_skipped(s: DisciplesState, event: e.PlayerSkipped) -> DisciplesState:
    """Skipping is no pass (DL-Q15)."""
    lacks = tuple(sorted({*s.sides[event.seat].lacks, *event.lacks}))
    return replace(with_side(s, event.seat, skipped=True, lacks=lacks), last_passed=False)


def unchanged(s: DisciplesState, event: Event) -> DisciplesState:
    """The consequences are separate events."""
    return s


def player_to_act(s: DisciplesState, event: e.PlayerToAct) -> DisciplesState:
    """DL-122; a player who can act again no longer counts as skipped (DL-Q17)."""
    skipped = s.sides[event.seat].skipped and not event.able
    return with_side(replace(s, to_act=event.seat), event.seat, rearranged=(), skipped=skipped)


def city_recruited(s: DisciplesState, event: e.CityRecruited) -> DisciplesState:
    """A copy is in play, and the card is known (DL-Q50)."""
    s = replace(s, cities={**s.cities, event.city.id: event.city}, places=s.places + 1)
    return known_to_all(s, event.city.seat, (event.city.card,))


def cards_named(s: DisciplesState, event: e.CardsNamed) -> DisciplesState:
    """Everybody knows these cards of the hand."""
    return known_to_all(s, s.members[event.leader].seat, event.cards)


def mana_planted(s: DisciplesState, event: e.ManaPlanted) -> DisciplesState:
    """A copy is in play, and the card is known."""
    s = replace(s, mana={**s.mana, event.mana.id: event.mana}, places=s.places + 1)
    return known_to_all(s, event.mana.seat, (event.mana.card,))


def spell_cast(s: DisciplesState, event: e.SpellCast) -> DisciplesState:
    """DL-077: this turn's Spell."""
    return known_to_all(with_side(s, event.seat, cast=True), event.seat, (event.spell,))


def hand_peeked(s: DisciplesState, event: e.HandPeeked) -> DisciplesState:
    """DL-232: only the looking player's state holds the cards."""
    side = s.sides[event.seat]
    cards = side.peeked + event.cards
    seen = tuple(sorted(set(cards))) if isinstance(cards, tuple) else cards
    return with_side(s, event.seat, peeked=seen, peeked_count=max(side.peeked_count, event.count))


def attack_declared(s: DisciplesState, event: e.AttackDeclared) -> DisciplesState:
    """An attack is under way."""
    return replace(s, attack=Attack(event.seat, event.leader, event.target))


def attack_blocked(s: DisciplesState, event: e.AttackBlocked) -> DisciplesState:
    """DL-163: it cannot be blocked again."""
    assert s.attack is not None
    return replace(s, attack=replace(s.attack, blocker=event.leader))


def attack_ended(s: DisciplesState, event: e.AttackEnded) -> DisciplesState:
    """No attack is under way."""
    return replace(s, attack=None)


def place_captured(s: DisciplesState, event: e.PlaceCaptured) -> DisciplesState:
    """DL-Q31: only its controller changes."""
    if event.place in s.cities:
        city: City = replace(s.cities[event.place], seat=event.seat)
        return replace(s, cities={**s.cities, event.place: city})
    mana: Mana = replace(s.mana[event.place], seat=event.seat)
    return replace(s, mana={**s.mana, event.place: mana})


EVOLVE: dict[type[Event], Callable[[Any, Any], DisciplesState]] = {
    e.DeckChosen: deck_chosen,
    e.ArmyDeployed: army_deployed,
    e.ReservesDrawn: reserves_drawn,
    e.ReservesShown: reserves_shown,
    e.TurnBegan: turn_began,
    e.PhaseBegan: phase_began,
    e.CitiesUntapped: cities_untapped,
    e.CityTapped: city_tapped,
    e.CreditGiven: credit_given,
    e.CostPaid: cost_paid,
    e.SurplusLost: surplus_lost,
    e.HealingConfirmed: healing_confirmed,
    e.HealingReopened: healing_reopened,
    e.LeaderSpent: leader_spent,
    e.LeadersUnspent: leaders_unspent,
    e.Passed: passed,
    e.PlayerSkipped: player_skipped,
    e.PhaseFinished: unchanged,
    e.PlayerToAct: player_to_act,
    e.CityRecruited: city_recruited,
    e.CardsNamed: cards_named,
    e.ManaPlanted: mana_planted,
    e.SpellCast: spell_cast,
    e.HandPeeked: hand_peeked,
    e.AttackDeclared: attack_declared,
    e.AttackBlocked: attack_blocked,
    e.BlockDeclined: unchanged,
    e.AttackEngaged: unchanged,
    e.AttackEnded: attack_ended,
    e.PlaceCaptured: place_captured,
    **MEMBER_EVOLVE,
    **BATTLE_EVOLVE,
}
