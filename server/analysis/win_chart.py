"""The curve of an analysis: each seat's chance to win, line by line, for the terminal and as SVG."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from server.analysis.simulation import Estimate

HEIGHT: Final = 17
"""The number of rows of the drawing in a terminal: an odd number, so that one of them is 50 percent."""
LEFT: Final = 6


class WinChart(Struct, frozen=True):
    """The content of the chart: a title, the names of the seats, the estimates in order, and the end of the match."""

    title: str
    names: tuple[str, ...]
    points: tuple[Estimate, ...]
    end: Estimate | None = None


def _value(points: Sequence[Estimate], at: float) -> tuple[float, float, float]:
    """The share of the first seat and its band between two estimates, at a place from 0 to 1."""
    place = at * (len(points) - 1)
    one = points[int(place)]
    other = points[min(int(place) + 1, len(points) - 1)]
    part = place - int(place)
    first, second = ((e.share(0), *e.band(0)) for e in (one, other))
    low, middle, high = (a + (b - a) * part for a, b in zip(first, second, strict=True))
    return low, middle, high


def drawing(curve: WinChart, width: int, called: str = "line") -> list[str]:
    """Rows of text: the curve as `●`, its range as `░`, percentages of the first seat on the left.

    `called`: the name of a line of the record below the curve.
    """
    room, gaps = width - LEFT, max(1, len(curve.points) - 1)
    columns = room if gaps >= room else gaps * min(4, (room - 1) // gaps) + 1
    cells = [[" "] * columns for _ in range(HEIGHT)]
    for column in range(columns):
        share, low, high = _value(curve.points, column / max(1, columns - 1))
        cells[HEIGHT // 2][column] = "─"
        for row in range(_row(high), _row(low) + 1):
            cells[row][column] = "░"
        cells[_row(share)][column] = "●"
    labels = {0: "100%", HEIGHT // 4: " 75%", HEIGHT // 2: " 50%", HEIGHT - 1 - HEIGHT // 4: " 25%", HEIGHT - 1: "  0%"}
    rows = [
        f"{labels.get(row, ''):>4} {'┤' if row in labels else '│'}{''.join(line)}" for row, line in enumerate(cells)
    ]
    return [*rows, f"{'':4} └{'─' * columns}", _below(curve, columns, called)]


def _row(share: float) -> int:
    return round((1 - share) * (HEIGHT - 1))


def _below(curve: WinChart, columns: int, called: str) -> str:
    first, last = f"{called} {curve.points[0].line}", f"{called} {curve.points[-1].line}"
    return f"{'':6}{first}{last:>{max(len(last) + 1, columns - len(first))}}"


WIDE: Final = 960
HIGH: Final = 420
TOP: Final = 64
BOTTOM: Final = 56
SIDE: Final = 64
STYLE: Final = (
    "text{font:14px system-ui,sans-serif;fill:#2b2620}.t{font-size:18px;font-weight:600}.s{font-size:12px;fill:#6b6257}"
    ".g{stroke:#d9d2c5}.m{stroke:#a79c8a;stroke-dasharray:5 4}.b{fill:#b5533c;fill-opacity:.18}"
    ".l{fill:none;stroke:#b5533c;stroke-width:2.5;stroke-linejoin:round}.p{fill:#b5533c}.e{fill:#2b2620}"
)


def svg(curve: WinChart) -> str:
    """The curve as a self-contained picture: the curve, its 95 percent band, the moments of the match."""
    points = curve.points
    end = curve.end
    last = max(e.line for e in (*points, *([end] if end is not None else [])))
    first = points[0].line

    def x(line: int) -> float:
        return SIDE + (line - first) / max(1, last - first) * (WIDE - 2 * SIDE)

    def y(share: float) -> float:
        return TOP + (1 - share) * (HIGH - TOP - BOTTOM)

    upper = [f"{x(e.line):.1f},{y(e.band(0)[1]):.1f}" for e in points]
    lower = [f"{x(e.line):.1f},{y(e.band(0)[0]):.1f}" for e in reversed(points)]
    line = [f"{x(e.line):.1f},{y(e.share(0)):.1f}" for e in points]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img">',
        f"<title>{escape(curve.title)}</title><style>{STYLE}</style>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fbf8f2"/>',
        f'<text class="t" x="{SIDE}" y="30">{escape(curve.title)}</text>',
        f'<text class="s" x="{SIDE}" y="50">{escape(_legend(curve))}</text>',
        *(_grid(percent, y(percent / 100)) for percent in (0, 25, 50, 75, 100)),
        f'<polygon class="b" points="{" ".join([*upper, *lower])}"/>',
        f'<polyline class="l" points="{" ".join(line)}"/>',
        *(_dot(x(e.line), y(e.share(0)), e) for e in points),
        *_ticks(points, x),
    ]
    if end is not None:
        parts.append(
            f'<circle class="e" cx="{x(end.line):.1f}" cy="{y(end.share(0)):.1f}" r="6"><title>line {end.line}: '
            f"{escape(end.label)}</title></circle>"
        )
    return "\n".join([*parts, "</svg>\n"])


def _legend(curve: WinChart) -> str:
    name = curve.names[0]
    return f"How likely {name} was to win; {curve.points[0].samples} matches played out from each line, 95 % band"


def _grid(percent: int, y: float) -> str:
    kind = "m" if percent == 50 else "g"
    return (
        f'<line class="{kind}" x1="{SIDE}" x2="{WIDE - SIDE}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="s" x="{SIDE - 8}" y="{y + 4:.1f}" text-anchor="end">{percent}%</text>'
    )


def _dot(x: float, y: float, point: Estimate) -> str:
    said = f"line {point.line}, {point.label}: {point.share(0):.0%}" if point.label else f"line {point.line}"
    return f'<circle class="p" cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(said)}</title></circle>'


def _ticks(points: Sequence[Estimate], x: Callable[[int], float]) -> list[str]:
    """The line numbers and moments below the chart, as many as fit."""
    ticks, free = [], 0.0
    for point in points:
        at = x(point.line)
        if at >= free:
            ticks += [_below_line(at, HIGH - 32, str(point.line)), _below_line(at, HIGH - 16, _short(point.label))]
            free = at + 96
    return ticks


def _below_line(x: float, y: int, text: str) -> str:
    return f'<text class="s" x="{x:.1f}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def _short(label: str) -> str:
    label = label.partition(":")[0]
    return label if len(label) <= 15 else f"{label[:14]}…"
