"""A friend's seat waits for whoever has its link, and is called what that one says."""

from server.wire.protocol import Create, Created, Error, Hello, Join, Joined, ListMatches, Matches, SeatWish, Welcome
from tests.server.tabletop import Table, live, table
from tests.skirmish.game import GAME

WAITING = (SeatWish("me", "Ada"), SeatWish("friend"))


async def names(at: Table, created: Created, name: str) -> list[str]:
    client = await at.client()
    welcome = await client.ask(Hello(created.match, created.tokens["1"], name=name), Welcome)
    return [seat.name for seat in welcome.seats]


def begun(at: Table, created: Created) -> bool:
    return at.store.header(created.match).status == "running"


@live
async def test_a_friend_sits_down_with_the_first_hello_under_the_name_given() -> None:
    async with table() as at:
        client = await at.client()
        created = await client.ask(Create(GAME.name, WAITING, listed=True), Created)
        assert not begun(at, created)
        assert await names(at, created, "Bo") == ["Ada", "Bo"]
        assert begun(at, created)
        assert await names(at, created, "Eve") == ["Ada", "Bo"]


@live
async def test_a_friend_without_a_name_is_called_by_the_seat() -> None:
    async with table() as at:
        created = await at.create(*WAITING)
        assert await names(at, created, "") == ["Ada", "Player 2"]


@live
async def test_nobody_else_takes_a_friends_seat_and_the_list_offers_it_to_nobody() -> None:
    async with table() as at:
        client = await at.client()
        created = await client.ask(Create(GAME.name, WAITING, listed=True), Created)
        refused = await client.ask(Join(created.match, 1, "Eve"), Joined | Error)  # type: ignore[arg-type]
        assert isinstance(refused, Error)
        assert (await client.ask(ListMatches(), Matches)).open == ()


@live
async def test_of_two_names_at_a_table_that_nobody_can_tell_apart_the_second_is_refused() -> None:
    async with table() as at:
        for name in ("Ada", "ada", "Ad\u0430", "Ada\ufe0f"):
            created = await at.create(SeatWish("me", "Ada"), SeatWish("open"))
            client = await at.client()
            refused = await client.ask(Join(created.match, 1, name), Joined | Error)  # type: ignore[arg-type]
            assert isinstance(refused, Error)
            assert refused.code == "cannot-sit"
            joined = await client.ask(Join(created.match, 1, "Ida"), Joined)
            assert joined.seat == 1
            both = (SeatWish("me", "Ada"), SeatWish("friend", name))
            made = await client.ask(Create(GAME.name, both), Created | Error)  # type: ignore[arg-type]
            assert isinstance(made, Error)


@live
async def test_a_friend_whose_name_is_taken_is_called_by_the_seat() -> None:
    async with table() as at:
        created = await at.create(*WAITING)
        assert await names(at, created, "\u0410da") == ["Ada", "Player 2"]
        created = await at.create(SeatWish("me", "Player 2"), SeatWish("friend"))
        assert await names(at, created, "") == ["Player 2", "Player 2, 2"]
