"""The table's configuration: one TOML file. Each option declares its default, help and limits once."""

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
from companion.core.files import BOM, ENCODING, TABLE_FILE, config_folder, read_regular
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

RULINGS: Final = "rulings"
GAMES: Final = "games"


@dataclass(frozen=True, kw_only=True)
class TableConfig:
    """A whole table.toml: its sections, and the rulings and the box of each game."""

    seats: Seats = field(default_factory=Seats)
    cards: CardOptions = field(default_factory=CardOptions)
    journal: JournalOptions = field(default_factory=JournalOptions)
    display: DisplayOptions = field(default_factory=DisplayOptions)
    sound: SoundOptions = field(default_factory=SoundOptions)
    pace: PaceOptions = field(default_factory=PaceOptions)
    log: LogOptions = field(default_factory=LogOptions)
    club: ClubOptions = field(default_factory=ClubOptions)
    wiring: Wiring = field(default_factory=Wiring)
    rulings: Mapping[str, Rulings] = field(default_factory=dict)
    games: Mapping[str, GameOptions] = field(default_factory=dict)
    last: LastOptions = field(default_factory=LastOptions)
    path: Path | None = None
    """The file that stores changes; None if they are not saved."""
    own: bool = False
    """True for the user's own file, which the first change creates."""
    trouble: Text | None = None
    """Why the user's own file could not be used."""

    def rulings_of(self, game: Game) -> Rulings:
        return self.rulings.get(game.name) or game.rulings()

    def box_of(self, game: Game) -> str:
        """Return the name of a game's box; empty for the built-in one."""
        return self.games.get(game.name, GameOptions()).box


_SECTIONS: Final[dict[str, type[Any]]] = {
    each.name: each.type
    for each in dataclasses.fields(TableConfig)
    if isinstance(each.type, type) and dataclasses.is_dataclass(each.type)
}


def read_table(path: Path | None, games: Mapping[str, Game]) -> TableConfig:
    """Return a parsed table.toml; without a path the user's own one, if it exists.

    Raises OptionError for a named file. A damaged file of the user is renamed.
    """
    if path:
        return read_config(path, games)
    try:
        path = config_folder() / TABLE_FILE
    except OptionError:  # this user does not have a home folder
        return TableConfig()
    try:
        return replace(read_config(path, games), own=True)
    except OptionError as error:
        is_missing = isinstance(error.__cause__, FileNotFoundError)
        return TableConfig(path=path, own=True, trouble=None if is_missing else _set_aside(path, error.text))


def _set_aside(path: Path, why: Text) -> Text:
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
    """Return a parsed table.toml. Raises OptionError as `parse_config` does."""
    try:
        text = _text(read_regular(path, TOML_BYTES))
    except FileNotFoundError as error:
        why = msg("{path}: {why}; companion config init {path} writes one", path=path, why=reason(error))
        raise OptionError(why) from error
    except OSError as error:
        raise OptionError(msg("{path}: {why}", path=path, why=reason(error))) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise OptionError(
            msg("{path}: line {line} is not valid UTF-8; save the file as UTF-8", path=path, line=line)
        ) from error
    return dataclasses.replace(parse_config(text, str(path), games), path=path)


def _text(raw: bytes) -> str:
    return raw.decode(ENCODING).replace("\r\n", "\n").replace("\r", "\n")


def parse_config(text: str, where: str, games: Mapping[str, Game]) -> TableConfig:
    """Return a parsed table.toml. Raises OptionError naming `where`, the key and what is allowed."""
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
    """Remove a group of sections, one per game, from `found`, and return them parsed."""
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
    """Refuse an unknown section, unless it may belong to a plug-in that did not load."""
    if not PLUGINS.some_missing:
        raise OptionError(what)
    PLUGINS.refuse(what)


def _names(names: Sequence[str], where: str) -> tuple[str, ...]:
    if not 2 <= len(names) <= 5:
        raise OptionError(
            msg("{where}: [seats]: names = {names}; allowed: 2 to 5 names", where=where, names=list(names))
        )
    try:
        return tuple(map(read_name, names))
    except OptionError as error:
        raise OptionError(msg("{where}: [seats]: names: {why}", where=where, why=error.text)) from error


def _check_last(last: LastOptions, where: str) -> None:
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
            msg(
                "{where}: [journal]: folder = {found!r}; it has a character that no folder's name may have",
                where=where,
                found=folder,
            )
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
    """Write one option into a table.toml without changing anything else. `a.b` is a nested section.

    With `make` a missing file is created. Raises OptionError that says what to write by hand.
    """
    import tomlkit  # noqa: PLC0415  most tables never write into their file

    line = f"{key} = {in_toml(value)}"
    refused = OptionError(
        msg("{path} was not changed; add to it: [{section}] {line}", path=path, section=section, line=line)
    )
    try:
        raw = _begun(path) if make and not path.exists() else read_regular(path, TOML_BYTES)
        text = _text(raw)
        document = tomlkit.parse(text and text.rstrip("\n") + "\n")  # the last line may lack its line break
        found: Any = document
        for part in section.split("."):
            found = found.setdefault(part, tomlkit.table())
            if not isinstance(found, tomlkit.items.Table):
                raise refused
        kept = list(value) if isinstance(value, tuple) else value
        if key in found:
            found[key] = kept
        else:  # first in its section: at the end, the help of another option would precede it
            found.value.body.insert(0, (tomlkit.key(key), tomlkit.item(kept)))
        written = document.as_string().replace("\n", "\r\n" if b"\r\n" in raw else "\n")
        mark = BOM if raw.startswith(BOM_UTF8) else ""
        replace_file(path.resolve(), mark + written)  # a link to the file stays one
    except OSError as error:
        why = msg(
            "{path} was not changed ({why}); add to it: [{section}] {line}",
            path=path,
            why=reason(error),
            section=section,
            line=line,
        )
        raise OptionError(why) from error
    except (ValueError, RecursionError, tomlkit.exceptions.TOMLKitError) as error:
        raise refused from error


def _begun(path: Path) -> bytes:
    """Create the folder of a new file, and return its first line."""
    durable.make_folder(path.parent)
    return b"# What was chosen at the table. `companion config init` writes all that there is to choose.\n"


def replace_file(path: Path, text: str) -> None:
    """Write a file completely or not at all, preserving its permissions. Raises OSError."""
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
    os.close(durable.write_whole(path, text.encode(), mode))


def all_sections(games: Mapping[str, Game]) -> dict[str, type[Any]]:
    """Return the dataclass of every section; its fields are the options."""
    rulings = {f"{RULINGS}.{name}": game.rulings for name, game in games.items()}
    return _SECTIONS | device_sections() | rulings | {f"{GAMES}.{name}": GameOptions for name in games}


def default_config(games: Mapping[str, Game]) -> str:
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
