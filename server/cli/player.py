"""The full-screen replay in a terminal: board, chronicle, scrubber, viewpoints, search."""

from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.reactive import reactive
from textual.widgets import Footer, Input, RichLog, Static

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.moments import Eyes, Replay, is_choice, is_heading
from server.cli.tabling import shown

SPEEDS = (1.0, 2.0, 5.0, 10.0, 25.0)
"""Events a second."""
CONTEXT = 400
"""Events before the present whose sentences the chronicle shows."""


def eyes_name(replay: Replay[Any], eyes: Eyes) -> str:
    """A viewpoint in words."""
    if eyes is None:
        return "everything open"
    if eyes.seat is None:
        return "spectator"
    return replay.at(replay.end, SPECTATOR).players[eyes.seat] or f"seat {eyes.seat + 1}"


def viewpoints(replay: Replay[Any], *, everything: bool) -> list[Eyes]:
    """Whose eyes one may look through: the spectator's, every seat's, and none's where everything may be seen."""
    seats = [Viewer(Seat(seat)) for seat in range(replay.game.seats)]
    return [SPECTATOR, *seats, *([None] if everything else [])]


def clock_line(replay: Replay[Any], seq: int) -> str:
    """What the clocks showed, by seat; empty in a match without clocks."""
    clocks = replay.clocks_at(seq)
    return "" if clocks is None else "   " + " – ".join(shown(left) for left in clocks.left)


class Player(App[None]):
    """Plays a match back. Keys do everything; the footer names them."""

    AUTO_FOCUS = ""
    CSS = """
    #head { height: 1; background: $panel; padding: 0 1; }
    #board { width: 2fr; min-width: 60; padding: 0 1; }
    #chronicle { width: 1fr; min-width: 24; border-left: solid $panel; padding: 0 1; }
    #scrubber { height: 1; padding: 0 1; }
    #entry { display: none; dock: bottom; }
    Screen.narrow #chronicle { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "step(1)", "next"),
        Binding("left,h", "step(-1)", "back"),
        Binding("n", "choice(1)", "next choice"),
        Binding("p", "choice(-1)", "last choice", show=False),
        Binding("right_square_bracket", "heading(1)", "next phase", key_display="]"),
        Binding("left_square_bracket", "heading(-1)", "last phase", key_display="[", show=False),
        Binding("home", "jump(1)", "start", show=False),
        Binding("end", "jump(-1)", "end", show=False),
        Binding("space", "play", "play"),
        Binding("plus,equals_sign", "speed(1)", "faster", show=False),
        Binding("minus", "speed(-1)", "slower", show=False),
        Binding("v", "viewpoint", "eyes"),
        Binding("slash", "ask('search')", "search"),
        Binding("g", "ask('go')", "go to"),
        Binding("question_mark", "help", "help"),
        Binding("q", "quit", "quit"),
    ]
    seq = reactive(1)
    eyes_at = reactive(0)

    def __init__(self, replay: Replay[Any], eyes: Eyes, *, start: int = 1, everything: bool = False) -> None:
        super().__init__()
        self.replay = replay
        self.choices = viewpoints(replay, everything=everything)
        self.playing = False
        self._speed = 2
        self._asking = ""
        self._drawn = False
        self._start = start
        self.set_reactive(Player.eyes_at, self.choices.index(eyes) if eyes in self.choices else 0)

    @property
    def eyes(self) -> Eyes:
        """Whose view is shown."""
        return self.choices[self.eyes_at]

    def compose(self) -> ComposeResult:
        """Head, board and chronicle, scrubber, entry line, keys."""
        yield Static(id="head")
        with Horizontal():
            with VerticalScroll(id="board", can_focus=False):
                yield Static(id="table")
            chronicle = RichLog(id="chronicle", wrap=True, highlight=False, markup=False)
            chronicle.can_focus = False
            yield chronicle
        yield Static(id="scrubber")
        yield Input(id="entry")
        yield Footer()

    def on_mount(self) -> None:
        """Show the first moment and start the clock."""
        self.title = self.replay.game.spec.title
        self._clock = self.set_interval(1 / SPEEDS[self._speed], self._tick, pause=True)
        self.seq = min(max(1, self._start), self.replay.end)
        self._drawn = True
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """A narrow terminal keeps the board and leaves the chronicle out."""
        self.screen.set_class(event.size.width < 110, "narrow")

    def watch_seq(self) -> None:
        """Another moment."""
        if self._drawn:
            self._show()

    def watch_eyes_at(self) -> None:
        """Other eyes."""
        if self._drawn:
            self._show()

    def _show(self) -> None:
        replay, seq, eyes = self.replay, self.seq, self.eyes
        view = replay.at(seq, eyes)
        seat = None if eyes is None else eyes.seat
        told = replay.told(seq, eyes)
        clocks = clock_line(replay, seq)
        head = f"{self.title}   line {seq} of {replay.end}   as {eyes_name(replay, eyes)}{clocks}   {told.text}"
        self.query_one("#head", Static).update(Text(head, no_wrap=True, overflow="ellipsis"))
        self.query_one("#table", Static).update(Text(replay.face.board(view, seat), no_wrap=True))
        log = self.query_one("#chronicle", RichLog)
        log.clear()
        for line in replay.chronicle(seq - CONTEXT, seq, eyes):
            log.write(Text(line.text, style="bold yellow" if line.heading else ""))
        width = max(10, self.size.width - 4)
        done = round(width * seq / replay.end)
        self.query_one("#scrubber", Static).update(Text("━" * done + "─" * (width - done), style="yellow"))

    def action_step(self, by: int) -> None:
        """One event on or back."""
        self._go(self.seq + by)

    def action_choice(self, by: int) -> None:
        """To the next or the last choice."""
        find = self.replay.after if by > 0 else self.replay.before
        self._go(find(self.seq, is_choice) or self.seq)

    def action_heading(self, by: int) -> None:
        """To the next or the last heading of the chronicle."""
        find = self.replay.after if by > 0 else self.replay.before
        self._go(find(self.seq, is_heading(self.replay.face)) or self.seq)

    def action_jump(self, to: int) -> None:
        """To the start (1) or the end (-1)."""
        self._go(self.replay.end if to < 0 else 1)

    def _go(self, seq: int) -> None:
        self.seq = min(max(1, seq), self.replay.end)

    def action_play(self) -> None:
        """Play or pause."""
        self.playing = not self.playing
        if self.playing:
            self._clock.resume()
        else:
            self._clock.pause()

    def action_speed(self, by: int) -> None:
        """Faster or slower."""
        self._speed = min(max(0, self._speed + by), len(SPEEDS) - 1)
        self._clock.stop()
        self._clock = self.set_interval(1 / SPEEDS[self._speed], self._tick, pause=not self.playing)
        self.notify(f"{SPEEDS[self._speed]:g} events a second", timeout=1.5)

    def _tick(self) -> None:
        if self.seq < self.replay.end:
            self.seq += 1
        elif self.playing:
            self.action_play()

    def action_viewpoint(self) -> None:
        """Look through the next eyes."""
        self.eyes_at = (self.eyes_at + 1) % len(self.choices)

    def action_ask(self, what: str) -> None:
        """Open the entry line, to search or to go to a line."""
        self._asking = what
        entry = self.query_one("#entry", Input)
        entry.placeholder = "words to search for" if what == "search" else f"a line from 1 to {self.replay.end}"
        entry.value = ""
        entry.display = True
        entry.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry the entry out."""
        event.input.display = False
        self.set_focus(None)
        words = event.value.strip()
        if self._asking == "go":
            if words.isdecimal():
                self._go(int(words))
            else:
                self.notify(f"{words!r} is no line", severity="warning")
        elif words:
            found = self.replay.search(words, self.eyes, self.seq) or self.replay.search(words, self.eyes)
            if found is None:
                self.notify(f"nothing was told with {words!r}", severity="warning")
            else:
                self._go(found.seq)

    def action_help(self) -> None:
        """The keys."""
        self.notify(
            "← → step, n p choice, ] [ phase, Home End, Space play, + − speed, v eyes, / search, g go to line, q quit",
            title="Keys",
            timeout=8,
        )
