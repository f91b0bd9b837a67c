"""Finds every translatable message of the program and updates the catalogues."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel import Locale, UnknownLocaleError
from babel.messages import Catalog, pofile

REPOSITORY: Final = Path(__file__).parents[1]
SOURCE: Final = REPOSITORY / "companion"
DOMAIN: Final = "companion"
LOCALE: Final = SOURCE / "locale"
SOURCE_LANGUAGE: Final = "en"
MARKS: Final = frozenset({"msg", "_"})
MARKING: Final = SOURCE / "core" / "text.py"
"""The module that defines the marks, which calls them with others' messages."""

MILLIONS: Final = " ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2"
"""Babel's plural rule for whole millions in French, Italian, Spanish and others, unused so far."""

HEADER: Final = """\
# How to translate: docs/translating.md. `make messages` brings this file up to date with the program.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""


class Message(NamedTuple):
    """A marked message; `plural` is "" without one."""

    msgid: str
    plural: str
    place: str


@cache
def messages() -> tuple[Message, ...]:
    return tuple(message for path in marked() for message in in_file(path))


@cache
def marked() -> tuple[Path, ...]:
    call = re.compile(rf"\b({'|'.join(MARKS)})\(")
    return tuple(path for path in sorted(SOURCE.rglob("*.py")) if call.search(path.read_text("utf-8")))


def in_file(path: Path) -> Iterator[Message]:
    """Yield every marked message of a file. Raise ValueError for a mark on something that is not a fixed string."""
    # Babel's extraction takes the number of arguments for a plural, and counts `n=3` among them.
    place = path.relative_to(REPOSITORY).as_posix()
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: call.lineno):
        if isinstance(node.func, ast.Name) and node.func.id in MARKS:
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if len(texts) == len(node.args) and len(texts) in {1, 2}:
                yield Message(texts[0], "".join(texts[1:]), place)
            elif path != MARKING:
                raise ValueError(f"{place}:{node.lineno}: only fixed texts can be translated")


def template(language: str) -> Catalog:
    """Return an untranslated catalogue of all messages."""
    # Line numbers would change with every edit and not help translators.
    catalog = Catalog(language, charset="utf-8")
    for msgid, plural, place in messages():
        catalog.add((msgid, plural) if plural else msgid, locations=[(place, None)])
    for message in catalog:
        message.flags.discard("python-format")  # Babel mistakes "95% of" for a format
    return catalog


@cache
def catalogue(language: str) -> Catalog:
    return read(catalogue_path(language), language)


def catalogue_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(path: Path, language: str) -> Catalog:
    with path.open("rb") as file:
        return pofile.read_po(file, locale=language, domain=DOMAIN, abort_invalid=True)


def update(language: str) -> None:
    """Update a catalogue: add new messages untranslated, and drop unused ones."""
    path = catalogue_path(language)
    write(renewed(read(path, language) if path.exists() else begun(language)), path)


def begun(language: str) -> Catalog:
    """Return an empty catalogue, without a plural form for whole millions."""
    catalog = Catalog(language)
    if MILLIONS in catalog.plural_forms:
        forms = catalog.plural_forms.replace("nplurals=3", "nplurals=2").replace(MILLIONS, " ? 0 : 1")
        catalog.mime_headers = [("Plural-Forms", forms)]
    return catalog


def renewed(kept: Catalog) -> Catalog:
    """Return a catalogue of all messages with the translations and plural forms of `kept`."""
    catalog = template(str(kept.locale))
    # Babel's plural forms change between versions; recent French has a third, for whole millions.
    catalog.mime_headers = [("Plural-Forms", kept.plural_forms)]
    for message in kept:
        if message.id and message.id in catalog:
            catalog[message.id].string = message.string
    return catalog


def write(catalog: Catalog, path: Path) -> None:
    """Write a catalogue in a fixed order and without a date, so diffs show only real changes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(HEADER.format(language=catalog.locale, plurals=catalog.plural_forms).encode())
        pofile.write_po(file, catalog, width=100, sort_by_file=True, omit_header=True)


def languages() -> list[str]:
    return sorted(path.parents[1].name for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def is_language(name: str) -> bool:
    try:
        return bool(Locale.parse(name))
    except (ValueError, UnknownLocaleError):
        return False


if __name__ == "__main__":
    for name in sys.argv[1:] or languages():
        if not is_language(name):
            sys.exit(f"{name!r} is the code of no language; allowed: one as `de` or `pt_BR`")
        if name != SOURCE_LANGUAGE:
            update(name)
