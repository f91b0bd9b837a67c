"""The schema of the box of any other game: a list of rounds."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from companion.core.boxfile import BoxFile
from companion.core.boxschema import BoxSchema, Field, Values
from companion.core.errors import BoxError
from companion.core.text import Text, msg
from companion.games.any.rules import CLOCKS, LOTS, WINS, Box, Kind
from companion.games.any.rules.components import ASKS, NUMBER_MOST, OPENS, POINTS_MOST

ROUNDS_MOST: Final = 100
WORDS_MOST: Final = 9
NAMES_MOST: Final = 99
TEXT_SIGNS: Final = 200
ANSWER_SIGNS: Final = 40
"""The longest answer, which is on every strip."""

WORD_SIGNS: Final = 24

Reader = Callable[[BoxFile, str, Any], object]


def _number(least: int, most: int) -> Reader:
    return lambda file, key, found: file.number(key, found, least, most)


def _choice(words: Mapping[str, Text]) -> Reader:
    return lambda file, key, found: file.choice(key, found, tuple(words))


def _flag(file: BoxFile, key: str, found: Any) -> bool:
    if not isinstance(found, bool):
        file.wrong(key, msg("{found!r}; allowed: true or false", found=found))
    return found is True


def _line(most: int) -> Reader:
    def read(file: BoxFile, key: str, found: Any) -> str:
        if not isinstance(found, str) or not found.isprintable() or not 0 < len(found) <= most:
            file.wrong(key, msg("{found!r}; allowed: one line of up to {n} characters", found=found, n=most))
            return ""
        return found

    return read


def _words(most: int) -> Reader:
    def read(file: BoxFile, key: str, found: Any) -> tuple[object, ...]:
        words = file.array(key, found)
        if not 2 <= len(words) <= most or len(set(map(str, words))) < len(words):
            file.wrong(key, msg("{n} words; allowed: 2 to {most} different ones", n=len(words), most=most))
        word = _line(WORD_SIGNS)
        return tuple(word(file, f"{key}[{place}]", each) for place, each in enumerate(words, 1))

    return read


_ALL: Final[Mapping[str, Reader]] = {
    "text": _line(TEXT_SIGNS),
    "answer": _line(ANSWER_SIGNS),
    "show": _flag,
    "points": _number(0, 999),
    "target": _number(0, POINTS_MOST),
    "times": _number(1, 30),
}

READERS: Final[Mapping[Kind, Mapping[str, Reader]]] = {
    Kind.FIRST: {
        "wrong": _number(0, 999),
        "opens": _choice(OPENS),
        "asks": _choice(ASKS),
        "answer_s": _number(0, 600),
        "go_on": _flag,
    },
    Kind.SEALED: {
        "wins": _choice(WINS),
        "largest": _number(1, NUMBER_MOST),
        "number": _number(0, NUMBER_MOST),
        "words": _words(WORDS_MOST),
        "tokens": _flag,
    },
    Kind.CLOCK: {"minutes": _number(1, 90), "clock": _choice(CLOCKS), "increment_s": _number(1, 60)},
    Kind.LOTS: {
        "lots": _choice(LOTS),
        "dice": _number(1, 9),
        "sides": _number(2, 100),
        "names": _words(NAMES_MOST),
    },
    Kind.POINTS: {},
}
"""The keys of each kind of round, beside those of all."""


class Rounds(Field):
    """A list of tables, one for each round."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[tuple[tuple[str, object], ...], ...]:
        rounds: list[tuple[tuple[str, object], ...]] = []
        for number, entry in enumerate(file.array(self.key, found), 1):
            key = f"{self.key}[{number}]"
            given = self._one(file, key, entry if isinstance(entry, dict) else {})
            times = given.pop("times", 1)
            rounds += [tuple(given.items())] * (times if isinstance(times, int) else 1)
        return tuple(rounds)

    @staticmethod
    def _one(file: BoxFile, key: str, entry: dict[str, Any]) -> dict[str, Any]:
        before = file.noted
        kind = Kind(file.choice(f"{key}.kind", entry.get("kind"), [each.value for each in Kind]))
        if file.noted > before:
            return {"kind": kind}
        readers = {**_ALL, **READERS[kind]}
        # Keys may be left out, but not invented.
        file.keys(key, dict.fromkeys(readers) | dict.fromkeys(entry), ("kind", *readers))
        given: dict[str, Any] = {"kind": kind}
        given |= {name: read(file, f"{key}.{name}", entry[name]) for name, read in readers.items() if name in entry}
        if file.noted == before:
            for name, why in _unfit(given):
                file.wrong(f"{key}.{name}", why)
        if "words" in given:  # a choice without a right one is only shown
            given.setdefault("wins", "exact" if "number" in given else "shown")
        elif "number" in given:
            given.setdefault("wins", "closest")
        if "names" in given:
            given.setdefault("lots", "names")
        return given

    def wrong(self, value: tuple[tuple[tuple[str, object], ...], ...]) -> Iterator[Text]:
        if not 1 <= len(value) <= ROUNDS_MOST:
            yield msg("{n} rounds; allowed: 1 to {most}", n=len(value), most=ROUNDS_MOST)


def _unfit(given: Mapping[str, Any]) -> Iterator[tuple[str, Text]]:
    """Yield values that contradict each other."""
    words, number = given.get("words"), given.get("number")
    if number is not None and words and not 1 <= number <= len(words):
        yield "number", msg("{n}; allowed: 1 to {most}, the number of a word", n=number, most=len(words))
    if number is not None and not words and number > given.get("largest", number):
        yield "number", msg("{n}; allowed: 0 to {most}, the largest", n=number, most=given["largest"])
    if given.get("lots") == "names" and "names" not in given:
        yield "lots", msg("a list needs names")


class AnyBox(BoxSchema[Box]):
    """The box of any other game."""

    rounds = Rounds()

    @classmethod
    def make(cls, values: dict[str, Any]) -> Box:
        return Box(values["rounds"])

    @classmethod
    def read(cls, text: str, where: str) -> Box:
        """Return the box of a TOML text. Raise BoxError with the lines of its mistakes."""
        try:
            return super().read(text, where)
        except BoxError as error:
            raise BoxError(*(_with_line(each, text) for each in error.mistakes)) from None


def _with_line(mistake: Text, text: str) -> Text:
    """Add the line of a wrong value, or of its round, to a mistake."""
    values = dict(mistake.values)
    found = re.match(r"rounds\[(\d+)\]\.?(\w*)", str(values.get("key", "")))
    lines = text.splitlines()
    heads = [at for at, line in enumerate(lines) if re.match(r"\s*\[\[\s*rounds\s*\]\]", line)]
    if not found or int(found[1]) > len(heads):
        return mistake
    first, last = (*heads, len(lines))[int(found[1]) - 1 : int(found[1]) + 1]
    why = values["why"]
    name = found[2] or (dict(why.values).get("name") if isinstance(why, Text) else "")
    own = (at for at in range(first, last) if name and re.match(rf"\s*{re.escape(str(name))}\s*=", lines[at]))
    key = msg("line {line}, {key}", line=next(own, first) + 1, key=values["key"])
    return mistake._replace(values=tuple((values | {"key": key}).items()))
