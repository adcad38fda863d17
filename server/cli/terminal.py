"""A terminal in which messages arrive while somebody types: they are printed on lines of their own above the prompt."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.markup import escape

from server.cli.common import console

ReadLine = Callable[[str], Awaitable[str]]
"""Asks with a prompt for one typed line. Raises `EOFError` at the end of the input."""

LOG_LINES: Final = 15


class Terminal:
    """Asks for lines, and prints messages meanwhile."""

    def __init__(self, read_line: ReadLine, is_due: Callable[[], bool]) -> None:
        """`is_due`: whether the question before the cursor is still open, so that its prompt is shown once more."""
        self.read_line = read_line
        self._is_due = is_due
        self._prompt = ""
        """The prompt before the cursor while somebody types."""
        self._is_broken = False
        self._log: list[str] = []

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Messages within are printed on lines of their own, and the prompt is shown once more after them."""
        self._is_broken = False
        yield
        if self._is_broken and self._is_due():
            console.print(f"[bold cyan]{escape(self._prompt)}[/]", end="", soft_wrap=True)

    def say(self, line: str) -> None:
        """Print a line, with the console's marks, on a line of its own."""
        if self._prompt and not self._is_broken:
            self._is_broken = True
            console.print()
        console.print(line, soft_wrap=True)

    def log(self, line: str, *, is_new: bool) -> None:
        """Store a line of the chronicle, and print it if it is new."""
        self._log.append(line)
        if is_new:
            self.say(line)

    def last_lines(self) -> None:
        """Print the last lines of the chronicle."""
        for line in self._log[-LOG_LINES:]:
            console.print(line)

    async def typed(self, prompt: str) -> str:
        """The next line that is typed, without the spaces around it. Raises `EOFError` at the end of the input."""
        self._prompt = prompt
        try:
            return (await self.read_line(prompt)).strip()
        finally:
            self._prompt = ""


class Keyboard:
    """Lines from standard input, read by one thread, so that none goes to a question that is gone."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._is_read = False

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line = "first"
        while line:
            line = sys.stdin.readline()
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            except RuntimeError:  # the loop is closed because the match is over
                return

    async def line(self, prompt: str) -> str:
        """The next line that is typed. Raises `EOFError` at the end of the input."""
        if not self._is_read:
            self._is_read = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="herald-keyboard", daemon=True).start()
        console.print(f"[bold cyan]{escape(prompt)}[/]", end="", soft_wrap=True)
        line = await self._lines.get()
        if not line:
            self._lines.put_nowait(line)
            raise EOFError
        return line
