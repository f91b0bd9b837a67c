"""What people change at the table while it runs: it works at once, and table.toml keeps it for the next time."""

import dataclasses
import logging
from collections.abc import Sequence
from typing import Any, Final

from companion.config.readers import Readers, readers_of
from companion.config.table_file import TableConfig, keep_option
from companion.core import options
from companion.core.errors import OptionError
from companion.core.menu import Choice, Item
from companion.core.text import Text, msg
from companion.devices.sound import SAMPLE, Player
from companion.display.frame import Look

IN_MENU: Final = (
    ("sound", "mute"),
    ("sound", "volume"),
    ("display", "language"),
    ("display", "contrast"),
    ("display", "text"),
    ("display", "motion"),
    ("pace", "timers"),
    ("pace", "nudge_s"),
    ("pace", "sound_s"),
)
"""The sections and options that the menu offers, as many as it has lines."""

log = logging.getLogger(__name__)


class Settings:
    """The options of a table as they are now; `player` is what its sound is played on."""

    def __init__(self, config: TableConfig, player: Player) -> None:
        self.config = config
        self.readers: Readers = readers_of(config)
        self._player = player

    @property
    def look(self) -> Look:
        """How frames are drawn."""
        return self.config.display.look

    def read(self, text: Text) -> str:
        """Return a sentence as everybody at the table reads it now."""
        return self.readers.common(text)

    def menu(self) -> Choice:
        """Return the list of what can be changed."""
        return Choice(msg("Settings"), tuple(self._item(*which) for which in self._offered()))

    def turn(self, which: tuple[str, str]) -> None:
        """Go to the next value of an option, and keep it where there is a table.toml."""
        section, name = which
        changed = options.next_value(getattr(self.config, section), name)
        self.config = dataclasses.replace(self.config, **{section: changed})
        self.readers = readers_of(self.config)
        if section == "sound":
            self._player.turn(self.config.sound.volume, mute=self.config.sound.mute)
            self._player.play(SAMPLE)
        self._keep(section, name, getattr(changed, name))

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

    def _item(self, section: str, name: str) -> Item:
        values: Any = getattr(self.config, section)
        label, detail = options.line(values, name), options.declared(values, name).metadata["help"]
        if (section, name) == ("sound", "mute") and self._player.trouble and not values.mute:
            label, detail = msg("Sound: {state}", state=msg("none")), self._player.trouble
        return Item(label, "turn", (section, name), detail)
