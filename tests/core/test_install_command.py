"""How what is missing is installed: what is told works in the environment that the program runs in."""

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
    """A virtual environment of Debian's Python, which sees none of Debian's packages."""
    monkeypatch.setattr(install, "DEBIAN", ROOT / "pyproject.toml")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "prefix", "/home/my pi/table/.venv")
    monkeypatch.setattr(sys, "executable", "/home/my pi/table/.venv/bin/python")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if not path.endswith("/dist-packages")])
    return monkeypatch


def test_an_extra_is_installed_from_the_checkout(debian):
    python = "/home/my pi/table/.venv/bin/python"
    assert split(install_command("pod")) == [python, "-m", "pip", "install", "-e", f"{ROOT}[pod]"]
    assert split(install_command()) == [python, "-m", "pip", "install", "-e", str(ROOT)]


def test_an_installed_wheel_names_what_the_extra_asks_for(debian, tmp_path):
    debian.setattr(install, "__file__", str(tmp_path / "companion" / "core" / "install.py"))
    assert split(install_command("cluster"))[3:] == ["install", *EXTRAS["cluster"]]
    assert "gpiozero>=2.0.1" in split(install_command())
    assert not set(EXTRAS["pod"]) & set(split(install_command()))


def test_debians_package_is_followed_by_letting_the_environment_see_it(debian):
    told = install_command("usb", "python3-evdev")
    apt, venv = told.split(" && ")
    assert apt == "sudo apt install python3-evdev"
    assert split(venv) == ["/usr/bin/python3", "-m", "venv", "--system-site-packages", "/home/my pi/table/.venv"]
    debian.setattr(sys, "path", ["/usr/lib/python3/dist-packages"])
    assert install_command("usb", "python3-evdev") == apt


def test_another_python_than_debians_has_no_use_for_its_packages(debian):
    debian.setattr(sys, "base_prefix", "/opt/python3.14")
    assert install_command("usb", "python3-evdev") == install_command("usb")


def test_what_is_broken_is_removed_without_a_question():
    assert replace_command("lgpio", "true") == f"{pip_command('uninstall -y lgpio')} && true"


def test_every_extra_that_is_told_is_there():
    told = [extra for text in SOURCES.values() for extra in re.findall(r'install_command(?:\(|, )"([\w-]+)"', text)]
    assert len(told) > 5
    assert set(told) <= set(EXTRAS)


def test_no_other_module_words_a_command_of_pip():
    words = re.compile(r"\bpip (un)?install\b")
    assert [path.name for path, text in SOURCES.items() if words.search(text)] == []


def test_no_page_asks_the_index_for_us():
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/**/*.md")} - {ROOT / "CHANGELOG.md"}
    assert [page.name for page in sorted(pages) if "table-companion[" in page.read_text("utf-8")] == []
