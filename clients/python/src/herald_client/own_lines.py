"""Compares a server's acceptances with the verified lines."""

from collections.abc import Iterable, Mapping
from typing import Any

from herald_client.record import Line


class OwnLines:
    """The verified lines of one's own seat's statements, by number."""

    def __init__(self) -> None:
        self._lines: dict[int, Line] = {}

    def take(self, lines: Iterable[Line], seat: int | None) -> None:
        """Keep the lines that the seat itself has made."""
        self._lines |= {line.seq: line for line in lines if seat is not None and line.fields.get("seat") == seat}

    def answer(self, seq: int, message: Mapping[str, Any]) -> bool:
        """Whether a line is the result of a message: by its id, its key, its person or its hint's decision."""
        line = self._lines.get(seq)
        if line is None:
            return False
        if message["t"] == "key":
            return line.type == "SeatKeyed" and line.fields["key"] == message["key"]
        if message["t"] == "person":
            return line.type == "SeatClaimed" and line.fields["commitment"] == message["commitment"]
        if message["t"] == "hint":
            return line.type == "HintAsked" and line.fields["number"] == message["decision"]
        return bool(line.fields.get("id") == message["id"])
