"""docs/security.md names existing tests and the program's limits."""

import re

from companion.core import limits
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")


def test_every_named_test_exists() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").glob("**/test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    there = set(re.findall(r"^def (test_\w+)\(", sources, re.MULTILINE))
    assert named
    assert named - there == set()


def test_every_attack_belongs_to_a_promise() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests" / "attacks").glob("test_*.py"))
    attacks = set(re.findall(r"^def (test_\w+)\(", sources, re.MULTILINE))
    assert {name for name in attacks if f"`{name}`" not in PAGE} == {
        "test_unknown_section_is_an_error_without_plug_ins"
    }


def test_limits_are_those_of_the_program() -> None:
    signs = f"{limits.SENTENCE_SIGNS:,}"
    for said in (
        f"{limits.RECORD_BYTES // 1_000_000} MB, {limits.RECORD_ENTRIES:,} lines of "
        f"{limits.RECORD_LINE_BYTES // 1024} KiB, {limits.REPLAYED_MOVES:,} moves made anew",
        f"{limits.TOML_BYTES // 1024} KiB, lines of {limits.TOML_LINE_SIGNS:,} signs, {limits.TOML_DEPTH} levels, "
        f"numbers of {limits.DIGITS} digits",
        f"{limits.BOX_NUMBER} |",
        f"{limits.RECORD_NAME_SIGNS} signs |",
        f"{signs} signs;",
    ):
        assert said in PAGE, said
