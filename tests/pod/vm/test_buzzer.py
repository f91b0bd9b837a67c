"""Tests the buzzer's interrupt on MicroPython with the heap locked."""

import time

import clock
from buzzer import BOUNCES_MAX, REST_US, STEADY_US, Buzzer
from machine import Pin


class Ticks:
    """Reading it does not allocate."""

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


def test_ticks_wrap_where_the_clock_expects():
    assert time.ticks_add(0, -1) == clock.PERIOD_US - 1


def test_interrupt_keeps_its_timestamp_without_allocating():
    seat = Seat()
    seat.edge(100_000, 1)
    assert seat.drain(101_000) == [(100_000, 1)]


def test_timestamp_before_a_wrap_is_right():
    seat = Seat(start_us=clock.PERIOD_US - 150_000)
    seat.edge(149_000, 1)
    seat.edge(200_000, 0)
    assert seat.drain(201_000) == [(149_000, 1), (200_000, 0)]


def test_clock_counts_for_days():
    seat = Seat()
    for minute in range(60 * 24):
        seat.drain(minute * 60_000_000)
    day_us = 24 * 3_600_000_000
    seat.edge(day_us + 5, 1)
    assert seat.drain(day_us + 10) == [(day_us + 5, 1)]


def test_overfull_ring_keeps_first_edges_and_last_level():
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
