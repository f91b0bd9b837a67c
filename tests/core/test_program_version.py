"""The program's version in a clone; tests/systemd/test_make_dist.py has that of the wheel."""

import tomllib
from pathlib import Path

from companion.core.version import program_version, version_of_clone

ROOT = Path(__file__).parents[2]
ENTRY = "{old} {new} A <a@b> 1700000000 +0100\tcommit: a wörd\n"


def test_clone_names_its_newest_commit(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "a"\nversion = "1.2.3"\n')
    assert version_of_clone(str(tmp_path)) == "1.2.3"
    (tmp_path / ".git/logs").mkdir(parents=True)
    entries = [ENTRY.format(old="0" * 40, new=letter * 40) for letter in "ab"]
    (tmp_path / ".git/logs/HEAD").write_bytes("".join(entries).encode("latin-1"))
    assert version_of_clone(str(tmp_path)) == "1.2.3 (commit bbbbbbb)"


def test_version_begins_with_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert program_version().split()[0] == project["version"]
