"""Declares a game's box once: its file, its allowed values and the questions about it.

    class ToyBox(BoxSchema[Toy]):
        rounds = Number(1, 9, msg("How many rounds are there?"), "clock")
        hands = Numbers({"2": msg("A hand of two?"), "3": msg("A hand of three?")}, 1, 20, "hand_cards")
        FORM = (FormPart(msg("The toy"), "die_5", (rounds, hands)),)

        @classmethod
        def make(cls, values):
            return Toy(**values)

Fields are read in the order of the class; a bound may depend on an earlier field. For other values, subclass Field.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from companion.core.boxfile import BoxFile
from companion.core.form import Found, Question, Section, at
from companion.core.text import Text

T = TypeVar("T")

Values = Mapping[str, Any]
"""The values read so far; wrong ones are missing."""

Bound = int | None | Callable[[Values], int | None]
"""The smallest or largest number allowed. None is 0 or BOX_NUMBER."""


@dataclass(eq=False)
class Field:
    """One value of a box.

    `key` is its path in the file, such as `kitchen.start`; by default the attribute's name.
    """

    key: str = field(default="", kw_only=True)
    name: str = field(default="", init=False)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.key = self.key or name

    def read(self, file: BoxFile, found: Any, values: Values) -> Any:
        """Return the value; note mistakes in `file`."""
        raise NotImplementedError

    def wrong(self, value: Any) -> Iterable[Text]:
        """Yield what is wrong with the value as a whole."""
        return ()

    def questions(self, found: Found) -> Iterable[Question]:
        """Yield the questions about the value in `found`, the whole file; it may be out of bounds."""
        return ()


@dataclass(eq=False)
class Number(Field):
    """A whole number from `least` to `most`, with a question and a drawing."""

    least: Bound
    most: Bound = None
    text: Text | None = None
    sign: str = ""

    def read(self, file: BoxFile, found: Any, values: Values) -> int:
        least = self.least(values) if callable(self.least) else self.least
        most = self.most(values) if callable(self.most) else self.most
        return file.number(self.key, found, least or 0, most)

    def questions(self, found: Found) -> Iterator[Question]:
        if self.text:
            path = tuple(self.key.split("."))
            yield Question(self.text, path, at(found, path), sign=self.sign)


@dataclass(eq=False)
class Numbers(Field):
    """A table of whole numbers from `least` to `most`, with a question for each key; `into` makes the value.

    `{}` in `sign` is the key. The scene draws `drawn(key, number)` beside a question.
    """

    texts: Mapping[str, Text]
    least: int
    most: int | None = None
    sign: str = ""
    into: Callable[[list[int]], object] = tuple
    drawn: Callable[[str, int], object] | None = None

    def read(self, file: BoxFile, found: Any, values: Values) -> object:
        table = file.table(self.key, found, self.texts)
        return self.into([file.number(f"{self.key}.{name}", table[name], self.least, self.most) for name in table])

    def questions(self, found: Found) -> Iterator[Question]:
        path = tuple(self.key.split("."))
        for name, text in self.texts.items():
            number = at(found, path)[name]
            drawn = self.drawn(name, number) if self.drawn else None
            yield Question(text, (*path, name), number, drawn=drawn, sign=self.sign.format(name))


class FormPart(NamedTuple):
    """Fields under one title and icon."""

    title: Text
    icon: str
    fields: tuple[Field, ...]


class BoxSchema(Generic[T]):
    """The fields of one game's box, in reading order."""

    FORM: ClassVar[tuple[FormPart, ...]] = ()

    @classmethod
    def make(cls, values: dict[str, Any]) -> T:
        """Return the box with these valid values."""
        raise NotImplementedError

    @classmethod
    def check(cls, file: BoxFile, box: T) -> None:
        """Note in `file` which values do not fit together."""

    @classmethod
    def fields(cls) -> list[Field]:
        return [value for value in vars(cls).values() if isinstance(value, Field)]

    @classmethod
    def read(cls, text: str, where: str) -> T:
        """Return the box of a TOML text. Raise BoxError with `where`, the keys and what is allowed."""
        file = BoxFile(text, where)
        found = cls._found(file)
        values: dict[str, Any] = {}
        for each in cls.fields():
            if file.is_missing(found[each.key]):
                continue
            before = file.noted
            value = each.read(file, found[each.key], values)
            if file.noted == before:
                for why in each.wrong(value):
                    file.wrong(each.key, why)
            if file.noted == before:
                values[each.name] = value
        file.settle()
        box = cls.make(values)
        cls.check(file, box)
        file.settle()
        return box

    @classmethod
    def _found(cls, file: BoxFile) -> dict[str, object]:
        inner: dict[str, list[str]] = {}
        for each in cls.fields():
            table, _, name = each.key.partition(".")
            inner.setdefault(table, []).append(name)
        found = dict(file.keys("box", file.found, inner))
        for table, names in inner.items():
            if any(names):
                entries = file.table(table, found[table], names)
                found |= {f"{table}.{name}": entries[name] for name in names}
        return found

    @classmethod
    def form(cls, found: Found) -> tuple[Section, ...]:
        return tuple(
            Section(part.title, part.icon, tuple(each for field in part.fields for each in field.questions(found)))
            for part in cls.FORM
        )
