"""The buzzer's interrupt on the real virtual machine, with the heap locked as in a hard interrupt."""

import time

import clock
from buzzer import BOUNCES_MAX, REST_US, STEADY_US, Buzzer
from machine import Pin


class Ticks:
    """A counter that wraps; asked in an interrupt, so what allocates is done when it is set."""

    def __init__(self, us):
        self.set(us)

    def set(self, us):
        self.ticks = us % clock.PERIOD_US

    def __call__(self):
        return self.ticks


class Seat:
    def __init__(self, start_us=0):
        self.ticks = Ticks(start_us)
        self.start_us = start_us
        self.pin = Pin(10, Pin.IN, Pin.PULL_UP)
        self.clock = clock.Clock(self.ticks)
        irq = lambda handler: self.pin.irq(handler, Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True).trigger  # noqa: E731
        self.buzzer = Buzzer(self.pin, self.clock, self.ticks, irq)
        self.told = []

    def edge(self, at_us, level):
        self.ticks.set(self.start_us + at_us)
        self.pin.drive(1 - level)

    def drain(self, at_us):
        self.ticks.set(self.start_us + at_us)
        self.told = []
        self.buzzer.drain(self.clock.now_us(), lambda t_us, level: self.told.append((t_us, level)))
        return self.told


def test_ticks_of_this_machine_wrap_where_the_clock_thinks():
    assert time.ticks_add(0, -1) == clock.PERIOD_US - 1


def test_an_interrupt_allocates_nothing_and_its_stamp_is_told():
    seat = Seat()
    seat.edge(100_000, 1)
    assert seat.drain(101_000) == [(100_000, 1)]


def test_a_stamp_from_before_the_counter_wrapped_is_told_right():
    seat = Seat(start_us=clock.PERIOD_US - 150_000)
    seat.edge(149_000, 1)
    seat.edge(200_000, 0)
    assert seat.drain(201_000) == [(149_000, 1), (200_000, 0)]


def test_days_are_counted():
    seat = Seat()
    for minute in range(60 * 24):
        seat.drain(minute * 60_000_000)
    day_us = 24 * 3_600_000_000
    seat.edge(day_us + 5, 1)
    assert seat.drain(day_us + 10) == [(day_us + 5, 1)]


def test_more_edges_than_the_ring_holds_keep_the_first_and_the_level_at_the_end():
    seat = Seat()
    for at in range(201):
        seat.edge(100_000 + 10 * at, 1 - at % 2)
    told = seat.drain(110_000)
    assert told == [(100_000 + 10 * at, 1 - at % 2) for at in range(BOUNCES_MAX)]
    assert seat.pin.edges == 0, "the interrupt leaves the main loop its time"
    seat.edge(110_500, 0)
    seat.edge(110_900, 1)
    assert seat.drain(110_000 + REST_US) == [], "edges that had no room are no quiet"
    assert seat.pin.edges == Pin.IRQ_RISING | Pin.IRQ_FALLING
    assert seat.drain(110_000 + REST_US + STEADY_US - 1) == []
    assert seat.drain(110_000 + REST_US + STEADY_US) == [(110_000 + REST_US + STEADY_US, 1)]
