"""2.M Stratagems: picking (WE-138 to WE-150), ED1 (WE-108 to WE-112), how long they stay (WE-183)."""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from domain.commons.cards import known
from domain.commons.rows import BOTH, foe
from domain.kernel import (
    DONE,
    NEXT,
    Choice,
    Decision,
    Flow,
    Goto,
    Hidden,
    One,
    Part,
    Procedure,
    Resolver,
    Seat,
    only,
    step,
)
from domain.kernel import ask as ask_seats
from domain.war_for_edadh.cards.cards import Restriction, Stratagem, StratagemEffect
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.state.events import (
    HoldingReturned,
    MovementOrdered,
    MpChanged,
    StratagemCountered,
    StratagemReturned,
    StratagemsEntered,
    StratagemsPicked,
)
from domain.war_for_edadh.state.queries import (
    attached,
    card,
    cards_of,
    coming_position,
    everyone,
    front,
    has_combat_master,
    initiative,
    terrain_effects,
)
from domain.war_for_edadh.state.state import Codes, InPlay, Position, WarState


def budget(state: WarState, seat: int) -> int:
    """WE-139, WE-Q35 the Battle Master's proficiency for the area; WE-140 the Combat Master's; WE-141 none."""
    side, index = state.sides[seat], cards_of(state)
    if side.battle_master:
        assert state.ground is not None
        area = index.terrain[state.ground.code].tactics_area
        proficiency = index.battle_masters[side.battle_master].proficiencies.get(area)
        return proficiency.ml if proficiency else 0
    return index.combat_masters[side.combat_master].combat_tactics if has_combat_master(side) else -1


def names_out(state: WarState, seat: int) -> frozenset[str]:
    """WE-142: names that the opponent's X Stratagems In Play keep this player from picking."""
    index = cards_of(state).stratagems
    return frozenset(index[lying.code].name for lying in state.sides[foe(seat)].in_play if index[lying.code].x)


def restriction_met(state: WarState, seat: int, found: Restriction, position: Position) -> bool:
    """WE-147: whether a printed Restriction is satisfied, for a card that is In Play in this position (WE-Q82)."""
    side = state.sides[seat]
    match found.kind:
        case "position_in":
            return position in found.args
        case "has_type":
            return any(card(state, troop).type in found.args for troop in everyone(side))
        case "front_all_skirmish":
            return all(card(state, troop).skirmish for troop in front(side))
        case "own_mp_at_most":
            return side.mp <= int(found.args[0])
        case "enemy_counterable_in_play":
            index = cards_of(state).stratagems
            return any(index[lying.code].counterable for lying in state.sides[foe(seat)].in_play)


def pickable(state: WarState, seat: int, found: Stratagem) -> bool:
    """Whether a Stratagem of the player's deck may be picked at all, apart from its Cost."""
    side, index = state.sides[seat], cards_of(state).stratagems
    lying = [index[i.code] for i in side.in_play]
    # WE-140, WE-Q42: without a Battle Master only Combat Tactics, and no card that needs Promoting.
    if not side.battle_master and (found.proficiency != "combat" or found.secondary):
        return False
    # WE-184: a card is attached to the card it is assigned to.
    if not attached(state, seat, found):
        return False
    if found.name in names_out(state, seat) or found.name in {other.name for other in lying}:
        return False
    # WE-144, WE-Q84: the Terrain alone; an opposing Stratagem only takes the compositions away.
    if found.type == "formation" and "no_formation" in terrain_effects(state, seat):
        return False
    # WE-145, WE-229: Counter Aerial binds both players; WE-232 overrides them if a card is combined on one half.
    if found.type == "aerial" and "counter_aerial" in terrain_effects(state, seat):
        return False
    # WE-146, WE-Q37: a Common Flag or one that lies In Play already.
    flags = {flag for other in lying for flag in other.flags}
    if lying and not found.common and not flags & set(found.flags):
        return False
    position = coming_position(state)
    return all(restriction_met(state, seat, restriction, position) for restriction in found.restrictions)


def legal_picks(state: WarState, seat: int) -> Iterator[Codes]:
    """WE-138 to WE-150: every set that may be picked now, the empty set included."""
    yield ()
    deck, most = state.sides[seat].deck, budget(state, seat)
    if most < 0 or isinstance(deck, Hidden):
        return
    index = cards_of(state).stratagems
    cards = [index[code] for code in deck if pickable(state, seat, index[code])]
    costs = {found.code: 0 if found.cost == "*" else found.cost for found in cards}
    # WE-143, WE-Q36: a card of Cost * is picked alone and costs nothing.
    yield from ((found.code,) for found in cards if found.cost == "*")
    plain = [found.code for found in cards if found.cost != "*"]
    for size in range(1, len(plain) + 1):
        for picked in combinations(plain, size):
            if sum(costs[code] for code in picked) <= most:
                yield picked


class PickStratagems(Choice, frozen=True):
    """Pick these Stratagems of one's deck; picking none is allowed."""

    codes: tuple[str, ...] = ()


class StratagemSelection(Decision, frozen=True):
    """WE-138 The Stratagems that are picked; sealed until both have picked (WE-Q39)."""

    rule = "WE-138"

    def form(self, state: WarState) -> One:
        """Every legal set."""
        return only(tuple(PickStratagems(codes) for codes in legal_picks(state, self.by)))

    def resolve(self, r: Resolver[WarState], choice: PickStratagems) -> Flow:
        """WE-148: with the Secondary Card symbol face down to Holding; WE-149: without it face up In Play."""
        side, index = r.state.sides[self.by], cards_of(r.state).stratagems
        down = tuple(code for code in choice.codes if index[code].secondary)
        up = tuple(code for code in choice.codes if not index[code].secondary)
        deck = tuple(code for code in known(side.deck) if code not in choice.codes)
        since = r.state.duration + 1
        in_play = (*side.in_play, *(InPlay(code, since) for code in up))
        r.emit(StratagemsPicked(self.by, in_play, up, len(down), len(deck), down, deck))
        return NEXT


def ask_picks(r: Resolver[WarState]) -> Flow:
    """WE-055, WE-138: both players pick at once; WE-141: a player without a master is not asked."""
    if not r.state.options.stratagems:
        return NEXT
    seats = [seat for seat in BOTH if budget(r.state, seat) >= 0]
    return ask_seats(*(StratagemSelection(seat) for seat in seats), sealed=True) if seats else NEXT


def enter(r: Resolver[WarState]) -> None:
    """ED1: WE-108 Promoted cards come into play; WE-109, WE-280, WE-Q23 the others go back unseen."""
    for seat in BOTH:
        side = r.state.sides[seat]
        if side.promoted:
            codes = known(side.holding)
            in_play = (*side.in_play, *(InPlay(code, r.state.duration + 1) for code in codes))
            r.emit(StratagemsEntered(seat, codes, in_play))
        elif side.holding_count:
            deck = (*known(side.deck), *known(side.holding))
            r.emit(HoldingReturned(seat, side.holding_count, len(deck), deck))


def instants(state: WarState) -> tuple[tuple[int, str], ...]:
    """WE-110: the cards In Play with Instant effects, in initiative order (WE-Q24)."""
    index = cards_of(state).stratagems
    return tuple(
        (seat, lying.code)
        for seat in initiative(state)
        for lying in state.sides[seat].in_play
        if any(effect.instant for effect in index[lying.code].effects)
    )


def instant_effects(state: WarState, seat: Seat, found: Stratagem) -> tuple[StratagemEffect, ...]:
    """WE-110: the Instant effects of a card; WE-061: only at its levels; WE-184: only while it is attached."""
    if not attached(state, seat, found):
        return ()
    return tuple(e for e in found.effects if e.instant and state.level in (e.levels or found.levels))


def counterable(state: WarState, seat: int) -> Codes:
    """WE-111: opposing cards with the C notation that were In Play when this Duration began (WE-Q41)."""
    index = cards_of(state).stratagems
    lying = state.sides[foe(seat)].in_play
    return tuple(i.code for i in lying if index[i.code].counterable and i.since <= state.duration)


class Counter(Choice, frozen=True):
    """Counter this Stratagem of the opponent's."""

    code: str


class CounterTarget(Decision, frozen=True):
    """WE-111 The opposing Stratagem that is Countered."""

    rule = "WE-111"

    def form(self, state: WarState) -> One:
        """Every card that may be."""
        return only(tuple(Counter(code) for code in counterable(state, self.by)))

    def resolve(self, r: Resolver[WarState], choice: Counter) -> Flow:
        """WE-112: it leaves the game and can never be picked again."""
        owner = foe(self.by)
        left = tuple(lying for lying in r.state.sides[owner].in_play if lying.code != choice.code)
        r.emit(StratagemCountered(owner, choice.code, left))
        return NEXT


class InstantEffects(Procedure, frozen=True):
    """ED1: Instant effects, one card after the other; `todo` are those still to come, as seat and code."""

    todo: tuple[tuple[int, str], ...]

    @step("WE-110")
    def carry_out(self, r: Resolver[WarState]) -> Flow:
        """WE-Q45 Hold and Retreat, WE-111 Counter, and MP."""
        if not self.todo:
            return DONE
        number, code = self.todo[0]
        seat = Seat(number)
        flow: Flow = NEXT
        found = cards_of(r.state).stratagems[code]
        for effect in instant_effects(r.state, seat, found):
            match effect.op:
                case "hold" | "retreat":
                    _order(r, seat, effect.op, found)
                case "mp":
                    mp = r.state.sides[seat].mp + effect.amount
                    r.emit(MpChanged(seat, mp, (Part("WE-110", effect.amount, found.name),)))
                case "counter":
                    flow = ask_or_take(r, CounterTarget(seat))
        return flow

    @step("WE-183")
    def give_back(self, r: Resolver[WarState]) -> Flow:
        """WE-183, WE-Q40: a card all of whose effects are Instant returns to its deck."""
        number, code = self.todo[0]
        if not cards_of(r.state).stratagems[code].instant:
            return Goto("WE-110", InstantEffects(self.todo[1:]))
        side = r.state.sides[number]
        left = tuple(lying for lying in side.in_play if lying.code != code)
        deck = (*known(side.deck), code)
        r.emit(StratagemReturned(Seat(number), code, left, len(deck), deck))
        return Goto("WE-110", InstantEffects(self.todo[1:]))


def _order(r: Resolver[WarState], seat: Seat, movement: Literal["hold", "retreat"], found: Stratagem) -> None:
    """WE-193, WE-195, WE-196, WE-Q45: Hold in the Range Position, Retreat at Ballistic or Charge; once (WE-Q46)."""
    if all(restriction_met(r.state, seat, restriction, r.state.position) for restriction in found.restrictions):
        r.emit(MovementOrdered(seat, movement))
