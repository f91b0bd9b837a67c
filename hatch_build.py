"""Compiles the translations and notes the commit when the package is built; as a program, only the translations."""

import os
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from babel.messages import mofile, pofile
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

UNDATED: Final = datetime.fromtimestamp(0, UTC)
"""The date in compiled catalogues, so that builds are reproducible."""


COMMIT: Final = "COMMIT"
"""Says in a source without git which commit it is."""


class BuildHook(BuildHookInterface):
    """Adds the compiled translations, which git ignores, and the version with its commit."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if self.target_name == "wheel":
            compile_translations(root)
            build_data["artifacts"].append("companion/locale/*/LC_MESSAGES/*.mo")
        if version == "editable":
            return
        commit = commit_of(root)
        self.notes = tempfile.TemporaryDirectory()
        note = Path(self.notes.name) / "note"
        if self.target_name == "wheel":
            number = self.metadata.version
            note.write_text(f"{number} (commit {commit[:7]})\n" if commit else f"{number}\n", "utf-8")
            build_data["force_include"][str(note)] = "companion/version.txt"
        elif commit:
            note.write_text(f"{commit}\n", "utf-8")
            build_data["force_include"][str(note)] = COMMIT

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.notes.cleanup()


def commit_of(root: Path) -> str:
    """Return the commit of a source; empty if it is unknown or the source was changed since."""
    note = root / COMMIT
    if note.is_file():
        return note.read_text("utf-8").strip()
    script = '. "$1/systemd/source.sh" && describe "$1"'
    done = subprocess.run(["sh", "-c", script, "sh", root], capture_output=True, text=True, check=True)
    commit = done.stdout.split()[1]
    return "" if commit == "unknown" else commit


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
