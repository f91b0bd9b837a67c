"""A room of phones without sockets, and a host with them, in virtual time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.inbox import Inbox
from companion.core.place import Place
from companion.devices.driver import Driver
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as module
from companion.devices.phones.phones import Phones
from companion.devices.phones.secret import Secret
from companion.devices.phones.talks import Talk
from companion.devices.wiring import Wiring
from tests.host_bench import MS, Bench, FakeClock
from tests.phone_sim import SimPage

GRAIN_US: Final = 5
HOUR_US: Final = 3_600_000_000
STEP_NS: Final = MS
POLL_NS: Final = 50 * MS
"""How often a page resends (POLL_MS of seat.js)."""


class Paged(SimPage):
    """A page whose clock is some hours ahead of the table's."""

    def __init__(self, clock: FakeClock, place: Place, secret: bytes) -> None:
        self._clock = clock
        super().__init__(secret, f"{place + 1:08X}", (place + 1) * HOUR_US, GRAIN_US)

    def now_us(self) -> int:
        return self._clock.t_ns // 1_000 + self.offset_us


class Room:
    """Phones that record what each receives."""

    def __init__(self, clock: FakeClock, places: list[Place], *more: Driver) -> None:
        self.clock, self.inbox = clock, Inbox()
        self.hardware = Hardware(Wiring(), self.inbox, clock, lambda: (module.DRIVER, *more))
        phones = self.hardware.of(Phones)
        assert phones
        self.phones = phones
        self.pages: dict[Place, Paged] = {}
        self.talks: dict[Place, Talk] = {}
        self._poll_ns = clock.t_ns
        self.sent: Callable[[Place, bytes], None] = lambda place, said: None
        self.host: Any = None
        for place in places:
            phones._tokens[place] = Secret(bytes([place + 1] * 16))
            self.join(place)

    def join(self, place: Place) -> None:
        """Scan the code of an invited place."""
        secret = Secret(bytes([place + 8] * 32))
        assert self.phones._give(self.phones._tokens[place], secret)
        self.pages[place] = Paged(self.clock, place, secret._secret)
        self.begin(place)
        while None in self.phones.bounds_ns.values():
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
        if control in {*KEYS, *HOUSE_CONTROLS}:
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
