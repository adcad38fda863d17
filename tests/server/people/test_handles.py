"""A handle can be read, said and told from others."""

import pytest

from server.people.errors import AccountRefused
from server.people.handles import assert_handle


@pytest.mark.parametrize("handle", ["Bo", "Żółw 7", "d'Arc", "Anna-Lena", "x" * 24, "漢字", "नमस्ते"])
def test_letters_digits_and_a_few_marks_make_a_handle(handle: str) -> None:
    assert_handle(handle)


@pytest.mark.parametrize(
    "handle",
    [
        *("B", "x" * 25, "12", "--", "a\u3164b", "a\u2800b", "\u0301a", "a  b", " ab", "a\nb", "a\u202eb"),
        *("a<b", "a@b", "http://a", "a\u200db", "ａb\ue000", "🙂🙂"),
    ],
)
def test_what_nobody_could_read_or_tell_is_no_handle(handle: str) -> None:
    with pytest.raises(AccountRefused):
        assert_handle(handle)
