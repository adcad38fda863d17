"""A match begins in a position that somebody wrote, and is recorded and audited like any other."""

from contextlib import suppress

import anyio
import pytest

from domain.kernel import MatchCreated, MatchEnded, Play, PositionSet, Result, ScenarioOpened
from replay.audit.match_audit import audit
from replay.files.export import from_store
from replay.record.referee import read_event
from server.table.bot_players import BotPlayers
from server.wire.protocol import Create, Created, Error, Refused, SeatWish
from tests.server.tabletop import TWO_PEOPLE, Table, live, play_out, table
from tests.skirmish.game import GAME

PURSUIT = """
title = "Pressing\\n for two"
game = "skirmish"
at = "SK-02"
options = { rounds = 2 }
[position]
hands = [[6, 1], [2, 2]]
deck = [5, 3]
[[case]]
name = "a"
[[case]]
name = "b"
title = "with threes"
position = { hands = [[3, 3], [2, 2]], deck = [6, 5] }
"""


async def create(at: Table, text: str, case: str = "", **more: object) -> Created | Error:
    client = await at.client()
    wish = Create(GAME.name, TWO_PEOPLE, scenario=text, case=case, **more)  # type: ignore[arg-type]
    return await client.ask(wish, Created | Error)  # type: ignore[arg-type]


@pytest.mark.parametrize(("case", "hand", "title"), [("", (1, 6), "(a)"), ("b", (3, 3), "(b: with threes)")])
@live
async def test_a_match_begins_in_the_position_is_played_and_audited(
    case: str, hand: tuple[int, int], title: str
) -> None:
    async with table() as at:
        made = await create(at, PURSUIT, case)
        assert isinstance(made, Created)
        assert at.store.header(made.match).title == f"Pressing for two {title}"
        players = [await at.player(made, seat) for seat in (0, 1)]
        await play_out(players)
        events = [read_event(GAME, entry) for entry in at.store.read(made.match)]
        created, opened = events[:2]
        assert isinstance(created, MatchCreated)
        assert created.options == {"rounds": 2}
        assert opened == ScenarioOpened(f"Pressing for two {title}")
        position = next(event for event in events if isinstance(event, PositionSet))
        assert tuple(position.world["hands"][0]) == hand
        assert position.view["hands"] == [{"is": "hidden"}] * 2
        assert all(player.is_over() for player in players)
        assert audit(GAME, from_store(at.store, made.match)).fault is None


@live
async def test_options_that_are_named_stand_over_the_scenarios() -> None:
    async with table() as at:
        made = await create(at, PURSUIT, options={"rounds": 1}, title="Mine")
        assert isinstance(made, Created)
        created = read_event(GAME, at.store.read(made.match)[0])
        assert isinstance(created, MatchCreated)
        assert created.options == {"rounds": 1}
        assert at.store.header(made.match).title == "Mine"


@pytest.mark.parametrize(
    ("was", "becomes", "case", "said"),
    [
        ("title", "tilte", "", "the key `tilte` is not known"),
        ("hands = [[6", "hants = [[6", "", "[position]: hants"),
        ("title", "title", "c", "there is no case 'c'; allowed: a, b"),
        ('at = "SK-02"', 'at = "SK-09"', "", "has no step 'SK-09'"),
        ('game = "skirmish"', 'game = "chess"', "", "the scenario is of 'chess'"),
        ('at = "SK-02"', 'at = "SK-01"', "", "a shuffle of"),
        ('"SK-02"', '"SK-06"\nposition.round = 2\nposition.scores = [1, 3]', "", "nobody is asked anything"),
    ],
)
@live
async def test_what_is_no_position_to_begin_with_is_refused(was: str, becomes: str, case: str, said: str) -> None:
    text = PURSUIT.replace("[position]\n", "position.").replace("\ndeck", "\nposition.deck")
    async with table() as at:
        refused = await create(at, text.replace(was, becomes), case)
        assert isinstance(refused, Error)
        assert refused.code == "cannot-create"
        assert said in refused.why
        assert not at.store.matches.latest()


def failing(*_: object, **__: object) -> None:
    raise IndexError("no such seat")


VOID = "void: the rules cannot go on from this position"
BOTS = (SeatWish("me", "Ada"), SeatWish("bot", "", "random"))


@live
async def test_a_position_over_which_the_rules_fail_ends_as_void_with_a_sentence() -> None:
    async with table() as at:
        made = await create(at, PURSUIT)
        assert isinstance(made, Created)
        players = [await at.player(made, seat) for seat in (0, 1)]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Play, "answer", failing)
            answer = await players[0].choose()
        assert isinstance(answer, Refused)
        assert (answer.code, "the match is void" in answer.why) == ("match-over", True)
        ended = read_event(GAME, at.store.read(made.match)[-1])
        assert isinstance(ended, MatchEnded)
        assert ended.result == Result(None, VOID)
        report = audit(GAME, from_store(at.store, made.match))
        assert report.fault is None
        assert any("how the rules failed is not recorded" in said for said in report.unchecked)


@live
async def test_a_bot_that_cannot_even_list_its_options_there_ends_the_match_as_void() -> None:
    async with table() as at:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(BotPlayers, "_message", failing)
            made = await (await at.client()).ask(Create(GAME.name, BOTS, scenario=PURSUIT), Created | Error)  # type: ignore[arg-type]
            assert isinstance(made, Created)
            while not isinstance(read_event(GAME, at.store.read(made.match)[-1]), MatchEnded):
                await anyio.sleep(0.01)
        assert read_event(GAME, at.store.read(made.match)[-1]).result.reason == VOID  # type: ignore[attr-defined]


@live
async def test_a_match_that_began_at_its_beginning_is_not_void_where_the_rules_fail() -> None:
    async with table() as at:
        made = await at.create()
        players = [await at.player(made, seat) for seat in (0, 1)]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Play, "answer", failing)
            with suppress(Exception):
                await players[0].choose()
        assert not at.store.header(made.match).result
