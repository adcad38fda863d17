"""A table of an event: nobody but who sits there learns of it over the wire before the event is closed."""

import pytest

from domain.kernel import TimeControl
from projections.redaction import SPECTATOR
from replay.duplicate import manifest
from replay.files import export
from replay.record.line import codec_of
from server.lobby import analysis_service as inquests
from server.wire.analysis_messages import Judge, Judged
from server.wire.errors import NotAdmitted
from server.wire.protocol import Branch, Create, Created, Error, Grant, Granted
from tests.server.tabletop import FACES, TWO_PEOPLE, Table, live, play_out, table
from tests.skirmish.game import GAME


async def dealt(at: Table, tables: int = 2) -> list[Created]:
    """The tables of an event, as `herald duplicate create` makes them."""
    seats = [("ann", "bob")] * tables
    said, seed = manifest.planned("Cup", GAME.name, codec_of(GAME).rules, {}, TimeControl(), seats, 1)
    event = manifest.event_id("Cup")
    wish = Create(GAME.name, TWO_PEOPLE, listed=False, closed=True)
    return [
        await at.lobby.factory.create(wish, deal=manifest.deal_of(event, seed, entry.match)) for entry in said.tables
    ]


@live
async def test_until_the_event_is_closed_only_who_sits_there_sees_a_table() -> None:
    async with table() as at:
        one, _ = await dealt(at)
        players = [await at.player(one, seat) for seat in (0, 1)]
        await play_out(players)
        with pytest.raises(NotAdmitted):
            await at.spectator(one)
        refused = await players[0].client.ask(Grant(), Error)
        assert (refused.code, "not closed yet" in refused.why) == ("grant-refused", True)
        wish = Branch(one.match, at.store.head(one.match).seq, TWO_PEOPLE, one.tokens["0"])
        refused = await (await at.client()).ask(wish, Error)
        assert (refused.code, "not closed yet" in refused.why) == ("cannot-create", True)
        assert export.for_viewer(at.store, one.match, players[0].view.viewer).secrets is None


@live
async def test_once_the_event_is_closed_a_table_is_like_any_other_match() -> None:
    async with table() as at:
        one, _ = await dealt(at)
        players = [await at.player(one, seat) for seat in (0, 1)]
        await play_out(players)
        at.store.matches.disclose(one.match)
        assert (await at.spectator(one)).view.seq == at.store.head(one.match).seq
        assert (await players[0].client.ask(Grant(), Granted)).token
        assert export.for_viewer(at.store, one.match, SPECTATOR).secrets is not None


@live
async def test_no_table_is_judged_for_who_sat_there_before_the_event_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its curve and what the search prefers follow from both hands, which another table still plays with."""
    monkeypatch.setattr(inquests, "faces", lambda: FACES)
    async with table() as at:
        one, _ = await dealt(at)
        ada, bo = [await at.player(one, seat) for seat in (0, 1)]
        await play_out([ada, bo])
        end = at.store.head(one.match).seq
        wishes = [Judge(id="j", line=line, kept=kept) for line in (0, end - 1) for kept in (False, True)]
        for wish in wishes:
            await ada.client.send(wish)
            refused = await ada.client.receive()
            while not isinstance(refused, Error | Judged):
                refused = await ada.client.receive()
            assert isinstance(refused, Error), wish
            assert (refused.code, refused.id, "not closed yet" in refused.why) == ("cannot-judge", "j", True)
        at.store.matches.disclose(one.match)
        for wish in wishes[1::2]:
            assert (await bo.client.ask(wish, Judged)).line == wish.line
