"""An exported page is whole and runs nothing but its own, whatever a title or a name says."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from domain.joan_of_arc import GAME as JOAN
from domain.kernel import Game, Seat
from domain.vera_discordia import GAME
from projections.plain import plain_face
from projections.registry import faces
from replay.record import sealing
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.store.log import Committed
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.pages.standalone import standalone
from tests.replay.dishonest import ADA, BO, SHARES, Signing, fixed
from tests.replay.drafts import Match
from tests.replay.matches import START, put
from tests.skirmish.game import GAME as SKIRMISH
from tests.web.browser import Browser

NAMES = ("<!--<script>", "</script><script>document.body.dataset.taken = 1</script>")


def begun(game: Game[Any], title: str) -> str:
    """The page of a match that has just begun."""
    store = MemoryStore()
    referee, creation = create_match(game, {}, ("", ""), at=START, title=title)
    rows = tuple(SeatRow(seat, "", "bot", "random") for seat in range(2))
    assert isinstance(store.create(creation.header, creation.keys, rows, creation.ruling.commit), Committed)
    referee.accept(creation.ruling)
    for seat, name in enumerate(NAMES):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), name, "bot", START))
    put(store, referee, Preparation(referee).begin(START))
    return standalone(faces()[game.name], store, referee.match)


@pytest.fixture(scope="module")
def text() -> str:
    return begun(GAME, "".join(NAMES))


def test_no_data_ends_its_script_or_begins_another(text: str) -> None:
    body = text.partition("<style>")[2].partition("</style>")[2]
    kept = re.findall(r"<script[^>]*>(.*?)</script>", body, re.DOTALL)
    assert len(kept) == text.count("<script ") == text.count("</script>")
    assert [script.partition("\n")[0] for script in kept if "<" in script] == ["const modules$={};"]
    assert "\\u003c!--\\u003cscript>" in text


def test_every_inline_script_that_runs_has_its_hash_in_the_pages_policy(text: str) -> None:
    policy = text.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert text.index("http-equiv") < text.index("<title>")
    (script,) = re.findall(r'<script type="(?!application/json)[^"]*">(.*?)</script>', text, re.DOTALL)
    runs = policy.partition("script-src ")[2].partition(";")[0]
    assert runs == f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def test_the_page_plays_in_a_browser_and_no_name_in_it_runs(text: str, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    file.write_text(text)
    page = browser.page()
    page.goto(file.as_uri())
    page.wait("herald.check.seq > 2 && !herald.check.fault")
    assert page.evaluate("document.body.dataset.taken ?? 'no'") == "no"
    assert page.evaluate("fetch('https://example.org/').then(() => 'asked', () => 'refused')") == "refused"
    page.evaluate(
        "document.head.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))"
    )
    assert page.evaluate("window.ran ?? 'no'") == "no"
    page.click("#seal")
    assert "it could have chosen the dice" in page.wait("document.querySelector('#dialog').innerText")
    page.press("Escape")
    page.press("?")
    page.wait("document.querySelector('#dialog').innerText.includes('choose an option')")


def test_the_page_says_whose_the_dice_are_as_the_audit_does(browser: Browser, tmp_path: Path) -> None:
    match = Signing()
    referee = fixed(match, (ADA, BO))
    for seat in (ADA, BO):
        match.put(Preparation(referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), START))
    match.put(Preparation(referee).begin(START))
    assert match.audited().chance == "proven: shares of both players and the server"
    file = tmp_path / "replay.html"
    file.write_text(standalone(plain_face(SKIRMISH), match.store, referee.match))
    page = browser.page()
    page.goto(file.as_uri())
    page.wait("herald.check.seq > 2 && !herald.check.fault")
    page.click("#seal")
    told = page.wait("document.querySelector('#dialog').innerText")
    assert "The dice come from shares of Abel, Doviso and the server. Their keys sign that" in told
    assert "2 signatures of seats are right." in told


def forged(text: str, line: int, **more: int) -> str:
    """The page with a field more in a line of its record, chained anew as a server can."""
    front, mark, rest = text.partition('id="bundle">')
    bundle = json.loads(rest.partition("</script>")[0])
    record = bundle["record"]
    head = sealing.genesis(sealing.unb64(record["match"]))
    for number, item in enumerate(record["items"], 1):
        parts = json.loads(item[0])
        parts[8] |= more if number == line else {}
        item[0] = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
        head = sealing.link(head, item[0].encode())
    record["head"]["hash"] = sealing.b64(head)
    return front + mark + json.dumps(bundle).replace("<", "\\u003c") + rest[rest.index("</script>") :]


def test_the_page_holds_the_lines_of_its_game_to_their_shape(browser: Browser, tmp_path: Path) -> None:
    match = Match(0)
    store, referee = match.store, match.referee
    line = next(entry.seq for entry in store.read(referee.match) if entry.type == "HandDealt")
    file = tmp_path / "replay.html"
    file.write_text(forged(standalone(plain_face(SKIRMISH), store, referee.match), line, more=1))
    page = browser.page()
    page.goto(file.as_uri())
    assert page.wait("herald.check.fault?.seq") == line
    assert page.evaluate("herald.check.fault.why") == "HandDealt has the field more, which there is not or not here"


def test_a_replay_opens_where_something_of_a_player_lies_on_the_board(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "replay.html"
    file.write_text(begun(JOAN, "The Ford"))
    page = browser.page()
    page.goto(file.as_uri())
    units = "Object.values(herald.scene.pieces).filter(p => p.zone === 'map' && p.owner != null).length"
    assert page.evaluate(f"herald.replay.i > 0 && {units}") > 1, "not the ground alone, that waits for its players"
    assert page.evaluate("herald.scene.prompt.ask") != "The match begins when every seat is taken."
    page.press("Home")
    page.wait("herald.replay.i === 0")
    assert page.evaluate(units) == 0
    assert page.errors == []
