"""Every bad input gets a typed answer with a code and a sentence; nothing changes, and the connection survives."""

from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from websockets.exceptions import ConnectionClosedError

from server.operations.settings import DEFAULT_LIMITS, Limits
from server.wire.act_messages import Resign
from server.wire.client import Client, enter
from server.wire.errors import BadMessage, NotAdmitted
from server.wire.protocol import (
    FRAME_LIMIT,
    Accepted,
    ChoiceSignature,
    Choose,
    Create,
    Created,
    Error,
    Hello,
    Join,
    Joined,
    Need,
    Ping,
    Pong,
    Refused,
    SeatWish,
    read_message,
)
from tests.server.tabletop import TWO_PEOPLE, Player, Table, live, play_out, table
from tests.skirmish.game import GAME


async def alive(client: Client) -> None:
    assert await client.ask(Ping(7), Pong) == Pong(7)


async def refused(at: Table, player: Player, choice: Any, *, decision: int | None = None) -> Refused:
    """The refusal of a choice; the record is as it was and the connection lives."""
    before = at.store.head(match_of(at))
    number = player.asked().number if decision is None else decision
    await player.client.send(Choose("bad", number, choice))
    answer = await player.client.expect(Refused)
    assert at.store.head(match_of(at)) == before
    assert answer.why.endswith(".")
    await alive(player.client)
    return answer


def match_of(at: Table) -> str:
    return at.store.matches.latest()[0].match


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "null",
        '{"t":"hello"',
        '"' * 9,
        '{"t":"nonsense"}',
        '{"match":"x"}',
        '{"t":"ping","n":-1}',
        '{"t":"ping","n":1e400}',
        '{"t":"ping","x":1}',
        '{"t":"choose","id":"","decision":1,"choice":0}',
        '{"t":"choose","id":"a","decision":1}',
        '{"t":"hello","match":7}',
        '{"t":"create","game":"skirmish","seats":[]}',
        "[" * 5000 + "]" * 5000,
        '{"t":"choose","id":"a","decision":1,"choice":' + "[" * 5000 + "]" * 5000 + "}",
        b'{"t":"ping"}',
    ],
)
@live
async def test_a_frame_that_is_no_message_is_an_error_and_the_connection_lives(frame: str | bytes) -> None:
    async with table() as at:
        client = await at.client()
        await client.connection.send(frame)
        answer = await client.receive()
        assert isinstance(answer, Error)
        assert answer.code == "bad-message"
        assert answer.why.endswith(".")
        await alive(client)


@live
async def test_an_oversize_frame_closes_with_1009() -> None:
    async with table() as at:
        client = await at.client()
        await client.connection.send(" " * (FRAME_LIMIT + 1))
        with pytest.raises(ConnectionClosedError) as closed:
            await client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


@live
async def test_a_frame_of_the_greatest_size_is_read() -> None:
    async with table() as at:
        client = await at.client()
        await client.connection.send('{"t":"ping","n":7}'.ljust(FRAME_LIMIT))
        assert await client.receive() == Pong(7)


@live
async def test_a_client_that_sends_only_broken_messages_is_closed() -> None:
    async with table() as at:
        client = await at.client()
        for _ in range(DEFAULT_LIMITS.broken_messages):
            await client.connection.send("{")
        assert {type(await client.receive()) for _ in range(DEFAULT_LIMITS.broken_messages)} == {Error}
        with pytest.raises(ConnectionClosedError) as closed:
            await client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001


@live
async def test_a_client_that_says_nothing_is_closed() -> None:
    async with table(limits=Limits(hello_s=0.05)) as at:
        client = await at.client()
        with pytest.raises(ConnectionClosedError) as closed:
            await client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4000


@live
async def test_wrong_token_and_unknown_match_are_answered_alike() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        answers = []
        for hello in (
            Hello(created.match, "x" * 43),
            Hello(created.match, ""),
            Hello("nowhere", created.tokens["0"]),
            Hello("nowhere", "", "spectator"),
            Hello("../../x", "", "spectator"),
        ):
            await client.send(hello)
            answers.append(await client.receive())
        assert {answer.code for answer in answers if isinstance(answer, Error)} == {"not-admitted"}
        assert len(set(answers)) == 1
        await alive(client)


@live
async def test_a_token_of_another_match_opens_nothing() -> None:
    async with table() as at:
        first, second = await at.create(), await at.create()
        client = await at.client()
        with pytest.raises(NotAdmitted, match="not-admitted"):
            await enter(client, first.match, second.tokens["0"])


@live
async def test_a_choice_before_hello_is_refused() -> None:
    async with table() as at:
        client = await at.client()
        await client.send(Choose("a", 1, 0))
        assert (await client.expect(Refused)).code == "no-match"
        await client.send(Need(0))
        answer = await client.receive()
        assert isinstance(answer, Error)
        assert answer.code == "no-match"


@live
async def test_a_spectator_does_not_decide() -> None:
    async with table() as at:
        watcher = await at.spectator(await at.create())
        assert (await refused(at, watcher, 0, decision=1)).code == "not-your-decision"


@live
async def test_someone_elses_decision_is_refused() -> None:
    async with table() as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        assert (await refused(at, ada, 0, decision=bo.asked().number)).code == "not-your-decision"


@pytest.mark.parametrize("decision", [0, 99, 2**53 - 1])
@live
async def test_a_decision_never_asked_is_refused(decision: int) -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        assert (await refused(at, ada, 0, decision=decision)).code == "stale-decision"


@live
async def test_a_decision_already_answered_is_refused() -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        number = ada.asked().number
        await ada.choose()
        assert (await refused(at, ada, 0, decision=number)).code == "stale-decision"


@live
async def test_an_option_not_offered_is_refused_with_its_rule() -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        held = {to_builtins(option)["card"] for option in ada.options()}
        absent = next(card for card in range(1, 8) if card not in held)
        answer = await refused(at, ada, {"do": "Play", "card": absent})
        assert (answer.code, answer.rule) == ("not-offered", "SK-02")
        assert (await refused(at, ada, {"do": "Take"})).code == "not-offered"


@pytest.mark.parametrize(
    "choice",
    [
        True,
        None,
        1.5,
        "nonsense",
        "0" * 400,
        [],
        [{"a": 1}],
        [[1]],
        {},
        {"a": {"b": 1}},
        {"do": "Nonsense"},
        {"do": "Play"},
        {"do": "Play", "card": "6"},
        {"do": {"do": 1}},
        2**80,
    ],
)
@live
async def test_what_is_no_choice_is_refused(choice: Any) -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        assert (await refused(at, ada, choice)).code == "not-a-choice"


@pytest.mark.parametrize("choice", [999, -1, "999"])
@live
async def test_what_no_option_is_called_is_not_offered(choice: Any) -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        told = await refused(at, ada, choice)
        assert (told.code, told.why[:11]) == ("not-offered", "There is no")


@live
async def test_refusals_say_the_same_whatever_the_other_side_holds() -> None:
    async with table() as at:
        said = set()
        for _ in range(4):
            created = await at.create()
            ada = await at.player(created, 0)
            await ada.client.send(Choose("bad", ada.asked().number, {"do": "Play", "card": 9}))
            said.add(await ada.client.expect(Refused))
        assert len(said) == 1


@live
async def test_a_choice_sent_twice_is_answered_as_the_first_time_and_made_once() -> None:
    async with table() as at:
        created = await at.create()
        ada = await at.player(created, 0)
        message = Choose("once", ada.asked().number, to_builtins(ada.options()[0]))
        first = await ada.client.ask(message, Accepted)
        head = at.store.head(created.match)
        assert await ada.client.ask(message, Accepted) == first
        again = await at.player(created, 0)
        assert await again.client.ask(message, Accepted) == first
        assert at.store.head(created.match) == head


@live
async def test_the_same_id_of_the_other_seat_is_another_choice() -> None:
    async with table() as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        first = await ada.choose(id="same")
        second = await bo.choose(id="same")
        assert isinstance(first, Accepted)
        assert isinstance(second, Accepted)
        assert second.seq > first.seq


@live
async def test_a_choice_after_the_end_is_refused() -> None:
    async with table() as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo])
        assert (await refused(at, ada, 0, decision=ada.view.state.number)).code == "match-over"


@live
async def test_a_choice_before_the_match_begins_is_refused() -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        ada = await at.player(created, 0)
        assert (await refused(at, ada, 0, decision=1)).code == "not-begun"


@live
async def test_an_acknowledgement_of_another_record_is_refused() -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        number = ada.asked().number
        for ack_seq, ack_head in ((2, "x" * 43), (999, "A" * 43), (2, ""), (0, "A" * 43)):
            await ada.client.send(Choose("a", number, 0, ack_seq, ack_head))
            assert (await ada.client.expect(Refused)).code == "other-record"


@pytest.mark.parametrize(
    "wish",
    [
        Create("nonsense", TWO_PEOPLE),
        Create(GAME.name, TWO_PEOPLE[:1]),
        Create(GAME.name, (*TWO_PEOPLE, SeatWish("open"))),
        Create(GAME.name, (SeatWish("me"), SeatWish("bot", "", "nonsense"))),
        Create(GAME.name, TWO_PEOPLE, {"rounds": "three"}),
        Create(GAME.name, TWO_PEOPLE, {"nonsense": 1}),
        Create(GAME.name, TWO_PEOPLE, {"rounds": 2**60}),
    ],
)
@live
async def test_a_match_that_cannot_be_played_is_not_created(wish: Create) -> None:
    async with table() as at:
        client = await at.client()
        await client.send(wish)
        answer = await client.receive()
        assert isinstance(answer, Error)
        assert answer.code == "cannot-create"
        assert not at.store.matches.latest()
        await alive(client)


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        ('{"t":"choose","id":"a.1","decision":"x","choice":0}', "a.1"),
        ('{"t":"choose","id":"a1","decision":1,"choice":0,"more":1}', "a1"),
        ('{"t":"nonsense","id":"n"}', "n"),
        ('{"t":"choose","id":"not an id","decision":1,"choice":0}', ""),
        ('{"t":"choose","id":["a"],"decision":1,"choice":0}', ""),
        ('{"t":"join","match":"m","seat":1,"name":"Bo","id":"j"}', "j"),
        ('{"t":"create","game":"nonsense","seats":[{"kind":"me"}],"id":"c"}', "c"),
        ('{"t":"chat","text":"hello","id":"t"}', "t"),
        ("[]", ""),
        ("{", ""),
    ],
)
@live
async def test_an_error_names_the_message_it_is_about(frame: str, name: str) -> None:
    async with table() as at:
        client = await at.client()
        await client.connection.send(frame)
        answer = await client.receive()
        assert isinstance(answer, Error)
        assert answer.id == name


@pytest.mark.parametrize(
    ("name", "is_id"),
    [
        ("a" * 64, True),
        ("A.b_c-9", True),
        ("a" * 65, False),
        ("", False),
        ("e\u0301", False),
        ("a b", False),
        ("a\n", False),
    ],
)
def test_a_clients_id_has_1_to_64_of_plain_letters_figures_and_three_signs(name: str, is_id: bool) -> None:
    frame = msgspec.json.encode({"t": "resign", "id": name}).decode()
    if is_id:
        assert read_message(frame) == Resign(name)
    else:
        with pytest.raises(BadMessage, match=r"\$\.id"):
            read_message(frame)


@live
async def test_created_and_joined_say_the_id_of_what_asked() -> None:
    async with table() as at:
        client = await at.client()
        created = await client.ask(Create(GAME.name, (SeatWish("me", "Ada"), SeatWish("open")), id="c1"), Created)
        joined = await client.ask(Join(created.match, 1, "Bo", id="j1"), Joined)
        assert (created.id, joined.id) == ("c1", "j1")


@live
async def test_a_taken_seat_or_one_kept_for_a_friend_is_not_given_away() -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        client = await at.client()
        joined = await client.ask(Join(created.match, 1, "Bo"), Joined)
        assert joined.token
        for seat in (0, 1, 2, 7):
            await client.send(Join(created.match, seat, "Mallory"))
            answer = await client.receive()
            assert isinstance(answer, Error)
            assert answer.code == "cannot-sit"
        await client.send(Join("nowhere", 1, "Mallory"))
        answer = await client.receive()
        assert isinstance(answer, Error)
        assert answer.code == "not-admitted"


@pytest.mark.parametrize(
    ("given", "kept"),
    [("  Bo   Peep ", "Bo Peep"), ("Bo\u202e\u0000\n", "Bo"), ("e\u0301", "\u00e9"), ("\u200b", "Player 2")],
)
@live
async def test_names_are_kept_as_one_visible_line(given: str, kept: str) -> None:
    async with table() as at:
        created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
        client = await at.client()
        await client.ask(Join(created.match, 1, given), Joined)
        watcher = await at.spectator(created)
        assert watcher.view.state.players == ("Ada", kept)


@live
async def test_many_messages_at_once_are_all_answered() -> None:
    async with table(limits=Limits(message_burst=5)) as at:
        client = await at.client()
        for n in range(60):
            await client.send(Ping(n))
        for n in range(60):
            assert await client.expect(Pong) == Pong(n)


def test_nothing_printed_shows_a_token() -> None:
    token = "secret-token"
    shown = [repr(Hello("m", token)), repr(Created("m", {"0": token})), repr(Joined("m", 0, token))]
    assert not any(token in text for text in shown)


@live
async def test_what_no_record_may_hold_is_refused() -> None:
    async with table() as at:
        ada = await at.player(await at.create(), 0)
        await ada.client.send(Choose("a", ada.asked().number, 0, signed=ChoiceSignature("e\u0301", "")))
        assert (await ada.client.expect(Refused)).code == "not-a-choice"
        await alive(ada.client)
