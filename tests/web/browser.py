"""Chromium over its DevTools protocol: pages that are loaded, clicked, typed into and looked at."""

import itertools
import json
import re
import time
from base64 import b64decode
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

SHOTS = Path(__file__).parents[2] / "artefacts" / "screens"
ANSWER_S = 240
"""A browser that does not answer for this long is lost, on any machine."""
CLOSE_S = 45
"""The longest time for closing a person's tabs. Chromium sometimes never does; the next test then gets a fresh one."""
LEFT = re.compile("navigated or closed|context was destroyed|find context")
REPEAT = """{
    let state = SEED;
    const next = () => (state = Math.imul(state ^ (state >>> 15), 2246822519) + 1 | 0) >>> 24;
    crypto.getRandomValues = bytes => bytes.map(next).reduce((all, byte, i) => (all[i] = byte, all), bytes);
    Math.random = () => (next() * 256 + next()) / 65536;
}"""
"""Repeatable shares of chance, and repeatable choices of a page."""
KEYS = {
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "Home": ("Home", 36, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
}


REST = """(() => {
    let last = performance.now();
    const watch = () => new MutationObserver(() => (last = performance.now()))
        .observe(document.documentElement, {childList: true, subtree: true, characterData: true});
    document.documentElement ? watch() : addEventListener("DOMContentLoaded", watch);
    window.atRest = () => performance.now() - last > REST_MS;
})()"""
"""Pages report when they are at rest: nothing was drawn for longer than new controls ignore presses."""
REST_MS = 300


ASKED = """document.addEventListener("readystatechange", () => {
    try { localStorage["herald.name"] ??= '""' } catch {}
})"""
"""A person without a name in a test was asked for one before, and gave none."""


class Navigated(AssertionError):
    """The page that was asked gave way to another while it was asked."""


class BrowserLost(Exception):
    """Chromium, a tab of it or the connection to it has gone: no fault of what is tested."""


ONCE_MORE = pytest.mark.flaky(reruns=1, only_rerun=[BrowserLost])
"""A test whose browser was lost is repeated once, and reported at the end of the run. Other failures are final."""


class Page:
    """A tab. `errors` collects what the console, the page and the network complained about."""

    def __init__(self, browser: "Browser", session: str) -> None:
        self.errors: list[str] = []
        self.thrown: list[str] = []
        self.requests: list[str] = []
        self.choosers: list[int] = []
        self.workers: list[str] = []
        self._browser = browser
        self.session = session
        for domain in ("Page", "Runtime", "Log", "Network", "Inspector"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)  # a tab in the background draws nothing

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A command of the protocol."""
        return self._browser.call(method, params, self.session)

    def note(self, method: str, params: dict[str, Any]) -> None:
        """Take in an event."""
        if method == "Runtime.exceptionThrown":
            self.thrown.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
            self.errors.append(self.thrown[-1])
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and params["type"] == "error":
            self.errors.append(str(params["args"]))
        elif method == "Page.fileChooserOpened":
            self.choosers.append(params["backendNodeId"])
        elif method == "ServiceWorker.workerRegistrationUpdated":
            self.workers += [found["registrationId"] for found in params["registrations"]]
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Inspector.targetCrashed":
            raise BrowserLost("the tab crashed")

    def evaluate(self, code: str) -> Any:
        """The value of an expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def goto(self, url: str, *, ready: str = "document.body?.dataset.ready") -> None:
        """Load an address and wait until the page is ready."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait(f"location.href !== 'about:blank' && ({ready})")

    def sit_down(self, invitation: str) -> None:
        """Open an invitation, sit down by it, and stand at the table."""
        self.goto(invitation)
        self.click("#dialog[open] footer .go")
        self.wait("location.hash.includes('&t=') && window.herald?.scene && document.body.dataset.ready")

    def wait(self, condition: str, seconds: float = 180) -> Any:
        """Wait until an expression is true; its value."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(Navigated):
                found = self.evaluate(f"(() => {{ try {{ return {condition} }} catch {{ return null }} }})()")
                if found:
                    return found
            assert not self.thrown, self.thrown
            time.sleep(0.03)
        raise AssertionError(
            f"never true: {condition}; errors: {self.errors}; page: {self.evaluate('document.body.innerText')}"
        )

    def rest(self) -> None:
        """Wait until the page is at rest: the one way to do so. A clock may go on once a second."""
        self.wait("!window.atRest || atRest()")

    def before_load(self, code: str) -> None:
        """Run code in every page before its own."""
        self.call("Page.addScriptToEvaluateOnNewDocument", source=code)

    def size(self, width: int, height: int, *, touch: bool = False, dark: bool = False) -> None:
        """Set window and colours."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)

    def click(self, selector: str, text: str = "") -> None:
        """A mouse click in the middle of the first visible element with the selector, and the text where given."""
        find = f"""(() => {{
            const all = [...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility());
            const e = all.find(e => e.textContent.includes({json.dumps(text)}));
            if (!e) return null;
            e.scrollIntoView({{block: "nearest"}});
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2];
        }})()"""
        self.wait(find)
        self.rest()
        x, y = self.wait(find)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def open_file(self, path: Path, selector: str, text: str = "") -> None:
        """Click what opens a file and choose this one."""
        self.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.click(selector, text)
        self.wait("true")
        until = time.monotonic() + 180
        while not self.choosers and time.monotonic() < until:
            self.evaluate("new Promise(r => setTimeout(r, 25))")
        self.call("DOM.setFileInputFiles", files=[str(path)], backendNodeId=self.choosers.pop())

    def drag(self, start: str, end: str) -> None:
        """Press the mouse in the middle of one element, let it go in the middle of another; both by selector."""
        middle = "(e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })"
        self.rest()
        (x0, y0), (x1, y1) = (
            self.wait(f"{middle}(document.querySelector({json.dumps(selector)}))") for selector in (start, end)
        )
        for kind, x, y in (
            ("mousePressed", x0, y0),
            ("mouseMoved", (x0 + x1) / 2, (y0 + y1) / 2),
            ("mouseMoved", x1, y1),
            ("mouseReleased", x1, y1),
        ):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def press(self, key: str, *, ctrl: bool = False) -> None:
        """A key, down and up."""
        name, code, text = KEYS.get(key, (key, ord(key.upper()[0]), key))
        common = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 2 if ctrl else 0}
        self.call(
            "Input.dispatchKeyEvent",
            type="rawKeyDown" if ctrl or not text else "keyDown",
            **({} if ctrl or not text else {"text": text}),
            **common,
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, name: str) -> None:
        """Store a picture for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        (SHOTS / f"{name}.png").write_bytes(b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


class Browser:
    """A running Chromium. `lost` once it has not answered."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._pages: dict[str, Page] = {}
        self._people: list[str] = []
        self._word, self._opened = "", itertools.count()
        self.lost = False

    def repeat(self, word: str) -> None:
        """Make the random draws of pages opened from now on follow from a word."""
        self._word, self._opened = word, itertools.count()

    def call(
        self, method: str, params: dict[str, Any], session: str = "", patience: float = ANSWER_S
    ) -> dict[str, Any]:
        """A command of the protocol; events that come meanwhile go to their pages. Raises BrowserLost."""
        try:
            message = self._answer(method, params, session, time.monotonic() + patience)
        except BrowserLost:
            self.lost = True
            raise
        except (ConnectionClosed, OSError) as gone:
            self.lost = True
            raise BrowserLost(f"{method}: {gone!r}") from gone
        if "error" in message:
            wrong = f"{method}: {message['error']}"
            raise Navigated(wrong) if LEFT.search(wrong) else AssertionError(wrong)
        result: dict[str, Any] = message["result"]
        return result

    def _answer(self, method: str, params: dict[str, Any], session: str, until: float) -> dict[str, Any]:
        number = next(self._numbers)
        frame = {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
        self._connection.send(json.dumps(frame))
        while True:
            message: dict[str, Any] = json.loads(self._connection.recv(timeout=max(until - time.monotonic(), 0)))
            if message.get("id") == number:
                return message
            page = self._pages.get(message.get("sessionId", ""))
            if page is not None and "method" in message:
                page.note(message["method"], message["params"])

    def page(self) -> Page:
        """A tab with cookies and storage of its own, as another person's browser."""
        context = self.call("Target.createBrowserContext", {})["browserContextId"]
        self._people.append(context)
        target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
        return self._attach(target)

    def close_pages(self) -> None:
        """Close all tabs: one that stays open goes on drawing and listening, at the expense of the tests after it."""
        self._pages.clear()
        while self._people:
            self.call("Target.disposeBrowserContext", {"browserContextId": self._people.pop()}, patience=CLOSE_S)

    def sister(self, page: Page) -> Page:
        """Another tab of the same person."""
        info = self.call("Target.getTargetInfo", {}, page.session)["targetInfo"]
        target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": info["browserContextId"]})
        return self._attach(target["targetId"])

    def _attach(self, target: str) -> Page:
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = self._pages[session] = Page(self, session)
        page.before_load(ASKED)
        page.before_load(REST.replace("REST_MS", str(REST_MS)))
        page.before_load(REPEAT.replace("SEED", str(crc32(f"{self._word} {next(self._opened)}".encode()))))
        return page
