"""TOML of others: what is too much of anything is named and read no further, what is just allowed is read."""

import sys
import tomllib

import pytest

from companion.core.limits import DIGITS, TOML_BYTES, TOML_DEPTH, TOML_LINE_SIGNS
from companion.core.toml import TomlError, in_toml, parse_toml


def nested(depth: int) -> str:
    return "a = " + "[" * depth + "]" * depth


LINES = "#" * 63 + "\n"


@pytest.mark.parametrize(
    ("most", "more", "said"),
    [
        (LINES * (TOML_BYTES // 64), "#", f"it is larger than {TOML_BYTES} bytes, more than is ever read"),
        ("\n\n" + "#" * TOML_LINE_SIGNS, "#", f"line 3 is longer than {TOML_LINE_SIGNS} signs"),
        ("a = [" + "9" * DIGITS, "9", f"a number has more than {DIGITS} digits"),
        ("a = {b = -" + "9" * DIGITS, "9", f"a number has more than {DIGITS} digits"),
    ],
)
def test_the_most_is_read_and_more_is_told(most: str, more: str, said: str) -> None:
    end = {"[": "]", "{": "}"}.get(most[4:5], "")
    parse_toml(most + end)
    with pytest.raises(TomlError) as told:
        parse_toml(most + more + end)
    assert str(told.value) == str(told.value.text) == said


def test_a_sign_of_several_bytes_counts_as_several() -> None:
    with pytest.raises(TomlError, match="larger"):
        parse_toml(("#" + "é" * 31 + "\n") * (TOML_BYTES // 64) + "é")


def test_how_deep_it_may_be() -> None:
    parse_toml(nested(TOML_DEPTH - 1))
    for depth in (TOML_DEPTH, 1_900):
        with pytest.raises(TomlError, match=f"^it is nested deeper than {TOML_DEPTH}$"):
            parse_toml(nested(depth))


NO_VALUE = 'this is no value; allowed: true, false, a number, a text between ", or a list between [ ]'
NO_END = "a text has no end; it ends as it begins"
ITS_LINE = "a line ends after its value; the next option has a line of its own"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = ", f"line 1, column 5 (a =): {NO_VALUE}"),
        ("[a]\nb = Anna", f"line 2, column 5 (b = Anna): {NO_VALUE}"),
        ("[a]\n[a]", "line 2, column 3 ([a]): this section stands there twice; make one of both"),
        ("b = 1\n\nb = 2\n", "line 3, column 6 (b = 2): this option stands there twice; take one out"),
        (
            "b = {c = 1, c = 2}",
            "line 1, column 18 (b = {c = 1, c = 2}): this option stands there twice; take one out",
        ),
        ('b = ["x"\n[a]', "line 2, column 1 ([a]): a list has no ] at its end, or no comma before this"),
        ("b = {c = 1\n", "line 1, column 11 (b = {c = 1): what begins with a brace has none at its end"),
        ('b = "x\n', 'line 1, column 7 (b = "x): a text has no " at its end'),
        ('b = "x', f'line 1, column 7 (b = "x): {NO_END}'),
        ('b = """x\n\n', f'line 1, column 9 (b = """x): {NO_END}'),
        (r'b = "\q"', r'line 1, column 8 (b = "\q"): a \ in a text is written twice: \\'),
        ("b: 1", "line 1, column 2 (b: 1): between the name of an option and its value stands ="),
        ("[a\nb = 1", "line 1, column 3 ([a): the name of a section stands between [ and ]"),
        ("b = 1 c = 2", f"line 1, column 7 (b = 1 c = 2): {ITS_LINE}"),
        ("# a page\u2028\r\nb: 1", "line 2, column 2 (b: 1): between the name of an option and its value stands ="),
        ("= 1", "line 1, column 1 (= 1): a line begins with the name of an option, with [ or with #"),
        ("b = 2026-02-30", "line 1, column 5 (b = 2026-02-30): this is no TOML: Invalid date or datetime"),
        ('b = "\a"', r"""line 1, column 6 (b = "\x07"): this is no TOML: Illegal character '\x07'"""),
    ],
)
def test_what_is_no_toml_is_told_with_its_place_and_what_to_do(text: str, said: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    with pytest.raises(TomlError) as told:
        parse_toml(text)
    assert str(told.value).startswith(said)


def test_of_a_long_line_only_what_is_near_is_shown() -> None:
    with pytest.raises(TomlError) as told:
        parse_toml(f'long = "{"b" * 100}" c = "{"d" * 100}"')
    assert str(told.value) == f'line 1, column 111 (…{"b" * 28}" c = "{"d" * 25}…): {ITS_LINE}'


def test_what_the_reader_says_without_a_place_is_told() -> None:
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1_000)
    try:
        with pytest.raises(TomlError, match=r"^this is no TOML: Exceeds the limit .*digits"):
            parse_toml(f"a = {'9' * 1_001}")
    finally:
        sys.set_int_max_str_digits(most)


def test_values_are_written_as_toml_reads_them() -> None:
    for value in (True, False, 7, -3, 1.5, "plain", 'a "quoted" \\ path', "é ☺"):
        assert tomllib.loads(f"a = {in_toml(value)}") == {"a": value}
    assert tomllib.loads(f"a = {in_toml((1, 'two', (False,)))}") == {"a": [1, "two", [False]]}
    assert in_toml("bell\a, escape\x1b, half \ud800") == '"bell\\u0007, escape\\u001b, half \\ufffd"'
