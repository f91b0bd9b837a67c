"""docs/README.md lists every page, and links of pages lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, name

INDEX = ROOT / "docs" / "README.md"

each_page = pytest.mark.parametrize("page", PAGES, ids=name)


def links(text: str) -> list[tuple[str, str]]:
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", prose)


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_listed() -> None:
    listed = {(INDEX.parent / file).resolve() for file, _ in links(INDEX.read_text("utf-8"))}
    pages = {page for page in PAGES if page.is_relative_to(ROOT / "docs")} | {ROOT / "CONTRIBUTING.md"}
    assert pages - listed - {INDEX} == set()


@each_page
def test_links_lead_to_files_and_headings(page) -> None:
    for file, heading in links(page.read_text("utf-8")):
        target = page.parent / file if file else page
        assert target.exists(), file
        if heading:
            assert heading in anchors(target.read_text("utf-8")), f"{file}#{heading}"


FOLDERS = "assets|benchmarks|companion|docs|hardware|systemd|tests"
NAMED = re.compile(
    rf"(?<![\w/.~$}}{{\"-])((?:{FOLDERS})/[\w./*-]*\.(?:c|html|js|json|md|mjs|py|scad|sh|svg|toml|yml))\b"
)
"""A file or a pattern of files, as prose and docstrings name it."""

PLACEHOLDER = re.compile(r"\b(?:GAME|LANGUAGE)\b")


def sources() -> list[Path]:
    return [*PAGES, *(path for folder in FOLDERS.split("|") for path in (ROOT / folder).rglob("*.py"))]


def test_every_named_file_exists() -> None:
    named = [(path, found) for path in sources() for found in NAMED.findall(path.read_text("utf-8"))]
    real = [(path, found) for path, found in named if not PLACEHOLDER.search(found)]
    lost = [
        f"{path.relative_to(ROOT)}: {found}"
        for path, found in real
        if not any(ROOT.glob(found)) and not (path.parent / found).exists()
    ]
    assert len(real) > 100
    assert lost == []
