"""Connects pins to parts, and runs the pod's main loop under a watchdog."""

import binascii
import os
import sys
import time

import machine
import micropython
import pins
from buzzer import Buzzer
from clock import Clock
from keypad import Keypad
from lamp import Lamp
from machine import Pin
from pod import Pod
from port import Port
from proof import KEY_BYTES
from screen import Lcd, Oled, Screen

WATCHDOG_MS = 2000
GOOD_US = 60_000_000
"""After a minute a start was good, and the crashes before it do not count."""

KEY = "key.txt"
"""The key from `companion pod pair`, in hexadecimal."""


def bus(frequency_hz):
    return machine.I2C(pins.I2C, sda=Pin(pins.SDA), scl=Pin(pins.SCL), freq=frequency_hz)


def driver():
    if pins.SCREEN is None:
        return None
    if pins.SCREEN == "lcd":
        return Lcd(bus(100_000), pins.SCREEN_ADDRESS, pins.LCD_COLUMNS, pins.LCD_LINES)
    if pins.SCREEN == "oled":
        return Oled(bus(400_000), pins.SCREEN_ADDRESS, pins.OLED_HEIGHT)
    raise ValueError(f'pins.py: SCREEN is {pins.SCREEN!r}, allowed are "lcd", "oled" and None')


def key():
    if KEY not in os.listdir():
        return None
    with open(KEY) as file:
        try:
            read = binascii.unhexlify(file.read().strip())
        except ValueError:
            return None
    return read if len(read) == KEY_BYTES else None


def assembled(prompt):
    clock = Clock(time.ticks_us)
    contact = Pin(pins.BUZZER, Pin.IN, Pin.PULL_UP)

    def irq(handler):
        return contact.irq(handler, Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True).trigger

    return Pod(
        identity=binascii.hexlify(machine.unique_id()).decode().upper(),
        boot=binascii.hexlify(os.urandom(4)).decode().upper(),
        key=key(),
        draw=os.urandom,
        clock=clock,
        port=Port(sys.stdin.buffer, sys.stdout.buffer, clock.now_us),
        buzzer=Buzzer(contact, clock, time.ticks_us, irq),
        keypad=Keypad(
            [Pin(number, Pin.OPEN_DRAIN, value=1) for number in pins.ROWS],
            [Pin(number, Pin.IN, Pin.PULL_UP) for number in pins.COLUMNS],
            pins.KEYS,
        ),
        lamp=Lamp(Pin(pins.LAMP, Pin.OUT, value=0)),
        screen=Screen(driver()),
        prompt=prompt,
    )


def run(prompt, good):
    """Run forever. `prompt` restarts into MicroPython's prompt; `good` is called after a good minute."""
    pod = assembled(prompt)
    micropython.kbd_intr(-1)  # a Ctrl-C may be noise
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while pod.now_us() < GOOD_US:
        pod.step()
        watchdog.feed()
    good()
    while True:
        pod.step()
        watchdog.feed()
