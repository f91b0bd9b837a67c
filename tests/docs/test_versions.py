"""The package, `make`, the hosted workflow and docs/versions.md name the same versions of Python."""

import re
import tomllib
from typing import Final

import yaml

from tests.docs.pages import ROOT

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS: Final = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))


def test_package_asks_for_the_oldest_python() -> None:
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_make_tests_the_other_pythons() -> None:
    [versions] = re.findall(r"for version in (.*); do", (ROOT / "Makefile").read_text("utf-8"))
    assert versions.split() == PYTHONS[1:]


def test_hosted_workflow_tests_each_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert workflow["jobs"]["make"]["strategy"]["matrix"]["python"] == PYTHONS


def test_page_lists_each_python() -> None:
    page = (ROOT / "docs" / "versions.md").read_text("utf-8")
    assert f"| Python | {', '.join(PYTHONS)} |" in page
