"""Play: how a choice becomes events, up to the next pause."""

import pytest

from domain.kernel import (
    DONE,
    HIDDEN,
    NEXT,
    Ask,
    Call,
    Chosen,
    DecisionsOpened,
    Flow,
    Goto,
    KernelFault,
    MatchOver,
    NoChance,
    NotBegun,
    NotOffered,
    NotPending,
    NotYours,
    Play,
    Procedure,
    Refusal,
    Resolver,
    ask,
    decide,
    frames,
    pending,
    step,
)
from tests.domain.kernel.toy import FIRST, SECOND, Noted, Question, Say, Single, Table, Words


class Both(Procedure, frozen=True):
    """A question to both at once; each answer counts when it comes."""

    @step("T-1")
    def question(self, r: Resolver[Words]) -> Flow:
        return ask(Question(FIRST), Question(SECOND))

    @step("T-2")
    def after(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("after"))
        return NEXT


class Sealed(Procedure, frozen=True):
    """A question to both at once, answered in secret."""

    @step("T-1")
    def question(self, r: Resolver[Words]) -> Flow:
        return ask(Question(FIRST), Question(SECOND), sealed=True)

    @step("T-2")
    def after(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("after"))
        return NEXT


def test_a_pause_stores_who_is_asked_what_and_where_the_rules_stand() -> None:
    state = Table(Single).begin().state
    assert [(a.number, a.seat, a.kind, a.terms) for a in state.asked] == [(1, 0, "Question", {"by": 0})]
    assert frames(state.stack) == ("Opening T-CLOSE", "Single T-1")


def test_the_procedure_goes_on_after_the_answer() -> None:
    table = Table(Single).begin().answer(0)
    assert table.words == ("0:yes", "after")
    assert table.state.result is not None


def test_the_answer_stands_before_what_comes_of_it() -> None:
    table = Table(Single).begin().answer(0, "no")
    chosen, *rest = [e for e in table.events if isinstance(e, Chosen | Noted)]
    assert chosen == Chosen(FIRST, 1, choice={"do": "Say", "word": "no"})
    assert rest == [Noted("0:no"), Noted("after")]


def test_deciding_leaves_the_state_untouched_so_that_it_can_be_forked() -> None:
    table = Table(Single).begin()
    before, game = table.state, table.game
    one, other = (decide(game, before, FIRST, 1, Say(word), NoChance()) for word in ("yes", "no"))
    assert before.words == ()
    assert one.state.words == ("0:yes", "after")
    assert other.state.words == ("0:no", "after")


def test_a_match_goes_on_from_its_events_alone() -> None:
    table = Table(Both).begin().answer(1)
    again = table.game.fold(table.events)
    assert again == table.state
    assert decide(table.game, again, FIRST, 1, Say("yes"), NoChance()).state.words == ("1:yes", "0:yes", "after")


def test_decisions_are_numbered_without_gaps() -> None:
    class Twice(Procedure, frozen=True):
        @step("T-1")
        def both(self, r: Resolver[Words]) -> Flow:
            return ask(Question(FIRST), Question(SECOND))

        @step("T-2")
        def one(self, r: Resolver[Words]) -> Flow:
            return ask(Question(SECOND))

    table = Table(Twice).begin()
    assert [asked.number for asked in table.state.asked] == [1, 2]
    assert [asked.number for asked in table.answer(0).answer(1).state.asked] == [3]


def test_answers_at_once_count_when_they_come() -> None:
    table = Table(Both).begin().answer(1)
    assert table.words == ("1:yes",)
    assert pending(table.state, SECOND) == ()
    assert [asked.seat for asked in pending(table.state)] == [FIRST]
    assert table.answer(0).words == ("1:yes", "0:yes", "after")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_sealed_answers_wait_for_each_other_and_count_in_the_order_asked(order: tuple[int, int]) -> None:
    table = Table(Sealed).begin().answer(order[0])
    assert table.words == ()
    said = {order[0]: "yes", order[1]: "no"}
    assert table.answer(order[1], "no").words == (f"0:{said[0]}", f"1:{said[1]}", "after")


def test_a_sealed_answer_is_its_seats_secret() -> None:
    table = Table(Sealed).begin().answer(0, "no")
    assert [answered.choice for answered in table.view(0).answered] == [{"do": "Say", "word": "no"}]
    assert [answered.choice for answered in table.view(1).answered] == [HIDDEN]
    assert [answered.choice for answered in table.view(None).answered] == [HIDDEN]


def test_a_single_question_is_not_sealed() -> None:
    class Alone(Procedure, frozen=True):
        @step("T-1")
        def question(self, r: Resolver[Words]) -> Flow:
            return ask(Question(FIRST), sealed=True)

    assert not Table(Alone).begin().state.sealed


class Wayward(Question, frozen=True):
    """Does not go on with the next step."""

    def resolve(self, r: Resolver[Words], choice: Say) -> Flow:
        r.emit(Noted(f"{self.by}:{choice.word}"))
        return DONE if choice.word == "yes" else Goto("T-2")


@pytest.mark.parametrize("sealed", [False, True])
def test_of_several_answers_only_the_last_says_where_to_go_on(*, sealed: bool) -> None:
    class Torn(Procedure, frozen=True):
        @step("T-1")
        def question(self, r: Resolver[Words]) -> Flow:
            return Ask((Wayward(FIRST), Wayward(SECOND)), sealed)

        @step("T-2")
        def after(self, r: Resolver[Words]) -> Flow:
            r.emit(Noted("after"))
            return NEXT

    table = Table(Torn, decisions=(Wayward,)).begin()
    with pytest.raises(KernelFault, match="Wayward"):
        table.answer(0, "no").answer(1, "yes")


def test_sealed_answers_that_agree_may_end_the_procedure() -> None:
    class Agreed(Procedure, frozen=True):
        @step("T-1")
        def question(self, r: Resolver[Words]) -> Flow:
            return ask(Wayward(FIRST), Wayward(SECOND), sealed=True)

        @step("T-2")
        def never(self, r: Resolver[Words]) -> Flow:
            raise AssertionError("ended before")

    assert Table(Agreed, decisions=(Wayward,)).begin().answer(0).answer(1).words == ("0:yes", "1:yes")


class FollowUp(Question, frozen=True):
    """An answer that leads to another question, or into another procedure."""

    def resolve(self, r: Resolver[Words], choice: Say) -> Flow:
        return ask(Question(SECOND)) if choice.word == "yes" else Call(Single(SECOND))


class Outer(Procedure, frozen=True):
    @step("O-1")
    def question(self, r: Resolver[Words]) -> Flow:
        return ask(FollowUp(FIRST))

    @step("O-2")
    def after(self, r: Resolver[Words]) -> Flow:
        r.emit(Noted("outer"))
        return NEXT


@pytest.mark.parametrize(("word", "words"), [("yes", ("1:no", "outer")), ("no", ("1:no", "after", "outer"))])
def test_an_answer_may_lead_to_another_question(word: str, words: tuple[str, ...]) -> None:
    table = Table(Outer, Single, decisions=(FollowUp, Question)).begin().answer(0, word)
    assert [asked.seat for asked in table.state.asked] == [SECOND]
    assert table.answer(1, "no").words == words


def refusal_of(table: Table, seat: int, number: int, choice: Say) -> Refusal:
    before = table.state
    with pytest.raises(Refusal) as refused:
        decide(table.game, table.state, FIRST if seat == 0 else SECOND, number, choice, NoChance())
    assert table.state is before
    assert refused.value.why.endswith(".")
    return refused.value


def test_a_choice_before_the_match_is_refused() -> None:
    assert isinstance(refusal_of(Table(Single), 0, 1, Say("yes")), NotBegun)


def test_a_choice_for_another_seats_decision_is_refused() -> None:
    assert isinstance(refusal_of(Table(Single).begin(), 1, 1, Say("yes")), NotYours)


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_choice_for_a_decision_that_is_not_open_is_refused(number: int) -> None:
    assert isinstance(refusal_of(Table(Single).begin(), 0, number, Say("yes")), NotPending)


def test_a_second_answer_to_one_decision_is_refused() -> None:
    assert isinstance(refusal_of(Table(Sealed).begin().answer(0), 0, 1, Say("no")), NotPending)


def test_a_choice_that_is_not_offered_is_refused_with_its_rule() -> None:
    refusal = refusal_of(Table(Single).begin(), 0, 1, Say("perhaps"))
    assert isinstance(refusal, NotOffered)
    assert refusal.rule == "T-Q"


def test_a_choice_after_the_end_is_refused() -> None:
    assert isinstance(refusal_of(Table(Single).begin().answer(0), 0, 1, Say("yes")), MatchOver)


def test_a_note_is_kept_with_the_choice() -> None:
    table = Table(Single).begin()
    note = Chosen(FIRST, 1, "c7", "clock", 3, "head")
    made = decide(table.game, table.state, FIRST, 1, Say("no"), NoChance(), note=note).events[0]
    assert made == Chosen(FIRST, 1, "c7", "clock", 3, "head", {"do": "Say", "word": "no"})


def test_a_view_cannot_be_played_on() -> None:
    table = Table(Single).begin()
    with pytest.raises(KernelFault, match="view"):
        decide(table.game, table.view(0), FIRST, 1, Say("yes"), NoChance())
    assert frames(table.view(0).stack) == ()


def test_a_procedure_that_is_not_registered_cannot_be_stored() -> None:
    class Stranger(Single, frozen=True):
        @step("T-9")
        def question(self, r: Resolver[Words]) -> Flow:
            return ask(Question(FIRST))

    class Inviting(Procedure, frozen=True):
        @step("T-1")
        def call(self, r: Resolver[Words]) -> Flow:
            return Call(Stranger())

    with pytest.raises(KernelFault, match="Stranger"):
        Table(Inviting).begin()


def test_asking_nobody_is_our_fault() -> None:
    class Silent(Procedure, frozen=True):
        @step("T-1")
        def question(self, r: Resolver[Words]) -> Flow:
            return ask()

    with pytest.raises(KernelFault, match="nobody"):
        Table(Silent).begin()


class Rest(Procedure, frozen=True):
    @step("T-1")
    def rest(self, r: Resolver[Words]) -> Flow:
        return NEXT


def test_procedures_that_end_without_a_result_are_our_fault() -> None:
    table = Table(Single)
    with pytest.raises(KernelFault, match="without a result"):
        Play(table.game, table.state, NoChance()).begin(Rest())


def test_the_opened_decisions_are_the_last_event_of_a_pause() -> None:
    assert isinstance(Table(Both).begin().events[-1], DecisionsOpened)


def test_the_default_is_an_option() -> None:
    table = Table(Single).begin()
    decision = table.game.revive_decision(table.state.asked[0])
    assert decision == Question(FIRST)
    assert decision.form(table.state).check(decision.default(table.state)) == ""
