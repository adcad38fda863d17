"""Hints in a real browser: agreed on in the form, asked for by hand and by keys, marked, said, seen by the other."""

from collections.abc import Callable

import pytest

from tests.web.browser import Browser, Page
from tests.web.comforts import PASS, asked
from tests.web.hand import hand, seen
from tests.web.playing import FAST, HEAR, VERA, against_bot, card_of, tab_to
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(300), pytest.mark.whole]
"""As in `test_browser`."""

GERMAN = "; try { localStorage.setItem('herald.language', 'de') } catch {}"
ASK = "[data-o='hint|ask']"
PANEL = "document.querySelector('.hinted')?.innerText ?? ''"
MARKED = "[...document.querySelectorAll('.opt.advised')].filter(row => row.checkVisibility()).length"
ON_BOARD = "[...herald.prompt.advised].every(ref => herald.view.board.node(ref).matches('.adv'))"
CHRONICLE = "document.querySelector('#lines').innerText"


def friends(browser: Browser, served: Served, *, hints: bool = True, more: str = "") -> list[Page]:
    """Two people at a table that the first has made by the form, whoever is asked first before the other."""
    ada, bo = browser.page(), browser.page()
    for page in (ada, bo):
        page.before_load(FAST + more)
        page.size(1440, 900)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.evaluate("document.querySelector('.create [name=name]').value = 'Ada'")
    if hints:
        hand(ada, seen(ada, ".create [name=hints]"))
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    if hints and not more:
        ada.wait(f"({PANEL}).includes('Hints are allowed')")
    bo.sit_down(link)
    bo.wait("window.herald?.scene && document.body.dataset.ready")
    ada.wait("herald.prompt.p.mode !== 'none'")
    bo.wait("herald.prompt.p.mode !== 'none'")
    return sorted((ada, bo), key=lambda page: not page.evaluate("herald.prompt.mine()"))


def answered(page: Page) -> str:
    """What the panel says once something was found."""
    page.wait("document.querySelector('.hinted b') !== null && !document.querySelector('.hinted progress')")
    return str(page.evaluate(PANEL))


def test_who_asks_by_hand_sees_what_is_preferred_and_the_other_that_it_was_asked(
    browser: Browser, served: Served
) -> None:
    asker, other = friends(browser, served)
    asker.evaluate(HEAR)
    hand(asker, seen(asker, ASK))
    asker.wait(f"({PANEL}).includes('thinking') || document.querySelector('.hinted b') !== null")
    told = answered(asker)
    assert "A strong bot would choose: " in told
    assert asker.evaluate(MARKED) == 1
    assert asker.evaluate(ON_BOARD), "what is preferred is marked on the board too"
    row = asker.evaluate("document.querySelector('.opt.advised').innerText")
    assert "advised by a strong bot" in row
    said = " ".join(asker.wait("told.length > 1 && told", 30))
    assert "A bot is thinking about it" in said
    asker.wait("told.join(' ').includes('A strong bot would choose')")
    asker.screenshot("hint")
    other.wait(f"({CHRONICLE}).includes('asks for a hint')")
    assert other.evaluate(MARKED) == 0
    assert "A strong bot would choose" not in other.evaluate("document.body.innerText")
    number = asker.evaluate("herald.prompt.p.id")
    hand(asker, seen(asker, ".opt.advised .lb"))
    asker.wait(f"herald.prompt.p.id !== '{number}' || herald.prompt.sent || herald.prompt.asks()")
    assert asker.errors == other.errors == []


def test_a_question_with_one_answer_offers_no_hint(browser: Browser, served: Served) -> None:
    asker, _ = friends(browser, served)
    asker.wait(f'document.querySelector("{ASK}") !== null')
    for options in (PASS, PASS[:1]):
        asked(asker, options)
        assert asker.evaluate(f'document.querySelectorAll("{ASK}").length') == len(options) - 1


def test_a_page_loaded_anew_shows_the_same_hint_and_asks_for_no_other(browser: Browser, served: Served) -> None:
    asker, other = friends(browser, served)
    hand(asker, seen(asker, ASK))
    told = answered(asker)
    asker.evaluate("location.reload()")
    asker.wait("window.herald?.prompt?.mine() && document.querySelector(\"[data-o='hint|ask']\") !== null")
    assert "Show the hint again" in asker.evaluate(PANEL)
    hand(asker, seen(asker, ASK))
    assert answered(asker) == told
    assert other.evaluate(f"({CHRONICLE}).split('asks for a hint').length") == 2


def test_a_hint_is_asked_for_with_keys_alone_in_german(browser: Browser, served: Served) -> None:
    asker, other = friends(browser, served, more=GERMAN)
    asker.evaluate(HEAR)
    assert "Was würdest du tun?" in asker.evaluate(PANEL)
    tab_to(asker, ASK)
    asker.press("Enter")
    assert "Ein starker Bot würde wählen: " in answered(asker)
    assert "von einem starken Bot bevorzugt" in asker.evaluate("document.querySelector('.opt.advised').innerText")
    assert asker.evaluate("document.querySelector('#prompt').contains(document.activeElement)")
    asker.wait("told.join(' ').includes('Ein starker Bot würde wählen')")
    other.wait(f"({CHRONICLE}).includes('bittet um einen Hinweis')")
    assert "Hinweise sind vereinbart" in other.evaluate(
        "document.querySelector('#prompt').innerText"
    ) or other.evaluate("herald.prompt.mine()")
    assert asker.errors == other.errors == []


def test_where_hints_were_not_agreed_on_there_is_no_button(browser: Browser, served: Served) -> None:
    for page in friends(browser, served, hints=False):
        page.wait("document.querySelector('link[href*=comforts]') !== null")
        assert not page.evaluate("Boolean(document.querySelector('.hinted'))")


def test_a_server_that_dies_while_it_thinks_is_asked_again_and_the_record_says_it_once(
    browser: Browser, served: Served
) -> None:
    asker, _ = friends(browser, served)
    asker.evaluate(f'document.querySelector("{ASK}").click()')
    asker.wait(f"({CHRONICLE}).includes('asks for a hint')")
    served.kill()
    served.start()
    assert "A strong bot would choose: " in answered(asker)
    assert asker.evaluate(f"({CHRONICLE}).split('asks for a hint').length") == 2


def test_the_first_match_has_hints_and_an_open_one_says_so(browser: Browser, page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .first")
    page.wait("window.herald?.prompt?.mine()")
    seen(page, ASK)
    lobby: Callable[[], Page] = browser.page
    maker, looking = lobby(), lobby()
    maker.before_load(FAST)
    maker.goto(f"{served.url}/")
    maker.click(f"{card_of(VERA)} .acts .new")
    maker.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'open'")
    hand(maker, seen(maker, ".create [name=hints]"))
    maker.click(".create .go")
    maker.wait("document.querySelector('#dialog a.go') !== null || Boolean(window.herald?.scene)")
    looking.goto(f"{served.url}/")
    looking.wait("document.querySelector('#open').innerText.includes('with hints')")


def test_who_stops_the_search_keeps_what_it_has_found(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .first")
    page.wait("window.herald?.prompt?.mine()")
    page.evaluate(
        """const { on } = herald.connection;
        const hear = on.message;
        on.message = m => (m.t === "hinted" && !m.of ? undefined : hear(m));"""
    )
    hand(page, seen(page, ASK))
    page.wait("document.querySelector('.hinted b') !== null")
    assert page.evaluate("document.querySelector('.hinted progress').value") > 0
    page.evaluate(
        """const { connection } = herald;
        const { send } = connection;
        herald.sends = [];
        connection.send = m => herald.sends.push(m) && send.call(connection, m);"""
    )
    hand(page, seen(page, "[data-o='hint|stop']"))
    page.wait("document.querySelector('.hinted progress') === null")
    sent = page.evaluate("herald.sends.map(m => m.t)")
    assert [kind for kind in sent if kind != "foresee"] == ["stop_hint"], "the mouse passes options on its way"
    assert "A strong bot would choose: " in page.evaluate(PANEL)


def test_what_is_refused_is_said_where_it_was_asked(page: Page, served: Served) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .first")
    page.wait("window.herald?.prompt?.mine()")
    seen(page, ASK)
    page.evaluate("herald.connection.send = m => { if (m.t === 'hint') window.asked = m; return true; }")
    hand(page, seen(page, ASK))
    page.wait("window.asked")
    page.evaluate(
        "herald.connection.on.message({ t: 'refused', id: asked.id, code: 'cannot-hint', why: 'Too many wait.' })"
    )
    alert = page.wait("document.querySelector('.hinted [role=alert]')?.innerText")
    assert "Too many wait." in alert
    seen(page, ASK)


def test_against_a_bot_made_by_the_form_without_hints_nothing_is_offered(page: Page, served: Served) -> None:
    page.before_load(FAST)
    against_bot(page, served)
    assert not page.evaluate("Boolean(document.querySelector('.hinted'))")
