"""Phones that are windows of a Chromium, touched as a finger touches."""

import json
import shutil
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.request import urlopen

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from websocket import WebSocket, create_connection

from tests.browser.with_chromium.page import PATIENCE_S, Page
from tests.browser.with_chromium.relay import ADDRESS

BROWSER: Final = shutil.which("chromium") or ""
DRIVER: Final = shutil.which("chromedriver") or ""
PORTRAIT: Final = (390, 844)
LANDSCAPE: Final = (844, 390)


class Chromium:
    """A browser whose phones know nothing of each other: each window has a storage of its own."""

    def __init__(self, size: tuple[int, int] = PORTRAIT, *, keeps_nothing: bool = False) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        by = f"--host-resolver-rules=MAP localhost {ADDRESS}"  # who asks for localhost goes through a relay
        for flag in (by, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(flag)
        width, height = size
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        if keeps_nothing:  # no cookies, no storage of a page
            options.add_experimental_option("prefs", {"profile.default_content_setting_values.cookies": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(DRIVER))
        # What it takes for the time of day runs from its start as the machine's clock does.
        self.epoch_ns = time.time_ns() - time.monotonic_ns()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.driver.quit()

    def another(self) -> str:
        """Open a window that has no storage in common with another one; return its handle."""
        at = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{at}/json/version", timeout=PATIENCE_S) as answer:
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


class Phone(Page):
    """A window of a browser of its own, unless one is given."""

    def __init__(self, address: str, size: tuple[int, int] = PORTRAIT, browser: Chromium | None = None) -> None:
        self._browser = browser or Chromium(size)
        self._is_shared = browser is not None
        self._window = browser.another() if browser else ""
        self.driver.get(address)

    def close(self) -> None:
        """Close the window."""
        if self._is_shared:
            self.driver.close()
            self._browser.driver.switch_to.window(self._browser.driver.window_handles[0])
        else:
            self._browser.driver.quit()

    @property
    def driver(self) -> webdriver.Chrome:
        """The browser, at this phone's window."""
        if self._is_shared:
            self._browser.driver.switch_to.window(self._window)
        return self._browser.driver

    def of(self, expression: str) -> Any:
        """Return what an expression is in the page."""
        return self.driver.execute_script(f"return {expression}")

    def up(self) -> None:
        """Take the finger away."""
        self._touch("touchEnd", [])

    def _lay(self, x: float, y: float) -> None:
        self._touch("touchStart", [{"x": x, "y": y}])

    def touch_at(self, x: float, y: float, t_ns: int) -> None:
        """Lay a finger on a point; when that was is given, by the machine's clock."""
        self._touch("touchStart", [{"x": x, "y": y}], timestamp=(t_ns + self._browser.epoch_ns) / 1e9)

    def _touch(self, kind: str, points: list[dict[str, float]], **more: float) -> None:
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **more})

    def sleep(self) -> None:
        """Let it do nothing any more, as a phone in a pocket: no script runs, its connection stays open."""
        self._show("minimized")
        self.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})

    def wake(self) -> None:
        """Look at it again. What only runs again stays hidden, and who touches a hidden page waits for ever."""
        self.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
        self._show("normal")

    def _show(self, state: str) -> None:
        window = self.driver.execute_cdp_cmd("Browser.getWindowForTarget", {})["windowId"]
        self.driver.execute_cdp_cmd(
            "Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}}
        )

    def complaints(self) -> list[str]:
        """Return what the browser has found wrong with the page."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def photograph(self, path: Path) -> None:
        """Keep a picture of the page."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(path))
