"""Steps 1 and 2 of an attack: rerolls and changes that skills, terrain and tokens allow (JA-122, JA-124)."""

from collections.abc import Iterator

from domain.joan_of_arc.attack_events import ResultChanged
from domain.joan_of_arc.dice import Face
from domain.joan_of_arc.events import RerollTokenUsed, ResourceSpent
from domain.joan_of_arc.hooks import Roll
from domain.joan_of_arc.queries import card_of, table_of, unit_of
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, defending_seat, loose, reroll, rolled
from domain.joan_of_arc.rules.exchanging import ExchangeForLegend, exchange
from domain.joan_of_arc.state import JoanState
from domain.joan_of_arc.table import wooded_or_built
from domain.kernel import (
    DONE,
    NEXT,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)


class RollAgain(Choice, frozen=True):
    """Reroll the die of this number by this source."""

    source: str
    die: int


class TurnToKill(Choice, frozen=True):
    """JA-284: spend a legend token: this disrupt is a kill."""

    die: int


class UseToken(Choice, frozen=True):
    """Discard the reroll token to reroll any number of one's dice."""


class LeaveDice(Choice, frozen=True):
    """Let the dice lie."""


Improvement = RollAgain | TurnToKill | UseToken | ExchangeForLegend


def improvements(state: JoanState, seat: Seat, roll: Roll) -> Iterator[Improvement]:
    """JA-D18, JA-D20: what may be done with a roll, each source once on it (JA-Q77)."""
    dice, again = rolled(state, roll), loose(state, roll)
    for source, units in _sources(state, roll):
        if source not in attack_of(state).used:
            yield from (RollAgain(source, at) for at in again if not units or dice[at].unit in units)
    if roll == "attack":
        yield from _ruthless_deeds(state, seat)
    if state.boards[seat].reroll and again:
        yield UseToken()


def _ruthless_deeds(state: JoanState, seat: Seat) -> Iterator[TurnToKill | ExchangeForLegend]:
    """JA-284; JA-188: an intrigue token may be swapped to pay for it."""
    found, board = ruthless(state), state.boards[seat]
    if board.legend:
        yield from (TurnToKill(at) for at in found)
    if board.intrigue and found:
        yield ExchangeForLegend()


def _sources(state: JoanState, roll: Roll) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sources that allow a reroll of one die, and whose: of these units, or of anybody in the roll."""
    attack = attack_of(state)
    if roll == "attack":
        for unit, _ in attack.starts:
            if card_of(state, unit_of(state, unit)).skills.feint:
                yield f"feint {unit}", (unit,)  # JA-269
            if unit in attack.smooth:
                yield f"charge {unit}", (unit,)  # JA-294
        return
    for unit in defenders(state):
        if attack.kind == "melee" and card_of(state, unit_of(state, unit)).skills.parry:
            yield f"parry {unit}", (unit,)  # JA-279
    giant = any(card_of(state, unit_of(state, unit)).gigantic for unit in defenders(state))
    if wooded_or_built(table_of(state), attack.target) and not giant:
        yield "terrain", ()  # JA-295, JA-Q52


def ruthless(state: JoanState) -> tuple[int, ...]:
    """JA-284, JA-Q60: the disrupts that units with Ruthless rolled."""
    dice = enumerate(attack_of(state).attack_dice)
    found = (at for at, die in dice if die.face is Face.DISRUPT and die.unit)
    return tuple(at for at in found if _is_ruthless(state, attack_of(state).attack_dice[at].unit))


def _is_ruthless(state: JoanState, unit: str) -> bool:
    return card_of(state, unit_of(state, unit)).skills.ruthless


class RollEffects(Decision, frozen=True):
    """JA-D18, JA-D20 What is done with a roll next; in any order, each optional."""

    rule = "JA-122"

    roll: Roll

    def form(self, state: JoanState) -> One:
        """A source that is left, or nothing more."""
        return only((LeaveDice(), *improvements(state, self.by, self.roll)))

    def resolve(self, r: Resolver[JoanState], choice: Improvement | LeaveDice) -> Flow:
        """Each result stands before the next source is used."""
        match choice:
            case LeaveDice():
                return DONE
            case RollAgain(source, die):
                reroll(r, self.roll, (die,), source, self.by)
            case TurnToKill(die):
                unit = attack_of(r.state).attack_dice[die].unit
                r.emit(ResourceSpent(self.by, "legend", 1, "JA-284"))
                r.emit(ResultChanged(die, Face.KILL, f"ruthless {unit}"))
            case ExchangeForLegend():
                exchange(r, self.by, choice)
            case UseToken():
                return ask(TokenDice(self.by, self.roll))
        return NEXT


class RollThese(Choice, frozen=True):
    """Reroll the dice of these numbers."""

    dice: tuple[str, ...]


class TokenDice(Decision, frozen=True):
    """JA-D50 Which dice the reroll token rolls again."""

    rule = "JA-196"

    roll: Roll

    def form(self, state: JoanState) -> Pick:
        """Any of the own dice of the roll that nothing has settled (JA-Q60), one at least."""
        numbers = tuple(str(at) for at in loose(state, self.roll))
        return Pick(RollThese, numbers, 1, len(numbers))

    def resolve(self, r: Resolver[JoanState], choice: RollThese) -> Flow:
        """JA-197: the second result stands."""
        r.emit(RerollTokenUsed(self.by))
        reroll(r, self.roll, (int(die) for die in choice.dice), "token", self.by)
        return NEXT


class Improving(Procedure, frozen=True):
    """JA-122, JA-124: a player applies skills, terrain and the token to a roll, until there is nothing or no wish."""

    roll: Roll

    @step("JA-122")
    def improve(self, r: Resolver[JoanState]) -> Flow:
        """Asked only while something may be done."""
        seat = attack_of(r.state).by if self.roll == "attack" else defending_seat(r.state)
        if seat is None or next(improvements(r.state, seat, self.roll), None) is None:
            return DONE
        return ask(RollEffects(seat, self.roll))

    @step("JA-124")
    def improved(self, r: Resolver[JoanState]) -> Flow:
        """And again."""
        return Goto("JA-122")
