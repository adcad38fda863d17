"""What follows from a choice, as far as its seat can know: by the rules themselves, and by nothing that is hidden."""

import random
from fractions import Fraction

import pytest

from domain.kernel import DiceRolled, Part, Refusal
from domain.vera_discordia.rules.deployment import Deploy
from domain.vera_discordia.rules.maneuver import Castle
from projections.foresight import Consequences, foresee, odds, odds_words, roll_words
from projections.games.vera_discordia.words import unit_name
from tests.projections.foresight import FACE, GAME, moments
from tests.projections.matches import mask


@pytest.mark.parametrize("seed", range(6))
def test_what_a_seat_would_draw_or_look_at_is_not_foretold_where_a_few_worlds_agree(seed: int) -> None:
    kinds = ("TerrainExamination", "Exchange")
    looks = [m for m in moments(seed, False, 24) if m.asked.kind in kinds]
    assert looks
    for moment in looks:
        for choice in GAME.revive_decision(moment.asked).form(moment.state):
            view = GAME.view(moment.events, mask(moment.asked.seat))
            told = foresee(FACE, view, moment.state.stack, moment.asked, choice, worlds=1)
            assert not any("looks at the Terrain" in line or "receives" in line for line in told.lines), told


def test_the_last_unit_that_could_hold_the_general_is_warned_of() -> None:
    deployments = [m for m in moments(2, False, 60) if isinstance(m.choice, Deploy) and m.asked.seat == 1]
    warned = [m.foreseen().lost for m in deployments]
    assert not warned[0]
    (said,) = {why for why in warned if why}
    assert said == "The match would be lost: the General was not deployed (VD-129)."
    last = next(m for m, why in zip(deployments, warned, strict=True) if why)
    form = GAME.revive_decision(last.asked).form(last.state)
    saving = next(choice for choice in form if getattr(choice, "general", False))
    assert not last.foreseen(saving).lost


def test_what_is_told_for_certain_happens() -> None:
    told = 0
    for moment in moments(3, True, 130)[::3]:
        found, view = moment.foreseen(), GAME.view(moment.events, mask(moment.asked.seat))
        said, whose = [], ""
        for event in moment.after.events:
            held = GAME.redact(event, mask(moment.asked.seat))
            after = GAME.fold((held,), view)
            said.append(FACE.narrate(view, after, held, moment.asked.seat))
            if isinstance(held, DiceRolled) and not whose:
                whose = f" of {unit_name(view, held.about[0])}" if held.about else ""
            view = after
        assert [line for line in found.lines if line not in said] == []
        rolled = [event for event in moment.after.events if isinstance(event, DiceRolled)]
        ahead, roll, _ = found.roll.partition(f"{rolled[0].title}{whose}: " if rolled else "-")
        assert roll or not found.roll
        assert ahead.strip() in ["", *said], "what the dice are rolled after"
        told += bool(found.lines or found.roll)
    assert told > 20


def test_a_roll_of_the_next_round_is_not_told_as_if_it_decided_the_choice() -> None:
    ended = 0
    for moment in moments(3, True, 240):
        found, events = moment.foreseen(), moment.after.events
        began = next((n for n, event in enumerate(events) if FACE.rounds(event)), None)
        rolled = next((n for n, event in enumerate(events) if isinstance(event, DiceRolled)), None)
        if began is not None and rolled is not None and began < rolled:
            ended += 1
            assert not found.roll
    assert ended


def test_an_order_that_cannot_succeed_is_told() -> None:
    castles = [m for m in moments(3, True, 240) if isinstance(m.choice, Castle) and not m.choice.mobility]
    failed = [any(getattr(event, "failed", False) for event in m.after.events) for m in castles]
    assert any(failed)
    for moment, fails in zip(castles, failed, strict=True):
        assert bool(moment.foreseen().vain) == fails
        assert not fails or "VD-172" in moment.foreseen().vain


def test_the_same_view_is_told_the_same() -> None:
    for moment in moments(3, True, 130)[::13]:
        assert moment.foreseen() == moment.foreseen()


def test_worlds_that_look_alike_are_told_alike() -> None:
    rng = random.Random(1)
    for moment in moments(3, True, 130)[::10]:
        seat = moment.asked.seat
        view = GAME.view(moment.events, mask(seat))
        world = GAME.spec.resample(moment.state, seat, rng.randrange)
        assert foresee(FACE, view, world.stack, moment.asked, moment.choice) == moment.foreseen()


def test_of_a_secret_answer_nothing_is_foreseen() -> None:
    sealed = [m for m in moments(3, True, 130) if m.state.sealed]
    assert sealed
    assert all(m.foreseen() == Consequences() for m in sealed)


def test_a_choice_that_is_not_offered_is_refused() -> None:
    moment = moments(3, True, 130)[0]
    with pytest.raises(Refusal, match="not offered"):
        moment.foreseen(Castle("u9"))  # type: ignore[arg-type]


def roll(*needs: int, parts: tuple[Part, ...] = ()) -> DiceRolled:
    return DiceRolled("VD-217", "Attack", 1, "", 6, (1,) * len(needs), needs=needs, parts=parts)


def test_odds_are_exact() -> None:
    assert odds([4, 4], 6) == [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    assert odds([7, 6], 6) == [Fraction(5, 6), Fraction(1, 6), 0]
    assert sum(odds([2, 3, 4, 5, 6], 6)) == 1


@pytest.mark.parametrize(
    ("roll", "said"),
    [
        (roll(), "Attack: no dice."),
        (roll(3), "Attack: 1 die, 3 or more. Succeeds 67%."),
        (roll(6), "Attack: 1 die, a 6. Succeeds 17%."),
        (roll(7), "Attack: 1 die, which cannot succeed. Succeeds 0%."),
        (
            roll(4, 4, parts=(Part("", 3, "printed"), Part("VD-297", -1, "River"))),
            "Attack: 2 dice (3 printed, −1 River (VD-297)), 4 or more. Of them succeed: none 25%, one 50%, two 25%.",
        ),
        (
            DiceRolled("VD-217", "Attack", 1, "", 6, (1, 1, 1), None, (), ("melee", "melee", "magic"), (4, 4, 3)),
            "Attack: 3 dice, Melee 4 or more, Magic 3 or more. Of them succeed: none 8%, one 33%, two 42%, three 17%.",
        ),
        (
            DiceRolled("VD-217", "Attack", 1, "", 6, (1, 1), None, (), ("melee", "magic"), (4, 4)),
            "Attack: 2 dice, 4 or more. Of them succeed: none 25%, one 50%, two 25%.",
        ),
        (DiceRolled("VD-133", "Initiative", 1, "", 6, (1, 1)), "Initiative: 2 dice."),
    ],
)
def test_a_roll_to_come_says_how_many_dice_why_and_how_likely(roll: DiceRolled, said: str) -> None:
    assert roll_words(roll) == said


def test_what_nearly_never_and_nearly_always_happens_is_not_called_so() -> None:
    assert odds_words([Fraction(999, 1000), Fraction(1, 1000)]) == "Succeeds under 1%."
    assert odds_words([Fraction(1, 1000), Fraction(999, 1000)]) == "Succeeds over 99%."
