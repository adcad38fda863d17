"""Section AH: what each viewer may know, checked at every pause of whole matches played at random."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.commons.cards import known
from domain.commons.rows import BOTH
from domain.kernel import HIDDEN, DecisionsOpened, DiceRolled, Event, Hidden, MatchCreated, Seat, begin, decide
from domain.vera_discordia import GAME
from domain.vera_discordia.rules.strategy import is_damaged
from domain.vera_discordia.state.events import AttackDeclared, OrderDiscarded
from domain.vera_discordia.state.state import VeraState
from server.conformance.translation import played as random_match
from server.conformance.walks import Seeded
from tests.domain.vera_discordia.table import blue, execute, given, red

SEEDS = (1, 2, 3)
CHAMPIONSHIP = {"generals": ["skrell", "isaut"], "championship": True, "hurry_up_s": 60}
PAUSES = 260
MATCHES = (("ykora", "lhaia"), ("urgga", "dorne"), ("vale", "sevhal"))


class Pause:
    """A match at a pause: the whole state and each viewer's view, None a spectator."""

    def __init__(self, state: VeraState, views: dict[int | None, VeraState], events: list[Event]) -> None:
        self.state = state
        self.views = views
        self.events = events


def pauses(seed: int) -> Iterator[Pause]:
    """Random play, folded for everybody as it is told."""
    random, chance = Random(seed), Seeded(seed)
    created = MatchCreated("vera_discordia", {"generals": list(MATCHES[seed % 3])}, ("Ada", "Bo"))
    state = GAME.created(created)
    views: dict[int | None, VeraState] = dict.fromkeys((0, 1, None), state)
    resolver = begin(GAME, state, chance)
    for _ in range(PAUSES):
        for viewer, view in views.items():
            views[viewer] = GAME.fold((_seen(event, viewer) for event in resolver.events), view)
        state = resolver.state
        yield Pause(state, dict(views), resolver.events)
        if state.result is not None:
            return
        asked = random.choice(state.asked)
        form = GAME.revive_decision(asked).form(state)
        choice = form.sample(random.randrange)
        resolver = decide(GAME, state, asked.seat, asked.number, choice, chance)


def _seen(event: Event, viewer: int | None) -> Event:
    return GAME.redact(event, 0 if viewer is None else 1 << viewer)  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=SEEDS)
def played(request: pytest.FixtureRequest) -> list[Pause]:
    return list(pauses(request.param))


def test_vd_009_dice_have_six_sides(played: list[Pause]) -> None:
    rolls = [event for pause in played for event in pause.events if isinstance(event, DiceRolled)]
    assert rolls
    assert {roll.sides for roll in rolls} == {6}
    assert all(1 <= face <= 6 for roll in rolls for face in roll.dice)


def test_vd_044_vd_045_an_open_unit_is_never_closed_again(played: list[Pause]) -> None:
    opened: set[str] = set()
    for pause in played:
        assert opened <= {i for i, unit in pause.state.units.items() if unit.open} | (opened - set(pause.state.units))
        opened |= {i for i, unit in pause.state.units.items() if unit.open}
    assert opened


def test_vd_086_vd_087_units_stay_on_their_own_spaces_and_terrain_does_not_move(played: list[Pause]) -> None:
    laid = {pause.state.terrain for pause in played if pause.state.terrain}
    assert len(laid) == 1
    for pause in played:
        assert all(key[0] == str(pause.state.units[unit].seat) for key, unit in pause.state.at.items())


def test_vd_364_vd_368_closed_units_and_armies_are_their_owners(played: list[Pause]) -> None:
    seen = 0
    for pause in played:
        for seat in BOTH:
            for viewer, view in pause.views.items():
                side = view.sides[seat]
                mine = viewer == seat
                assert not side.covert or isinstance(side.covert, Hidden) is not mine
                assert not side.rest or isinstance(side.rest, Hidden)
                for unit_id, unit in view.units.items():
                    closed = unit.seat == seat and not unit.open
                    seen += closed
                    assert isinstance(unit.card, Hidden) is (closed and not mine) or unit.seat != seat
                    if not closed:
                        continue
                    whole = pause.state.units[unit_id]
                    assert (unit.space, unit.general, unit.marker) == (whole.space, whole.general, whole.marker)
                    assert (unit.order is None) is (whole.order is None)
    assert seen


def test_vd_365_an_undamaged_closed_unit_shows_no_life(played: list[Pause]) -> None:
    for pause in played:
        for unit_id, unit in pause.state.units.items():
            told = pause.views[None].units[unit_id]
            if not unit.open:
                assert isinstance(told.life, Hidden)
                assert (told.marker is not None) is is_damaged(pause.state, unit)
            else:
                assert told.life == unit.life


def test_vd_375_vd_376_vd_380_vd_q14_decks_hands_and_piles_show_their_sizes_and_top_only(played: list[Pause]) -> None:
    for pause in played:
        for seat in BOTH:
            whole = pause.state.sides[seat]
            for viewer, view in pause.views.items():
                side = view.sides[seat]
                assert not side.deck or isinstance(side.deck, Hidden)
                assert not side.pile or isinstance(side.pile, Hidden)
                assert viewer == seat or not side.hand or isinstance(side.hand, Hidden)
                sizes = (side.deck_size, side.hand_size, side.pile_size, side.top)
                assert sizes == (whole.deck_size, whole.hand_size, whole.pile_size, whole.top)


def test_vd_377_vd_378_vd_379_face_down_orders_are_their_owners_unless_shown(played: list[Pause]) -> None:
    hidden = 0
    for pause in played:
        for unit_id, unit in pause.state.units.items():
            if unit.order is None:
                continue
            own, other = (pause.views[viewer].units[unit_id].order for viewer in (unit.seat, 1 - unit.seat))
            assert own is not None
            assert other is not None
            assert own.type == unit.order.type
            assert isinstance(other.type, Hidden) is not (unit.order.up or unit.order.seen)
            hidden += isinstance(other.type, Hidden)
    assert hidden


def test_vd_373_vd_374_terrain_is_known_to_those_who_looked_until_all_is_revealed(played: list[Pause]) -> None:
    for pause in played:
        for viewer, view in pause.views.items():
            if not pause.state.terrain:
                assert not view.laid or isinstance(view.laid, Hidden)
                for key, terrain in view.looked.items():
                    assert isinstance(terrain, Hidden) is not (viewer == int(key[0]))
            else:
                assert view.terrain == pause.state.terrain


def test_vd_393_what_is_public_is_the_same_for_all(played: list[Pause]) -> None:
    for pause in played:
        for view in pause.views.values():
            assert view.at == pause.state.at
            assert (view.initiative, view.round, view.phase) == (
                pause.state.initiative,
                pause.state.round,
                pause.state.phase,
            )
            for seat in BOTH:
                mine, whole = view.sides[seat], pause.state.sides[seat]
                assert (mine.motivation, mine.destroyed, mine.declared) == (
                    whole.motivation,
                    whole.destroyed,
                    whole.declared,
                )
            assert {i: u.capture for i, u in view.units.items()} == {i: u.capture for i, u in pause.state.units.items()}


def test_vd_395_what_a_player_is_asked_follows_from_what_he_knows(played: list[Pause]) -> None:
    """Every form is computed alike from the player's own view and from the whole state."""
    for pause in played:
        for asked in pause.state.asked:
            decision = GAME.revive_decision(asked)
            assert decision.form(pause.views[asked.seat]) == decision.form(pause.state)


def test_vd_395_the_stack_of_procedures_is_nobodys(played: list[Pause]) -> None:
    opened = [event for pause in played for event in pause.events if isinstance(event, DecisionsOpened)]
    assert opened
    assert all(isinstance(_seen(event, viewer).stack, Hidden) for event in opened for viewer in (0, 1, None))  # type: ignore[attr-defined]


def test_vd_394_units_are_named_by_the_order_of_deployment(played: list[Pause]) -> None:
    assert {unit for pause in played for unit in pause.state.units} == {f"u{i}" for i in range(1, 17)}


def test_vd_131_every_match_goes_through_the_set_up_to_the_battle(played: list[Pause]) -> None:
    assert played[-1].state.round >= 1
    kinds = {asked.kind for pause in played for asked in pause.state.asked}
    assert {"Exchange", "ClosedSelection", "Deployment", "OrderIssue", "OrderReturn", "OrderExecution"} <= kinds


def test_vd_368_vd_q57_what_is_hidden_can_be_anything_consistent(played: list[Pause]) -> None:
    """A world drawn anew for a viewer looks the same to him."""
    random = Random(9)
    for pause in played[:: max(1, len(played) // 12)]:
        for viewer in BOTH:
            world = GAME.spec.resample(pause.state, viewer, random.randrange)
            assert not list(GAME.spec.invariants(world))
            assert world.at == pause.state.at
            assert world.sides[viewer].hand == pause.state.sides[viewer].hand


def test_vd_q57_a_world_is_drawn_from_a_view_that_few_armies_fit() -> None:
    """Six Closed Units, one of which rolled for Autonomy and no other: no army of some hundreds fits by luck."""
    match = [event for event, _ in random_match(GAME, 7, CHAMPIONSHIP)]
    view = GAME.fold((_seen(match[0], 0),))
    drawn, random = 0, Random(3)
    for event in match[1:]:
        view = GAME.fold((_seen(event, 0),), view)
        if isinstance(event, DecisionsOpened) and event.asked[0].number >= 43:
            side = GAME.spec.resample(view, Seat(0), random.randrange).sides[1]
            assert not isinstance(side.rest, Hidden)
            assert not isinstance(side.covert, Hidden)
            drawn += 1
    assert drawn > 10


@pytest.mark.parametrize(("seed", "options"), [(3, CHAMPIONSHIP), (7, {})])
def test_vd_370_a_world_is_drawn_while_an_army_of_which_little_fits_is_still_to_be_shown(
    seed: int, options: dict[str, Any]
) -> None:
    """Vision and Stealth are announced before Open and Closed Units are chosen: one army in fifty has as many."""
    match = [event for event, _ in random_match(GAME, seed, options)]
    view, drawn = GAME.fold((_seen(match[0], 1),)), 0
    for event in match[1:]:
        view = GAME.fold((_seen(event, 1),), view)
        if isinstance(event, DecisionsOpened) and any(asked.kind == "ClosedSelection" for asked in event.asked):
            for draw in range(20):
                side = GAME.spec.resample(view, Seat(1), Random(draw).randrange).sides[0]
                assert not isinstance(side.recruits, Hidden)
                assert not isinstance(side.rest, Hidden)
                drawn += 1
    assert drawn


def test_vd_390_supports_and_targets_are_chosen_without_hidden_knowledge() -> None:
    pieces = (red("V1", "attack"), blue("V2", "attack", closed=True), blue("R1", "", closed=True))
    table = given(*pieces).when(0, execute("0V1"))
    hidden = {
        i: replace(unit, card=HIDDEN, life=HIDDEN, order=unit.order and replace(unit.order, type=HIDDEN))
        if unit.seat == Seat(1) and not unit.open
        else unit
        for i, unit in table.state.units.items()
    }
    view = replace(table.state, units=hidden)
    (asked,) = table.state.asked
    decision = GAME.revive_decision(asked)
    assert decision.form(view) == decision.form(table.state)
    assert table.of(AttackDeclared) == []


def test_vd_380_each_discard_is_seen_by_everybody(played: list[Pause]) -> None:
    discards: list[Any] = [e for pause in played for e in pause.events if isinstance(e, OrderDiscarded)]
    assert discards
    assert all(_seen(event, None) == event for event in discards)
    assert known(discards[0].order)
