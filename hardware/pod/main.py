"""Runs the pod's firmware, and restarts it if it hangs."""

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
PROMPT = "prompt"
"""A file that makes the next start end in MicroPython's prompt."""

KEY = "key.txt"
"""The key from `companion pod pair`, in hexadecimal."""

CRASH = "crash.txt"
"""The first traceback since this file was removed."""


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


def prompt():
    """Restart into MicroPython's prompt."""
    with open(PROMPT, "w"):
        pass
    machine.reset()


def key():
    if KEY not in os.listdir():
        return None
    with open(KEY) as file:
        try:
            read = binascii.unhexlify(file.read().strip())
        except ValueError:
            return None
    return read if len(read) == KEY_BYTES else None


def assembled():
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


def main():
    """Run forever. A failure before the watchdog starts ends in the prompt."""
    if PROMPT in os.listdir():
        os.remove(PROMPT)
        return
    pod = assembled()
    micropython.kbd_intr(-1)  # a Ctrl-C may be noise
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        while True:
            pod.step()
            watchdog.feed()
    except Exception as error:  # noqa: BLE001 - it is written down, and the host hears of a new start
        if CRASH not in os.listdir():
            with open(CRASH, "w") as file:
                sys.print_exception(error, file)
        machine.reset()


if __name__ == "__main__":
    main()
