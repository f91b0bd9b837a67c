"""The private screen of two or four lines, and its drivers."""

import time

LINES_MOST = 4
PIECE = 2
"""Characters per pass of the main loop: displays are slow, and pings must not wait."""

RETRY_US = 1_000_000
NO_TABLE = b"No table"

_MARKED = "äàâáãåçéèêëîïíìñöôóòõøüûúùýÿÄÀÂÁÇÉÈÊËÎÏÖÔÓÜÛÚß’‘“”«»–—×\u00a0\u202f"
_PLAIN = b'aaaaaaceeeeiiiinoooooouuuuyyAAAACEEEEIIOOOUUUs\'\'""""--x  '

# Each bit of a nibble doubled.
_STRETCHED = bytes(sum(3 << 2 * bit for bit in range(4) if nibble >> bit & 1) for nibble in range(16))

# Bits of the PCF8574.
_ENABLE = 0x04
_LIGHT = 0x08


def fold(text, columns=16):
    """Convert UTF-8 to `columns` ASCII characters."""
    try:
        letters = text.decode().replace("œ", "oe").replace("Œ", "OE")
    except UnicodeError:
        letters = "?"
    line = bytearray(b" " * columns)
    for column, letter in enumerate(letters[:columns]):
        at = _MARKED.find(letter)
        line[column] = ord(letter) if " " <= letter <= "~" else _PLAIN[at] if at >= 0 else ord("?")
    return line


class Screen:
    """Updates a display, a few characters at a time. The driver may be None."""

    def __init__(self, driver):
        self._driver = driver
        self.columns = driver.columns if driver else 16
        self.lines = driver.lines if driver else 2
        self._texts = [b""] * self.lines
        self._wanted = [fold(b"", self.columns) for _ in self._texts]
        self._shown = [bytearray(self.columns) for _ in self._texts]
        self._alone = False
        self._retry_us = None
        self.works = driver is not None and self._start()

    def show(self, line, text):
        """Set a line, if the display has it."""
        if line < self.lines:
            self._texts[line] = text
            self._want()

    def clear(self):
        self._texts = [b""] * self.lines
        self._want()

    def poll(self, now_us, alone):
        """Draw the next difference. A failed display is restarted after a second."""
        if self._driver is None:
            return
        if alone != self._alone:
            self._alone = alone
            self._want()
        if not self.works:
            self._revive(now_us)
            return
        try:
            self._draw()
        except OSError:  # not answering; HEL has no T until it does
            self.works = False
            self._retry_us = now_us + RETRY_US

    def _want(self):
        for line, text in enumerate(self._texts):
            alone = b"" if line else NO_TABLE
            self._wanted[line] = fold(alone if self._alone else text, self.columns)

    def _revive(self, now_us):
        if self._retry_us is None or now_us >= self._retry_us:
            self._retry_us = now_us + RETRY_US
            self.works = self._start()

    def _start(self):
        try:
            self._driver.start()
        except OSError:
            return False
        self._shown = [bytearray(b" " * self.columns) for _ in self._texts]
        return True

    def _draw(self):
        for line in range(self.lines):
            wanted, shown = self._wanted[line], self._shown[line]
            if wanted == shown:
                continue
            for column in range(self.columns):
                if wanted[column] != shown[column]:
                    piece = bytes(wanted[column : column + PIECE])
                    self._driver.write(line, column, piece)
                    shown[column : column + PIECE] = piece
                    return


class Lcd:
    """An HD44780 of 16 x 2 or 20 x 4 on a PCF8574: P0 RS, P1 RW, P2 E, P3 light, P4 to P7 data."""

    def __init__(self, i2c, address, columns=16, lines=2):
        self.columns = columns
        self.lines = lines
        self._i2c = i2c
        self._address = address

    def start(self):
        """Initialize and clear it. Raises OSError if it does not answer."""
        self._i2c.writeto(self._address, bytes((_LIGHT,)))  # fails at once if it is missing
        time.sleep_ms(50)  # after power-up
        for pause_ms in (5, 1, 1):
            self._nibble(0x30)  # three times, to leave any mode
            time.sleep_ms(pause_ms)
        self._nibble(0x20)
        for command in (0x28, 0x0C, 0x06, 0x01):
            self._byte(command, 0)
        time.sleep_ms(2)  # for clearing

    def write(self, line, column, text):
        # Lines 3 and 4 continue lines 1 and 2 in memory.
        self._byte(0x80 | (line % 2 * 0x40 + line // 2 * self.columns + column), 0)
        for letter in text:
            self._byte(letter, 1)

    def _byte(self, value, register):
        self._nibble(value & 0xF0 | register)
        self._nibble(value << 4 & 0xF0 | register)

    def _nibble(self, lines):
        # Data is read when E falls. A byte on the bus takes longer than the command in it.
        self._i2c.writeto(self._address, bytes((lines | _LIGHT | _ENABLE, lines | _LIGHT)))


class Oled:
    """An SSD1306 of 128 x 32 or 128 x 64. Characters are MicroPython's 8 x 8 font, stretched to 8 x 16."""

    columns = 16

    def __init__(self, i2c, address, height):
        import framebuf  # noqa: PLC0415 - only boards with displays have it

        self.lines = height // 16
        self._i2c = i2c
        self._address = address
        self._height = height
        self._cell = bytearray(8)
        self._canvas = framebuf.FrameBuffer(self._cell, 8, 8, framebuf.MONO_VLSB)

    def start(self):
        """Initialize and clear it. Raises OSError if it does not answer."""
        comb = 0x02 if self._height == 32 else 0x12
        self._commands(0xAE, 0xD5, 0x80, 0xA8, self._height - 1, 0xD3, 0x00, 0x40)  # off, clock, rows, no offset
        self._commands(0x8D, 0x14, 0x20, 0x00, 0xA1, 0xC8, 0xDA, comb)  # charge pump, addressing, not mirrored
        self._commands(0x81, 0x8F, 0xD9, 0xF1, 0xDB, 0x40, 0xA4, 0xA6)  # contrast, timing, picture from memory
        self._window(0, self._height // 8 - 1, 0, 127)
        for _ in range(self._height // 8):
            self._i2c.writeto(self._address, b"\x40" + bytes(128))
        self._commands(0xAF)

    def write(self, line, column, text):
        page = 2 * line
        for at, letter in enumerate(text, column):
            self._canvas.fill(0)
            self._canvas.text(chr(letter), 0, 0)
            self._window(page, page + 1, 8 * at, 8 * at + 7)
            upper = bytes([_STRETCHED[stripe & 15] for stripe in self._cell])
            lower = bytes([_STRETCHED[stripe >> 4] for stripe in self._cell])
            self._i2c.writeto(self._address, b"\x40" + upper + lower)

    def _window(self, first_page, last_page, first_column, last_column):
        self._commands(0x21, first_column, last_column, 0x22, first_page, last_page)

    def _commands(self, *commands):
        self._i2c.writeto(self._address, b"\x00" + bytes(commands))
