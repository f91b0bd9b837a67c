"""The table's configuration: one TOML file, each option declared once with default, help and what is allowed."""

import dataclasses
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.core import options
from companion.core.dealer import DEALS
from companion.core.errors import OptionError, nearest
from companion.core.files import home_folder, read_regular
from companion.core.game import Game
from companion.core.limits import TOML_BYTES
from companion.core.options import option
from companion.core.others import OTHERS
from companion.core.rules import Rulings
from companion.core.text import LANGUAGES, Text, msg
from companion.core.toml import TomlError, in_toml, parse_toml
from companion.devices.voice import SUFFIX, by_language
from companion.devices.wiring import Wiring, device_sections
from companion.display.frame import Look
from companion.display.geometry import ScreenGeometry

FILE_NAME: Final = "table.toml"
RULINGS: Final = "rulings"
GAMES: Final = "games"

ENCODING: Final = "utf-8-sig"
"""UTF-8; some editors put a mark before it."""


@dataclass(frozen=True)
class Seats:
    """Who sits at the table."""

    names: tuple[str, ...] = option(("Anna", "Ben", "Cleo"), msg("the players' names, clockwise, 2 to 5 of them"))
    languages: tuple[str, ...] = option(
        (),
        msg("what each seat reads on its strip and its private screen, clockwise: en or fr; empty: as the display"),
    )


@dataclass(frozen=True)
class CardOptions:
    """Whose cards and dice are played with."""

    deal: str = option(
        "pi",
        msg("who deals and rolls: the Pi, or the table, where the house keys what is on its real cards and dice"),
        choices=DEALS,
        label=msg("Cards and dice"),
        words={"pi": msg("the companion's"), "table": msg("your own")},
    )


@dataclass(frozen=True)
class JournalOptions:
    """Where matches are kept."""

    folder: str = option("", msg("the folder of the records; empty: companion/matches in the user's data folder"))

    @property
    def path(self) -> Path:
        """The folder as a path."""
        return Path(self.folder).expanduser() if self.folder else data_folder() / "matches"


@dataclass(frozen=True)
class DisplayOptions:
    """The display as it is built in, and how it shows what happens."""

    width_mm: int = option(
        0,
        msg("how wide the display's picture is in millimetres, measured; 0: that of a display of 7 inches"),
        minimum=0,
        maximum=2000,
    )
    height_mm: int = option(
        0,
        msg("how high it is in millimetres, measured; 0: that of a display of 7 inches"),
        minimum=0,
        maximum=2000,
    )
    reader_cm: int = option(
        60,
        msg("how far from its middle the players sit, in centimetres; names and numbers are made to be read there"),
        minimum=30,
        maximum=200,
    )
    turn: int = option(0, msg("how the display hangs, in quarter turns against the clock"), minimum=0, maximum=3)
    language: str = option(
        "",
        msg("what it speaks: en or fr, else what the system speaks"),
        steps=LANGUAGES,
        label=msg("Language"),
        words={"": msg("system"), "en": Text("English"), "fr": Text("français")},
    )
    contrast: str = option(
        "normal",
        msg("high: texts and lines stand out more, for weak eyes and bright rooms"),
        choices=("normal", "high"),
        label=msg("Contrast"),
        words={"normal": msg("normal"), "high": msg("high")},
    )
    text: str = option(
        "normal",
        msg("large: names and texts are larger than need be, where there is room"),
        choices=("normal", "large"),
        label=msg("Text"),
        words={"normal": msg("normal"), "large": msg("large")},
    )
    motion: bool = option(
        True,
        msg("whether cards and pieces move to their places, which tires some eyes"),
        label=msg("Motion"),
    )
    drum_ms: int = option(
        700,
        msg("how long the drum rolls before a reveal, in milliseconds; 0: not at all"),
        minimum=0,
        maximum=2000,
        steps=(700, 0),
    )

    @property
    def geometry(self) -> ScreenGeometry:
        """The measures as the layout wants them."""
        return ScreenGeometry(self.width_mm, self.height_mm, self.reader_cm, self.turn)

    @property
    def look(self) -> Look:
        """How frames are to be drawn."""
        return Look(self.contrast == "high", self.text == "large", self.motion)


@dataclass(frozen=True)
class SoundOptions:
    """What the table lets be heard."""

    volume: int = option(
        7,
        msg("how loud the sounds are; 0: silent"),
        minimum=0,
        maximum=10,
        steps=(1, 3, 5, 7, 10),
        label=msg("Volume"),
    )
    mute: bool = option(
        False,
        msg("whether the table is silent, however loud it is set"),
        label=msg("Sound"),
        words={False: msg("on"), True: msg("off")},
    )
    device: str = option(
        "", msg("what the sounds come out of, as `companion doctor` lists it; empty: what the system takes first")
    )
    voice: bool = option(
        False,
        msg("whether the table says aloud who was first, right or wrong, whose turn it is and who wins"),
        label=msg("Voice"),
        words={False: msg("off"), True: msg("on")},
    )
    voice_files: tuple[str, ...] = option(
        (),
        msg(
            "the voice files of Piper, at most one a language, as fr_FR-siwis-medium.onnx; a language without one "
            "is spoken by espeak-ng"
        ),
    )


@dataclass(frozen=True)
class PaceOptions:
    """How much time people take."""

    timers: str = option(
        "x1",
        msg("how long time limits are: as the rulings say, half as long again, twice as long, or none at all"),
        choices=("x1", "x1.5", "x2", "off"),
        label=msg("Answer time"),
        words={"x1": msg("usual"), "off": msg("unlimited")},
    )
    nudge_s: int = option(
        10,
        msg("after how many seconds lamp and strip remind whose turn it is; 0: never"),
        minimum=0,
        maximum=600,
        steps=(10, 20, 60, 0),
        label=msg("Reminder, s"),
        words={0: msg("never")},
    )
    sound_s: int = option(
        30,
        msg("after how many seconds a sound reminds, too; 0: never"),
        minimum=0,
        maximum=600,
        steps=(30, 60, 120, 0),
        label=msg("Sound reminder, s"),
        words={0: msg("never")},
    )

    next_card: str = option(
        "turner",
        msg(
            "who turns the next card that the Pi deals in Buntherum: the player whose turn it is, or nobody has to"
        ),
        choices=("turner", "auto"),
        label=msg("Next card"),
        words={"turner": msg("by a player"), "auto": msg("by itself")},
    )
    next_s: int = option(
        3,
        msg("how many seconds a verdict stays before a card that turns by itself; learners have 5 at least"),
        minimum=1,
        maximum=60,
        steps=(3, 5, 8, 1),
        label=msg("Before the next card, s"),
    )
    unhurried: bool = option(
        False,
        msg("whether all that is only shown stays twice as long: verdicts, reveals, photo finishes, what moves"),
        label=msg("Unhurried"),
    )

    def shown_ns(self, usual_ns: int) -> int:
        """Return how long something is shown that usually is so long, both in nanoseconds."""
        return 2 * usual_ns if self.unhurried else usual_ns

    @property
    def limit_percent(self) -> int:
        """How long time limits are in percent of what the rulings say; 0: there are none."""
        return {"x1": 100, "x1.5": 150, "x2": 200, "off": 0}[self.timers]


@dataclass(frozen=True)
class LogOptions:
    """What the log says."""

    level: str = option(
        "info",
        msg("from what on the log has it: info has the evidence of each verdict, debug also what helps to mend"),
        choices=("info", "debug", "warning", "error"),
    )


@dataclass(frozen=True)
class GameOptions:
    """What a game is played with."""

    box: str = option(
        "",
        msg("the box that is played with, by its name in `companion box list`; empty: the one of the program"),
    )


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
    wiring: Wiring = field(default_factory=Wiring)
    """The sections of all drivers."""
    rulings: Mapping[str, Rulings] = field(default_factory=dict)
    games: Mapping[str, GameOptions] = field(default_factory=dict)
    path: Path | None = None
    """The file that says so; None when it is all defaults."""

    def rulings_of(self, game: Game) -> Rulings:
        """Return the rulings of a game, its defaults where the file says nothing."""
        return self.rulings.get(game.name) or game.rulings()

    def box_of(self, game: Game) -> str:
        """Return the name of the box that a game is played with; empty for the one that comes with it."""
        return self.games.get(game.name, GameOptions()).box


_SECTIONS: Final[dict[str, type[Any]]] = {
    "seats": Seats,
    "cards": CardOptions,
    "journal": JournalOptions,
    "display": DisplayOptions,
    "sound": SoundOptions,
    "pace": PaceOptions,
    "log": LogOptions,
}


def data_folder() -> Path:
    """Return the user's data folder for the companion."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else home_folder() / ".local" / "share") / "companion"


def read_config(path: Path, games: Mapping[str, Game]) -> TableConfig:
    """Return what a table.toml says. Raise OptionError naming file, key and what is allowed."""
    try:
        text = _text(path)
    except OSError as error:
        raise OptionError(msg("{path}: {why}", path=path, why=error.strerror)) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise OptionError(msg("{path}: line {line} is not in UTF-8; save it so", path=path, line=line)) from error
    return dataclasses.replace(parse_config(text, str(path), games), path=path)


def _text(path: Path) -> str:
    """Return the text of a table.toml. Raise OSError, UnicodeDecodeError."""
    text = read_regular(path, TOML_BYTES).decode(ENCODING)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_config(text: str, where: str, games: Mapping[str, Game]) -> TableConfig:
    """Return what the text of a table.toml says. Raise OptionError naming `where`, key and what is allowed."""
    try:
        found = parse_toml(text)
    except TomlError as error:
        raise OptionError(msg("{where}: {error}", where=where, error=error.text)) from error
    devices = device_sections()
    sections: dict[str, type[Any]] = {**_SECTIONS, **devices, RULINGS: dict, GAMES: dict}
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
    rulings = _by_game(found, RULINGS, where, {name: game.rulings for name, game in games.items()})
    boxes = _by_game(found, GAMES, where, dict.fromkeys(games, GameOptions))
    read: dict[str, Any] = {
        name: options.read(sections[name], section, f"{where}: [{name}]") for name, section in found.items()
    }
    config = TableConfig(
        **{name: section for name, section in read.items() if name in _SECTIONS},
        wiring=Wiring(*(section for name, section in read.items() if name in devices)),
        rulings=rulings,
        games=boxes,
    )
    _check_names(config.seats.names, where)
    _check_languages(config, where)
    config.wiring.check(where)
    _check_folder(config.journal.folder, where)
    _check_voices(config.sound.voice_files, where)
    return config


def _by_game(found: dict[str, Any], group: str, where: str, classes: Mapping[str, type[Any]]) -> dict[str, Any]:
    """Take the sections of a group, one a game, out of what was found, and return them as they are read."""
    read: dict[str, Any] = {}
    for name, section in found.pop(group, {}).items():
        if name not in classes:
            _unknown(
                msg(
                    "{where}: [{section}.{name}]: {near}",
                    where=where,
                    section=group,
                    name=name,
                    near=nearest(name, classes),
                )
            )
            continue
        _check_table(section, f"{where}: [{group}.{name}]")
        read[name] = options.read(classes[name], section, f"{where}: [{group}.{name}]")
    return read


def _unknown(what: Text) -> None:
    """Refuse a section that nobody knows; where it may be one of others, which did not load, name it and go on."""
    if not OTHERS.some_missing:
        raise OptionError(what)
    OTHERS.refuse(what)


def _check_names(names: Sequence[str], where: str) -> None:
    if not 2 <= len(names) <= 5 or not all(name.strip() and name.isprintable() for name in names):
        raise OptionError(
            msg(
                "{where}: [seats]: names = {names}; allowed: 2 to 5 names that can be printed, none empty",
                where=where,
                names=list(names),
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
    if {Path(name).suffix for name in files} - {SUFFIX} or set(by_language(files)) - set(LANGUAGES):
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


def keep_pods(path: Path, seats: Sequence[str]) -> None:
    """Write into a table.toml whose pod is whose. Raise OptionError as `keep_option` does."""
    keep_option(path, "pods", "seats", tuple(seats))


def keep_option(path: Path, section: str, key: str, value: object) -> None:
    """Write one option into a table.toml, and leave everything else as it stands; `a.b` is a section within one.

    Raise OptionError with what to write when that is not possible.
    """
    import tomlkit  # noqa: PLC0415  most tables never write into their file

    refused = OptionError(
        msg(
            "{path} was not changed; write into it: [{section}] {line}",
            path=path,
            section=section,
            line=f"{key} = {in_toml(value)}",
        )
    )
    try:
        text = _text(path)
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
        replace_file(path.resolve(), document.as_string())  # a link to the file stays one
    except (OSError, ValueError, RecursionError) as error:
        raise refused from error


def replace_file(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the permissions that it had, if it was there. Raise OSError."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)  # what a kill has left, or a link that somebody has laid there
    with new.open("x", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())  # else the plug could be pulled while an empty file has its place
    if path.exists():
        shutil.copymode(path, new)
    new.replace(path)


def all_sections(games: Mapping[str, Game]) -> dict[str, type[Any]]:
    """Return every section of a table.toml by its name, with the dataclass whose fields are its options."""
    rulings = {f"{RULINGS}.{name}": game.rulings for name, game in games.items()}
    return _SECTIONS | device_sections() | rulings | {f"{GAMES}.{name}": GameOptions for name in games}


def default_config(games: Mapping[str, Game]) -> str:
    """Return a table.toml that says nothing but the defaults, each with its help."""
    parts = ["# The table companion: one table. Every line shows its default; remove the # to change it.\n"]
    for name, cls in all_sections(games).items():
        parts.append(f"[{name}]")
        for declared in options.offered(cls):
            parts.append(f"# {declared.metadata['help']} ({options.allowed(declared)})")
            parts.append(f"#{declared.name} = {in_toml(declared.default)}\n")
    return "\n".join(parts)


def _check_table(section: object, where: str) -> None:
    if not isinstance(section, dict):
        raise OptionError(msg("{where}: this is a section, not a value", where=where))
