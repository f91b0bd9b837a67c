"""A host whose number pads are paired with their owners at the table."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config.table_file import read_config
from companion.core.errors import OptionError
from companion.core.inbox import Inbox
from companion.core.place import HOUSE
from companion.core.plugins import PLUGINS
from companion.core.signal import PLUG, UNPLUG
from companion.core.text import Text
from companion.devices.errors import DeviceError
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.games import all_games
from tests.devices.pad_fakes import MS, FakeDevice, here
from tests.host_bench import Bench, FakeClock
from tests.pod_fakes import NoHardware

KP_1, KP_5, KP_STAR, NUMLOCK, KEY_F = 79, 76, 55, 69, 33
LEFT, RIGHT, OTHER = (f"usb-0000:01:00.0-1.1.{socket}/input0" for socket in (1, 2, 3))
ASKED, ATTRACT = "Whose pad is this?", "The table companion"


class Sockets(NoHardware):
    """A table with only number pads, by their sockets, and the driver's real class."""

    def __init__(self, clock: FakeClock, *plugged: str) -> None:
        super().__init__()
        self.clock = clock
        self.plugged = {phys: FakeDevice() for phys in plugged}
        self.inbox = Inbox()
        self.refused: OSError | None = None

    def open(self, wiring: PadWiring) -> None:
        self.pads = UsbPads(
            wiring.bound,
            self.inbox.put,
            self.clock,
            ask=wiring.ask,
            list_inputs=lambda: [here(int(phys[-8]), phys) for phys in self.plugged],
            open_device=self.opened,
        )
        self.paired = (self.pads,)

    def opened(self, found: Any) -> FakeDevice:
        if self.refused:
            raise self.refused
        if self.plugged[found.phys].closed:
            self.plugged[found.phys] = FakeDevice()
        return self.plugged[found.phys]

    def pull(self, phys: str) -> None:
        self.plugged.pop(phys).unplug()


class PadBench(Bench):
    def __init__(self, folder: Path, *plugged: str, toml: str = "[pads]\nask = true\n") -> None:
        self.toml = folder / "table.toml"
        self.toml.write_text(toml + "[buzzers]\npins = []\n")
        config = read_config(self.toml, all_games())
        clock = FakeClock()
        self.sockets = Sockets(clock, *plugged)
        self.sockets.open(config.wiring.of(PadWiring))
        for place, why in self.sockets.pads._missing.items():
            self.sockets.pads._troubles.lost(place, why)  # as `watch`, which also starts a thread
        super().__init__(folder / "matches", config=config, clock=clock, hardware=self.sockets)
        self.pads = self.sockets.pads

    def serve(self, seconds: float = 1) -> None:
        """Read pads while time passes, and hand what they report to the host."""
        for _ in range(round(seconds * 5)):
            self.pads.serve(0)
            for signal in self.sockets.inbox.waiting():
                self.host.signal(signal)
                self.sockets.inbox.get(0)
            self.wait(0.2)
        self.pads.serve(0)

    def key(self, phys: str, code: int = KP_1) -> None:
        self.serve(0.2)
        self.sockets.plugged[phys].press(code, self.clock.t_ns)
        self.sockets.plugged[phys].release(code, self.clock.t_ns + MS)
        self.serve()

    def kept(self) -> PadWiring:
        return read_config(self.toml, all_games()).wiring.of(PadWiring)


Make = Callable[..., PadBench]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[PadBench] = []

    def make(*plugged: str, **options: Any) -> PadBench:
        made.append(PadBench(tmp_path, *plugged, **options))
        return made[-1]

    yield make
    for bench in made:
        bench.pads.close()


def test_first_start_asks_whose_each_pad_is(make: Make) -> None:
    bench = make(LEFT, RIGHT)
    assert (bench.poster.title, bench.poster.lines) == (ASKED, ("Seat 1: press a key on your pad",))
    bench.key(RIGHT)
    assert bench.poster.lines == ("Seat 2: press a key on your pad",)
    bench.key(LEFT)
    assert bench.poster.title == ATTRACT
    assert bench.kept() == PadWiring(ask=True, seats=(RIGHT, LEFT))
    bench.sockets.plugged[LEFT].press(KP_5, bench.clock.t_ns)
    bench.pads.serve(0)
    assert [(signal.place, signal.control) for signal in bench.sockets.inbox.waiting()] == [(1, "5")]


def test_owners_are_asked_before_notices_are_read(make: Make) -> None:
    PLUGINS.refused.append(Text("the first sentence"))
    bench = make(LEFT, RIGHT)
    for phys in (LEFT, RIGHT):
        assert bench.poster.title == ASKED
        bench.key(phys)
    assert bench.poster.title == "Good to know"
    bench.key(LEFT)
    assert bench.poster.title == ATTRACT


def test_pads_are_grabbed_only_with_an_owner(make: Make) -> None:
    bench = make(LEFT, RIGHT)
    bench.key(LEFT)
    assert [bench.sockets.plugged[phys].grabbed for phys in (LEFT, RIGHT)] == [True, False]
    bench.house("ok")
    bench.serve()
    assert [bench.sockets.plugged[phys].closed for phys in (LEFT, RIGHT)] == [False, True]


def test_house_gets_the_last_pad(make: Make) -> None:
    bench = make(LEFT)
    bench.house(*["skip"] * 5)
    assert bench.poster.lines == ("The house: press a key on the house's pad",)
    bench.key(LEFT)
    assert bench.kept() == PadWiring(ask=True, house=LEFT)
    assert HOUSE in bench.host.services.settings.config.wiring.keypad_places


def test_two_pads_at_once_are_asked_again(make: Make) -> None:
    bench = make(LEFT, RIGHT)
    bench.serve(0.2)
    now_ns = bench.clock.t_ns
    bench.sockets.plugged[RIGHT].press(KP_1, now_ns)
    bench.sockets.plugged[LEFT].press(KP_1, now_ns + 20 * MS)
    bench.serve()
    assert bench.poster.lines == ("Two were pressed at once. Seat 1: press a key on your pad",)


def test_pad_with_an_owner_is_refused(make: Make) -> None:
    bench = make(LEFT, RIGHT)
    bench.key(LEFT)
    bench.key(LEFT)
    assert bench.poster.lines == ("That one is seat 1's. Seat 2: press a key on your pad",)
    assert bench.pads.paired.seats == (LEFT,)


def test_other_keys_of_a_keyboard_bind_nothing(make: Make) -> None:
    bench = make(LEFT)
    for code in (KEY_F, NUMLOCK):
        bench.key(LEFT, code)
        assert bench.poster.lines == ("That key does nothing here. Seat 1: press a key on your pad",)
    bench.key(LEFT)
    assert bench.poster.title == ATTRACT


def test_unreadable_pad_is_explained(make: Make) -> None:
    bench = make(LEFT)
    bench.sockets.refused = PermissionError(errno.EACCES, "Permission denied")
    bench.serve()
    why = "no permission. Join the group input: sudo usermod -aG input $USER, then log in again"
    assert bench.poster.lines == (f"{LEFT} (Pad): {why}. Seat 1: press a key on your pad",)


PAIRED = f'[pads]\nask = true\nseats = ["{LEFT}", "{RIGHT}"]\n'


def test_paired_pads_are_not_asked_for_again(make: Make) -> None:
    bench = make(LEFT, RIGHT, OTHER, toml=PAIRED)  # OTHER may be the house's keyboard
    bench.serve(5)
    assert bench.poster.title == ATTRACT


def test_pad_in_another_socket_is_asked_for(make: Make) -> None:
    bench = make(LEFT, OTHER, toml=PAIRED)
    assert bench.poster.lines == ("Seat 2: press a key on your pad",)
    bench.key(OTHER)
    assert bench.poster.title == ATTRACT
    assert bench.kept().seats == (LEFT, OTHER)
    assert bench.pads.troubles == {}


def test_question_ends_when_the_pad_returns(make: Make) -> None:
    bench = make(LEFT, RIGHT, OTHER, toml=PAIRED)
    bench.sockets.pull(RIGHT)
    bench.serve(2)
    assert bench.poster.lines == ("Seat 2: press a key on your pad",)
    bench.sockets.plugged[RIGHT] = FakeDevice()
    bench.serve()
    assert bench.poster.title == ATTRACT
    assert bench.pads.troubles == {}


def test_missing_pad_does_not_prevent_the_start(make: Make) -> None:
    bench = make(LEFT, toml=PAIRED)
    assert bench.poster.title == ATTRACT
    assert [str(why) for why in bench.pads.troubles.values()] == [
        "the keypad of seat 2 is disconnected. Plug it into the same socket again"
    ]
    bench.sockets.plugged[RIGHT] = FakeDevice()
    bench.pads.serve(0)
    signals = [(signal.place, signal.control) for signal in bench.sockets.inbox.waiting()]
    assert signals == [(1, UNPLUG), (1, PLUG)]


def test_menu_asks_for_all_pads_anew(make: Make) -> None:
    bench = make(LEFT, RIGHT, toml=PAIRED)
    bench.house("menu")
    bench.take("Number pads")
    bench.key(RIGHT)
    assert bench.poster.lines == ("Seat 2: press a key on your pad",)
    bench.key(LEFT)
    assert bench.kept().seats == (RIGHT, LEFT)
    assert "Number pads" in bench.menu.items


def test_star_on_a_pad_ends_the_menus_question(make: Make) -> None:
    bench = make(LEFT, RIGHT, toml=PAIRED)
    bench.house("menu")
    bench.take("Number pads")
    assert bench.poster.hint == "House: skip asks the next seat, ok ends. *: back"
    bench.key(RIGHT, KP_STAR)
    assert "Number pads" in bench.menu.items
    assert bench.kept().seats == (LEFT, RIGHT)


def test_table_with_nothing_else_asks_until_answered(make: Make) -> None:
    bench = make(LEFT)
    bench.serve(6 * 30 + 3)
    assert bench.poster.title == ASKED
    bench.house("ok")
    bench.serve(3)
    assert bench.poster.title == ATTRACT


def test_named_pads_need_no_question(make: Make, tmp_path: Path) -> None:
    bench = make(LEFT, RIGHT, OTHER, toml=f'[pads]\nseats = ["{LEFT}"]\n')
    assert bench.poster.title == ATTRACT
    bench.house("menu")
    assert "Number pads" not in bench.menu.items
    with pytest.raises(DeviceError, match="there is no"):
        make(LEFT, toml=f'[pads]\nseats = ["{RIGHT}"]\n')
    with pytest.raises(OptionError, match="ask"):
        make(LEFT, toml='[pads]\nask = "yes"\n')
