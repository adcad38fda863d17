"""Steps 1 and 2 of an attack (JA-122, JA-124): rerolls and changes that skills, terrain and tokens allow, and legend
cards, in any order (JA-D18, JA-D20), until all players who are asked have passed in a row (JA-Q82).
"""

from collections.abc import Iterator

from domain.joan_of_arc.board.table import wooded_or_built
from domain.joan_of_arc.cards.cards import Timing
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.hooks import Roll
from domain.joan_of_arc.rules.attacks.pools import attack_of, defenders, loose_of, reroll, rolled
from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForLegend, exchange
from domain.joan_of_arc.rules.player_actions.legends import (
    LegendOffer,
    Moment,
    PlayLegend,
    all_at,
    may_hold_legend,
    play_legend,
    playable,
    sides_at,
)
from domain.joan_of_arc.state.attack_events import ResultChanged
from domain.joan_of_arc.state.events import LegendPassed, RerollTokenUsed, ResourceSpent
from domain.joan_of_arc.state.queries import card_of, setting_of, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import (
    DONE,
    NEXT,
    Call,
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
    """Leave the dice as they are."""


Improvement = RollAgain | TurnToKill | UseToken


def improvements(state: JoanState, seat: Seat, roll: Roll) -> Iterator[Improvement]:
    """JA-D18, JA-D20: a player's changes to a roll, each source once on it (JA-Q77); JA-Q08: to their own dice."""
    dice, again = rolled(state, roll), loose_of(state, roll, seat)
    for source, units in _sources(state, roll):
        if source not in attack_of(state).used:
            yield from (RollAgain(source, at) for at in again if not units or dice[at].unit in units)
    if roll == "attack" and seat == attack_of(state).by and state.boards[seat].legend:
        yield from (TurnToKill(at) for at in ruthless(state))
    if state.boards[seat].reroll and again:
        yield UseToken()


def swaps_for(state: JoanState, seat: Seat, roll: Roll) -> bool:
    """JA-188: whether an intrigue token may be swapped, for a card or for Ruthless (JA-284)."""
    board = state.boards[seat]
    wanted = roll == "attack" and seat == attack_of(state).by and ruthless(state)
    return bool(board.intrigue) and (bool(wanted) or may_hold_legend(state, seat))


def _sources(state: JoanState, roll: Roll) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sources that allow a reroll of one die, and its owner: one of these units, or any unit in the roll."""
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
    """JA-D18, JA-D20 A player's next change to a roll, in any order, each optional; JA-D17: or a card."""

    rule = "JA-122"

    roll: Roll
    timing: Timing

    def form(self, state: JoanState) -> One:
        """A source that is left, a card that may be played, or the end."""
        swaps = (ExchangeForLegend(),) if swaps_for(state, self.by, self.roll) else ()
        cards = playable(state, self.by, self.timing)
        return only((LeaveDice(), *improvements(state, self.by, self.roll), *cards, *swaps))

    def resolve(self, r: Resolver[JoanState], choice: Improvement | PlayLegend | ExchangeForLegend | LeaveDice) -> Flow:
        """Each result stands before the next source is used; JA-Q82: then all players are asked again."""
        match choice:
            case LeaveDice():
                if may_hold_legend(r.state, self.by):
                    r.emit(LegendPassed(self.by))
                return Goto("JA-Q82")
            case PlayLegend():
                return Call(play_legend(r, self.by, choice))
            case UseToken():
                return ask(TokenDice(self.by, self.roll))
            case ExchangeForLegend():
                exchange(r, self.by, choice)
                return Goto("JA-189")
            case RollAgain(source, die):
                reroll(r, self.roll, (die,), source, self.by)
            case TurnToKill(die):
                unit = attack_of(r.state).attack_dice[die].unit
                r.emit(ResourceSpent(self.by, "legend", 1, "JA-284"))
                r.emit(ResultChanged(die, Face.KILL, f"ruthless {unit}"))
        return NEXT


class RollThese(Choice, frozen=True):
    """Reroll the dice of these numbers."""

    dice: tuple[str, ...]


class TokenDice(Decision, frozen=True):
    """JA-D50 The dice that the reroll token rolls again."""

    rule = "JA-196"

    roll: Roll

    def form(self, state: JoanState) -> Pick:
        """Any of the player's own dice of the roll that nothing has settled (JA-Q60), one at least."""
        numbers = tuple(str(at) for at in loose_of(state, self.roll, self.by))
        return Pick(RollThese, numbers, 1, len(numbers))

    def resolve(self, r: Resolver[JoanState], choice: RollThese) -> Flow:
        """JA-197: the second result stands."""
        r.emit(RerollTokenUsed(self.by))
        reroll(r, self.roll, (int(die) for die in choice.dice), "token", self.by)
        return NEXT


class Improving(Procedure, frozen=True):
    """JA-122, JA-124, JA-Q82: skills, terrain, tokens and cards on a roll. These players are asked in this order, each
    for cards of its own timing, until all have passed in a row. `passed`: the number of players that have passed in a
    row.
    """

    roll: Roll
    moments: tuple[Moment, ...]
    passed: int = 0

    @step("JA-189", "JA-122", "JA-124")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """JA-405, JA-Q84: a player who by public facts can change no dice, and can hold no card, is not asked."""
        if self.passed >= len(self.moments):
            return DONE
        seat, timing = self.moments[self.passed]
        able = next(improvements(r.state, seat, self.roll), None) is not None
        if able or swaps_for(r.state, seat, self.roll) > may_hold_legend(r.state, seat):
            return ask(RollEffects(seat, self.roll, timing))
        return ask(LegendOffer(seat, timing)) if may_hold_legend(r.state, seat) else Goto("JA-Q82")

    @step("JA-190")
    def changed(self, r: Resolver[JoanState]) -> Flow:
        """The seat that acted is asked again, then the others."""
        return Goto("JA-189", Improving(self.roll, self.moments[self.passed :] + self.moments[: self.passed]))

    @step("JA-Q82")
    def next_offer(self, r: Resolver[JoanState]) -> Flow:
        """The next player is asked."""
        return Goto("JA-189", Improving(self.roll, self.moments, self.passed + 1))


def step_1(state: JoanState) -> Improving:
    """JA-122: the attacker and team-mates, then the others for their changes to the attack roll."""
    by = attack_of(state).by
    return Improving("attack", sides_at(state, by, "attack_effects_self", "attack_effects_opponent").moments)


def step_2(state: JoanState) -> Improving:
    """JA-124: the players of the other sides, in turn order."""
    return Improving("defence", all_at("defence_effects_self", setting_of(state).foes(attack_of(state).by)).moments)
