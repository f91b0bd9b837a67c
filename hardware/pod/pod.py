"""One pass of the main loop, in the order that the protocol promises."""

from lamp import OFF
from link import Link
from screen import LINES_MOST

FIRMWARE = "2.1"

WAIT_MS = 1


class Pod:
    """Keypad, buzzer, lamp and screen of a seat.

    `prompt` restarts the board without firmware. `key` is None if the pod was never paired; `draw` returns random
    bytes.
    """

    def __init__(self, *, identity, boot, key, draw, clock, port, buzzer, keypad, lamp, screen, prompt):
        self._clock = clock
        self._port = port
        self._buzzer = buzzer
        self._keypad = keypad
        self._lamp = lamp
        self._screen = screen
        self.prompt = prompt
        self.pressed = buzzer.pressed
        self.show = screen.show
        self.now_us = clock.now_us
        self._link = Link(identity, FIRMWARE, boot, port.send, self, key=key, draw=draw)
        self._link.hello()

    def step(self):
        """Do one pass. When a PON is sent, earlier events have been stored."""
        data = self._port.read(WAIT_MS)
        now_us = self._clock.now_us()
        self._buzzer.drain(now_us, self._edge)
        self._keypad.scan(now_us, self._key)
        self._link.poll(now_us)
        if data:
            self._link.receive(data, now_us, self._port.begun_us)
        self._port.flush()
        alone = self._link.alone(now_us)
        self._lamp.poll(now_us, alone)
        self._screen.poll(now_us, alone)

    def capabilities(self):
        screen = self._screen
        if not screen.works:
            return "BKL"
        return "BKLT" + ("W" if screen.columns >= 20 else "") + ("Q" if screen.lines >= LINES_MOST else "")

    def light(self, state):
        self._lamp.state = state

    def clear(self):
        self._lamp.state = OFF
        self._screen.clear()

    def _edge(self, t_us, level):
        self._link.event(b"BUZ", t_us, level)

    def _key(self, t_us, key):
        self._link.event(b"KEY", t_us, key)
