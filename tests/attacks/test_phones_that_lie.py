"""A page that claims a coarse clock gains almost nothing."""

import logging

import pytest

from companion.core.console import BUZZ
from companion.core.signal import LEVEL, REFUSED
from companion.devices.phones import phones as module
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.pods.link import GRAIN_BELIEVED_US
from companion.devices.pods.reports import VERSION, Hello
from companion.devices.pods.sentences import Reader, sentence
from tests.referee.bench import MS, US, Bench

HONEST, CHEAT = 0, 1
PRESSED_MS = 1_500


class Duel:
    """An honest buzzer against a page that claims a clock with steps of `grain_us`."""

    def __init__(self, grain_us: int) -> None:
        self.bench = Bench(2, settle_ms=150).at(PRESSED_MS - 300)
        self.bench.devices.buzzers[CHEAT].plugged = False
        self.clock = self.bench.table.clock
        self.signals = []
        self.phones = Phones(PhoneOptions(), self._deliver, self.clock)
        token, secret = module.Secret(bytes(16)), module.Secret(bytes(32))
        self.phones._tokens[CHEAT] = token
        assert self.phones._give(token, secret)
        self.link = self.phones._phones[CHEAT]
        self.link.connect(
            Hello(VERSION, secret.identity, "page", "BKLTWQP", "0000000A", 1, ""), self.clock.now_ns()
        )
        self.phones.race(on=True)
        self.hear("GRN", grain_us)
        self.answer_until(PRESSED_MS)

    def _deliver(self, signal) -> None:
        self.signals.append(signal)
        if signal.control == BUZZ:
            self.bench.table.signal(signal.of(CHEAT))

    def hear(self, *said) -> None:
        self.link.hear(sentence(*said), self.clock.now_ns())

    def answer_until(self, ms: float) -> None:
        while self.bench.now_ms < ms:
            self.bench.at(min(ms, self.bench.now_ms + 5))
            self.link.tick(self.clock.now_ns())
            asked = [heard.fields[0] for heard in Reader().feed(bytes(self.link.out)) if heard.kind == "PNG"]
            self.link.out.clear()
            now_us = self.clock.now_ns() // US
            for number in asked:
                self.hear("PON", number, now_us, 0, 0, now_us)

    def judged(self, late_ms: int) -> list[int]:
        """Press the page `late_ms` after the honest buzzer; return the calling seats."""
        self.bench.buzz(HONEST)
        self.answer_until(PRESSED_MS + late_ms)
        self.hear("BUZ", 1, self.clock.now_ns() // US, 1)
        self.bench.at(PRESSED_MS + 600)
        (verdict,) = self.bench.of("verdict")
        return list(verdict.facts["seats"])


@pytest.mark.parametrize("grain_us", [GRAIN_BELIEVED_US + 1, 60_000, 1_000_000])
def test_implausibly_coarse_clock_ties_nothing(grain_us: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    duel = Duel(grain_us)
    assert duel.judged(5) == [HONEST]
    [press] = [signal for signal in duel.signals if signal.control == BUZZ and LEVEL not in signal.flags]
    assert press.flags == (REFUSED,)
    late = duel.bench.evidence("call").calls[1]
    assert (late.seat, late.t_ns, late.uncertainty_ns) == (CHEAT, (PRESSED_MS + 5) * MS, 0)
    assert any(flag.startswith("said_") for flag in late.flags)
    assert f"the phone of seat 2 has a clock in steps of {grain_us / 1000:.1f} ms" in caplog.text


def test_clock_coarsened_after_the_press_wins_nothing() -> None:
    duel = Duel(1)
    duel.bench.buzz(HONEST)
    duel.answer_until(PRESSED_MS + 5)
    duel.hear("BUZ", 1, duel.clock.now_ns() // US, 1)
    duel.hear("GRN", 1_000_000)
    duel.bench.at(PRESSED_MS + 600)
    assert duel.bench.winners() == [(HONEST,)]


@pytest.mark.parametrize(("late_ms", "winners"), [(30, [HONEST, CHEAT]), (40, [HONEST])])
def test_claimed_clock_wins_at_most_its_bound(late_ms: int, winners: list[int]) -> None:
    assert Duel(GRAIN_BELIEVED_US).judged(late_ms) == winners


def test_verdict_never_waits_for_a_coarse_clock() -> None:
    duel = Duel(1_000_000)
    assert duel.link.ready
    assert duel.link.settled_ns is None
