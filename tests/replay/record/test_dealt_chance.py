"""Section 4 of docs/record.md: chance that is dealt to every table of an event from one seed."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Dealt, DiceRolled, EntropyCommitted, EntropyRevealed, Event, Hidden, Seat, Shuffled
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.errors import RecordInvalid
from replay.files import export
from replay.record import dealt_chance, sealing
from replay.record.creation import Deal, create_match
from replay.record.draws import Draws
from replay.record.errors import SeatRefused
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from tests.replay.dealt import DEAL, EVENT, LIES, lied, played_at
from tests.replay.matches import START, begun, created, step, taken_back
from tests.skirmish.game import GAME

Drawn = dict[tuple[str, str, int, int], tuple[Any, ...]]


def events_of(store: MemoryStore, referee: Referee[Any]) -> list[Event]:
    return [read_event(referee.game, entry) for entry in store.read(referee.match)]


def drawn(store: MemoryStore, referee: Referee[Any]) -> Drawn:
    """What lies at each place: sides, key and faces, or size and order."""
    places, found = dealt_chance.Places(), {}
    for event in events_of(store, referee):
        time = places.take(event)
        if time and isinstance(event, DiceRolled):
            found[*dealt_chance.asking_of(event), time] = (event.sides, event.key, *event.dice)
        elif time and isinstance(event, Shuffled) and not isinstance(event.order, Hidden):
            found[*dealt_chance.asking_of(event), time] = (event.size, *event.order)
    return found


def test_two_tables_at_which_the_same_is_chosen_draw_the_same() -> None:
    one, other = played_at(3), played_at(3)
    assert one[1].match != other[1].match
    assert drawn(*one) == drawn(*other)
    assert {kind for kind, *_ in drawn(*one)} == {"dice", "shuffle"}


def test_at_tables_that_went_apart_the_same_question_has_the_same_answer() -> None:
    tables = [drawn(*played_at(seed)) for seed in range(8)]
    places = {place for table in tables for place in table}
    answers = {place: {table[place] for table in tables if place in table} for place in places}
    assert all(len(found) == 1 for found in answers.values())
    assert len({frozenset(table) for table in tables}) > 1


def test_more_dice_at_one_table_than_at_another_begin_alike() -> None:
    mixed = dealt_chance.dealt_mix(*dealt_chance.parts_of(DEAL.dealt))
    few, many = (
        dealt_chance.DealtChance(DEAL.seed, mixed, 0, 0, dealt_chance.Places()).dice_at("X", None, count, 6)
        for count in (3, 4)
    )
    assert (many.values[:3], many.key) == (few.values, few.key)


def test_a_place_is_the_rule_the_seat_and_the_time() -> None:
    asked = [("dice", "X", 0), ("shuffle", "X", 0), ("dice", "Y", 0), ("dice", "X", 1), ("dice", "X", 255)]
    keys = {dealt_chance.place_key(DEAL.seed, asking, time) for asking in asked for time in (1, 2)}
    assert len(keys) == 2 * len(asked)


def test_another_event_draws_otherwise() -> None:
    seed = b"o" * sealing.KEY_BYTES
    other = Deal(Dealt(DEAL.dealt.event, sealing.b64(dealt_chance.seed_commitment(EVENT, seed))), seed)
    assert drawn(*played_at(3)).items().isdisjoint(drawn(*played_at(3, deal=other)).items())


def test_a_table_that_is_opened_again_draws_on_as_if_it_had_not_stopped() -> None:
    (store, referee), (other, twin) = played_at(5, most=4), played_at(5, most=4)
    again, one, two = Referee.open(GAME, store, referee.match), random.Random(7), random.Random(7)
    while step(store, again, one):
        assert step(other, twin, two)
    assert drawn(store, again) == drawn(other, twin)
    assert audit(GAME, export.from_store(store, again.match)).fault is None


def test_who_reads_what_another_server_wrote_draws_on_behind_it() -> None:
    (store, referee), (other, twin) = played_at(5, most=0), played_at(5, most=0)
    second, one, two = Referee.open(GAME, store, referee.match), random.Random(7), random.Random(7)
    for _ in range(4):
        assert step(store, referee, one)
        assert step(other, twin, two)
    second.fold_news(store.read(referee.match))
    while step(store, second, one):
        assert step(other, twin, two)
    assert drawn(store, second) == drawn(other, twin)


def test_what_is_taken_back_stays_drawn() -> None:
    store, referee = played_at(4, most=6)
    before = drawn(store, referee)
    taken_back(store, referee, next(e.seq for e in store.read(referee.match) if e.type == "DecisionsOpened"))
    rng = random.Random(9)
    while step(store, referee, rng):
        pass
    assert len(before) < len(drawn(store, referee))
    assert before.items() <= drawn(store, referee).items()
    assert audit(GAME, export.from_store(store, referee.match)).fault is None


@pytest.mark.parametrize("viewer", [None, SPECTATOR, Viewer(Seat(1))])
def test_a_dealt_match_holds_for_every_viewer_who_is_told_whose_the_dice_are(viewer: Viewer | None) -> None:
    store, referee = played_at(6)
    report = audit(GAME, export.from_store(store, referee.match, viewer))
    assert report.fault is None
    assert report.rolls > 0
    assert report.chance.startswith(f"dealt by event {sealing.b64(EVENT)}: who made its seed could have chosen it")


def test_no_seat_gives_a_share() -> None:
    with pytest.raises(SeatRefused, match="dealt by its event"):
        Preparation(created(MemoryStore(), deal=DEAL)).commit_entropy(Seat(0), sealing.b64(bytes(32)), START)
    store, referee = played_at(2)
    assert not any(isinstance(event, EntropyCommitted | EntropyRevealed) for event in events_of(store, referee))
    assert Preparation(referee).awaited == Preparation(referee).owing == ()


@pytest.mark.parametrize("share", [EntropyCommitted(Seat(0), ""), EntropyRevealed(Seat(0), "")])
def test_a_share_in_the_record_of_a_dealt_match_is_refused(share: Event) -> None:
    store, referee = played_at(2, most=0)
    draws = Draws(sealing.unb64(referee.match))
    draws.take(events_of(store, referee)[0])
    with pytest.raises(RecordInvalid, match="stands where chance is dealt"):
        draws.take(share)


def test_a_seed_that_was_not_fixed_opens_no_table_and_goes_on_at_none() -> None:
    other = b"x" * sealing.KEY_BYTES
    with pytest.raises(RecordInvalid, match="not the one that the event has fixed"):
        created(MemoryStore(), deal=Deal(DEAL.dealt, other))
    store = MemoryStore()
    referee = begun(store, deal=DEAL)
    store._shelf.matches[referee.match].keys = replace(store.keys(referee.match), hid=other)
    with pytest.raises(RecordInvalid, match="not the one committed to"):
        Referee.open(GAME, store, referee.match)


@pytest.mark.parametrize("dealt", [Dealt("", ""), Dealt("!", ""), Dealt(DEAL.dealt.event, sealing.b64(bytes(16)))])
def test_an_event_that_is_none_is_refused(dealt: Dealt) -> None:
    with pytest.raises(RecordInvalid, match="the event or the commitment"):
        dealt_chance.parts_of(dealt)


def test_a_match_that_waits_for_shares_has_no_deal() -> None:
    with pytest.raises(ValueError, match="no seat gives a share"):
        create_match(GAME, {}, ("", ""), at=START, shares=True, deal=DEAL)


@pytest.mark.parametrize("lie", LIES)
def test_a_table_that_draws_otherwise_is_found_once_the_seed_is_open(lie: Any) -> None:
    fault = audit(GAME, lied(lie)).fault
    assert fault is not None
    assert fault.wrong.startswith(LIES[lie])
