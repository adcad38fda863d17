"""Shared by `test_scenes` and other tests: FACES, SHORT, Screen."""

import random
from typing import Any

from projections.plain import plain_face
from projections.registry import faces
from projections.scene import merge
from server.wire.client import Client, enter
from server.wire.protocol import Choose, Events, Refused, Snapshot
from tests.skirmish.game import GAME

FACES = {**faces(), GAME.name: plain_face(GAME)}


SHORT: dict[str, dict[str, Any]] = {"disciples_legacy": {"turn_limit": 2}}
"""Options with which a match of people who choose by chance is not many times as long as one of people."""


class Screen:
    """A browser's state: the Scene, patched by Steps; it answers prompts by their fields."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client = client
        self.scene: dict[str, Any] = {}
        self.seq = 0
        self.chosen = 0
        self._random = random.Random(seed)

    async def play(self, match: str, token: str) -> None:
        """To the end of the match."""
        await enter(self.client, match, token, caps=("scene",))
        while not self.scene or self.scene["prompt"]["mode"] != "over":
            if self.scene and self.scene["prompt"]["mode"] == "you":
                await self._answer()
            message = await self.client.receive()
            assert not isinstance(message, Refused), message
            self.take(message)

    def take(self, message: Any) -> None:
        """Apply a message to the Scene."""
        if isinstance(message, Snapshot):
            self.scene, self.seq = {k: v for k, v in message.scene.items() if k not in {"log", "seq"}}, message.seq
        elif isinstance(message, Events):
            assert message.first == self.seq + 1
            for step in message.steps:
                self.scene = merge(self.scene, step["set"])
            self.seq = message.last

    async def _answer(self) -> None:
        prompt = self.scene["prompt"]
        decision = int(prompt["id"])
        if decision > self.chosen:
            self.chosen = decision
            await self.client.send(Choose(f"s{decision}", decision, self._pick(prompt["fields"][0])))

    def _pick(self, field: dict[str, Any]) -> Any:
        items = [item["id"] for item in field.get("items", [])]
        if field["type"] == "one":
            # An option with `file` asks for something that only its player has, such as the player's own army.
            return self._random.choice([option for option in field["options"] if "file" not in option])["id"]
        if field["type"] == "many":
            return self._random.sample(items, self._random.randint(field["min"], field["max"]))
        slots = [slot["id"] for slot in field["slots"]]
        self._random.shuffle(items)
        if field["fill"] == "slots":
            return dict(zip(items, slots, strict=False))
        return self._place(items, field["legal"])

    def _place(self, items: list[str], legal: dict[str, list[str]]) -> dict[str, str]:
        placed: dict[str, str] = {}
        for item in items:
            free = [slot for slot in legal[item] if slot not in placed.values()]
            if free:
                placed[item] = self._random.choice(free)
        return placed
