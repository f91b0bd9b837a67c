"""Commands that install what is missing."""

import re
import sys
import tomllib
from pathlib import Path
from shlex import split

import pytest

from companion.core import install
from companion.core.install import install_command, pip_command, replace_command

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
SOURCES = {path: path.read_text("utf-8") for path in sorted((ROOT / "companion").rglob("*.py"))}


@pytest.fixture
def debian(monkeypatch, tmp_path):
    """Debian's Python in a virtual environment without Debian's packages."""
    monkeypatch.setattr(install, "DEBIAN", ROOT / "pyproject.toml")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "prefix", "/home/my pi/table/.venv")
    monkeypatch.setattr(sys, "executable", "/home/my pi/table/.venv/bin/python")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if not path.endswith("/dist-packages")])
    return monkeypatch


def test_extra_is_installed_from_the_checkout(debian):
    python = "/home/my pi/table/.venv/bin/python"
    assert split(install_command("pod")) == [python, "-m", "pip", "install", "-e", f"{ROOT}[pod]"]
    assert split(install_command()) == [python, "-m", "pip", "install", "-e", str(ROOT)]


def test_installed_wheel_names_the_extras_requirements(debian, tmp_path):
    debian.setattr(install, "__file__", str(tmp_path / "companion" / "core" / "install.py"))
    assert split(install_command("cluster"))[3:] == ["install", *EXTRAS["cluster"]]
    assert "gpiozero>=2.0.1" in split(install_command())
    assert not set(EXTRAS["pod"]) & set(split(install_command()))


def test_debian_package_is_made_visible_to_the_environment(debian):
    told = install_command("usb", "python3-evdev")
    apt, venv = told.split(" && ")
    assert apt == "sudo apt install python3-evdev"
    assert split(venv) == ["/usr/bin/python3", "-m", "venv", "--system-site-packages", "/home/my pi/table/.venv"]
    debian.setattr(sys, "path", ["/usr/lib/python3/dist-packages"])
    assert install_command("usb", "python3-evdev") == apt


def test_other_python_ignores_debian_packages(debian):
    debian.setattr(sys, "base_prefix", "/opt/python3.14")
    assert install_command("usb", "python3-evdev") == install_command("usb")


def test_broken_package_is_removed_without_a_question():
    assert replace_command("lgpio", "true") == f"{pip_command('uninstall -y lgpio')} && true"


def test_every_suggested_extra_exists():
    told = [extra for text in SOURCES.values() for extra in re.findall(r'install_command(?:\(|, )"([\w-]+)"', text)]
    assert len(told) > 5
    assert set(told) <= set(EXTRAS)


def test_no_module_spells_out_a_pip_command():
    words = re.compile(r"\bpip (un)?install\b")
    assert [path.name for path, text in SOURCES.items() if words.search(text)] == []


def test_no_page_installs_the_companion_from_pypi():
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/**/*.md")} - {ROOT / "CHANGELOG.md"}
    assert [page.name for page in sorted(pages) if "table-companion[" in page.read_text("utf-8")] == []
