"""Translations: complete, true to the original, and installed."""

import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from gettext import GNUTranslations, NullTranslations, c2py
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog, Message, mofile
from hatchling.builders.wheel import WheelBuilder

from companion.core.text import LANGUAGES, Text, msg, reader, translations
from hatch_build import compile_translations
from tests import messages

NARROW = "\u202f"
TRANSLATED = [language for language in LANGUAGES if language != messages.SOURCE_LANGUAGE]

MOST_LONGER = 12
"""How many characters a translated sentence on a strip may add to the English one."""

ON_STRIPS = ("console.py", "match/centre.py", "match/session.py")
"""Files with sentences for strips and private screens."""


@cache
def compiled(language: str) -> NullTranslations:
    """Return a catalogue as gettext reads it after a build."""
    written = io.BytesIO()
    mofile.write_mo(written, messages.catalogue(language))
    written.seek(0)
    return GNUTranslations(written)


def forms(message: Message) -> list[tuple[str, str]]:
    """Return each plural form with its translation."""
    if isinstance(message.id, str):
        return [(message.id, message.string)]
    return [(message.id[min(place, 1)], form) for place, form in enumerate(message.string)]


@cache
def all_forms(language: str) -> list[tuple[str, str]]:
    return [form for message in messages.catalogue(language) if message.id for form in forms(message)]


def translated_forms(language: str) -> list[tuple[str, str]]:
    """Return the translated forms; an unfinished catalogue may lack some."""
    return [form for form in all_forms(language) if form[1]]


def placeholders(text: str) -> list[tuple[str, str, str]]:
    """Return name, format and conversion of each placeholder, sorted."""
    return sorted(
        (name, spec or "", how or "") for _, name, spec, how in Formatter().parse(text) if name is not None
    )


def without_code(text: str) -> str:
    """Replace each placeholder and each piece of code by a letter."""
    return re.sub(r"`[^`]*`|\{[^{}]*\}", "x", text)


# --- Catalogues -------------------------------------------------------------------------------------------


def test_languages_match_the_locale_folders() -> None:
    assert messages.languages() == sorted(LANGUAGES)


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogue_has_exactly_the_programs_messages(language: str) -> None:
    marked = {message.id for message in messages.template(language) if message.id}
    known = {message.id for message in messages.catalogue(language) if message.id}
    assert (marked - known, known - marked) == (set(), set()), "`make messages` brings the catalogue up to date"


@pytest.mark.parametrize("language", TRANSLATED)
def test_updating_a_current_catalogue_changes_nothing(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = messages.catalogue_path(language).read_bytes()
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    written = messages.catalogue_path(language)
    written.parent.mkdir(parents=True)
    written.write_bytes(before)
    messages.update(language)
    assert written.read_bytes() == before


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language: str) -> None:
    catalogue = messages.catalogue(language)
    missing = [original for original, translated in all_forms(language) if not translated]
    fuzzy = [message.id for message in catalogue if message.id and message.fuzzy]
    assert (missing, fuzzy, list(catalogue.obsolete)) == ([], [], [])


@pytest.mark.parametrize("language", TRANSLATED)
def test_plurals_have_all_forms_of_the_language(language: str) -> None:
    catalogue = messages.catalogue(language)
    counts = {len(message.string) for message in catalogue if isinstance(message.id, tuple)}
    assert counts == {catalogue.num_plurals}


def test_only_language_codes_are_accepted() -> None:
    asked = ("de", "pt_BR", "xx", "de-DE", "deutsch", "../de")
    assert list(filter(messages.is_language, asked)) == ["de", "pt_BR"]


def test_new_catalogue_omits_unneeded_plural_forms() -> None:
    counts = (0, 1, 2, 5, 1_000_000)
    found = {language: messages.renewed(messages.begun(language)) for language in ("fr", "it", "pl")}
    assert {language: catalogue.num_plurals for language, catalogue in found.items()} == {"fr": 2, "it": 2, "pl": 3}
    rules = {language: c2py(catalogue.plural_expr) for language, catalogue in found.items()}
    chosen = {language: [rule(count) for count in counts] for language, rule in rules.items()}
    assert chosen == {"fr": [0, 0, 1, 1, 1], "it": [1, 0, 1, 1, 1], "pl": [2, 0, 1, 2, 2]}


def test_language_may_have_three_plural_forms() -> None:
    message = Message(("{n} card", "{n} cards"), ("{n} karta", "{n} karty", "{n} kart"))
    assert forms(message)[1:] == [("{n} cards", "{n} karty"), ("{n} cards", "{n} kart")]


def test_renewed_catalogue_keeps_translations_and_plural_forms() -> None:
    kept = Catalog("fr")
    kept.mime_headers = [("Plural-Forms", "nplurals=4; plural=(n % 4);")]
    kept.add(("{n} card", "{n} cards"), ("0", "1", "2", "3"))
    renewed = messages.renewed(kept)
    assert renewed.plural_forms == "nplurals=4; plural=(n % 4);"
    assert renewed[("{n} card", "{n} cards")].string == ("0", "1", "2", "3")


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_match_the_original(language: str) -> None:
    for original, translated in translated_forms(language):
        assert placeholders(translated) == placeholders(original), translated


@pytest.mark.parametrize("language", TRANSLATED)
def test_code_is_not_translated(language: str) -> None:
    for original, translated in translated_forms(language):
        assert sorted(re.findall(r"`[^`]*`|\[\w+\]|--\w+", translated)) == sorted(
            re.findall(r"`[^`]*`|\[\w+\]|--\w+", original)
        ), translated


@pytest.mark.parametrize("language", TRANSLATED)
def test_sentences_on_strips_stay_short(language: str) -> None:
    for message in messages.catalogue(language):
        if message.id and any(place.endswith(ON_STRIPS) for place, _ in message.locations):
            for original, translated in forms(message):
                assert len(translated) <= len(original) + MOST_LONGER, translated


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_every_placeholder_can_be_filled_in(language: str, n: int) -> None:
    catalogue = compiled(language)
    for message in messages.messages():
        texts = [message.msgid] + [message.plural] * bool(message.plural)
        fields = {field for text in texts for field in placeholders(text)}
        values = {"n": n} | {name: n if spec or name == "n" else "Ann" for name, spec, _ in fields}
        sentence = Text(message.msgid, tuple(values.items()), message.plural or None).render(catalogue)
        assert sentence
        assert not re.search(r"\{\w+\}", sentence)


def test_french_treats_zero_as_singular() -> None:
    catalogue = compiled("fr")
    counted = [msg("{n} floor", "{n} floors", n=n).render(catalogue) for n in (0, 1, 2)]
    assert counted == ["0 étage", "1 étage", "2 étages"]


# --- French typography ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        (r"[a-zà-ÿ]'[\wà-ÿ]", "the apostrophe is ’"),
        (rf"[^{NARROW}][!?;:%»](?=[\s).]|$)", "a narrow space stands before ! ? ; : % »"),
        (rf"«(?!{NARROW})", "a narrow space stands after «"),
        (r"[“”‘]", "quotes are « »"),
        (r"[Oo]e(?=uvre|il|uf|ud)", "œ is one letter"),
        (r"^\s|\s$", "nothing stands before the first letter and after the last"),
    ],
)
def test_french_follows_french_typography(wrong: str, rule: str) -> None:
    for original, translated in all_forms("fr"):
        text = without_code(translated)
        if original != original.strip() or translated.startswith(f"{NARROW};") or "  " in translated:
            text = text.strip()  # a continuation, or a table
        assert not re.search(wrong, text), f"{rule}: {translated}"


def test_english_has_no_space_before_per_cent() -> None:
    assert [original for original, _ in all_forms("fr") if re.search(r"[\d}]\s%", original)] == []


def test_french_uses_the_glossarys_words() -> None:
    """The glossary is in docs/translating.md."""
    unwanted = (
        r"\b(?:siège|enchère|verrouill|voie\b|match\b|clavier|carte de jeu|lutin|boutique|manche|immeuble|séisme"
        r"|[Ll]a maison|arrivée photo|étage du patron|docteur|gratis|abîmé)"
    )
    assert [translated for _, translated in all_forms("fr") if re.search(unwanted, translated)] == []


# --- Installed catalogues ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_matches_its_source(language: str) -> None:
    found = messages.catalogue_path(language).with_suffix(".mo")
    assert found.exists(), "not compiled; `make play` or `pip install -e .` does it"
    with found.open("rb") as file:
        installed = GNUTranslations(file)
    stale = [m for m, t in all_forms(language) if m in installed._catalog and installed._catalog[m] != t]
    assert not stale, "compiled from older translations; `make test` or `pip install -e .` does it anew"
    assert installed._catalog.keys() == compiled(language)._catalog.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_has_a_fixed_date(language: str) -> None:
    with messages.catalogue_path(language).with_suffix(".mo").open("rb") as file:
        assert GNUTranslations(file).info()["pot-creation-date"] == "1970-01-01 00:00+0000"


def test_reader_uses_the_chosen_language() -> None:
    text = msg("{winners} wins", "{winners} win", winners=msg("Seat {n}", n=2), n=1)
    assert [reader(language)(text) for language in ("en", "fr")] == ["Seat 2 wins", "Place 2 gagne"]


def test_empty_text_is_empty_in_every_language() -> None:
    assert {reader(language)(msg("")) for language in LANGUAGES} == {""}


def test_english_catalogue_changes_no_message() -> None:
    catalogue = translations("en")
    for message in messages.messages():
        assert catalogue.gettext(message.msgid) == message.msgid
        assert message.plural in {"", catalogue.ngettext(message.msgid, message.plural, 2)}


@pytest.mark.parametrize(
    ("environ", "word"),
    [
        ({"LANGUAGE": "fr"}, "Qui"),
        ({"LANGUAGE": "", "LC_ALL": "fr_FR.UTF-8"}, "Qui"),
        ({"LANGUAGE": "", "LC_ALL": "fr"}, "Qui"),
        ({"LANGUAGE": "", "LC_ALL": "C.UTF-8"}, "Who"),
        ({"LANGUAGE": "en:fr"}, "Who"),
        ({"LANGUAGE": "fi:fr:en"}, "Qui"),
        ({"LANGUAGE": "fi"}, "Who"),
    ],
)
def test_environment_chooses_the_language(environ: dict[str, str], word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from companion.core.text import _; print(_('Who plays?'))"],
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(messages.REPOSITORY), "PYTHONUTF8": "1", **environ},
    )
    assert done.stdout.decode().split()[0] == word


def test_wheel_contains_the_translations(tmp_path: Path) -> None:
    [wheel] = WheelBuilder(str(messages.REPOSITORY)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"companion/locale/{language}/LC_MESSAGES/companion.mo" for language in LANGUAGES} <= set(names)


def test_catalogue_is_replaced_whole_while_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "companion" / "locale" / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(messages.catalogue_path("fr"), folder)
    compile_translations(tmp_path)
    [compiled] = folder.glob("*.mo*")
    with compiled.open("rb") as begun:
        compile_translations(tmp_path)
        assert compiled.stat().st_ino != os.fstat(begun.fileno()).st_ino
        assert GNUTranslations(begun).gettext("Who plays?") == "Qui joue\u202f?"
