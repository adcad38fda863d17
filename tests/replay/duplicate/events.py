"""Events of the example game, played at random, and the forgeries of an organiser with every key."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel import Seat, TimeControl
from replay.duplicate import bundle, manifest, scoring
from replay.duplicate.manifest import Announced, Manifest
from replay.duplicate.verifying import played_of
from replay.files import export
from replay.files.export import Record
from replay.record import sealing
from replay.record.creation import Deal, create_match
from replay.record.line import codec_of
from replay.record.preparation import Preparation
from replay.record.serverkey import ServerKey
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from tests.replay.matches import START, put, step
from tests.skirmish.game import GAME

SEATS = ("ann", "bot:random")


class Event:
    """An event of three tables whose organiser may lie: at each place of `lies` the table is dealt otherwise."""

    def __init__(self, key: ServerKey, tables: int = 3, most: int = 1000, shares: Sequence[str] = ()) -> None:
        """`shares`: the values of the shares of chance that the event's call names."""
        self.key, self.most = key, most
        self.store = MemoryStore()
        names = [f"draw {number}" for number in range(len(shares))]
        said, self.seed = manifest.planned(
            "Cup", GAME.name, codec_of(GAME).rules, {}, TimeControl(), [SEATS] * tables, START, names
        )
        self.call = manifest.announce(said, key.stamp)
        if shares:
            said = manifest.with_shares(said, list(zip(names, shares, strict=True)))
        self.announced = manifest.announce(said, key.stamp)

    @property
    def manifest(self) -> Manifest:
        """The manifest of the matches to be played."""
        return self.announced.manifest

    def play(self, number: int, deal: Deal | None = None, options: dict[str, Any] | None = None) -> None:
        """A table, by its place in the manifest; honest, unless it is told otherwise."""
        entry = self.manifest.tables[number]
        deal = deal or manifest.deal_of(self.announced.event, self.seed, entry.match)
        referee, creation = create_match(GAME, options or {}, ("", ""), at=START, sign=self.key.stamp, deal=deal)
        rows = tuple(SeatRow(seat, "", "person") for seat in range(2))
        header = replace(creation.header, closed=True)
        self.store.create(header, creation.keys, rows, creation.ruling.commit)
        referee.accept(creation.ruling)
        for seat, kind in enumerate(("person", "bot")):
            put(self.store, referee, Preparation(referee).take_seat(Seat(seat), f"P{number}{seat}", kind, START))
        put(self.store, referee, Preparation(referee).begin(START))
        rng, left = random.Random(number), self.most
        while left and step(self.store, referee, rng):
            left -= 1

    def played(self) -> "Event":
        """All of it, honestly."""
        for number in range(len(self.manifest.tables)):
            self.play(number)
        return self

    def records(self) -> list[Record]:
        """Of the tables that there are, in their order."""
        return [export.from_store(self.store, entry.match) for entry in self.manifest.tables]

    def closed(self, announced: Announced | None = None, records: list[Record] | None = None) -> bytes:
        """The event's file, with whatever records the organiser likes in it."""
        announced, records = announced or self.announced, self.records() if records is None else records
        played = [played_of(GAME, record) for record in records]
        left = tuple(table.match for table in played if table.result is None)
        closing = bundle.Closing(sealing.b64(announced.event), scoring.scores(played), left, START)
        return bundle.write(announced, closing, records, self.key.stamp)

    def announced_again(self, change: Any) -> Announced:
        """The manifest changed, and signed anew."""
        said = change(msgspec.to_builtins(self.manifest))
        return manifest.announce(msgspec.convert(said, Manifest), self.key.stamp)
