"""A push that its browser shows while the page is closed, and the match that a press on it opens."""

import json
import random
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from domain.kernel import TimeControl
from projections import registry
from server.wire.client import View, connected, enter
from server.wire.protocol import Accepted, Create, Created, SeatWish
from tests.server.notifications.browsers import Browser as Subscribed
from tests.server.tabletop import Player
from tests.server.webhooks.delivery import Receiver
from tests.web.aside import away
from tests.web.browser import Browser, Page
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
GAME = "war_for_edadh"
SEATS = (SeatWish("me", "Anja"), SeatWish("friend", "Bo"))
DAYS = TimeControl("days", 3 * 86_400_000, vacation_ms=14 * 86_400_000)
SHOWN = "navigator.serviceWorker.ready.then(one => one.getNotifications()).then(all => all.map(n => [n.title, n.body]))"
PRESS = """(async () => {
    const [notification] = await registration.getNotifications();
    let opened;
    clients.openWindow = address => (opened = address);
    dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    return [opened, (await registration.getNotifications()).length];
})()"""


@pytest.fixture
def service() -> Iterator[Receiver]:
    """A push service on this machine."""
    found = Receiver()
    found.statuses = [201] * 50
    yield found
    found.close()


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Served]:
    """A server that pushes, to addresses of this machine too."""
    found = Served(tmp_path, "--push-contact", "mailto:host@club.example", "--set", "notices.private=true")
    found.start()
    yield found
    found.kill()


async def created(url: str) -> Created:
    async with connected(f"{url.replace('http', 'ws')}/ws") as client:
        return await client.ask(Create(GAME, SEATS, title="Sunday", time=DAYS), Created)


async def asked_while_away(url: str, made: Created, seat: int) -> None:
    """Both sit down, and play one after another until the seat is asked anew with nobody there."""
    async with connected(f"{url.replace('http', 'ws')}/ws") as client:
        await enter(client, made.match, made.tokens[str(seat)])
    rng, other = random.Random(1), 1 - seat
    while True:
        for who in (seat, other):
            asked = await moved(url, made, who, rng)
            if who == other and asked:
                return


async def moved(url: str, made: Created, who: int, rng: random.Random) -> bool:
    """A seat comes, answers while it is asked, and goes; whether the other seat was asked anew by that."""
    async with connected(f"{url.replace('http', 'ws')}/ws") as client:
        welcome = await enter(client, made.match, made.tokens[str(who)])
        game = registry.games()[welcome.game]
        player = Player(client, View(game, welcome))
        await player.reach(welcome.head.seq)
        asked = others(player, who)
        while player.view.asked():
            form = game.revive_decision(player.asked()).form(player.view.state)
            assert isinstance(await player.choose(to_builtins(form.sample(rng.randrange))), Accepted)
        return bool(others(player, who) - asked)


def others(player: Player, who: int) -> set[int]:
    assert player.view.state is not None
    return {asked.number for asked in player.view.state.asked if asked.seat != who}


def subscription(service: Receiver, browser: Subscribed) -> str:
    """A page whose browser has a push service: the one of this machine."""
    keys = {"p256dh": browser.subscription.p256dh, "auth": browser.subscription.auth}
    made = json.dumps({"endpoint": service.url, "keys": keys})
    given = f"async () => ({{ toJSON: () => ({made}) }})"
    return f"PushManager.prototype.subscribe = PushManager.prototype.getSubscription = {given}"


def signed_up(page: Page, telling: Served, made: Created) -> None:
    """A person in this browser, with the seat of a match."""
    held = [{"match": made.match, "token": made.tokens["0"], "seat": 0, "game": GAME}]
    keep = f"localStorage.setItem('herald.matches', {json.dumps(json.dumps(held))})"
    page.before_load(f"location.protocol === 'about:' || {keep}")
    page.goto(f"{telling.url}/me")
    name = json.dumps(f"Anja {secrets.token_hex(4)}")
    page.evaluate(f"document.querySelector('#account [name=handle]').value = {name}")
    page.evaluate("document.querySelector('#account [name=handle]').form.requestSubmit()")
    page.click("#account .go", "I have written it down")
    page.click("#account button", "Add the seats of this browser")
    page.wait("document.querySelector('#account .row a')?.href.includes('/play#m=')")


def registration_of(page: Page) -> str:
    """The id of the page's service worker, which Chromium tells a while after it was asked to."""
    until = time.monotonic() + 60
    while not page.workers and time.monotonic() < until:
        page.evaluate("true")
    return page.workers[-1]


def worker_of(browser: Browser, url: str) -> Any:
    """The session of the page's service worker."""
    found = browser.call("Target.getTargets", {})["targetInfos"]
    (worker,) = [one["targetId"] for one in found if one["url"] == f"{url}/push.js"]
    return browser.call("Target.attachToTarget", {"targetId": worker, "flatten": True})["sessionId"]


def test_a_push_is_shown_while_the_page_is_closed_and_a_press_on_it_opens_the_match(
    browser: Browser, page: Page, telling: Served, service: Receiver
) -> None:
    subscribed, made = Subscribed(), away(created(telling.url))
    context = browser.call("Target.getTargetInfo", {}, page.session)["targetInfo"]["browserContextId"]
    granted = {"permissions": ["notifications"], "origin": telling.url, "browserContextId": context}
    browser.call("Browser.grantPermissions", granted)
    page.before_load(subscription(service, subscribed))
    signed_up(page, telling, made)
    page.click("#account button", "Tell this browser")
    page.wait("document.querySelector('.told .list').innerText.includes('127.0.0.1')")
    page.call("ServiceWorker.enable")
    page.wait("navigator.serviceWorker.ready.then(() => true)")
    worker = registration_of(page)

    away(asked_while_away(telling.url, made, 0))
    away(service.until(1))
    read = subscribed.read(service.got[-1][1]).decode()
    given = {"origin": telling.url, "registrationId": worker, "data": read}
    page.call("ServiceWorker.deliverPushMessage", **given)
    (shown,) = page.wait(f"{SHOWN}.then(all => all.length && all)")
    assert shown[0] == "It is your move"
    assert shown[1].startswith("Sunday against Bo, until ")
    page.screenshot("pushed")

    session = worker_of(browser, telling.url)
    pressed = {"expression": PRESS, "awaitPromise": True, "returnByValue": True}
    opened, left = browser.call("Runtime.evaluate", pressed, session)["result"]["value"]
    assert (opened, left) == (f"/me#match={made.match}", 0)
    page.goto(telling.url + opened, ready="window.herald?.prompt?.mine()")
    assert page.evaluate("location.pathname + location.hash").startswith(f"/play#m={made.match}&t=")
    renewed(browser, page, session, service, Subscribed())
    on_vacation(browser, page, telling, made)
    page.click(".told .list button", "Remove")
    page.wait("caches.match('/push').then(one => one === undefined)")
    assert page.errors == []


KEPT = "caches.match('/push').then(one => one?.json()).then(one => one?.endpoint)"


def renewed(browser: Browser, page: Page, session: Any, service: Receiver, fresh: Subscribed) -> None:
    """The browser renews its subscription: the service worker tells the server, and a test message comes there."""
    page.goto(f"{page.evaluate('location.origin')}/me")
    page.wait(f"{KEPT}.then(kept => kept === {json.dumps(service.url)})")
    service.url += "&renewed"
    changed = f"{subscription(service, fresh)}; dispatchEvent(new ExtendableEvent('pushsubscriptionchange'))"
    browser.call("Runtime.evaluate", {"expression": changed, "userGesture": True}, session)
    page.wait(f"{KEPT}.then(kept => kept === {json.dumps(service.url)})")
    count = len(service.got)
    page.goto(f"{page.evaluate('location.origin')}/me")
    page.click(".told .list button", "test")
    page.wait("document.querySelector('#said').textContent.includes('was taken')")
    assert json.loads(fresh.read(service.got[count][1]))["body"].startswith("This is a test")


SAVE = """(() => {
    const {form} = document.querySelector("#account [name=away]");
    form.elements.away.value = DATE;
    form.requestSubmit();
})()"""
LATER = "new Date(Date.now() + 2 * 86400000).toLocaleDateString('sv')"
LINES = "document.getElementById('lines').innerText"


def on_vacation(browser: Browser, page: Page, telling: Served, made: Created) -> None:
    """A vacation that is taken on the page of the account is told at the table, and so is its end."""
    other = browser.page()
    other.goto(f"{telling.url}/play#m={made.match}&t={made.tokens['1']}", ready="window.herald?.prompt?.p")
    page.goto(f"{telling.url}/me")
    page.wait("!!document.querySelector('#account [name=away]')")
    page.evaluate(SAVE.replace("DATE", LATER))
    page.wait("document.querySelector('#said').textContent.includes('taken in 1 match')")
    other.wait(f"{LINES}.includes('Anja is on vacation for 2 days')")
    other.screenshot("on-vacation")
    page.evaluate(SAVE.replace("DATE", "''"))
    page.wait("document.querySelector('#said').textContent.includes('back in 1 match')")
    other.wait(f"{LINES}.includes('back from vacation')")
    assert other.errors == []
