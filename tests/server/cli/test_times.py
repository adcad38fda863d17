"""Time controls as they are typed."""

import pytest

from domain.kernel import TimeControl
from server.cli.times import length_ms, read_control
from server.errors import Misconfigured

DAY = 86_400_000


@pytest.mark.parametrize(
    ("typed", "control"),
    [
        (("", "forfeit", "", ""), TimeControl()),
        (("", "default", "", "10m"), TimeControl(absence_ms=600_000)),
        (("10m+5s", "default", "", ""), TimeControl("bank", 600_000, 5_000)),
        (("2h", "forfeit", "", ""), TimeControl("bank", 7_200_000, on_timeout="forfeit")),
        (("45s/choice", "random", "", ""), TimeControl("decision", 45_000, on_timeout="random")),
        (("3d/move", "default", "14d", ""), TimeControl("days", 3 * DAY, vacation_ms=14 * DAY)),
    ],
)
def test_a_time_control_is_read(typed: tuple[str, str, str, str], control: TimeControl) -> None:
    assert read_control(*typed) == control


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        (("ten", "default", "", ""), "45s, 10m, 2h or 3d"),
        (("10m+", "default", "", ""), "--time is"),
        (("10m/turn", "default", "", ""), "--time is"),
        (("10m", "default", "5d", ""), "Only slow play"),
        (("0s", "default", "", ""), "needs a limit"),
        (("400d/move", "default", "", ""), "The times of a match"),
    ],
)
def test_a_wrong_one_says_what_to_write(typed: tuple[str, str, str, str], why: str) -> None:
    with pytest.raises(Misconfigured, match=why):
        read_control(*typed)


def test_lengths_have_a_unit() -> None:
    assert [length_ms(text) for text in ("1s", "1m", "1h", "1d")] == [1_000, 60_000, 3_600_000, DAY]
    with pytest.raises(Misconfigured):
        length_ms("5")
