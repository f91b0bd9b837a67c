"""Compiles the translations whenever the package is built or installed, also where it runs from its checkout."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages import mofile, pofile
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

UNDATED: Final = datetime.fromtimestamp(0, UTC)
"""When a catalogue was made, which it does not say: today would make another wheel of the same source every day."""


class Translations(BuildHookInterface):
    """Writes beside each catalogue (.po) what gettext reads (.mo)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and let the wheel have the results although git ignores them."""
        for source in Path(self.root, "companion", "locale").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as file:
                catalog = pofile.read_po(file, locale=source.parents[1].name, abort_invalid=True)
            catalog.creation_date = catalog.revision_date = UNDATED
            with source.with_suffix(".mo").open("wb") as file:
                mofile.write_mo(file, catalog)
        build_data["artifacts"].append("companion/locale/*/LC_MESSAGES/*.mo")
