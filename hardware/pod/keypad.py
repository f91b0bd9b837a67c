"""The keypad: a key matrix without diodes."""

SCAN_US = 5_000
"""Several scans per press, with time for the line between them."""

RELEASE_US = 20_000
"""Shorter openings are bounce."""

HELD_MAX = 2
"""With three keys held, a matrix without diodes shows a fourth."""


class Keypad:
    """Rows are open-drain outputs, columns inputs with pull-up; `keys` has a string per row."""

    def __init__(self, rows, columns, keys):
        self._rows = rows
        self._columns = columns
        self._keys = "".join(keys)
        self._seen_us = [-RELEASE_US] * len(self._keys)
        self._scanned_us = -SCAN_US

    def scan(self, now_us, report):
        """Call `report(t_us, key)` for a new press. Two in one scan are ignored."""
        if now_us - self._scanned_us < SCAN_US:
            return
        self._scanned_us = now_us
        held = self._held()
        new = [at for at in held if now_us - self._seen_us[at] >= RELEASE_US]
        for at in held:
            self._seen_us[at] = now_us
        # Read twice to filter interference: a reported key cannot be withdrawn.
        if len(new) == 1 and len(held) <= HELD_MAX and self._held() == held:
            report(now_us, self._keys[new[0]])

    def _held(self):
        held = []
        for row, pin in enumerate(self._rows):
            pin.value(0)  # the lines settle faster than the interpreter runs
            for column, sense in enumerate(self._columns):
                if not sense.value():
                    held.append(row * len(self._columns) + column)
            pin.value(1)
        return held
