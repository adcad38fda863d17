"""The rules of speech in chats: nothing by the muted, no links by guests."""

import pytest

from server.moderation.staff_log import HOST
from server.moderation.voices import MUTED, NO_LINKS
from tests.server.moderation.club import Club


@pytest.mark.parametrize(
    "text",
    ["see http://x.example/a", "HTTPS://X", "www.cards", "chess.com", "go to evil\u200b.com now", "a.bc/d", "t.me/x"],
)
def test_a_guest_writes_no_links(text: str) -> None:
    club = Club("Anja")
    club.sit("Anja", "m1", 0)
    refused = [club.voices.refusal("m1", seat, text) for seat in (0, 1, None)]
    assert refused == ["", NO_LINKS, NO_LINKS]


@pytest.mark.parametrize("text", ["Well played.", "e.g. this", "3.5 to 1", "yes...no", "9/10", "Hm.Ok"])
def test_what_is_no_link_is_said(text: str) -> None:
    assert Club().voices.refusal("m1", 1, text) == ""


def test_a_person_who_is_muted_says_nothing_in_any_noted_seat() -> None:
    club = Club("Bo")
    club.sit("Bo", "m1", 0)
    club.moderators.act(HOST, "p/Bo", "mute", "He shouted.", days=1)
    assert [club.voices.refusal(match, 0, "Hello") for match in ("m1", "m2")] == [MUTED, ""]
