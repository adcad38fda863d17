"""Firefox over WebDriver BiDi: translates the commands of Chromium's protocol that tests use."""

import itertools
import json
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from tests.web.browser import ANSWER_S, REST, REST_MS, BrowserLost, Page

START_S: Final = 180
PROGRAMS: Final = ("firefox-esr", "firefox")
SETTINGS: Final = {
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
"""Only pages: the browser makes no requests of its own."""
CODES: Final = {
    "Backspace": "\ue003",
    "Delete": "\ue017",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Tab": "\ue004",
    "Home": "\ue011",
    "ArrowRight": "\ue014",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowDown": "\ue015",
}
"""Keys as WebDriver numbers them."""
CONTROL: Final = "\ue009"
BUTTONS: Final = {"mousePressed": "pointerDown", "mouseReleased": "pointerUp"}


class FirefoxPage(Page):
    """A tab of Firefox, driven as one of Chromium is."""

    def __init__(self, connection: ClientConnection) -> None:
        self.errors, self.thrown, self.requests, self.choosers = [], [], [], []
        self._connection = connection
        self._numbers = itertools.count(1)
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self.context: str = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self.before_load(REST.replace("REST_MS", str(REST_MS)))

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A command of Chromium's protocol, of those that there are in the other one. Raises `KeyError` for others."""
        told: dict[str, Callable[..., dict[str, Any]]] = {
            "Page.navigate": self._navigate,
            "Page.addScriptToEvaluateOnNewDocument": self._preload,
            "Page.captureScreenshot": self._shot,
            "Runtime.evaluate": self._evaluate,
            "Emulation.setDeviceMetricsOverride": self._resize,
            "Emulation.setTouchEmulationEnabled": lambda **_: {},
            "Emulation.setEmulatedMedia": lambda **_: {},
            "Input.dispatchMouseEvent": self._mouse,
            "Input.dispatchKeyEvent": self._key,
        }
        return told[method](**params)

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        until = time.monotonic() + ANSWER_S
        while True:
            try:
                message = json.loads(self._connection.recv(timeout=max(until - time.monotonic(), 0)))
            except (OSError, EOFError) as gone:
                raise BrowserLost(f"{method}: {gone!r}") from gone
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message.get('message')}"
                result: dict[str, Any] = message["result"]
                return result
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        entry = message.get("params", {})
        if message.get("method") == "log.entryAdded" and entry["level"] == "error":
            self.errors.append(str(entry["text"]))
            if entry["type"] == "javascript":
                self.thrown.append(str(entry["text"]))

    def _navigate(self, url: str) -> dict[str, Any]:
        return self._ask("browsingContext.navigate", context=self.context, url=url, wait="none")

    def _preload(self, source: str) -> dict[str, Any]:
        return self._ask("script.addPreloadScript", functionDeclaration=f"() => {{ {source} }}")

    def _shot(self, **_: Any) -> dict[str, Any]:
        return self._ask("browsingContext.captureScreenshot", context=self.context)

    def _evaluate(self, expression: str, **_: Any) -> dict[str, Any]:
        answer = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify((await (0, eval)({json.dumps(expression)})) ?? null))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return {"result": {"value": json.loads(answer["result"]["value"])}}

    def _resize(self, width: int, height: int, **_: Any) -> dict[str, Any]:
        return self._ask(
            "browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height}
        )

    def _mouse(self, x: float, y: float, **told: Any) -> dict[str, Any]:
        button = [{"type": BUTTONS[told["type"]], "button": 0}] if told["type"] in BUTTONS else []
        moved = {"type": "pointerMove", "x": round(x), "y": round(y)}
        return self._act({"type": "pointer", "id": "mouse", "actions": [moved, *button]})

    def _key(self, key: str, modifiers: int = 0, **told: Any) -> dict[str, Any]:
        if told["type"] == "keyUp":
            return {}
        code = CODES.get(key, key)
        both = [CONTROL, code] if modifiers else [code]
        actions = [{"type": "keyDown", "value": one} for one in both]
        actions += [{"type": "keyUp", "value": one} for one in reversed(both)]
        return self._act({"type": "key", "id": "keys", "actions": actions})

    def _act(self, action: dict[str, Any]) -> dict[str, Any]:
        return self._ask("input.performActions", context=self.context, actions=[action])


class Firefox:
    """One Firefox with one tab. Leave it as a context to end it."""

    def __init__(self, profile: Path) -> None:
        self._profile = profile
        self._running = ExitStack()

    def __enter__(self) -> FirefoxPage:
        program = next((found for found in map(shutil.which, PROGRAMS) if found), None)
        assert program, "Firefox is not installed; on Debian: apt-get install firefox-esr"
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in SETTINGS.items()]
        (self._profile / "user.js").write_text("\n".join(lines))
        flags = ("--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(self._profile))
        process = self._running.enter_context(
            subprocess.Popen([program, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        self._running.callback(process.kill)
        address = _address(process, self._profile / "WebDriverBiDiServer.json")
        opened = connect(f"{address}/session", max_size=None, ping_interval=None, open_timeout=START_S)
        return FirefoxPage(self._running.enter_context(opened))

    def __exit__(self, *_: object) -> None:
        self._running.close()


def _address(process: subprocess.Popen[bytes], told: Path) -> str:
    """The browser's address, read from the file that it writes. Raises `BrowserLost` if it writes none."""
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if told.exists() and told.read_text().endswith("}"):
            at = json.loads(told.read_text())
            return f"ws://{at['ws_host']}:{at['ws_port']}"
        if process.poll() is not None:
            raise BrowserLost(f"Firefox ended with status {process.poll()}")
        time.sleep(0.05)
    raise BrowserLost(f"Firefox did not listen within {START_S} s")
