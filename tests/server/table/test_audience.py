"""An audience knows the same however it came to know it."""

import pytest

from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from replay.record.referee import read_event
from server.table.audience import LOG_LINES, Audience
from tests.replay.matches import played

HEAD = b"\0" * 32


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(0)], ids=["spectator", "seat"])  # type: ignore[arg-type]
@pytest.mark.parametrize("most", [30, 150, 400])
def test_who_comes_late_is_shown_what_who_stayed_sees(viewer: Viewer, most: int) -> None:
    face = faces()["vera_discordia"]
    store, referee = played(6, game=face.game, most=most)
    events = [read_event(face.game, entry) for entry in store.read(referee.match)]
    stayed = Audience(face, viewer, events[:1])
    for number, event in enumerate(events[1:], 2):
        stayed.step(number, [event])
    late = Audience(face, viewer, events)
    assert late.view == stayed.view
    assert late.snapshot(referee.seq, HEAD) == stayed.snapshot(referee.seq, HEAD)
    assert len(late._log) <= LOG_LINES


def test_a_chronicle_is_as_long_as_it_is_shown_even_where_little_is_told() -> None:
    face = faces()["vera_discordia"]
    lengths = []
    for seed in range(1, 40):
        store, referee = played(seed, game=face.game)
        if referee.seq > 1500:
            late = Audience(face, SPECTATOR, [read_event(face.game, entry) for entry in store.read(referee.match)])
            lengths.append(len(late._log))
            break
    assert lengths == [LOG_LINES]
