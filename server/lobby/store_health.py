"""Whether the store can write at the moment, and the log entries about this."""

import logging

from replay.store.store import Store

LOG = logging.getLogger(__name__)


class StoreHealth:
    """Logs, once each time, that the store begins to refuse writes (and why), and that it accepts writes again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told = ""

    def look(self) -> str:
        """The reason why the store cannot write at the moment, which is also logged; empty if the store can write."""
        why = self._store.pulse().refuses
        if why and why != self._told:
            LOG.error("the store takes nothing: %s", why)
        elif self._told and not why:
            LOG.info("the store takes choices again")
        self._told = why
        return why
