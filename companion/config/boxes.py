"""Custom boxes: TOML files, in a folder for each game below the user's data folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.boxfile import NamedBox, mistake_of
from companion.core.errors import BoxError, CompanionError, OptionError, nearest
from companion.core.files import ENCODING, data_folder, exists
from companion.core.game import Game
from companion.core.text import Text, msg, reason

SUFFIX: Final = ".toml"

USUAL: Final = msg("usual")

_LONGEST: Final = 24
_SIGNS: Final = " -_"


class KeptBox(NamedTuple):
    """A file in the folder of a game's boxes, and why it cannot be played."""

    path: Path
    mistakes: tuple[Text, ...] = ()

    @property
    def name(self) -> str:
        return self.path.stem


def folder(game: Game) -> Path:
    return data_folder() / "boxes" / game.name


def files(game: Game) -> list[Path]:
    """Return all files in a game's folder, by name. Raises BoxError if that fails."""
    where = folder(game)
    with naming(where):
        try:
            return sorted(where.iterdir())
        except FileNotFoundError:
            return []


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn an OSError into a BoxError that names the file or folder."""
    try:
        yield
    except OSError as error:
        raise BoxError(msg("{path}: {why}", path=path, why=reason(error))) from error


def path_of(game: Game, name: str) -> Path:
    """Return the file of a box. Raises BoxError if the name is not allowed."""
    fits = name == name.strip() and 1 <= len(name) <= _LONGEST
    if not fits or not all(sign.isalnum() or sign in _SIGNS for sign in name):
        raise BoxError(
            msg(
                "{name!r} is not a valid box name; allowed: 1 to {n} letters, digits, spaces, - and _",
                name=name,
                n=_LONGEST,
            )
        )
    return folder(game) / f"{name}{SUFFIX}"


def usual(game: Game) -> NamedBox:
    return NamedBox("", game.box_text)


def named(game: Game, name: str) -> NamedBox:
    """Return a box; "" is the built-in one. Raises BoxError if it is missing or cannot be played."""
    if not name:
        return usual(game)
    path = path_of(game, name)
    if not is_there(path):
        there = [kept.name for kept in on_shelf(game)]
        near = nearest(name, there) if there else msg("none yet; companion box new makes one")
        raise BoxError(msg("{game}: unknown box {name!r}; {near}", game=game.title, name=name, near=near))
    return NamedBox(name, checked(game, path))


def is_there(path: Path) -> bool:
    """Raise BoxError if the disk fails."""
    with naming(path):
        return exists(path)


def checked(game: Game, path: Path) -> str:
    """Return the text of a box. Raises BoxError with all mistakes if it cannot be played."""
    text = read_text(path)
    game.read_box(text, str(path))
    return text


def read_text(path: Path) -> str:
    """Raise BoxError if the file cannot be read."""
    try:
        with naming(path):
            if path.exists() and not path.is_file():
                raise BoxError(msg("{path}: not a file", path=path))
            return path.read_text(ENCODING)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BoxError(
            msg("{path}: line {line} is not valid UTF-8; save the file as UTF-8", path=path, line=line)
        ) from error


def on_shelf(game: Game) -> list[KeptBox]:
    """Return all files in a game's folder except drafts. Raises BoxError if that fails."""
    return [KeptBox(path, _mistakes(game, path)) for path in files(game) if not path.name.startswith(".")]


def _mistakes(game: Game, path: Path) -> tuple[Text, ...]:
    if path.suffix != SUFFIX:
        return (msg("{path}: its name must end in {suffix}", path=path, suffix=SUFFIX),)
    try:
        path_of(game, path.stem)
        checked(game, path)
    except BoxError as error:
        return error.mistakes
    return ()


def offered(game: Game, seats: int) -> Iterator[NamedBox]:
    """Yield the built-in box and the custom boxes that `seats` players can play with."""
    yield usual(game)
    try:
        sound = [kept.name for kept in on_shelf(game) if not kept.mistakes]
    except (BoxError, OptionError):
        return  # `companion box list` says why
    for name in sound:
        try:
            yield _fit(game, name, seats)
        except CompanionError:  # it was changed in the meantime
            continue


def unfit(game: Game, name: str, seats: int) -> Text | None:
    try:
        _fit(game, name, seats)
    except CompanionError as error:
        return mistake_of(error.text).why
    return None


def _fit(game: Game, name: str, seats: int) -> NamedBox:
    box = named(game, name)
    game.rules.setup(game.read_box(box.text, name), game.rulings(), seats)
    return box


def usable(game: Game, name: str) -> NamedBox:
    """Return a box, or the built-in one if it is missing or cannot be played."""
    try:
        return named(game, name)
    except (BoxError, OptionError):
        return usual(game)
