"""The cues that a change of the Scene cannot show by itself: attacks, hits, healing, Battles (docs/scene.md 5)."""

from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.state import DisciplesState
from domain.kernel import Event, MatchEnded
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.games.disciples_legacy.words import party_name


def cues(before: DisciplesState, event: Event) -> list[Cue]:
    """The cues of one redacted event; refs name pieces of the same viewer's Scene."""
    match event:
        case e.AttackDeclared(seat=seat, leader=leader, target=target):
            return [cues_of.arrow(leader, target, f"seat{seat}")]
        case e.Struck(member=member, targets=targets):
            return [cues_of.arrow(member, target, f"seat{before.members[member].seat}") for target in targets]
        case e.MembersDamaged(hurt=hurt):
            return [cue for each in hurt for cue in _hurt(each)]
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
        case e.PlaceCaptured(place=place):
            return [cues_of.pulse(place)]
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
            return [cues_of.loss(f"{party_name(before, party)} is wiped out; all its cards are discarded.")]
        case e.BattleEnded(escaped=escaped) if escaped in before.parties:
            return [cues_of.banner(f"{party_name(before, escaped)} escapes; the Battle is over.")]
        case MatchEnded(result=result):
            return [cues_of.over(before.players, result)]
    return []
