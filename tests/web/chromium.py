"""Chromium as a process: started, watched, and started afresh when it has gone."""

import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

from tests.web.browser import Browser, BrowserLost

QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=PreloadTopChromeWebUI,PreloadTopChromeWebUILessNavigations,WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "Translate,OptimizationHints,MediaRouter",
    "--disable-component-extensions-with-background-pages",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-search-engine-choice-screen",
    "--metrics-recording-only",
    "--no-pings",
)
"""Only pages. The window's own parts are pages too, which nobody sees: they took a fifth of the processor."""
ROOM = ("--disable-dev-shm-usage",)
"""A container often has 64 MB of shared memory, and a tab that finds none crashes."""
BACKGROUND = (
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
)
"""All people's tabs are as quick as the one in front."""
START_S = 180


def _devtools(address: str) -> ClientConnection:
    """The connection to the browser, without keepalive and with a queue that has no end.

    A test that works for long without asking the browser leaves its events unread: a full queue would hold up the
    pong behind them, and the keepalive would take a living browser for a dead one.
    """
    return connect(address, max_size=None, max_queue=None, compression=None, ping_interval=None, open_timeout=START_S)


class Chromium:
    """One browser at a time. `profile` gives an empty folder for each."""

    def __init__(self, profile: Callable[[], Path]) -> None:
        self._profile = profile
        self._running = ExitStack()
        self._browser: Browser | None = None

    def browser(self) -> Browser:
        """The running browser, or a fresh one where there is none that answers. Raises BrowserLost if none starts."""
        if self._browser is not None and not self._browser.lost:
            with suppress(BrowserLost):
                self._browser.call("Browser.getVersion", {})
                return self._browser
        self.close()
        self._browser = self._start()
        return self._browser

    def close(self) -> None:
        """End the browser, if there is one."""
        self._browser = None
        self._running.close()

    def _start(self) -> Browser:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        assert program, "Chromium is not installed; on Debian: apt-get install chromium"
        profile = self._profile()
        flags = (*QUIET, *ROOM, *BACKGROUND, "--remote-debugging-port=0", f"--user-data-dir={profile}")
        process = self._running.enter_context(
            subprocess.Popen([program, *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        self._running.callback(process.kill)
        try:
            address = _address(process, profile / "DevToolsActivePort")
            return Browser(self._running.enter_context(_devtools(address)))
        except OSError as gone:
            raise BrowserLost(f"Chromium did not start: {gone!r}") from gone


def _address(process: subprocess.Popen[bytes], port: Path) -> str:
    """The address at which the browser listens, read from the file that it writes. Raises OSError if it writes none."""
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if port.exists() and port.read_text().count("\n") == 1:
            number, path = port.read_text().split("\n")
            return f"ws://127.0.0.1:{number}{path}"
        if process.poll() is not None:
            raise ChildProcessError(f"it ended with status {process.poll()}")
        time.sleep(0.05)
    raise TimeoutError(f"it did not listen within {START_S} s")
