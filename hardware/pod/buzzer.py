"""The buzzer: its edges are stamped in the pin's interrupt, everything slower happens in the main loop."""

from array import array

# As docs/pod-protocol.md has them: a contact that is quiet for so long has come to rest, and of one bounce so many
# edges are told at most.
QUIET_US = 30_000
BOUNCES_MAX = 8
_SLOTS = 64  # of the ring; one stays empty


class Buzzer:
    """A contact to ground at a pin with pull-up. `irq` arms the interrupt with the handler it is given."""

    def __init__(self, pin, clock, ticks_us, irq):
        self._pin = pin
        self._clock = clock
        self._ticks_us = ticks_us
        self._stamps = array("I", [0] * _SLOTS)
        self._levels = bytearray(_SLOTS)
        self._write = 0  # moved by the interrupt only
        self._read = 0  # moved by the main loop only
        self._overrun = False

        self._told = self._level = self.pressed()  # held at the start it is no press
        self._edge_us = -QUIET_US
        self._bounces = 0
        irq(self._edge)

    def pressed(self):
        """Return 1 while the contact is closed, else 0."""
        return 1 - self._pin.value()

    def drain(self, now_us, report):
        """Call `report(t_us, level)` for what happened since; `now_us` is the clock's last reading."""
        while self._read != self._write:
            t_us = self._clock.extend(self._stamps[self._read])
            level = self._levels[self._read]
            self._read = (self._read + 1) % _SLOTS
            self._take(t_us, level, report)
        if self._overrun:
            self._overrun = False
            self._edge_us = now_us
        level = self.pressed()
        # An edge since then is in the ring by now: it comes first, with its own stamp.
        if self._read == self._write and now_us - self._edge_us >= QUIET_US:
            self._settle(now_us, level, report)

    def _edge(self, _pin):
        # In a hard interrupt: nothing here may allocate, and the stamp comes before everything else.
        ticks = self._ticks_us()
        slot = self._write
        following = (slot + 1) % _SLOTS
        if following == self._read:
            self._overrun = True  # the first edges of a bounce are kept, the level at its end is read
            return
        self._stamps[slot] = ticks
        self._levels[slot] = 1 - self._pin.value()
        self._write = following

    def _take(self, t_us, level, report):
        if t_us - self._edge_us >= QUIET_US:
            self._settle(self._edge_us + QUIET_US, self._level, report)
            self._bounces = 0
            level_to_tell = 1 - self._told  # whatever the pin says microseconds later, it left this level
        else:
            level_to_tell = level
        if self._bounces < BOUNCES_MAX:
            self._tell(t_us, level_to_tell, report)
        self._bounces += 1
        self._edge_us = t_us
        self._level = level

    def _settle(self, t_us, level, report):
        self._level = level
        if level != self._told:
            self._tell(t_us, level, report)

    def _tell(self, t_us, level, report):
        self._told = level
        report(t_us, level)
