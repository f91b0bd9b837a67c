"""Starts the pod's firmware when the board starts, and starts it anew when it stands."""

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
"""While this file is there the next start leaves the board in MicroPython's prompt, once."""

KEY = "key.txt"
"""What `companion pod pair` has left here, as hexadecimal digits; only the table has it, too."""

CRASH = "crash.txt"
"""Why the firmware stopped the first time since this file was removed."""


def bus(frequency_hz):
    """Return the I2C bus of the screen."""
    return machine.I2C(pins.I2C, sda=Pin(pins.SDA), scl=Pin(pins.SCL), freq=frequency_hz)


def driver():
    """Return the driver of the screen that pins.py names, None if it names none."""
    if pins.SCREEN is None:
        return None
    if pins.SCREEN == "lcd":
        return Lcd(bus(100_000), pins.SCREEN_ADDRESS, pins.LCD_COLUMNS, pins.LCD_LINES)
    if pins.SCREEN == "oled":
        return Oled(bus(400_000), pins.SCREEN_ADDRESS, pins.OLED_HEIGHT)
    raise ValueError(f'pins.py: SCREEN is {pins.SCREEN!r}, allowed are "lcd", "oled" and None')


def prompt():
    """Start the board anew into MicroPython's prompt."""
    with open(PROMPT, "w"):
        pass
    machine.reset()


def key():
    """Return the key by which the pod proves who it is; None when it has none, or not a whole one."""
    if KEY not in os.listdir():
        return None
    with open(KEY) as file:
        try:
            read = binascii.unhexlify(file.read().strip())
        except ValueError:
            return None
    return read if len(read) == KEY_BYTES else None


def assembled():
    """Return the pod as pins.py says that it is wired."""
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
    """Run for ever. What fails before the watchdog runs ends in the prompt, where it can be mended."""
    if PROMPT in os.listdir():
        os.remove(PROMPT)
        return
    pod = assembled()
    micropython.kbd_intr(-1)  # a 3 on the line may be noise
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
