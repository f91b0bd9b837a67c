"""Safe mode: all that a pod does after three crashes. It names itself, and lets an update in.

It imports only MicroPython's modules, since any other file may be what crashes.
"""

import select
import sys
import time
from binascii import crc32, hexlify

import machine
from machine import Pin

VERSION = b"0"
"""No version of the protocol, so that a host begins no session."""

ASK, UPDATE = b"$TCHEY,", b"$TCUPD*236D5D43"
LONGEST = 120

FLASHES = 3
FLASH_MS = 100
PERIOD_MS = 1500
"""The lamp flashes three times, then pauses."""


def listen(prompt):
    """Answer HEY and UPD until a Ctrl-C ends in MicroPython's prompt."""
    light = lamp()
    reader, byte, line = sys.stdin.buffer, bytearray(1), b""
    port = select.poll()
    port.register(reader, select.POLLIN)
    while True:
        light(lit(time.ticks_ms()))
        if not port.poll(FLASH_MS // 5) or not reader.readinto(byte):
            continue
        line = b"$" if byte == b"$" else (line + byte)[:LONGEST]
        if line == UPDATE:
            prompt()
        elif byte == b"\r" and line.startswith(ASK):
            sys.stdout.buffer.write(hello())


def hello():
    body = b"TCHEL," + VERSION + b"," + hexlify(machine.unique_id()).upper()
    return b"$" + body + b"*%08X\r\n" % crc32(body)


def lit(ms):
    flash, rest = divmod(ms % PERIOD_MS, 2 * FLASH_MS)
    return flash < FLASHES and rest < FLASH_MS


def lamp():
    """Return a function that switches the lamp. It does nothing if pins.py is broken."""
    try:
        from pins import LAMP  # noqa: PLC0415  the import may be what crashes
    except Exception:  # noqa: BLE001  crash.txt has it
        return lambda _on: None
    return Pin(LAMP, Pin.OUT, value=0).value
