"""Tests the screen drivers on simulated displays."""

import time

import framebuf
from machine import I2C
from screen import RETRY_US, Lcd, Oled, Screen, fold


def lcd_text(i2c, columns=16, starts=(0, 0x40)):
    """Return what an HD44780 shows; it reads a nibble when E falls."""
    memory = {}
    nibbles = []
    enabled, four_bits, address = False, False, 0
    for _, data in i2c.sent:
        for byte in data:
            if enabled and not byte & 4:
                nibbles.append((byte >> 4, byte & 1))
            enabled = bool(byte & 4)
    while nibbles:
        high, register = nibbles.pop(0)
        if not four_bits:
            four_bits = high == 2
            continue
        low, _ = nibbles.pop(0)
        value = high << 4 | low
        if register:
            memory[address] = value
            address += 1
        elif value & 0x80:
            address = value & 0x7F
        elif value == 1:
            memory = {}
    return [bytes(memory.get(start + at, 32) for at in range(columns)) for start in starts]


def oled_pages(i2c, height):
    """Return the pages of an SSD1306's memory."""
    pages = [bytearray(b"\xaa" * 128) for _ in range(height // 8)]
    window = (0, 127, 0, 7)
    page = column = 0
    for _, data in i2c.sent:
        if data[0] == 0 and len(data) == 7 and data[1] == 0x21:
            window = (data[2], data[3], data[5], data[6])
            column, page = window[0], window[2]
        elif data[0] == 0x40:
            for byte in data[1:]:
                pages[page][column] = byte
                column += 1
                if column > window[1]:
                    column = window[0]
                    page += 1
    return pages


def drawn(screen):
    for now_us in range(20):
        screen.poll(now_us, False)


def test_text_is_plain_ascii_16_wide():
    assert fold("Böse Bübén: ½".encode()) == b"Bose Buben: ?   "
    assert fold(b"\xff\xfe") == b"?               "
    assert fold(b"0123456789abcdefXYZ") == b"0123456789abcdef"


def test_lcd_shows_two_lines_and_sends_only_changes():
    bus = I2C(0, 16, 17, 100_000)
    screen = Screen(Lcd(bus, 0x27))
    screen.show(0, b"Your bid, Anna")
    screen.show(1, "5 und löse ein".encode())
    drawn(screen)
    assert lcd_text(bus) == [b"Your bid, Anna  ", b"5 und lose ein  "]
    before = len(bus.sent)
    drawn(screen)
    assert len(bus.sent) == before, "nothing is sent when nothing changed"
    screen.show(1, b"")
    drawn(screen)
    assert lcd_text(bus) == [b"Your bid, Anna  ", b" " * 16]
    assert {address for address, _ in bus.sent} == {0x27}


def test_one_pass_sends_a_small_piece():
    bus = I2C(0, 16, 17, 100_000)
    screen = Screen(Lcd(bus, 0x27))
    screen.show(0, b"0123456789abcdef")
    bus.sent.clear()
    screen.poll(0, False)
    assert sum(len(data) for _, data in bus.sent) <= 20


def test_lcd_of_four_lines_shows_all():
    bus = I2C(0, 16, 17, 100_000)
    screen = Screen(Lcd(bus, 0x27, 20, 4))
    lines = [b"Keys 1-5: cards 1 2", b"5 10 20; # locks", b"hand 152 (2x20 4x10", b"8x5 12x2 4x1), or so"]
    for line, text in enumerate(lines):
        screen.show(line, text)
    for now_us in range(40):
        screen.poll(now_us, False)
    # Start addresses of the lines of an HD44780 with 20 x 4.
    assert lcd_text(bus, 20, (0, 0x40, 0x14, 0x54)) == [fold(text, 20) for text in lines]
    for now_us in range(40):
        screen.poll(now_us, True)
    assert lcd_text(bus, 20, (0, 0x40, 0x14, 0x54)) == [fold(b"No table", 20)] + [b" " * 20] * 3


def test_line_beyond_the_display_stays_dark():
    bus = I2C(0, 16, 17, 100_000)
    screen = Screen(Lcd(bus, 0x27))
    screen.show(2, b"third")
    screen.show(3, b"fourth")
    drawn(screen)
    assert lcd_text(bus) == [b" " * 16] * 2


def check_oled(height, first_line):
    bus = I2C(0, 16, 17, 400_000)
    screen = Screen(Oled(bus, 0x3C, height))
    first_page = 2 * first_line
    screen.show(first_line, b"A g")
    screen.show(first_line + 1, b"            0123")
    drawn(screen)
    pages = oled_pages(bus, height)
    for line, text in enumerate(("A g             ", "            0123")):
        small = bytearray(128)
        framebuf.FrameBuffer(small, 128, 8, framebuf.MONO_VLSB).text(text, 0, 0)
        for column in range(128):
            stripe = pages[first_page + 2 * line][column] | pages[first_page + 2 * line + 1][column] << 8
            for row in range(16):
                assert stripe >> row & 1 == small[column] >> row // 2 & 1, (text, column, row)
    rest = [page for at, page in enumerate(pages) if not first_page <= at < first_page + 4]
    assert all(page == bytes(128) for page in rest), "the rest is dark, whatever was in its memory"


def test_oled_letters_have_double_height():
    check_oled(32, 0)


def test_tall_oled_has_four_lines():
    for first_line in (0, 1, 2):
        check_oled(64, first_line)


def test_missing_lcd_costs_no_wait():
    bus = I2C(0, 16, 17, 100_000)
    bus.present = False
    waits, sleep_ms = [], time.sleep_ms
    time.sleep_ms = waits.append
    try:
        assert not Screen(Lcd(bus, 0x27)).works
        assert waits == []
        bus.present = True
        assert Screen(Lcd(bus, 0x27)).works
        assert sum(waits) >= 50
    finally:
        time.sleep_ms = sleep_ms


def test_no_table_is_shown_and_text_returns():
    bus = I2C(0, 16, 17, 100_000)
    screen = Screen(Lcd(bus, 0x27))
    screen.show(0, b"Your bid")
    screen.show(1, b"12")
    for alone, lines in ((True, (b"No table", b"")), (False, (b"Your bid", b"12"))):
        for now_us in range(20):
            screen.poll(now_us, alone)
        assert lcd_text(bus) == [fold(line) for line in lines]


def test_failed_screen_is_announced_and_restarted():
    bus = I2C(0, 16, 17, 100_000)
    screen = Screen(Lcd(bus, 0x27))
    assert screen.works
    bus.present = False
    screen.show(0, b"lost")
    screen.poll(1000, False)
    assert not screen.works
    bus.present = True
    bus.sent.clear()
    screen.poll(2000, False)
    assert not screen.works and not bus.sent, "not tried at every pass"
    screen.poll(1000 + RETRY_US, False)
    assert screen.works
    drawn(screen)
    assert lcd_text(bus)[0] == b"lost            "


def test_pod_without_a_screen_accepts_texts():
    screen = Screen(None)
    assert not screen.works
    screen.show(0, b"nobody sees it")
    screen.poll(0, False)
