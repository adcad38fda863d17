"""What players expect around a match: once more, looking back, sounds, marks of what is unread, answers ahead."""

import json

import pytest

from tests.web.browser import Browser, Page
from tests.web.comforts import PASS, STILL, asked, resign
from tests.web.hand import ASK, given, hand, seen, tap
from tests.web.languages import language as translated_in
from tests.web.playing import FAST, VERA, WAR, against_bot, card_of, play
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
AHEAD = "herald.prompt.root.querySelector('.ahead')"


def with_friend(browser: Browser, served: Served) -> tuple[Page, Page]:
    """Two people at a table; the second on a phone."""
    ada, bo = browser.page(), browser.page()
    bo.size(390, 844, touch=True, dark=True)
    for page in (ada, bo):
        page.before_load(FAST)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.click(".create .go")
    bo.sit_down(ada.wait("document.querySelector('.linkrow input')?.value"))
    ada.click("#dialog a.go")
    ada.wait("window.herald?.prompt?.mine()")
    return ada, bo


@pytest.mark.whole
def test_two_people_play_once_more_with_sides_changed_when_both_want_it(browser: Browser, served: Served) -> None:
    ada, bo = with_friend(browser, served)
    seats = [page.evaluate("herald.scene.viewer.seat") for page in (ada, bo)]
    match = ada.evaluate("herald.check.verifier.match")
    resign(ada)
    hand(ada, seen(ada, "[data-o='end|again']"))
    ada.wait("herald.prompt.root.querySelector('[data-o=\"end|back\"]') !== null")
    ada.screenshot("ending")
    bo.wait("herald.prompt.root.textContent.includes('would like a rematch')")
    bo.screenshot("ending-phone")
    tap(bo, seen(bo, "[data-o='end|again']"))
    for page, seat in ((ada, seats[1]), (bo, seats[0])):
        page.wait(f"window.herald?.scene?.viewer?.seat === {seat} && document.body.dataset.ready")
        page.wait("herald.check.verifier && herald.scene.prompt.mode !== 'over'")
        assert page.evaluate("herald.check.verifier.match") != match
        assert page.errors == []


@pytest.mark.whole
def test_a_bot_plays_once_more_at_once_and_a_match_is_looked_back_at(page: Page, served: Served) -> None:
    page.before_load(FAST)
    against_bot(page, served)
    play([page], 12)
    resign(page)
    match = page.evaluate("herald.check.verifier.match")
    link = page.evaluate("location.href")
    hand(page, seen(page, ".ending a", text="Look back"))
    page.wait("location.pathname === '/replay' && document.querySelector('.review .moment') !== null")
    page.screenshot("review")
    rows = page.evaluate("[...document.querySelectorAll('.review .moment .ttl')].map(e => e.firstChild.textContent)")
    assert rows == page.evaluate("herald.replay.marks.map(mark => mark[1])")
    hand(page, seen(page, ".review li:nth-child(2) .moment"))
    assert page.evaluate("herald.replay.i === herald.replay.marks[1][0]")
    assert page.evaluate("document.querySelectorAll('.review [aria-current]').length") == 1
    page.goto(link)
    page.wait("document.querySelector('[data-o=\"end|again\"]') !== null")
    page.evaluate("document.querySelector('[data-o=\"end|again\"]').focus()")
    page.press("Enter")
    page.wait("window.herald?.scene?.viewer?.seat === 1 && herald.check.verifier?.match")
    assert page.evaluate("herald.check.verifier.match") != match
    assert page.errors == []


KEPT = "document.querySelectorAll('[data-o^=\"kept|\"][aria-pressed=true]').length"


@pytest.mark.whole
def test_an_answer_is_signed_and_kept_by_the_server_until_it_is_pressed_again(browser: Browser, served: Served) -> None:
    ada, bo = with_friend(browser, served)
    rows = "document.querySelectorAll('[data-o^=\"kept|\"]').length"
    while not (ada.evaluate("herald.prompt.p.mode === 'wait'") and ada.evaluate(rows)):
        play([ada, bo], 1)
        ada.rest()
    ada.evaluate("document.querySelector('[data-o^=\"kept|\"]').closest('details').open = true")
    hand(ada, seen(ada, "[data-o^='kept|']"))
    ada.wait(f"{KEPT} === 1")
    ada.screenshot("kept")
    hand(ada, seen(ada, "[data-o^='kept|'][aria-pressed=true]"))
    ada.wait(f"{KEPT} === 0")
    assert ada.errors == bo.errors == []


@pytest.fixture
def table(page: Page, served: Served) -> Page:
    page.before_load(FAST)
    against_bot(page, served)
    page.wait("herald.view.seen.length")
    return page


@pytest.mark.whole
def test_a_standing_pass_answers_after_a_delay_that_chance_alone_draws_until_it_is_stopped(table: Page) -> None:
    table.evaluate(
        "window.delays = []; window.wait = setTimeout;"
        "window.setTimeout = (done, ms, ...more) =>"
        " (ms >= 1000 && ms <= 3000 && delays.push(ms), wait(done, ms, ...more))"
    )
    asked(table, PASS)
    assert table.evaluate("document.querySelector('[data-o=\"ahead|always\"]') === null"), "it may never come again"
    asked(table, PASS)
    hand(table, seen(table, "[data-o='ahead|always']"))
    table.screenshot("standing")
    table.wait("given.length")
    assert given(table) == ["1"]
    for options in (PASS, PASS[1:]):
        asked(table, [{**option, "id": str(n)} for n, option in enumerate(options)])
        assert given(table) == [], "never at once"
        table.wait("given.length")
        assert given(table) == [str(len(options) - 1)]
    assert table.evaluate("new Set(delays).size === 3 && delays.every(ms => ms >= 1000 && ms < 3000)")
    asked(table, PASS)
    hand(table, seen(table, "[data-o='ahead|stop']"))
    asked(table, PASS)
    assert table.evaluate(f"{AHEAD}.querySelector('[data-o=\"ahead|always\"]') !== null")
    assert given(table) == []


def test_a_standing_pass_that_is_warned_of_is_left_to_who_plays_and_given_no_more(table: Page) -> None:
    """The match would be lost by it: it is not chosen a second time by itself."""
    for _ in range(2):
        asked(table, PASS)
    hand(table, seen(table, "[data-o='ahead|always']"))
    table.wait("given.length")
    assert given(table) == ["1"]
    asked(table, PASS)
    warned = "setTimeout(() => herald.prompt.refused('The match would be lost.', '', 'Again?'), 1)"
    table.evaluate(f"herald.prompt.api.answer = () => {warned}")
    table.wait("document.querySelector('#prompt .refused') !== null")
    assert table.evaluate("document.querySelector('#prompt .note') === null"), "it is not said to be answered"
    table.evaluate("window.sent = 0; herald.prompt.api.answer = () => sent++")
    table.evaluate("herald.view.seen.forEach(look => look(herald.scene))")
    assert table.evaluate(f"{AHEAD}.querySelector('[data-o=\"ahead|stop\"]') === null")
    asked(table, PASS)
    assert table.evaluate(f"{AHEAD}.querySelector('[data-o=\"ahead|always\"]') !== null"), "it may be said anew"
    assert table.evaluate("sent") == 0
    assert table.evaluate("Object.values(sessionStorage).every(kept => !kept.includes('let it pass'))")


def test_what_was_answered_ahead_is_told_until_the_next_question_stands(table: Page) -> None:
    for _ in range(2):
        asked(table, PASS)
    hand(table, seen(table, "[data-o='ahead|always']"))
    table.wait("given.length")
    note = "document.querySelector('#prompt .note')?.textContent ?? ''"
    table.evaluate("herald.prompt.sent = false")
    asked(table, [], mode="wait", ask="Bo decides")
    assert table.evaluate(note) == "Answered as you said before: let it pass"
    asked(table, [{"id": "0", "label": "march"}, {"id": "1", "label": "hold"}], ask="Which order?")
    assert table.evaluate(note) == ""


def test_an_answer_ahead_is_given_when_that_question_comes_and_still_offers_it(table: Page) -> None:
    march = [{"id": "0", "label": "march"}, {"id": "1", "label": "hold"}]
    for _ in range(2):
        asked(table, march, ask="Which order?")
    asked(table, [], mode="wait", ask="Bo decides")
    hand(table, seen(table, ".meanwhile > summary"))
    hand(table, seen(table, ".next > summary"))
    hand(table, seen(table, ".ahead [data-o$='next1']"))
    table.screenshot("ahead")
    asked(table, PASS)
    assert table.evaluate("herald.prompt.root.querySelector('[data-o=\"ahead|stop\"]')") is None, "another question"
    asked(table, [{"id": "0", "label": "hold"}, march[0]], ask="Which order?")
    table.wait("given.length")
    assert given(table) == ["0"], "by what it is, not by its number"
    asked(table, [], mode="wait", ask="Bo decides")
    hand(table, seen(table, ".next > summary"))
    hand(table, seen(table, ".ahead [data-o$='next1']"))
    hand(table, seen(table, ".ahead [data-o$='next1']"))
    asked(table, march, ask="Which order?")
    assert table.evaluate("herald.prompt.root.querySelector('[data-o=\"ahead|stop\"]')") is None, "dropped again"


@pytest.mark.whole
def test_each_kind_of_question_that_comes_again_is_answered_ahead_and_dropped_where_it_is_not_offered(
    table: Page,
) -> None:
    march = [{"id": "0", "label": "march"}, {"id": "1", "label": "hold"}]
    gone: list[dict[str, object]] = [
        {"id": "0", "label": "seek", "at": ["nothing-there"]},
        {"id": "1", "label": "stay"},
    ]
    for _ in range(2):
        asked(table, march, ask="Which order?")
        asked(table, gone, ask="Where to?")
    asked(table, march, ask="Who begins?")
    asked(table, PASS)
    asked(table, PASS)
    asked(table, [], mode="wait", ask="Bo decides")
    summaries = "[...document.querySelectorAll('.next > summary')].map(e => e.textContent)"
    assert table.evaluate(summaries) == [f"If asked again: {ask}" for ask in ("React?", "Where to?", "Which order?")]
    hand(table, seen(table, ".meanwhile > summary"))
    hand(table, seen(table, ".next > summary", text="Where to?"))
    assert "seek" not in table.evaluate(f"{AHEAD}.innerText"), "what it is about has left the table"
    hand(table, seen(table, ".next > summary", text="Which order?"))
    hand(table, seen(table, ".ahead [data-o$='next0']", text="march"))
    hand(table, seen(table, ".next > summary", text="React?"))
    hand(table, seen(table, ".ahead [data-o$='next1']", text="let it pass"))
    table.screenshot("ahead-kinds")
    asked(table, PASS)
    table.wait("given.length")
    assert given(table) == ["1"]
    asked(table, march[1:], ask="Which order?")
    assert table.evaluate("herald.prompt.root.querySelector('[data-o=\"ahead|stop\"]')") is None
    asked(table, march, ask="Which order?")
    assert table.evaluate("herald.prompt.root.querySelector('[data-o=\"ahead|stop\"]')") is None, "it was for that time"
    assert given(table) == []


@pytest.mark.whole
def test_a_question_that_has_not_come_for_long_is_not_offered_ahead(table: Page) -> None:
    march = [{"id": "0", "label": "march"}, {"id": "1", "label": "hold"}]
    summaries = "[...document.querySelectorAll('.next > summary')].map(e => e.textContent)"
    for _ in range(2):
        asked(table, march, ask="Which Terrain?")
    for times, offered in ((7, ["Which order?", "Which Terrain?"]), (1, ["Which order?"])):
        for _ in range(times):
            asked(table, march, ask="Which order?")
        asked(table, [], mode="wait", ask="Bo decides")
        assert table.evaluate(summaries) == [f"If asked again: {ask}" for ask in offered]


@pytest.mark.whole
def test_a_question_just_answered_is_not_offered_ahead_before_it_has_come_again(table: Page) -> None:
    summaries = "[...document.querySelectorAll('.next > summary')].map(e => e.textContent)"
    for ask, offered in (("Bo attacks A2. React?", []), ("Bo attacks A3. React?", ["If asked again: React?"])):
        asked(table, PASS, ask=ask)
        asked(table, [], mode="wait", ask="Bo decides")
        assert table.evaluate(summaries) == offered


@pytest.mark.whole
def test_a_pass_is_made_a_standing_one_while_others_decide(table: Page) -> None:
    for _ in range(2):
        asked(table, PASS)
    asked(table, [], mode="wait", ask="Bo decides")
    hand(table, seen(table, ".meanwhile > summary"))
    hand(table, seen(table, ".next > summary"))
    hand(table, seen(table, "[data-o='ahead|always']"))
    asked(table, PASS)
    table.wait("given.length")
    assert given(table) == ["1"]


@pytest.mark.whole
def test_who_looks_back_while_the_match_goes_on_returns_by_a_button(table: Page) -> None:
    table.evaluate("herald.replay.jump(0)")
    table.wait("herald.prompt.p.mode === 'past'")
    hand(table, seen(table, "#prompt .tonow"))
    table.wait("herald.prompt.p.mode !== 'past'")


@pytest.mark.whole
def test_a_card_that_was_read_is_let_go_by_a_click_beside_it(table: Page) -> None:
    table.evaluate("herald.view.inspect(Object.keys(herald.scene.pieces)[0], true)")
    assert table.evaluate("herald.view.pinned") is not None
    table.evaluate("herald.view.pick(null)")
    assert table.evaluate("herald.view.pinned") is None


@pytest.mark.whole
def test_a_card_that_was_read_is_let_go_by_escape(table: Page) -> None:
    table.evaluate("herald.view.inspect(Object.keys(herald.scene.pieces)[0], true)")
    for _ in range(3):
        table.press("Escape")
    assert table.evaluate("herald.view.pinned") is None


@pytest.mark.whole
def test_the_chronicle_stays_at_its_last_line_when_it_has_less_room(table: Page) -> None:
    table.evaluate("document.querySelector('#lines').style.maxHeight = '60px'")
    table.wait("(l => l.scrollTop + l.clientHeight >= l.scrollHeight - 2)(document.querySelector('#lines'))")


GROWN = """new Promise(done => requestAnimationFrame(() => {
    const lines = document.querySelector('#lines'), now = [...lines.querySelectorAll('.now')].at(-1);
    lines.style.maxHeight = '';
    lines.scrollTop = now.offsetTop + now.offsetHeight - lines.clientHeight / 2;
    setTimeout(done, 300);
}))"""
"""The chronicle has more room, and in the same frame it is moved to the moment that is shown there."""


def test_the_moment_that_a_replay_shows_stays_in_sight_when_the_chronicle_has_less_room(
    page: Page, served: Served
) -> None:
    page.size(1280, 800)
    page.before_load(FAST)
    against_bot(page, served)
    play([page], 12)
    resign(page)
    hand(page, seen(page, ".ending a", text="Look back"))
    page.wait("location.pathname === '/replay' && document.querySelector('.review .moment') !== null")
    page.evaluate(
        "document.querySelector('#prompt').style.display = 'none'; herald.replay.jump(Math.floor(herald.replay.n / 2))"
    )
    lines = "document.querySelector('#lines')"
    now = f"[...{lines}.querySelectorAll('.now')].at(-1).getBoundingClientRect()"
    box = f"{lines}.getBoundingClientRect()"
    in_sight = f"{now}.bottom <= {box}.bottom + 1 && {now}.bottom > {box}.top"
    page.wait("herald.replay.i === Math.floor(herald.replay.n / 2)")
    page.wait(in_sight)
    # a line that is higher than the chronicle is never whole in sight
    page.evaluate(f"void ({lines}.style.maxHeight = `${{Math.max(60, {now}.height + 24)}}px`)")
    page.rest()
    page.wait(in_sight)
    page.screenshot("replay-moment")
    page.evaluate(GROWN)
    page.wait(in_sight)


@pytest.mark.whole
def test_a_phone_has_room_for_the_chronicle_and_for_what_is_at_stake(table: Page) -> None:
    table.size(390, 844, touch=True)
    tap(table, seen(table, "#sheet [aria-controls=log]"))
    table.wait("document.querySelector('#lines').clientHeight > 120")
    tap(table, seen(table, "#sheet [aria-controls=prompt]"))
    table.evaluate("herald.prompt.p.also = 'This is the last turn.'; herald.prompt.draw()")
    table.wait("document.querySelector('#prompt p.also').clientHeight > 10")
    table.evaluate("herald.prompt.p.also = 'This is the last turn. '.repeat(20); herald.prompt.draw()")
    table.evaluate("document.querySelector('#ask').style.paddingBottom = '400px'")
    told = "document.querySelector('#prompt p.also').clientHeight"
    assert table.evaluate(told) < 100, "five lines of it, until it is asked for"
    table.evaluate("document.querySelector('#prompt .wi').click()")
    assert table.evaluate(told) > 110, "a question that is long too"
    goal = "A destroyed troop is worth 1 VP, a destroyed character 3 VP. "
    goal += "The holder of the plain 0,0 in the camp phase scores 1 VP. "
    goal += "A side that has 7 VP wins at once. After round 3 the side with most VP wins; on a tie the English win."
    for wide, high in ((390, 844), (1280, 800)):
        table.size(wide, high, touch=wide == 390)
        table.evaluate(f"herald.prompt.p.also = {goal!r}; herald.prompt.draw()")
        cut = "(e => e.scrollHeight - e.clientHeight)(document.querySelector('#prompt p.also'))"
        assert table.evaluate(cut) <= 1, "what the match is won by is seen whole"


@pytest.mark.whole
def test_on_a_phone_what_is_fought_is_seen_from_the_top_of_the_board(table: Page) -> None:
    table.size(390, 844, touch=True)
    host = "document.querySelector('#stagehost')"
    table.evaluate(f"{host}.firstElementChild.style.minHeight = '3000px'; {host}.scrollTop = 90")
    scene = (
        "{...herald.scene, layouts: {...herald.scene.layouts, tall: {...herald.scene.layouts.tall, at: {field: box}}}}"
    )
    look = f"(box => herald.view.seen.forEach(look => look({scene})))"
    before = table.evaluate(f"{host}.scrollTop")
    table.evaluate(f"{look}([0, 0, 60, 61])")
    assert before > 0
    assert table.evaluate(f"{host}.scrollTop") == 0
    table.evaluate(f"{host}.scrollTop = 90")
    table.evaluate(f"{look}([0, 0, 60, 61])")
    assert table.evaluate(f"{host}.scrollTop") == before, "it is the same field still"


@pytest.mark.whole
def test_sounds_and_messages_of_the_system_are_off_until_they_are_turned_on(table: Page) -> None:
    table.evaluate(
        "window.tones = 0; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function (...at) { tones += 1; return start.apply(this, at) };"
        "window.messages = []; window.Notification = class { constructor(title) { messages.push(title) } close() {}"
        " static permission = 'default';"
        " static async requestPermission() { messages.push('may I?'); return (this.permission = 'granted') } };"
        "document.hasFocus = () => false"
    )
    asked(table, PASS)
    assert table.evaluate("[tones, messages.length]") == [0, 0]
    hand(table, seen(table, "#tools [data-ico=gear]"))
    hand(table, seen(table, "#settings [name=sound]"))
    hand(table, seen(table, "#settings [name=notify]"))
    table.wait("messages.length && tones")
    assert table.evaluate("messages") == ["may I?"]
    hand(table, seen(table, "#settings .go"))
    before = table.evaluate("tones")
    table.evaluate("herald.scene.prompt.id = 'another'")
    asked(table, PASS)
    assert table.evaluate("tones") > before
    assert "Your move" in table.evaluate("messages.at(-1)")


@pytest.mark.whole
def test_chat_that_is_not_looked_at_is_marked_until_it_is(browser: Browser, served: Served) -> None:
    ada, bo = with_friend(browser, served)
    hand(ada, seen(ada, "#logtabs [aria-controls=chat]"))
    hand(ada, seen(ada, "#chat input"))
    ada.call("Input.insertText", text="well met")
    ada.press("Enter")
    bo.wait("document.querySelector('#sheet .unread')?.textContent.startsWith('1')")
    bo.screenshot("unread")
    assert ada.evaluate("document.querySelector('.unread')") is None
    tap(bo, seen(bo, "#sheet [aria-controls=log]"))
    tap(bo, seen(bo, "#logtabs [aria-controls=chat]"))
    bo.wait("!document.querySelector('.unread') && chatlines.textContent.includes('well met')")
    bo.evaluate("location.reload()")
    bo.wait("document.body.dataset.ready && chatlines.textContent.includes('well met')")
    assert bo.evaluate("document.querySelector('.unread')") is None


def test_what_is_chosen_so_far_is_stepped_back_and_begun_anew(table: Page) -> None:
    items = [{"id": f"i{n}", "label": f"Item {n}"} for n in range(3)]
    fields = [{"id": "choice", "type": "many", "items": items, "min": 1, "max": 3}]
    table.evaluate(f"{ASK.replace('SCENE', 'herald.scene')}({json.dumps(fields)}, {{}})")
    values = "herald.prompt.v.choice ?? []"
    table.press("1")
    table.press("2")
    assert table.evaluate(values) == ["i0", "i1"]
    table.press("Delete")
    assert table.evaluate(values) == []
    table.press("Backspace")
    assert table.evaluate(values) == ["i0", "i1"]
    hand(table, seen(table, "#prompt footer .ghost", text="Start over"))
    assert table.evaluate(values) == []
    table.press("Backspace")
    hand(table, seen(table, "#prompt footer .ghost", text="Undo"))
    assert table.evaluate(values) == ["i0"]
    acts = table.evaluate("document.querySelector('#prompt footer').innerText")
    assert ("Undo" in acts, "Start over" in acts) == (True, False), "one act is undone"
    assert given(table) == []


PLACED = "Object.entries(herald.prompt.v[herald.prompt.fields()[0].id] ?? {})"


def arranging(page: Page, served: Served) -> None:
    """A match of War for Edaðh at the question how the Unit is arranged."""
    page.before_load(FAST)
    against_bot(page, served, WAR)
    for _ in range(40):
        page.wait("herald.prompt.mine()")
        if page.evaluate("herald.prompt.fields()[0].fill === 'slots'"):
            return
        play([page], 1)
    raise AssertionError("nobody arranges a Unit")


@pytest.mark.whole
def test_an_arrangement_is_laid_on_the_board_by_dragging_and_changed_there(page: Page, served: Served) -> None:
    arranging(page, served)
    place = page.evaluate("herald.prompt.fields()[0].slots.map(slot => slot.at)")
    names = page.evaluate("herald.prompt.fields()[0].slots.map(slot => slot.id)")
    hand(page, seen(page, "#prompt .chip"), (700, 300), seen(page, f".stage [data-ref='{place[0]}']"))
    page.wait(f"{PLACED}.length === 1")
    first = page.evaluate(PLACED)[0]
    assert first[1] == names[0]
    ghost = f".stage [data-ref='draft:{first[0]}']"
    page.screenshot("arranged")
    hand(page, seen(page, ghost), seen(page, f".stage [data-ref='{place[1]}']"))
    page.wait(f"{PLACED}[0]?.[1] === {json.dumps(names[1])}")
    hand(page, seen(page, "#prompt .chip"))
    hand(page, seen(page, f".stage [data-ref='{place[0]}']"))
    page.wait(f"{PLACED}.length === 2")
    second = next(item for item, slot in page.evaluate(PLACED) if slot == names[0])
    page.wait(STILL)
    hand(page, seen(page, f".stage [data-ref='draft:{second}']"), seen(page, ghost))
    page.wait(f"{PLACED}.find(([, slot]) => slot === {json.dumps(names[1])})?.[0] === {json.dumps(second)}")
    hand(page, seen(page, "#prompt footer .ghost", text="Fill in order"))
    page.wait("herald.prompt.ready()")
    filled = page.evaluate(PLACED)
    assert sorted(slot for _, slot in filled) == sorted(names), "the rest in the order of its list"
    page.press("Backspace")
    page.wait(f"{PLACED}.length < {len(names)}")
    page.press("Backspace")
    page.press("Delete")
    assert page.evaluate(PLACED) == []
    assert page.errors == []


@pytest.mark.whole
def test_an_arrangement_is_laid_on_the_board_by_a_finger(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True, dark=True)
    arranging(page, served)
    place = page.evaluate("herald.prompt.fields()[0].slots.map(slot => slot.at)")
    for n in range(3):
        tap(page, seen(page, "#prompt .chip"))
        tap(page, seen(page, f".stage [data-ref='{place[n]}']"))
        page.wait(f"{PLACED}.length === {n + 1}")
    page.screenshot("arranged-phone")


@pytest.mark.whole
@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.deep)])
def test_lines_older_than_the_page_lead_to_their_moments(page: Page, served: Served, language: str) -> None:
    """In the language of the page, all of the table."""
    page.before_load(FAST + translated_in(language))
    against_bot(page, served)
    play([page], 8)
    page.wait("herald.prompt.mine() && herald.scene.seq === herald.check.seq")
    page.goto(page.evaluate("location.href").replace("/play#", "/play?again#"))
    page.wait("herald.prompt.mine() && herald.view.seen.length")
    texts = page.evaluate("herald.lines.map(told => told.line.t)")
    assert page.evaluate("herald.replay.n") == 0
    hand(page, seen(page, "#lines > :nth-child(6)"))
    page.wait("herald.replay.n > 3")
    assert page.evaluate("herald.replay.i === herald.lines[5].at && herald.replay.i < herald.replay.n")
    assert page.evaluate("herald.lines.map(told => told.line.t)") == texts
    assert page.evaluate("!herald.prompt.mine()")
    assert (page.evaluate("herald.scene.crumbs[0]") == "Vorbereitung") == (language == "de")
    page.screenshot("earlier")
    page.press("End")
    page.wait("herald.prompt.mine()")
    play([page], 1)
    page.wait("herald.prompt.mine()")
    assert page.errors == []


IN_SIGHT = """[...document.querySelectorAll('.k-troop')].every(card => {
    const numbers = [...card.querySelectorAll('.st .s')], box = card.getBoundingClientRect();
    return numbers.length >= 3 && numbers.every(one => {
        const at = one.getBoundingClientRect();
        return at.left >= box.left && at.right <= box.right && at.bottom <= box.bottom;
    });
})"""


@pytest.mark.whole
def test_a_phone_shows_the_numbers_of_troops_and_the_viewpoints_of_a_replay(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.size(390, 844, touch=True)
    against_bot(page, served, WAR, quick=True)
    page.wait("document.querySelectorAll('.k-troop').length === 12")
    page.wait(IN_SIGHT)
    page.screenshot("troops-phone")
    resign(page)
    tap(page, seen(page, ".ending a", text="Look back"))
    page.wait("location.pathname === '/replay' && document.body.dataset.ready")
    seen(page, "#bar .view")
    own = page.evaluate("document.querySelector('#bar .view').value")
    assert own == "p0", "looked back at through the own eyes"
    page.evaluate("document.querySelector('#bar .moment').click()")
    assert page.wait("document.querySelector('#dialog[open] input')?.value").endswith("&view=p0")
    page.evaluate("document.querySelector('#dialog').close()")
    page.evaluate(
        "(e => { e.value = 'pub'; e.dispatchEvent(new Event('change')) })(document.querySelector('#bar .view'))"
    )
    page.wait("herald.scene.viewer.seat === undefined || herald.scene.viewer.seat === null")
    assert page.errors == []


def test_the_language_chosen_in_the_settings_is_the_one_of_the_page(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/")
    page.wait("document.querySelector('.acts .new') !== null")
    page.click("[data-ico=gear]")
    page.evaluate(
        "(field => { field.value = 'de'; field.dispatchEvent(new Event('change')) })"
        "(document.querySelector('#settings [name=language]'))"
    )
    page.wait("document.documentElement.lang === 'de'")


SUMMED = """(async () => {
    const { summedUp } = await import('/js/review.js');
    const plate = v => ({ 0: { name: 'Ada', counters: { motivation: { v, key: true, label: 'Motivation' } } } });
    const scenes = [10, 10, 8, 7].map(v => ({ seats: plate(v) }));
    const steps = { time: { marks: [[0, 'Round 1']], headings() { return this.marks; }, at: i => scenes[i] } };
    const sum = summedUp({ steps });
    const told = (id, mode, forced) => sum({ id, mode, forced })?.textContent ?? '';
    const said = [told('1', 'you')];
    steps.time.marks = [[0, 'Round 1'], [2, 'Round 2']];
    said.push(told('', 'wait'), told('2', 'you', true), told('3', 'you'), told('3', 'you'));
    said.push(told('', 'wait'), told('4', 'you'));
    steps.time.marks = [...steps.time.marks, [2, 'Round 3']];
    said.push(told('5', 'you'));
    steps.time.marks = [...steps.time.marks, [3, 'Round 4']];
    said.push(told('6', 'you'));
    return said;
})()"""


def test_what_a_phase_came_to_stands_beside_the_first_question_of_the_next(table: Page) -> None:
    """Not of the phase in which the page began to follow, nor where nothing that counts has changed."""
    first = "Round 1Ada: Motivation 10 → 8"
    assert table.evaluate(SUMMED) == ["", first, first, first, first, "", "", "", "Round 3Ada: Motivation 8 → 7"]
