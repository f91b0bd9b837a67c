"""Settings of Sphinx for `make docs`: every page of the repository as a site that can be searched."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

project = "The table companion"
html_title = project
html_theme = "furo"
extensions = ["myst_parser", "sphinx.ext.autodoc"]

root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "docs/**.rst", "hardware/**.md", "tests/*/README.md"]
myst_enable_extensions = ["html_image"]  # reads <img>, so that a missing picture is noticed
myst_heading_anchors = 3
suppress_warnings = [
    "misc.highlighting_failure",  # our grammars count repetitions, which the highlighter does not know
    "toc.not_included",  # tests/docs/test_index.py asks that every page is listed
]
default_role = "code"  # single backticks in docstrings
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
python_use_unqualified_type_names = True


def contents() -> str:
    """Return the menu of the site: the sections and pages of docs/README.md, and the reference."""
    parts = []
    for section in re.split(r"^## ", (ROOT / "docs" / "README.md").read_text("utf-8"), flags=re.MULTILINE)[1:]:
        caption, _, text = section.partition("\n")
        pages = re.findall(r"\]\((\S+?)\.md\)", text) + ["reference", "contracts"] * (caption == "Extend")
        entries = "\n".join(f"/docs/{page}".replace("/docs/../", "/") for page in pages)
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n")
    return "\n\n" + "\n".join(parts)


def add_contents(_app: Any, docname: str, source: list[str]) -> None:
    """Append the menu to the first page."""
    if docname == root_doc:
        source[0] += contents()


def drop_aliases(_app: Any, _what: str, _name: str, _it: Any, _options: Any, lines: list[str]) -> None:
    """Drop the docstrings that Python gives the fields of a NamedTuple."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", drop_aliases)
