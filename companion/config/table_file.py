"""The table's configuration: one TOML file, each option declared once with default, help and what is allowed."""

import dataclasses
import os
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from companion.config.sections import (
    CardOptions,
    ClubOptions,
    DisplayOptions,
    GameOptions,
    JournalOptions,
    LastOptions,
    LogOptions,
    PaceOptions,
    Seats,
    SoundOptions,
)
from companion.core import options
from companion.core.errors import OptionError, nearest
from companion.core.files import BOM, ENCODING, config_folder, read_regular
from companion.core.game import Game
from companion.core.limits import TOML_BYTES
from companion.core.names import read_name
from companion.core.place import MOST_PLACES
from companion.core.plugins import PLUGINS
from companion.core.rules import Rulings
from companion.core.text import LANGUAGES, Text, msg, reason
from companion.core.toml import TomlError, in_toml, parse_toml
from companion.devices.voice import SUFFIX, by_language
from companion.devices.wiring import Wiring, device_sections
from companion.referee import durable

FILE_NAME: Final = "table.toml"
RULINGS: Final = "rulings"
GAMES: Final = "games"


@dataclass(frozen=True, kw_only=True)
class TableConfig:
    """A whole table.toml: a section each, those of the drivers, and the rulings and the box of each game."""

    seats: Seats = field(default_factory=Seats)
    cards: CardOptions = field(default_factory=CardOptions)
    journal: JournalOptions = field(default_factory=JournalOptions)
    display: DisplayOptions = field(default_factory=DisplayOptions)
    sound: SoundOptions = field(default_factory=SoundOptions)
    pace: PaceOptions = field(default_factory=PaceOptions)
    log: LogOptions = field(default_factory=LogOptions)
    club: ClubOptions = field(default_factory=ClubOptions)
    wiring: Wiring = field(default_factory=Wiring)
    """The sections of all drivers."""
    rulings: Mapping[str, Rulings] = field(default_factory=dict)
    games: Mapping[str, GameOptions] = field(default_factory=dict)
    last: LastOptions = field(default_factory=LastOptions)
    path: Path | None = None
    """The file that was read, and in which changes are kept; None for the defaults, which keeps nothing."""
    own: bool = False
    """Whether that is the user's own file, which is made when the first thing is to be kept."""
    trouble: Text | None = None
    """Why the user's own file could not be used."""

    def rulings_of(self, game: Game) -> Rulings:
        """Return the rulings of a game, by default the game's."""
        return self.rulings.get(game.name) or game.rulings()

    def box_of(self, game: Game) -> str:
        """Return the name of the game's box; empty for the built-in one."""
        return self.games.get(game.name, GameOptions()).box


_SECTIONS: Final[dict[str, type[Any]]] = {
    each.name: each.type
    for each in dataclasses.fields(TableConfig)
    if isinstance(each.type, type) and dataclasses.is_dataclass(each.type)
}
"""The dataclass of each section, except those of drivers and games."""


def read_table(path: Path | None, games: Mapping[str, Game]) -> TableConfig:
    """Return what a table.toml says; without a path the user's own one, which may not be there yet.

    Raise OptionError for a named file, as `read_config` does. The user's own one is set aside if it is damaged.
    """
    if path:
        return read_config(path, games)
    try:
        path = config_folder() / FILE_NAME
    except OptionError:  # this user has no home
        return TableConfig()
    try:
        return replace(read_config(path, games), own=True)
    except OptionError as error:
        is_missing = isinstance(error.__cause__, FileNotFoundError)
        return TableConfig(path=path, own=True, trouble=None if is_missing else _set_aside(path, error.text))


def _set_aside(path: Path, why: Text) -> Text:
    """Rename a damaged file of the user, so that another one can be kept in its place; say so."""
    names = (path.with_name(f"{path.name}.damaged{number or ''}") for number in count())
    aside = next(name for name in names if not name.exists())
    try:
        path.rename(aside)
    except OSError:
        return msg("{why}. Until it is fixed, the defaults are used", why=why)
    return msg(
        "{why}. It was renamed to {name}. Fix it and rename it back, or choose again", why=why, name=aside.name
    )


def read_config(path: Path, games: Mapping[str, Game]) -> TableConfig:
    """Return what a table.toml says. Raise OptionError naming file, key and what is allowed."""
    try:
        text = _text(read_regular(path, TOML_BYTES))
    except FileNotFoundError as error:
        why = msg("{path}: {why}; companion config init {path} writes one", path=path, why=reason(error))
        raise OptionError(why) from error
    except OSError as error:
        raise OptionError(msg("{path}: {why}", path=path, why=reason(error))) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise OptionError(msg("{path}: line {line} is not in UTF-8; save it so", path=path, line=line)) from error
    return dataclasses.replace(parse_config(text, str(path), games), path=path)


def _text(raw: bytes) -> str:
    """Return the text of a table.toml. Raise UnicodeDecodeError."""
    return raw.decode(ENCODING).replace("\r\n", "\n").replace("\r", "\n")


def parse_config(text: str, where: str, games: Mapping[str, Game]) -> TableConfig:
    """Return what the text of a table.toml says. Raise OptionError naming `where`, key and what is allowed."""
    try:
        found = parse_toml(text)
    except TomlError as error:
        raise OptionError(msg("{where}: {error}", where=where, error=error.text)) from error
    sections: dict[str, type[Any]] = {**_SECTIONS, RULINGS: dict, GAMES: dict}
    devices = device_sections() if found.keys() - sections else {}  # a virtual table loads no driver
    sections |= devices
    for name, section in list(found.items()):
        if name not in sections:
            _unknown(
                msg(
                    "{where}: unknown section {name!r}; {near}",
                    where=where,
                    name=name,
                    near=nearest(name, sections),
                )
            )
            del found[name]
            continue
        _check_table(section, f"{where}: [{name}]")
    rulings = _by_game(found, RULINGS, where, games, lambda game: games[game].rulings)
    boxes = _by_game(found, GAMES, where, games, lambda _: GameOptions)
    read: dict[str, Any] = {}
    for name, section in found.items():
        read[name] = options.read(sections[name], section, f"{where}: [{name}]")
    config = TableConfig(
        **{name: section for name, section in read.items() if name in _SECTIONS},
        wiring=Wiring(*(section for name, section in read.items() if name in devices)),
        rulings=rulings,
        games=boxes,
    )
    names = _names(config.seats.names, where)
    config = replace(config, seats=replace(config.seats, names=names))
    _check_languages(config, where)
    _check_last(config.last, where)
    if devices:
        config.wiring.check(where)
    config.club.check(where)
    _check_folder(config.journal.folder, where)
    _check_voices(config.sound.voice_files, where)
    return config


def _by_game(
    found: dict[str, Any], group: str, where: str, games: Mapping[str, Game], class_of: Callable[[str], type[Any]]
) -> dict[str, Any]:
    """Remove the sections of a group, one a game, from `found`, and return them parsed."""
    read: dict[str, Any] = {}
    for name, section in found.pop(group, {}).items():
        if name not in games:
            _unknown(
                msg(
                    "{where}: [{section}.{name}]: {near}",
                    where=where,
                    section=group,
                    name=name,
                    near=nearest(name, games),
                )
            )
            continue
        _check_table(section, f"{where}: [{group}.{name}]")
        read[name] = options.read(class_of(name), section, f"{where}: [{group}.{name}]")
    return read


def _unknown(what: Text) -> None:
    """Refuse an unknown section. If it may be of a plug-in that did not load, name it and go on."""
    if not PLUGINS.some_missing:
        raise OptionError(what)
    PLUGINS.refuse(what)


def _names(names: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the players' names in their one form."""
    if not 2 <= len(names) <= 5:
        raise OptionError(
            msg("{where}: [seats]: names = {names}; allowed: 2 to 5 names", where=where, names=list(names))
        )
    try:
        return tuple(map(read_name, names))
    except OptionError as error:
        raise OptionError(msg("{where}: [seats]: names: {why}", where=where, why=error.text)) from error


def _check_last(last: LastOptions, where: str) -> None:
    """Raise OptionError for players that could not have sat at a table."""
    there = [name for name in last.players if name]
    try:
        is_fit = len(last.players) <= MOST_PLACES and len(set(there)) == len(there)
        is_fit = is_fit and there == list(map(read_name, there))
    except OptionError:
        is_fit = False
    if not is_fit:
        raise OptionError(
            msg(
                "{where}: [last]: players = {found}; allowed: up to {most} names, each once",
                where=where,
                found=list(last.players),
                most=MOST_PLACES,
            )
        )


def _check_folder(folder: str, where: str) -> None:
    if "\0" in folder:
        raise OptionError(
            msg("{where}: [journal]: folder = {found!r}; a name has no such sign", where=where, found=folder)
        )
    try:
        Path(folder).expanduser()
    except RuntimeError:
        raise OptionError(
            msg("{where}: [journal]: folder = {found!r}; there is no such user here", where=where, found=folder)
        ) from None


def _check_voices(files: Sequence[str], where: str) -> None:
    if {Path(name).suffix for name in files} - {SUFFIX} or {Path(name).name[:2] for name in files} - set(LANGUAGES):
        raise OptionError(
            msg(
                "{where}: [sound]: voice_files = {found}; allowed: files that end with {suffix} and begin with one "
                "of {languages}",
                where=where,
                found=list(files),
                suffix=SUFFIX,
                languages=", ".join(LANGUAGES),
            )
        )
    taken: dict[str, str] = {}
    for name in files:
        language = Path(name).name[:2]
        if language in taken:
            raise OptionError(
                msg(
                    "{where}: [sound]: voice_files: {one!r} and {other!r} are both for {language}; allowed: one "
                    "file a language",
                    where=where,
                    one=taken[language],
                    other=name,
                    language=language,
                )
            )
        taken[language] = name
    try:
        by_language(files)
    except RuntimeError:
        raise OptionError(
            msg(
                "{where}: [sound]: voice_files = {found}; there is no such user here",
                where=where,
                found=list(files),
            )
        ) from None


def _check_languages(config: TableConfig, where: str) -> None:
    for key, found in (
        ("[seats]: languages", config.seats.languages),
        ("[display]: language", (config.display.language,)),
    ):
        for language in found:
            if language not in {*LANGUAGES, ""}:
                raise OptionError(
                    msg(
                        "{where}: {key} = {found!r}; {near}",
                        where=where,
                        key=key,
                        found=language,
                        near=nearest(language, LANGUAGES),
                    )
                )


def keep_option(path: Path, section: str, key: str, value: object, *, make: bool = False) -> None:
    """Write one option into a table.toml, and leave everything else as it is; `a.b` is a section within a section.

    With `make` the file is made if it is missing.

    Raise OptionError with what to write when that is not possible.
    """
    import tomlkit  # noqa: PLC0415  most tables never write into their file

    line = f"{key} = {in_toml(value)}"
    refused = OptionError(
        msg("{path} was not changed; write into it: [{section}] {line}", path=path, section=section, line=line)
    )
    try:
        raw = _begun(path) if make and not path.exists() else read_regular(path, TOML_BYTES)
        text = _text(raw)
        document = tomlkit.parse(text and text.rstrip("\n") + "\n")  # a last line without an end would go on
        found: Any = document
        for part in section.split("."):
            found = found.setdefault(part, tomlkit.table())
            if not isinstance(found, tomlkit.items.Table):
                raise refused
        kept = list(value) if isinstance(value, tuple) else value
        if key in found:
            found[key] = kept
        else:  # first in its section: at the end it would stand below the help of another option
            found.value.body.insert(0, (tomlkit.key(key), tomlkit.item(kept)))
        written = document.as_string().replace("\n", "\r\n" if b"\r\n" in raw else "\n")
        mark = BOM if raw.startswith(BOM_UTF8) else ""
        replace_file(path.resolve(), mark + written)  # a link to the file stays one
    except OSError as error:
        why = msg(
            "{path} was not changed ({why}); write into it: [{section}] {line}",
            path=path,
            why=reason(error),
            section=section,
            line=line,
        )
        raise OptionError(why) from error
    except (ValueError, RecursionError, tomlkit.exceptions.TOMLKitError) as error:
        raise refused from error


def _begun(path: Path) -> bytes:
    """Return the beginning of a file that is to be made, in a folder that is there then."""
    durable.make_folder(path.parent)
    return b"# What was chosen at the table. `companion config init` writes all that there is to choose.\n"


def replace_file(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the permissions that it had, if it was there. Raise OSError."""
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
    os.close(durable.write_whole(path, text.encode(), mode))


def all_sections(games: Mapping[str, Game]) -> dict[str, type[Any]]:
    """Return every section of a table.toml by its name, with the dataclass whose fields are its options."""
    rulings = {f"{RULINGS}.{name}": game.rulings for name, game in games.items()}
    return _SECTIONS | device_sections() | rulings | {f"{GAMES}.{name}": GameOptions for name in games}


def default_config(games: Mapping[str, Game]) -> str:
    """Return a table.toml that says nothing but the defaults, each with its help."""
    parts = ["# The table companion: one table. Every line shows its default; remove the # to change it.\n"]
    for name, cls in all_sections(games).items():
        parts.append(f"[{name}]")
        for declared in fields(cls):
            parts.append(f"# {declared.metadata['help']} ({options.allowed(declared)})")
            parts.append(f"#{declared.name} = {in_toml(declared.default)}\n")
    return "\n".join(parts)


def _check_table(section: object, where: str) -> None:
    if not isinstance(section, dict):
        raise OptionError(msg("{where}: this is a section, not a value", where=where))
