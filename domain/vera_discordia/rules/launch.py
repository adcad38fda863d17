"""Section Y: launching an Attack or a Counterattack: Terror, dice, hits, damage."""

from domain.kernel import (
    DONE,
    NEXT,
    Choice,
    Decision,
    Flow,
    Next,
    One,
    Part,
    Parts,
    Procedure,
    Resolver,
    ask,
    step,
    total,
)
from domain.vera_discordia.cards.cards import Ability, Die, Shields
from domain.vera_discordia.rules.damage import lose_life
from domain.vera_discordia.rules.morale import Check, check_morale
from domain.vera_discordia.rules.terrain import terrain_penalty
from domain.vera_discordia.state.events import HitsCounted
from domain.vera_discordia.state.queries import FIRING, decimated_die, has, profile
from domain.vera_discordia.state.state import Attack, AttackKind, Unit, UnitId, VeraState

AMBUSH_DICE = 2
TERROR_DICE = -2
RIPOSTE_DICE = -2


def attack_of(state: VeraState) -> Attack:
    """The attack under way."""
    assert state.attack is not None, "an attack is under way"
    return state.attack


def discord_of(state: VeraState, *, counter: bool) -> str:
    """The row that gives an Attack or Counterattack Discord, or "" (VD-324); sources never add up (VD-204, VD-Q06).

    It belongs to the attack as a whole, whatever happens to the dice (VD-Q66).
    """
    attack = attack_of(state)
    striker = state.units.get(attack.target if counter else attack.attacker)
    strike = attack.counter_strike if counter else attack.strike
    if attack.counter_supports if counter else attack.supports:
        return "VD-204"
    if attack.opening and not counter:
        return "VD-198"
    if strike.ability is Ability.DISCORD:
        return "VD-K10"
    return "VD-324" if striker is not None and has(state, striker, Ability.DISCORD) else ""


def shield_against(shields: Shields, die: Die) -> int:
    """VD-022 to VD-025: the lowest face that hits; 7 if no face hits (VD-023)."""
    match die:
        case Die.MELEE:
            return shields.melee
        case Die.RANGE:
            return shields.range
        case Die.MAGIC:
            return shields.magic
    return shields.orange  # VD-024: Breaker and Artillery share one


def dice_row(row: tuple[Die, ...], net: int) -> tuple[Die, ...]:
    """VD-019, VD-020, VD-Q03: lose the leftmost dice, or gain dice of the leftmost type; never fewer than 0 dice."""
    if net < 0:
        return row[-net:]
    return (row[0],) * net + row if row else ()


class Launch(Procedure, frozen=True):
    """Y. One Attack, or the Counterattack to it, is rolled and does its damage."""

    counter: bool
    terror: bool = False
    hits: int = 0

    def fighters(self, state: VeraState) -> tuple[UnitId, UnitId]:
        """The Unit that strikes, and its target."""
        attack = attack_of(state)
        return (attack.target, attack.attacker) if self.counter else (attack.attacker, attack.target)

    @step("VD-342")
    def chrysalis(self, r: Resolver[VeraState]) -> Flow:
        """Unchanged Chrysalis against unchanged Chrysalis: neither dice nor Terror checks (VD-Q43)."""
        return DONE if attack_of(r.state).chrysalis else NEXT

    @step("VD-358", "VD-359", "VD-360")
    def terror_check(self, r: Resolver[VeraState]) -> Flow:
        """Directly before the dice (VD-Q05); Indirect Attacks are not affected."""
        striker, struck = self.fighters(r.state)
        if attack_of(r.state).kind is AttackKind.INDIRECT or not has(r.state, r.state.units[struck], Ability.TERROR):
            return NEXT
        passed = check_morale(r, striker, Check.TERROR)
        return Next(become=Launch(self.counter, terror=not passed))

    @step("VD-217", "VD-200", "VD-218", "VD-238", "VD-247", "VD-248", "VD-259", "VD-278")
    def dice(self, r: Resolver[VeraState]) -> Flow:
        """One net number of gains and losses (VD-021); with no dice left nothing is hit (VD-218)."""
        rolled, hits = throw(r, self)
        striker, _ = self.fighters(r.state)
        if rolled and not hits and self._has_mastery(r.state):
            return ask(Mastery(r.state.units[striker].seat, striker, self.counter, self.terror))
        return Next(become=Launch(self.counter, self.terror, hits))

    def _has_mastery(self, state: VeraState) -> bool:
        attack = attack_of(state)
        strike = attack.counter_strike if self.counter else attack.strike
        striker, _ = self.fighters(state)
        return strike.ability is Ability.MASTERY or has(state, state.units[striker], Ability.MASTERY)

    @step("VD-219", "VD-026", "VD-240", "VD-249", "VD-279")
    def damage(self, r: Resolver[VeraState]) -> Flow:
        """All hits are counted, then the life is lost."""
        striker, struck = self.fighters(r.state)
        lose_life(r, struck, self.hits, by=striker, discord=discord_of(r.state, counter=self.counter))
        return NEXT


def throw(r: Resolver[VeraState], launch: Launch) -> tuple[int, int]:
    """VD-017: roll the dice of an Attack or Counterattack. Returns the numbers of dice and of hits."""
    state = r.state
    striker, struck = (state.units[unit] for unit in launch.fighters(state))
    row = base_row(state, attack_of(state), striker)
    parts = modifiers(state, launch, striker, struck)
    kinds = dice_row(row, total(parts))
    shields = profile(state, struck).shields
    needs = tuple(shield_against(shields, die) for die in kinds)
    rule, title = ("VD-238", "Counterattack") if launch.counter else ("VD-217", "Attack")
    printed = (Part("VD-017", len(row), "printed"), *parts)
    about = (striker.id, struck.id)
    dice = r.roll(
        len(kinds), rule, title, seat=striker.seat, about=about, kinds=tuple(kinds), needs=needs, parts=printed
    )
    hits = tuple(i for i, (face, need) in enumerate(zip(dice, needs, strict=True)) if face >= need)
    r.emit(HitsCounted(striker.id, struck.id, hits))
    return len(dice), len(hits)


def base_row(state: VeraState, attack: Attack, striker: Unit) -> tuple[Die, ...]:
    """The row before gains and losses: card, then Heroism; VD-200, VD-259: all dice; VD-247: only Range, Artillery."""
    row = profile(state, striker).dice
    return tuple(die for die in row if die in FIRING) if attack.kind is AttackKind.INDIRECT else row


def modifiers(state: VeraState, launch: Launch, striker: Unit, struck: Unit) -> Parts:
    """VD-217, VD-238: every gain and loss with its row (VD-Q03)."""
    attack, counter = attack_of(state), launch.counter
    supports = attack.counter_supports if counter else attack.supports
    strike = attack.counter_strike if counter else attack.strike
    parts = [Part("VD-203", supports, "Support")] if supports else []
    if attack.opening:
        parts.append(Part("VD-199", -1, "Opening") if counter else Part("VD-198", 1, "Opening"))
    if strike.dice:
        parts.append(Part("VD-K10", strike.dice, "Strategy"))
    if attack.closed_ranks and not counter:
        parts.append(Part("VD-212", -1, "Closed Ranks"))
    parts += terrain_penalty(state, attack, striker, counter=counter)
    if decimated_die(state, striker):
        parts.append(Part("VD-032", -1, "Decimated"))
    if launch.terror:
        parts.append(Part("VD-358", TERROR_DICE, "Terror"))
    if ambushes(state, striker, struck, counter=counter):
        parts.append(Part("VD-306", AMBUSH_DICE, "Ambush"))
    if counter and attack.riposte:
        parts.append(Part("VD-355", RIPOSTE_DICE, "Riposte"))
    return tuple(parts)


def ambushes(state: VeraState, striker: Unit, struck: Unit, *, counter: bool) -> bool:
    """VD-306, VD-309, VD-Q42: opened by this very Attack or Counterattack; VD-308: not against Vision."""
    attack = attack_of(state)
    was_closed = attack.closed_target if counter else attack.closed_attacker
    return was_closed and has(state, striker, Ability.AMBUSH) and not has(state, struck, Ability.VISION)


class Reroll(Choice, frozen=True):
    """Roll all dice again; the second result stands."""


class Stand(Choice, frozen=True):
    """Leave the roll as it is."""


class Mastery(Decision, frozen=True):
    """VD-335 No hit: the owner may reroll all dice once."""

    rule = "VD-335"

    unit: UnitId
    counter: bool
    terror: bool

    def form(self, state: VeraState) -> One:
        """Reroll or not (VD-Q58)."""
        return One((Reroll(), Stand()))

    def resolve(self, r: Resolver[VeraState], choice: Reroll | Stand) -> Flow:
        """The second result stands."""
        launch = Launch(self.counter, self.terror)
        hits = throw(r, launch)[1] if isinstance(choice, Reroll) else 0
        return Next(become=Launch(self.counter, self.terror, hits))
