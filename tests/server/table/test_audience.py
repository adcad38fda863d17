"""An audience knows the same however it came to know it."""

import pytest
from msgspec.json import decode

from projections.redaction import SPECTATOR, Viewer
from projections.registry import faces
from projections.scene import merge
from replay.record import sealing
from replay.record.referee import read_event
from server.table.audience import LOG_LINES, Audience, split_lines
from server.wire.protocol import HeadInfo
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


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(0)], ids=["spectator", "seat"])  # type: ignore[arg-type]
def test_steps_in_another_language_lead_to_the_scene_that_who_comes_late_is_shown(viewer: Viewer) -> None:
    face = faces()["vera_discordia"]
    store, referee = played(6, game=face.game, most=120)
    events = [read_event(face.game, entry) for entry in store.read(referee.match)]
    english, german = Audience(face, viewer, events[:60]), Audience(face, viewer, events[:60])
    scene = decode(german.snapshot(60, HEAD, language="de"))["scene"]
    english.snapshot(60, HEAD)
    for number, event in enumerate(events[60:], 61):
        step = german.step(number, [event], "de")
        scene = merge(scene, step["set"])
        assert {key: step[key] for key in step if key not in {"set", "log", "cues"}} == {"seq": number}
        english.step(number, [event])
    shown = decode(german.snapshot(len(events), HEAD, language="de"))["scene"]
    assert {key: scene[key] for key in scene if key not in {"log", "seq"}} == (
        {key: shown[key] for key in shown if key not in {"log", "seq"}}
    )
    assert german.snapshot(len(events), HEAD) == english.snapshot(len(events), HEAD)
    assert shown["crumbs"][0].startswith(("Runde", "Vorbereitung"))


def test_lines_are_the_same_bytes_in_every_language() -> None:
    face = faces()["vera_discordia"]
    store, referee = played(6, game=face.game, most=120)
    entries = store.read(referee.match)
    events = [read_event(face.game, entry) for entry in entries]
    audience = Audience(face, SPECTATOR, events[:100])
    audience.wants_scenes = True
    audience.snapshot(100, HEAD)
    told, head = split_lines(entries[100:]), HeadInfo(len(entries), sealing.b64(HEAD))
    _, english = audience.advance(told, events[100:], head)
    first, second = decode(english), decode(audience.last_in("de"))
    assert {**first, "steps": ()} == {**second, "steps": ()}
    assert first["steps"] != second["steps"]
