"""The checks that every game must pass, one after the other, for `herald conformance` and the tests.

A check gets a table and a seed and raises `AssertionError`, or an error of the kernel, that names the fault.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.kernel import (
    HIDDEN,
    Choice,
    MatchOver,
    NotOffered,
    Refusal,
    Resigned,
    Seat,
    SeenPositions,
    carry_out,
    decide,
    sides_of,
    table_order,
)
from replay.record.line import Codec
from server.conformance.disclosure import disclosure_of, misnamed
from server.conformance.open_cards import open_cards_show_true_hands
from server.conformance.showing import face_of
from server.conformance.walks import CHOICES, PlayedGame, Seeded, Walk, mask, viewers
from server.conformance.watching import agree, known, watch

TRIED: Final = 8
MANY: Final = 400
"""A form with more choices than these is not listed."""

Check = Callable[[PlayedGame, int], None]


def options(walk: Walk, asked: Any) -> list[Choice]:
    """Some options of a decision: the first ones and random ones, all different."""
    form = walk.game.revive_decision(asked).form(walk.state)
    first = [choice for _, choice in zip(range(TRIED), form, strict=False)]
    sampled = [form.sample(walk.random.randrange) for _ in range(TRIED)]
    return list(dict.fromkeys([*first, *sampled]))


def refusal_of(walk: Walk, seat: int, number: int, choice: Choice) -> Refusal | None:
    """The reason why a choice is refused; None if it is accepted."""
    try:
        decide(walk.game, walk.state, Seat(seat), number, choice, Seeded(0))
    except Refusal as refused:
        return refused
    return None


def somebody_has_an_option(table: PlayedGame, seed: int) -> None:
    """Somebody has an option, or the match is over."""
    walk = table.walk(seed)
    for _ in walk.steps():
        assert bool(walk.state.asked) == (not walk.over), "nobody is asked and the match has no result"
        for asked in walk.state.asked:
            form = table.game.revive_decision(asked).form(walk.state)
            assert next(iter(form), None) is not None, f"{asked} has no option"


def every_option_resolves(table: PlayedGame, seed: int) -> None:
    """Every option resolves to a state that can be."""
    game, walk, rng = table.game, table.walk(seed), random.Random(seed)
    for _ in walk.steps():
        for asked in walk.state.asked if rng.random() < 0.3 else ():
            for choice in options(walk, asked):
                made = decide(game, walk.state, asked.seat, asked.number, choice, Seeded(rng.randrange(2**32)))
                assert not list(game.spec.invariants(made.state)), f"{choice}: {list(game.spec.invariants(made.state))}"
                assert made.state.asked or made.state.result is not None, f"{choice}: nobody is asked and no result"


def nothing_else_is_accepted(table: PlayedGame, seed: int) -> None:
    """Nothing but the options is accepted, and a refusal changes nothing."""
    walk = table.walk(seed)
    seen: list[Choice] = []
    for number, _ in enumerate(walk.steps()):
        for asked in walk.state.asked:
            seen += options(walk, asked)[:2]
            form = table.game.revive_decision(asked).form(walk.state)
            if number % 5 or form.count() > MANY:
                continue
            before = walk.state
            for choice in {*seen[-40:]} - set(form):
                refused = refusal_of(walk, asked.seat, asked.number, choice)
                assert isinstance(refused, NotOffered), f"{choice} is accepted by {asked.kind}"
                assert refused.why, f"{asked.kind} refuses {choice} without a reason"
                assert refused.rule, f"{asked.kind} refuses {choice} without a rule"
            assert walk.state is before


def a_forms_statements_agree(table: PlayedGame, seed: int) -> None:
    """A form lists, counts, samples and accepts the same choices."""
    walk = table.walk(seed)
    for number, _ in enumerate(walk.steps()):
        for asked in walk.state.asked if number % 4 == 0 else ():
            decision = table.game.revive_decision(asked)
            form = decision.form(walk.state)
            assert not form.check(form.sample(walk.random.randrange)), f"{asked.kind} samples what it refuses"
            assert not form.check(decision.default(walk.state)), f"{asked.kind} refuses its default"
            if form.count() <= MANY:
                listed = list(form)
                assert len(listed) == len(set(listed)) == form.count(), f"{asked.kind} lists {len(listed)}: {asked}"
                assert all(not form.check(choice) for choice in listed), f"{asked.kind} lists what it refuses"
                assert form.sample(walk.random.randrange) in listed, f"{asked.kind} samples what it does not list"


def decisions_belong_to_their_seat(table: PlayedGame, seed: int) -> None:
    """Only its own seat can answer a decision, and only at its moment."""
    walk = table.walk(seed)
    asked, choice = walk.pick()
    for seat in range(table.game.seats_of(table.options)):
        if seat != asked.seat and asked.number not in {o.number for o in walk.state.asked if o.seat == seat}:
            wrong = refusal_of(walk, seat, asked.number, choice)
            assert wrong is not None, f"seat {seat} answers for seat {asked.seat}"
            assert wrong.code == "not-your-decision", wrong.code
    stale = refusal_of(walk, asked.seat, asked.number + 99, choice)
    assert stale is not None and stale.code == "stale-decision", "a decision that was never asked is answered"  # noqa: PT018
    list(walk.steps())
    assert isinstance(refusal_of(walk, asked.seat, asked.number, choice), MatchOver), "a match that is over goes on"


def matches_end(table: PlayedGame, seed: int) -> None:
    """Matches end within the bound, and every state can be."""
    walk = table.walk(seed + 100)
    for _ in walk.steps(CHOICES):
        faults = list(table.game.spec.invariants(walk.state))
        assert not faults, faults
    assert walk.over, f"no end after {CHOICES} choices"


def lines_read_back_fold_alike(table: PlayedGame, seed: int) -> None:
    """Events written to bytes and read again are the same, and fold to the same state."""
    walk = table.walk(seed)
    list(walk.steps())
    codec: Codec[Any] = Codec(table.game)
    again = [
        codec.read(type(event).__name__, codec.payload(event), tuple(value for _, value in codec.slots(event)))
        for event in walk.events
    ]
    assert again == walk.events, next(f"{a} for {b}" for a, b in zip(again, walk.events, strict=True) if a != b)
    assert table.game.fold(again) == walk.state, "they fold to another state"


def worlds_cannot_be_told_apart(table: PlayedGame, seed: int) -> None:
    """Nobody can tell hidden worlds apart, by events, questions, refusals, words or Scenes."""
    watch(table, seed)


def disclosures_are_of_the_game(table: PlayedGame, seed: int) -> None:
    """The disclosures of a game name public fields and events that it has, each with its rule."""
    del seed
    game, disclosure = table.game, disclosure_of(table.game.name)
    wrong = list(misnamed(disclosure, game.events, game.slots))
    assert not wrong, wrong
    rules = [rule for fields in disclosure.fields.values() for rule in fields.values()]
    assert all([*rules, *disclosure.instead.values(), *disclosure.chosen.values()]), "a field is shown by no rule"


def views_grow_into_the_same(table: PlayedGame, seed: int) -> None:
    """A view that grows event by event equals the one made at once, and the knowledge of `positions.view`."""
    game, walk = table.game, table.walk(seed)
    views = {viewer: game.view(walk.events, mask(viewer)) for viewer in viewers(game, table.options)}
    for number, made in enumerate(walk.steps()):
        for viewer in views:
            views[viewer] = game.fold((game.redact(e, mask(viewer)) for e in made.events), views[viewer])
            if number % 40 == 0:
                assert views[viewer] == game.view(walk.events, mask(viewer)), f"seat {viewer} holds another view"
                assert views[viewer].stack == HIDDEN or walk.over, f"seat {viewer} holds the stack"
            if number % 10 == 0 and not walk.over:
                same = agree(known(game, walk.state, walk.events, viewer), views[viewer])
                assert same, f"positions.view knows otherwise of seat {viewer}"


def what_is_opened_is_in_the_state(table: PlayedGame, seed: int) -> None:
    """Each opened field changes the view: a fact that the fold left out would be drawn anew."""
    game, opened, kept = table.game, set[str](), set[str]()
    for each in range(seed, seed + 3):
        walk = table.walk(each)
        list(walk.steps())
        for seat in viewers(game, table.options)[:-1]:
            view = game.fold(walk.events[:1])
            for event in walk.events[1:]:
                held = game.redact(event, mask(seat))
                after = game.fold((held,), view)
                for slot in game.slots[type(event)] if type(event) in game.spec.events else ():
                    if getattr(held, slot.name) is not HIDDEN:
                        opened.add(f"{type(event).__name__}.{slot.name}")
                        if game.fold((replace(held, **{slot.name: HIDDEN}),), view) != after:
                            kept.add(f"{type(event).__name__}.{slot.name}")
                view = after
    assert not opened - kept, f"no state holds {', '.join(sorted(opened - kept))}"


def resampled_worlds_are_whole(table: PlayedGame, seed: int) -> None:
    """A resampled world looks the same to its viewer, breaks no invariant, and mostly differs.

    Options may open facts that a game usually hides, such as the armies of a beginners' match: with any of them, some
    resampled worlds differ.
    """
    game, walk, rng = table.game, table.walk(seed), random.Random(seed)
    positions, drawn = game.spec.positions, list[bool]()
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game, table.options) if number % 6 == 0 else ():
            world = game.spec.resample(walk.state, viewer, rng.randrange)
            assert not list(game.spec.invariants(world)), f"of seat {viewer}: {list(game.spec.invariants(world))}"
            drawn += [world != walk.state] if not walk.over else []
            if isinstance(positions, SeenPositions):
                one, other = (positions.show(positions.view(state, viewer)) for state in (world, walk.state))
                assert one == other, f"seat {viewer} sees another position"
    least = 0 if table.options else len(drawn) / 2
    assert not any(table.game.slots.values()) or sum(drawn) > least, "resampling mostly gives the same world"


def faces_show_worlds_alike(table: PlayedGame, seed: int) -> None:
    """Scene, board and questions are the same of every world that looks the same."""
    game, walk, rng = table.game, table.walk(seed + 6), random.Random(seed)
    face, positions = face_of(game), game.spec.positions
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game, table.options) if number % 12 == 0 else ():
            if not isinstance(positions, SeenPositions):
                return
            world = game.spec.resample(walk.state, viewer, rng.randrange)
            views = [positions.view(state, viewer) for state in (walk.state, world)]
            real, other = (msgspec.json.encode([face.scene(view, viewer), face.board(view, viewer)]) for view in views)
            assert real == other, f"seat {viewer} is shown another table"
            for asked in walk.state.asked:
                assert face.question(views[0], asked) == face.question(views[1], asked), f"seat {viewer}: {asked.kind}"


def a_view_is_enough_to_draw_a_world(table: PlayedGame, seed: int) -> None:
    """Bots draw worlds out of their view: it must be enough."""
    game, walk, rng = table.game, table.walk(seed + 4), random.Random(seed)
    for number, _ in enumerate(walk.steps()):
        for viewer in viewers(game, table.options) if number % 25 == 0 else ():
            world = game.spec.resample(game.view(walk.events, mask(viewer)), viewer, rng.randrange)
            assert not list(game.spec.invariants(world)), f"of seat {viewer}: {list(game.spec.invariants(world))}"


def a_seat_that_leaves_ends_nothing_else(table: PlayedGame, seed: int) -> None:
    """If seats leave, the others play on to the end or have won, and nobody learns more by it."""
    game, rng, walk = table.game, random.Random(seed), table.walk(seed)
    list(walk.steps(rng.randrange(40)))
    while not walk.over:
        seat = rng.choice(table_order(walk.state))
        standing = [side for side in sides_of(walk.state) if {*side} - {*walk.state.table.left, seat}]
        left = carry_out(game, walk.state, None, Resigned(seat), 0, walk.chance)
        walk.events, walk.state = [*walk.events, *left.events], left.state
        if len(standing) < 2:
            assert left.state.result is not None, f"seat {seat} left and the last side has not won"
            break
        assert not {asked.seat for asked in walk.state.asked} & {*walk.state.table.left}, "who has left is asked"
        assert not list(game.spec.invariants(walk.state)), list(game.spec.invariants(walk.state))
        list(walk.steps(rng.randrange(6)))
    assert game.fold(walk.events) == walk.state


def a_questions_terms_are_in_the_view(table: PlayedGame, seed: int) -> None:
    """A seat can see the things that its question is about: its own view gives the same options."""
    game, walk = table.game, table.walk(seed)
    for _ in walk.steps():
        for asked in walk.state.asked:
            view = game.view(walk.events, mask(asked.seat))
            decision = game.revive_decision(asked)
            ours, theirs = (
                [choice for _, choice in zip(range(MANY), decision.form(state), strict=False)]
                for state in (walk.state, view)
            )
            assert ours == theirs, f"{asked.kind} cannot be read out of the view of seat {asked.seat}"


CHECKS: Final[Mapping[str, tuple[Check, int]]] = {
    (check.__doc__ or check.__name__).splitlines()[0].rstrip("."): (check, seeds)
    for check, seeds in (
        (somebody_has_an_option, 3),
        (every_option_resolves, 2),
        (nothing_else_is_accepted, 2),
        (a_forms_statements_agree, 2),
        (decisions_belong_to_their_seat, 2),
        (matches_end, 20),
        (lines_read_back_fold_alike, 3),
        (views_grow_into_the_same, 2),
        (what_is_opened_is_in_the_state, 1),
        (a_view_is_enough_to_draw_a_world, 2),
        (a_questions_terms_are_in_the_view, 2),
        (resampled_worlds_are_whole, 2),
        (faces_show_worlds_alike, 2),
        (a_seat_that_leaves_ends_nothing_else, 4),
        (disclosures_are_of_the_game, 1),
        (worlds_cannot_be_told_apart, 3),
        (open_cards_show_true_hands, 2),
    )
}
"""Each check by its sentence, and the number of seeds it is tried with."""
