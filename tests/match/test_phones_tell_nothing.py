"""Two matches that differ in one secret send every other phone the same bytes.

The program runs in virtual time, without sockets. The pairs are those of test_non_interference.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from companion.config.sections import PaceOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, KEYS
from companion.core.inbox import Inbox
from companion.core.move import TABLE
from companion.core.place import HOUSE, Place
from companion.core.signal import PLUG, UNPLUG
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as module
from companion.devices.phones.phones import Phones, Talk
from companion.devices.phones.secret import Secret
from companion.devices.pods import conversation
from companion.devices.pods.linked import LinkedDevice
from companion.devices.pods.reports import KeyReport
from companion.devices.wiring import Wiring
from tests.host_bench import MS, Bench, FakeClock
from tests.match.test_non_interference import (
    Noticed,
    Pair,
    _listen,
    compare,
    logged,
    pair_of,
    same_chance,
    sat,
    screens_of_the_others,
    watched,
)
from tests.phone_sim import SimPage

__all__ = ["same_chance"]  # a fixture

pytestmark = pytest.mark.usefixtures("same_chance")

GRAIN_US: Final = 5
HOUR_US: Final = 3_600_000_000
STEP_NS: Final = MS
POLL_NS: Final = 50 * MS
"""How often a page resends (POLL_MS of seat.js)."""


class Paged(SimPage):
    """A page whose clock is some hours ahead of the table's."""

    def __init__(self, clock: FakeClock, place: Place, secret: bytes) -> None:
        self._clock = clock
        super().__init__(secret, f"{place:08X}", place * HOUR_US, GRAIN_US)

    def now_us(self) -> int:
        return self._clock.t_ns // 1_000 + self.offset_us


class Room:
    """Phones that record what each receives."""

    def __init__(self, clock: FakeClock, places: list[Place]) -> None:
        self.clock, self.inbox = clock, Inbox()
        self.hardware = Hardware(Wiring(), self.inbox, clock, lambda: (module.DRIVER,))
        phones = self.hardware.of(Phones)
        assert phones
        self.phones = phones
        self.pages: dict[Place, Paged] = {}
        self.talks: dict[Place, Talk] = {}
        self._poll_ns = clock.t_ns
        self.sent: Callable[[Place, bytes], None] = lambda place, said: None
        self.host: Any = None
        for place in places:
            token, secret = Secret(bytes([place] * 16)), Secret(bytes([place + 7] * 32))
            phones._tokens[place] = token
            assert phones._give(token, secret)
            self.pages[place] = Paged(clock, place, secret._secret)
            self.begin(place)
        while self.hardware.troubles:
            self.pass_ns(STEP_NS)

    def begin(self, place: Place) -> None:
        page = self.pages[place]
        page.out.clear()
        page.connected()
        self.talks[place] = self.phones.begin()

    def end(self, place: Place) -> None:
        if talk := self.talks.pop(place, None):
            self.phones.end(talk)

    def press(self, place: Place, control: str) -> None:
        page = self.pages[place]
        if control in KEYS:
            page.key(page.now_us(), control)
            page.tick(page.now_us())
            return
        for level in (1, 0):
            page.buzz(page.now_us(), level)
            page.tick(page.now_us())
            self.exchange()
            self.pass_ns(80 * MS * level)

    def exchange(self) -> None:
        """Exchange all messages that are due, without delay."""
        goes_on = True
        if self.clock.t_ns >= self._poll_ns:  # on its own clock, independent of others
            self._poll_ns += POLL_NS
            for page in self.pages.values():
                page.tick(page.now_us())
        while goes_on:
            goes_on = False
            for place, talk in [*self.talks.items()]:
                page = self.pages[place]
                if page.out:
                    goes_on = True
                    self.phones.hear(talk, bytes(page.out))
                    page.out.clear()
                due = self.phones.due(talk)
                assert due[-1] is None, "it is closed"
                for said in due:
                    if isinstance(said, bytes) and said:
                        goes_on = True
                        self.sent(place, said)
                if due[0]:
                    page.hear(due[0], page.now_us())
            while self.host and self.inbox.waiting():
                self.host.signal(self.inbox.get(0))

    def pass_ns(self, ns: int) -> None:
        end_ns = self.clock.t_ns + ns
        while self.clock.t_ns < end_ns:
            due_ns = [self._poll_ns, *(talk.deadline_ns for talk in self.talks.values())]
            if self.host and self.host.deadline_ns is not None:
                due_ns.append(self.host.deadline_ns)
            self.clock.t_ns = min(end_ns, max(self.clock.t_ns + 1_000, min(due_ns)))
            if self.host:
                self.host.tick(self.clock.t_ns)
            self.exchange()


class PhoneBench(Bench):
    """A host with phones."""

    def __init__(self, folder: Path, room: Room, **options: Any) -> None:
        self.room = room
        super().__init__(folder, clock=room.clock, hardware=room.hardware, paint=lambda _: None, **options)
        room.host = self.host

    def wait(self, seconds: float) -> None:
        self.room.pass_ns(max(0, round(seconds * 1e9)))

    def _show(self, frame: Any) -> None:
        super()._show(frame)
        self._flip()


def at_the_phones(folder: Path, pair: Pair, which: int, *, gap: bool) -> Noticed:
    noticed, match, drawn = Noticed(), pair.make(), Random("of both")
    sitters = sat(match, gap=gap)
    taken = [Place(place) for place, sitter in enumerate(sitters) if sitter]
    noticed.place = taken[pair.seat]
    with logged(noticed), watched(noticed, folder), pytest.MonkeyPatch.context() as patch:
        patch.setattr(conversation, "draw_nonce", lambda: f"{drawn.getrandbits(64):016X}")
        patch.setattr(conversation, "_draw_session", lambda: f"{drawn.getrandbits(32):08X}")
        room = Room(FakeClock(), taken)
        config = TableConfig(pace=PaceOptions(nudge_s=1, sound_s=2))
        bench = PhoneBench(folder, room, config=config, newcomer=True, match=match, sitters=sitters)
        bench.wait(0.4)
        began_ns = room.clock.t_ns
        noticed.now_ns = lambda: room.clock.t_ns - began_ns
        _listen(bench, noticed, pair.seat)

        def sent(place: Place, said: bytes) -> None:
            to = noticed.own if place == noticed.place else noticed.public
            to.append((noticed.now_ns(), f"sent to {place}", said))

        room.sent = sent
        for act in pair.acts(which):
            bench.wait((act.at_ms * MS - noticed.now_ns()) / 1e9)
            if act.seat == TABLE:
                bench.hand(HOUSE, act.control)
            elif act.control == UNPLUG:
                room.end(taken[act.seat])
            elif act.control == PLUG:
                room.begin(taken[act.seat])
            elif act.control in {BUZZ, *KEYS}:
                room.press(taken[act.seat], act.control)
            room.exchange()
        bench.wait(2)
        bench.host.close()
        room.hardware.close()
    return noticed


def both(folder: Path, number: int) -> tuple[Noticed, Noticed]:
    """Play a pair, every third with an empty place."""
    pair = pair_of(number)
    one, two = (at_the_phones(folder / f"{number}-{which}", pair, which, gap=number % 3 == 0) for which in (0, 1))
    return one, two


@pytest.mark.soak
def test_other_phones_receive_nothing_about_a_secret(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    for number in range(soak_count(1_000)):
        one, two = both(tmp_path, number)
        compare(one, two)
        told = {kind for _, kind, _ in one.public}
        assert {"frame", "picture", "written"} <= told
        assert any(kind.startswith("sent to ") for kind in told)
        assert one.own != two.own, "its own screen tells the seat what it keys"


def ping_for_each_key(patch: pytest.MonkeyPatch) -> None:
    """Ping all phones at each key press."""
    report = LinkedDevice._report

    def told(device: Any, place: Place, event: Any) -> None:
        report(device, place, event)
        if isinstance(event, KeyReport):
            for link in device._links.values():
                link._ping_at_ns = device._clock.now_ns()
            device._wake()

    patch.setattr(LinkedDevice, "_report", told)


def wish_of_the_length(patch: pytest.MonkeyPatch) -> None:
    """Send every page the number of keys pressed."""
    pressed: list[bytes] = []
    hear = module.Phones.hear

    def heard(phones: Any, talk: Any, said: bytes) -> None:
        hear(phones, talk, said)
        if b"$TCKEY" in said:
            pressed.append(said)
            for place in phones.places:
                phones.wish(place, text=str(len(pressed)))

    patch.setattr(module.Phones, "hear", heard)


@pytest.mark.parametrize("leak", [ping_for_each_key, wish_of_the_length, screens_of_the_others])
def test_deliberate_leak_to_phones_is_detected(
    leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    pairs = (both(tmp_path, number) for number in range(6))
    assert any(one.public != two.public for one, two in pairs)
