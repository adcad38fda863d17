"""Branching over the wire: a client puts into a branch what it may see, and nothing else."""

import msgspec
import pytest

from domain.kernel import BranchOpened, PositionSet
from domain.kernel.history import pauses
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.files.export import from_store
from replay.record.referee import read_event
from server.wire.act_messages import Resign
from server.wire.protocol import Branch, Create, Created, Error, Grant, Granted, SeatWish
from tests.server.tabletop import TWO_PEOPLE, Table, live, play_out, table
from tests.skirmish.game import GAME

BOTS = (SeatWish("bot", "", "random"), SeatWish("bot", "", "random"))


async def under_way(at: Table, choices: int, **policy: object) -> Created:
    """A match after some choices; 99 are more than it takes."""
    client = await at.client()
    created = await client.ask(Create(GAME.name, TWO_PEOPLE, **policy), Created)  # type: ignore[arg-type]
    players = [await at.player(created, seat) for seat in (0, 1)]
    await play_out(players, most=choices)
    return created


async def ask(at: Table, wish: Branch) -> Created | Error:
    client = await at.client()
    return await client.ask(wish, Created | Error)  # type: ignore[arg-type]


def opening_of(at: Table, match: str) -> tuple[BranchOpened, PositionSet]:
    events = [read_event(GAME, entry) for entry in at.store.read(match)]
    opened, position = events[1], next(event for event in events if isinstance(event, PositionSet))
    assert isinstance(opened, BranchOpened)
    return opened, position


@pytest.mark.parametrize("seat", [0, 1, None])
@live
async def test_a_running_match_is_branched_through_ones_own_eyes(seat: int | None) -> None:
    async with table() as at:
        parent = await under_way(at, 3)
        token = "" if seat is None else parent.tokens[str(seat)]
        seq = at.store.head(parent.match).seq
        made = await ask(at, Branch(parent.match, seq, TWO_PEOPLE, token))
        assert isinstance(made, Created)
        opened, position = opening_of(at, made.match)
        assert (opened.match, opened.eyes) == (parent.match, "spectator" if seat is None else f"seat{seat}")
        world = GAME.fold(read_event(GAME, entry) for entry in at.store.read(parent.match)[: opened.line])
        if seat is not None:
            assert tuple(position.world["hands"][seat]) == world.hands[seat]
        header = at.store.header(made.match)
        assert not header.listed
        assert msgspec.json.decode(at.store.read(made.match)[0].line)[8]["reveal"] == "seats"
        players = [await at.player(made, seat) for seat in (0, 1)]
        await play_out(players)
        assert all(player.is_over() for player in players)
        assert audit(GAME, from_store(at.store, made.match)).fault is None


@live
async def test_a_running_match_cannot_be_branched_through_other_eyes() -> None:
    async with table() as at:
        parent = await under_way(at, 3)
        seq = at.store.head(parent.match).seq
        for token, eyes in ((parent.tokens["0"], "seat1"), (parent.tokens["0"], "all"), ("", "seat0"), ("", "all")):
            refused = await ask(at, Branch(parent.match, seq, BOTS, token, eyes))
            assert isinstance(refused, Error)
            assert (refused.code, "your own eyes" in refused.why) == ("cannot-create", True)
        nobody = await ask(at, Branch(parent.match, seq, BOTS, "x" * 43))
        assert isinstance(nobody, Error)
        assert nobody.code == "not-admitted"
        assert len(at.store.matches.latest()) == 1


@pytest.mark.parametrize(
    ("reveal", "seated", "eyes", "gives"),
    [
        ("public", False, "", "all"),
        ("public", False, "seat1", "seat1"),
        ("public", True, "spectator", "spectator"),
        ("seats", True, "", "all"),
        ("seats", False, "", "spectator"),
        ("seats", False, "all", None),
        ("auditor", True, "", "seat0"),
        ("auditor", True, "all", None),
        ("public", False, "seat7", None),
    ],
)
@live
async def test_a_match_that_is_over_opens_as_its_policy_says(
    reveal: str, seated: bool, eyes: str, gives: str | None
) -> None:
    async with table() as at:
        parent = await under_way(at, 99, reveal=reveal)
        made = await ask(at, Branch(parent.match, 30, BOTS, parent.tokens["0"] if seated else "", eyes))
        if gives is None:
            assert isinstance(made, Error)
            assert made.code == "cannot-create"
        else:
            assert isinstance(made, Created)
            assert opening_of(at, made.match)[0].eyes == gives


@live
async def test_what_the_true_hands_were_is_in_no_branch_of_a_running_match() -> None:
    """Ten branches through a seat's eyes: the other hand is drawn, not copied."""
    async with table() as at:
        parent = await under_way(at, 0)
        seq = at.store.head(parent.match).seq
        hands = set()
        for _ in range(10):
            made = await ask(at, Branch(parent.match, seq, TWO_PEOPLE, parent.tokens["0"]))
            assert isinstance(made, Created)
            hands.add(tuple(opening_of(at, made.match)[1].world["hands"][1]))
            record = from_store(at.store, made.match, Viewer(type(GAME.seats)(0)))  # type: ignore[arg-type]
            assert all(b'"world"' not in value for held in record.held for value in held.openings.values())
        assert len(hands) > 2


@live
async def test_bad_wishes_are_refused_in_a_sentence() -> None:
    async with table() as at:
        parent = await under_way(at, 2)
        end = at.store.head(parent.match).seq
        first = pauses(GAME, [read_event(GAME, entry) for entry in at.store.read(parent.match)])[0]
        for wish, said in (
            (Branch(parent.match, end + 1, BOTS), "lines 1 to"),
            (Branch(parent.match, 0, BOTS), "lines 1 to"),
            (Branch(parent.match, first - 1, BOTS), "nobody has been asked"),
            (Branch(parent.match, end, BOTS[:1]), "2 seats"),
            (Branch(parent.match, end, (SeatWish("me"), SeatWish("bot", "", "clever"))), "no bot"),
        ):
            refused = await ask(at, wish)
            assert isinstance(refused, Error)
            assert said in refused.why
        nowhere = await ask(at, Branch("nowhere", 5, BOTS))
        assert isinstance(nowhere, Error)
        assert nowhere.code == "not-admitted"
        assert len(at.store.matches.latest()) == 1


@live
async def test_a_spectator_who_is_kept_behind_branches_from_no_later_line() -> None:
    async with table() as at:
        parent = await under_way(at, 4, delay_events=8)
        end = at.lobby.registry.live_match(parent.match).visible_head.seq_for(SPECTATOR)
        refused = await ask(at, Branch(parent.match, end + 1, TWO_PEOPLE))
        assert isinstance(refused, Error)
        assert f"lines 1 to {end}" in refused.why
        assert isinstance(await ask(at, Branch(parent.match, end + 1, TWO_PEOPLE, parent.tokens["0"])), Created)


@live
async def test_while_a_match_goes_on_without_hints_no_branch_of_it_nor_of_a_branch_has_any() -> None:
    async with table() as at:
        parent = await under_way(at, 3)
        ada, bo = [await at.player(parent, seat) for seat in (0, 1)]
        token, seats = parent.tokens["0"], (SeatWish("me"), SeatWish("bot", "", "random"))
        plain = await ask(at, Branch(parent.match, at.store.head(parent.match).seq, seats, token))
        assert isinstance(plain, Created)
        mine = await at.player(plain, 0)
        await mine.client.send(Resign(id="r"))
        await mine.until(mine.is_over)
        again = plain.match, at.store.read(plain.match)[-2].seq, seats, plain.tokens["0"]
        for wish in (
            Branch(parent.match, at.store.head(parent.match).seq, seats, token, hints=True),
            Branch(*again, hints=True),
        ):
            refused = await ask(at, wish)
            assert isinstance(refused, Error)
            assert (refused.code, "has no hints" in refused.why) == ("cannot-create", True)
        await ada.client.send(Resign(id="r"))
        await bo.until(bo.is_over)
        made = await ask(at, Branch(*again, hints=True))
        assert isinstance(made, Created)
        assert at.lobby.registry.live_match(made.match)._referee.state.table.hints


@pytest.mark.parametrize("hints", [False, True])
@live
async def test_a_match_that_goes_on_with_hints_may_be_branched_with_them(*, hints: bool) -> None:
    async with table() as at:
        parent = await under_way(at, 3, hints=True)
        made = await ask(at, Branch(parent.match, at.store.head(parent.match).seq, BOTS, hints=hints))
        assert isinstance(made, Created)
        assert at.lobby.registry.live_match(made.match)._referee.state.table.hints is hints


@live
async def test_a_branch_of_a_closed_match_is_closed_and_casters_make_none() -> None:
    async with table() as at:
        parent = await under_way(at, 3, closed=True)
        seq = at.store.head(parent.match).seq
        made = await ask(at, Branch(parent.match, seq, TWO_PEOPLE, parent.tokens["1"]))
        assert isinstance(made, Created)
        assert at.store.header(made.match).closed
        ada = await at.player(parent, 0)
        token = (await ada.client.ask(Grant(), Granted)).token
        refused = await ask(at, Branch(parent.match, seq, TWO_PEOPLE, token))
        assert (isinstance(refused, Error), getattr(refused, "code", "")) == (True, "cannot-create")
        unknown = await ask(at, Branch(parent.match, seq, TWO_PEOPLE))
        assert unknown == await ask(at, Branch("nowhere", seq, TWO_PEOPLE))
