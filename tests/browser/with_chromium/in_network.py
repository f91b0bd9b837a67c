"""One end of a test network: `table [TUNNEL]` prints its code and presses, `phone CODE` sits down.

It is a separate program because a network namespace belongs to a process.
"""

import fcntl
import os
import struct
import sys

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.place import Place
from companion.core.signal import Signal
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from tests.browser.with_chromium.chromium import Phone
from tests.browser.with_chromium.page import wait_for

FIRST = Place(0)
TUNSETIFF, TUN = 0x400454CA, 0x1001


def table(tunnel: str = "") -> None:
    """Open a table to phones until standard input ends; hold a VPN's tunnel if named."""
    if tunnel:
        held = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(held, TUNSETIFF, struct.pack("16sH22x", tunnel.encode(), TUN))
    phones = Phones(PhoneOptions(on=True), heard, MonotonicClock())
    phones.watch()
    print(phones.invite([FIRST])[FIRST].address, flush=True)
    sys.stdin.read()
    phones.close()


def heard(signal: Signal) -> None:
    if signal.control == BUZZ and signal.pressed:
        print("pressed", flush=True)


def phone(code: str) -> None:
    with Phone(code) as page:
        page.sits().press(BUZZ)
        wait_for(lambda: page.of("JSON.parse(sessionStorage.events).kept.length") == 0, "being heard")


if __name__ == "__main__":
    {"table": table, "phone": phone}[sys.argv[1]](*sys.argv[2:])
