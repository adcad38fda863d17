"""Playing a match out from its moments: what is counted, and how sure one may be of it."""

import random
from xml.etree import ElementTree

import pytest

from domain.kernel import Seat
from domain.kernel.history import pauses, views_of
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.files.export import from_store
from replay.playback.branch import Trunk, trunk_of
from server.analysis.simulation import Estimate, Plan, choose_lines, ended, estimates, moments, play_on, read_bots
from server.analysis.win_chart import HEIGHT, WinChart, drawing, svg
from server.bots import RandomBot
from server.errors import Misconfigured
from tests.replay.matches import played, step, taken_back
from tests.skirmish.game import GAME

FACE = plain_face(GAME)
RANDOM = ("random", "random")


def trunk(seed: int = 1) -> Trunk:
    store, referee = played(seed)
    return trunk_of(GAME, from_store(store, referee.match))


def test_samples_are_counted_and_a_seed_repeats_them() -> None:
    parent = trunk()
    lines = choose_lines(FACE, parent.events, "choice")
    assert lines == tuple(pauses(GAME, parent.events))
    done: list[int] = []
    plan = Plan(lines, None, RANDOM, 9, 5, jobs=1)
    found = estimates(FACE, parent, plan, done.append)
    assert [point.line for point in found] == list(lines)
    assert all(point.samples == 9 for point in found)
    assert done[-1] == 9 * len(lines)
    assert done == sorted(done)
    assert estimates(FACE, parent, plan, done.append) == found


def test_the_moment_before_the_end_is_more_certain_than_the_beginning() -> None:
    """The last choice of a match that is all but won changes nothing."""
    decided = 0
    for seed in range(30):
        parent = trunk(seed)
        lines = choose_lines(FACE, parent.events, "choice")
        first, last = estimates(FACE, parent, Plan((lines[0], lines[-1]), None, RANDOM, 16, 1, jobs=1), lambda _: None)
        decided += abs(last.share(0) - 0.5) > abs(first.share(0) - 0.5)
    assert decided >= 18


@pytest.mark.parametrize("eyes", [Viewer(Seat(0)), Viewer(Seat(1)), SPECTATOR])
def test_through_a_viewers_eyes_every_sample_is_another_world(eyes: Viewer) -> None:
    parent = trunk()
    line = choose_lines(FACE, parent.events, "choice")[0]
    (point,) = estimates(FACE, parent, Plan((line,), eyes, RANDOM, 40, 3, jobs=1), lambda _: None)
    assert point.samples == 40
    assert min(point.won) > 0


def test_bots_are_shown_their_own_views_only(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = trunk()
    views = views_of(GAME, parent.events[: pauses(GAME, parent.events)[0]])
    shown = []

    class Watching(RandomBot):
        def choose(self, view, asked, form, below):  # type: ignore[no-untyped-def]
            shown.append((asked.seat, view.hands[1 - asked.seat]))
            return super().choose(view, asked, form, below)

    play_on(GAME, views, [Watching(), Watching()], random.Random(1))
    assert {repr(hand) for _, hand in shown} == {"HIDDEN"}
    assert {seat for seat, _ in shown} == {0, 1}


def test_processes_give_the_same_as_one() -> None:
    name = "war_for_edadh"
    game = faces()[name].game
    store, referee = played(2, game=game, most=30)
    parent = trunk_of(game, from_store(store, referee.match))
    lines = choose_lines(faces()[name], parent.events, "turn", 2)
    one = estimates(faces()[name], parent, Plan(lines, Viewer(Seat(0)), RANDOM, 5, 7, jobs=1), lambda _: None)
    two = estimates(faces()[name], parent, Plan(lines, Viewer(Seat(0)), RANDOM, 5, 7, jobs=2), lambda _: None)
    assert one == two
    assert all(point.label for point in one)


@pytest.mark.parametrize(
    ("won", "drawn", "low", "high"),
    [((5, 5), 0, 0.2366, 0.7634), ((10, 0), 0, 0.7225, 1.0), ((0, 10), 0, 0.0, 0.2775), ((0, 0), 10, 0.2366, 0.7634)],
)
def test_the_band_is_wilsons(won: tuple[int, ...], drawn: int, low: float, high: float) -> None:
    assert Estimate(1, won, drawn).band(0) == pytest.approx((low, high), abs=5e-4)


def test_how_a_match_ended_is_an_estimate_of_one() -> None:
    parent = trunk()
    result = GAME.fold(parent.events).result
    point = ended(parent, 2)
    assert result is not None
    assert point is not None
    assert (point.line, point.label, point.samples) == (len(parent.events), result.reason, 1)
    assert ended(Trunk(parent.match, parent.events[:-1], parent.lines[:-1]), 2) is None


def test_lines_are_thinned_evenly_and_keep_first_and_last() -> None:
    parent = trunk()
    whole = choose_lines(FACE, parent.events, "choice")
    thinned = choose_lines(FACE, parent.events, "choice", 3)
    assert len(thinned) == 3
    assert (thinned[0], thinned[-1]) == (whole[0], whole[-1])
    assert choose_lines(FACE, parent.events, "choice", 1) == whole[:1]
    assert choose_lines(FACE, parent.events[:2], "choice") == ()


def test_a_line_is_labelled_by_the_heading_before_it() -> None:
    name = "vera_discordia"
    face = faces()[name]
    store, referee = played(2, game=face.game, most=60)
    parent = trunk_of(face.game, from_store(store, referee.match))
    labels = moments(face, parent)
    lines = choose_lines(face, parent.events, "turn")
    assert len(lines) < len(choose_lines(face, parent.events, "choice"))
    assert labels[lines[0]]
    assert len({labels[line] for line in lines}) > 2


@pytest.mark.parametrize("text", ["clever", "random,random,random", "random,", "random,clever"])
def test_bots_that_do_not_play_the_game_are_refused(text: str) -> None:
    with pytest.raises(Misconfigured, match="--bots"):
        read_bots(FACE.game.name, text, 2)


def test_one_bot_plays_all_seats_and_none_is_the_strongest() -> None:
    game = "vera_discordia"
    assert read_bots(game, "random", 2) == RANDOM
    assert read_bots(game, "", 4) == ("steady",) * 4
    assert read_bots(game, "steady,random", 2) == ("steady", "random")


CURVE = WinChart(
    "Two <captains>",
    ("Ada & co", "Bo"),
    (Estimate(5, (8, 8), 0, "Round 1: cards"), Estimate(20, (16, 0), 0), Estimate(40, (0, 16), 0, "Round 2: cards")),
    Estimate(44, (0, 1), 0, "more points"),
)


def test_the_terminal_shows_the_share_at_its_height() -> None:
    rows = drawing(CURVE, 80)
    assert all(len(row) <= 80 for row in rows)
    assert rows[HEIGHT // 2][6] == "●"
    assert "●" in rows[0]
    assert rows[HEIGHT - 1].rstrip().endswith("●")
    assert rows[-1].split() == ["line", "5", "line", "40"]
    assert drawing(WinChart("", ("A", "B"), CURVE.points[:1]), 20)


def test_the_picture_is_whole_xml_with_band_line_and_end() -> None:
    root = ElementTree.fromstring(svg(CURVE))
    kinds = {element.attrib.get("class") for element in root.iter()}
    assert {"b", "l", "p", "e", "m"} <= kinds
    said = [element.text or "" for element in root.iter()]
    assert "Two <captains>" in said
    assert any("Ada & co" in text for text in said)
    assert "Round 1" in said
    (line,) = [e.attrib["points"] for e in root.iter() if e.attrib.get("class") == "l"]
    assert len(line.split()) == 3


def test_what_was_taken_back_is_no_moment_of_the_match() -> None:
    store, referee = played(3, most=4)
    stood = referee.seq
    rng = random.Random(3)
    assert step(store, referee, rng)
    assert step(store, referee, rng)
    undone = range(stood + 1, referee.seq + 1)
    taken_back(store, referee, stood)
    while step(store, referee, rng):
        pass
    events = trunk_of(GAME, from_store(store, referee.match)).events
    assert set(undone) & set(pauses(GAME, events))
    for every in ("choice", "turn"):
        assert not set(undone) & set(choose_lines(FACE, events, every))
