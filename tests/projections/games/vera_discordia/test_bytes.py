"""Section AH of Vera Discordia on the bytes each viewer is sent: no card, order or Terrain before it may be known."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.kernel import DecisionsOpened, Event, MatchEnded, Shuffled
from domain.vera_discordia import GAME
from domain.vera_discordia.state import events as e
from projections.redaction import SPECTATOR, Viewer, item
from replay.record.line import read_line
from replay.record.referee import read_event
from replay.store.log import Entry
from tests.replay.matches import played

MATCHES = (
    ("ykora", "lhaia", "nir", "iskelond"),
    ("urgga", "dorne", "shog", "talmar"),
    ("vale", "orrin", "talmar", "nir"),
)
VIEWERS = (Viewer(0), Viewer(1), SPECTATOR)  # type: ignore[arg-type]
CHOICES = 330


class Match:
    """A random match as it was recorded: every line, and what it says in full. It gets as far as round 2."""

    def __init__(self, pairing: int) -> None:
        *generals, first, second = MATCHES[pairing]
        self.factions = (first, second)
        options = {"generals": generals}
        matches = (played(seed, game=GAME, most=CHOICES, options=options) for seed in range(20))
        store, referee = next(match for match in matches if match[1].state.round >= 2)
        entries = store.read(referee.match)
        self.lines = [(entry, read_event(GAME, entry)) for entry in entries][1:]

    def sent(self, viewer: Viewer) -> Iterator[tuple[Event, str]]:
        """Line by line the text a viewer receives, up to the end of the match."""
        for entry, event in self.lines:
            if isinstance(event, MatchEnded):
                return
            yield event, sent(entry, viewer)


def sent(entry: Entry, viewer: Viewer) -> str:
    line, openings = item(entry.line, read_line(entry.line).masks, entry.openings, viewer)
    return json.dumps([json.loads(line), [json.loads(value) for _, value in openings]])


def told(entry: Entry, viewer: Viewer) -> list[Any]:
    """The values of secret fields that the viewer is sent with a line."""
    _, openings = item(entry.line, read_line(entry.line).masks, entry.openings, viewer)
    return [json.loads(value) for _, value in openings]


@pytest.fixture(scope="module", params=[0, 1, 2])
def match(request: pytest.FixtureRequest) -> Match:
    return Match(request.param)


def shown(event: Event) -> set[str]:
    """The cards that an event shows to everybody."""
    match event:
        case e.ArmyShown():
            return set(event.open)
        case e.UnitDeployed(open_card=str() as card):
            return {card}
        case e.UnitOpened() | e.UnitTransformed():
            return {event.card}
    return set()


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer.label)
def test_vd_364_vd_367_vd_368_no_card_of_the_other_army_before_it_is_open(match: Match, viewer: Viewer) -> None:
    others = [faction for seat, faction in enumerate(match.factions) if seat != viewer.seat]
    named = re.compile(rf'"((?:{"|".join(others)})/[a-z-]+)"')
    open_cards: set[str] = set()
    found: set[str] = set()
    for event, text in match.sent(viewer):
        open_cards |= shown(event)
        found |= set(named.findall(text))
        assert found <= open_cards, f"{type(event).__name__} names {found - open_cards}"
    assert found


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer.label)
def test_vd_375_vd_368_vd_119_shuffles_and_the_stack_are_sent_to_nobody(match: Match, viewer: Viewer) -> None:
    kinds = (Shuffled, DecisionsOpened, e.OrderDeckShuffled, e.TerrainLaid)
    lines = [entry for entry, event in match.lines if isinstance(event, kinds)]
    assert lines
    assert [told(entry, viewer) for entry in lines] == [[]] * len(lines)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer.label)
def test_vd_376_vd_377_vd_381_vd_383_hands_and_face_down_orders_are_sent_to_their_owner(
    match: Match, viewer: Viewer
) -> None:
    kinds = (e.CardsDrawn, e.OrdersIssued, e.OrderTakenBack, e.CardExchanged, e.OrderReclaimed, e.UnitTookOrder)
    lines = [(entry, event.seat) for entry, event in match.lines if isinstance(event, kinds)]
    assert len({seat for _, seat in lines}) == 2
    for entry, seat in lines:
        assert bool(told(entry, viewer)) is (viewer.seat == seat)


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer.label)
def test_vd_373_a_look_at_terrain_is_sent_to_the_one_who_looked(match: Match, viewer: Viewer) -> None:
    lines = [(entry, event) for entry, event in match.lines if isinstance(event, e.TerrainExamined)]
    for entry, event in lines:
        assert told(entry, viewer) == ([event.terrain] if viewer.seat == event.seat else [])


@pytest.mark.parametrize("viewer", VIEWERS, ids=lambda viewer: viewer.label)
def test_vd_365_the_life_of_a_closed_unit_is_sent_to_its_owner(match: Match, viewer: Viewer) -> None:
    closed = [
        (entry, event) for entry, event in match.lines if isinstance(event, e.UnitDeployed) and event.open_card is None
    ]
    assert closed
    for entry, event in closed:
        assert (event.life in told(entry, viewer)) is (viewer.seat == event.seat)
        assert not {"life", "card", "covert"} & set(json.loads(sent(entry, SPECTATOR))[0][8])


def test_vd_395_what_both_are_sent_differs_in_openings_only(match: Match) -> None:
    """The same lines, in the same number, to every viewer."""
    lines = [[json.loads(text)[0] for _, text in match.sent(viewer)] for viewer in VIEWERS]
    assert lines[0] == lines[1] == lines[2]
