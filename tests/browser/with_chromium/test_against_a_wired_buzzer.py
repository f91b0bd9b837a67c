"""A real browser's phone races a wired buzzer with kernel timestamps.

Both press at known times, from far apart to simultaneous; the evidence always contains the true times.
"""

import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pygame
import pytest

from companion.core.console import Call
from companion.core.move import Seat
from companion.devices.buzzers import gpiod_lines
from companion.devices.buzzers.gpiod_lines import GpiodLines
from companion.devices.buzzers.watch import Buzzers
from companion.devices.driver import Deliver, Device, Driver
from companion.devices.lines import BuzzerWiring
from companion.devices.phones.phones import Phones
from companion.display import screens
from companion.display.canvas import Canvas
from companion.display.frame import Beat, Frame, Play
from companion.games import load
from tests.attacks.flooders import KernelLines
from tests.browser.with_chromium.chromium import Chromium
from tests.browser.with_chromium.page import wait_for
from tests.browser.with_chromium.people import PhoneTable

MS: Final = 1_000_000
WIRED, PHONE = Seat(0), Seat(1)
PIN: Final = 17
WIRING: Final = BuzzerWiring(pins=(PIN,))
LATER_MS: Final = (-250, 250, -60, 60, -3, 3, -1, 1, 0) if os.environ.get("COMPANION_SOAK") == "1" else (-60, 60, 0)
"""The delays of the phone's touch after the wired contact."""

SHOTS: Final = Path(__file__).parents[3] / "build" / "browser"


@pytest.fixture
def contact(monkeypatch: pytest.MonkeyPatch) -> KernelLines:
    monkeypatch.setattr(gpiod_lines, "configure", lambda lines, wiring, deaf: setattr(lines, "deaf", deaf))
    return KernelLines()


def wired(contact: KernelLines) -> Driver:
    """Return the driver of one buzzer with a simulated kernel."""

    def opened(_: Any, deliver: Deliver, clock: Any) -> Iterator[Device]:
        yield Buzzers("gpiod", 1, lambda *told: GpiodLines(contact, WIRING, *told), deliver, clock)

    return Driver("wired", {}, opened)


@pytest.fixture
def table(tmp_path: Path, chromium: Chromium, contact: KernelLines) -> Iterator[PhoneTable]:
    # Nobody names a row, so after a second the card goes, without a chip.
    table = PhoneTable(
        tmp_path,
        load("buntherum"),
        1,
        chromium,
        "against a wire",
        [wired(contact)],
        late_declare="skip",
        declare_s=1,
    )
    try:
        table.sit(WIRED, lambda: press(contact))
        table.begin()
        table.now(lambda *_: False)  # the phone's player is the youngest
        yield table
    finally:
        table.close()


def press(contact: KernelLines) -> None:
    contact.change(PIN, True, time.monotonic_ns())
    time.sleep(0.1)
    contact.change(PIN, False, time.monotonic_ns())


class Race(NamedTuple):
    """The true times of a race and its verdict.

    `since` is the number of frames before it, which may include an earlier photo finish.
    """

    since: int
    wired_ns: int
    phone_ns: int
    calls: tuple[Call, ...]
    winners: set[Seat]
    margin_ms: int


def raced(table: PhoneTable, contact: KernelLines, later_ms: int) -> Race:
    """Call an open card from both seats, `later_ms` apart."""
    wait_for(lambda: table._due() and table.session.referee.stage.race, "an open card")
    time.sleep(0.1)
    race, length, since = table.session.referee.stage.race, table.match.length, len(table.frames)
    assert race
    phone = table.phones[PHONE]
    x, y = phone.middle("buzz")
    start_ns = time.monotonic_ns() + 20 * MS
    wired_ns, touched_ns = start_ns + max(0, -later_ms) * MS, start_ns + max(0, later_ms) * MS

    def wire() -> None:
        time.sleep(max(0, (wired_ns - time.monotonic_ns()) / 1e9))
        contact.change(PIN, True, wired_ns)  # a busy machine may run this late; a kernel timestamp is exact

    hand = threading.Thread(target=wire)
    hand.start()
    time.sleep(max(0, (touched_ns - time.monotonic_ns()) / 1e9))
    phone.touch_at(x, y, touched_ns)
    phone.up()
    hand.join()
    wait_for(lambda: table.match.length > length, "a verdict")
    time.sleep(0.1)
    contact.change(PIN, False, time.monotonic_ns())
    entry, move = table.match.entries[length], table.match.moves[length]
    assert move.verb in {"call", "tie"}
    return Race(since, wired_ns, touched_ns, entry.evidence.calls, {*map(Seat, move.args)}, race.tie_margin_ms)


def test_verdict_is_fair_or_a_tie(table: PhoneTable, contact: KernelLines) -> None:
    photographed = 0
    for later_ms in LATER_MS:
        race = raced(table, contact, later_ms)
        calls = {call.seat: call for call in race.calls}
        truths = {WIRED: race.wired_ns, PHONE: race.phone_ns}
        for seat, call in calls.items():
            assert abs(call.t_ns - truths[seat]) <= call.uncertainty_ns
        assert min(truths, key=truths.__getitem__) in race.winners
        unsure_ns = sum(call.uncertainty_ns for call in calls.values()) + race.margin_ms * MS
        if abs(later_ms) * MS > 2 * unsure_ns:
            assert len(race.winners) == 1
        if later_ms == 0:
            assert race.winners == {WIRED, PHONE}
        if len(calls) == 2:
            photographed += 1
            frame = finish_of(table, race.since)
            assert isinstance(frame.screen, Play)
            assert frame.screen.finish
            assert {line.seat: line.uncertainty_ns for line in frame.screen.finish.presses} == {
                seat: call.uncertainty_ns for seat, call in calls.items()
            }
            draw(frame, SHOTS / f"photo_finish_{later_ms}.png")
        print(f"the phone {later_ms} ms later: {race}")
    assert photographed >= 2
    kept = [entry.evidence.calls for entry in table.opened().entries if len(entry.evidence.calls) == 2]
    assert len(kept) == photographed
    says_how_small(table)


def finish_of(table: PhoneTable, since: int) -> Frame:
    def found() -> list[Frame]:
        frames = table.frames[since:]
        return [frame for frame in frames if isinstance(frame.screen, Play) and frame.screen.beat is Beat.FINISH]

    wait_for(found, "the photo finish")
    return found()[0]


def draw(frame: Frame, path: Path) -> None:
    surface = pygame.Surface((800, 480), 0, 32)
    screens.draw(Canvas(surface), frame)
    path.parent.mkdir(parents=True, exist_ok=True)
    pygame.image.save(surface, path)


def says_how_small(table: PhoneTable) -> None:
    """Check that the menu names the smallest distinguishable difference, twice the bound."""
    phones = table.hardware.of(Phones)
    assert phones
    before_ns = phones.bounds_ns[PHONE]
    [*_, of_phone] = table.host.frames.door.menu(lambda _: None).items
    after_ns = phones.bounds_ns[PHONE]
    assert before_ns
    assert after_ns
    said = re.fullmatch(r"Seat 2: tells presses ([0-9.]+) ms apart", str(of_phone.label))
    assert said
    least_ns, most_ns = sorted((before_ns, after_ns))
    assert 2 * least_ns / MS - 0.1 <= float(said[1]) <= 2 * most_ns / MS + 0.1
