"""The buzzer: its edges are stamped in the pin's interrupt, everything slower happens in the main loop."""

from array import array

# As docs/pod-protocol.md has them: a contact that is quiet for so long has come to rest; until then so many edges
# are told at most, and so many of one bounce; and a level that was not told, when it was steady for so long.
QUIET_US = 30_000
EDGES_MAX = 48
BOUNCES_MAX = 16
STEADY_US = 1_000

# As docs/fairness.md has them: what was closed for less of the time after its first edge, and is open, was a spike.
CONFIRM_US = 5_000
CLOSED_US = 1_000

REST_US = 10_000
"""So long nobody listens to a contact that has more edges than are told, or than the ring has room for before the
main loop comes: it would leave no time for anything else."""

_SLOTS = 64  # of the ring, a power of two; one stays empty
_LAST = _SLOTS - 1


class Buzzer:
    """A contact to ground at a pin with pull-up.

    `irq` arms the interrupt with the handler it is given, and returns what tells and sets which edges it has.
    """

    def __init__(self, pin, clock, ticks_us, irq):
        self._pin = pin
        self._clock = clock
        self._ticks_us = ticks_us
        self._stamps = array("I", [0] * _SLOTS)
        self._levels = bytearray(_SLOTS)
        self._write = 0  # moved by the interrupt only
        self._read = 0  # moved by the main loop only
        self._deaf = False  # the interrupt is off
        self._deaf_us = None  # since when, as far as the main loop knows
        self._once = False  # of a contact that chatters each rest is followed by one edge

        self._told = self._level = self.pressed()  # held at the start it is no press
        self._edge_us = self._begin_us = -QUIET_US
        self._closed_us = 0  # since the bounce has begun, for CONFIRM_US
        self._bounces = 0
        self._edges = 0
        self._trigger = irq(self._edge)
        self._both = self._trigger()

    def pressed(self):
        """Return 1 while the contact is closed, else 0."""
        return 1 - self._pin.value()

    def drain(self, now_us, report):
        """Call `report(t_us, level)` for what happened since; `now_us` is the clock's last reading."""
        while self._read != self._write:
            t_us = self._clock.extend(self._stamps[self._read])
            level = self._levels[self._read]
            self._read = (self._read + 1) & _LAST
            self._take(t_us, level, report)
        if self._deaf:
            self._rest(now_us)
        level = self.pressed()
        if now_us - self._edge_us >= STEADY_US:
            # An edge since then is in the ring by now; until it the level was that after the last one.
            self._settle(now_us, level if self._read == self._write else self._level, report)

    def _edge(self, _pin):
        # In a hard interrupt: nothing here may allocate or divide, and the stamp comes before everything else.
        ticks = self._ticks_us()
        slot = self._write
        following = (slot + 1) & _LAST
        if following == self._read:
            self._stop()  # the first edges of a bounce are kept, the level at its end is read
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
        self._edge_us = now_us  # as if there had been one: nobody knows
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
        # With the edge at t_us, is what has begun known to be no press? Then that edge may be the first of one.
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
