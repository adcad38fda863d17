"""What every store promises."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from replay.store.combined_reads import read_whole
from replay.store.errors import MatchExists, NoSuchMatch
from replay.store.log import Committed, Conflict, Entrance
from replay.store.matches import AT_ONCE, NEVER, Brief, Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.side_tables.webhooks import WebhookRow
from replay.store.store import Store
from tests.replay.store.stored import KEYS, POSTGRES, commit, create, entry, said, store_of


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = store_of(request, tmp_path)
    yield made
    made.close()


def test_what_is_appended_is_read_back(store: Store) -> None:
    create(store)
    assert store.append(commit("m1", 1, 3)) == Committed(4)
    assert store.read("m1") == [entry(seq, b"null", b'"s"') for seq in (1, 2, 3, 4)]
    assert store.read("m1", after=1, limit=2) == [entry(seq, b"null", b'"s"') for seq in (2, 3)]
    assert store.read("m1", after=4) == []
    assert (store.head("m1").seq, store.head("m1").hash) == (4, b"\x04" * 32)
    assert (store.keys("m1"), store.seats.holders("m1")[0].token_hash) == (KEYS, b"hash")


def test_all_of_a_record_is_read_in_one_go(store: Store) -> None:
    create(store)
    store.append(commit("m1", 1, 2, checkpoint=b"c"))
    whole = store.whole("m1")
    assert (whole.keys, list(whole.entries), whole.head) == (KEYS, store.read("m1"), store.head("m1"))
    assert list(whole.checkpoints) == store.checkpoints("m1") == [(3, b"c")]
    for unknown in ("m2", "m\0", ""):
        with pytest.raises(NoSuchMatch):
            store.whole(unknown)


def test_whoever_enters_is_asked_for_in_one_go_whether_the_match_is_there_or_not(store: Store) -> None:
    create(store)
    store.seats.grant("m1", WatchRow(1, b"eyes"))
    found = store.entrance("m1")
    assert (found.header, found.rows) == (store.header("m1"), store.seats.holders("m1"))
    assert found.watchers == (WatchRow(1, b"eyes"),)
    for unknown in ("m2", "m\0", ""):
        assert store.entrance(unknown) == Entrance(None, (), ())


def test_a_record_that_grew_while_it_was_read_is_read_to_its_end(store: Store) -> None:
    create(store)
    before = store.whole("m1")
    store.append(commit("m1", 1))
    between = replace(before, head=store.head("m1"))

    class Grown:
        whole = staticmethod(lambda _: between)
        read = staticmethod(store.read)

    log: Any = Grown()
    assert list(read_whole(log, "m1").entries) == store.read("m1")


@pytest.mark.parametrize("expected", [0, 2])
def test_an_append_at_another_place_is_a_conflict_and_writes_nothing(store: Store, expected: int) -> None:
    create(store)
    assert store.append(commit("m1", expected, 2, status="finished", checkpoint=b"c")) == Conflict(1)
    assert len(store.read("m1")) == 1
    assert store.header("m1").status == "open"
    assert store.checkpoints("m1") == []


def test_a_commit_changes_the_match_list_in_the_same_stroke(store: Store) -> None:
    create(store)
    store.append(commit("m1", 1, status="running", checkpoint=b"one"))
    assert (store.header("m1").status, store.header("m1").changed_ms) == ("running", 1002)
    store.append(commit("m1", 2, status="finished", result="seat 0: more", checkpoint=b"two"))
    assert (store.header("m1").status, store.header("m1").result) == ("finished", "seat 0: more")
    assert store.checkpoints("m1") == [(2, b"one"), (3, b"two")]


def test_many_matches_are_asked_at_once_where_they_end(store: Store) -> None:
    for number in (1, 2, 3):
        create(store, f"m{number}", lines=number)
    assert store.heads(["m3", "m9", "m1"]) == {"m3": 3, "m1": 1}
    assert store.heads([]) == {}


def test_matches_are_listed_with_who_holds_their_seats(store: Store) -> None:
    for number in (1, 2):
        create(store, f"m{number}", created_ms=number)
    store.append(commit("m1", 1, seat=SeatRow(1, "B", "bot", "random")))
    assert store.matches.listing("open", 5) == [
        (header, store.seats.holders(header.match)) for header in store.matches.latest()
    ]
    assert [header.match for header, _ in store.matches.listing("open", 1)] == ["m2"]
    assert store.matches.listing("running", 5) == []


def test_matches_that_are_not_for_everybody_take_no_place_in_the_list(store: Store) -> None:
    for number, (listed, closed) in enumerate(((True, False), (False, False), (True, True)), 1):
        header = Header(f"m{number}", "skirmish", "1", number, "", listed, closed=closed)
        store.create(header, KEYS, (), commit(header.match, 0))
    assert [header.match for header, _ in store.matches.listing("open", 1)] == ["m1"]


def test_matches_are_listed_latest_first(store: Store) -> None:
    for number in (1, 3, 2):
        create(store, f"m{number}", created_ms=number)
    store.append(commit("m2", 1, status="running"))
    assert [header.match for header in store.matches.latest()] == ["m3", "m2", "m1"]
    assert [header.match for header in store.matches.latest("running")] == ["m2"]
    assert [header.match for header in store.matches.latest(limit=1)] == ["m3"]


def test_a_match_is_created_once(store: Store) -> None:
    create(store)
    with pytest.raises(MatchExists):
        create(store)
    assert len(store.read("m1")) == 1


def test_an_unknown_match_is_said_so(store: Store) -> None:
    for ask in (store.head, store.header, store.keys, store.seats.holders):
        with pytest.raises(NoSuchMatch, match="m9"):
            ask("m9")
    with pytest.raises(NoSuchMatch):
        store.append(commit("m9", 0))
    with pytest.raises(NoSuchMatch):
        store.submit(commit("m9", 0)).result()


def test_seats_change_hands(store: Store) -> None:
    create(store)
    store.append(commit("m1", 1, seat=SeatRow(1, "B", "bot", "random")))
    assert store.seats.holders("m1")[1] == SeatRow(1, "B", "bot", "random")


def test_who_holds_a_seat_is_written_with_the_lines_or_not_at_all(store: Store) -> None:
    create(store)
    first, second = (SeatRow(1, name, "person", "", name.encode() * 16) for name in ("Bo", "Cy"))
    assert store.append(commit("m1", 1, seat=first)) == Committed(2)
    assert store.append(commit("m1", 1, seat=second)) == Conflict(2)
    assert store.seats.holders("m1")[1] == first


def test_a_match_keeps_who_may_watch_it_and_how_far_behind(store: Store) -> None:
    header = Header("m1", "skirmish", "1", 1, "A match", False, "open", "", 1, True, 30, 600)
    store.create(header, KEYS, (SeatRow(0),), commit("m1", 0))
    seen = store.header("m1")
    assert (seen.listed, seen.closed, seen.delay_events, seen.delay_s) == (False, True, 30, 600)
    assert store.matches.latest() == [seen]


def test_a_closed_match_is_disclosed_alone_and_nothing_else_of_it_is_touched(store: Store) -> None:
    for name in ("m1", "m2"):
        header = Header(name, "skirmish", "1", 1, "A match", False, "open", "", 1, True, 30, 600)
        store.create(header, KEYS, (SeatRow(0),), commit(name, 0))
    before, keys, head = store.header("m1"), store.keys("m1"), store.head("m1")
    store.matches.disclose("m1")
    assert store.header("m1") == replace(before, closed=False)
    assert (store.keys("m1"), store.head("m1"), store.seats.holders("m1")) == (keys, head, (SeatRow(0),))
    assert {header.match: header.closed for header in store.matches.latest()} == {"m1": False, "m2": True}
    store.matches.disclose("m1")
    assert store.append(commit("m1", 1)) == Committed(2)
    assert not store.header("m1").closed


def test_a_match_that_is_not_there_cannot_be_disclosed(store: Store) -> None:
    with pytest.raises(NoSuchMatch):
        store.matches.disclose("m9")


def test_matches_are_found_by_when_they_are_due(store: Store) -> None:
    for name, due in (("m1", None), ("m2", 5000), ("m3", NEVER), ("m4", 4999)):
        create(store, name)
        store.append(commit(name, 1, due=due))

    def found(until_ms: int) -> set[str]:
        return {header.match for header in store.matches.due(until_ms)}

    assert (found(AT_ONCE), found(4999), found(5000)) == ({"m1"}, {"m1", "m4"}, {"m1", "m2", "m4"})
    assert found(NEVER) == {"m1", "m2", "m4"}
    store.append(commit("m2", 2))
    store.append(commit("m4", 2, status="finished"))
    assert found(NEVER) == {"m1", "m2"}
    assert found(4999) == {"m1"}


def test_when_a_match_is_due_is_noted_only_where_it_has_not_gone_on(store: Store) -> None:
    create(store)
    store.matches.set_due("m1", 0, NEVER)
    assert [header.match for header in store.matches.due(AT_ONCE)] == ["m1"]
    store.matches.set_due("m1", 1, 7000)
    assert store.matches.due(6999) == []
    assert [header.match for header in store.matches.due(7000)] == ["m1"]


def test_of_two_that_append_the_one_too_late_says_nothing_of_when_it_is_due(store: Store) -> None:
    create(store)
    assert store.append(commit("m1", 1, due=NEVER)) == Committed(2)
    assert store.append(commit("m1", 1, due=AT_ONCE)) == Conflict(2)
    assert store.matches.due(NEVER) == []


def test_watchers_of_a_seat_are_granted_and_revoked_together(store: Store) -> None:
    create(store)
    for seat, token in ((0, b"one"), (0, b"two"), (1, b"three")):
        store.seats.grant("m1", WatchRow(seat, token))
    store.seats.revoke("m1", 0)
    assert store.seats.watchers("m1") == (WatchRow(1, b"three"),)
    assert store.seats.watchers("nowhere") == ()


def test_a_room_keeps_its_last_lines_and_no_other_rooms(store: Store) -> None:
    create(store)
    for n in range(1, 6):
        store.chat.say("m1", said(n), 3)
    store.chat.say("m1", said(1, "spectators"), 3)
    assert store.chat.said("m1", "players", 9) == [said(3), said(4), said(5)]
    assert store.chat.said("m1", "players", 2) == [said(4), said(5)]
    assert store.chat.said("m1", "spectators", 9) == [said(1, "spectators")]
    assert store.chat.said("nowhere", "players", 9) == []


def test_a_line_of_chat_whose_number_another_server_has_used_gets_the_next(store: Store) -> None:
    create(store)
    assert [store.chat.say("m1", said(n), 3) for n in (1, 1, 2, 9)] == [1, 2, 3, 9]
    assert store.chat.say("m1", said(1, "spectators"), 3) == 1
    assert [(row.n, row.text) for row in store.chat.said("m1", "players", 9)] == [(9, "line 9")]
    store.chat.erase("m1")
    assert store.chat.say("m1", said(10), 3) == 10


def test_what_was_found_out_about_a_match_is_kept_by_its_terms(store: Store) -> None:
    create(store)
    assert store.analyses.found("m1", "terms") is None
    store.analyses.keep("m1", "terms", '{"one":1}')
    store.analyses.keep("m1", "other", "{}")
    store.analyses.keep("m1", "terms", '{"two":2}')
    assert [store.analyses.found("m1", terms) for terms in ("terms", "other", "none")] == ['{"two":2}', "{}", None]
    assert store.analyses.found("m2", "terms") is None


def test_what_servers_say_of_who_is_at_a_match_lasts_while_they_are_there(store: Store) -> None:
    create(store)
    assert store.presence.announced(0, ["m1"]) == []
    store.presence.leave("one", 0)
    store.presence.announce("one", 1_000, {"m1": "{}", "m2": '{"two":2}'})
    store.presence.announce("two", 2_000, {"m1": '{"three":3}'})
    assert sorted(store.presence.announced(1_000, ["m1"])) == [("m1", "one", "{}"), ("m1", "two", '{"three":3}')]
    assert store.presence.announced(1_001, ["m1", "m2"]) == [("m1", "two", '{"three":3}')]
    store.presence.announce("one", 3_000, {"m1": '{"four":4}'})
    assert sorted(store.presence.announced(3_000, ["m1", "m2"])) == [
        ("m1", "one", '{"four":4}'),
        ("m2", "one", '{"two":2}'),
    ]
    store.presence.announce("one", 3_000, {"m1": "", "m3": ""})
    assert store.presence.announced(3_000, ["m1", "m2", "m3"]) == [("m2", "one", '{"two":2}')]
    store.presence.leave("three", 2_001)
    assert store.presence.announced(0, ["m1", "m2"]) == [("m2", "one", '{"two":2}')]
    store.presence.leave("one", 0)
    assert store.presence.announced(0, ["m1", "m2"]) == []


def hook(seat: int, secret: str = "shh") -> WebhookRow:
    return WebhookRow(seat, f"https://club.example/{secret}", secret)


def test_a_seat_is_told_at_one_address_and_the_last_one_named(store: Store) -> None:
    create(store)
    assert (store.webhooks.addresses("m1"), store.webhooks.matches()) == ((), [])
    for match, row in (("m1", hook(1)), ("m2", hook(0)), ("m1", hook(0)), ("m1", hook(1, "again"))):
        assert store.webhooks.set_address(match, row, 100)
    assert store.webhooks.addresses("m1") == (hook(0), hook(1, "again"))
    assert sorted(store.webhooks.matches()) == ["m1", "m2"]
    store.webhooks.remove_address("m1", 1)
    assert (store.webhooks.addresses("m1"), store.webhooks.addresses("m2")) == ((hook(0),), (hook(0),))


def test_no_more_addresses_are_kept_than_there_may_be(store: Store) -> None:
    assert [store.webhooks.set_address("m1", hook(seat), 2) for seat in range(3)] == [True, True, False]
    assert store.webhooks.addresses("m1") == (hook(0), hook(1))
    store.webhooks.remove_address("m1", 0)
    assert store.webhooks.set_address("m1", hook(2), 2)


def test_a_call_is_noted_in_the_stroke_of_its_lines_or_not_at_all(store: Store) -> None:
    create(store)
    assert store.append(commit("m1", 1, 2, reminder=5000)) == Committed(3)
    assert store.append(commit("m1", 1, 3, reminder=6000)) == Conflict(3)
    assert store.append(commit("m1", 3)) == Committed(4)
    assert store.append(commit("m1", 4, reminder=4000)) == Committed(5)
    assert (store.webhooks.overdue(3999), store.webhooks.overdue(4999)) == ([], [("m1", 5)])
    assert store.webhooks.overdue(5000) == [("m1", 5), ("m1", 3)], "the longest left first"


def test_a_call_is_in_the_hands_of_one_server_until_its_time_is_over(store: Store) -> None:
    for seq in (1, 2):
        store.webhooks.remind("m1", seq, 1000)
    calls = [("m1", 1), ("m1", 2), ("m9", 1)]
    assert store.webhooks.hold(calls, 3000, 999) == []
    assert store.webhooks.hold(calls[1:], 3000, 1000) == [("m1", 2)]
    assert store.webhooks.hold(calls, 3000, 1000) == [("m1", 1)]
    assert store.webhooks.hold(calls, 4000) == [("m1", 1), ("m1", 2)]
    assert (store.webhooks.overdue(3999), store.webhooks.overdue(4000)) == ([], [("m1", 1), ("m1", 2)])
    store.webhooks.settle([("m1", 1)])
    assert store.webhooks.hold(calls, 5000) == store.webhooks.overdue(5000) == [("m1", 2)], (
        "what was settled never comes back"
    )


def test_of_a_match_that_is_over_calls_and_addresses_go_and_those_of_no_other(store: Store) -> None:
    for match in ("m1", "m2"):
        store.webhooks.set_address(match, hook(0), 9)
        store.webhooks.remind(match, 7, 0)
    store.webhooks.remind("m1", 5, 0)
    store.webhooks.settle([("m1", 7)], ["m1"])
    assert (store.webhooks.addresses("m1"), store.webhooks.addresses("m2"), store.webhooks.overdue(0)) == (
        (),
        (hook(0),),
        [("m2", 7)],
    )
    store.webhooks.clear()
    assert (store.webhooks.matches(), store.webhooks.overdue(0)) == ([], [])


def test_of_many_servers_that_would_take_a_call_one_does(store: Store) -> None:
    store.webhooks.remind("m1", 1, 1000)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda n: store.webhooks.hold([("m1", 1)], 2000 + n, 1000), range(24)))
    assert sorted(map(len, taken)) == [0] * 23 + [1]


def test_chat_is_erased_and_the_record_stays(store: Store) -> None:
    create(store)
    store.chat.say("m1", said(1), 3)
    before = store.read("m1"), store.head("m1")
    store.chat.erase("m1")
    assert store.chat.said("m1", "players", 9) == []
    assert (store.read("m1"), store.head("m1")) == before


def test_of_many_who_append_at_one_place_one_wins(store: Store) -> None:
    create(store)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: store.append(commit("m1", 1, 2)), range(40)))
    assert answers.count(Committed(3)) == 1
    assert {answer for answer in answers if isinstance(answer, Conflict)} == {Conflict(3)}
    assert len(store.read("m1")) == 3


def test_followers_hear_of_commits_after_they_are_readable(store: Store) -> None:
    heard: list[tuple[str, int, int]] = []
    create(store)
    store.follow(lambda match, seq: heard.append((match, seq, len(store.read(match)))))
    store.append(commit("m1", 1, 2))
    store.append(commit("m1", 1, 2))
    store.append(commit("m1", 3))
    store.close()
    assert heard == [("m1", 3, 3), ("m1", 4, 4)]


def test_a_follower_that_fails_stops_nobody(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def fail(match: str, seq: int) -> None:
        raise RuntimeError("no reason")

    heard: list[int] = []
    create(store)
    store.follow(fail)
    store.follow(lambda match, seq: heard.append(seq))
    assert [store.append(commit("m1", seq)) for seq in (1, 2)] == [Committed(2), Committed(3)]
    store.close()
    assert heard == [2, 3]
    assert "no reason" in caplog.text


def test_secrets_are_not_shown_in_logs() -> None:
    assert "m" * 32 not in repr(KEYS)
    assert "hash" not in repr(SeatRow(0, "A", "person", "", b"hash"))
    assert "hash" not in repr(WatchRow(0, b"hash"))
    assert "line" not in repr(said(1))
    assert "club" not in repr(hook(0))
    assert "shh" not in repr(hook(0))


def test_a_match_that_says_nothing_of_it_keeps_nobody_behind() -> None:
    header = Header("m", "skirmish", "1", 0)
    assert (header.delay_events, header.delay_s, header.closed, header.changed_ms) == (0, 0, False, 0)


def test_a_seats_token_is_changed_where_it_is_the_one_that_was_named_and_a_new_holder_without_one_keeps_it(
    store: Store,
) -> None:
    create(store)
    store.append(commit("m1", 1, seat=SeatRow(1, "B", "person", "", b"one")))
    assert not store.seats.change_token("m1", 1, b"other", b"two")
    assert not store.seats.change_token("m1", 5, b"one", b"two")
    assert store.seats.change_token("m1", 1, b"one", b"two")
    assert not store.seats.change_token("m1", 1, b"one", b"three")
    store.append(commit("m1", 2, seat=SeatRow(1, "B", "bot", "random")))
    assert store.seats.holders("m1")[1] == SeatRow(1, "B", "bot", "random", b"two")


def test_rated_results_come_in_the_order_of_end_and_bytes_of_the_id(store: Store) -> None:
    ids = ["-a", "A", "Z", "_b", "a", "z"]
    for number, match in enumerate(ids):
        create(store, match)
        store.append(commit(match, 1, status="finished"))
        if number % 2 == 0:
            store.ratings.settle(match, "", (5, match, match))
            store.ratings.settle(match, "said later", (6, match, "other"))
    assert sorted(store.ratings.unsettled("", 9)) == ["A", "_b", "z"]
    assert [store.ratings.why(match) for match in ("-a", "A")] == ["", None]
    store.ratings.settle("A", "it was not created as rated")
    assert store.ratings.why("A") == "it was not created as rated"
    assert store.ratings.results((0, ""), 5, 9) == [(5, "-a", "-a"), (5, "Z", "Z"), (5, "a", "a")]
    assert store.ratings.results((5, "-a"), 5, 1) == [(5, "Z", "Z")]
    assert store.ratings.results((0, ""), 4, 9) == []


def test_a_seat_of_a_rated_match_stays_with_the_first_person_who_said_so(store: Store) -> None:
    for person in ("ann", "ben"):
        store.rated_players.sit(person, "m1", 0)
    name = store.rated_players.pseudonym("m1", 0)
    assert store.rated_players.person(name) == "ann"
    store.rated_players.sever("ann")
    assert (store.rated_players.person(name), store.rated_players.pseudonym("m1", 0)) == ("", name)


def test_matches_are_found_by_the_names_of_those_who_play_in_them(store: Store) -> None:
    seats = {"m1": ("Ada", "Bo"), "m2": ("Cleo", "Ada"), "m3": ("Cleo", ""), "m4": ("Dan", "Bo")}
    for match, (one, other) in seats.items():
        header = Header(match, "skirmish", "1", 1, f"Title of {match}", True, "open", "", 7)
        rows = (SeatRow(0, one, "person", "", b"hash"), SeatRow(1, other or "Awaited", "person" if other else ""))
        store.create(header, KEYS, rows, commit(match, 0))
    asked = ["m1", "m2", "m3", "m5"]
    named = [("m1", "Ada"), ("m1", "Bo"), ("m2", "Ada"), ("m2", "Cleo"), ("m3", "Cleo")]
    assert sorted(store.matches.named_players(asked)) == named
    assert store.matches.named_players([]) == []
    found = sorted(store.matches.briefs(asked), key=lambda one: one.match)
    assert found == [Brief(one, "open", 1001, f"Title of {one}", "skirmish", "") for one in ("m1", "m2", "m3")]
    assert store.matches.briefs([]) == []
