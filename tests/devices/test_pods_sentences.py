"""Sentences: what is written is read, and nothing else is."""

import random
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.pods.sentences import LONGEST, Reader, Sentence, sentence

KINDS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=3)
FIELDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=2), max_size=3)


def read(data: bytes) -> list[Sentence]:
    return Reader().feed(data)


def checked(body: bytes) -> bytes:
    return b"$%s*%08X\r\n" % (body, crc32(body))


def test_a_sentence_as_the_protocol_writes_it() -> None:
    written = sentence("TXT", 1, 0, "Your bid, Anna").encode()
    assert written == b"$TCTXT,1,0,Your bid^2C Anna*%08X\r\n" % crc32(b"TCTXT,1,0,Your bid^2C Anna")
    assert read(written) == [Sentence("TXT", ("1", "0", "Your bid, Anna"))]


@given(KINDS, FIELDS)
def test_what_is_written_is_read(kind: str, fields: list[str]) -> None:
    one = Sentence(kind, tuple(fields))
    assert all(byte in range(32, 127) for byte in one.encode()[:-2])
    assert read(one.encode()) == [one]


@given(st.lists(st.binary(max_size=40), max_size=10), KINDS, FIELDS)
def test_however_bytes_are_cut_and_whatever_comes_before(pieces: list[bytes], kind: str, fields: list[str]) -> None:
    one = Sentence(kind, tuple(fields))
    reader = Reader()
    for piece in pieces:
        reader.feed(piece)
    found = [heard for byte in one.encode() for heard in reader.feed(bytes([byte]))]
    assert found == [one]


@pytest.mark.parametrize(
    "body",
    [b"TCAC", b"TCACKS", b"TCack", b"GPACK,1", b"TCACK,^", b"TCACK,^2", b"TCACK,^2c", b"TCACK,\xff", b"TCACK,\x01"],
)
def test_a_malformed_sentence_with_a_right_check_is_dropped(body: bytes) -> None:
    assert read(checked(b"TCACK,1")) == [Sentence("ACK", ("1",))]
    assert read(checked(body)) == []


def test_a_check_in_small_letters_or_with_another_length_is_dropped() -> None:
    whole = checked(b"TCACK,1")
    assert read(whole.lower()) == []
    assert read(whole.replace(b"\r", b"0\r")) == []
    assert read(whole[:-3] + b"\r\n") == []


def test_every_flipped_bit_and_every_swap_of_neighbours_is_noticed() -> None:
    whole = sentence("KEY", 1, 1830422, 5).encode()
    key = Sentence("KEY", ("1", "1830422", "5"))
    for place in range(len(whole) - 2):
        for bit in range(8):
            flipped = bytearray(whole)
            flipped[place] ^= 1 << bit
            assert read(bytes(flipped)) == []
        swapped = bytearray(whole)
        swapped[place], swapped[place + 1] = whole[place + 1], whole[place]
        assert read(bytes(swapped)) == ([key] if swapped == whole else [])


def test_a_sentence_has_a_longest_length() -> None:
    room = LONGEST - len("$TCTXT,1,0,*00000000")
    longest = sentence("TXT", 1, 0, "x" * room)
    assert read(longest.encode()) == [longest]
    with pytest.raises(ValueError, match="at most 120"):
        sentence("TXT", 1, 0, "x" * (room + 1)).encode()
    assert read(checked(b"TCTXT,1,0," + b"x" * (room + 1))) == []


def test_a_begun_sentence_ends_with_the_next_dollar() -> None:
    assert read(b"$TCKEY,1,18" + checked(b"TCACK,1")) == [Sentence("ACK", ("1",))]


@pytest.mark.soak
def test_random_bytes_are_no_sentence(soak_count) -> None:
    luck = random.Random("bytes")
    reader = Reader()
    for _ in range(soak_count(10_000)):
        noise = luck.randbytes(200)
        likely = bytes(luck.choice(b"$TCKEYPON*,^0123456789ABCDEF\r\n") for _ in range(200))
        assert reader.feed(noise + likely) == []


def test_no_repr_tells_what_a_private_screen_shows_or_what_was_keyed():
    for one in (sentence("TXT", 1, 0, "Bid 40"), sentence("KEY", 1, 5, "7")):
        assert "40" not in repr(one)
        assert "'7'" not in repr(one)
