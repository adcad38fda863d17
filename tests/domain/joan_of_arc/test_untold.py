"""JA-407: answers of discussions and untriggered intrigue effects in nothing that a client is sent.

Every answer and every intrigue slot of the cards is given a number of its own; then all bytes that a viewer is sent are
searched for it, at the table and in what does not depend on a match.
"""

import re
from typing import Any, Final

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards import cards
from domain.joan_of_arc.cards.hooks import Lose
from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.rules.bonuses.discussing import Discuss
from domain.joan_of_arc.rules.player_actions.intrigues import TriggerIntrigue
from domain.joan_of_arc.state import queries, setting
from domain.joan_of_arc.state.events import AnswerRevealed, CardHandedOver, IntrigueTriggered
from domain.kernel import Asked, Choice, Seat
from projections import registry
from server.conformance.walks import Walk, mask, viewers
from tests.domain.joan_of_arc.table import given

MARK: Final = re.compile(rb"7\d{5}1")
OPTIONS: Final = {"scenario": "s2_market_day", "seats": 3}
EVERY: Final = 40
"""After so many choices the Scenes are searched too, and whenever a card was shown."""
WANTED: Final = (Discuss, TriggerIntrigue)
SHOWING: Final = (AnswerRevealed, CardHandedOver, IntrigueTriggered)


def mark(number: int) -> int:
    """A number that stands nowhere else, whatever it is added to or told with."""
    return 7_000_001 + 10 * number


Marks = dict[tuple[str, str], bytes]


def marked() -> tuple[cards.CardSet, Marks]:
    """The shipped cards with an effect of its own for every answer and slot; and the number of each."""
    marks: Marks = {}

    def effects(card: str, place: str) -> tuple[Lose]:
        number = mark(len(marks))
        marks[card, place] = str(number).encode()
        return (Lose("xp", number),)

    talks = tuple(
        replace(card, answers={letter: effects(card.id, letter) for letter in card.answers})
        for card in cards.SHIPPED.discussions
    )
    schemes = tuple(
        replace(card, slots=tuple(replace(slot, effects=effects(card.id, str(slot.slot))) for slot in card.slots))
        for card in cards.SHIPPED.intrigue
    )
    return replace(cards.SHIPPED, discussions=talks, intrigue=schemes), marks


@pytest.fixture
def marks(monkeypatch: pytest.MonkeyPatch) -> Marks:
    """The cards are marked for one test; nothing reckoned of the others is used."""
    found, numbers = marked()
    index = cards.CardIndex(found)
    monkeypatch.setattr(setting, "index_of", lambda _: index)
    monkeypatch.setattr(setting, "_KEPT", {})
    monkeypatch.setattr(queries, "_LATEST", [])
    return numbers


class Eager(Walk):
    """Random choices, but talks and intrigues where they are offered."""

    def pick(self) -> tuple[Asked, Choice]:
        for asked in self.state.asked:
            form = self.game.revive_decision(asked).form(self.state)
            wanted = [choice for choice in getattr(form, "choices", ()) if isinstance(choice, WANTED)]
            if wanted:
                return asked, self.random.choice(wanted)
        return super().pick()


class Client:
    """A viewer at a table: the bytes that it is sent, and the marks that it may know by now."""

    def __init__(self, walk: Walk, viewer: Seat | None, marks: Marks) -> None:
        self.walk, self.viewer, self.marks = walk, viewer, marks
        self.view = walk.game.view(walk.events[:1], mask(viewer))
        self.known, self.met = self._hand(), set[bytes]()
        self.read = 0

    def _hand(self) -> set[bytes]:
        """The slots of the own intrigue card."""
        held = {board.intrigue_card for seat, board in enumerate(self.walk.state.boards) if seat == self.viewer}
        return {number for (card, _), number in self.marks.items() if card in held}

    def search(self, *, whole: bool) -> None:
        """All that came since the last time; `whole`: and what the view, the Scene and the board's text say."""
        for event in self.walk.events[self.read :]:
            self._learn(event)
            seen = self.walk.game.redact(event, mask(self.viewer))
            self._look(encode(seen), type(event).__name__)
            if self.read:
                self.view = self.walk.game.fold((seen,), self.view)
            self.read += 1
        if whole:
            face = registry.faces()[GAME.name]
            self._look(encode(self.view), "the snapshot")
            self._look(encode(face.scene(self.view, self.viewer)), "the Scene")
            self._look(face.board(self.view, self.viewer).encode(), "the board")

    def _learn(self, event: object) -> None:
        match event:
            case AnswerRevealed(card=card, letter=letter):
                self.known.add(self.marks[card, letter])
            case CardHandedOver(reader=reader, card=card) if reader == self.viewer:
                self.known |= {number for (name, _), number in self.marks.items() if name == card}
            case IntrigueTriggered(slot=slot):
                self.known |= {str(effect.n).encode() for effect in slot.effects if isinstance(effect, Lose)}

    def _look(self, sent: bytes, what: str) -> None:
        found = set(MARK.findall(sent))
        self.met |= found
        told = [place for place, number in self.marks.items() if number in found - self.known]
        assert not told, f"{what} tells {self.viewer} of {told}"


def searched(seed: int, marks: Marks) -> list[Client]:
    """A match of three, searched by everybody who is at it."""
    walk = Eager(GAME, seed, OPTIONS)
    clients = [Client(walk, viewer, marks) for viewer in viewers(GAME, OPTIONS)]
    for number, _ in enumerate(walk.steps()):
        shown = any(isinstance(event, SHOWING) for event in walk.events[clients[0].read :])
        for client in clients:
            client.search(whole=shown or number % EVERY == 0)
    return clients


@pytest.mark.parametrize("seed", [1, 2])
def test_ja_407_nothing_that_is_sent_tells_answers_or_effects_before_their_time(marks: Marks, seed: int) -> None:
    clients = searched(seed, marks)
    slots = {number for (card, _), number in marks.items() if card.startswith("i_")}
    for client in clients:
        assert client.met & slots, "nobody triggered anything, so that the search proved nothing"
        assert client.met <= slots, "a priest in the wrong place"


def test_ja_397_ja_398_ja_407_an_answer_is_in_nothing_before_it_is_read_and_the_others_are_the_readers(
    marks: Marks,
) -> None:
    seat0 = {"orders": "1 command, 1 reactivation", "units": ["tal: e_talbot @C", "c1: c_priest @C"]}
    seats: dict[str, Any] = {
        "seat0": seat0,
        "seat1": {"units": ["f1: f_voulgiers @E"]},
        "seat2": {"units": ["e1: e_billmen @W"]},
    }
    table = given(map="flower", **seats)
    everybody = [None, *map(Seat, range(3))]
    views = {viewer: POSITIONS.view(table.state, viewer) for viewer in everybody}
    met: dict[Seat | None, set[bytes]] = {viewer: set() for viewer in everybody}
    face = registry.faces()[GAME.name]
    for choice in ("PlayOrder command 0,0:a", "Wait", "Wait", "Discuss tal c1", "AskQuestion A"):
        assert not any(met.values()), "nothing is told before a question was chosen"
        table.events.clear()
        table.do(choice)
        for viewer in everybody:
            seen = [GAME.redact(event, mask(viewer)) for event in table.events]
            views[viewer] = GAME.fold(seen, views[viewer])
            shown = (encode(seen), encode(views[viewer]), encode(face.scene(views[viewer], viewer)))
            met[viewer] |= {number for sent in shown for number in MARK.findall(sent)}
    (card,) = {event.card for event in table.of(AnswerRevealed)}
    answers = {letter: number for (name, letter), number in marks.items() if name == card}
    assert met[Seat(1)] == set(answers.values()), "the reader has all four"
    assert [met[viewer] for viewer in (None, Seat(0), Seat(2))] == [{answers["A"]}] * 3
