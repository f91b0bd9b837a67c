"""Compiles the translations when the package is built or installed; as a program, in its checkout."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages import mofile, pofile
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

UNDATED: Final = datetime.fromtimestamp(0, UTC)
"""The date in compiled catalogues, so that builds are reproducible."""


class Translations(BuildHookInterface):
    """Adds the compiled translations to the wheel although git ignores them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_translations(Path(self.root))
        build_data["artifacts"].append("companion/locale/*/LC_MESSAGES/*.mo")


def compile_translations(root: Path) -> None:
    """Compile each catalogue (.po) for gettext (.mo)."""
    for source in root.glob("companion/locale/*/LC_MESSAGES/*.po"):
        with source.open("rb") as file:
            catalog = pofile.read_po(file, locale=source.parents[1].name, abort_invalid=True)
        catalog.creation_date = catalog.revision_date = UNDATED
        # Replaced whole: a program that starts meanwhile must not read half a catalogue.
        part = source.with_suffix(f".mo.{os.getpid()}")
        with part.open("wb") as file:
            mofile.write_mo(file, catalog)
        part.replace(source.with_suffix(".mo"))


if __name__ == "__main__":
    compile_translations(Path(__file__).parent)
