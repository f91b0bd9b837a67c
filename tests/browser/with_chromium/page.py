"""A seat's page as a person sees and touches it, in any browser."""

import time
from abc import abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

from companion.devices.phones.options import PhoneOptions

PATIENCE_S: Final = 60

HERE: Final = PhoneOptions(on=True, port=0, address="127.0.0.1", wait_ms=1_000)

STORED: Final = "(() => { try { return localStorage !== null; } catch { return false; } })()"


def wait_for(done: Callable[[], Any], what: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < until, f"{what} takes for ever"
        time.sleep(0.01)


BUTTONS: Final = """[...document.querySelectorAll(
    '#areas button, #touch button, #keys button, #house button'
)].filter((one) => one.offsetParent !== null
    && !((one.dataset.keys || one.dataset.control) && document.body.dataset.rests))"""
"""Everything that can be touched except the buzzer."""

MEANS: Final = "one.dataset.control || one.dataset.keys || one.value || one.textContent"


class Page:
    """A window that has opened the address of a seat's code."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    @abstractmethod
    def of(self, expression: str) -> Any:
        """Evaluate an expression in the page."""

    @abstractmethod
    def close(self) -> None:
        """Close the window."""

    @abstractmethod
    def _lay(self, x: float, y: float) -> None:
        """Lay a finger on a point."""

    @abstractmethod
    def up(self) -> None:
        """Lift the finger."""

    @property
    def state(self) -> str:
        """The page's connection to its seat: there, away, stranger or elsewhere."""
        return str(self.of("document.body.dataset.state"))

    @property
    def lamp(self) -> str:
        return str(self.of("document.body.dataset.lamp"))

    @property
    def lines(self) -> list[str]:
        return list(self.of("[...document.querySelectorAll('#lines span')].map((one) => one.textContent)"))

    @property
    def notice(self) -> str:
        """The page's message when it cannot be a pod."""
        return str(self.of("document.getElementById('why').textContent"))

    def sits(self) -> Self:
        """Wait until the page has its seat, and type a name if required."""
        wait_for(lambda: self.state == "there", "sitting down")
        if self.is_asked:
            seat = "document.getElementById('seat').dataset.n ?? ''"
            wait_for(lambda: self.of(seat), "the number of the seat")
            self.type_name(f"Zoë {self.of(seat)}")
            wait_for(lambda: not self.is_asked, "being named")
        return self

    @property
    def is_asked(self) -> bool:
        return bool(self.of("!document.getElementById('who').hidden"))

    def type_name(self, name: str) -> None:
        self.of(f"(document.getElementById('name').value = {name!r}) && 0")
        self.of("document.getElementById('who').requestSubmit() ?? 0")

    def control_for(self, keys: str) -> str:
        """Wait for a control for the first of `keys`, or more; return its keys."""

        def found() -> list[str]:
            shown = self.of(f"{BUTTONS}.map((one) => {MEANS})")
            return sorted((one for one in shown if keys.startswith(one)), key=len)

        wait_for(found, f"something that means {keys}")
        return found()[-1]

    def middle(self, control: str) -> tuple[float, float]:
        found = "document.getElementById('buzzer')"
        if control != "buzz":
            found = f"{BUTTONS}.find((one) => ({MEANS}) === '{control}')"
        x, y, width, height = self.of(
            f"((box) => [box.x, box.y, box.width, box.height])({found}.getBoundingClientRect())"
        )
        return x + width / 2, y + height / 2

    def down(self, control: str) -> tuple[int, int]:
        """Lay a finger on a control; return the machine's time before and after."""
        point = self.middle(control)
        before_ns = time.monotonic_ns()
        self._lay(*point)
        return before_ns, time.monotonic_ns()

    def press(self, control: str) -> tuple[int, int]:
        between = self.down(control)
        self.up()
        return between
