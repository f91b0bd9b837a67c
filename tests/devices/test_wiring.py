"""Tests the way from a mock pin to a lamp through the real referee."""

import pytest

from companion.core.clock import MonotonicClock
from companion.core.inbox import Inbox
from companion.devices.buzzers.gpiozero_pins import LGPIO, GpiozeroPins
from companion.devices.buzzers.watch import Buzzers
from companion.devices.lamps import GpiozeroLamps
from companion.devices.lines import NOT_WIRED, BuzzerWiring, LampWiring
from companion.games import load
from companion.match.new_match import new_match
from companion.referee.serving import STOP, run_live
from tests.presented import Presented

BUZZER_PINS = (5, 6)
LAMP_PINS = (16, 20)


class MonotonicPlan(MonotonicClock):
    def at(self, t_ns, action):
        raise AssertionError("a screen plans nothing")


@pytest.fixture
def wired(factory):
    """Yield a match of two, its inbox, clock and events."""
    inbox = Inbox()
    clock = MonotonicPlan()
    wiring = BuzzerWiring(pins=BUZZER_PINS)

    def source(report, failed):
        return GpiozeroPins(factory, wiring, LGPIO, report)

    buzzers = Buzzers("lgpio", len(BUZZER_PINS), source, inbox.put, clock)
    lamps = GpiozeroLamps(LampWiring(pins=LAMP_PINS, siren=NOT_WIRED), factory)
    match = new_match(load("buntherum"), ["Anna", "Ben"], seed="7")
    told = []
    referee = Presented(match, buzzers, clock, lambda _, event: told.append(event), lamps)
    yield referee, inbox, clock, told
    buzzers.close()
    lamps.close()


def play_until_lit(wired, press):
    """Press when the card is visible, stop when a lamp is lit."""
    referee, inbox, clock, told = wired

    def follow(_, event):
        told.append(event)
        if event.kind == "visible":
            press()
        elif event.kind == "lamp":
            inbox.put(STOP)

    referee.tell = follow
    referee.start()
    run_live(referee, inbox, clock)
    return told


def test_press_on_a_pin_lights_its_lamp(wired, factory):
    button, lamp = factory.pin(BUZZER_PINS[1]), factory.pin(LAMP_PINS[1])
    assert lamp.state == 0
    told = play_until_lit(wired, button.drive_low)
    verdict = next(event for event in told if event.kind == "verdict")
    assert verdict.facts["seats"] == (1,)
    assert verdict.facts["calls"][0].uncertainty_ns == 1_000_000
    assert lamp.state == 1
    assert factory.pin(LAMP_PINS[0]).state == 0


def test_first_edge_of_a_bounce_is_the_timestamp(wired, factory):
    referee, _, _, _ = wired
    button = factory.pin(BUZZER_PINS[0])
    edges = []
    hear = referee.signal
    referee.signal = lambda signal: (edges.append(signal.t_ns), hear(signal))

    def bounce():
        for _ in range(3):
            button.drive_low()
            button.drive_high()
        button.drive_low()

    told = play_until_lit(wired, bounce)
    call = next(event for event in told if event.kind == "verdict").facts["calls"][0]
    assert len(set(edges)) == 7
    assert call.t_ns == min(edges)


def test_button_held_when_card_comes_does_not_call(wired, factory):
    factory.pin(BUZZER_PINS[0]).drive_low()
    told = play_until_lit(wired, factory.pin(BUZZER_PINS[1]).drive_low)
    verdict = next(event for event in told if event.kind == "verdict")
    assert verdict.facts["seats"] == (1,)
    assert [call.seat for call in verdict.facts["calls"]] == [1]
