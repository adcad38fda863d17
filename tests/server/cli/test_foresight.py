"""What would follow stands under the options in a terminal, and what loses or fails is asked for once more."""

from typing import Any

import anyio
import pytest

from herald_client import Foreseen, HeraldError
from server.cli.foresight import Foretold
from server.cli.prompts import DecisionPrompt
from tests.server.tabletop import live

PROMPT: dict[str, Any] = {
    "id": "7",
    "ask": "What now?",
    "fields": [{"type": "one", "options": [{"id": str(n), "label": f"way {n}"} for n in range(8)]}],
}


class Asked:
    """A match that says of ways 0 and 1 what would follow, and of way 2 after a long time."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def foresee(self, answer: Any, prompt: dict[str, Any]) -> Foreseen:
        self.asked.append(answer)
        assert prompt["id"] == "7"
        if answer == "0":
            return Foreseen("f", 7, ("It goes.", "A card is lost."), roll="3 dice", final="Dice follow.")
        if answer == "1" or answer == ["a"]:  # noqa: PLR1714 - a list has no hash
            return Foreseen("f", 7, lost="The match would be lost (VD-129).")
        if answer == "2":
            await anyio.sleep_forever()
        raise HeraldError("gone")


@pytest.fixture
def match() -> Any:
    return Asked()


@live
async def test_what_would_follow_stands_under_the_first_options_that_are_told_of_in_time(match: Any) -> None:
    lines = "\n".join(DecisionPrompt(await Foretold(match, PROMPT, patience_s=0.05).prompt()).lines)
    assert sorted(match.asked) == ["0", "1", "2", "3", "4", "5"]
    assert "[dim italic]3 dice Dice follow.[/]" in lines
    assert "[red]The match would be lost (VD-129).[/]" in lines
    assert lines.count("follow") == 1


@live
async def test_an_answer_that_loses_is_asked_for_once_more_and_no_third_time(match: Any) -> None:
    foretold = Foretold(match, PROMPT, patience_s=0.05)
    assert await foretold.warning("0") == ""
    assert "would be lost (VD-129)" in await foretold.warning("1")
    assert await foretold.warning("1") == "", "the second time it is meant"
    assert await foretold.warning("2") == "", "what is not told in time holds nothing up"
    assert await foretold.warning("3") == ""
    many = {**PROMPT, "fields": [{"type": "many", "items": [{"id": "a"}]}]}
    assert await Foretold(match, many, patience_s=0.05).prompt() == many
    assert "would be lost" in await Foretold(match, many, patience_s=0.05).warning(["a"])


@live
async def test_the_only_answer_is_not_warned_of(match: Any) -> None:
    alone = {**PROMPT, "fields": [{"type": "one", "options": [{"id": "1", "label": "the only way"}]}]}
    assert await Foretold(match, alone, patience_s=0.05).warning("1") == ""
    assert match.asked == []
