"""Drafts of custom boxes edited at the table. Each answer is durable before the next question.

A draft is a hidden file beside the box, so lists of boxes omit it.
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

_HIDDEN: Final = "."

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Draft:
    """The name and the current text of a box being edited."""

    game: Game
    name: str
    text: str

    @property
    def path(self) -> Path:
        path = boxes.path_of(self.game, self.name)
        return path.with_name(f"{_HIDDEN}{path.name}")

    @cached_property
    def form(self) -> tuple[Section, ...]:
        return _form(self.game, self.text)

    @cached_property
    def _usual(self) -> Mapping[tuple[str, Text], object]:
        usual = _form(self.game, self.game.box_text)
        return {(each.name, each.text): each.value for section in usual for each in section.questions}

    @cached_property
    def mistakes(self) -> list[Mistake]:
        try:
            self.game.read_box(self.text, self.name)
        except BoxError as error:
            return [mistake_of(text) for text in error.mistakes]
        return []

    @cached_property
    def unfit(self) -> Text | None:
        """Why some number of players cannot play with the box, which must not have mistakes."""
        box = self.game.read_box(self.text, self.name)
        for seats in self.game.rules.SEATS:
            try:
                self.game.rules.setup(box, self.game.rulings(), seats)
            except CompanionError as error:
                return error.text
        return None

    def usual(self, question: Question) -> object:
        return self._usual.get((question.name, question.text))

    def wrong(self, *questions: Question) -> Text | None:
        """Return the first mistake in one of these questions, if any."""
        names = [question.name for question in questions]
        found = (mistake for mistake in self.mistakes if any(_is_part(name, mistake.key) for name in names))
        return next((mistake.why for mistake in found), None)

    def answered(self, question: Question, answer: object) -> "Draft | Text":
        changes = question.changes(answer)
        return changes if isinstance(changes, Text) else self.changed(changes, question.name)

    def changed(self, changes: Sequence[Change], name: str = "") -> "Draft | Text":
        """Return the draft with some changes, or what is then wrong with the value called `name`."""
        changed = replace(self, text=_changed(self.text, changes))
        return next((mistake.why for mistake in changed.mistakes if mistake.key in {"", name}), changed)

    def write(self) -> None:
        """Write the draft to its file. Raises BoxError if that fails."""
        with boxes.naming(self.path):
            make_folder(self.path.parent)
            replace_file(self.path, self.text)

    def keep(self) -> NamedBox:
        """Turn the draft into the box. Raises BoxError if it cannot be played or written."""
        self.game.read_box(self.text, self.name)
        self.write()
        with boxes.naming(self.path):
            self.path.replace(boxes.path_of(self.game, self.name))
        return NamedBox(self.name, self.text)

    def drop(self) -> None:
        """Raise BoxError if that fails."""
        with boxes.naming(self.path):
            self.path.unlink(missing_ok=True)


def _is_part(name: str, key: str) -> bool:
    """Return True for equal names, or if one contains the other: `deck.1` and `deck`."""
    short, long = sorted((name, key), key=len)
    return long.startswith(short) and (long == short or long[len(short)] in ".[")


def begun(game: Game) -> list[Draft]:
    return list(_readable(game, (path for path in _files(game) if path.name.startswith(_HIDDEN))))


def changeable(game: Game) -> list[Draft]:
    """Return a new draft of each custom box without mistakes, by name."""
    return [
        Draft(game, kept.name, boxes.read_text(kept.path)) for kept in boxes.on_shelf(game) if not kept.mistakes
    ]


def new(game: Game, called: str) -> Draft:
    """Return a draft of the built-in box under a free name."""
    taken = {path.stem.removeprefix(_HIDDEN) for path in _files(game)}
    names = (f"{called} {number}" if number > 1 else called for number in range(1, len(taken) + 2))
    return Draft(game, next(name for name in names if name not in taken), game.box_text)


def _form(game: Game, text: str) -> tuple[Section, ...]:
    assert game.form
    return game.form(parse_toml(text))


def _files(game: Game) -> list[Path]:
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
    """Preserve comments and order."""
    import tomlkit  # noqa: PLC0415  loaded only to write

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
    import tomlkit  # noqa: PLC0415  loaded only to write

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
