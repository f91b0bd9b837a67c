"""The names of players, normalized."""

import unicodedata
from typing import Final

from companion.core.errors import OptionError
from companion.core.limits import NAME_SIGNS
from companion.core.text import msg, shortened

_SPACE: Final = "Zs"


def one_form(name: str) -> str:
    """Return a name in normal form C with plain single spaces, so that names that look alike are equal."""
    plain = (" " if unicodedata.category(letter) == _SPACE else letter for letter in name)
    return " ".join(word for word in unicodedata.normalize("NFC", "".join(plain)).split(" ") if word)


def read_name(text: str) -> str:
    """Return a name in its normal form. Raise OptionError if it is empty, too long or not printable."""
    name = one_form(text)
    if not name:
        raise OptionError(msg("a name is empty"))
    said = shortened(name, 2 * NAME_SIGNS)
    hidden = next((letter for letter in name if not letter.isprintable()), "")
    if hidden:
        raise OptionError(
            msg(
                "the screens cannot show {letter}; remove it from the name {name!r}",
                name=said,
                letter=character(hidden),
            )
        )
    if len(name) > NAME_SIGNS:
        raise OptionError(
            msg(
                "a name has up to {most} characters; {name!r} has {n}",
                name=said,
                n=len(name),
                most=NAME_SIGNS,
            )
        )
    return name


def character(letter: str) -> str:
    """Return a character's code and name: `U+200D ZERO WIDTH JOINER`."""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".rstrip()
