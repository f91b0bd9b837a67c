"""Commands that install what is missing."""

import re
import sys
import tomllib
from pathlib import Path
from shlex import split

import pytest

from companion.core import install
from companion.core.install import add_command, apt_command, install_command, replace_command

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
SOURCES = {path: path.read_text("utf-8") for path in sorted((ROOT / "companion").rglob("*.py"))}


@pytest.fixture
def debian(monkeypatch, tmp_path):
    """Debian's Python in a virtual environment without Debian's packages, and not as root."""
    monkeypatch.setattr(install.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(install.os, "access", lambda path, mode: True)
    monkeypatch.setattr(install, "find_spec", lambda name: name)
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


def test_broken_package_is_removed_without_a_question(debian):
    python = "'/home/my pi/table/.venv/bin/python'"
    told = replace_command("pygame pygame-ce", add_command("pygame-ce"))
    assert told == f"{python} -m pip uninstall -y pygame pygame-ce && {python} -m pip install pygame-ce"


def test_pipx_injects_the_requirements(debian, tmp_path):
    debian.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "pipx_metadata.json").touch()
    assert split(install_command("pod")) == ["pipx", "inject", tmp_path.name, *EXTRAS["pod"]]
    told = replace_command("pygame", add_command("pygame-ce"))
    assert told == f"pipx runpip {tmp_path.name} uninstall -y pygame && pipx inject {tmp_path.name} pygame-ce"


def test_environment_without_pip_is_left_to_uv(debian):
    debian.setattr(install, "find_spec", lambda name: None)
    python = "'/home/my pi/table/.venv/bin/python'"
    told = replace_command("pygame", add_command("pygame-ce"))
    assert told == f"uv pip uninstall --python {python} pygame && uv pip install --python {python} pygame-ce"


def test_other_users_environment_is_changed_by_sudo(debian):
    debian.setattr(install.os, "access", lambda path, mode: False)
    assert split(add_command("piper-tts"))[0] == "sudo"


def test_debians_own_python_gets_an_environment(debian, tmp_path):
    debian.setattr(sys, "prefix", sys.base_prefix)
    debian.setattr(install.os, "__file__", str(tmp_path / "os.py"))
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    venv, pip = map(split, install_command("pod").split(" && "))
    assert venv[1:] == ["-m", "venv", "--system-site-packages", f"{ROOT}/.venv"]
    assert pip == [f"{ROOT}/.venv/bin/python", "-m", "pip", "install", "-e", f"{ROOT}[pod]"]
    assert split(add_command("a"))[1:] == ["-m", "pip", "install", "--break-system-packages", "a"]


def test_root_installs_debian_packages_without_sudo(debian):
    assert apt_command("a", "b") == "sudo apt install a b"
    debian.setattr(install.os, "geteuid", lambda: 0)
    assert apt_command("a", "b") == "apt install a b"


def test_every_suggested_extra_exists():
    told = [extra for text in SOURCES.values() for extra in re.findall(r'install_command(?:\(|, )"([\w-]+)"', text)]
    assert len(told) > 5
    assert set(told) <= set(EXTRAS)


def test_no_module_spells_out_an_install_command():
    words = re.compile(r"\b(pip (un)?|apt |apt-get |pipx )install\b")
    assert [path.name for path, text in SOURCES.items() if words.search(text)] == ["install.py"]


def test_no_page_installs_the_companion_from_pypi():
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/**/*.md")} - {ROOT / "CHANGELOG.md"}
    assert [page.name for page in sorted(pages) if "table-companion[" in page.read_text("utf-8")] == []
