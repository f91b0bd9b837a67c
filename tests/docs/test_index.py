"""docs/README.md lists every page, and every link of every page leads somewhere."""

import re

import pytest
from pages import PAGES, ROOT, name

INDEX = ROOT / "docs" / "README.md"

each_page = pytest.mark.parametrize("page", PAGES, ids=name)


def links(text: str) -> list[tuple[str, str]]:
    """Return the files and the headings that a page links to."""
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", prose)


def anchors(text: str) -> set[str]:
    """Return what the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_listed() -> None:
    listed = {(INDEX.parent / file).resolve() for file, _ in links(INDEX.read_text("utf-8"))}
    pages = {page for page in PAGES if page.is_relative_to(ROOT / "docs")} | {ROOT / "CONTRIBUTING.md"}
    assert pages - listed - {INDEX} == set()


@each_page
def test_links_lead_somewhere(page) -> None:
    for file, heading in links(page.read_text("utf-8")):
        target = page.parent / file if file else page
        assert target.exists(), file
        if heading:
            assert heading in anchors(target.read_text("utf-8")), f"{file}#{heading}"
