"""Texts for people, filled in and translated when they are shown."""

import errno
import gettext
import os
from typing import Final

import pytest

from companion.core.limits import SENTENCE_SIGNS
from companion.core.text import (
    _REASONS,
    decimal,
    msg,
    percent,
    printable,
    printable_lines,
    reader,
    reason,
    seat_name,
    shortest,
    translations,
    written_out,
)


class German(gettext.NullTranslations):
    WORDS: Final = {
        "{who} wins": "{who} gewinnt",
        "the bank": "die Bank",
        "{n} card": "{n} Karte",
        "{n} cards": "{n} Karten",
    }

    def gettext(self, message: str) -> str:
        return self.WORDS.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.WORDS[msgid1 if n == 1 else msgid2]


def test_str_of_text_is_its_english_sentence() -> None:
    assert str(msg("{who} wins {n}", who="Ann", n=3)) == "Ann wins 3"


def test_values_follow_their_format() -> None:
    assert str(msg("{word!r} and {{braces}}, {share:.1%}", word="a'b", share=0.25)) == '"a\'b" and {braces}, 25.0%'


def test_value_may_contain_braces() -> None:
    assert str(msg("{found} is unknown", found="{who}")) == "{who} is unknown"


def test_nested_text_is_also_translated() -> None:
    text = msg("{who} wins", who=msg("the bank"))
    assert (str(text), text.render(German())) == ("the bank wins", "die Bank gewinnt")


@pytest.mark.parametrize(("n", "english", "german"), [(1, "1 card", "1 Karte"), (0, "0 cards", "0 Karten")])
def test_plural_follows_n(n: int, english: str, german: str) -> None:
    text = msg("{n} card", "{n} cards", n=n)
    assert (str(text), text.render(German())) == (english, german)


def test_plural_needs_a_whole_number() -> None:
    with pytest.raises(TypeError, match=r"the plural of '\{n\} card' needs a whole number n, not '3'"):
        str(msg("{n} card", "{n} cards", n="3"))


def test_equal_texts_compare_and_hash_equal() -> None:
    assert {msg("{n} card", n=1), msg("{n} card", n=1)} == {msg("{n} card", n=1)}
    assert msg("{n} card", n=1) != msg("{n} card", n=2)


def test_unknown_language_falls_back_to_english() -> None:
    assert msg("{who} wins", who="Ann").render(translations("xx")) == "Ann wins"


def test_control_characters_are_escaped() -> None:
    assert printable("plain é ☺") == "plain é ☺"
    assert printable("a\x1b[2J\x9b\u202eb") == "a\\x1b[2J\\x9b\\u202eb"
    assert printable_lines("a\x07\nb") == "a\\x07\nb"
    assert str(msg("{who} wins", who="\x1b[2J")) == "\\x1b[2J wins"


def test_long_sentence_is_shortened_in_its_middle() -> None:
    begin, end = "a" * (SENTENCE_SIGNS // 2), "z" * (SENTENCE_SIGNS // 2)
    assert str(msg("{begin}{end}", begin=begin, end=end)) == begin + end
    assert str(msg("{begin}and{end}", begin=begin, end=end)) == f"{begin} … {end}"


def test_escaped_characters_decode_to_the_original() -> None:
    letters = "\x00\x1b\xff\u0100\u202e\uffff\U00010000\U0010ffff"
    assert "".join(map(written_out, letters)).encode().decode("unicode_escape") == letters


def test_unnamed_seat_is_called_by_its_number() -> None:
    assert [str(seat_name(number)) for number in (0, 4)] == ["Seat 1", "Seat 5"]


def test_number_has_the_requested_digits() -> None:
    assert [str(decimal(2)), str(decimal(1.25, 2)), str(decimal(0.05))] == ["2.0", "1.25", "0.1"]
    assert [str(shortest(value)) for value in (10, 0.5, 2.25)] == ["10", "0.5", "2.25"]
    assert [str(percent(0.333)), str(percent(0.333, 1))] == ["33%", "33.3%"]


def test_system_error_is_given_in_the_readers_language() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a.record")
    assert str(reason(full)) == os.strerror(errno.ENOSPC)
    read = reader("fr")
    assert (
        read(msg("{path}: {why}", path="a", why=reason(full)))
        == "a\N{NARROW NO-BREAK SPACE}: il n’y a plus de place"
    )
    assert reason(OSError(errno.ENOSPC, "the card is full")) == "the card is full"
    assert reason(OSError(errno.ELOOP, os.strerror(errno.ELOOP))) == os.strerror(errno.ELOOP)
    assert reason(OSError("no number")) == "no number"


def test_every_reason_matches_the_systems_message() -> None:
    assert {number: why.msgid for number, why in _REASONS.items()} == {
        number: os.strerror(number) for number in _REASONS
    }
