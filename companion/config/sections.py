"""The options of each section of table.toml, except those of drivers and games."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.core.dealer import DEALS
from companion.core.errors import OptionError
from companion.core.files import data_folder
from companion.core.options import option
from companion.core.text import LANGUAGES, OWN_NAMES, Text, msg
from companion.display.frame import Look
from companion.display.geometry import ScreenGeometry

_LANGUAGES: Final = ", ".join(LANGUAGES)


@dataclass(frozen=True)
class Seats:
    """The players at the table."""

    names: tuple[str, ...] = option(("Anna", "Ben", "Cleo"), msg("the players' names, clockwise, 2 to 5 of them"))
    languages: tuple[str, ...] = option(
        (),
        msg(
            "the language of each seat's strip and private screen ({languages}), clockwise; empty: as the display",
            languages=_LANGUAGES,
        ),
    )


@dataclass(frozen=True)
class CardOptions:
    """Whether cards and dice are real or the companion's."""

    deal: str = option(
        "pi",
        msg("who deals and rolls: the companion, or you with real pieces"),
        choices=DEALS,
        label=msg("Cards and dice"),
        words={"pi": msg("the companion's"), "table": msg("your own")},
    )


@dataclass(frozen=True)
class JournalOptions:
    """Where matches are stored."""

    folder: str = option("", msg("the folder of the records; empty: companion/matches in the user's data folder"))

    @property
    def path(self) -> Path:
        return Path(self.folder).expanduser() if self.folder else data_folder() / "matches"


@dataclass(frozen=True)
class DisplayOptions:
    """The display: its size, and how it shows events."""

    width_mm: int = option(
        0,
        msg("the measured width of the display's picture in millimetres; 0: that of a 7-inch display"),
        minimum=0,
        maximum=2000,
    )
    height_mm: int = option(
        0,
        msg("its measured height in millimetres; 0: that of a 7-inch display"),
        minimum=0,
        maximum=2000,
    )
    reader_cm: int = option(
        60,
        msg("the distance of the players from its centre in centimetres; names and numbers are legible there"),
        minimum=30,
        maximum=200,
    )
    turn: int = option(0, msg("the display's rotation in quarter turns anticlockwise"), minimum=0, maximum=3)
    language: str = option(
        "",
        msg("the display's language ({languages}); empty: the system's", languages=_LANGUAGES),
        steps=LANGUAGES,
        label=msg("Language"),
        words={"": msg("system")} | {code: Text(name) for code, name in OWN_NAMES.items()},
    )
    contrast: str = option(
        "normal",
        msg("how strongly texts and lines stand out; high for weak eyes and bright rooms"),
        choices=("normal", "high"),
        label=msg("Contrast"),
        words={"normal": msg("normal"), "high": msg("high")},
    )
    text: str = option(
        "normal",
        msg("the size of names and texts: normal, or larger where there is room"),
        choices=("normal", "large"),
        label=msg("Text"),
        words={"normal": msg("normal"), "large": msg("large")},
    )
    motion: bool = option(
        True,
        msg("whether cards and pieces move to their places, which tires some eyes"),
        label=msg("Motion"),
    )
    notes: bool = option(
        True,
        msg("whether a yellow note shows the next key, on a PC and in each player's first match of a game"),
        label=msg("Notes"),
        words={False: msg("off"), True: msg("on")},
    )
    drum_ms: int = option(
        700,
        msg("the length of the drum roll before a reveal, in milliseconds; 0: none"),
        minimum=0,
        maximum=2000,
        steps=(700, 0),
    )

    @property
    def geometry(self) -> ScreenGeometry:
        return ScreenGeometry(self.width_mm, self.height_mm, self.reader_cm, self.turn)

    @property
    def look(self) -> Look:
        return Look(self.contrast == "high", self.text == "large", self.motion, language=self.language)


@dataclass(frozen=True)
class SoundOptions:
    """The sounds of the table."""

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
        msg("whether all sound is off, at any volume"),
        label=msg("Sound"),
        words={False: msg("on"), True: msg("off")},
    )
    device: str = option("", msg("the sound device, as `companion doctor` lists it; empty: the system's default"))
    voice: bool = option(
        False,
        msg("whether the table says aloud who was first, right or wrong, whose turn it is and who wins"),
        label=msg("Voice"),
        words={False: msg("off"), True: msg("on")},
    )
    voice_files: tuple[str, ...] = option(
        (),
        msg(
            "Piper's voice files, at most one a language, such as fr_FR-siwis-medium.onnx; espeak-ng speaks the "
            "other languages"
        ),
    )


@dataclass(frozen=True)
class PaceOptions:
    """Time limits, reminders and waiting times."""

    timers: str = option(
        "x1",
        msg("time limits, from the next one on: as in the house rules, half as long again, twice as long, or none"),
        choices=("x1", "x1.5", "x2", "off"),
        label=msg("Answer time"),
        words={"x1": msg("usual"), "off": msg("unlimited")},
    )
    nudge_s: int = option(
        10,
        msg("seconds until lamp and strip remind whose turn it is; 0: never"),
        minimum=0,
        maximum=600,
        steps=(10, 20, 60, 0),
        label=msg("Reminder"),
        words={0: msg("never")},
        unit=msg("after {n} s"),
    )
    sound_s: int = option(
        30,
        msg("seconds until a sound reminds, too; 0: never"),
        minimum=0,
        maximum=600,
        steps=(30, 60, 120, 0),
        label=msg("Sound reminder"),
        words={0: msg("never")},
        unit=msg("after {n} s"),
    )

    next_card: str = option(
        "turner",
        msg(
            "how the next card turns in Buntherum when the companion deals: by the player whose turn it is, or "
            "by itself"
        ),
        choices=("turner", "auto"),
        label=msg("Next card"),
        words={"turner": msg("by a player"), "auto": msg("by itself")},
    )
    next_s: int = option(
        3,
        msg("seconds that a verdict stays before a card turns by itself; at least 5 for learners"),
        minimum=1,
        maximum=60,
        steps=(3, 5, 8, 1),
        label=msg("Before the next card"),
        unit=msg("{n} s"),
    )
    unhurried: bool = option(
        False,
        msg("whether verdicts, reveals, photo finishes and animations last twice as long"),
        label=msg("Slow pace"),
        words={False: msg("off"), True: msg("on")},
    )

    @property
    def shown_percent(self) -> int:
        return 200 if self.unhurried else 100

    @property
    def limit_percent(self) -> int:
        """Time limits in percent of the rulings' values; 0 switches them off."""
        return {"x1": 100, "x1.5": 150, "x2": 200, "off": 0}[self.timers]


@dataclass(frozen=True)
class LogOptions:
    """How much the log contains."""

    level: str = option(
        "info",
        msg("the level of the log: info has the evidence of each verdict, debug also details for bug reports"),
        choices=("info", "debug", "warning", "error"),
    )


@dataclass(frozen=True)
class GameOptions:
    """The box that a game is played with."""

    box: str = option(
        "",
        msg("the box to play with, by its name in `companion box list`; empty: the built-in box"),
    )


@dataclass(frozen=True)
class LastOptions:
    """The last game and its players, stored in the user's own file for the next start."""

    game: str = option("", msg("the game"))
    players: tuple[str, ...] = option((), msg("who sat at each place, clockwise; empty: nobody"))
    robots: tuple[str, ...] = option((), msg("the robot at each place, clockwise; empty: a person, or nobody"))


ACCEPTED: Final = ("call", "pause", "message")


@dataclass(frozen=True)
class ClubOptions:
    """The club's broker (MQTT), through which other screens receive all that is public at this table."""

    broker: str = option("", msg("the address or name of the club's broker; empty: nothing is sent"))
    port: int = option(
        0, msg("its port; 0: the default, 8883 with a certificate, else 1883"), minimum=0, maximum=65_535
    )
    table: str = option("", msg("this table's name there; empty: the name of its machine"))
    user: str = option("", msg("the user name of this table there"))
    password_file: str = option("", msg("a file whose first line is the password"))
    certificate: str = option(
        "", msg("a file with the certificate of the broker's authority; without one nothing is encrypted")
    )
    topic: str = option("companion", msg("the prefix of its topics"))
    accept: tuple[str, ...] = option(
        (),
        msg("what the broker may ask of this table: any of call, pause, message; needs a password"),
    )
    home_assistant: bool = option(False, msg("whether Home Assistant finds this table by itself"))

    def check(self, where: str) -> None:
        """Raise OptionError naming `where` for options that do not fit together."""
        if set(self.accept) - set(ACCEPTED):
            raise OptionError(
                msg(
                    "{where}: [club]: accept = {found}; allowed: any of {allowed}",
                    where=where,
                    found=list(self.accept),
                    allowed=", ".join(ACCEPTED),
                )
            )
        if bool(self.user) != bool(self.password_file) or (self.accept and not self.user):
            raise OptionError(
                msg("{where}: [club]: user and password_file belong together, and accept needs both", where=where)
            )
        if self.topic.strip("/") != self.topic or not self.topic or set(self.topic) & set("+#\0"):
            raise OptionError(
                msg(
                    "{where}: [club]: topic = {found!r}; allowed: words with / between them",
                    where=where,
                    found=self.topic,
                )
            )
