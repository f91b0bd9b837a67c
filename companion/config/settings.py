"""What people change at the table while it runs: it works at once, and table.toml keeps it for the next time."""

import dataclasses
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from companion.config.readers import Readers, readers_of
from companion.config.table_file import TableConfig, keep_option
from companion.core import options
from companion.core.errors import OptionError
from companion.core.menu import Act, Choice, Item
from companion.core.text import Text, msg
from companion.devices.sound import SAMPLE, Player
from companion.display.frame import Look

IN_MENU: Final = {
    ("sound", "mute"): "loudspeaker",
    ("sound", "volume"): "knob",
    ("display", "language"): "bubble",
    ("display", "contrast"): "contrast",
    ("display", "text"): "letters",
    ("display", "motion"): "motion",
    ("pace", "timers"): "hourglass",
    ("pace", "nudge_s"): "bulb",
    ("pace", "sound_s"): "bell",
}
"""The sections and options that the menu offers, and a drawing of each."""

log = logging.getLogger(__name__)


class Settings:
    """The options of a table as they are now; `player` is what its sound is played on."""

    def __init__(self, config: TableConfig, player: Player) -> None:
        self._player = player
        self._set(config)

    def _set(self, config: TableConfig) -> None:
        self.config = config
        self.readers: Readers = readers_of(config)
        self.look: Look = config.display.look
        """How frames are drawn."""

    def read(self, text: Text) -> str:
        """Return a sentence as everybody at the table reads it now."""
        return self.readers.common(text)

    def item(self, open_menu: Act) -> Item:
        """Return the line of a menu that leads to the settings."""
        return Item(msg("Settings"), open_menu, "gear", msg("Sound, language, what is easier to see, time"))

    def menu(self, turned: Act = lambda: None) -> Choice:
        """Return the list of what can be changed; `turned` is done after each change."""
        return Choice(msg("Settings"), tuple(self._item(*which, turned) for which in self._offered()))

    def _turn(self, section: str, name: str, turned: Act) -> None:
        """Go to the next value of an option, and keep it where there is a table.toml."""
        changed = options.next_value(getattr(self.config, section), name)
        self._set(dataclasses.replace(self.config, **{section: changed}))
        if section == "sound":
            self._player.turn(self.config.sound.volume, mute=self.config.sound.mute)
            self._player.play(SAMPLE)
        self._keep(section, name, getattr(changed, name))
        turned()

    def _keep(self, section: str, name: str, value: object) -> None:
        if self.config.path is None:
            return
        try:
            keep_option(self.config.path, section, name, value)
        except OptionError as error:
            log.warning("%s", error)

    def _offered(self) -> Sequence[tuple[str, str]]:
        """Return what the menu offers now: nobody chooses how loud silence is."""
        silent = self.config.sound.mute or self._player.trouble
        return [which for which in IN_MENU if not (silent and which == ("sound", "volume"))]

    def _item(self, section: str, name: str, turned: Act) -> Item:
        values: Any = getattr(self.config, section)
        label, detail = options.line(values, name), options.declared(values, name).metadata["help"]
        if (section, name) == ("sound", "mute") and self._player.trouble and not values.mute:
            label, detail = msg("Sound: {state}", state=msg("none")), self._player.trouble
        act = partial(self._turn, section, name, turned)
        return Item(label, act, IN_MENU[section, name], detail)
