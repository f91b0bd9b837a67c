"""The locks: they pin all that the installer takes from PyPI, as pyproject.toml asks for it, and nothing else."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]

ASKED = {
    "requirements.lock": [
        *PROJECT["project"]["dependencies"],
        *(wanted for extra in ("pi", "pod", "phones", "club") for wanted in EXTRAS[extra]),
    ],
    "build.lock": PROJECT["build-system"]["requires"],
}
MACHINES = [
    {"python_version": python, "python_full_version": f"{python}.2", "platform_machine": machine}
    | {"sys_platform": "linux", "extra": ""}
    for python in ("3.11", "3.12", "3.13")
    for machine in ("x86_64", "aarch64")
]


class Pinned(NamedTuple):
    """A package in a lock; `via` is empty where the lock does not say for whom it is there."""

    requirement: Requirement
    hashes: list[str]
    via: list[str]


def lock(name: str) -> list[Pinned]:
    text = (ROOT / "systemd" / name).read_text()
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
    """Return the version of each package that a machine is given."""
    versions = {}
    for each in lock(name):
        ((operator, version),) = [(each.operator, each.version) for each in each.requirement.specifier]
        assert operator == "=="
        if not each.requirement.marker or each.requirement.marker.evaluate(machine):
            versions[canonicalize_name(each.requirement.name)] = version
    return versions


@pytest.mark.parametrize("name", ASKED)
def test_every_package_has_its_hashes(name: str) -> None:
    assert lock(name)
    assert [each.requirement.name for each in lock(name) if not each.hashes] == []


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: " ".join(list(machine.values())[::2][:2]))
@pytest.mark.parametrize("name", ASKED)
def test_the_lock_has_what_the_project_asks_for(name: str, machine: dict[str, str]) -> None:
    given = pinned(name, machine)
    for asked in map(Requirement, ASKED[name]):
        if asked.marker and not asked.marker.evaluate(machine):
            assert canonicalize_name(asked.name) not in given
        else:
            assert asked.specifier.contains(given[canonicalize_name(asked.name)]), (
                "`make lock` brings it up to date"
            )


def test_the_lock_has_nothing_that_nobody_asks_for() -> None:
    name = "requirements.lock"
    asked = {canonicalize_name(Requirement(line).name) for line in ASKED[name]}
    there = {canonicalize_name(each.requirement.name) for each in lock(name)}
    for each in lock(name):
        if canonicalize_name(each.requirement.name) not in asked:
            assert each.via, each
            assert set(each.via) <= there
