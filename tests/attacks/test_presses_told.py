"""Other players' devices learn nothing of a press before its verdict, so firmware cannot react to it.

Twin tables with pods and phones, with and without a press, send the same bytes, frames and sounds at the same
virtual times. Real ports and sockets are compared by message and interval.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmarks.floods import driver
from companion.config.sections import JournalOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock, VirtualClock
from companion.core.inbox import Inbox
from companion.devices.hardware import Hardware
from companion.devices.phones import phones as phones_module
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.pods import conversation
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.sentences import Reader
from companion.devices.virtual import VirtualSound
from companion.devices.wiring import Wiring
from companion.display.frame import Frame, Play
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.table.host import Host
from tests.devices.pod_pty import PtyPod
from tests.devices.pod_sim import SimPod
from tests.live_host import LiveHost
from tests.phone_sim import SimPage, SimPhone, wait_for

MS, US = 1_000_000, 1_000
STEP_NS = MS // 4
NAMES = ("Anna", "Ben", "Cleo", "Dora")
PODS = ("E66118604B3A5C21", "E66118604B3A0000")
"""The identities of pods at the first two places; phones are at the others."""

WINDOW_MS = 60
"""The time after the press in which the twins are compared, unless a verdict ends it."""


def host_of(folder: Path, clock: Any, show: Callable[[Frame], None], hardware: Hardware, player: Any) -> Host:
    game = load("buntherum")
    return Host(
        all_games(),
        TableConfig(journal=JournalOptions(str(folder)), pace=PaceOptions(next_card="auto", next_s=1)),
        clock,
        show,
        Wanted(
            [Sitter(name) for name in NAMES],
            match=new_match(game, NAMES, rulings=game.rulings(late_declare="skip"), seed="told"),
        ),
        settle_ns=0,
        hardware=hardware,
        player=player,
    )


def phase_of(frames: list[Frame]) -> Phase | None:
    screen = frames[-1].screen if frames else None
    return screen.view.phase if isinstance(screen, Play) else None


class HostClock(VirtualClock):
    """A virtual clock for a host."""

    def act_due(self) -> None:
        while (next_ns := self.next_ns()) is not None and next_ns <= self.now_ns():
            self.act()


class Twin:
    """A table in virtual time; `told` has everything sent, shown and played, with times."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.inbox = HostClock(5_000 * MS), Inbox()
        self.pods: Pods
        self.phones: Phones
        self.hardware = Hardware(
            Wiring(),
            self.inbox,
            self.clock,
            lambda: (driver(self._open_pods, "pods"), driver(self._open_phones, "phones")),
        )
        self.frames: list[Frame] = []
        self.told: list[tuple[int, object, object]] = []
        self.sound = VirtualSound(self.clock)
        self.ends: list[Any] = [SimPod(identity) for identity in PODS]
        self.talks: list[Any] = [
            self.pods._conversation(f"port {n}", self.clock.now_ns()) for n, _ in enumerate(PODS)
        ]
        for place in (2, 3):
            token, secret = phones_module.Secret(bytes([place] * 16)), phones_module.Secret(bytes([place + 7] * 32))
            self.phones._tokens[place] = token
            assert self.phones._give(token, secret)
            page = SimPage(secret._secret, f"{place:08X}", 0, 5)
            page.now_us = lambda: self.clock.now_ns() // US
            page.greet()
            self.ends.append(page)
            self.talks.append(self.phones.begin())
        while self.hardware.troubles:
            self.step()
        self.host = host_of(folder, self.clock, self._show, self.hardware, self.sound)
        self.host.start()

    def _open_pods(self, deliver: Any, clock: Any) -> Iterator[Pods]:
        self.pods = Pods(PodWiring(seats=PODS), deliver, clock, find=list)
        yield self.pods

    def _open_phones(self, deliver: Any, clock: Any) -> Iterator[Phones]:
        self.phones = Phones(PhoneOptions(), deliver, clock)
        yield self.phones

    def _show(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.told.append((self.clock.now_ns(), "all", frame._replace(serial=0)))
        if visible := self.host.frames.shown(frame, self.clock.now_ns()):
            self.inbox.put(visible)

    @property
    def now_ns(self) -> int:
        return self.clock.now_ns()

    def close(self) -> None:
        self.host.close()
        self.hardware.close()

    def step(self) -> None:
        self.clock.jump(self.now_ns + STEP_NS)
        t_us = self.now_ns // US
        for place, (end, talk) in enumerate(zip(self.ends, self.talks, strict=True)):
            end.tick(t_us)
            said = bytes(end.out)
            end.out.clear()
            with self.pods._lock, self.phones._lock:
                talk.receive(said, self.now_ns)
                told = talk.tick(self.now_ns)
            if told:
                self.told.append((self.now_ns, place, told))
            end.hear(told, t_us)
        if not hasattr(self, "host"):
            return
        played = len(self.sound.played)
        for signal in self.inbox.waiting():
            self.inbox.get(0)
            self.host.signal(signal)
        self.host.tick(self.now_ns)
        for clip in list(self.sound.played)[played:]:
            self.told.append((self.now_ns, "all", clip))

    def until(self, reached: Callable[[], bool]) -> None:
        for _ in range(200_000):
            if reached():
                return
            self.step()
        raise AssertionError("it takes for ever")

    def run(self, for_ms: float) -> None:
        end_ns = self.now_ns + round(for_ms * MS)
        self.until(lambda: self.now_ns >= end_ns)

    def press(self, place: int) -> None:
        self.ends[place].buzz(self.now_ns // US, 1)

    def let_go(self, place: int) -> None:
        self.ends[place].buzz(self.now_ns // US, 0)

    def open_race(self) -> None:
        self.press(1)  # claims to be the youngest
        self.run(100)
        self.let_go(1)
        self.until(lambda: phase_of(self.frames) == Phase.OPEN and self.frames[-1].calls_open)


def heard_by_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, presser: int, at_ms: float, *, presses: bool
) -> tuple[list[Any], float]:
    """Return everything sent to non-pressers in a race, and the time of the verdict."""
    drawn = random.Random("of both")
    for name, digits in (("draw_nonce", 16), ("_draw_session", 8)):
        monkeypatch.setattr(conversation, name, lambda digits=digits: f"{drawn.getrandbits(4 * digits):0{digits}X}")
    table = Twin(folder)
    try:
        table.open_race()
        table.ends[presser].key(table.now_ns // US, "5")  # "Buzz first" is on its strip
        table.run(at_ms)
        assert table.host.session.refused, "what the press could end"
        moves, began_ns = len(table.host.session.match.moves), table.now_ns
        if presses:
            table.press(presser)
        judged_ns = None
        table.told.clear()
        while table.now_ns < began_ns + WINDOW_MS * MS:
            table.step()
            if len(table.host.session.match.moves) > moves:
                judged_ns = table.now_ns
                break
        assert (judged_ns is not None) is presses
        last_ns = began_ns + WINDOW_MS * MS if judged_ns is None else judged_ns
        return [(t_ns - began_ns, *told) for t_ns, *told in table.told if told[0] != presser], last_ns - began_ns
    finally:
        table.close()


@pytest.mark.parametrize("presser", [0, 2], ids=["a pod", "a phone"])
@pytest.mark.parametrize("at_ms", [103.5, 211.25])
def test_press_is_not_revealed_before_its_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, presser: int, at_ms: float
) -> None:
    pressed, judged_ns = heard_by_others(tmp_path / "a", monkeypatch, presser, at_ms, presses=True)
    quiet, _ = heard_by_others(tmp_path / "b", monkeypatch, presser, at_ms, presses=False)
    assert judged_ns > 10 * MS
    before = [told for told in pressed if told[0] < judged_ns]
    assert before == [told for told in quiet if told[0] < judged_ns]
    assert {place for _, place, _ in before} >= {0, 1, 2, 3} - {presser}, "each is pinged meanwhile"


# --- Behind real ports and sockets ---------------------------------------------------------------------------


class Real(LiveHost):
    """The same table with the host's thread, pseudo-terminals and sockets."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.frames: list[Frame] = []
        self.pods = [PtyPod(identity) for identity in PODS]
        self.phones: Phones
        wiring = PodWiring(seats=PODS, ports=tuple(pod.path for pod in self.pods))

        def open_pods(deliver: Any, clock: Any) -> Iterator[Pods]:
            yield Pods(wiring, deliver, MonotonicClock(), find=list)

        def open_phones(deliver: Any, clock: Any) -> Iterator[Phones]:
            self.phones = Phones(PhoneOptions(on=True, port=0, address="127.0.0.1"), deliver, clock)
            yield self.phones

        drivers = (driver(open_pods, "pods"), driver(open_phones, "phones"))
        self.hardware = Hardware(Wiring(), self.inbox, self.clock, lambda: drivers)
        codes = self.phones.invite([2, 3])
        self.pages = [SimPhone(code.address) for code in codes.values()]
        wait_for(lambda: len(self.phones.places) == 2 and not self.hardware.troubles, "all answer")
        self.heard: list[list[tuple[int, bytes]]] = []
        for one in [*(pod.pod for pod in self.pods), *(phone.page for phone in self.pages)]:
            self.heard.append([])
            one.hear = self._noting(one.hear, self.heard[-1])
        self.shown_ns: list[int] = []
        show = self.hardware.show
        # A lamp is the first sign of a verdict.
        self.hardware.show = lambda *lamp: (self.shown_ns.append(time.monotonic_ns()), show(*lamp))
        self.sound = VirtualSound(self.clock)
        self.host = host_of(folder, self.clock, self._show, self.hardware, self.sound)
        self.start_host()

    def _noting(self, hear: Callable[..., None], heard: list[tuple[int, bytes]]) -> Callable[..., None]:
        def noting(data: bytes, t_us: int) -> None:
            if data:
                heard.append((time.monotonic_ns(), data))
            hear(data, t_us)

        return noting

    def close(self) -> None:
        self.stop_host(60)
        for phone in self.pages:
            phone.close()
        self.hardware.close()
        for pod in self.pods:
            pod.vanish()

    def buzz(self, place: int, level: int) -> None:
        (self.pods[place] if place < 2 else self.pages[place - 2]).buzz(level)

    def is_open(self) -> bool:
        return phase_of(self.frames) == Phase.OPEN and self.frames[-1].calls_open

    def race(self, presser: int) -> tuple[int, int]:
        """Press in a race that has been open a while; return the times of press and verdict."""
        wait_for(self.is_open, "an open race")
        time.sleep(0.4)
        moves = len(self.host.session.match.moves)
        pressed_ns = time.monotonic_ns()
        self.shown_ns.clear()
        self.buzz(presser, 1)
        wait_for(lambda: len(self.host.session.match.moves) > moves and self.shown_ns, "a verdict")
        judged_ns = self.shown_ns[0]
        self.buzz(presser, 0)
        wait_for(lambda: not self.is_open())
        return pressed_ns, judged_ns


def gaps_ms(pings: list[int]) -> list[float]:
    return [(later - one) / MS for one, later in pairwise(pings)]


def test_ping_intervals_do_not_reveal_a_press(tmp_path: Path) -> None:
    table = Real(tmp_path)
    try:
        wait_for(lambda: phase_of(table.frames) is not None)
        time.sleep(0.5)  # presses before the first frame are ignored
        table.buzz(1, 1)  # claims to be the youngest
        wait_for(lambda: phase_of(table.frames) != Phase.SETUP)
        table.buzz(1, 0)
        before: dict[bool, list[float]] = {False: [], True: []}
        after: dict[bool, list[float]] = {False: [], True: []}
        for presser in (0, 2, 1, 3, 0, 2):
            pressed_ns, judged_ns = table.race(presser)
            for place, heard in enumerate(table.heard):
                if place == presser:
                    continue
                told = Reader().feed(b"".join(data for t_ns, data in heard if pressed_ns <= t_ns < judged_ns))
                assert {sentence.kind for sentence in told} <= {"PNG"}
                pings = [t_ns for t_ns, data in heard if b"PNG" in data]
                is_phone = place >= 2
                before[is_phone] += gaps_ms([t for t in pings if pressed_ns - 300 * MS <= t < pressed_ns])
                last = max(t for t in pings if t < pressed_ns)
                after[is_phone] += gaps_ms([t for t in pings if last <= t < judged_ns])
        for is_phone in (False, True):
            usual, pressed = statistics.median(before[is_phone]), statistics.median(after[is_phone])
            assert usual == pytest.approx(pressed, rel=0.25), (is_phone, usual, pressed)
    finally:
        table.close()
