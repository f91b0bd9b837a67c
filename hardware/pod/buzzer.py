"""The buzzer. Edges are stamped in the interrupt; everything slower happens in the main loop."""

from array import array

# From docs/pod-protocol.md: a contact is at rest after QUIET_US; until then at most EDGES_MAX edges are reported,
# at most BOUNCES_MAX per bounce. A level that was steady for STEADY_US is reported even without an edge.
QUIET_US = 30_000
EDGES_MAX = 48
BOUNCES_MAX = 16
STEADY_US = 1_000

# From docs/fairness.md: a contact closed for less than CLOSED_US of the first CONFIRM_US, then open, was a spike.
CONFIRM_US = 5_000
CLOSED_US = 1_000

REST_US = 10_000
"""How long the interrupt is off after too many edges, which would take all the time."""

_SLOTS = 64  # of the ring buffer; a power of two, one stays empty
_LAST = _SLOTS - 1


class Buzzer:
    """A contact to ground on a pin with pull-up.

    `irq` sets the interrupt handler and returns a function that gets or sets the trigger edges.
    """

    def __init__(self, pin, clock, ticks_us, irq):
        self._pin = pin
        self._clock = clock
        self._ticks_us = ticks_us
        self._stamps = array("I", [0] * _SLOTS)
        self._levels = bytearray(_SLOTS)
        self._write = 0  # changed only by the interrupt
        self._read = 0  # changed only by the main loop
        self._deaf = False  # the interrupt is off
        self._deaf_us = None  # since when; set by the main loop
        self._once = False  # after a rest, a chattering contact gets one edge

        self._told = self._level = self.pressed()  # held at the start is not a press
        self._edge_us = self._begin_us = -QUIET_US
        self._closed_us = 0  # in the first CONFIRM_US of the bounce
        self._bounces = 0
        self._edges = 0
        self._trigger = irq(self._edge)
        self._both = self._trigger()

    def pressed(self):
        return 1 - self._pin.value()

    def drain(self, now_us, report):
        """Call `report(t_us, level)` for new edges. `now_us` is the clock's last reading."""
        while self._read != self._write:
            t_us = self._clock.extend(self._stamps[self._read])
            level = self._levels[self._read]
            self._read = (self._read + 1) & _LAST
            self._take(t_us, level, report)
        if self._deaf:
            self._rest(now_us)
        level = self.pressed()
        if now_us - self._edge_us >= STEADY_US:
            # If the ring has newer edges, the level until then was that of the last edge.
            self._settle(now_us, level if self._read == self._write else self._level, report)

    def _edge(self, _pin):
        # In a hard interrupt: must not allocate or divide, and the timestamp comes first.
        ticks = self._ticks_us()
        slot = self._write
        following = (slot + 1) & _LAST
        if following == self._read:
            self._stop()  # the first edges are stored; the final level is read later
            return
        self._stamps[slot] = ticks
        self._levels[slot] = 1 - self._pin.value()
        self._write = following
        if self._once:
            self._stop()

    def _stop(self):
        self._trigger(0)
        self._deaf = True

    def _rest(self, now_us):
        self._edge_us = now_us  # there may have been an edge
        if self._deaf_us is None:
            self._deaf_us = now_us
        elif now_us - self._deaf_us >= REST_US:
            self._deaf, self._deaf_us = False, None
            self._once = self._edges >= EDGES_MAX
            self._trigger(self._both)
            self._level = self.pressed()

    def _take(self, t_us, level, report):
        if t_us - self._edge_us >= STEADY_US:
            self._settle(self._edge_us + STEADY_US, self._level, report)
        quiet = t_us - self._edge_us >= QUIET_US
        if quiet:
            self._edges = 0
            self._once = False
        if self._edges < EDGES_MAX:
            if quiet or self._was_spike(t_us):
                self._begin_us = t_us
                self._closed_us = self._bounces = 0
            if self._bounces < BOUNCES_MAX:
                self._tell(t_us, level, report)
            self._bounces += 1
            self._edges += 1
        else:
            self._stop()
        self._edge_us = t_us
        self._level = level

    def _was_spike(self, t_us):
        # True if the bounce up to the edge at t_us was not a press, so that this edge may begin one.
        end_us = self._begin_us + CONFIRM_US
        if self._level and self._edge_us <= end_us:
            self._closed_us += CLOSED_US if t_us > end_us else t_us - self._edge_us
        return t_us > end_us and self._closed_us < CLOSED_US

    def _settle(self, t_us, level, report):
        self._level = level
        if level != self._told:
            self._tell(t_us, level, report)

    def _tell(self, t_us, level, report):
        self._told = level
        report(t_us, level)
