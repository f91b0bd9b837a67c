"""The command line parser's own messages are translated."""

from pathlib import Path

import pytest

from companion.cli import usage
from companion.core.version import program_version
from tests.running import Here, companion

WRONG = [
    (("play", "--deal"), "argument --deal : il manque sa valeur"),
    (("config", "mend"), "argument action : 'mend' n’est pas possible (au choix : 'init', 'check')"),
    (("simulate", "buntherum", "-n", "x"), "argument -n : 'x' n’est pas un nombre entier"),
    (("simulate",), "companion simulate : erreur : il manque : GAME"),
    (("update",), "il faut l’un de ceux-ci : FILE --status --back --offer --offered"),
    (("update", "--status", "--back"), "argument --back : pas possible avec --status"),
    (("stats", "--from"), "argument --from : il manque sa valeur"),
    (("demo", "--text=1"), "argument --text : cette option ne prend pas de valeur, '1' est de trop"),
]


@pytest.mark.parametrize(
    ("arguments", "said"), WRONG, ids=lambda part: " ".join(part) if type(part) is tuple else ""
)
def test_usage_errors_are_printed_in_french(arguments: tuple[str, ...], said: str, companion_here: Here) -> None:
    done = companion_here(*arguments, language="fr")
    told = done.stderr.replace("\u202f", " ")
    assert (done.returncode, done.stdout) == (2, "")
    assert told.startswith("usage : companion")
    assert told.endswith(f"{said}\n")


@pytest.mark.parametrize("words", ["flash --table t.toml /dev/ttyACM1", "flash /dev/ttyACM1 --table t.toml"])
def test_port_may_precede_or_follow_an_option(words: str) -> None:
    parsed = usage.parse(["pod", *words.split()])
    assert (parsed.action, parsed.port, parsed.table) == ("flash", "/dev/ttyACM1", Path("t.toml"))


def test_second_port_is_refused(companion_here: Here) -> None:
    done = companion_here("pod", "pair", "--table", "t.toml", "/dev/ttyACM1", "/dev/ttyACM2")
    assert done.returncode == 2
    assert "'/dev/ttyACM2' is not understood" in done.stderr


def test_help_has_french_headings(companion_here: Here) -> None:
    told = companion_here("simulate", "--help", language="fr").stdout.replace("\u202f", " ")
    assert told.startswith("usage : companion simulate")
    assert "\narguments" in told
    assert "montre cette aide et s’arrête" in told
    assert "positional" not in told


def test_titles_of_games_are_printed_in_french(companion_here: Here) -> None:
    Path("table.toml").write_text('[journal]\nfolder = "kept"\n')
    play = "simulate any -n 2 --seats Anna,Ben --ruling play=clock --ruling minutes=1 --records kept"
    for command in (play, "history --table table.toml", "stats any --from kept", "box show any"):
        told = companion_here(*command.split(), language="fr").stdout
        assert "Autre jeu" in told, command
        assert "Any other game" not in told, command


COMMANDS = [
    (),
    *((command.name,) for command in usage.COMMANDS),
    ("club", "new"),
    ("club", "next"),
    ("box", "show"),
]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_fits_80_columns_with_options_unbroken(
    command: tuple[str, ...], language: str, companion_here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = companion_here(*command, "--help", language=language)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, lines)) <= 78
    assert not [line for line in lines if line.endswith((" --club", " --from", " --table"))]


@pytest.mark.parametrize("language", ["en", "en:fr", "C", "fi"])
def test_other_languages_fall_back_to_english(language: str, companion_here: Here) -> None:
    assert companion_here("config", language=language).stderr.startswith("usage: companion config")


def test_version_names_the_program(tmp_path: Path) -> None:
    assert companion(tmp_path, "--version").stdout == f"companion {program_version()}\n"
