"""Spectators of open cards see all hands up to an earlier end of the record, with the salts, and nothing behind it."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import Dealt, OpenCards, Replace, Seat
from herald_client.errors import Broken
from herald_client.verifier import Verifier
from projections.open_cards import ALL_OF_THEM
from projections.redaction import OPEN, SPECTATOR
from replay.record.creation import Deal, create_match
from replay.record.line import read_line
from replay.store.memory import MemoryStore
from replay.store.sqlite.store import SqliteStore
from server.lobby.rematch_votes import once_more
from server.table.live_match import LiveMatch
from server.wire.act_messages import Agree, Offer
from server.wire.client import Client, View
from server.wire.inviting import Invited, ReadInvitation
from server.wire.protocol import (
    Accepted,
    Chat,
    Create,
    Created,
    Delay,
    Error,
    Events,
    Games,
    Hello,
    ListGames,
    ListMatches,
    Matches,
    Presence,
    SeatsChanged,
    SeatWish,
    Snapshot,
    Welcome,
)
from tests.server.relay.relayed import heard, of
from tests.server.tabletop import FACES, TWO_PEOPLE, Player, Table, live, play_out, table
from tests.skirmish.game import GAME, RoundEnded

LATE = OpenCards(3600, 0)
"""Nothing of play is shown while a test runs."""


async def agreed(at: Table, cards: OpenCards = LATE, **wishes: Any) -> tuple[Created, Player, Player]:
    """A match with open cards, and its players."""
    client = await at.client()
    wish = Create(GAME.name, TWO_PEOPLE, open_cards=cards, open_cards_sooner=True, **wishes)
    created = await client.ask(wish, Created)
    return created, await at.player(created, 0), await at.player(created, 1)


async def opened(at: Table, created: Created, *caps: str) -> tuple[Client, Welcome]:
    """A spectator of open cards."""
    client = await at.client()
    return client, await client.ask(Hello(created.match, "", "open", 0, caps), Welcome)


def checked(frames: list[Events], match: str) -> Verifier:
    """A verifier that has taken all lines of the frames with what is opened."""
    verifier = Verifier(match, sees_hands=True)
    for frame in frames:
        for (text, openings), salts in zip(frame.items, frame.salts, strict=True):
            verifier.take(text, openings, salts)
    return verifier


@live
async def test_up_to_the_earlier_end_every_hand_is_shown_with_its_proof_and_nothing_that_nobody_holds() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(0, 6))
        client, welcome = await opened(at, created)
        assert (welcome.viewer.viewer, welcome.keys, welcome.delay) == ("open", {}, Delay(6, 0))
        seen: list[Events] = []
        while await play_out([ada, bo], 3, most=1) and at.store.header(created.match).status == "running":
            seen += of(Events, await heard(client))
            stored = at.store.read(created.match)
            assert 3 <= seen[-1].last <= len(stored) - 6
            for frame in seen:
                for entry, (_, openings) in zip(stored[frame.first - 1 : frame.last], frame.items, strict=True):
                    held = [slot for slot, mask in enumerate(read_line(entry.line).masks) if mask]
                    assert [slot for slot, _ in openings] == held
                    assert all(value == entry.openings[slot].decode() for slot, value in openings)
        seen += of(Events, await heard(client))
        verifier = checked(seen, created.match)
        assert verifier.seq == at.store.head(created.match).seq
        assert verifier.openings > 10
        assert verifier.result is not None


@live
async def test_what_is_folded_of_it_shows_both_hands_and_keeps_the_deck_shut() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(0, 1))
        client, welcome = await opened(at, created)
        await play_out([ada, bo], 3, most=4)
        view = View(GAME, welcome)
        for frame in of(Events, await heard(client)):
            view.take(frame)
        assert [len(hand) for hand in view.state.hands] == [len(ada.view.state.hands[0]), len(bo.view.state.hands[1])]
        assert repr(view.state.deck) == "HIDDEN"


@pytest.mark.parametrize("caps", [(), ("scene",)])
@live
async def test_behind_that_end_no_frame_comes_whatever_happens(
    caps: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table() as at:
        created, ada, bo = await agreed(at)
        client, _ = await opened(at, created, *caps)
        at.lobby.registry.heartbeat()  # what comes of the own arrival
        before = await heard(client)
        assert max(frame.last for frame in of(Events, before)) < at.store.head(created.match).seq
        await play_out([ada, bo], 3, most=4)
        live_match = at.lobby.registry.live_match(created.match)
        live_match.admission.think(Seat(1), begins=True)
        live_match.admission.think(Seat(1), begins=False)
        monkeypatch.setattr(live_match.visible_head, "sign_anew", lambda: "signed")
        await bo.client.ask(Offer("o", Replace(Seat(1))), Accepted)
        await ada.client.ask(Agree("a", 1), Accepted)
        assert (await bo.client.expect(SeatsChanged)).seats[1].kind == "bot"
        await bo.client.connection.close()
        while (await ada.client.expect(Presence)).seats != (0,):
            pass
        at.lobby.registry.heartbeat()
        assert await heard(client) == []


async def continued(path: Path, created: Created, seed: int, caps: tuple[str, ...]) -> list[Any]:
    """All that a spectator of open cards is sent who comes to a match under way, which goes on in some way."""
    async with table(SqliteStore(path)) as at:
        players = [await at.player(created, seat) for seat in range(2)]
        client, welcome = await opened(at, created, *caps)
        told: list[Any] = [welcome, *await heard(client)]
        await play_out(players, seed, most=3)
        later, again = await opened(at, created, *caps)
        return [*told, *await heard(client), again, *await heard(later)]


@pytest.mark.parametrize("caps", [(), ("scene",)])
@live
async def test_whatever_has_happened_since_the_same_bytes_are_sent(caps: tuple[str, ...], tmp_path: Path) -> None:
    async with table(SqliteStore(tmp_path / "1" / "herald.db")) as at:
        created, ada, bo = await agreed(at)
        await play_out([ada, bo], 3, most=3)
    shutil.copytree(tmp_path / "1", tmp_path / "2")
    worlds = [await continued(tmp_path / str(seed) / "herald.db", created, seed, caps) for seed in (1, 2)]
    one, other = ([msgspec.json.encode(told) for told in world] for world in worlds)
    assert one == other
    assert len(one) > 4


@live
async def test_seconds_alone_let_more_be_seen_a_commit_a_frame() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(1, 0))
        client, welcome = await opened(at, created)
        await play_out([ada, bo], 1, most=2)
        end, last = at.store.head(created.match).seq, 0
        frames: list[Events] = []
        while last < end:
            frames.append(await client.expect(Events))
            last = frames[-1].last
        assert checked(frames, created.match).seq == end
        assert welcome.head.seq < end


@live
async def test_hands_are_shown_once_the_phase_is_over_where_line_1_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    phased = replace(FACES[GAME.name], headings=frozenset({RoundEnded}))
    monkeypatch.setitem(FACES, GAME.name, phased)
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(0, 0, phase=True))
        client, welcome = await opened(at, created)
        assert (welcome.delay, welcome.open_cards) == (Delay(phase=True), OpenCards(0, 0, phase=True))
        said = msgspec.json.decode(read_line(at.store.read(created.match)[0].line).payload)["open_cards"]
        assert said == {"s": 0, "events": 0, "phase": True}
        seen = of(Events, await heard(client))
        while await play_out([ada, bo], 3, most=1) and at.store.header(created.match).status == "running":
            seen += of(Events, await heard(client))
            stored = at.store.read(created.match)
            begun = [entry.seq for entry in stored if entry.type == "RoundEnded"]
            assert seen[-1].last < (begun[-1] if begun else stored[-1].seq)
            assert not begun[1:] or seen[-1].last >= begun[-2]
        seen += of(Events, await heard(client))
        assert checked(seen, created.match).result is not None


@live
async def test_a_game_without_phases_has_no_delay_by_them() -> None:
    async with table() as at:
        wish = Create(GAME.name, TWO_PEOPLE, open_cards=OpenCards(0, 0, phase=True), open_cards_sooner=True)
        assert "no phases" in (await (await at.client()).ask(wish, Error)).why


@live
async def test_a_scene_of_open_cards_shows_what_a_spectators_does_not() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(0, 1))
        await play_out([ada, bo], 3, most=3)
        client, _ = await opened(at, created, "scene")
        plain = await at.client()
        await plain.ask(Hello(created.match, "", "spectator", None, ("scene",)), Welcome)
        live_match: LiveMatch[Any] = at.lobby.registry.live_match(created.match)
        for one in (client, plain):
            assert of(Snapshot, await heard(one))
        shown = {viewer: (await live_match.views.audience(viewer)).view for viewer in (OPEN, SPECTATOR)}
        assert "HIDDEN" not in repr(shown[OPEN].hands)
        assert repr(shown[SPECTATOR].hands).count("HIDDEN") == 2


@live
async def test_a_restart_lifts_nothing_and_the_end_everything() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created, ada, bo = await agreed(at)
        await play_out([ada, bo], 1, most=3)
    async with table(store) as at:
        _, welcome = await opened(at, created)
        assert welcome.head.seq < store.head(created.match).seq
        await play_out([await at.player(created, 0), await at.player(created, 1)], 1)
        client, welcome = await opened(at, created)
        assert (welcome.delay, welcome.status) == (None, "finished")
        assert checked(of(Events, await heard(client)), created.match).result is not None


@live
async def test_where_the_players_have_not_agreed_nobody_is_let_in_so() -> None:
    async with table() as at:
        created = await at.create()
        client = await at.client()
        refused = await client.ask(Hello(created.match, "", "open"), Error)
        assert refused.code == "not-admitted"
        assert "not agreed" in refused.why
        closed = await client.ask(Create(GAME.name, TWO_PEOPLE, closed=True), Created)
        shut, none = [await client.ask(Hello(match, "", "open"), Error) for match in (closed.match, "A" * 22)]
        assert shut == none


@live
async def test_who_sees_hands_hears_no_room_and_speaks_in_none() -> None:
    async with table() as at:
        created, _, _ = await agreed(at)
        client, _ = await opened(at, created)
        plain = await at.client()
        await plain.ask(Hello(created.match, "", "spectator"), Welcome)
        await heard(client)
        await plain.send(Chat("who has the six?"))
        await heard(plain)
        assert await heard(client) == []
        assert (await client.ask(Chat("Ada has"), Error)).code == "chat-refused"


@live
async def test_spectators_without_open_cards_are_sent_what_they_were_and_no_salt() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at)
        plain = await at.spectator(created)
        await play_out([ada, bo], 1, most=3)
        await plain.reach(at.store.head(created.match).seq)
        assert not any(openings for _, openings in plain.items)
        client = await at.client()
        await client.ask(Hello(created.match, created.tokens["0"], since=0), Welcome)
        assert not any(frame.salts for frame in of(Events, await heard(client)))


@live
async def test_a_forged_opening_a_forged_salt_and_one_left_out_are_found() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(0, 1))
        await play_out([ada, bo], 3, most=3)
        client, _ = await opened(at, created)
        frames = of(Events, await heard(client))
        frame = next(one for one in frames if any(openings for _, openings in one.items))
        at_line = next(n for n, (_, openings) in enumerate(frame.items) if openings)
        (text, openings), salts = frame.items[at_line], frame.salts[at_line]
        slot, _ = openings[0]
        for shown, told in (
            (((slot, '"a better card"'), *openings[1:]), salts),
            (openings, ("A" * 43, *salts[1:])),
            (openings, (salts[0] + "AAAA", *salts[1:])),
            (openings[1:], salts[1:]),
        ):
            items = (*frame.items[:at_line], (text, shown), *frame.items[at_line + 1 :])
            forged = replace(frame, items=items, salts=(*frame.salts[:at_line], told, *frame.salts[at_line + 1 :]))
            with pytest.raises(Broken):
                checked([one if one is not frame else forged for one in frames], created.match)
        assert checked(frames, created.match).openings


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"open_cards": OpenCards(119, 0)}, "120 seconds later or more"),
    ({"open_cards": OpenCards(0, 1000)}, "120 seconds later or more"),
    (
        {"open_cards": OpenCards(0, 0), "open_cards_sooner": True},
        "1 to 86400 seconds, 1 to 1000 lines or a phase later",
    ),
    ({"open_cards": OpenCards(-1, 5), "open_cards_sooner": True}, "1 to 86400 seconds"),
    ({"open_cards": OpenCards(86_401, 0)}, "1 to 86400 seconds"),
    ({"open_cards": OpenCards(120, 1001)}, "1 to 1000 lines"),
    ({"open_cards": OpenCards(120, 0), "closed": True}, "Nobody watches a closed match"),
    ({"open_cards": OpenCards(120, 0), "delay_s": 121}, "sooner than the table without them"),
    ({"open_cards": OpenCards(120, 0), "delay_events": 1}, "sooner than the table without them"),
]


@pytest.mark.parametrize(("wish", "why"), REFUSED)
@live
async def test_open_cards_that_nobody_could_watch_or_that_come_too_soon_are_refused(
    wish: dict[str, Any], why: str
) -> None:
    async with table() as at:
        refused = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, **wish), Error)
        assert refused.code == "cannot-create"
        assert why in refused.why


@pytest.mark.parametrize(
    ("wish", "cards"),
    [
        ({"open_cards": OpenCards(120, 0)}, OpenCards(120, 0)),
        ({"open_cards": OpenCards(1, 0), "open_cards_sooner": True}, OpenCards(1, 0)),
        ({"open_cards": OpenCards(121, 7), "delay_s": 121, "delay_events": 7}, OpenCards(121, 7)),
        ({}, None),
    ],
)
@live
async def test_line_1_the_list_the_invitation_and_the_welcome_say_what_is_agreed(
    wish: dict[str, Any], cards: OpenCards | None
) -> None:
    async with table() as at:
        client = await at.client()
        seats = (SeatWish("open"), SeatWish("invited"))
        created = await client.ask(Create(GAME.name, seats, **wish), Created)
        (info,) = (await client.ask(ListMatches(), Matches)).open
        invited = await client.ask(ReadInvitation(created.match, created.invitations["1"]), Invited)
        welcome = await client.ask(Hello(created.match, "", "spectator"), Welcome)
        assert (info.open_cards, invited.open_cards, welcome.open_cards) == (cards, cards, cards)
        said = msgspec.json.decode(read_line(at.store.read(created.match)[0].line).payload).get("open_cards")
        assert said == (None if cards is None else {"s": cards.s, "events": cards.events})


@live
async def test_a_game_says_its_shortest_delay_and_which_secrets_outlast_it() -> None:
    async with table() as at:
        games = (await (await at.client()).ask(ListGames(), Games)).games
        assert {(game.open_cards_s, game.lasting) for game in games} == {(120, (ALL_OF_THEM,))}


@live
async def test_a_rematch_is_agreed_on_as_the_match_was() -> None:
    async with table() as at:
        created, ada, bo = await agreed(at, OpenCards(7, 2))
        await play_out([ada, bo], 1)
        once = await once_more(at.store, at.lobby.registry.live_match(created.match))
        assert once.open_cards == OpenCards(7, 2)


def test_at_a_table_of_an_event_no_cards_are_open() -> None:
    deal = Deal(Dealt("A" * 43, "A" * 43), bytes(32))
    with pytest.raises(ValueError, match="no cards are open"):
        create_match(GAME, {}, ["", ""], at=0, deal=deal, open_cards=OpenCards(120, 0))
