"""Presses at known times in real browsers lie within their stated uncertainty.

The table's clock is an hour from the browser's and drifts. Chromium events carry a given time some milliseconds
ago; Firefox events lie between two known times.
"""

import os
import time
from typing import NamedTuple

import pytest

from companion.core.clock import MonotonicClock
from companion.core.place import Place
from companion.core.signal import Signal
from companion.devices.phones.phones import Phones
from tests.browser.with_chromium.chromium import Chromium, Phone
from tests.browser.with_chromium.firefox import Firefox, FirefoxPhone
from tests.browser.with_chromium.firefox import through_relay as through_relay_of_firefox
from tests.browser.with_chromium.page import HERE, Page, wait_for
from tests.browser.with_chromium.relay import Relay, between, port_of, through_relay

FIRST = Place(0)
HOUR_NS = 3_600_000_000_000
MS = 1_000_000
PRESSES = 400 if os.environ.get("COMPANION_SOAK") == "1" else 8

AGO_MS = (0, 3, 8, 15)
HANDED_OVER_NS = 30_000_000
"""A browser delivers touches by then (LATER_MS of seat.js); later ones are refused."""


class Network(NamedTuple):
    """The longest delays of each direction in ms, and the table clock's offset and drift."""

    there_ms: int
    back_ms: int
    hours: float
    ppm: int


NETWORKS = {
    "as it is": Network(0, 0, 1, 200),
    "busy": Network(20, 20, -1, -200),
    "lopsided": Network(150, 0, 0.5, 200),
    "lopsided the other way": Network(0, 150, -0.5, -200),
    "both": Network(100, 150, 1, -200),
}


class OtherClock(MonotonicClock):
    """The machine's clock, `hours` ahead and `ppm` too fast."""

    def __init__(self, hours: float, ppm: int) -> None:
        self._began_ns = super().now_ns()
        self._ahead_ns, self._ppm = round(hours * HOUR_NS), ppm

    def of(self, t_ns: int) -> int:
        return t_ns + self._ahead_ns + (t_ns - self._began_ns) * self._ppm // 1_000_000

    def now_ns(self) -> int:
        return self.of(super().now_ns())


class Touch(NamedTuple):
    """The times before and after a touch; `punctual` if the browser received it in time."""

    first_ns: int
    last_ns: int
    punctual: bool = True


def touched(phone: Page, key: str, number: int) -> Touch:
    """Touch a key; in Chromium, with a time in the past."""
    if not isinstance(phone, Phone):
        return Touch(*phone.press(key))
    x, y = phone.middle(key)
    at_ns = time.monotonic_ns() - AGO_MS[number % len(AGO_MS)] * MS
    phone.touch_at(x, y, at_ns)
    took_ns = time.monotonic_ns() - at_ns
    phone.up()
    return Touch(at_ns, at_ns, took_ns <= HANDED_OVER_NS)


@pytest.fixture(params=["chromium", "firefox"])
def browser(request: pytest.FixtureRequest) -> Chromium | Firefox:
    found: Chromium | Firefox = request.getfixturevalue(request.param)
    return found


def opened(browser: Chromium | Firefox, address: str) -> Page:
    if isinstance(browser, Firefox):
        return FirefoxPhone(through_relay_of_firefox(address), browser)
    return Phone(through_relay(address), browser=browser)


@pytest.mark.parametrize("network", NETWORKS)
def test_press_lies_within_its_uncertainty(browser: Chromium | Firefox, network: str) -> None:
    there_ms, back_ms, hours, ppm = NETWORKS[network]
    clock, told = OtherClock(hours, ppm), list[Signal]()
    phones = Phones(HERE, told.append, clock)
    phones.watch()
    address = phones.invite([FIRST])[FIRST].address
    touches: list[Touch] = []
    relay = Relay(port_of(address), between(0, there_ms, 0), between(0, back_ms, 1))
    with relay, opened(browser, address) as phone:
        phone.sits()
        wait_for(lambda: FIRST in phones.places and FIRST not in phones.troubles, "knowing its clock")
        for n in range(PRESSES):
            touches.append(touched(phone, "5", n))
            wait_for(lambda: len(keys(told)) >= n - 3, "the presses before")  # noqa: B023  nobody presses faster
        wait_for(lambda: len(keys(told)) == PRESSES, "all presses")
    phones.close()
    for touch, signal in zip(touches, keys(told), strict=True):
        assert signal.t_ns + signal.uncertainty_ns >= clock.of(touch.first_ns)
        assert signal.t_ns - signal.uncertainty_ns <= clock.of(touch.last_ns)
        assert not (touch.punctual and signal.flags)
    _tell(f"{type(phone).__name__}, {network}", touches, keys(told), clock)


def keys(told: list[Signal]) -> list[Signal]:
    return [signal for signal in told if signal.control == "5"]


def _tell(of: str, touches: list[Touch], found: list[Signal], clock: OtherClock) -> None:
    """Print the figures for docs/evidence.md."""
    bounds = sorted(signal.uncertainty_ns / MS for signal in found)
    errors = sorted(
        abs(signal.t_ns - clock.of((touch.first_ns + touch.last_ns) // 2)) / MS
        for touch, signal in zip(touches, found, strict=True)
    )
    middle, late = len(bounds) // 2, sum(not touch.punctual for touch in touches)
    print(
        f"{of}: {len(found)} presses, {late} of them handed over late; bound {bounds[middle]:.1f}, most"
        f" {bounds[-1]:.1f} ms; error {errors[middle]:.1f}, most {errors[-1]:.1f} ms"
    )
