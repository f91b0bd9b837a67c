"""Names of players: normal form, limit and refusals."""

import pytest

from companion.core.errors import OptionError
from companion.core.names import one_form, read_name


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Zoe\u0308", "Zoë"),
        ("Anna\u00a0Lee", "Anna Lee"),
        ("\u2009Anna\u202f \u3000Lee ", "Anna Lee"),
        ("\u212bsa", "Åsa"),
        ("Е\u0306ва", "Ӗва"),
    ],
)
def test_name_is_normalised_to_one_form(written: str, read: str) -> None:
    assert read_name(written) == one_form(written) == read


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("\u00a0 ", "a name is empty"),
        ("👨\u200d👩", r"the screens cannot show U+200D ZERO WIDTH JOINER; remove it from the name '👨\u200d👩'"),
        ("ب\u200cب", "U+200C ZERO WIDTH NON-JOINER"),
        ("An\nna", r"the screens cannot show U+000A; remove it from the name 'An\nna'"),
        ("Bert\u202e", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("A" * 25, f"a name has up to 24 characters; {'A' * 25!r} has 25"),
    ],
)
def test_refused_name_says_which_character_or_limit(written: str, why: str) -> None:
    with pytest.raises(OptionError) as refused:
        read_name(written)
    assert why in str(refused.value)


def test_name_limit_counts_letters_with_their_accents() -> None:
    assert read_name("e\u0301" * 24) == "é" * 24
