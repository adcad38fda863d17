"""Rows of what each viewer's stream may contain (section AB)."""

import msgspec

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.cards import SHIPPED
from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.state.events import AnswerRevealed, CardHandedOver, DiscussionCardDrawn, QuestionChosen
from domain.kernel import DiceRolled, Event, Hidden, Seat, Shuffled
from server.conformance.walks import Walk, mask
from tests.domain.joan_of_arc.table import Table, given

OTHERS = ["d_priest_1a", "d_priest_1b", "d_priest_1c"]


def talk() -> Table:
    """A character beside a priest, whose card is to be drawn."""
    seat0 = {"orders": "1 command", "units": ["tal: e_talbot @C", "c1: c_priest @C"]}
    decks = {"c_priest:1": [*OTHERS, "d_priest_1d"]}
    table = given(map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]}, decks=decks)
    return table.do("PlayOrder command 0,0:a", "Wait", "Wait", "Discuss tal c1")


def test_ja_397_ja_398_ja_159_only_the_reader_sees_the_back_of_a_card_and_only_after_the_question() -> None:
    table = talk()
    assert not table.of(CardHandedOver)
    table.do("AskQuestion D")
    kinds = [type(event) for event in table.events]
    order = [kinds.index(kind) for kind in (DiscussionCardDrawn, QuestionChosen, CardHandedOver, AnswerRevealed)]
    assert order == sorted(order)
    handed = table.of(CardHandedOver)[0]
    assert handed.reader == 1
    held = {seat: GAME.redact(handed, mask(seat)) for seat in (Seat(0), Seat(1), None)}
    known = [isinstance(event.answers, tuple) for event in held.values() if isinstance(event, CardHandedOver)]
    assert known == [False, True, False]
    assert [isinstance(POSITIONS.view(table.state, seat).talk_back, Hidden) for seat in held] == [True, False, True]


def test_ja_398_the_chosen_answer_is_told_to_everybody() -> None:
    table = talk().do("AskQuestion D")
    revealed = table.of(AnswerRevealed)[0]
    assert GAME.redact(revealed, mask(None)) == revealed
    card = next(card for card in SHIPPED.discussions if card.id == "d_priest_1d")
    assert revealed.answer == card.answers["D"]


def test_ja_158_a_question_in_red_is_a_question_like_others() -> None:
    table = talk()
    card = next(card for card in SHIPPED.discussions if card.id == "d_priest_1d")
    assert (card.questions["D"].risk, card.questions["A"].risk) == (True, False)
    assert {"AskQuestion A", "AskQuestion D"} <= set(table.offers())


def test_ja_q76_ja_399_ja_392_ja_393_ja_400_hands_and_intrigue_cards_are_hidden_all_else_lies_open() -> None:
    seat0 = {
        "units": ["e1: e_billmen @L0"],
        "hand": ["lt_volley"],
        "intrigue_card": "i_english",
        "intrigue": 2,
        "xp": 1,
    }
    table = given(
        seat0=seat0,
        seat1={"orders": "2 command", "units": ["f1: f_voulgiers @L4", "f2: f_knights disrupted sent_by:0"]},
        discards={"legend": ["lt_shieldwall"]},
    )
    views = {seat: POSITIONS.view(table.state, seat) for seat in (Seat(0), Seat(1), None)}
    own, other, spectator = views.values()
    assert (own.boards[0].hand, own.boards[0].intrigue_card) == (("lt_volley",), "i_english")
    for view in (other, spectator):
        assert isinstance(view.boards[0].hand, Hidden)
        assert isinstance(view.boards[0].intrigue_card, Hidden)
        assert (view.boards[0].hand_size, view.boards[0].holds_intrigue) == (1, True)
        assert (view.boards[0].intrigue, view.boards[0].xp) == (2, 1)
        assert view.field == table.state.field
        assert view.boards[1].orders == table.state.boards[1].orders
        assert view.piles["legend"].discards == ("lt_shieldwall",)
        assert isinstance(view.piles["legend"].cards, Hidden)


def test_ja_401_ja_404_dice_are_everybodys_and_where_chance_comes_from_is_nobodys() -> None:
    walk = Walk(GAME, 1, {"scenario": "s1_ford_at_brossay"})
    list(walk.steps())
    for seat in (Seat(0), None):
        held = [GAME.redact(event, mask(seat)) for event in walk.events]
        rolls = [
            (event, shown) for event, shown in zip(walk.events, held, strict=True) if isinstance(event, DiceRolled)
        ]
        assert rolls
        assert all(event == shown for event, shown in rolls)
        shuffles = [event for event in held if isinstance(event, Shuffled)]
        assert shuffles
        assert all(isinstance(event.order, Hidden) for event in shuffles)


def test_ja_407_nothing_but_events_that_reveal_them_carries_answers_or_intrigue_effects() -> None:
    walk = Walk(GAME, 3, {"scenario": "s2_market_day"})
    list(walk.steps())
    showing = {"AnswerRevealed", "IntrigueTriggered"}
    sent = [GAME.redact(event, mask(None)) for event in walk.events]
    told: list[Event] = [event for event in sent if type(event).__name__ not in showing]
    operations = [b'"op":"test"', b'"op":"take_equipment"', b'"op":"activate_area"', b'"op":"continue_level2"']
    for event in told:
        if "DecisionsOpened" not in type(event).__name__:
            assert not [each for each in operations if each in msgspec.json.encode(event)]
