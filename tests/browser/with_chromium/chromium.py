"""Phones as Chromium windows with touch events."""

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
    """A browser whose windows are phones with separate storage."""

    def __init__(self, size: tuple[int, int] = PORTRAIT, *, keeps_nothing: bool = False) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        by = f"--host-resolver-rules=MAP localhost {ADDRESS}"  # requests for localhost go through a relay
        for flag in (by, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(flag)
        width, height = size
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        if keeps_nothing:  # neither cookies nor page storage
            options.add_experimental_option("prefs", {"profile.default_content_setting_values.cookies": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(DRIVER))
        # Chromium's time of day advances from its start with the machine's clock.
        self.epoch_ns = time.time_ns() - time.monotonic_ns()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.driver.quit()

    def another(self) -> str:
        """Open a window with separate storage; return its handle."""
        at = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{at}/json/version", timeout=PATIENCE_S) as answer:
            address = json.load(answer)["webSocketDebuggerUrl"]
        with closing(create_connection(address, PATIENCE_S, suppress_origin=True)) as browser:
            stored = _asked(browser, "Target.createBrowserContext")
            return str(_asked(browser, "Target.createTarget", url="about:blank", **stored)["targetId"])


def _asked(browser: WebSocket, method: str, **params: Any) -> dict[str, Any]:
    """Send a command to the browser itself; chromedriver only serves windows."""
    browser.send(json.dumps({"id": 1, "method": method, "params": params}))
    while True:
        told: dict[str, Any] = json.loads(browser.recv())
        if told.get("id") == 1:
            assert "result" in told, told
            return dict(told["result"])


class Phone(Page):
    """A window of `browser`, or of a new one."""

    def __init__(self, address: str, size: tuple[int, int] = PORTRAIT, browser: Chromium | None = None) -> None:
        self._browser = browser or Chromium(size)
        self._is_shared = browser is not None
        self._window = browser.another() if browser else ""
        self.driver.get(address)

    def close(self) -> None:
        if self._is_shared:
            self.driver.close()
            self._browser.driver.switch_to.window(self._browser.driver.window_handles[0])
        else:
            self._browser.driver.quit()

    @property
    def driver(self) -> webdriver.Chrome:
        if self._is_shared:
            self._browser.driver.switch_to.window(self._window)
        return self._browser.driver

    def of(self, expression: str) -> Any:
        return self.driver.execute_script(f"return {expression}")

    def up(self) -> None:
        self._touch("touchEnd", [])

    def _lay(self, x: float, y: float) -> None:
        self._touch("touchStart", [{"x": x, "y": y}])

    def touch_at(self, x: float, y: float, t_ns: int) -> None:
        """Lay a finger on a point; `t_ns` is the event's time by the machine's clock."""
        self._touch("touchStart", [{"x": x, "y": y}], timestamp=(t_ns + self._browser.epoch_ns) / 1e9)

    def _touch(self, kind: str, points: list[dict[str, float]], **more: float) -> None:
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **more})

    def sleep(self) -> None:
        """Freeze the page as in a pocket: scripts stop, the connection stays open."""
        self._show("minimized")
        self.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})

    def wake(self) -> None:
        """Resume and show the page; touches on a hidden page would wait for ever."""
        self.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
        self._show("normal")

    def _show(self, state: str) -> None:
        window = self.driver.execute_cdp_cmd("Browser.getWindowForTarget", {})["windowId"]
        self.driver.execute_cdp_cmd(
            "Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}}
        )

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def photograph(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(path))
