"""The documentation's pages, their code blocks, and the code spans in their sentences."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]

PAGES: Final = sorted(
    path
    for pattern in ("*.md", "assets/**/*.md", "docs/**/*.md", "hardware/**/*.md", "systemd/**/*.md")
    for path in ROOT.glob(pattern)
    if path.name != "CHANGELOG.md"  # it is about the past
)

_FENCE: Final = re.compile(r"^ *```(.*)$")
_INDENTED: Final = re.compile(r" {4,}\S")


class Block(NamedTuple):
    """A code block with its language and its first line in the page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page; indented ones are without a language."""
    lines, language, begin = page.read_text("utf-8").splitlines(), None, 0
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence and language is None:
            language, begin = fence[1], number
        elif fence:
            text = dedent("\n".join(lines[begin + 1 : number]) + "\n")
            yield Block(name(page), begin + 2, language or "", text)
            language = None
        elif language is None and _INDENTED.match(line) and number and not lines[number - 1].strip():
            yield Block(name(page), number + 1, "", line)


def spans(page: Path) -> Iterator[str]:
    prose = re.sub(r"^ *```.*?^ *```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", prose):
        yield " ".join(span.split())
