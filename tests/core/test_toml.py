"""TOML of others: what is too much of anything is named and read no further, what is just allowed is read."""

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


@pytest.mark.parametrize("text", ["a = ", "a = 2026-02-30", f"a = {'9' * 3_900}\na = 1"])
def test_what_is_no_toml_is_told_in_the_words_of_its_reader(text: str) -> None:
    with pytest.raises(ValueError, match=r".") as reader:
        tomllib.loads(text)
    with pytest.raises(TomlError) as told:
        parse_toml(text)
    assert str(told.value) == str(reader.value)


def test_values_are_written_as_toml_reads_them() -> None:
    for value in (True, False, 7, -3, 1.5, "plain", 'a "quoted" \\ path', "é ☺"):
        assert tomllib.loads(f"a = {in_toml(value)}") == {"a": value}
    assert tomllib.loads(f"a = {in_toml((1, 'two', (False,)))}") == {"a": [1, "two", [False]]}
    assert in_toml("bell\a, escape\x1b, half \ud800") == '"bell\\u0007, escape\\u001b, half \\ufffd"'
