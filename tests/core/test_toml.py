"""Limits and errors of untrusted TOML."""

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
        (LINES * (TOML_BYTES // 64), "#", f"it is over the limit of {TOML_BYTES} bytes"),
        ("\n\n" + "#" * TOML_LINE_SIGNS, "#", f"line 3 is longer than {TOML_LINE_SIGNS} characters"),
        ("a = [" + "9" * DIGITS, "9", f"a number has more than {DIGITS} digits"),
        ("a = {b = -" + "9" * DIGITS, "9", f"a number has more than {DIGITS} digits"),
    ],
)
def test_toml_is_read_up_to_its_size_limits(most: str, more: str, said: str) -> None:
    end = {"[": "]", "{": "}"}.get(most[4:5], "")
    parse_toml(most + end)
    with pytest.raises(TomlError) as told:
        parse_toml(most + more + end)
    assert str(told.value) == str(told.value.text) == said


def test_size_limit_counts_bytes_not_characters() -> None:
    with pytest.raises(TomlError, match="over the limit"):
        parse_toml(("#" + "é" * 31 + "\n") * (TOML_BYTES // 64) + "é")


def test_nesting_beyond_the_limit_is_refused() -> None:
    parse_toml(nested(TOML_DEPTH - 1))
    for depth in (TOML_DEPTH, 1_900):
        with pytest.raises(TomlError, match=f"^it is nested more than {TOML_DEPTH} levels deep$"):
            parse_toml(nested(depth))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[a]\nb = Anna", "line 2, column 5"),
        ("b = 1\n\nb = 2\n", "line 3, column 6"),
        ("# a page\u2028\r\nb: 1", "line 2, column 2"),
        ('b = "\a"', "line 1, column 6"),
        ("[a\nb = [", "line 1, column 3"),
        ("b = [", "end of document"),
    ],
)
def test_invalid_toml_is_reported_with_its_place(text: str, place: str) -> None:
    with pytest.raises(TomlError, match=rf"^not valid TOML: .* \(at {place}\)$") as told:
        parse_toml(text)
    assert str(told.value).isprintable()


def test_parser_error_without_a_place_is_reported() -> None:
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1_000)
    try:
        with pytest.raises(TomlError, match=r"^not valid TOML: Exceeds the limit .*digits"):
            parse_toml(f"a = {'9' * 1_001}")
    finally:
        sys.set_int_max_str_digits(most)


def test_written_values_are_read_back_by_toml() -> None:
    for value in (True, False, 7, -3, 1.5, "plain", 'a "quoted" \\ path', "é ☺"):
        assert tomllib.loads(f"a = {in_toml(value)}") == {"a": value}
    assert tomllib.loads(f"a = {in_toml((1, 'two', (False,)))}") == {"a": [1, "two", [False]]}
    assert in_toml("bell\a, escape\x1b, half \ud800") == '"bell\\u0007, escape\\u001b, half \\ufffd"'
