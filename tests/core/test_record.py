"""Records: printing, parsing, and errors that name the line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import RecordError
from companion.core.record import (
    Entry,
    Record,
    parse_entry,
    parse_record,
    parse_tag,
    print_record,
    print_tag,
    without_remark,
)

names = st.from_regex(re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,12}"), fullmatch=True)
values = st.text() | st.text('"\\;[]{}\n\r\tnrt#', max_size=12)
comments = st.text(st.characters(exclude_characters="{}\n", exclude_categories=["Cs"])) | st.text(
    '";. ', max_size=8
)
moves = st.lists(st.text("abcT1234?#[]_", min_size=1, max_size=5), min_size=1, max_size=4).map(" ".join)
numbers = st.integers(1, 10**6)
entries = st.one_of(
    st.builds(Entry, st.just("move"), numbers, moves, comments),
    st.builds(Entry, st.just("undo"), numbers, st.just(""), comments),
    st.builds(Entry, st.just("amend"), numbers, moves, comments),
)
records = st.builds(Record, st.dictionaries(names, values, max_size=4), st.lists(entries, max_size=4).map(tuple))
remarks = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12)

TEXT = r"""[Format "1"]
[Seat1 "Ann \"the \\ boss\""]
[Box "a = 1\nb = 2\n"]

1. T flip red car {t=1.5 u=0.002}
2. 1 declare ??
undo 1
amend 1. T flip ?? {misread; sorry}
"""
RECORD = Record(
    {"Format": "1", "Seat1": 'Ann "the \\ boss"', "Box": "a = 1\nb = 2\n"},
    (
        Entry("move", 1, "T flip red car", "t=1.5 u=0.002"),
        Entry("move", 2, "1 declare ??"),
        Entry("undo", 1),
        Entry("amend", 1, "T flip ??", "misread; sorry"),
    ),
)


def test_record_is_printed_as_specified() -> None:
    assert str(RECORD) == TEXT


def test_record_is_parsed_as_specified() -> None:
    assert parse_record(TEXT) == RECORD


@given(records)
def test_print_then_parse_loses_nothing(record: Record) -> None:
    assert parse_record(print_record(record.tags, record.entries)) == record


@given(records, remarks)
def test_remarks_and_empty_lines_change_nothing(record: Record, remark: str) -> None:
    lines = (
        print_record(record.tags, record.entries).splitlines(keepends=False) if False else str(record).split("\n")
    )
    assert parse_record("\n\n".join(f"  {line} ;{remark}" for line in lines)) == record


@given(names, values)
def test_tag_is_one_line_and_parses_back(name: str, value: str) -> None:
    line = print_tag(name, value)
    assert "\n" not in line
    assert parse_tag(line) == (name, value)


@given(entries)
def test_entry_parses_back(entry: Entry) -> None:
    assert parse_entry(str(entry)) == entry


@given(st.builds(print_tag, names, values) | entries.map(str), remarks)
def test_only_the_remark_is_cut_off(line: str, remark: str) -> None:
    assert without_remark(line) == line
    assert without_remark(f"{line};{remark}") == line


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("; all of it", ""),
        ("1. T flip {a; b} ; c {d", "1. T flip {a; b} "),
        (r'[A "x;\"; y"] ; z "', r'[A "x;\"; y"] '),
        ('1. T flip {say "} ; z', '1. T flip {say "} '),
        ("1. T flip {torn ; z", "1. T flip {torn ; z"),
        ("undo 1", "undo 1"),
    ],
)
def test_remark_begins_outside_quotes_and_braces(line: str, kept: str) -> None:
    assert without_remark(line) == kept


ENTRY_HELP = "is not an entry; expected N. MOVE, undo N or amend N. MOVE, then {a comment}"


@pytest.mark.parametrize(
    "line",
    [
        *("1 T flip", "0. T flip", "01. T flip", "-1. T flip", "1.", "1. ", "1. T {flip", "1. T flip} {a}"),
        *(
            "1. T flip {a} {b}",
            "1. T flip {a} b",
            "undo",
            "undo 0",
            "undo x",
            "undo 1 2",
            "amend 1",
            "amend T flip",
        ),
        *("redo 1", "??", '"'),
    ],
)
def test_bad_entry_is_quoted_with_the_allowed_forms(line: str) -> None:
    with pytest.raises(RecordError) as refused:
        parse_entry(line, 7)
    assert str(refused.value) == f"{line!r} {ENTRY_HELP}"
    assert refused.value.line == 7


@pytest.mark.parametrize(
    "line",
    ["[Seat1]", "[Seat1 Ann]", '[Seat1 "Ann]', '[Seat1 "Ann"', '[1 "Ann"]', '[Seat1 "A"nn"]', '[Seat1 "Ann\\"]'],
)
def test_bad_tag_is_quoted_with_the_allowed_form(line: str) -> None:
    with pytest.raises(RecordError) as refused:
        parse_tag(line, 3)
    assert str(refused.value) == f'{line!r} is not a tag; expected [Name "value"]'
    assert refused.value.line == 3


@pytest.mark.parametrize("number", [n for n, line in enumerate(TEXT.split("\n"), 1) if line])
@pytest.mark.parametrize("damage", [lambda line: line[1:], lambda line: f"\0{line}", lambda line: f"{line} }}"])
def test_damaged_line_is_named_by_its_number(number: int, damage) -> None:
    lines = TEXT.split("\n")
    lines[number - 1] = damage(lines[number - 1])
    with pytest.raises(RecordError) as refused:
        parse_record("\n".join(lines))
    assert refused.value.line == number


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[A "1"]\n\n1. x\n[B "2"]\n', 4, "line 4: tag B is out of place"),
        ('[A "1"]\n[A "2"]\n', 2, "line 2: tag A is out of place"),
    ],
)
def test_misplaced_tag_is_named_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(RecordError) as refused:
        parse_record(text)
    assert (refused.value.line, str(refused.value)) == (line, said)
