"""The readings of clocks, as they are sent to every viewer."""

from domain.kernel import Clocks, Seat, State
from server.wire.protocol import ClockInfo


def clock_infos(clocks: Clocks | None, state: State, at: int) -> dict[str, ClockInfo]:
    """The readings of the clocks at `at`, by seat; empty in a match without clocks."""
    control = state.table.control
    if clocks is None or control.kind == "none":
        return {}
    return {
        str(seat): ClockInfo(
            clocks.left_at(seat, at),
            run=seat in clocks.runs and clocks.away[seat] <= at,
            away_ms=max(0, clocks.away[seat] - at),
            vacation_ms=clocks.vacation[seat],
        )
        for seat in map(Seat, range(len(state.players)))
    }
