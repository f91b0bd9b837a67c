"""A host whose buttons are paired with their owners at the table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config.table_file import read_config
from companion.core.console import BUZZ
from companion.core.inbox import Inbox
from companion.devices.buttons.buttons import Buttons
from companion.devices.buttons.options import ButtonWiring
from companion.games import all_games
from tests.devices.pad_fakes import MS, FakeDevice, plug_in
from tests.host_bench import Bench, FakeClock
from tests.pod_fakes import NoHardware

HUB, STICK = (f"usb-0000:01:00.0-1.{socket}/input0" for socket in (1, 2))
HAPPY = 0x2C0
ATTRACT = "The table companion"


class ButtonBench(Bench):
    """A table with a Buzz! controller and a joystick."""

    def __init__(self, folder: Path) -> None:
        self.toml = folder / "table.toml"
        self.toml.write_text("[buttons]\nask = true\n[buzzers]\npins = []\n")
        config = read_config(self.toml, all_games())
        clock = FakeClock()
        sysfs = folder / "input"
        buzz = {"id/vendor": "054c", "id/product": "0002"}
        plug_in(sysfs, 1, codes=range(HAPPY, HAPPY + 20), phys=HUB, name="Buzz", **buzz)
        plug_in(sysfs, 2, codes=range(288, 300), phys=STICK, name="Stick")
        self.devices: dict[str, FakeDevice] = {}
        self.inbox = Inbox()
        self.buttons = Buttons(
            config.wiring.of(ButtonWiring), self.inbox.put, clock, sysfs=sysfs, open_device=self._opened
        )
        hardware = NoHardware()
        hardware.paired = (self.buttons,)
        super().__init__(folder / "matches", config=config, clock=clock, hardware=hardware)

    def _opened(self, here: Any) -> FakeDevice:
        return self.devices.setdefault(here.phys, FakeDevice())

    def serve(self) -> None:
        for _ in range(5):
            self.buttons.serve(0)
            self.wait(0.2)

    def tap(self, *keys: tuple[str, int]) -> None:
        """Press keys 10 ms apart."""
        self.serve()
        for number, (phys, code) in enumerate(keys):
            self.devices[phys].press(code, self.clock.t_ns + number * 10 * MS)
            self.devices[phys].release(code, self.clock.t_ns + number * 10 * MS + MS)
        self.serve()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[ButtonBench]:
    bench = ButtonBench(tmp_path)
    yield bench
    bench.buttons.close()


def test_first_start_asks_whose_each_button_is(bench: ButtonBench) -> None:
    assert (bench.poster.title, bench.poster.lines) == ("Whose button is this?", ("Seat 1: press your button",))
    bench.tap((HUB, HAPPY + 12))  # a coloured key of handset 3
    assert bench.poster.lines == ("Seat 2: press your button",)
    bench.tap((HUB, HAPPY))
    bench.tap((STICK, 290))
    bench.house("ok")
    assert bench.poster.title == ATTRACT
    kept = read_config(bench.toml, all_games()).wiring.of(ButtonWiring)
    assert kept == ButtonWiring(ask=True, seats=(f"{HUB} buzz3", f"{HUB} buzz1", f"{STICK} 290"))
    assert set(bench.host.services.settings.config.wiring.buzzers) == {0, 1, 2}
    list(bench.inbox.waiting())
    bench.tap((HUB, HAPPY + 10))
    pressed = [signal for signal in bench.inbox.waiting() if signal.pressed]
    assert [(signal.place, signal.control) for signal in pressed] == [(0, BUZZ)]


def test_handset_of_another_seat_is_refused(bench: ButtonBench) -> None:
    bench.tap((HUB, HAPPY))
    bench.tap((HUB, HAPPY + 1))
    assert bench.poster.lines == ("That one is seat 1's. Seat 2: press your button",)


def test_two_handsets_at_once_are_asked_again(bench: ButtonBench) -> None:
    bench.tap((HUB, HAPPY), (HUB, HAPPY + 5))
    assert bench.poster.lines == ("Two were pressed at once. Seat 1: press your button",)
