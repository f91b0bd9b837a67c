"""The lamp: off, on or blinking."""

OFF, ON, BLINKING = range(3)
STATES = (OFF, ON, BLINKING)
BLINK_US = 250_000


class Lamp:
    """A lamp at an output pin."""

    def __init__(self, pin):
        self._pin = pin
        self.state = OFF

    def poll(self, now_us, alone):
        """Bring the pin to what the state asks for now; without a table it is dark."""
        lit = self.state == ON or (self.state == BLINKING and now_us // BLINK_US % 2 == 0)
        self._pin.value(1 if lit and not alone else 0)
