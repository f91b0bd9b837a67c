"""A stand-in for MicroPython's module `machine`."""

import micropython


class Reset(BaseException):
    """Raised instead of a restart."""


class Pin:
    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP = 1
    IRQ_FALLING, IRQ_RISING = 4, 8
    made = {}

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.mode, self.pull = mode, pull
        self.level = 1 if value is None and pull == self.PULL_UP else value or 0
        self.handler = None
        self.sense = None  # returns the level of a keypad's column
        Pin.made[number] = self

    def value(self, level=None):
        if level is None:
            return self.level if self.sense is None else self.sense()
        self.level = level
        return None

    def irq(self, handler, trigger, hard=False):
        assert hard and trigger == self.IRQ_FALLING | self.IRQ_RISING
        self.handler = handler
        self.edges = trigger
        return self

    def trigger(self, edges=None):
        """Return or set the edges that interrupt."""
        told, self.edges = self.edges, self.edges if edges is None else edges
        return told

    def drive(self, level):
        """Change the level from outside; the interrupt may not allocate."""
        self.level = level
        if not self.edges:
            return
        micropython.heap_lock()
        try:
            self.handler(self)
        finally:
            micropython.heap_unlock()


class I2C:
    last = None

    def __init__(self, _bus, sda, scl, freq):
        self.pins, self.freq = (sda, scl), freq
        self.sent = []
        self.present = True
        I2C.last = self

    def writeto(self, address, data):
        if not self.present:
            raise OSError(5)
        self.sent.append((address, bytes(data)))
        return len(data)


class WDT:
    last = None

    def __init__(self, timeout):
        self.timeout = timeout
        self.fed = 0
        WDT.last = self

    def feed(self):
        self.fed += 1


class Registers:
    """Those of the chip, which keep their value over a reset; all are 0 when the power comes on."""

    def __init__(self):
        self.set = {}

    def __getitem__(self, address):
        return self.set.get(address, 0)

    def __setitem__(self, address, value):
        self.set[address] = value


mem32 = Registers()


def unique_id():
    return bytes((0xE6, 0x61, 0x18, 0x60, 0x4B, 0x3A, 0x5C, 0x21))


def reset():
    raise Reset
