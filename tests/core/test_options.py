"""Options: a frozen dataclass read from configuration, command line and record."""

from dataclasses import dataclass, fields, make_dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import OptionError
from companion.core.options import (
    allowed,
    changed,
    default_text,
    defaults,
    line,
    next_value,
    option,
    read,
    words,
)
from companion.core.text import msg


@dataclass(frozen=True)
class House:
    call: str = option("buzz", msg("how to call"), choices=("buzz", "key"))
    margin_ms: int = option(1, msg("a tie"), minimum=0, maximum=1000)
    rounds: int = option(3, msg("how many"), minimum=1)
    printed: bool = option(True, msg("print counts"))
    colours: tuple[str, ...] = option(("red",), msg("which"))
    title: str = option("", msg("any text"))


def test_missing_options_take_their_defaults() -> None:
    assert read(House, {}, "here") == House("buzz", 1, 3, True, ("red",), "")


def test_typed_values_are_accepted_unchanged() -> None:
    found = {"call": "key", "margin_ms": 0, "printed": False, "colours": ["blue", "red"], "title": "7"}
    assert read(House, found, "table.toml") == House("key", 0, 3, False, ("blue", "red"), "7")


def test_command_line_words_become_typed_values() -> None:
    found = read(House, words(["margin_ms=1000", "printed=false", "title=a=b"], "--ruling"), "--ruling")
    assert found == House(margin_ms=1000, printed=False, title="a=b")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            {"rouns": 4},
            "here: unknown option 'rouns'; did you mean 'rounds'? "
            "Allowed: call, colours, margin_ms, printed, rounds, title",
        ),
        ({"call": "kez"}, "here: call = 'kez'; did you mean 'key'? Allowed: buzz, key"),
        ({"call": 7}, "here: call = 7; allowed: buzz, key"),
        ({"margin_ms": 1001}, "here: margin_ms = 1001; allowed: a whole number from 0 to 1000"),
        ({"margin_ms": -1}, "here: margin_ms = -1; allowed: a whole number from 0 to 1000"),
        ({"margin_ms": "-1"}, "here: margin_ms = '-1'; allowed: a whole number from 0 to 1000"),
        ({"margin_ms": "1.5"}, "here: margin_ms = '1.5'; allowed: a whole number from 0 to 1000"),
        ({"margin_ms": "٣"}, "here: margin_ms = '٣'; allowed: a whole number from 0 to 1000"),
        ({"rounds": 0}, "here: rounds = 0; allowed: a whole number from 1"),
        ({"rounds": True}, "here: rounds = True; allowed: a whole number from 1"),
        ({"rounds": ""}, "here: rounds = ''; allowed: a whole number from 1"),
        ({"printed": "yes"}, "here: printed = 'yes'; allowed: true or false"),
        ({"printed": 1}, "here: printed = 1; allowed: true or false"),
        ({"colours": ["red", 7]}, "here: colours = ['red', 7]; allowed: a list of words"),
        ({"title": 7}, "here: title = 7; allowed: a text"),
    ],
)
def test_refusal_names_place_option_and_allowed_values(found: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError) as refused:
        read(House, found, "here")
    assert str(refused.value) == said


def test_option_word_without_a_value_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^--ruling: 'printed' is not KEY=VALUE$"):
        words(["printed"], "--ruling")


def test_only_changed_options_are_listed() -> None:
    assert changed(House()) == {}
    assert changed(House(rounds=5, printed=False)) == {"rounds": 5, "printed": False}


def test_each_option_says_what_it_accepts() -> None:
    assert {field.name: str(allowed(field)) for field in fields(House)} == {
        "call": "one of buzz, key",
        "margin_ms": "a whole number from 0 to 1000",
        "rounds": "a whole number from 1",
        "printed": "true or false",
        "colours": "a list of words",
        "title": "a text",
    }


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (option(0, msg("any")), "a whole number"),
        (option(0, msg("not too many"), maximum=9), "a whole number up to 9"),
    ],
)
def test_number_without_a_minimum_says_what_it_accepts(declared: Any, said: str) -> None:
    one = make_dataclass("One", [("n", int, declared)], frozen=True)
    assert read(one, {"n": "-1"}, "here").n == -1
    with pytest.raises(OptionError, match=f"^here: n = 'x'; allowed: {said}$"):
        read(one, {"n": "x"}, "here")


@pytest.mark.parametrize(
    ("kind", "field", "why"),
    [
        (int, 3, "Pad.port is not declared by option()"),
        (int, dataclass_field(), "Pad.port is not declared by option()"),
        (float, option(2.5, msg("how wide")), "the default of Pad.port is 2.5; allowed: true or false, a whole "),
        (Path, option(Path("a"), msg("where")), r"the default of Pad.port is PosixPath\('a'\); allowed: true or "),
    ],
)
def test_undeclared_or_unstorable_option_is_named(kind: type, field: Any, why: str) -> None:
    with pytest.raises(TypeError, match=f"^{why}"):
        defaults(make_dataclass("Pad", [("port", kind, field)], frozen=True))


def test_defaults_match_the_declaration() -> None:
    assert defaults(House) == House()
    fine = make_dataclass("Pad", [("wide", float, option(2.5, msg("how wide"), fractions=True))], frozen=True)
    assert defaults(fine) == fine()


@dataclass(frozen=True)
class Menu:
    call_input: str = option("buzz_then_key", msg("how"), choices=("buzz_then_key", "direct"), label=msg("Calls"))
    tie_limit: int = option(0, msg("how many"), minimum=0, steps=(0, 2), words={0: msg("never")})
    seconds: float = option(1.5, msg("how long"), minimum=0, maximum=9, steps=(1.5, 2.0), fractions=True)
    shown: bool = option(True, msg("whether"), label=msg("Shown"))
    colours: str = option("red", msg("which"))


def test_menu_names_options_and_offers_the_next_value() -> None:
    names = [field.name for field in fields(Menu)]
    told, said, options = [], [str(default_text(Menu(), name)) for name in names], Menu()
    for _ in range(3):
        told.append([str(line(options, name)) for name in names])
        for name in names:
            options = next_value(options, name)
    first = ["Calls: buzz then key", "tie limit: never", "seconds: 1.5", "Shown: yes", "colours: red"]
    assert told[0] == told[2] == first
    assert told[1] == ["Calls: direct", "tie limit: 2", "seconds: 2.0", "Shown: no", "colours: red"]
    assert said == ["buzz then key", "never", "1.5", "yes", "red"]


def test_unlisted_value_is_followed_by_the_first() -> None:
    assert next_value(Menu(tie_limit=7), "tie_limit") == Menu(tie_limit=0)
