"""Whether the store can write at the moment, and the log's entry about it."""

import logging

from replay.store.store import Store

LOG = logging.getLogger(__name__)


class StoreHealth:
    """Says in the log, once each time, that the store begins to refuse and why, and that it takes something again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told = ""

    def look(self) -> str:
        """The reason why the store cannot write at the moment, which the log then holds; empty when it can."""
        why = self._store.pulse().refuses
        if why and why != self._told:
            LOG.error("the store takes nothing: %s", why)
        elif self._told and not why:
            LOG.info("the store takes choices again")
        self._told = why
        return why
