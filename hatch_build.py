"""Compiles the translations whenever the package is built or installed, also where it runs from its checkout."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages import mofile, pofile
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Translations(BuildHookInterface):
    """Writes beside each catalogue (.po) what gettext reads (.mo)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and let the wheel have the results although git ignores them."""
        for source in Path(self.root, "companion", "locale").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as file:
                catalog = pofile.read_po(file, locale=source.parents[1].name, abort_invalid=True)
            # Else it would say when it was compiled, and nothing could be built twice alike.
            catalog.creation_date = catalog.revision_date = datetime.fromtimestamp(0, UTC)
            with source.with_suffix(".mo").open("wb") as file:
                mofile.write_mo(file, catalog)
        build_data["artifacts"].append("companion/locale/*/LC_MESSAGES/*.mo")
