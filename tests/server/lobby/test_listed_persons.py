"""The first page's list names guests, and those who show everybody who they are; nobody else."""

import pytest

from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from replay.store.side_tables.claims import ClaimRow
from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.people import NameRow
from server.lobby.listed_persons import ListedPersons, listed_persons
from tests.server.tabletop import live, table

ROWS = (SeatRow(0, "Ada", "person"), SeatRow(1, "Bo", "person"), SeatRow(2, "", ""), SeatRow(3, "R2", "bot"))


def kept(shown: str, *, renamed: bool = False) -> MemoryStore:
    """A store in which Ada's person stands behind her seat of one match."""
    store = MemoryStore()
    store.people.sign_up(NameRow("p", "Anja", "anja", 1), DeviceRow("k", "p", "", 1, 1), b"c")
    if renamed:
        store.people.rename(NameRow("p", "Ronja", "ronja", 2), 9)
    claim = ClaimRow("m1", 4, "p", 0, "site", "k", "salt", "signature", shown)  # type: ignore[arg-type]
    assert store.claims.keep(claim)
    return store


@pytest.mark.parametrize(("shown", "handles"), [("nobody", {}), ("opponents", {}), ("everybody", {0: "Anja"})])
def test_a_person_is_named_only_where_everybody_may_know(shown: str, handles: dict[int, str]) -> None:
    assert listed_persons(kept(shown), {"m1": ROWS}) == {"m1": ListedPersons((1,), handles)}


def test_a_handle_is_the_one_of_today() -> None:
    assert listed_persons(kept("everybody", renamed=True), {"m1": ROWS})["m1"].handles == {0: "Ronja"}


def test_a_claim_names_nobody_in_another_match_or_once_its_person_is_deleted() -> None:
    store = kept("everybody")
    assert listed_persons(store, {"m2": ROWS})["m2"] == ListedPersons((0, 1), {})
    store.people.forget("p")
    assert listed_persons(store, {"m1": ROWS})["m1"] == ListedPersons((0, 1), {})


@live
async def test_the_list_of_matches_marks_guests() -> None:
    async with table() as at:
        await at.create()
        (listed,) = (await at.lobby.listing.matches()).running
        assert (listed.guests, listed.handles) == ((0, 1), {})
