"""Phones that are real browsers: each a Chromium of its own, touched as a finger touches."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from relay import ADDRESS
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

BROWSER: Final = shutil.which("chromium") or ""
DRIVER: Final = shutil.which("chromedriver") or ""
PATIENCE_S: Final = 30
PORTRAIT: Final = (390, 844)
LANDSCAPE: Final = (844, 390)


def wait_for(done: Callable[[], Any], what: str) -> None:
    """Wait until something is so."""
    until = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < until, f"{what} takes for ever"
        time.sleep(0.01)


class Phone:
    """A browser that has opened the address of a seat's code."""

    def __init__(self, address: str, size: tuple[int, int] = PORTRAIT) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        by = f"--host-resolver-rules=MAP localhost {ADDRESS}"  # who asks for localhost goes through a relay
        for flag in (by, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(flag)
        width, height = size
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(DRIVER))
        self.driver.get(address)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.driver.quit()

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
