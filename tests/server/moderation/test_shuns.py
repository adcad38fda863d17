"""Blocks and mutes that last: over all matches and devices, and unknown to the other."""

import pytest

from server.moderation.errors import SafetyRefused
from server.moderation.shuns import Shuns
from server.moderation.staff_log import HOST
from tests.server.moderation.club import Club

ANJA, BO, CEM = "p/Anja", "p/Bo", "p/Cem"


def test_two_persons_may_meet_unless_one_blocks_the_other() -> None:
    club = Club("Anja", "Bo", "Cem")
    assert club.shuns.may_meet(ANJA, BO)
    club.shuns.shun(ANJA, BO, "mute", "Bo")
    assert club.shuns.may_meet(ANJA, BO)
    club.shuns.shun(ANJA, BO, "block", "Bo")
    assert [club.shuns.may_meet(*pair) for pair in ((ANJA, BO), (BO, ANJA), (ANJA, CEM))] == [False, False, True]
    club.store.moderation.unshun(ANJA, BO)
    assert club.shuns.may_meet(BO, ANJA)


def test_nobody_meets_one_whom_the_staff_has_shut_out() -> None:
    club = Club("Anja", "Bo")
    club.moderators.act(HOST, BO, "mute", "He shouted.")
    assert club.shuns.may_meet(ANJA, BO)
    club.moderators.act(HOST, BO, "suspend", "Again.", days=1)
    assert not club.shuns.may_meet(ANJA, BO)


def test_the_seats_of_those_whom_a_person_shuns_are_muted_in_every_match() -> None:
    club = Club("Anja", "Bo", "Cem")
    for match in ("m1", "m2"):
        for seat, handle in enumerate(("Anja", "Bo", "Cem")):
            club.sit(handle, match, seat)
    club.shuns.shun(ANJA, club.shuns.at_seat("m1", 1), "mute", "Bob")
    assert [club.shuns.muted_seats(match, 0) for match in ("m1", "m2", "m3")] == [{1}, {1}, set()]
    assert club.shuns.muted_seats("m1", 1) == set()


def test_whom_one_cannot_shun_is_said() -> None:
    club = Club("Anja", "Bo", "Cem")
    for other, why in ((ANJA, "That is you"), ("", "guest")):
        with pytest.raises(SafetyRefused, match=why):
            club.shuns.shun(ANJA, other, "block", "x")
    with pytest.raises(SafetyRefused, match="Nobody has this handle"):
        club.shuns.person("Dora")
    assert club.shuns.person("ANJA") == ANJA
    few = Shuns(club.store, club.log, club.now, most=1)
    few.shun(ANJA, BO, "block", "Bo")
    few.shun(ANJA, BO, "mute", "Bo")
    with pytest.raises(SafetyRefused, match="no more are kept"):
        few.shun(ANJA, CEM, "block", "Cem")


def test_a_seat_that_several_have_noted_is_that_of_the_first() -> None:
    club = Club("Anja", "Bo")
    club.sit("Bo", "m1", 1)
    club.at += 1
    club.sit("Anja", "m1", 1)
    assert (club.shuns.at_seat("m1", 1), club.shuns.at_seat("m1", 0)) == (BO, "")
