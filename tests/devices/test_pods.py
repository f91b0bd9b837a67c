"""The pods of a table behind pseudo-terminals: real ports, real threads, the machine's clock."""

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
from companion.referee.loop import STOP, run_live
from tests.devices.pod_pty import WAIT_S, PtyPod
from tests.devices.pod_sim import NewerPod, Spoiler
from tests.gpio_fakes import FakeClock
from tests.presented import Presented

ANNA, BEN = "E66118604B3A5C21", "E66118604B3A0000"
WIRING = PodWiring(seats=(ANNA, BEN))

RULINGS = load("buntherum").rulings(tie_margin_ms=100)
"""Ties of whatever a busy machine makes of two presses: what is judged here are the stamps."""


class Table:
    """The pods of a table, the ports that are plugged in, and the signals that have come."""

    def __init__(self, wiring=WIRING, **options):
        self.plugged = []
        self.signals = Inbox()
        options = {"find": lambda: [pod.path for pod in self.plugged], **options}
        self.pods = Pods(wiring, self.signals.put, MonotonicClock(), **options)

    def plug(self, *pods):
        """Plug pods in and look for them once."""
        self.plugged += pods
        self.pods.look()

    def heard(self, *controls, pressed=True):
        """Return the next signal of one of these controls that is no reading of a level."""
        while True:
            signal = self.signals.get(WAIT_S)
            if signal.control in controls and LEVEL not in signal.flags and signal.pressed == pressed:
                return signal

    def until(self, true):
        """Wait until something is true; each look lets other threads run."""
        given_up = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < given_up
            time.sleep(0.001)

    def lookup_until(self, true):
        """Look for pods, as the watch does once a second, until something is true."""
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
    """A table with both its pods, plugged in the other way round."""
    anna, ben = PtyPod(ANNA), PtyPod(BEN)
    table.plug(ben, anna)
    assert {table.heard(PLUG).place for _ in range(2)} == {0, 1}
    return table, anna, ben


def test_the_seat_belongs_to_the_identity_whatever_the_order_of_the_ports(both):
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


def test_a_press_is_stamped_by_the_pod_within_its_uncertainty(both):
    table, anna, _ = both
    pressed_ns = anna.buzz()
    signal = table.heard(BUZZ)
    assert (signal.source, signal.place) == ("pod", 0)
    assert abs(signal.t_ns - pressed_ns) <= signal.uncertainty_ns
    anna.buzz(0)
    assert table.heard(BUZZ, pressed=False).place == 0


def test_after_a_press_all_pods_prove_that_nothing_is_on_its_way(both):
    table, anna, _ = both
    table.pods._most_ns = WAIT_S * 1_000_000_000  # a busy machine may be late with a proof
    table.pods.race(on=True)
    pressed_ns = anna.buzz()
    table.until(lambda: table.pods.settled_ns(pressed_ns) > pressed_ns)
    levels = table.pods.flush(time.monotonic_ns())
    flushed = [*(signal for signal in table.signals.waiting() if signal.control == BUZZ), *levels]
    assert abs(flushed[0].t_ns - pressed_ns) <= flushed[0].uncertainty_ns  # what nobody has taken out is told too
    assert [(signal.place, signal.flags) for signal in flushed][-2:] == [(0, (LEVEL,)), (1, (LEVEL,))]
    table.until(lambda: {signal.place: signal for signal in table.pods.flush(0)}[0].pressed)
    seats = set()
    while seats != {0, 1}:  # the proof of each comes by itself
        signal = table.signals.get(WAIT_S)
        seats |= {signal.place} if LEVEL in signal.flags and signal.t_ns > pressed_ns else set()


def test_a_pod_that_comes_back_in_a_race_is_asked_on_its_beat(both):
    table, _, ben = both
    table.pods.race(on=True)
    ben.reset("0000000B")
    assert table.heard(UNPLUG, PLUG).control == UNPLUG
    assert table.heard(PLUG).place == 1
    assert table.pods._links[1]._races


def test_a_pod_that_is_back_keeps_the_others_from_a_proof_until_it_has_told_what_it_kept():
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


def test_what_is_not_proved_is_believed_after_the_longest_wait(table):
    assert table.pods.settled_ns(100_000_000) == 100_000_000 - table.pods.settle_ns == 40_000_000


def test_lamp_and_lines_reach_their_seat_only(both):
    table, anna, ben = both
    table.pods.show(1, Lamp.BLINK)
    table.pods.say(1, "Your bid", "_ _ _")
    table.until(lambda: ben.shows() == (2, ["Your bid", "_ _ _"]))
    assert anna.shows() == (0, ["", ""])


def test_what_a_missing_pod_is_to_show_waits_for_it(table):
    table.pods.show(0, Lamp.ON)
    table.pods.say(0, "Anna", "")
    assert set(table.pods.troubles) == {0, 1}
    assert str(table.pods.troubles[0]) == f"the pod of seat 1 ({ANNA}): it is not plugged in"
    anna = PtyPod(ANNA)
    table.plug(anna)
    table.until(lambda: anna.shows() == (1, ["Anna", ""]))
    table.until(lambda: set(table.pods.troubles) == {1})  # when its clock is known, too


def test_a_pod_that_is_pulled_is_named_and_goes_on_at_another_port(both):
    table, anna, _ = both
    anna.key("1")
    assert table.heard("1").place == 0
    table.plugged.remove(anna)
    anna.vanish()
    assert table.heard(UNPLUG).place == 0
    assert ANNA in str(table.pods.troubles[0])
    again = PtyPod(ANNA)
    again.pod = anna.pod  # it goes on where it was: the same start of the pod
    again.key("2")
    table.plugged.append(again)
    # Its port may have the name of the old one, which still ends: then the next look opens it.
    table.lookup_until(lambda: not table.pods.troubles)
    assert table.heard(PLUG).place == 0
    assert table.heard("2", "1").control == "2"


def test_a_pod_that_falls_silent_is_unplugged_and_found_again(both):
    table, anna, _ = both
    anna.silent = True
    assert table.heard(UNPLUG).place == 0
    assert "does not answer" in str(table.pods.troubles[0])
    anna.silent = False
    table.lookup_until(lambda: not table.pods.troubles)


def test_a_reset_is_an_unplug_for_a_moment(both):
    table, anna, _ = both
    anna.reset("0000BEEF")
    assert [table.heard(PLUG, UNPLUG).control for _ in range(2)] == [UNPLUG, PLUG]


def test_presses_for_which_a_pod_had_no_room_are_told(table):
    anna = PtyPod(ANNA)
    for _ in range(100):
        anna.key("7")
    table.plug(anna)
    assert table.heard(LOST, pressed=False).place == 0
    table.until(lambda: anna.pod.keeps == 0)  # else there is no room for the next either
    anna.key("8")
    assert table.heard("8").place == 0


def test_a_pod_with_another_version_is_told_what_to_do(table):
    anna = PtyPod(ANNA, kind=NewerPod)
    table.plug(anna)
    table.until(lambda: table.pods.silent_ports)
    assert "version 9" in str(table.pods.troubles[0])
    assert "companion pod flash" in str(table.pods.silent_ports[anna.path])


def test_a_port_that_cannot_be_opened_is_named_and_left_alone_for_a_while():
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


def test_a_board_that_goes_away_while_its_port_is_opened_does_not_hold_up_the_others(monkeypatch):
    def goes_away(path, *_, **__):
        tried.append(path)
        raise termios.error(errno.EIO, "Input/output error")

    tried = []
    monkeypatch.setattr(serial, "Serial", goes_away)
    pods = Pods(PodWiring(ports=("/dev/ttyX", "/dev/ttyY")), Inbox().put, MonotonicClock(), find=list)
    pods.look()
    assert tried == ["/dev/ttyX", "/dev/ttyY"]
    assert "Input/output error" in str(pods.silent_ports["/dev/ttyX"])


def test_two_programs_cannot_have_one_port(both):
    _, anna, _ = both
    with pytest.raises(OSError, match=r"exclusively lock|busy"):
        open_stream(anna.path)


def test_the_same_identity_at_a_second_port_waits_until_the_first_is_gone(both):
    table, anna, _ = both
    double = PtyPod(ANNA)
    double.reset("0000CAFE")
    table.plug(double)
    table.until(lambda: double.path in table.pods.silent_ports)
    assert "at another port already" in str(table.pods.silent_ports[double.path])
    anna.key("5")
    assert table.heard("5", UNPLUG).control == "5"
    table.plugged.remove(anna)
    anna.vanish()
    assert table.heard(UNPLUG).place == 0
    double.key("6")
    table.lookup_until(lambda: not table.pods.troubles)
    assert table.heard("6").place == 0


def test_an_unknown_pod_is_unbound_until_it_is_bound(both):
    table, _, _ = both
    one, other = PtyPod("AA00"), PtyPod("BB00")
    table.plug(one, other)
    table.until(lambda: len(table.pods.unbound()) == 2)
    other.key("1")
    table.until(lambda: table.pods.unbound()[0].identity == "BB00")
    one.key("1")
    table.until(lambda: table.pods.unbound()[0].identity == "AA00")
    assert not table.signals.waiting()
    table.pods.bind("AA00", 3)
    assert table.heard(PLUG).place == 3
    one.key("2")
    assert table.heard("2").place == 3
    assert [pod.identity for pod in table.pods.unbound()] == ["BB00"]
    assert table.pods.section() == f'[pods]\nseats = ["{ANNA}", "{BEN}", "", "AA00"]\n'


def test_a_pod_may_move_to_another_seat_and_one_that_nobody_saw_may_not(both):
    table, anna, _ = both
    table.pods.bind(ANNA, 1)
    assert table.pods.places == (1,)
    anna.key("3")
    assert table.heard("3").place == 1
    with pytest.raises(DeviceError, match=f"no pod CC00 at this table; seen: .*{ANNA}"):
        table.pods.bind("CC00", 1)


def test_keys_come_through_a_line_that_lies(table):
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


def test_closing_ends_all_threads_and_lets_the_ports_go(both):
    table, anna, _ = both
    anna.silent = True
    table.pods.watch()
    table.pods.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pod")]
    open_stream(anna.path).close()


def test_a_match_of_two_pods_is_judged_by_their_stamps(both, monkeypatch):
    # A busy machine may keep a report for long; what comes of that has tests of its own.
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


def test_a_port_that_opens_while_all_are_closed_is_let_go():
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


def test_why_a_port_was_given_up_is_told_as_long_as_it_is_there(both):
    table, anna, _ = both
    table.pods.deafen(0)
    table.until(lambda: 0 in table.pods.troubles)
    assert "it reports more than anybody can press" in str(table.pods.troubles[0])
    table.plugged.remove(anna)
    anna.vanish()
    table.lookup_until(lambda: "it is not plugged in" in str(table.pods.troubles[0]))
