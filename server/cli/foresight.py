"""The consequences of an answer, shown in a terminal under each option, and before a losing answer is sent."""

from typing import Any, Final

import anyio

from domain.kernel.form import Answer
from herald_client import Foreseen, HeraldError, Match
from server.cli.common import said
from server.cli.words import word

MOST: Final = 6
"""The number of options whose consequences are shown without a request; of more options, the first."""
PATIENCE_S = 0.6
"""The seconds for which a question or an answer waits for its consequences; then it continues without them."""
AGAIN: Final = "Type it again to do so all the same."


def _text(game: str, seen: Foreseen) -> str:
    """The text under an option, without its effect, which the option's own words state already."""
    certain = seen.lost or seen.vain or seen.roll
    parts = (*((certain,) if certain else seen.lines[1:]), seen.final)
    return " ".join(said(game, part) for part in parts if part)


class Foretold:
    """The consequences, computed by the server, of the answers to one question, as far as this seat can know."""

    def __init__(self, match: Match, prompt: dict[str, Any], game: str = "", patience_s: float = PATIENCE_S) -> None:
        """`game`: the game whose catalogue translates them; `patience_s`: how long consequences are waited for."""
        self._patience_s = patience_s
        self._game = game
        self._match = match
        self._prompt = prompt
        self._told: dict[str, Foreseen | None] = {}
        self._warned: Answer | None = None

    async def prompt(self) -> dict[str, Any]:
        """The prompt with the consequences beside its options, if they arrive in time."""
        (field,) = self._prompt["fields"]
        options = field.get("options", ())
        if field["type"] != "one" or len(options) == 1 or not self._patience_s:
            return self._prompt
        with anyio.move_on_after(self._patience_s):
            async with anyio.create_task_group() as tasks:
                for option in [one for one in options if not one.get("file")][:MOST]:
                    tasks.start_soon(self._ask, str(option["id"]))
        return {**self._prompt, "fields": [{**field, "options": [self._with(option) for option in options]}]}

    def _with(self, option: dict[str, Any]) -> dict[str, Any]:
        seen = self._told.get(str(option["id"]))
        follows = "" if seen is None else _text(self._game, seen)
        if seen is None or not follows:
            return option
        return {**option, "follows": follows, "bad": bool(seen.lost or seen.vain)}

    async def _ask(self, answer: Answer) -> Foreseen | None:
        try:
            seen = await self._match.foresee(answer, self._prompt)
        except HeraldError:
            return None
        if isinstance(answer, str):
            self._told[answer] = seen
        return seen

    async def warning(self, answer: Answer) -> str:
        """The reason to type an answer once more; empty the second time, and if there is no objection."""
        (field,) = self._prompt["fields"]
        if len(field.get("options", "ab")) == 1 or self._warned == answer or not self._patience_s:
            return ""
        seen = self._told.get(answer) if isinstance(answer, str) else None
        if seen is None:
            with anyio.move_on_after(self._patience_s):
                seen = await self._ask(answer)
        why = "" if seen is None else seen.lost or seen.vain
        if why:
            self._warned = answer
        return why and f"{said(self._game, why)} {word(AGAIN)}"
