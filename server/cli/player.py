"""The full-screen replay in a terminal: board, chronicle, scrubber, viewpoints, search."""

from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Container, ScrollableContainer
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, RichLog, Static

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.files.export import EVERYTHING
from replay.playback.follow import FollowedReplay
from replay.playback.seek import Eyes, Replay, is_of
from server.cli.table import shown
from server.cli.words import word

SPEEDS = (1.0, 2.0, 5.0, 10.0, 25.0)
"""Events a second."""
FOLLOW_S = 0.5
"""The pause, in seconds, between two looks at a match that is still played."""
ASKED = {
    "search": "words to search for, as in: when was unit 5 destroyed?",
    "go": "a line from 1 to {end}",
    "kind": "the beginning of an event's name, as in: UnitDes",
}
CHRONICLE_LEAST = 30
"""The number of columns beside the board that the chronicle needs; with fewer it goes below."""
CONTEXT = 400
"""The number of events before the present whose sentences the chronicle shows."""


def eyes_name(replay: Replay[Any], eyes: Eyes) -> str:
    """A viewpoint in words."""
    if eyes is None:
        return word("everything open")
    if eyes.seat is None:
        return word("spectator")
    return replay.at(replay.end, SPECTATOR).players[eyes.seat] or word("seat {n}", n=eyes.seat + 1)


def viewpoints(replay: Replay[Any], *, everything: bool) -> list[Eyes]:
    """The views that may be chosen: the spectator's, every seat's, and, if everything may be seen, the whole."""
    seats = [Viewer(Seat(seat)) for seat in range(replay.seats)]
    if replay.view != EVERYTHING:
        return [SPECTATOR, *(viewer for viewer in seats if viewer.label == replay.view)]
    return [SPECTATOR, *seats, *([None] if everything else [])]


def clock_line(replay: Replay[Any], seq: int) -> str:
    """The readings of the clocks, by seat; empty in a match without clocks."""
    clocks = replay.clocks_at(seq)
    return "" if clocks is None else "   " + " – ".join(shown(left) for left in clocks.left)


HELP = """\
→  l       next event                 ←  h   back
n          next choice                p      last choice
t          next turn                  T      last turn
r          next round                 R      last round
]          next phase                 [      last phase
Home       the start                  End    the end
k          next event of a kind       g      go to a line
/          search, in words           .      the next that was found
Space      play, or pause             + −    faster, slower
v          through other eyes         q      quit
<  >       a board that is wider than the terminal, to the left and to the right
A click on the line at the bottom goes to that moment. When you are at the end of a match
that is still played, you stay there as it goes on. Any key closes this."""


class Help(ModalScreen[None]):
    """The keys."""

    CSS = """
    Help { align: center middle; }
    Help Static { width: auto; max-width: 96%; height: auto; border: round $accent; padding: 1 2; }
    """

    def compose(self) -> ComposeResult:
        """One box."""
        yield Static(Text(word(HELP)))

    def on_key(self, event: events.Key) -> None:
        """Close the help on any key."""
        event.stop()
        self.dismiss()


class Scrubber(Static):
    """The present place in the match; a click goes there."""

    def on_click(self, event: events.Click) -> None:
        """Go to the moment under the pointer."""
        app = self.app
        assert isinstance(app, ReplayPlayer), "only the player has one"
        app.action_share((event.x - 1) / max(1, self.size.width - 2))


class ReplayPlayer(App[None]):
    """Plays a match back. Keys do everything; the footer names them."""

    AUTO_FOCUS = ""
    CSS = """
    #head { height: 1; background: $panel; padding: 0 1; }
    #room { layout: horizontal; height: 1fr; }
    #board { width: auto; max-width: 100%; padding: 0 1; }
    #table { width: auto; }
    #chronicle { width: 1fr; border-left: solid $panel; padding: 0 1; }
    #scrubber { height: 1; padding: 0 1; }
    #entry { display: none; dock: bottom; }
    Screen.narrow #room { layout: vertical; }
    Screen.narrow #board { width: 100%; height: 2fr; }
    Screen.narrow #chronicle { width: 100%; height: 1fr; border-left: none; border-top: solid $panel; }
    """
    KEYS: ClassVar[tuple[Binding, ...]] = (
        Binding("right,l", "step(1)", "next"),
        Binding("left,h", "step(-1)", "back"),
        Binding("n", "landmark('choice', 1)", "choice"),
        Binding("p", "landmark('choice', -1)", "last choice", show=False),
        Binding("t", "landmark('turn', 1)", "turn"),
        Binding("T", "landmark('turn', -1)", "last turn", show=False),
        Binding("r", "landmark('round', 1)", "round"),
        Binding("R", "landmark('round', -1)", "last round", show=False),
        Binding("right_square_bracket", "landmark('phase', 1)", "phase", key_display="]"),
        Binding("left_square_bracket", "landmark('phase', -1)", "last phase", key_display="[", show=False),
        Binding("home", "jump(1)", "start", show=False),
        Binding("end", "jump(-1)", "end", show=False),
        Binding("space", "play", "play"),
        Binding("plus,equals_sign", "speed(1)", "faster", show=False),
        Binding("minus", "speed(-1)", "slower", show=False),
        Binding("less_than_sign", "slide(-1)", "board to the left", key_display="<", show=False),
        Binding("greater_than_sign", "slide(1)", "board to the right", key_display=">", show=False),
        Binding("v", "viewpoint", "eyes"),
        Binding("slash", "ask('search')", "search"),
        Binding("full_stop", "again", "search again", show=False),
        Binding("k", "ask('kind')", "kind", show=False),
        Binding("g", "ask('go')", "go to"),
        Binding("question_mark", "help", "help"),
        Binding("q", "quit", "quit"),
    )
    seq = reactive(1)
    eyes_at = reactive(0)

    def __init__(
        self,
        replay: Replay[Any],
        eyes: Eyes,
        *,
        start: int = 1,
        everything: bool = False,
        following: FollowedReplay[Any] | None = None,
    ) -> None:
        super().__init__()
        for key in self.KEYS:
            self.bind(
                key.key, key.action, description=word(key.description), show=key.show, key_display=key.key_display
            )
        self.replay = replay
        self._following = following
        self._words = ""
        self.choices = viewpoints(replay, everything=everything)
        self.playing = False
        self._speed = 2
        self._asking = ""
        self._drawn = False
        self._board_width = 0
        self._start = start
        self.set_reactive(ReplayPlayer.eyes_at, self.choices.index(eyes) if eyes in self.choices else 0)

    @property
    def eyes(self) -> Eyes:
        """The name of the viewer whose view is shown."""
        return self.choices[self.eyes_at]

    def compose(self) -> ComposeResult:
        """Head, board and chronicle, scrubber, entry line, keys."""
        yield Static(id="head")
        with Container(id="room"):
            with ScrollableContainer(id="board", can_focus=False):
                yield Static(id="table")
            chronicle = RichLog(id="chronicle", wrap=True, highlight=False, markup=False, min_width=0)
            chronicle.can_focus = False
            yield chronicle
        yield Scrubber(id="scrubber")
        yield Input(id="entry")
        yield Footer()

    def on_mount(self) -> None:
        """Show the first moment and start the clock."""
        self.title = self.replay.game.spec.title
        self._clock = self.set_interval(1 / SPEEDS[self._speed], self._tick, pause=True)
        self.seq = min(max(1, self._start), self.replay.end)
        self._drawn = True
        if self._following is not None:
            self.set_interval(FOLLOW_S, self._follow)
        self._show()

    def _follow(self) -> None:
        """Take in the moves played meanwhile; a player at the end stays there."""
        assert self._following is not None
        at_end = self.seq == self.replay.end
        if self._following.news():
            if at_end and not self.playing:
                self.seq = self.replay.end
            else:
                self._show()

    def on_resize(self, event: events.Resize) -> None:
        """If the board leaves no room for it, the chronicle goes below."""
        self._fold(event.size.width)
        if self._drawn:
            self.call_after_refresh(self._show)

    def _fold(self, width: int) -> None:
        self.screen.set_class(width < self._board_width + CHRONICLE_LEAST, "narrow")

    def watch_seq(self) -> None:
        """Show another moment."""
        if self._drawn:
            self._show()

    def watch_eyes_at(self) -> None:
        """Show the view of another viewer."""
        if self._drawn:
            self._show()

    def _show(self) -> None:
        replay, seq, eyes = self.replay, self.seq, self.eyes
        view = replay.at(seq, eyes)
        seat = None if eyes is None else eyes.seat
        told = replay.told(seq, eyes)
        clocks = clock_line(replay, seq)
        where = word("line {seq} of {end}   as {eyes}", seq=seq, end=replay.end, eyes=eyes_name(replay, eyes))
        head = f"{self.title}   {where}{clocks}   {told.text}"
        self.query_one("#head", Static).update(Text(head, no_wrap=True, overflow="ellipsis"))
        board = replay.face.board(view, seat)
        self._board_width = max(map(cell_len, board.splitlines()), default=0)
        self._fold(self.size.width)
        self.query_one("#table", Static).update(Text(board, no_wrap=True))
        log = self.query_one("#chronicle", RichLog)
        log.clear()
        for line in replay.chronicle(seq - CONTEXT, seq, eyes):
            log.write(Text(line.text, style="bold yellow" if line.heading else ""))
        width = max(10, self.size.width - 4)
        done = round(width * seq / replay.end)
        self.query_one("#scrubber", Static).update(Text("━" * done + "─" * (width - done), style="yellow"))

    def action_step(self, by: int) -> None:
        """Move one event forward or back."""
        self._go(self.seq + by)

    def action_landmark(self, to: str, by: int) -> None:
        """Move to the next or the last choice, turn, round or phase."""
        self._go(self.replay.step(self.seq, to, back=by < 0) or self.seq)

    def action_share(self, share: float) -> None:
        """Move to the moment at a part (0 to 1) of the match."""
        self._go(1 + round(share * (self.replay.end - 1)))

    def action_jump(self, to: int) -> None:
        """Move to the start (1) or the end (-1)."""
        self._go(self.replay.end if to < 0 else 1)

    def _go(self, seq: int) -> None:
        self.seq = min(max(1, seq), self.replay.end)

    def action_slide(self, by: int) -> None:
        """Move a narrow terminal's part of the board to the left (-1) or to the right (1)."""
        board = self.query_one("#board", ScrollableContainer)
        board.scroll_relative(x=by * max(1, board.size.width // 2), animate=False)

    def action_play(self) -> None:
        """Play or pause."""
        self.playing = not self.playing
        if self.playing:
            self._clock.resume()
        else:
            self._clock.pause()

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self._speed = min(max(0, self._speed + by), len(SPEEDS) - 1)
        self._clock.stop()
        self._clock = self.set_interval(1 / SPEEDS[self._speed], self._tick, pause=not self.playing)
        self.notify(word("{n:g} events a second", n=SPEEDS[self._speed]), timeout=1.5)

    def _tick(self) -> None:
        if self.seq < self.replay.end:
            self.seq += 1
        elif self.playing:
            self.action_play()

    def action_viewpoint(self) -> None:
        """Show the view of the next viewer."""
        self.eyes_at = (self.eyes_at + 1) % len(self.choices)

    def action_ask(self, what: str) -> None:
        """Open the entry line, to search or to go to a line."""
        self._asking = what
        entry = self.query_one("#entry", Input)
        entry.placeholder = word(ASKED[what], end=self.replay.end)
        entry.value = ""
        entry.display = True
        entry.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry out the typed entry."""
        event.input.display = False
        self.set_focus(None)
        words = event.value.strip()
        if self._asking == "go":
            if words.isdecimal():
                self._go(int(words))
            else:
                self.notify(word("{words!r} is no line", words=words), severity="warning")
        elif self._asking == "kind":
            self._go_to_kind(words)
        elif words:
            self._words = words
            self.action_again()

    def action_again(self) -> None:
        """Move to the next sentence that matches the search, starting again after the last."""
        if not self._words:
            return
        search = self.replay.search
        found = search(self._words, self.eyes, self.seq) or search(self._words, self.eyes)
        if found is None:
            self.notify(word("nothing was told with {words!r}", words=self._words), severity="warning")
        else:
            self._go(found.seq)

    def _go_to_kind(self, name: str) -> None:
        kinds = [kind for kind in self.replay.game.events if name and kind.lower().startswith(name.lower())]
        find = is_of(kinds)
        at = self.replay.after(self.seq, find) or self.replay.after(0, find)
        if at is None:
            self.notify(word("no event of a kind {name!r}", name=name), severity="warning")
        else:
            self._go(at)

    def action_help(self) -> None:
        """The keys."""
        self.push_screen(Help())
