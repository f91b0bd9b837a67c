"""The keypad: a matrix of contacts without diodes, scanned row by row."""

SCAN_US = 5_000
"""The quickest finger is seen by several scans, and between two of them the loop has time for the line."""

RELEASE_US = 20_000
"""A key that opened for a shorter time has bounced."""

HELD_MAX = 2
"""With three keys held a matrix without diodes shows a fourth that nobody presses."""


class Keypad:
    """Rows are open-drain outputs that float at 1, columns inputs with pull-up; `keys` has a word for each row."""

    def __init__(self, rows, columns, keys):
        self._rows = rows
        self._columns = columns
        self._keys = "".join(keys)
        self._seen_us = [-RELEASE_US] * len(self._keys)
        self._scanned_us = -SCAN_US

    def scan(self, now_us, report):
        """Call `report(t_us, key)` when a key was pressed; two that close in one scan are not guessed."""
        if now_us - self._scanned_us < SCAN_US:
            return
        self._scanned_us = now_us
        held = self._held()
        new = [at for at in held if now_us - self._seen_us[at] >= RELEASE_US]
        for at in held:
            self._seen_us[at] = now_us
        # Read twice: what is gone a moment later was a disturbance, and a key cannot be taken back.
        if len(new) == 1 and len(held) <= HELD_MAX and self._held() == held:
            report(now_us, self._keys[new[0]])

    def _held(self):
        held = []
        for row, pin in enumerate(self._rows):
            pin.value(0)  # the interpreter takes longer than the lines need to settle
            for column, sense in enumerate(self._columns):
                if not sense.value():
                    held.append(row * len(self._columns) + column)
            pin.value(1)
        return held
