"""The lamp."""

OFF, ON, BLINKING = range(3)
STATES = (OFF, ON, BLINKING)
BLINK_US = 250_000


class Lamp:
    """A lamp on an output pin."""

    def __init__(self, pin):
        self._pin = pin
        self.state = OFF

    def poll(self, now_us, alone):
        """Update the pin. Without a table the lamp is off."""
        lit = self.state == ON or (self.state == BLINKING and now_us // BLINK_US % 2 == 0)
        self._pin.value(1 if lit and not alone else 0)
