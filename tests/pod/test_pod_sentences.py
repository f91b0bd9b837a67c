"""Tests the firmware's codec."""

import re
import tracemalloc
from pathlib import Path

import pytest
import sentences
from hypothesis import assume, example, given
from hypothesis import strategies as st

PAGE = Path(__file__).parents[2] / "docs" / "pod-protocol.md"
EXAMPLES = re.findall(r"^(?:host|pod) +(\$.+)$", PAGE.read_text("utf-8"), re.MULTILINE)

kinds = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=3, max_size=3).map(str.encode)
fields = st.lists(st.binary(max_size=8), max_size=3)


def read(data):
    return list(sentences.Reader().feed(data))


@given(kinds, fields)
def test_parsing_returns_the_built_sentence(kind, values):
    assert read(sentences.build(kind, *values)) == [[kind, *values]]


@given(st.lists(st.tuples(kinds, fields), max_size=4), st.data())
def test_split_sentences_are_found_after_other_bytes(said, data):
    stream = data.draw(st.binary(max_size=200)) + b"".join(sentences.build(kind, *values) for kind, values in said)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    reader = sentences.Reader()
    heard = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        heard += reader.feed(stream[start:end])
    assert heard == [[kind, *values] for kind, values in said]


@given(kinds, fields, st.data())
def test_damaged_sentence_is_rejected(kind, values, data):
    whole = sentences.build(kind, *values)
    places = st.integers(0, len(whole) - 3)
    low, high = sorted((data.draw(places), data.draw(places)))
    swapped = bytearray(whole)
    swapped[low], swapped[high] = swapped[high], swapped[low]
    flipped = bytearray(whole)
    flipped[low] = data.draw(st.integers(0, 255))
    lost = whole[:low] + whole[high:]
    doubled = whole[:high] + whole[low:]
    damaged = bytes(data.draw(st.sampled_from((flipped, lost, doubled, swapped))))
    assume(whole.rstrip() not in damaged)
    assert read(damaged) == []


@given(st.binary(max_size=300))
@example(b"$TCHEY*\r\n$*\r$\r$TC,*00000000\r")
def test_arbitrary_bytes_cause_neither_sentence_nor_error(noise):
    assert read(noise) == []


@pytest.mark.parametrize(
    "body",
    [
        b"TCHE,1",  # a kind of two letters
        b"TCHey,1",
        b"XXHEY,1",
        b"TCHEY,^",
        b"TCHEY,^4",
        b"TCHEY,^4g",
        b"TCHEY,^4a",  # capitals only
        b"TCHEY,1*2",
        b"TCHEY,\xe4",
        b"TCHEY,\x07",
        b"TCHEY,^41*",
        b"",
    ],
)
def test_malformed_sentence_with_valid_checksum_is_rejected(body):
    assert read(b"$" + body + b"*" + b"%08X" % sentences.binascii.crc32(body) + b"\r\n") == []


def test_truncated_sentence_does_not_swallow_the_next():
    whole = sentences.build(b"PNG", 1)
    assert read(whole[:-4] + whole) == [[b"PNG", b"1"]]


def test_sentence_may_have_120_characters():
    text = "x" * (sentences.LONGEST - len("$TCTXT,*00000000"))
    longest = sentences.build(b"TXT", text)
    assert len(longest) == 120 + len("\r\n")
    assert read(longest) == [[b"TXT", text.encode()]]
    with pytest.raises(ValueError, match="has 121 characters, at most 120 are allowed"):
        sentences.build(b"TXT", text + "x")
    body = longest[1 : -len("*00000000\r\n")] + b"x"
    assert read(b"$" + body + b"*" + b"%08X" % sentences.binascii.crc32(body) + b"\r\n") == []


def test_endless_line_takes_no_memory():
    reader = sentences.Reader()
    noise = b"$" + b"A" * 999
    tracemalloc.start()
    try:
        for _ in range(100):
            assert not list(reader.feed(noise))
        assert tracemalloc.get_traced_memory()[1] < 5_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_of_the_page_are_sentences(line):
    (kind, *values), *more = read(line.encode() + b"\r\n")
    assert not more
    assert sentences.build(kind, *values) == line.encode() + b"\r\n"


def test_page_has_examples():
    assert len(EXAMPLES) >= 9
