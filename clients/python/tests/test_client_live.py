"""Matches on a live server: played, watched, cut off, agreed on, signed and checked."""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import msgspec
import pytest
from conftest import PATIENCE_S, live, wire_to

from herald_client import (
    Asked,
    BadLink,
    Broken,
    Chatted,
    Closed,
    Complained,
    Ended,
    Entered,
    Key,
    Line,
    Lines,
    Link,
    Lost,
    Match,
    Offered,
    Presented,
    Refused,
    Server,
    Shown,
    Tabled,
    Verifier,
    bot,
    friend,
    invited,
    me,
    new_token,
    open_link,
    open_seat,
    some,
)
from herald_client.record import unb64
from herald_client.shapes import tables

pytestmark = pytest.mark.xdist_group("herald-client")  # one server for all
GAME = "war_for_edadh"
N = TypeVar("N")


async def news(match: Match, kind: type[N]) -> N:
    """The next news of a kind."""
    async for told in match:
        if isinstance(told, kind):
            return told
    raise AssertionError(f"the match ended without {kind.__name__}")


async def play(match: Match, chance: random.Random, made: list[str] | None = None) -> None:
    """Answer by lot until the match is over; the ids of the lines that came of it."""
    async for told in match:
        if isinstance(told, Asked):
            (field,) = told.prompt["fields"]
            accepted = await match.answer(some(field, chance.randrange))
            if made is not None:
                made.append(accepted.id)


def changed(line: Line, secret: str = "", **fields: Any) -> tuple[str, list[tuple[int, str]]]:
    """A line as one who cheats would have written it: other public fields, or another secret behind its first seal."""
    parts = msgspec.json.decode(line.text)
    order = tables()["kernel"]["lines"].get(line.type, {"fields": fields})["fields"]
    made = {**parts[8], **fields}
    parts[8] = {name: made[name] for name in (*order, *made) if name in made and made[name] != ""}
    openings = [(slot, secret if secret and not at else value) for at, (slot, value) in enumerate(line.openings)]
    return msgspec.json.encode(parts).decode(), openings


def fault_of(match: Match, lines: list[Line], at: int, cheat: tuple[str, list[tuple[int, str]]]) -> str:
    """The verifier's fault for the record in which one line is another."""
    verifier = Verifier(match.id, match.verifier.keys)
    for line in lines[:at]:
        verifier.take(line.text, line.openings)
    with pytest.raises(Broken) as wrong:
        verifier.take(*cheat)
    assert wrong.value.seq == at + 1
    return wrong.value.why


async def quick(server: Server) -> dict[str, Any]:
    """The options of a short match."""
    return next(game.quick for game in await server.games() if game.game == GAME)


@asynccontextmanager
async def two(server: Server, url: str = "", **wishes: Any) -> AsyncIterator[tuple[Match, Match]]:
    """Ada and Bo at one table, each with a key; through another address where one is given."""
    keys = Key(), Key()
    created = await server.create(GAME, [me("Ada", key=keys[0]), friend("Bo")], **wishes)
    at = Server(url or server.url)
    async with (
        at.play(created.match, created.tokens["0"], key=keys[0]) as ada,
        at.play(created.match, created.tokens["1"], key=keys[1]) as bo,
    ):
        yield ada, bo


@live
async def test_a_whole_match_is_played_watched_and_found_true(server: Server) -> None:
    async with two(server, shares=True, options=await quick(server)) as (ada, bo), server.watch(ada.id) as carl:
        await asyncio.gather(play(ada, random.Random(1)), play(bo, random.Random(2)), news(carl, Ended))
        result = ada.result
        assert result is not None
        assert result.winner in {0, 1, None}
        assert ada.result == bo.result == carl.result
        assert {ada.head.hash, bo.head.hash} == {carl.head.hash}
        chosen = ada.verifier.signatures
        assert chosen > 20, "every choice, both shares"
        assert (bo.verifier.signatures, carl.verifier.signatures) == (chosen, chosen)
        assert ada.verifier.openings > carl.verifier.openings
        assert ada.verifier.signed_to == ada.verifier.seq
        assert ada.prompt is not None
        assert ada.prompt["mode"] == "over"
        seats = [held.kind for held in carl.verifier.seated.values()]
        assert seats == ["person", "person"]


@live
async def test_whoever_changes_what_a_seat_said_or_hides_is_found(server: Server) -> None:
    async with two(server, shares=True) as (ada, bo):
        for match in (ada, bo):
            prompt = (await news(match, Asked)).prompt
            await match.answer(some(prompt["fields"][0], random.Random(1).randrange))
        await bo.resign()
        await news(ada, Ended)
        async with server.play(ada.id, ada._token) as again:
            lines = [line async for told in again if isinstance(told, Lines) for line in told.lines]
        own = next(at for at, line in enumerate(lines) if line.type == "Chosen" and line.fields["seat"] == 0)
        bos = next(at for at, line in enumerate(lines) if line.type == "Chosen" and line.fields["seat"] == 1)
        given = next(at for at, line in enumerate(lines) if line.type == "Resigned")
        share = next(at for at, line in enumerate(lines) if line.type == "EntropyCommitted")
        other = lines[own].fields["signature"]
        assert "signature is not" in fault_of(ada, lines, bos, changed(lines[bos], signature=other))
        assert "does not sign" in fault_of(ada, lines, bos, changed(lines[bos], signature=""))
        assert "signature is not" in fault_of(ada, lines, bos, changed(lines[bos], id="another"))
        assert "another record" in fault_of(ada, lines, bos, changed(lines[bos], ack_head="A" * 43))
        assert "signature is not" in fault_of(ada, lines, given, changed(lines[given], signature=other))
        assert "signature is not" in fault_of(ada, lines, share, changed(lines[share], commitment="A" * 43))
        assert "did not make it" in fault_of(ada, lines, own, changed(lines[own], by="clock"))
        assert "not what was sealed" in fault_of(ada, lines, own, changed(lines[own], secret='{"do":"Other"}'))


@live
async def test_every_answer_counts_once_whatever_breaks(server: Server, url: str) -> None:
    async with wire_to(url) as wire, two(server, wire.url, options=await quick(server)) as (ada, bo):
        made: list[str] = []
        playing = asyncio.gather(play(ada, random.Random(3), made), play(bo, random.Random(4), made))
        while not playing.done():
            before = len(made)
            while len(made) < before + 3 and not playing.done():
                await asyncio.sleep(0.001)
            # A message sent now is taken by nobody, and has to be sent again.
            wire.swallows = before % 2 == 0
            await asyncio.sleep(0.005)
            wire.swallows = False
            wire.cut()
            if wire.connections > 12:
                break
        await playing
        assert wire.connections > 6
        assert len(set(made)) == len(made)
        async with server.watch(ada.id, stay=False) as after:
            lines = [line async for told in after if isinstance(told, Lines) for line in told.lines]
        kept = [line.fields["id"] for line in lines if line.type == "Chosen"]
        assert sorted(kept) == sorted(made)


@live
async def test_what_no_option_is_is_refused_and_asked_again(server: Server) -> None:
    async with two(server) as (ada, _):
        first = (await news(ada, Asked)).prompt
        with pytest.raises(Refused) as wrong:
            await ada.answer("999")
        assert wrong.value.code in {"not-offered", "not-a-choice"}
        foreseen = await ada.foresee(some(first["fields"][0], random.Random(1).randrange))
        assert foreseen.decision == int(first["id"])
        with pytest.raises(Refused):
            await ada.foresee("999")
        assert (await news(ada, Asked)).prompt["id"] == first["id"] == (ada.question or {}).get("id")
        await ada.answer(some(first["fields"][0], random.Random(1).randrange))
        with pytest.raises(Refused, match=r"stale-decision|not-your-decision"):
            await ada.choose(10**6, "0")


@live
async def test_an_id_that_was_used_is_not_used_again(server: Server) -> None:
    async with two(server) as (ada, _):
        prompt = (await news(ada, Asked)).prompt
        answer = some(prompt["fields"][0], random.Random(1).randrange)
        assert (await ada.choose(int(prompt["id"]), answer, id="mine")).id == "mine"
        with pytest.raises(Refused, match="id-used"):
            await ada.choose(int(prompt["id"]) + 1, answer, id="mine")


DEFAULTS: list[tuple[str, dict[str, Any]]] = [
    ("offer", {"terms": {"is": "replace", "seat": 1, "bot": "random"}}),
    ("offer", {"terms": {"is": "replace", "seat": 1, "absent_ms": 0}}),
    ("offer", {"terms": {"seat": 1, "bot": "random", "is": "replace"}}),
    ("offer", {"terms": {"is": "take_back", "line": 0}}),
    ("offer", {"terms": {"length_ms": 60_000, "is": "pause"}}),
    ("offer", {"terms": {"is": "go_on"}}),
    ("offer", {"terms": {"is": "draw"}}),
    ("claim", {"seat": 1, "draw": False}),
    ("claim", {"seat": 1, "draw": True}),
    ("claim", {"seat": 1}),
    ("vacation", {"days": 0}),
    ("vacation", {"days": 1}),
    ("hint", {"decision": 1}),
    ("agree", {"number": 0}),
    ("decline", {"number": 10**6}),
    ("offer", {"terms": {"is": "abandon"}}),
    ("resign", {}),
]
"""Every act, with each of its defaults said and left out."""


@live
async def test_what_is_said_with_its_defaults_is_signed_as_its_line_has_it(server: Server) -> None:
    async with two(server) as (ada, bo):
        await news(bo, Asked)
        refused: dict[str, str] = {}
        for kind, fields in DEFAULTS:
            try:
                await ada.act(kind, **fields)
            except Refused as wrong:
                refused[f"{kind} {fields}"] = wrong.code
            for offer in ada.table.offers:
                await ada.decline(offer.number)
            if bo.question:
                await bo.choose(*answer_of(bo))
        assert set(refused.values()) <= {"not-now", "no-hints"}, refused
        assert len(refused) < len(DEFAULTS) - 4
        await news(ada, Ended)
        assert ada.verifier.fault is None


def answer_of(match: Match) -> tuple[int, Any]:
    """An answer to the open question."""
    assert match.question is not None
    return int(match.question["id"]), some(match.question["fields"][0], random.Random(1).randrange)


@live
async def test_people_offer_agree_decline_and_draw(server: Server) -> None:
    async with two(server) as (ada, bo):
        await news(ada, Asked)
        await ada.offer("pause", length_ms=60_000)
        offer = (await news(bo, Offered)).offer
        assert (offer.seat, offer.terms["is"]) == (0, "pause")
        await bo.agree(offer.number)
        while not ada.table.paused_ms:
            await news(ada, Tabled)
        assert ada.prompt is not None
        assert ada.prompt["mode"] == "none"
        await bo.offer("go_on")
        await ada.agree((await news(ada, Offered)).offer.number)
        await ada.offer("draw")
        await bo.decline((await news(bo, Offered)).offer.number)
        with pytest.raises(Refused) as wrong:
            await ada.offer("draw")
        assert wrong.value.code == "not-now"
        await ada.resign()
        assert (await news(bo, Ended)).result.winner == 1


@live
async def test_a_choice_is_taken_back(server: Server) -> None:
    created = await server.create(GAME, [me("Ada"), bot("random")])
    async with server.play(created.match, created.tokens["0"], key=Key()) as ada:
        prompt = (await news(ada, Asked)).prompt
        await ada.answer(some(prompt["fields"][0], random.Random(1).randrange))
        with suppress(Refused):
            await ada.offer("take_back")
        assert (await news(ada, Asked)).prompt


@live
async def test_seats_talk_and_spectators_do_not_hear_them(server: Server) -> None:
    async with two(server) as (ada, bo), server.watch(ada.id, "Carl") as carl:
        assert (
            await told_until(ada, Presented, lambda told: told.presence.names == ("Carl",))
        ).presence.spectators == 1
        await ada.say("Good luck.")
        assert [line.text for line in (await news(bo, Chatted)).lines] == ["Good luck."]
        await carl.say("Psst.")
        assert [(line.name, line.text) for line in (await news(carl, Chatted)).lines] == [("Carl", "Psst.")]
        await bo.mute("seat0")
        await carl.say("")
        assert (await news(carl, Complained)).code == "bad-message"


async def told_until(match: Match, kind: type[N], holds: Callable[[N], bool]) -> N:
    while True:
        told = await news(match, kind)
        if holds(told):
            return told


@live
async def test_a_caster_sees_what_the_seat_sees_until_it_is_taken_back(server: Server) -> None:
    async with two(server) as (ada, _):
        prompt = (await news(ada, Asked)).prompt
        token = await ada.grant()
        async with server.play(ada.id, token) as caster:
            assert (caster.viewer.role, caster.viewer.seat, caster.seat) == ("caster", 0, None)
            scene = (await news(caster, Shown)).scene
            assert scene["prompt"]["ask"] == prompt["ask"]
            assert caster.question is None
            await ada.revoke()
            with pytest.raises(Closed) as wrong:
                await news(caster, Ended)
            assert wrong.value.code == 4010
        with pytest.raises(Refused, match="seat"):
            async with server.watch(ada.id) as carl:
                await carl.grant()


@live
async def test_a_share_of_chance_without_a_key_is_revealed_by_itself(server: Server) -> None:
    share = secrets.token_bytes(32)
    created = await server.create(GAME, [me("Ada", share=share), bot()])
    async with server.watch(created.match) as carl:
        told = await news(carl, Tabled)
        assert told.table.reveal == (0,)
        assert 0 < told.table.reveal_ms <= 60_000
        async with server.play(created.match, created.tokens["0"], share=share) as ada:
            await news(ada, Asked)
            assert ada.verifier.chance.entropy[0] == share
            assert ada.table.reveal == ()


@live
async def test_a_seats_key_is_changed_and_a_lost_one_replaced_as_all_see(server: Server) -> None:
    async with two(server) as (ada, bo):
        await news(ada, Asked)
        second, third = Key(), Key()
        await ada.rotate(second)
        before = bo.verifier.signatures
        await ada.answer(some((ada.question or {})["fields"][0], random.Random(1).randrange))
        await told_until(bo, Lines, lambda _: bo.verifier.signatures > before)
        assert bo.verifier.seated[0].key == second.public
        await ada.rotate(third, is_lost=True)
        await told_until(bo, Lines, lambda _: bo.verifier.seated[0].key == third.public)
        await ada.resign()
        await news(bo, Ended)


@live
async def test_a_seat_whose_key_is_elsewhere_is_locked_out(server: Server) -> None:
    created = await server.create(GAME, [me("Ada", key=Key()), bot("random")])
    async with server.play(created.match, created.tokens["0"]) as ada:
        await news(ada, Asked)
        assert ada.holder is not None
        assert ada.holder.is_locked_out
        with pytest.raises(Refused, match="not-signed"):
            await ada.resign()


@live
async def test_clocks_run_between_two_messages(server: Server) -> None:
    async with two(server, time={"kind": "bank", "limit_ms": 600_000}) as (ada, _):
        await news(ada, Asked)
        before = ada.clocks[0].ms
        await asyncio.sleep(0.01)
        assert ada.clocks[0].run
        assert 0 < before - ada.clocks[0].ms < 600_000


@live
async def test_open_seats_are_taken_lists_say_what_there_is_and_turns_whose_move_it_is(server: Server) -> None:
    created = await server.create(GAME, [me("Ada"), open_seat()], title="Sought")
    assert "Sought" in [match.title for match in (await server.matches()).open]
    joined = await server.join(created.match, 1, "Bo", key=Key())
    with pytest.raises(Refused, match="cannot-sit"):
        await server.join(created.match, 1, "Carl")
    assert joined.seat == 1
    held = [(created.match, created.tokens["0"]), (joined.match, joined.token)]
    assert {turn.seat for turn in await server.turns(held)} == {0, 1}
    link = server.link(created.match, joined.token)
    async with open_link(str(link), key=Key()) as bo:
        assert (bo.seat, bo.game, bo.title) == (1, GAME, "Sought")
        assert [seat.name for seat in bo.seats] == ["Ada", "Bo"]
        await news(bo, Asked)
        branch = await server.branch(bo.id, bo.verifier.seq, [me("Ada"), bot()], token=joined.token)
        assert branch.match != created.match


@live
async def test_what_is_not_there_is_said(server: Server) -> None:
    with pytest.raises(Refused, match="not-admitted"):
        await entered(server.play("A" * 22, "x"))
    with pytest.raises(Refused, match="cannot-create"):
        await server.create("chess", [me("Ada"), bot()])
    nobody = Server("http://127.0.0.1:9")
    with pytest.raises(Closed):
        await nobody.games()
    with pytest.raises(Closed):
        await entered(nobody.watch("A" * 22))


async def entered(match: Match) -> None:
    async with match:
        pass


@live
async def test_who_has_tried_often_enough_is_told(server: Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herald_client.match.FIRST_S", 0.001)
    created = await server.create(GAME, [me("Ada"), bot("random")])
    async with wire_to(url) as wire, Server(wire.url).watch(created.match, tries=3, stay=True) as carl:
        assert isinstance(await news(carl, Entered), Entered)
        wire.refuses = True
        wire.cut()
        heard: list[int] = []
        with pytest.raises(Closed):
            await listen(carl, heard)
        assert heard == [1006, 1006, 1006]


@live
async def test_a_server_that_says_nothing_is_left_and_entered_anew(
    server: Server, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herald_client.match.PING_S", 0.01)
    monkeypatch.setattr("herald_client.match.SILENCE_S", 0.2)
    monkeypatch.setattr("herald_client.match.CLOSE_S", 0.01)
    created = await server.create(GAME, [me("Ada"), open_seat()])
    async with wire_to(url) as wire, Server(wire.url).play(created.match, created.tokens["0"]) as ada:
        wire.swallows = True
        assert (await news(ada, Lost)).code == 1006
        wire.swallows = False
        await news(ada, Entered)
        assert await ada.ping() < PATIENCE_S


async def listen(match: Match, codes: list[int]) -> None:
    async for told in match:
        if isinstance(told, Lost):
            codes.append(told.code)


@live
async def test_a_call_that_nobody_answers_ends_when_the_match_is_left(server: Server, url: str) -> None:
    async with wire_to(url) as wire:
        created = await server.create(GAME, [me("Ada"), bot("random")])
        async with Server(wire.url).play(created.match, created.tokens["0"]) as ada:
            prompt = (await news(ada, Asked)).prompt
            wire.swallows = True
            answering: Awaitable[Any] = asyncio.create_task(ada.answer("0", prompt))
            await asyncio.sleep(0)
        with pytest.raises(Closed):
            await answering
        assert unb64(created.match)


async def asked_first(*matches: Match) -> tuple[Match, Match]:
    """The player who is asked something before the other, and the other."""
    waiting = [asyncio.ensure_future(news(match, Asked)) for match in matches]
    done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    at = waiting.index(next(iter(done)))
    return matches[at], matches[1 - at]


@live
async def test_a_hint_is_told_to_who_asks_alone_and_verified_by_all(server: Server) -> None:
    async with two(server, shares=True, hints=True) as (ada, bo):
        asker, other = await asked_first(ada, bo)
        assert asker.table.hints
        question = asker.question
        assert question is not None
        found = await asker.hint()
        assert found.decision == int(question["id"])
        assert (await asker.hint(found.decision)).choices == found.choices
        while found.decision not in other.table.hinted:
            await news(other, Tabled)
        with pytest.raises(Refused) as refused:
            await other.hint(found.decision)
        assert refused.value.code == "not-your-decision"
        signed = other.verifier.signatures
        await asker.answer(found.choices[0].answer)
        while other.verifier.signatures == signed:
            await news(other, Lines)
        assert other.verifier.fault is None


@live
async def test_a_hint_survives_the_loss_of_its_connection(server: Server) -> None:
    async with two(server, shares=True, hints=True) as (ada, bo):
        asker, _ = await asked_first(ada, bo)
        asking = asyncio.ensure_future(asker.hint())
        await asyncio.sleep(0)
        assert asker._socket is not None
        await asker._socket.close()
        found = await asking
        assert found.choices
        told = asker.verifier
        assert told.hints


@live
async def test_where_none_were_agreed_on_a_hint_is_refused(server: Server) -> None:
    async with two(server, shares=True) as (ada, bo):
        asker, _ = await asked_first(ada, bo)
        with pytest.raises(Refused) as refused:
            await asker.hint()
        assert refused.value.code == "no-hints"


@live
async def test_an_invitation_is_read_accepted_once_and_withdrawn(server: Server) -> None:
    key, token = Key(), new_token()
    created = await server.create(GAME, [me("Ada", key=Key()), invited()])
    first = created.invitations["1"]
    said = await server.invitation(created.match, first)
    assert (said.inviter, said.seat, said.game) == ("Ada", 1, GAME)
    second = (await server.withdraw(created.match, first)).invitation
    with pytest.raises(Refused, match="opens nothing"):
        await server.accept(created.match, first, "Eve")
    for _ in range(2):
        joined = await server.accept(created.match, second, "Bo", key=key, token=token)
        assert (joined.seat, joined.token) == (1, token)
    with pytest.raises(Refused, match="opens nothing"):
        await server.accept(created.match, second, "Eve")
    with pytest.raises(BadLink, match="invitation"):
        open_link(str(Link(server.url, created.match, invitation=second)))


@live
async def test_a_seat_is_closed_on_all_devices_but_one(server: Server) -> None:
    key = Key()
    created = await server.create(GAME, [me("Ada", key=key), friend("Bo")])
    former, fresh = created.tokens["0"], new_token()
    async with server.play(created.match, former, key=key) as mine, server.play(created.match, former) as thief:
        while mine.devices < 2:
            await asyncio.sleep(0.01)
        with pytest.raises(Refused, match="key"):
            await thief.renew(new_token())
        await mine.renew(fresh)
        with pytest.raises(Closed) as closed:
            await news(thief, Ended)
        assert closed.value.code == 4011
    async with server.play(created.match, fresh, key=key) as again:
        assert again.seat == 0
