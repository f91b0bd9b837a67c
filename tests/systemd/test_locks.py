"""Tests that the locks pin exactly what pyproject.toml asks for."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs.test_versions import PYTHONS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]

ASKED = {
    "systemd/requirements.lock": [
        *PROJECT["project"]["dependencies"],
        *(wanted for extra in ("pi", "pod") for wanted in EXTRAS[extra]),
    ],
    "systemd/build.lock": PROJECT["build-system"]["requires"],
}
MAKE = (ROOT / "Makefile").read_text()
TRIED = {"bench"}
"""Extras that `make` installs only where it can."""
FOR_MAKE = [
    *PROJECT["project"]["dependencies"],
    *PROJECT["build-system"]["requires"],
    *(wanted for extra in set(re.findall(r"--editable '\.\[(\w+)\]'", MAKE)) - TRIED for wanted in EXTRAS[extra]),
]
MACHINES = [
    {"python_version": python, "python_full_version": f"{python}.2", "platform_machine": machine}
    | {"sys_platform": "linux", "extra": ""}
    for python in PYTHONS
    for machine in ("x86_64", "aarch64")
]


class Pinned(NamedTuple):
    """`via` names the packages that need it, if the lock does."""

    requirement: Requirement
    hashes: list[str]
    via: list[str]


def lock(path: str) -> list[Pinned]:
    text = (ROOT / path).read_text().rstrip()
    found = []
    for block in re.split(r"\n(?=\S)", text):
        if block.startswith("#"):
            continue
        first, _, rest = block.partition(" \\\n")
        found.append(
            Pinned(
                Requirement(first),
                re.findall(r"--hash=sha256:([0-9a-f]{64})\b", rest),
                re.findall(r"^ +#(?: via)? +(?!via$)(\S+)", rest, re.MULTILINE),
            )
        )
    return found


def pinned(name: str, machine: dict[str, str]) -> dict[str, str]:
    """Return a machine's package versions."""
    versions = {}
    for each in lock(name):
        ((operator, version),) = [(each.operator, each.version) for each in each.requirement.specifier]
        assert operator == "=="
        if not each.requirement.marker or each.requirement.marker.evaluate(machine):
            versions[canonicalize_name(each.requirement.name)] = version
    return versions


@pytest.mark.parametrize("name", ASKED)
def test_every_package_has_hashes(name: str) -> None:
    assert lock(name)
    assert [each.requirement.name for each in lock(name) if not each.hashes] == []


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: " ".join(list(machine.values())[::2][:2]))
@pytest.mark.parametrize(("name", "wanted"), [*ASKED.items(), ("constraints.txt", FOR_MAKE)])
def test_lock_has_what_the_project_asks_for(name: str, wanted: list[str], machine: dict[str, str]) -> None:
    given = pinned(name, machine)
    for asked in map(Requirement, wanted):
        if asked.marker and not asked.marker.evaluate(machine):
            assert canonicalize_name(asked.name) not in given
        else:
            assert asked.specifier.contains(given[canonicalize_name(asked.name)]), (
                "`make lock` brings it up to date"
            )


def test_lock_has_only_what_the_project_needs() -> None:
    name = "systemd/requirements.lock"
    asked = {canonicalize_name(Requirement(line).name) for line in ASKED[name]}
    there = {canonicalize_name(each.requirement.name) for each in lock(name)}
    for each in lock(name):
        if canonicalize_name(each.requirement.name) not in asked:
            assert each.via, each
            assert set(each.via) <= there


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: " ".join(list(machine.values())[::2][:2]))
def test_make_and_installer_use_the_same_versions(machine: dict[str, str]) -> None:
    of_make = pinned("constraints.txt", machine).items()
    for name in ASKED:
        assert pinned(name, machine).items() <= of_make, "`make lock` brings them in line"


def dry_run(venv: Path, *touched: str) -> str:
    """Return what `make play` would do if these files were newer."""
    for name in ("bin/python", "build.stamp", "play.stamp"):
        (venv / name).parent.mkdir(parents=True, exist_ok=True)
        (venv / name).touch()
    what_if = [word for path in touched for word in ("--what-if", path)]
    command = ["make", "--dry-run", *what_if, "play", f"VENV={venv}"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_new_translation_is_compiled_without_pip(tmp_path: Path) -> None:
    done = dry_run(tmp_path, "companion/locale/fr/LC_MESSAGES/companion.po")
    assert "hatch_build.py" in done
    assert "pip install" not in done


def test_pip_uses_pinned_versions_and_no_build_isolation(tmp_path: Path) -> None:
    installs = [line for line in dry_run(tmp_path, "constraints.txt").splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert all("--no-build-isolation" in line for line in installs)
    assert dry_run(tmp_path, "constraints.txt").count("--constraint constraints.txt") == len(installs)
