"""A paired pod whose firmware backdates or postdates presses gains at most the bound."""

import logging
from pathlib import Path

import pytest

from companion.core.console import BUZZ, KEYS
from companion.core.signal import AWAY, LEVEL, REFUSED
from companion.devices.pods.keys import PodKeys
from companion.devices.pods.link import LinkTiming
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.reports import Hello
from companion.devices.pods.sentences import Reader, sentence
from tests.referee.bench import MS, US, Bench

HONEST, CHEAT = 0, 1
POD = "E66118604B3A5C21"
BOUND_MS = LinkTiming().believed_ns / MS
PRESSED_MS = 1_500


class Duel:
    """An honest buzzer against a paired pod that lies about the times of its presses."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(2, settle_ms=60).at(PRESSED_MS - 300)
        self.bench.devices.buzzers[CHEAT].plugged = False  # the seat has only the pod
        clock = self.bench.table.clock
        self.pods = Pods(PodWiring(seats=("", POD)), self._deliver, clock, find=list, keys=PodKeys(lambda: folder))
        hello = Hello("1", POD, "lies", "BKLT", "0000000A", 1, "")
        link = self.pods._link_of(hello, "here")
        self.link = link
        self.signals = []
        self.events = 0
        link.connect(hello, self.now_ns)
        self.pods.race(on=True)
        self.answer()

    @property
    def now_ns(self) -> int:
        return self.bench.table.clock.now_ns()

    def _deliver(self, signal) -> None:
        self.signals.append(signal)
        if signal.control in {BUZZ, *KEYS}:
            self.bench.table.signal(signal.of(CHEAT))

    def at(self, ms: float) -> None:
        self.bench.at(ms)

    def answer(self) -> None:
        """Answer the pending pings, which fixes the earliest credible timestamp."""
        self.link.tick(self.now_ns)
        asked = [heard.fields[0] for heard in Reader().feed(bytes(self.link.out)) if heard.kind == "PNG"]
        self.link.out.clear()
        for number in asked:
            t_us = self.now_ns // US
            self.link.hear(sentence("PON", number, t_us, self.events, 0, t_us), self.now_ns)

    def say(self, stamp_ms: float, for_ms: float = 2) -> None:
        """Report a press at `stamp_ms` now, of `for_ms` length."""
        for t_ms, level in ((stamp_ms, 1), (stamp_ms + for_ms, 0)):
            self.events += 1
            self.link.hear(sentence("BUZ", self.events, round(t_ms * 1_000), level), self.now_ns)

    def key(self, key: str, stamp_ms: float) -> None:
        self.events += 1
        self.link.hear(sentence("KEY", self.events, round(stamp_ms * 1_000), key), self.now_ns)

    def judged(self) -> list[int]:
        self.at(PRESSED_MS + 200)
        (verdict,) = self.bench.of("verdict")
        return list(verdict.facts["seats"])


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    made = Duel(tmp_path)
    made.at(PRESSED_MS - 100)
    made.answer()
    return made


def test_backdated_press_of_an_answering_pod_loses(duel: Duel, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    for after_ms in (1, 10):
        duel.at(PRESSED_MS + after_ms)
        duel.answer()
    duel.at(PRESSED_MS + 11)
    duel.say(PRESSED_MS + 9)
    assert duel.signals[-2].flags == (REFUSED,), "older than its last answer, by a millisecond"
    assert duel.judged() == [HONEST]
    (told,) = duel.bench.of("stamp_refused")
    assert (told.seat, told.facts["stamp_ns"]) == (CHEAT, (PRESSED_MS + 11) * MS)
    late = duel.bench.evidence("call").calls[1]
    assert (late.seat, late.t_ns, late.uncertainty_ns) == (CHEAT, (PRESSED_MS + 11) * MS, 0)
    (said,) = (int(flag.removeprefix("said_")) for flag in late.flags if flag.startswith("said_"))
    assert said == pytest.approx((PRESSED_MS + 9) * MS, abs=2 * US)
    assert f"the pod {POD} dates a press 2.0 ms before it came" in caplog.text


@pytest.mark.parametrize("back_ms", [BOUND_MS + 0.1, 40, 90, 1_000])
def test_backdating_beyond_the_bound_loses(duel: Duel, back_ms: float) -> None:
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + 5)
    duel.say(PRESSED_MS + 5 - back_ms)
    assert duel.judged() == [HONEST]
    assert len(duel.bench.of("stamp_refused")) == 1


@pytest.mark.parametrize(("earlier_ms", "winners"), [(BOUND_MS - 2, [CHEAT]), (BOUND_MS + 2, [HONEST])])
def test_backdating_wins_at_most_the_bound(duel: Duel, earlier_ms: float, winners: list[int]) -> None:
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + earlier_ms)
    duel.say(PRESSED_MS + earlier_ms - BOUND_MS + 0.1)
    assert duel.judged() == winners
    assert not duel.bench.of("stamp_refused")


def test_earlier_spike_does_not_make_a_press_early(duel: Duel) -> None:
    duel.at(PRESSED_MS - 50)
    duel.say(PRESSED_MS - 50, for_ms=0.02)
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + 3)
    duel.say(PRESSED_MS - 49)
    assert duel.judged() == [HONEST]


def test_backdated_release_is_refused_and_logged(duel: Duel, caplog: pytest.LogCaptureFixture) -> None:
    duel.at(PRESSED_MS)
    duel.say(PRESSED_MS, for_ms=-100)
    assert [signal.flags for signal in duel.signals[-2:]] == [(), (REFUSED,)]
    assert f"the pod {POD} dates a release 100.0 ms before it came" in caplog.text


def test_claimed_lost_events_prove_no_press(duel: Duel, caplog: pytest.LogCaptureFixture) -> None:
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + 3)
    duel.events += 1
    duel.link.hear(sentence("LST", duel.events, round((PRESSED_MS - 30) * 1_000), 1), duel.now_ns)
    duel.link.tick(duel.now_ns)
    asked = [heard.fields[0] for heard in Reader().feed(bytes(duel.link.out)) if heard.kind == "PNG"]
    t_us = duel.now_ns // US
    duel.link.hear(sentence("PON", asked[-1], t_us, duel.events, 1, t_us), duel.now_ns)
    (level,) = duel.pods.flush(duel.now_ns)
    assert (level.pressed, level.flags) == (True, (LEVEL, AWAY))
    duel.bench.table.signal(level.of(CHEAT))
    assert duel.judged() == [HONEST]
    assert [call.seat for call in duel.bench.evidence("call").calls] == [HONEST]
    assert f"the pod {POD} had no room left: 1 of its reports are lost" in caplog.text


def test_honest_late_report_still_counts(duel: Duel) -> None:
    duel.at(PRESSED_MS + 100)  # the first report was lost, this is the second
    duel.say(PRESSED_MS)
    assert duel.judged() == [CHEAT]
    assert duel.bench.evidence("call").calls[0].t_ns == (PRESSED_MS + 100) * MS


# --- Refused timestamps count from their arrival --------------------------------------------------------------


def test_backdated_press_in_a_pause_does_not_count(duel: Duel) -> None:
    duel.at(PRESSED_MS)
    duel.bench.table.pause(duel.now_ns)
    duel.at(PRESSED_MS + 1_600)
    duel.say(PRESSED_MS - 1)
    duel.at(PRESSED_MS + 2_000)
    assert duel.signals[-1].flags == (REFUSED,)
    assert not duel.bench.of("verdict")


def test_backdated_press_after_skip_is_not_a_call(duel: Duel) -> None:
    duel.at(PRESSED_MS)
    duel.bench.house("skip")
    duel.at(PRESSED_MS + 40)
    duel.say(PRESSED_MS - 1)
    duel.at(PRESSED_MS + 400)
    assert not duel.bench.of("verdict")
    assert duel.bench.of("nobody")


def test_backdated_key_after_the_limit_is_too_late(duel: Duel) -> None:
    duel.at(PRESSED_MS)
    duel.say(PRESSED_MS)
    duel.at(PRESSED_MS + 200)
    limit = duel.bench.referee.pacing.limit
    assert limit
    assert limit.ends_ns
    over_ms = limit.ends_ns / MS
    duel.at(over_ms + 55)
    duel.key(str(duel.bench.right_row()), over_ms - 100)
    assert duel.signals[-1].flags == (REFUSED,)
    assert duel.bench.refusals(CHEAT) == ["too late"]


def test_press_backdated_before_the_card_still_calls(duel: Duel) -> None:
    duel.at(PRESSED_MS)
    duel.say(PRESSED_MS - 1_000)
    assert duel.judged() == [CHEAT]
    assert not duel.bench.of("false_start")


@pytest.mark.parametrize("after_ms", [70, 100, 200, 400])
def test_backdated_press_after_verdict_causes_no_late_report(duel: Duel, after_ms: int) -> None:
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + after_ms)
    duel.say(PRESSED_MS - 10)
    assert duel.judged() == [HONEST]
    assert not duel.bench.of("late_report")


def test_backdated_press_after_an_undo_still_counts(duel: Duel) -> None:
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + 200)
    duel.bench.house("undo")
    duel.at(PRESSED_MS + 300)
    duel.say(PRESSED_MS)
    duel.at(PRESSED_MS + 600)
    assert duel.bench.winners() == [(HONEST,), (CHEAT,)]


@pytest.mark.parametrize("ahead_ms", [1, 5_000, 1_000_000_000])
def test_postdated_press_counts_from_its_arrival(
    duel: Duel, ahead_ms: int, caplog: pytest.LogCaptureFixture
) -> None:
    duel.at(PRESSED_MS)
    duel.bench.buzz(HONEST)
    duel.at(PRESSED_MS + 3)
    duel.events += 1
    duel.link.hear(sentence("BUZ", duel.events, (PRESSED_MS + 3 + ahead_ms) * 1_000, 1), duel.now_ns)
    assert duel.signals[-1].flags == (REFUSED,)
    assert "after it came: not believed" in caplog.text
    assert duel.judged() == [HONEST]
    late = duel.bench.evidence("call").calls[1]
    assert (late.seat, late.t_ns, late.uncertainty_ns) == (CHEAT, (PRESSED_MS + 3) * MS, 0)
    (said,) = (int(flag.removeprefix("said_")) for flag in late.flags if flag.startswith("said_"))
    assert said == pytest.approx((PRESSED_MS + 3 + ahead_ms) * MS, rel=1e-4)
