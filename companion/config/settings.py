"""Settings that people change at the running table, including languages."""

import dataclasses
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from companion.config.sections import GameOptions, LastOptions
from companion.config.table_file import GAMES, TableConfig, keep_option
from companion.core import options
from companion.core.errors import OptionError
from companion.core.files import nearest_folder
from companion.core.game import Game
from companion.core.menu import Act, Choice, Item
from companion.core.place import MOST_PLACES
from companion.core.text import Render, Text, language_of_system, msg, reader, reason
from companion.devices.driver import DeviceOptions
from companion.devices.sound import SAMPLE, Player
from companion.display.frame import Look

CARDS: Final = ("cards", "deal")

IN_MENU: Final = {
    ("sound", "mute"): "loudspeaker",
    ("sound", "volume"): "knob",
    ("sound", "voice"): "person",
    ("display", "language"): "bubble",
    ("display", "contrast"): "contrast",
    ("display", "text"): "letters",
    ("display", "motion"): "motion",
    ("display", "notes"): "mortarboard",
    ("pace", "timers"): "hourglass",
    ("pace", "nudge_s"): "bulb",
    ("pace", "sound_s"): "bell",
    ("pace", "next_card"): "cards",
    ("pace", "next_s"): "clock",
    ("pace", "unhurried"): "coffee",
}

log = logging.getLogger(__name__)


class Readers(NamedTuple):
    """Renderers of texts: in the common language, and in that of each place."""

    common: Render
    places: tuple[Render, ...]


def readers_of(config: TableConfig) -> Readers:
    common, languages = config.display.language, config.seats.languages
    of_places = [*languages, *[""] * (MOST_PLACES - len(languages))]
    return Readers(reader(common), tuple(reader(language or common) for language in of_places))


class Settings:
    """The current options of a table; `player` plays its sounds.

    With `notes` the menu offers to switch off the notes for beginners.
    """

    def __init__(self, config: TableConfig, player: Player, *, notes: bool = False) -> None:
        self._player = player
        self._notes = notes
        self._unkept: dict[tuple[str, str], Text] = {}
        self._set(config)

    def _set(self, config: TableConfig) -> None:
        self.config = config
        self.readers: Readers = readers_of(config)
        self.look: Look = config.display.look._replace(unhurried=config.pace.unhurried)
        sound = config.sound
        self.speaks = sound.voice and bool(sound.volume) and not sound.mute

    def read(self, text: Text) -> str:
        return self.readers.common(text)

    @property
    def language(self) -> str:
        return self.config.display.language or language_of_system()

    def item(self, open_menu: Act) -> Item:
        return Item(msg("Settings"), open_menu, "gear", msg("Sound, language, readability, time"))

    def menu(self, turned: Act = lambda: None) -> Choice:
        kept = Item(msg("Settings file"), lambda: None, "padlock_closed", self._where())
        return Choice(msg("Settings"), (*(self._item(*which, turned) for which in self._offered()), kept))

    def _where(self) -> Text:
        path, why = self.config.path, self.nothing_is_kept
        if why or path is None:
            return why or msg("Not saved: the home folder of this user is missing")
        return Text("{path}", (("path", str(path)),))

    @property
    def nothing_is_kept(self) -> Text | None:
        """Why changes cannot be saved in the user's own file; None if they can, or for another file."""
        path = self.config.path
        if path is None or not self.config.own:
            return None
        try:
            there, is_writable = nearest_folder(path.parent)
        except OSError as error:
            return msg("Not saved: {path}: {why}", path=path, why=reason(error))
        return None if is_writable else msg("Not saved: cannot write to {there}", there=there)

    @property
    def notices(self) -> list[Text]:
        return [text for text in (self.config.trouble, self.nothing_is_kept) if text]

    def cards_item(self, helped: Act | None) -> Item:
        return self._item(*CARDS, lambda: None)._replace(help=helped)

    def _turn(self, section: str, name: str, turned: Act) -> None:
        changed = options.next_value(getattr(self.config, section), name)
        self._set(dataclasses.replace(self.config, **{section: changed}))
        if section == "sound":
            self._player.turn(self.config.sound.volume, mute=self.config.sound.mute)
            self._player.play(SAMPLE)
        self.keep(section, name, getattr(changed, name))
        turned()

    def keep(self, section: str, name: str, value: object) -> None:
        """Save an option in table.toml. The user's own file is created if needed."""
        if self.config.path is None:
            return
        try:
            keep_option(self.config.path, section, name, value, make=self.config.own)
        except OptionError as error:
            log.warning("%s", error)
            self._unkept[section, name] = error.text
        else:
            self._unkept.pop((section, name), None)

    def keep_devices(self, section: str, paired: DeviceOptions) -> None:
        """Use the places of a device's units, and save those that changed. Raise OptionError if that fails."""
        config = self.config
        before = vars(config.wiring.of(type(paired)))
        self._set(dataclasses.replace(config, wiring=config.wiring.but(paired)))
        if config.path is None:
            log.warning(
                "no table.toml was named with --table: the owners of [%s] are forgotten at the end", section
            )
            return
        for name, value in vars(paired).items():
            if value != before[name]:
                keep_option(config.path, section, name, value, make=config.own)

    def choose_box(self, game: Game, name: str) -> None:
        """Play a game with this box from now on, and save the choice."""
        games = {**self.config.games, game.name: GameOptions(name)}
        self._set(dataclasses.replace(self.config, games=games))
        self.keep(f"{GAMES}.{game.name}", "box", name)

    def remember(self, game: Game, players: Sequence[str], robots: Sequence[str]) -> None:
        """Save the game and its players in the user's own file, for the next start."""
        if not self.config.own:
            return
        last = LastOptions(game.name, tuple(players), tuple(robots))
        changed = {name: value for name, value in vars(last).items() if value != getattr(self.config.last, name)}
        self._set(dataclasses.replace(self.config, last=last))
        for name, value in changed.items():
            self.keep("last", name, value)

    def _offered(self) -> Sequence[tuple[str, str]]:
        silent = self.config.sound.mute or self._player.trouble
        useless = {("sound", "volume"), ("sound", "voice")} if silent else set()
        if not self._notes:
            useless.add(("display", "notes"))
        return [which for which in IN_MENU if which not in useless]

    def _item(self, section: str, name: str, turned: Act) -> Item:
        values: Any = getattr(self.config, section)
        label, detail = options.line(values, name), options.declared(values, name).metadata["help"]
        if (section, name) == ("sound", "mute") and self._player.trouble and not values.mute:
            label, detail = msg("Sound: {state}", state=msg("none")), self._player.trouble
        if (section, name) == ("sound", "voice") and self._player.voice.trouble and values.voice:
            label, detail = msg("Voice: {state}", state=msg("none")), self._player.voice.trouble
        act = partial(self._turn, section, name, turned)
        return Item(label, act, IN_MENU.get((section, name), ""), self._unkept.get((section, name), detail))
