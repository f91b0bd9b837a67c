"""Tests making the Debian package; tests/deb installs it."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
RELEASE = ("0.1.0+g0123456789", "0123456789" * 4, 1_700_000_000)
SCRIPTS = {"preinst", "postinst", "prerm", "postrm"}


@pytest.fixture(scope="module")
def making() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SYSTEMD)  # where make_release is
        spec = importlib.util.spec_from_file_location("make_deb", SYSTEMD / "make_deb.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(making: ModuleType, tmp_path: Path) -> Path:
    return laid(making, tmp_path / "tree")


def laid(making: ModuleType, tree: Path) -> Path:
    files = tree.with_name(f"{tree.name}.files")
    files.mkdir()
    (files / "table_companion-0.1.0-py3-none-any.whl").write_text("the program")
    making.lay(tree, files, "aarch64", RELEASE)
    return tree


def test_package_has_the_installers_units_and_rules(making: ModuleType, tree: Path) -> None:
    script = '. "$1/system.sh" && echo $UNITS $RULES'
    named = subprocess.run(["sh", "-c", script, "sh", SYSTEMD], capture_output=True, text=True, check=True)
    laid = {
        path.name for place in ("systemd/system", "udev/rules.d") for path in (tree / "usr/lib" / place).iterdir()
    }
    assert laid == set(named.stdout.split())


def test_package_needs_what_the_installer_installs(tree: Path) -> None:
    control = dict(
        line.split(": ", 1) for line in (tree / "DEBIAN/control").read_text().splitlines() if line[:1].isupper()
    )
    assert (control["Version"], control["Architecture"]) == ("0.1.0", "arm64")
    assert {"python3 (>= 3.11)", "python3-venv", "libgl1", "udev"} <= set(control["Depends"].split(", "))
    assert control["Recommends"].split(", ") == ["python3-lgpio", "python3-evdev", "libasound2t64 | libasound2"]


def test_scripts_are_valid_shell(tree: Path) -> None:
    assert {path.name for path in (tree / "DEBIAN").iterdir()} == SCRIPTS | {"control", "conffiles"}
    for name in SCRIPTS:
        subprocess.run(["sh", "-n", tree / "DEBIAN" / name], check=True)


def test_settings_in_etc_are_the_owners(tree: Path) -> None:
    in_etc = {f"/{path.relative_to(tree)}" for path in (tree / "etc").rglob("*") if path.is_file()}
    assert set((tree / "DEBIAN/conffiles").read_text().splitlines()) == in_etc


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed here")
def test_packing_is_reproducible_under_any_umask(making: ModuleType, tmp_path: Path) -> None:
    made = []
    for umask in (0o022, 0o077):
        before = os.umask(umask)
        tree = laid(making, tmp_path / f"{umask}")
        os.umask(before)
        making.pack(tree, tmp_path / "made.deb", RELEASE[2])
        made.append((tmp_path / "made.deb").read_bytes())
    assert made[0] == made[1]
