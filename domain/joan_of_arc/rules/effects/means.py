"""Operations that give and take means: tokens, orders, the reroll token, legend cards (ledger 6.13)."""

from typing import Final

from domain.joan_of_arc.cards.hooks import ContinueLevel2, DrawLegend, Gain, GainOrder, GainReroll, Lose
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.rules.phases.victory import score
from domain.joan_of_arc.rules.player_actions.drawing import draw_legend
from domain.joan_of_arc.state.events import (
    DiscussionContinued,
    EffectSkipped,
    OrdersGained,
    RerollTokenTaken,
    ResourceGained,
    ResourceSpent,
)
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Resolver

RULE: Final = "ledger 6.13"


def gain(r: Resolver[JoanState], context: Context, effect: Gain) -> None:
    """Tokens from the common pool; VP are the side's (JA-Q91)."""
    if effect.resource == "vp":
        score(r, setting_of(r.state).sides[context.seat], effect.n, RULE)
    else:
        r.emit(ResourceGained(context.seat, effect.resource, effect.n, RULE))


def lose(r: Resolver[JoanState], context: Context, effect: Lose) -> None:
    """JA-161, JA-Q33: skipped if fewer are owned; the rest of the answer still applies."""
    side = setting_of(r.state).sides[context.seat]
    owned = (
        r.state.scores.get(side, 0)
        if effect.resource == "vp"
        else getattr(r.state.boards[context.seat], effect.resource)
    )
    if owned < effect.n:
        r.emit(EffectSkipped(context.seat, "lose", "JA-161"))
    elif effect.resource == "vp":
        score(r, side, -effect.n, RULE)
    else:
        r.emit(ResourceSpent(context.seat, effect.resource, effect.n, RULE))


def gain_order(r: Resolver[JoanState], context: Context, effect: GainOrder) -> None:
    """Orders onto the player board; the pool never runs out (JA-017, JA-Q01)."""
    r.emit(OrdersGained(context.seat, effect.type, effect.n))


def gain_reroll(r: Resolver[JoanState], context: Context, effect: GainReroll) -> None:
    """JA-198: a player owns at most one."""
    if r.state.boards[context.seat].reroll:
        r.emit(EffectSkipped(context.seat, "gain_reroll", "JA-198"))
    else:
        r.emit(RerollTokenTaken(context.seat, RULE))


def draw(r: Resolver[JoanState], context: Context, effect: DrawLegend) -> None:
    """JA-Q87: as far as there are cards."""
    draw_legend(r, context.seat, effect.n)


def continue_level2(r: Resolver[JoanState], context: Context, effect: ContinueLevel2) -> None:
    """JA-162: the discussion continues with a card of level 2."""
    r.emit(DiscussionContinued())


OPERATIONS: Final[Operations] = {
    Gain: gain,
    Lose: lose,
    GainOrder: gain_order,
    GainReroll: gain_reroll,
    DrawLegend: draw,
    ContinueLevel2: continue_level2,
}
