"""The tables by which a page holds the lines of its game to their shape: each game's own, small, and packed."""

import gzip
import json

import pytest

from projections.registry import games
from server.pages.serving import page
from tests.web.node import ROOT

PLAIN_BUDGET, PACKED_BUDGET = 16_000, 3_500
"""What a page loads of it, in bytes."""
KNOWN = json.loads((ROOT / "docs" / "schema" / "lines.json").read_text())["games"]


@pytest.mark.parametrize("name", games())
def test_a_page_is_given_the_table_of_its_game(name: str) -> None:
    plainly, packed = (page(f"/lines/{name}.json", lambda *_: None, accepted=how) for how in ("", "gzip"))
    assert json.loads(plainly.body) == KNOWN[name]
    assert plainly.headers["Content-Type"] == "application/json"
    assert gzip.decompress(packed.body) == plainly.body
    assert len(plainly.body) <= PLAIN_BUDGET
    assert len(packed.body) <= PACKED_BUDGET


@pytest.mark.parametrize("path", ["/lines/chess.json", "/lines/.json", "/lines/", "/lines/../assets.json", "/lines/x"])
def test_of_what_is_no_game_here_there_is_none(path: str) -> None:
    assert page(path, lambda *_: None).status_code == 404
