"""What frames say of clocks and of the table, as it stood at one moment."""

from msgspec import Struct

from server.wire.protocol import ClockInfo, TableInfo


class FrameTimes(Struct, frozen=True):
    """What a frame says of clocks and of the table."""

    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None

    @property
    def moves(self) -> bool:
        """Whether it would be otherwise a moment later."""
        return any(clock.run or clock.away_ms for clock in self.clocks.values()) or bool(
            self.table is not None and self.table.paused_ms
        )


NO_TIMES = FrameTimes()
