"""The websocket's own frames against the real server (RFC 6455): what is malformed is closed with its code."""

from unittest.mock import patch

from tests.server.faults.frames import BAD, CLOSES, GOOD, PINGS, PROTOCOL_ERROR, allowed, controlled, forbidden
from tests.server.tabletop import live, table


@live
async def test_what_the_standard_allows_is_understood() -> None:
    async with table() as at:
        found = await allowed(at)
    assert found.lost == []
    assert found.came == {"understood": len(GOOD)}


@live
async def test_what_the_standard_forbids_is_closed_with_its_code() -> None:
    async with table() as at:
        found = await forbidden(at)
    assert found.lost == []
    assert found.cases == len(BAD) + 1


@live
async def test_a_ping_is_answered_with_its_data_and_a_close_with_its_code_and_binary_is_refused() -> None:
    async with table() as at:
        found = await controlled(at)
    assert found.lost == []
    assert found.came == {"answered": len(PINGS) + len(CLOSES), "refused in words": 1}


@live
async def test_an_answer_that_should_be_another_is_found_out() -> None:
    with patch.dict(BAD, {"8.1 bad UTF-8": (BAD["8.1 bad UTF-8"][0], PROTOCOL_ERROR)}):
        async with table() as at:
            found = await forbidden(at)
    assert found.lost == ["8.1 bad UTF-8: the answer is 1007, it should be 1002"]
