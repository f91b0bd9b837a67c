"""Phones that are real browsers: windows of a Chromium, touched as a finger touches."""

import json
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.request import urlopen

from relay import ADDRESS
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from websocket import WebSocket, create_connection

BROWSER: Final = shutil.which("chromium") or ""
DRIVER: Final = shutil.which("chromedriver") or ""
PATIENCE_S: Final = 30
PORTRAIT: Final = (390, 844)
LANDSCAPE: Final = (844, 390)

FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
)


def wait_for(done: Callable[[], Any], what: str) -> None:
    """Wait until something is so."""
    until = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < until, f"{what} takes for ever"
        time.sleep(0.01)


class Chromium:
    """A browser whose phones know nothing of each other: each window has a storage of its own."""

    def __init__(self, size: tuple[int, int] = PORTRAIT) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        by = f"--host-resolver-rules=MAP localhost {ADDRESS}"  # who asks for localhost goes through a relay
        for flag in (by, *FLAGS):
            options.add_argument(flag)
        width, height = size
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(DRIVER))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.driver.quit()

    def another(self) -> str:
        """Open a window that has no storage in common with another one; return its handle."""
        at = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{at}/json/version", timeout=PATIENCE_S) as answer:  # noqa: S310
            address = json.load(answer)["webSocketDebuggerUrl"]
        with closing(create_connection(address, PATIENCE_S, suppress_origin=True)) as browser:
            stored = _asked(browser, "Target.createBrowserContext")
            return str(_asked(browser, "Target.createTarget", url="about:blank", **stored)["targetId"])


def _asked(browser: WebSocket, method: str, **params: Any) -> dict[str, Any]:
    """Ask what a window may not: chromedriver speaks to windows alone."""
    browser.send(json.dumps({"id": 1, "method": method, "params": params}))
    while True:
        told: dict[str, Any] = json.loads(browser.recv())
        if told.get("id") == 1:
            assert "result" in told, told
            return dict(told["result"])


class Phone:
    """A window that has opened the address of a seat's code: of a browser of its own, unless one is given."""

    def __init__(self, address: str, size: tuple[int, int] = PORTRAIT, browser: Chromium | None = None) -> None:
        self._own = None if browser else Chromium(size)
        self._driver = (browser or self._own).driver
        self._window = browser.another() if browser else self._driver.current_window_handle
        self.driver.get(address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._own:
            self._driver.quit()

    @property
    def driver(self) -> webdriver.Chrome:
        """The browser, at this phone's window."""
        if self._own is None:
            self._driver.switch_to.window(self._window)
        return self._driver

    @property
    def state(self) -> str:
        """Whether the page has its seat: there, away, stranger, elsewhere."""
        return str(self.of("document.body.dataset.state"))

    @property
    def lamp(self) -> str:
        """What the page's edge shows."""
        return str(self.of("document.body.dataset.lamp"))

    @property
    def lines(self) -> list[str]:
        """What stands on the private screen."""
        return list(self.of("[...document.querySelectorAll('#lines span')].map((one) => one.textContent)"))

    @property
    def notice(self) -> str:
        """What the page says instead of being a pod."""
        return str(self.of("document.getElementById('why').textContent"))

    def of(self, expression: str) -> Any:
        """Return what an expression is in the page."""
        return self.driver.execute_script(f"return {expression}")

    def sits(self) -> Self:
        """Wait until the page has its seat."""
        wait_for(lambda: self.state == "there", "sitting down")
        return self

    def middle(self, control: str) -> dict[str, float]:
        """Return the middle of a key, or of the buzzer."""
        found = "document.getElementById('buzzer')"
        if control != "buzz":
            keys = "[...document.querySelectorAll('#keys button')]"
            found = f"{keys}.find((one) => (one.value || one.textContent) === '{control}')"
        box = self.of(f"{found}.getBoundingClientRect().toJSON()")
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def down(self, control: str) -> tuple[int, int]:
        """Lay a finger on a control; return between which two moments of the machine's clock it lay there."""
        point = self.middle(control)
        before_ns = time.monotonic_ns()
        self._touch("touchStart", [point])
        return before_ns, time.monotonic_ns()

    def up(self) -> None:
        """Take the finger away."""
        self._touch("touchEnd", [])

    def press(self, control: str) -> tuple[int, int]:
        """Touch a control; return between which two moments."""
        between = self.down(control)
        self.up()
        return between

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def complaints(self) -> list[str]:
        """Return what the browser has found wrong with the page."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def photograph(self, path: Path) -> None:
        """Keep a picture of the page."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(path))
