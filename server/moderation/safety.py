"""The parts of moderation over one store, put together."""

from collections.abc import Callable

from replay.store.store import Store
from server.moderation.moderators import Moderators
from server.moderation.reports import Reports
from server.moderation.shuns import Shuns
from server.moderation.staff_log import StaffLog
from server.moderation.voices import Voices
from server.operations.bounds import BOUNDS, Bounds
from server.operations.settings import Limits
from server.table.chat import Paces


class Safety:
    """Makes the parts. `now`: the time in ms; `guest_links`: guests may write links."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        limits: Limits,
        bounds: Bounds = BOUNDS,
        *,
        guest_links: bool = False,
    ) -> None:
        self.log = StaffLog(store.moderation, now)
        self.moderators = Moderators(store.moderation, store.people, self.log, now)
        self.shuns = Shuns(store, self.log, now)
        self.reports = Reports(store, now, bounds)
        self.voices = Voices(store.people, self.log, guest_links=guest_links)
        self.report_paces = Paces(limits.reports_per_minute, max(1.0, limits.reports_per_minute))
