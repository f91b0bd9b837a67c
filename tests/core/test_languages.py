"""The translations: complete, with the placeholders of the original, well set, and found where they are needed."""

import io
import re
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
from tests import messages

NARROW = "\u202f"
TRANSLATED = [language for language in LANGUAGES if language != messages.SOURCE_LANGUAGE]

MOST_LONGER = 12
"""By how many characters a sentence on a strip may be longer than the English one, which was made to fit."""

ON_STRIPS = ("console.py", "match/centre.py", "match/session.py")
"""The files whose sentences stand on strips and private screens."""


@cache
def compiled(language: str) -> NullTranslations:
    """Return a catalogue as gettext has it after a build."""
    written = io.BytesIO()
    mofile.write_mo(written, messages.catalogue(language))
    written.seek(0)
    return GNUTranslations(written)


def forms(message: Message) -> list[tuple[str, str]]:
    """Return each form of a message with its translation; a language may have more than the two of English."""
    if isinstance(message.id, str):
        return [(message.id, message.string)]
    return [(message.id[min(place, 1)], form) for place, form in enumerate(message.string)]


@cache
def all_forms(language: str) -> list[tuple[str, str]]:
    """Return all forms of all messages, each with its translation."""
    return [form for message in messages.catalogue(language) if message.id for form in forms(message)]


def translated_forms(language: str) -> list[tuple[str, str]]:
    """Return the forms that have a translation: a catalogue that is begun is checked as far as it goes."""
    return [form for form in all_forms(language) if form[1]]


def placeholders(text: str) -> list[tuple[str, str, str]]:
    """Return name, format and conversion of each placeholder, sorted."""
    return sorted(
        (name, spec or "", how or "") for _, name, spec, how in Formatter().parse(text) if name is not None
    )


def without_code(text: str) -> str:
    """Return a text with a letter for each placeholder and each piece of code."""
    return re.sub(r"`[^`]*`|\{[^{}]*\}", "x", text)


# --- Catalogues -------------------------------------------------------------------------------------------


def test_languages_are_those_of_the_folder() -> None:
    assert messages.languages() == sorted(LANGUAGES)


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogue_has_the_sentences_of_the_program(language: str) -> None:
    marked = {message.id for message in messages.template(language) if message.id}
    known = {message.id for message in messages.catalogue(language) if message.id}
    assert (marked - known, known - marked) == (set(), set()), "`make messages` brings the catalogue up to date"


@pytest.mark.parametrize("language", TRANSLATED)
def test_to_bring_a_catalogue_up_to_date_changes_nothing_that_is_so_already(
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
def test_every_sentence_is_translated(language: str) -> None:
    catalogue = messages.catalogue(language)
    missing = [original for original, translated in all_forms(language) if not translated]
    fuzzy = [message.id for message in catalogue if message.id and message.fuzzy]
    assert (missing, fuzzy, list(catalogue.obsolete)) == ([], [], [])


@pytest.mark.parametrize("language", TRANSLATED)
def test_plurals_have_as_many_forms_as_the_language(language: str) -> None:
    catalogue = messages.catalogue(language)
    counts = {len(message.string) for message in catalogue if isinstance(message.id, tuple)}
    assert counts == {catalogue.num_plurals}


def test_what_is_no_language_gets_no_catalogue() -> None:
    asked = ("de", "pt_BR", "xx", "de-DE", "deutsch", "../de")
    assert list(filter(messages.is_language, asked)) == ["de", "pt_BR"]


def test_a_catalogue_begins_without_a_form_that_no_sentence_needs() -> None:
    counts = (0, 1, 2, 5, 1_000_000)
    found = {language: messages.renewed(messages.begun(language)) for language in ("fr", "it", "pl")}
    assert {language: catalogue.num_plurals for language, catalogue in found.items()} == {"fr": 2, "it": 2, "pl": 3}
    rules = {language: c2py(catalogue.plural_expr) for language, catalogue in found.items()}
    chosen = {language: [rule(count) for count in counts] for language, rule in rules.items()}
    assert chosen == {"fr": [0, 0, 1, 1, 1], "it": [1, 0, 1, 1, 1], "pl": [2, 0, 1, 2, 2]}


def test_a_language_may_have_three_forms() -> None:
    message = Message(("{n} card", "{n} cards"), ("{n} karta", "{n} karty", "{n} kart"))
    assert forms(message)[1:] == [("{n} cards", "{n} karty"), ("{n} cards", "{n} kart")]


def test_a_catalogue_keeps_its_translations_and_its_forms_of_the_plural() -> None:
    kept = Catalog("fr")
    kept.mime_headers = [("Plural-Forms", "nplurals=4; plural=(n % 4);")]
    kept.add(("{n} card", "{n} cards"), ("0", "1", "2", "3"))
    renewed = messages.renewed(kept)
    assert renewed.plural_forms == "nplurals=4; plural=(n % 4);"
    assert renewed[("{n} card", "{n} cards")].string == ("0", "1", "2", "3")


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_those_of_the_original(language: str) -> None:
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
def test_sentences_can_be_filled_in(language: str, n: int) -> None:
    catalogue = compiled(language)
    for message in messages.messages():
        texts = [message.msgid] + [message.plural] * bool(message.plural)
        fields = {field for text in texts for field in placeholders(text)}
        values = {"n": n} | {name: n if spec or name == "n" else "Ann" for name, spec, _ in fields}
        sentence = Text(message.msgid, tuple(values.items()), message.plural or None).render(catalogue)
        assert sentence
        assert not re.search(r"\{\w+\}", sentence)


def test_french_counts_nothing_as_one() -> None:
    catalogue = compiled("fr")
    counted = [msg("{n} floor", "{n} floors", n=n).render(catalogue) for n in (0, 1, 2)]
    assert counted == ["0 étage", "1 étage", "2 étages"]


# --- How French is set ------------------------------------------------------------------------------------


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
def test_french_is_set_as_french_is(wrong: str, rule: str) -> None:
    for original, translated in all_forms("fr"):
        text = without_code(translated)
        if original != original.strip() or translated.startswith(f"{NARROW};") or "  " in translated:
            text = text.strip()  # what goes on after another sentence; what is set as a table
        assert not re.search(wrong, text), f"{rule}: {translated}"


def test_english_has_no_space_before_per_cent() -> None:
    assert [original for original, _ in all_forms("fr") if re.search(r"[\d}]\s%", original)] == []


def test_french_names_things_as_the_glossary_does() -> None:
    """docs/translating.md, "Glossary": two words for one thing are two things to a reader."""
    unwanted = (
        r"\b(?:siège|enchère|verrouill|voie\b|match\b|clavier|carte de jeu|lutin|boutique|manche|immeuble|séisme"
        r"|[Ll]a maison|arrivée photo|étage du patron|docteur|gratis|abîmé)"
    )
    assert [translated for _, translated in all_forms("fr") if re.search(unwanted, translated)] == []


# --- Where they are found ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    found = messages.catalogue_path(language).with_suffix(".mo")
    assert found.exists(), "not compiled; `make play` or `pip install -e .` does it"
    with found.open("rb") as file:
        installed = GNUTranslations(file)
    stale = [m for m, t in all_forms(language) if m in installed._catalog and installed._catalog[m] != t]
    assert not stale, "compiled from older translations; `make test` or `pip install -e .` does it anew"
    assert installed._catalog.keys() == compiled(language)._catalog.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_says_nothing_of_the_day_it_was_compiled(language: str) -> None:
    with messages.catalogue_path(language).with_suffix(".mo").open("rb") as file:
        assert GNUTranslations(file).info()["pot-creation-date"] == "1970-01-01 00:00+0000"


def test_reader_reads_in_the_language_that_was_chosen() -> None:
    text = msg("{winners} wins", "{winners} win", winners=msg("Seat {n}", n=2), n=1)
    assert [reader(language)(text) for language in ("en", "fr")] == ["Seat 2 wins", "Place 2 gagne"]


def test_nothing_is_nothing_in_every_language() -> None:
    assert {reader(language)(msg("")) for language in LANGUAGES} == {""}


def test_english_is_as_it_is_written() -> None:
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
def test_environment_chooses(environ: dict[str, str], word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from companion.core.text import _; print(_('Who plays?'))"],
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(messages.REPOSITORY), "PYTHONUTF8": "1", **environ},
    )
    assert done.stdout.decode().split()[0] == word


def test_wheel_has_the_translations(tmp_path: Path) -> None:
    [wheel] = WheelBuilder(str(messages.REPOSITORY)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"companion/locale/{language}/LC_MESSAGES/companion.mo" for language in LANGUAGES} <= set(names)
