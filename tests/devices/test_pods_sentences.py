"""Tests encoding and parsing the sentences between pods and host."""

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


def test_sentence_is_encoded_as_the_protocol_says() -> None:
    written = sentence("TXT", 1, 0, "Your bid, Anna").encode()
    assert written == b"$TCTXT,1,0,Your bid^2C Anna*%08X\r\n" % crc32(b"TCTXT,1,0,Your bid^2C Anna")
    assert read(written) == [Sentence("TXT", ("1", "0", "Your bid, Anna"))]


@given(KINDS, FIELDS)
def test_parsing_returns_the_encoded_sentence(kind: str, fields: list[str]) -> None:
    one = Sentence(kind, tuple(fields))
    assert all(byte in range(32, 127) for byte in one.encode()[:-2])
    assert read(one.encode()) == [one]


@given(st.lists(st.binary(max_size=40), max_size=10), KINDS, FIELDS)
def test_split_sentence_is_found_after_other_bytes(pieces: list[bytes], kind: str, fields: list[str]) -> None:
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
def test_malformed_sentence_with_valid_checksum_is_dropped(body: bytes) -> None:
    assert read(checked(b"TCACK,1")) == [Sentence("ACK", ("1",))]
    assert read(checked(body)) == []


def test_lower_case_or_misplaced_checksum_is_dropped() -> None:
    whole = checked(b"TCACK,1")
    assert read(whole.lower()) == []
    assert read(whole.replace(b"\r", b"0\r")) == []
    assert read(whole[:-3] + b"\r\n") == []


def test_flipped_bits_and_swapped_bytes_are_detected() -> None:
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


def test_too_long_sentence_is_neither_written_nor_read() -> None:
    room = LONGEST - len("$TCTXT,1,0,*00000000")
    longest = sentence("TXT", 1, 0, "x" * room)
    assert read(longest.encode()) == [longest]
    with pytest.raises(ValueError, match="at most 120"):
        sentence("TXT", 1, 0, "x" * (room + 1)).encode()
    assert read(checked(b"TCTXT,1,0," + b"x" * (room + 1))) == []


def test_next_dollar_ends_an_unfinished_sentence() -> None:
    assert read(b"$TCKEY,1,18" + checked(b"TCACK,1")) == [Sentence("ACK", ("1",))]


@pytest.mark.soak
def test_random_bytes_contain_no_sentence(soak_count) -> None:
    luck = random.Random("bytes")
    reader = Reader()
    for _ in range(soak_count(10_000)):
        noise = luck.randbytes(200)
        likely = bytes(luck.choice(b"$TCKEYPON*,^0123456789ABCDEF\r\n") for _ in range(200))
        assert reader.feed(noise + likely) == []


def test_repr_hides_private_text_and_keys():
    for one in (sentence("TXT", 1, 0, "Bid 40"), sentence("KEY", 1, 5, "7")):
        assert "40" not in repr(one)
        assert "'7'" not in repr(one)
