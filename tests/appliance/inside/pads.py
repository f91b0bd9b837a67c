"""Number pads controlled by lines of a pipe: `SEAT KEY KEY ...`, `SEAT unplug`, `SEAT plug`.

Standard library only, to be independent of the tested program.
"""

import fcntl
import os
import socket
import struct
import sys
import time

PIPE = "/run/pads"
PADS = {"1": "usb-0000:01:00.0-1.1/input0", "2": "usb-0000:01:00.0-1.2/input0", "3": "usb-0000:01:00.0-1.3/input0"}

# linux/uinput.h and linux/input.h
SET_EVENT_BIT, SET_KEY_BIT, SET_PHYS = 0x40045564, 0x40045565, 0x4008556C
SETUP, CREATE = 0x405C5503, 0x5501
EVENT_SYN, EVENT_KEY, BUS_USB = 0, 1, 3
DIGITS = (82, 79, 80, 81, 75, 76, 77, 71, 72, 73)
CODES = {str(digit): code for digit, code in enumerate(DIGITS)}
CODES |= {"#": 96, "*": 55, "A": 98, "B": 74, "C": 78, "D": 83}

HOLD_S = 0.05
BETWEEN_S = 0.1


class Pad:
    """A plugged-in pad of one common model."""

    def __init__(self, phys):
        self.fd = os.open("/dev/uinput", os.O_WRONLY)
        fcntl.ioctl(self.fd, SET_EVENT_BIT, EVENT_KEY)
        for code in (*CODES.values(), 69, 14, 28):  # with num lock, backspace and enter, like real ones
            fcntl.ioctl(self.fd, SET_KEY_BIT, code)
        fcntl.ioctl(self.fd, SET_PHYS, phys.encode() + b"\0")
        fcntl.ioctl(
            self.fd, SETUP, struct.pack("<HHHH80sI", BUS_USB, 0x1C4F, 0x0002, 1, b"SIGMACHIP USB Keyboard", 0)
        )
        fcntl.ioctl(self.fd, CREATE)

    def press(self, key):
        for value in (1, 0):
            os.write(self.fd, struct.pack("<qqHHi", 0, 0, EVENT_KEY, CODES[key], value))
            os.write(self.fd, struct.pack("<qqHHi", 0, 0, EVENT_SYN, 0, 0))
            time.sleep(HOLD_S if value else BETWEEN_S)

    def unplug(self):
        os.close(self.fd)


def ready():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect(os.environ["NOTIFY_SOCKET"])
        manager.send(b"READY=1")


def main():
    pads = {seat: Pad(phys) for seat, phys in PADS.items()}
    if not os.path.exists(PIPE):
        os.mkfifo(PIPE, 0o600)
    pipe = os.fdopen(os.open(PIPE, os.O_RDWR))  # also for writing, so that it does not end with one writer
    ready()
    for line in pipe:
        seat, *keys = line.split()
        for key in keys:
            if key == "unplug":
                pads.pop(seat).unplug()
            elif key == "plug":
                pads[seat] = Pad(PADS[seat])
            else:
                pads[seat].press(key)


sys.exit(main())
