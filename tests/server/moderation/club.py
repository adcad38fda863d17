"""A server's persons and its moderation over a store in memory, with a clock that the test sets."""

from replay.store.memory import MemoryStore
from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.people import NameRow, OwnSeatRow
from server.moderation.moderators import Moderators
from server.moderation.reports import Reports
from server.moderation.shuns import Shuns
from server.moderation.staff_log import StaffLog
from server.moderation.voices import Voices
from server.wire.text import skeleton


class Club:
    """Persons by their handles, whose ids are `p/` and the handle."""

    def __init__(self, *handles: str, store: MemoryStore | None = None) -> None:
        self.store, self.at = store or MemoryStore(), 1_000
        moderation, people = self.store.moderation, self.store.people
        self.log = StaffLog(moderation, self.now)
        self.moderators = Moderators(moderation, people, self.log, self.now)
        self.shuns = Shuns(self.store, self.log, self.now)
        self.reports = Reports(self.store, self.now)
        self.voices = Voices(people, self.log)
        for handle in handles:
            self.join(handle)

    def now(self) -> int:
        return self.at

    def join(self, handle: str) -> str:
        person = f"p/{handle}"
        row = NameRow(person, handle, skeleton(handle), self.at)
        assert self.store.people.sign_up(row, DeviceRow(f"key {handle}", person, "", 1, 1), handle.encode())
        return person

    def sit(self, handle: str, match: str, seat: int) -> None:
        assert self.store.people.keep_seat(OwnSeatRow(f"p/{handle}", match, seat, self.at), 9)
