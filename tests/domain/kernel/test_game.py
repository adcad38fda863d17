"""A careless game does not load; a loaded one reads what it wrote."""

from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    HIDDEN,
    Call,
    Choice,
    Chosen,
    Event,
    Flow,
    Game,
    GameInvalid,
    Hidden,
    KernelFault,
    Mask,
    MatchCreated,
    Nobody,
    NotAChoice,
    Only,
    Procedure,
    Resolver,
    Seat,
    ask,
    only,
    step,
)
from domain.kernel.events import KERNEL_EVENTS
from domain.kernel.evolve import KERNEL_EVOLVE
from tests.domain.kernel.toy import CREATED, FIRST, Question, Say, Single, Table, Words, noted, toy_spec


class Careless(Event, frozen=True):
    """May be hidden, names no audience."""

    card: int | Hidden = 0


class Untagged(Struct, frozen=True):
    """Nothing in the JSON tells it from `HIDDEN`."""

    card: int = 0


class Unreadable(Event, frozen=True):
    """Holds a secret struct without a tag."""

    card: Annotated[Untagged | Hidden, Nobody()] = HIDDEN


class Forgotten(Event, frozen=True):
    """Has no evolve function."""

    card: int


class Ruleless(Question, frozen=True):
    """Names no rule."""

    rule = ""


class Stepless(Procedure, frozen=True):
    """Has no steps."""


class Dangling(Procedure, frozen=True):
    """Its alias leads nowhere."""

    aliases = {"T-0": "T-9"}

    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("never played")


class Shadowing(Procedure, frozen=True):
    """Its alias hides a step."""

    aliases = {"T-1": "T-1"}

    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("never played")


class Stepping(Procedure, frozen=True):
    """Well made, but listed nowhere."""

    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        raise AssertionError("never played")


class Calling(Procedure, frozen=True):
    """Calls a procedure that is not listed."""

    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        return Call(Stepping())


class Unlisted(Question, frozen=True):
    """Well made, but listed nowhere."""


class Asking(Procedure, frozen=True):
    """Asks a decision that is not listed, inside a comprehension."""

    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        return ask(*(Unlisted(seat) for seat in (FIRST,)))


def asked_of_the_first() -> Flow:
    return ask(Unlisted(FIRST))


class Roundabout(Procedure, frozen=True):
    """Asks it by way of a function."""

    @step("T-1")
    def one(self, r: Resolver[Words]) -> Flow:
        return asked_of_the_first()


class Inviting(Question, frozen=True):
    """Goes on with a procedure that is not listed."""

    def resolve(self, r: Resolver[Words], choice: Any) -> Flow:
        return Call(Stepping())


class ForMany(Event, frozen=True):
    """For several seats, which no slot can be."""

    seats: tuple[Seat, ...]
    card: Annotated[int | Hidden, Only("seats")] = HIDDEN


class ForSome(Event, frozen=True):
    """For a seat that there may not be."""

    seat: Seat | None = None
    card: Annotated[int | Hidden, Only()] = HIDDEN


def named(kind: str) -> Any:
    """Another event class of that name."""
    return msgspec.defstruct(kind, [("card", int)], bases=(Event,), frozen=True)


SPEC = toy_spec(Single)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"events": (*SPEC.events, Careless)}, "Careless.card may be hidden"),
        ({"events": (*SPEC.events, Unreadable)}, "Unreadable could not be read from a record"),
        ({"events": (*SPEC.events, Forgotten)}, "Forgotten has no evolve function"),
        ({"decisions": (Question, Ruleless)}, "Ruleless names no rule"),
        ({"procedures": (*SPEC.procedures, Stepless)}, "Stepless needs steps"),
        ({"procedures": (*SPEC.procedures, Dangling)}, "Dangling has an alias T-0"),
        ({"procedures": (*SPEC.procedures, Shadowing)}, "Shadowing has an alias T-1"),
        ({"events": (*SPEC.events, named("Noted"))}, "Noted stands there twice"),
        ({"events": (*SPEC.events, named("Chosen"))}, "Chosen stands there twice"),
        ({"decisions": (Question, Question)}, "Question stands there twice"),
        ({"seats": 0}, "0 seats; a game has 1 to 8"),
        ({"seats": 9}, "9 seats; a game has 1 to 8"),
        ({"procedures": (*SPEC.procedures, Calling)}, "Stepping, which the rules name, is not among the procedures"),
        ({"procedures": (*SPEC.procedures, Asking)}, "Unlisted, which the rules name, is not among the decisions"),
        ({"decisions": (Question, Inviting)}, "Stepping, which the rules name, is not among the procedures"),
        ({"procedures": (*SPEC.procedures, Roundabout)}, "Unlisted, which the rules name, is not among the decisions"),
        ({"opening": lambda _: Stepping()}, "Stepping, which the rules name, is not among the procedures"),
        ({"decisions": ()}, "Question, which the rules name, is not among the decisions"),
        ({"events": (*SPEC.events, ForMany)}, "ForMany.card is for 'seats', which does not always hold one seat"),
        ({"events": (*SPEC.events, ForSome)}, "ForSome.card is for 'seat', which does not always hold one seat"),
        ({"choices": (Say, Say)}, "Say stands there twice"),
        ({"procedures": (*SPEC.procedures, Single)}, "Single stands there twice"),
    ],
)
def test_a_careless_game_does_not_load(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(GameInvalid, match=f"toy: {why}"):
        Game(replace(SPEC, **changes))


def test_the_game_that_the_careless_ones_differ_from_loads() -> None:
    assert Game(SPEC).name == "toy"


def test_every_event_of_the_kernel_has_an_evolve_function() -> None:
    assert set(KERNEL_EVENTS) - set(KERNEL_EVOLVE) == {MatchCreated}
    assert not set(KERNEL_EVOLVE) - set(KERNEL_EVENTS)


def test_a_record_begins_with_the_creation_of_the_match() -> None:
    table = Table(Single).begin()
    with pytest.raises(KernelFault, match="MatchCreated"):
        table.game.fold(table.events[1:])
    with pytest.raises(KernelFault, match="MatchCreated"):
        table.game.fold([])


def test_folding_in_parts_is_folding_at_once() -> None:
    table = Table(Single).begin().answer(0)
    game, events = table.game, table.events
    assert [game.fold(events[at:], game.fold(events[:at])) for at in range(1, len(events))] == [table.state] * (
        len(events) - 1
    )


def test_options_that_the_game_does_not_have_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="colour"):
        Game(SPEC).created(replace(CREATED, options={"colour": "red"}))


def test_players_are_known_from_the_first_line() -> None:
    assert Game(SPEC).created(CREATED).players == ("Ada", "Bo")


def test_a_seats_view_holds_its_own_choices_and_nobody_elses() -> None:
    table = Table(Single).begin().answer(0, "no")
    chosen = next(event for event in table.events if isinstance(event, Chosen))
    for viewer in range(256):
        seen = table.game.redact(chosen, Mask(viewer))
        assert isinstance(seen, Chosen)
        assert isinstance(seen.choice, Hidden) is not bool(viewer & 1)


def test_decisions_and_procedures_survive_storage() -> None:
    table = Table(Single).begin()
    again = msgspec.json.decode(msgspec.json.encode(table.state.asked), type=type(table.state.asked[0]) | Any)
    assert msgspec.convert(again, tuple[type(table.state.asked[0]), ...]) == table.state.asked  # type: ignore[misc]
    frame = table.game.frame(Single(Seat(1)), "T-2")
    assert table.game.revive_frame(frame) == (Single(Seat(1)), "T-2")


def test_a_form_is_made_once_for_a_question_in_a_state_and_anew_for_any_other() -> None:
    table = Table(Single).begin()
    game, state, asked = table.game, table.state, table.state.asked[0]
    form = game.form(asked, state)
    assert form == only((Say("yes"), Say("no")))
    assert game.form(asked, state) is form
    assert game.form(asked, replace(state)) is not form  # a state that looks alike is another one
    form = game.form(asked, state)
    assert game.form(replace(asked), state) is not form


def test_a_decision_that_is_not_registered_cannot_be_asked() -> None:
    class Stranger(Question, frozen=True):
        """Nobody knows it."""

    class Asking(Procedure, frozen=True):
        @step("T-1")
        def question(self, r: Resolver[Words]) -> Flow:
            return ask(Stranger(FIRST))

    with pytest.raises(KernelFault, match="Stranger"):
        Table(Asking).begin()


@pytest.mark.parametrize("data", [{"do": "Say", "word": "yes"}, b'{"do":"Say","word":"yes"}', Say("yes")])
def test_a_choice_is_read_from_data_and_from_bytes(data: object) -> None:
    plain = msgspec.to_builtins(data) if isinstance(data, Choice) else data
    assert Game(SPEC).read_choice(plain) == Say("yes")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["do", "word", "x"]), inner),
)
GAME = Game(SPEC)


@given(st.binary() | JSON)
def test_what_is_no_choice_is_refused_with_a_sentence(data: object) -> None:
    try:
        why = "" if isinstance(GAME.read_choice(data), Say) else "another class"
    except NotAChoice as refused:
        why = refused.why
    assert why == "" or why.startswith("The choice cannot be read")


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"do":"Say","word":' + b"[" * 100_000])
def test_a_choice_nested_too_deeply_is_refused(data: bytes) -> None:
    with pytest.raises(NotAChoice):
        GAME.read_choice(data)


def test_evolving_never_looks_into_a_secret() -> None:
    table = Table(Single).begin().answer(0)
    views = [table.view(seat) for seat in (0, 1, None)]
    assert [view.words for view in views] == [table.words] * 3
    assert [view.result for view in views] == [table.state.result] * 3
    assert noted(Words(), table.events[-2]).words == ("after",)  # type: ignore[arg-type]
