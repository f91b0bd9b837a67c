"""Tests the codec on MicroPython."""

import random

from sentences import LONGEST, Reader, build, number

EXAMPLE = b"$TCTXT,1,0,Your bid^2C Anna*4366A777\r\n"  # from docs/pod-protocol.md


def test_example_of_the_page_is_built_and_read():
    assert build(b"TXT", 1, 0, "Your bid, Anna") == EXAMPLE
    assert list(Reader().feed(EXAMPLE)) == [[b"TXT", b"1", b"0", b"Your bid, Anna"]]


def test_field_can_hold_every_byte():
    for start in range(0, 256, 16):
        field = bytes(range(start, start + 16))
        assert list(Reader().feed(build(b"TXT", 7, field))) == [[b"TXT", b"7", field]]


def test_numbers_may_have_64_bits():
    assert number(str((1 << 64) - 1).encode()) == (1 << 64) - 1
    assert [number(field) for field in (b"", b"-1", b" 1", b"1_0", b"x", b"0" * 21)] == [None] * 6


def test_garbage_contains_no_sentence():
    random.seed(7)
    reader = Reader()
    alphabet = b"$*,^\r\nTCKEY0123456789ABCDEF" + bytes(range(256))
    for _ in range(2000):
        assert not list(reader.feed(bytes(random.choice(alphabet) for _ in range(64))))
    reader.feed(b"$")
    for _ in range(200):
        assert not list(reader.feed(b"A" * 50))
    assert list(reader.feed(EXAMPLE)) == [[b"TXT", b"1", b"0", b"Your bid, Anna"]]


def test_too_long_sentence_cannot_be_built():
    try:
        build(b"TXT", "x" * LONGEST)
    except ValueError as error:
        assert "120" in str(error)
    else:
        raise AssertionError
