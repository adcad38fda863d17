"""Clocks and table state in frames, as they were at one moment."""

from msgspec import Struct

from server.wire.protocol import ClockInfo, TableInfo


class FrameTimes(Struct, frozen=True):
    """The clocks and the table state of a frame."""

    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None

    @property
    def moves(self) -> bool:
        """Whether the frame would differ a moment later."""
        return any(clock.run or clock.away_ms for clock in self.clocks.values()) or bool(
            self.table is not None and self.table.paused_ms
        )


NO_TIMES = FrameTimes()
