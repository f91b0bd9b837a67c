"""Boxes of one's own that are keyed at the table: a draft beside the boxes, durable after each answer.

The draft of a box is a file of its name with a dot before it, which no list of boxes shows. It becomes the box when
that can be played.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from companion.config import boxes
from companion.config.table_file import replace_file
from companion.core.boxfile import Mistake, NamedBox, mistake_of
from companion.core.errors import BoxError, CompanionError
from companion.core.form import Change, Question, Section
from companion.core.game import Game
from companion.core.text import Text, msg
from companion.core.toml import parse_toml
from companion.referee.durable import make_folder

OWN: Final = msg("Our box")
"""What a box is called that nobody has given a name."""

_HIDDEN: Final = "."

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Draft:
    """A box of a game in the making: its name, and its text as it is until now."""

    game: Game
    name: str
    text: str

    @property
    def path(self) -> Path:
        """The file of the draft."""
        path = boxes.path_of(self.game, self.name)
        return path.with_name(f"{_HIDDEN}{path.name}")

    @cached_property
    def form(self) -> tuple[Section, ...]:
        """What is asked, with the values as they are."""
        return _form(self.game, self.text)

    @cached_property
    def _usual(self) -> Mapping[tuple[str, Text], object]:
        """What the box that comes with the game answers."""
        usual = _form(self.game, self.game.box_text)
        return {(each.name, each.text): each.value for section in usual for each in section.questions}

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """Why it cannot be played, if it cannot."""
        try:
            self.game.read_box(self.text, self.name)
        except BoxError as error:
            return [mistake_of(text) for text in error.mistakes]
        return []

    @cached_property
    def unfit(self) -> Text | None:
        """Why a number of players that the game is for cannot play with it, where it can be played at all."""
        box = self.game.read_box(self.text, self.name)
        for seats in self.game.rules.SEATS:
            try:
                self.game.rules.setup(box, self.game.rulings(), seats)
            except CompanionError as error:
                return error.text
        return None

    def usual(self, question: Question) -> object:
        """Return what the box that comes with the game answers; None where it does not ask the same."""
        return self._usual.get((question.name, question.text))

    def wrong(self, *questions: Question) -> Text | None:
        """Return why the box cannot be played, if that has to do with one of these questions."""
        names = [question.name for question in questions]
        found = (mistake for mistake in self.mistakes if any(_is_part(name, mistake.key) for name in names))
        return next((mistake.why for mistake in found), None)

    def answered(self, question: Question, answer: object) -> "Draft | Text":
        """Return the draft with an answer, or why that is not allowed."""
        changes = question.changes(answer)
        return changes if isinstance(changes, Text) else self.changed(changes, question.name)

    def changed(self, changes: Sequence[Change], name: str = "") -> "Draft | Text":
        """Return the draft with some changes, or why the value of this name cannot be so."""
        changed = replace(self, text=_changed(self.text, changes))
        return next((mistake.why for mistake in changed.mistakes if mistake.key in {"", name}), changed)

    def write(self) -> None:
        """Keep the draft as it is. Raise BoxError where that is not possible."""
        with boxes.naming(self.path):
            make_folder(self.path.parent)
            replace_file(self.path, self.text)

    def keep(self) -> NamedBox:
        """Make it a box of its name, and return that. Raise BoxError where it cannot be played or written."""
        self.game.read_box(self.text, self.name)
        self.write()
        with boxes.naming(self.path):
            self.path.replace(boxes.path_of(self.game, self.name))
        return NamedBox(self.name, self.text)

    def drop(self) -> None:
        """Throw it away. Raise BoxError where that is not possible."""
        with boxes.naming(self.path):
            self.path.unlink(missing_ok=True)


def _is_part(name: str, key: str) -> bool:
    """Tell whether one of two names of values is the other, or within it: `deck.1` and `deck`."""
    short, long = sorted((name, key), key=len)
    return long.startswith(short) and (long == short or long[len(short)] in ".[")


def begun(game: Game) -> list[Draft]:
    """Return the drafts of a game that can be gone on with, by name."""
    return list(_readable(game, (path for path in _files(game) if path.name.startswith(_HIDDEN))))


def changeable(game: Game) -> list[Draft]:
    """Return a draft of each own box that is in order, with nothing changed, by name."""
    return [
        Draft(game, kept.name, boxes.read_text(kept.path)) for kept in boxes.on_shelf(game) if not kept.mistakes
    ]


def new(game: Game, called: str) -> Draft:
    """Return a draft that is the box that comes with the game, under a name that no other one has."""
    taken = {path.stem.removeprefix(_HIDDEN) for path in _files(game)}
    names = (f"{called} {number}" if number > 1 else called for number in range(1, len(taken) + 2))
    return Draft(game, next(name for name in names if name not in taken), game.box_text)


def _form(game: Game, text: str) -> tuple[Section, ...]:
    """Return what a game asks where a file says this."""
    assert game.form
    return game.form(parse_toml(text))


def _files(game: Game) -> list[Path]:
    """Return the boxes and drafts of a game. Raise BoxError where the folder cannot be read."""
    return [path for path in boxes.files(game) if path.suffix == boxes.SUFFIX]


def _readable(game: Game, paths: Iterable[Path]) -> Iterable[Draft]:
    for path in paths:
        try:
            name = path.stem.removeprefix(_HIDDEN)
            boxes.path_of(game, name)
            draft = Draft(game, name, boxes.read_text(path))
            _ = draft.form
        except (CompanionError, ValueError, LookupError, TypeError, AttributeError) as error:
            log.warning("%s: it lacks what is asked about, somebody has edited it: %s", path, error)
        else:
            yield draft


# --- TOML -------------------------------------------------------------------------------------------------


def _changed(text: str, changes: Sequence[Change]) -> str:
    """Return a text in TOML with other values, and everything else as it stands."""
    import tomlkit  # noqa: PLC0415  loaded when something is written

    document = tomlkit.parse(text)
    for (*way, last), value in changes:
        found: Any = document
        for part in way:
            found = found[part]
        if value is not None:
            found[last] = _item(value)
        elif last in found:
            del found[last]
    return document.as_string()


def _item(value: object) -> Any:
    """Return a value as it is to be written: a text of several lines in three quotes, a list of tables in lines."""
    import tomlkit  # noqa: PLC0415  loaded when something is written

    if isinstance(value, str) and "\n" in value:
        return tomlkit.string(value, multiline=True)
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        array = tomlkit.array().multiline(True)
        for each in value:
            table = tomlkit.inline_table()
            table.update(each)
            array.append(table)
        return array
    return tomlkit.item(value)
