"""A challenge is answered once, in a minute, and for one purpose and place."""

import pytest

from server.people.challenges import CHALLENGE_S, Challenges, SigningPlace, signed_message


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


def test_a_challenge_is_taken_once_and_a_new_one_voids_the_former() -> None:
    challenges = Challenges(Clock())
    assert challenges.take() == ""
    first, second = challenges.draw(), challenges.draw()
    assert first != second
    assert len(second) == 43
    assert challenges.take() == second
    assert challenges.take() == ""


@pytest.mark.parametrize(("passed", "holds"), [(CHALLENGE_S - 0.1, True), (CHALLENGE_S, False)])
def test_a_challenge_lasts_a_minute(passed: float, holds: bool) -> None:
    clock = Clock()
    challenges = Challenges(clock)
    drawn = challenges.draw()
    clock.s += passed
    assert challenges.take() == (drawn if holds else "")


def test_what_is_signed_differs_by_purpose_place_challenge_and_every_border_between_parts() -> None:
    here = SigningPlace("a.example", "https://a.example")
    messages = [
        signed_message("sign-in", here, "c", "key"),
        signed_message("sign-up", here, "c", "key"),
        signed_message("sign-in", SigningPlace("b.example", here.origin), "c", "key"),
        signed_message("sign-in", SigningPlace(here.site, "https://b.example"), "c", "key"),
        signed_message("sign-in", here, "d", "key"),
        signed_message("sign-in", here, "ck", "ey"),
        signed_message("sign-in", here, "c", "ke", "y"),
    ]
    assert len({*messages}) == len(messages)
