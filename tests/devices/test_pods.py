"""Tests the pods of a table behind pseudo-terminals."""

import errno
import itertools
import random
import termios
import threading
import time

import pytest
import serial

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ, Lamp
from companion.core.inbox import Inbox
from companion.core.signal import LEVEL, LEVEL_ONLY, LOST, PLUG, UNPLUG
from companion.devices.errors import DeviceError
from companion.devices.pods import link as pod_link
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.port import open_stream
from companion.devices.pods.reports import Hello
from companion.devices.pods.sentences import sentence
from companion.games import load
from companion.match.new_match import new_match
from companion.referee.serving import STOP, run_live
from tests.devices.pod_pty import WAIT_S, PtyPod
from tests.devices.pod_sim import NewerPod, SafePod, Spoiler
from tests.gpio_fakes import FakeClock
from tests.presented import Presented

ANNA, BEN = "E66118604B3A5C21", "E66118604B3A0000"
WIRING = PodWiring(seats=(ANNA, BEN))

RULINGS = load("buntherum").rulings(tie_margin_ms=100)
"""The margin is generous because only timestamps are tested here."""


class Table:
    """The pods of a table, the plugged-in ports, and the signals."""

    def __init__(self, wiring=WIRING, **options):
        self.plugged = []
        self.signals = Inbox()
        options = {"find": lambda: [pod.path for pod in self.plugged], **options}
        self.pods = Pods(wiring, self.signals.put, MonotonicClock(), **options)

    def plug(self, *pods):
        self.plugged += pods
        self.pods.look()

    def heard(self, *controls, pressed=True):
        """Return the next signal of these controls that is not a level."""
        while True:
            signal = self.signals.get(WAIT_S)
            if signal.control in controls and LEVEL not in signal.flags and signal.pressed == pressed:
                return signal

    def until(self, true):
        """Wait until something is true, letting other threads run."""
        given_up = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < given_up
            time.sleep(0.001)

    def lookup_until(self, true):
        """Look for pods until something is true."""
        self.until(lambda: self.pods.look() or true())


@pytest.fixture
def table():
    table = Table()
    yield table
    table.pods.close()
    for pod in table.plugged:
        pod.vanish()


@pytest.fixture
def both(table):
    """Return a table and its pods, plugged in reversed."""
    anna, ben = PtyPod(ANNA), PtyPod(BEN)
    table.plug(ben, anna)
    assert {table.heard(PLUG).place for _ in range(2)} == {0, 1}
    return table, anna, ben


def test_seat_follows_the_identity_at_any_port(both):
    table, anna, ben = both
    ben.key("7")
    assert table.heard("7").place == 1
    anna.key("#")
    assert table.heard("#").place == 0
    assert table.pods.places == (0, 1)
    assert table.pods.troubles == {}
    assert {(pod.identity, pod.place, pod.path) for pod in table.pods.seen()} == {
        (ANNA, 0, anna.path),
        (BEN, 1, ben.path),
    }


def test_pods_timestamp_stays_within_its_uncertainty(both):
    table, anna, _ = both
    pressed_ns = anna.buzz()
    signal = table.heard(BUZZ)
    assert (signal.source, signal.place) == ("pod", 0)
    assert abs(signal.t_ns - pressed_ns) <= signal.uncertainty_ns
    anna.buzz(0)
    assert table.heard(BUZZ, pressed=False).place == 0


def test_pods_prove_all_presses_have_arrived(both):
    table, anna, _ = both
    table.pods._most_ns = WAIT_S * 1_000_000_000  # a busy machine may be late with a proof
    table.pods.race(on=True)
    pressed_ns = anna.buzz()
    table.until(lambda: table.pods.settled_ns(pressed_ns) > pressed_ns)
    levels = table.pods.flush(time.monotonic_ns())
    flushed = [*(signal for signal in table.signals.waiting() if signal.control == BUZZ), *levels]
    assert abs(flushed[0].t_ns - pressed_ns) <= flushed[0].uncertainty_ns  # signals still in the inbox count, too
    assert [(signal.place, signal.flags) for signal in flushed][-2:] == [(0, (LEVEL,)), (1, (LEVEL,))]
    table.until(lambda: {signal.place: signal for signal in table.pods.flush(0)}[0].pressed)
    seats = set()
    while seats != {0, 1}:  # each pod sends its proof unprompted
        signal = table.signals.get(WAIT_S)
        seats |= {signal.place} if LEVEL in signal.flags and signal.t_ns > pressed_ns else set()


def test_returning_pod_joins_a_running_race(both):
    table, _, ben = both
    table.pods.race(on=True)
    ben.reset("0000000B")
    assert table.heard(UNPLUG, PLUG).control == UNPLUG
    assert table.heard(PLUG).place == 1
    assert table.pods._links[1]._races


def test_verdict_waits_for_the_returning_pods_stored_events():
    now_ns = 5_000_000_000
    pods = Pods(WIRING, Inbox().put, MonotonicClock(), find=list)
    greetings = [Hello("1", identity, "sim", "BKLT", "0000000A", 1, "") for identity in (ANNA, BEN)]
    anna, ben = links = [pods._link_of(greeting, "here") for greeting in greetings]
    for link, greeting in zip(links, greetings, strict=True):
        link.connect(greeting, now_ns)
        link.tick(now_ns)
    ben.hear(sentence("PON", 1, now_ns // 1_000, 0, 0, now_ns // 1_000), now_ns)
    anna.hear(sentence("PON", 1, now_ns // 1_000, 1, 1, now_ns // 1_000), now_ns)
    assert pods.troubles == {}
    assert pods.settled_ns(now_ns) == now_ns - pods.settle_ns
    anna.hear(sentence("BUZ", 1, now_ns // 1_000 - 1, 1), now_ns)
    assert pods.settled_ns(now_ns) == pytest.approx(now_ns, abs=10_000)


def test_unproved_time_settles_after_the_longest_wait(table):
    assert table.pods.settled_ns(100_000_000) == 100_000_000 - table.pods.settle_ns == 40_000_000


def test_lamp_and_lines_reach_only_their_seat(both):
    table, anna, ben = both
    table.pods.show(1, Lamp.BLINK)
    table.pods.say(1, "Your bid", "_ _ _")
    table.until(lambda: ben.shows() == (2, ["Your bid", "_ _ _"]))
    assert anna.shows() == (0, ["", ""])


def test_missing_pods_lamp_and_lines_wait_for_it(table):
    table.pods.show(0, Lamp.ON)
    table.pods.say(0, "Anna", "")
    assert set(table.pods.troubles) == {0, 1}
    assert str(table.pods.troubles[0]) == f"the pod of seat 1 ({ANNA}): it is not plugged in"
    anna = PtyPod(ANNA)
    table.plug(anna)
    table.until(lambda: anna.shows() == (1, ["Anna", ""]))
    table.until(lambda: set(table.pods.troubles) == {1})  # and its clock is known


def test_pulled_pod_continues_at_another_port(both):
    table, anna, _ = both
    anna.key("1")
    assert table.heard("1").place == 0
    table.plugged.remove(anna)
    anna.vanish()
    assert table.heard(UNPLUG).place == 0
    assert ANNA in str(table.pods.troubles[0])
    again = PtyPod(ANNA)
    again.pod = anna.pod  # the same start of the pod
    again.key("2")
    table.plugged.append(again)
    # Its port may have the old one's name while that still closes; then the next look opens it.
    table.lookup_until(lambda: not table.pods.troubles)
    assert table.heard(PLUG).place == 0
    assert table.heard("2", "1").control == "2"


def test_silent_pod_is_unplugged_and_found_again(both):
    table, anna, _ = both
    anna.silent = True
    assert table.heard(UNPLUG).place == 0
    assert "is not responding" in str(table.pods.troubles[0])
    anna.silent = False
    table.lookup_until(lambda: not table.pods.troubles)


def test_reset_is_a_brief_unplug(both):
    table, anna, _ = both
    anna.reset("0000BEEF")
    assert [table.heard(PLUG, UNPLUG).control for _ in range(2)] == [UNPLUG, PLUG]


def test_presses_beyond_the_pods_buffer_are_reported(table):
    anna = PtyPod(ANNA)
    for _ in range(100):
        anna.key("7")
    table.plug(anna)
    assert table.heard(LOST, pressed=False).place == 0
    table.until(lambda: anna.pod.keeps == 0)  # otherwise the next one does not fit either
    anna.key("8")
    assert table.heard("8").place == 0


def test_unknown_protocol_version_says_to_flash(table):
    anna = PtyPod(ANNA, kind=NewerPod)
    table.plug(anna)
    table.until(lambda: table.pods.silent_ports)
    assert "version 9" in str(table.pods.troubles[0])
    assert "companion pod flash" in str(table.pods.silent_ports[anna.path])


def test_outdated_pods_are_told_by_firmware_or_safe_mode(both):
    table, _, ben = both
    assert table.pods.outdated("sim") == []
    assert {pod.place for pod in table.pods.outdated("2.1")} == {0, 1}
    ben.vanish()
    table.plugged.remove(ben)
    safe = PtyPod(BEN, kind=SafePod)
    table.plug(safe)
    table.lookup_until(lambda: table.pods.outdated("sim"))
    assert [(pod.identity, pod.path, pod.place) for pod in table.pods.outdated("sim")] == [(BEN, safe.path, 1)]
    assert "is in safe mode" in str(table.pods.troubles[1])
    safe.vanish()
    table.plugged.remove(safe)
    table.lookup_until(lambda: not table.pods.outdated("sim"))


def test_lent_port_is_left_alone_until_returned(both):
    table, _, ben = both
    with table.pods.lent(ben.path):
        assert table.heard(UNPLUG).place == 1
        assert "its firmware is being updated" in str(table.pods.troubles[1])
        table.pods.look()
        open_stream(ben.path).close()
    table.lookup_until(lambda: not table.pods.troubles)
    assert table.heard(PLUG).place == 1


def test_port_that_cannot_open_is_retried_less_often():
    tried = []

    def refuse(path):
        tried.append(path)
        raise PermissionError(13, "Permission denied")

    clock = FakeClock(0)
    pods = Pods(PodWiring(ports=("/dev/ttyX",)), Inbox().put, clock, find=list, open_=refuse)
    tried_s = []
    for _ in range(100):
        before = len(tried)
        pods.look()
        if len(tried) > before:
            tried_s.append(clock.t_ns // 1_000_000_000)
        clock.t_ns += 1_000_000_000
    apart_s = [later - earlier for earlier, later in itertools.pairwise(tried_s)]
    assert apart_s[:6] == [1, 2, 4, 8, 10, 10]
    assert "dialout" in str(pods.silent_ports["/dev/ttyX"])


def test_board_lost_while_opening_blocks_no_other(monkeypatch):
    def goes_away(path, *_, **__):
        tried.append(path)
        raise termios.error(errno.EIO, "Input/output error")

    tried = []
    monkeypatch.setattr(serial, "Serial", goes_away)
    pods = Pods(PodWiring(ports=("/dev/ttyX", "/dev/ttyY")), Inbox().put, MonotonicClock(), find=list)
    pods.look()
    assert tried == ["/dev/ttyX", "/dev/ttyY"]
    assert "Input/output error" in str(pods.silent_ports["/dev/ttyX"])


def test_port_is_locked_for_one_program(both):
    _, anna, _ = both
    with pytest.raises(OSError, match=r"exclusively lock|busy"):
        open_stream(anna.path)


def test_duplicate_identity_waits_for_the_first_port(both):
    table, anna, _ = both
    double = PtyPod(ANNA)
    double.reset("0000CAFE")
    table.plug(double)
    table.until(lambda: double.path in table.pods.silent_ports)
    assert "already connected at another port" in str(table.pods.silent_ports[double.path])
    anna.key("5")
    assert table.heard("5", UNPLUG).control == "5"
    table.plugged.remove(anna)
    anna.vanish()
    assert table.heard(UNPLUG).place == 0
    double.key("6")
    table.lookup_until(lambda: not table.pods.troubles)
    assert table.heard("6").place == 0


def test_unknown_pod_reports_nothing_until_bound(both):
    table, _, _ = both
    one, other = PtyPod("AA00"), PtyPod("BB00")
    table.plug(one, other)
    table.until(lambda: len(table.pods.unbound()) == 2)
    other.key("1")
    table.until(lambda: pressed(table) == ["BB00"])
    one.key("1")
    table.until(lambda: pressed(table) == ["BB00", "AA00"])
    assert not table.signals.waiting()
    table.pods.bind("AA00", 3)
    assert table.heard(PLUG).place == 3
    one.key("2")
    assert table.heard("2").place == 3
    assert [pod.identity for pod in table.pods.unbound()] == ["BB00"]
    assert table.pods.paired.seats == (ANNA, BEN, "", "AA00")


def pressed(table):
    """Return the pods that were pressed, in the order of their timestamps."""
    return [identity for _, identity in sorted((u.press, u.identity) for u in table.pods.units(0) if u.press)]


def test_pod_can_move_seats_but_must_be_known(both):
    table, anna, _ = both
    table.pods.bind(ANNA, 1)
    assert table.pods.places == (1,)
    anna.key("3")
    assert table.heard("3").place == 1
    with pytest.raises(DeviceError, match=f"pod CC00 not found; seen: .*{ANNA}"):
        table.pods.bind("CC00", 1)


def test_keys_survive_an_unreliable_line(table):
    spoiled = Spoiler(random.Random("pty"), 0.3)
    anna = PtyPod(ANNA, spoil=spoiled)
    table.plug(anna)
    table.lookup_until(lambda: 0 not in table.pods.troubles)
    for key in "0123456789*#ABCD":
        anna.key(key)
    keys = []
    while len(keys) < 16:
        signal = table.signals.get(WAIT_S)
        keys += signal.control if len(signal.control) == 1 else ""
        table.pods.look()
    assert "".join(keys) == "0123456789*#ABCD"


def test_closing_ends_threads_and_releases_ports(both):
    table, anna, _ = both
    anna.silent = True
    table.pods.watch()
    table.pods.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pod")]
    open_stream(anna.path).close()


def test_match_between_pods_uses_their_timestamps(both, monkeypatch):
    # A busy machine may delay a report for long; other tests cover that.
    monkeypatch.setattr(pod_link, "POD", pod_link.POD._replace(believed_ns=WAIT_S * 1_000_000_000))
    table, anna, ben = both
    clock = MonotonicClock()
    match = new_match(load("buntherum"), ["Anna", "Ben"], rulings=RULINGS, seed="7")
    pressed_ns, told = {}, []

    def follow(_, event):
        told.append(event)
        if event.kind == "visible":
            pressed_ns[1] = ben.buzz()
            pressed_ns[0] = anna.buzz()
        elif event.kind == "verdict":
            table.signals.put(STOP)

    referee = Presented(match, table.pods, clock, follow)
    referee.start()
    run_live(referee, table.signals, clock)
    calls = {call.seat: call for event in told if event.kind == "verdict" for call in event.facts["calls"]}
    assert set(calls) == {0, 1}
    for seat, call in calls.items():
        assert abs(call.t_ns - pressed_ns[seat]) <= call.uncertainty_ns
        assert LEVEL_ONLY not in call.flags


def test_port_opened_during_closing_is_released():
    pod, opened = PtyPod(ANNA), []

    def slowly(path):
        opened.append(open_stream(path))
        table.pods.close()
        return opened[0]

    table = Table(open_=slowly)
    table.plug(pod)
    assert not opened[0].is_open
    assert table.pods._ports.open == []
    pod.vanish()


def test_reason_stays_while_the_port_is_present(both):
    table, anna, _ = both
    table.pods.deafen(0)
    table.until(lambda: 0 in table.pods.troubles)
    assert "it sends too many presses" in str(table.pods.troubles[0])
    table.plugged.remove(anna)
    anna.vanish()
    table.lookup_until(lambda: "it is not plugged in" in str(table.pods.troubles[0]))
