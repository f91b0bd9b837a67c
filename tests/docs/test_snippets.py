"""Every command and snippet of README and docs is run, checked or exempted with a reason."""

import doctest
import io
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.cli import usage
from companion.cli.commands import main
from companion.config.table_file import parse_config
from companion.devices.drivers import GROUP as DRIVERS
from companion.games import FOLDERS, GROUP, all_games, load
from tests.docs.pages import PAGES, ROOT, Block, blocks, name, spans
from tests.docs.shell import run_shell, sessions
from tests.running import companion, for_each, move_in

ALL = [block for page in PAGES for block in blocks(page)]
each = pytest.mark.parametrize

LANGUAGES = {
    "console": "run, and what it says compared",
    "sh": "each line is a command",
    "toml": "read by what reads it",
    "python": "run",
    "pycon": "a doctest; the blocks of a page are one session",
    "ebnf": "held against the program by tests/docs/test_docs.py",
    "text": "a drawing, a synopsis, or what a machine has said: only its commands are checked",
}

VALUES = {
    "GAME": "buntherum",
    "ID": "last",
    "RECORD": "last",
    "DIR": "pictures",
    "FILE": "table.toml",
    "PORT": "/dev/ttyACM0",
}
"""Values for the words that a reader replaces."""

OURS = ("benchmarks/", "docs/", "hardware/", "systemd/", "tests/")

WORDS = {"name": "Anna", "colour": "red", "left": 2}
"""Names that Python snippets use without defining them."""


# --- Blocks -----------------------------------------------------------------------------------------------


def of(language: str) -> list[Block]:
    return [block for block in ALL if block.language == language]


@for_each(*((block,) for block in ALL))
def test_every_block_has_a_known_language(block: Block) -> None:
    assert block.language in LANGUAGES, f"{block}: {LANGUAGES}"


@each("page", dict.fromkeys(block.page for block in of("console")))
def test_console_sessions_print_what_they_show(page: str, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for block in blocks(ROOT / page):
        for command, shown in sessions(block.text) if block.language == "console" else ():
            assert run_shell(command, tmp_path) == shown, f"{block}: {command}"


@each("block", of("toml"), ids=str)
def test_toml_blocks_are_valid(block: Block) -> None:
    found = tomllib.loads(block.text)
    if "rounds" in found:
        load("any").read_box(block.text, str(block))
        return
    if "project" in found:
        [(group, points)] = found["project"]["entry-points"].items()
        [(named, point)] = points.items()
        assert point == f"{named}:{ {GROUP: 'GAME', DRIVERS: 'DRIVER'}[group] }"
        return
    free = "".join(f"[{name}]\npins = []\n" for name in ("buzzers", "lamps") if name not in found)
    house = "[house]\nok = -1\nundo = -1\npause = -1\nskip = -1\n" if "house" not in found else ""
    parse_config(block.text + free.replace("[lamps]\n", "[lamps]\nsiren = -1\n") + house, str(block), all_games())


@each("block", of("python"), ids=str)
def test_python_blocks_run(block: Block) -> None:
    exec(compile(block.text, str(block), "exec"), dict(WORDS))


@each("page", dict.fromkeys(block.page for block in of("pycon")))
def test_python_sessions_print_what_they_show(page: str) -> None:
    failed, attempted = doctest.testfile(str(ROOT / page), module_relative=False)
    assert attempted
    assert not failed


# --- Commands ---------------------------------------------------------------------------------------------


def commands() -> Iterator[tuple[str, str]]:
    for block in ALL:
        for line in block.text.splitlines():
            if block.language == "sh":
                yield from ((str(block), part) for part in parts(line))
            elif block.language == "text" and line.startswith("$ "):
                yield str(block), line[2:]
    for page in PAGES:
        for span in spans(page):
            if is_command(span):
                yield name(page), span


def parts(line: str) -> Iterator[str]:
    for part in re.sub(r"(^|\s)#.*", "", line).split(";"):
        if part.strip():
            yield part.strip()


def words_of(command: str) -> list[str]:
    """Return a command's words with values for placeholders, without sudo and variables."""
    words = [VALUES.get(word, word) for word in shlex.split(command)]
    while words[0] == "sudo" or re.fullmatch(r"[A-Z_]+=\S+", words[0]):
        skipped = words.pop(0)
        if skipped == "sudo" and words[0] == "-u":
            del words[:2]
    return [words[0].rpartition(".venv/bin/")[2], *words[1:]]


def is_command(span: str) -> bool:
    if not re.match(r"[a-z.]", span) and not re.match(r"[A-Z_]+=\S+ ", span):
        return False
    try:
        words = words_of(span)
    except (ValueError, IndexError):
        return False
    return len(words) > 1 and (words[0] in PROGRAMS)


def companion_is_parsed(words: list[str]) -> None:
    """Check that the parser accepts the words, or knows a command that is only named."""
    if only_named(words):
        with pytest.raises(SystemExit) as told:
            usage.parse([words[1], "--help"])
        assert told.value.code == 0
    else:
        assert usage.parse(words[1:])


def only_named(words: list[str]) -> bool:
    return len(words) == 2 and words[1] in {"--version", "headless", "replay", "export", "simulate", "club"}


def target_is_there(words: list[str]) -> None:
    """Check that Makefile targets exist; some take minutes, one runs this test."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for word in words[1:]:
        name, given, _ = word.partition("=")
        assert f"$({name})" in makefile if given else re.search(rf"^{word}:", makefile, re.MULTILINE)


def module_is_there(words: list[str]) -> None:
    """Check that the script or module exists; it may take long."""
    if words[1:3] in (["-m", "pytest"], ["-m", "venv"]):
        return
    path = ROOT / (words[2].replace(".", "/") if words[1] == "-m" else words[1])
    sources = list(path.glob("*.py")) if path.is_dir() else [path if path.suffix else path.with_suffix(".py")]
    source = "".join(each.read_text("utf-8") for each in sources)
    for word in words[2:]:
        assert not word.startswith("--") or f'"{word}"' in source, word


def packages_are_ours(words: list[str]) -> None:
    """Check that the extras exist; pip needs a network."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for extras in re.findall(r"(?:table-companion|\.)\[([\w,-]+)\]", " ".join(words)):
        assert set(extras.split(",")) <= set(project["optional-dependencies"])


def units_are_ours(words: list[str]) -> None:
    """Check that the units exist; the services need an installed machine."""
    units = re.findall(r"\bcompanion(?:-\w+)?\b", " ".join(words))
    for unit in units:
        assert (ROOT / "systemd" / f"{unit}.service").is_file()


def file_is_there(words: list[str]) -> None:
    """Check that the file exists; running it changes the machine."""
    assert (ROOT / words[0]).is_file()


def draws(words: list[str]) -> None:
    """Accept: tests/hardware checks the pictures."""


def needs_a_board(words: list[str]) -> None:
    """Accept: it needs a pod's board."""


def changes_a_machine(words: list[str]) -> None:
    """Accept: it changes or inspects a Debian machine."""


PROGRAMS: dict[str, Callable[[list[str]], None]] = {
    "companion": companion_is_parsed,
    "make": target_is_there,
    "python": module_is_there,
    "python3": module_is_there,
    **dict.fromkeys(("pip", "/opt/companion/current/venv/bin/pip"), packages_are_ours),
    "systemctl": units_are_ours,
    "journalctl": units_are_ours,
    "systemd/install.sh": file_is_there,
    **dict.fromkeys(("openscad", "wireviz"), draws),
    **dict.fromkeys(("mpremote", "printf", "stty"), needs_a_board),
    **dict.fromkeys(
        ("apt", "chown", "cp", "git", "grep", "mosquitto_passwd", "raspi-config", "ssh-keygen", "usermod"),
        changes_a_machine,
    ),
    **dict.fromkeys(
        ("e2fsck", "echo", "mkfs.ext4", "mount", "partprobe", "resize2fs", "sha256sum", "umount"),
        changes_a_machine,
    ),
}


COMMANDS = list(dict.fromkeys(commands()))


@for_each(*COMMANDS)
def test_every_command_is_valid(where: str, command: str) -> None:
    words = words_of(command)
    assert words[0] in PROGRAMS, f"{where}: nobody knows what becomes of {command!r}"
    PROGRAMS[words[0]](words)
    for word in words[1:]:
        assert not word.startswith(OURS) or any(ROOT.glob(word)), f"{where}: {word} is not there"


@each("block", [block for block in of("text") if block.text.startswith("companion ")], ids=str)
def test_synopsis_lists_every_option(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        usage.parse([block.text.split()[1], "--help"])
    options = re.findall(r"--[a-z-]+", block.text)
    assert options
    assert set(options) == set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}


UNDERSTOOD_ONLY = {
    "play": "it needs a screen; tests/e2e",
    "pod": "it needs a pod; tests/cli/test_pods_command.py",
    "box": "each wants a file of its own; tests/cli/test_box_command.py",
    "card": "it wants a companion.txt; tests/config/test_card_file.py",
    "update": "it changes the system; tests/updates",
    "club": "each wants what went before it; tests/club/test_club_command.py",
    "wall": "it needs a broker; tests/club/with_mosquitto",
    "doctor": "it looks for the devices of this machine; tests/diagnostics/test_doctor.py",
}
"""Commands that are only parsed, with the reasons."""

FAST = {"-n": "2", "--jobs": "1"}
"""Option values that make commands quick."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a table.toml and a match, in which commands run."""
    move_in(tmp_path, monkeypatch)
    (tmp_path / "pictures").mkdir()
    (tmp_path / "hardware").symlink_to(ROOT / "hardware")
    assert main(["demo", "buntherum", "--seed", "7"]) == 0
    return tmp_path


def fast(words: list[str]) -> list[str]:
    quick = [FAST.get(before, word) for before, word in pairwise(["", *words])]
    return ["table.toml" if word.startswith("/etc/") else word for word in quick[1:]]


def test_every_runnable_command_runs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = 0
    for where, command in COMMANDS:
        words = words_of(command)
        if words[0] != "companion" or words[1] in UNDERSTOOD_ONLY or only_named(words) or "--club" in words:
            continue  # tests/club/with_mosquitto has a broker
        (home / "table.toml").unlink(missing_ok=True)
        if "init" not in words:
            assert main(["config", "init"]) == 0
        ran += 1
        if "=" in command.split()[0]:  # a separate process and home for another environment
            variable, _, value = command.split()[0].partition("=")
            value = str(ROOT / value) if variable == FOLDERS else value
            (home / "other").mkdir(exist_ok=True)
            assert companion(home / "other", *fast(words), **{variable: value}).returncode == 0, (
                f"{where}: {command}"
            )
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO("1 wait\n"))
        assert main(fast(words)) == 0, f"{where}: {command}"
    assert ran > 10
