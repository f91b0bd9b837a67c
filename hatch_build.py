"""Compiles the translations whenever the package is built or installed; as a program, in its checkout alone."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages import mofile, pofile
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

UNDATED: Final = datetime.fromtimestamp(0, UTC)
"""When a catalogue was made, which it does not say: today would make another wheel of the same source every day."""


class Translations(BuildHookInterface):
    """Lets the wheel have the compiled translations although git ignores them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before anything is packed."""
        compile_translations(Path(self.root))
        build_data["artifacts"].append("companion/locale/*/LC_MESSAGES/*.mo")


def compile_translations(root: Path) -> None:
    """Write beside each catalogue (.po) what gettext reads (.mo)."""
    for source in root.glob("companion/locale/*/LC_MESSAGES/*.po"):
        with source.open("rb") as file:
            catalog = pofile.read_po(file, locale=source.parents[1].name, abort_invalid=True)
        catalog.creation_date = catalog.revision_date = UNDATED
        with source.with_suffix(".mo").open("wb") as file:
            mofile.write_mo(file, catalog)


if __name__ == "__main__":
    compile_translations(Path(__file__).parent)
