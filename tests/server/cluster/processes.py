"""Shared by `test_processes` and other tests: Family."""

from contextlib import ExitStack

from server.cluster.processes import Inbox, ServerProcesses
from server.operations.shared_counters import SharedCounters
from server.table.placement import Placement


class Family:
    """Stand-ins for processes, over real inboxes."""

    def __init__(self, stack: ExitStack, count: int = 2) -> None:
        self.inboxes = [Inbox() for _ in range(count)]
        for inbox in self.inboxes:
            stack.enter_context(inbox.end)
            stack.enter_context(inbox.entry)
        self.count = count
        self.tallies = SharedCounters(count)

    def member(self, number: int) -> ServerProcesses:
        """One of them."""
        return ServerProcesses(Placement(number, self.count), self.inboxes, self.tallies)
