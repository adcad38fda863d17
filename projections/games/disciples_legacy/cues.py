"""The cues that a change of the Scene cannot show by itself: attacks, hits, healing, Battles (docs/scene.md 5)."""

from domain.commons.rows import foe
from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.queries import cards_of, members_of
from domain.disciples_legacy.state.state import DisciplesState, MemberId, PlaceId
from domain.kernel import Event, MatchEnded, Seat
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.games.disciples_legacy.words import members_named, party_name, place_name
from projections.words import player


def cues(before: DisciplesState, event: Event) -> list[Cue]:
    """The cues of one redacted event; refs name pieces of the same viewer's Scene."""
    match event:
        case e.AttackDeclared(seat=seat, leader=leader, target=target):
            return [cues_of.arrow(leader, target, f"seat{seat}")]
        case e.Struck(member=member, targets=targets):
            return [cues_of.arrow(member, target, f"seat{before.members[member].seat}") for target in targets]
        case e.MembersDamaged(hurt=hurt):
            return [cue for each in hurt for cue in _hurt(each)]
        case e.MembersDied(dead=dead):
            return [cues_of.death(each.member, "dead") for each in dead]
        case e.MembersHealed(healed=healed):
            return [cues_of.gain(each.member, f"+{each.amount}", "green", "drop") for each in healed]
        case e.MemberRevived(member=member):
            return [cues_of.gain(member, "revived", "green", "prayer")]
        case e.Warded(members=members, ward=ward):
            return [cues_of.gain(member, f"ward {ward.points}", "gold", "shield") for member in members]
        case e.AbilityUsed(member=member, target=target) if target and target != member:
            return [cues_of.arrow(member, target, f"seat{before.members[member].seat}")]
        case e.SpellCast(leader=leader, target=target) if target and target != leader:
            return [cues_of.arrow(leader, target, f"seat{before.members[leader].seat}")]
        case e.AttackBlocked(leader=leader):
            return [cues_of.guard(leader, "blocks")]
        case e.PlaceCaptured(seat=seat, place=place):
            return [cues_of.pulse(place), _captured(before, seat, place)]
    return _banner(before, event)


def _hurt(each: e.Hurt) -> list[Cue]:
    hits = [cues_of.hit(each.member, each.damage)] if each.damage else []
    return [*hits, cues_of.guard(each.member, f"ward {each.absorbed}")] if each.absorbed else hits


def _banner(before: DisciplesState, event: Event) -> list[Cue]:
    match event:
        case e.TurnBegan(turn=turn):
            return [cues_of.banner(f"Turn {turn}")]
        case e.BattleBegan():
            return [cues_of.banner("Battle")]
        case e.BattleRoundBegan(round=number):
            return [cues_of.banner(f"Battle Round {number}")]
        case e.PartyWipedOut(party=party):
            return [_wiped_out(before, party)]
        case e.BattleEnded(escaped=escaped):
            return _battle_over(before, escaped)
        case MatchEnded(result=result):
            return [cues_of.over(before.players, result)]
    return []


def _wiped_out(before: DisciplesState, party: MemberId) -> Cue:
    """A Party that is wiped out, and in a Battle its winner."""
    told = f"{party_name(before, party)} is wiped out; all its cards are discarded."
    winner = foe(before.parties[party].seat)
    won = before.battle is not None and party in {before.battle.attacker, before.battle.defender}
    return cues_of.result(told, f"{player(before, winner)} wins the Battle." if won else "", winner, is_loss=True)


def _captured(before: DisciplesState, seat: Seat, place: PlaceId) -> Cue:
    """A City or Mana that changes its owner, and its benefits for the new owner."""
    told = f"{place_name(before, place)} is now {player(before, seat)}'s."
    city = before.cities.get(place)
    gives = cards_of(before).towns[city.card].yield_c if city is not None else 0
    return cues_of.result(told, f"It gives {gives} (C) a turn." if gives else "", seat)


def _battle_over(before: DisciplesState, escaped: MemberId | None) -> list[Cue]:
    """A Battle that ends while both Parties live; the loss of a Party has a cue of its own."""
    battle = before.battle
    if battle is None or not {battle.attacker, battle.defender} <= before.parties.keys():
        return []
    told = f"{party_name(before, escaped)} escapes; the Battle is over." if escaped else "The Battle is over."
    fought = [id_ for party in (battle.attacker, battle.defender) for id_ in members_of(before, party)]
    dead = tuple(id_ for id_ in fought if before.members[id_].dead)
    return [cues_of.result(told, f"Dead: {members_named(before, dead)}." if dead else "Nobody is dead.")]
