"""The command line: exit statuses, helpful messages without tracebacks, and Ctrl-C that loses nothing."""

import gc
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import commands
from companion.cli.status import INTERRUPTED
from companion.devices.buzzers.choice import KINDS
from companion.devices.chips import chip_files
from companion.diagnostics import logbook
from companion.games import all_games
from companion.records import match_list
from companion.referee.journal import open_record
from companion.table import app, safe_mode
from tests.running import COMMAND, Here, companion, environment

HEADLESS = ("headless", "buntherum", "--seed", "7")
GOLDEN = Path(__file__).parents[1] / "records" / "buntherum-7.record"
PIPE = subprocess.PIPE


# --- What is accepted -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["demo", "headless", "replay", "history", "export", "simulate", "config"])
def test_every_command_has_a_help_page(command: str, companion_here: Here) -> None:
    assert command in companion_here("--help").stdout
    done = companion_here(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: companion {command}" in done.stdout


def test_help_imports_neither_devices_nor_display(tmp_path: Path) -> None:
    command = (sys.executable, "-X", "importtime", "-m", "companion", "play", "--help")
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=True)
    assert "companion.cli.usage" in done.stderr
    for heavy in ("companion.config", "companion.devices", "companion.display", "importlib.metadata", "pygame"):
        assert heavy not in done.stderr


def test_version_imports_neither_parser_nor_command(tmp_path: Path) -> None:
    command = (sys.executable, "-X", "importtime", "-m", "companion", "--version")
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, check=True)
    assert "companion.core.version" in done.stderr
    for slow in ("argparse", "pathlib", "importlib.metadata", "companion.cli"):
        assert slow not in done.stderr


def test_safe_mode_collects_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may stay for days, and has no first picture after which `play` collects again."""
    collects: list[bool] = []
    monkeypatch.setattr(safe_mode, "run", lambda *_, **__: collects.append(gc.isenabled()))
    assert commands.main(["play", "--safe", "--virtual"]) == 0
    assert collects == [True]


def test_commands_without_pictures_do_not_import_pygame(tmp_path: Path) -> None:
    commands = ("headless buntherum", "simulate buntherum -n 1", "history", "stats")
    run = f"import sys; from companion.cli.commands import main; sys.exit(sum(main(c.split()) for c in {commands}))"
    command = (sys.executable, "-X", "importtime", "-c", run)
    done = subprocess.run(
        command, env=environment(tmp_path), input="", capture_output=True, text=True, timeout=60, check=True
    )
    assert "companion.config" in done.stderr
    assert "pygame" not in done.stderr


def test_script_accepted_to_its_end_prints_a_result(tmp_path: Path) -> None:
    done = companion(tmp_path, *HEADLESS, stdin="2 seat 1 buzz\n2.8 seat 1 keys 0\n")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["kind"] == "start"
    assert lines[-1] == {"t_ns": 2_800_000_000, "kind": "result", "over": False, "moves": 10}


def test_script_may_begin_with_a_bom(companion_here: Here) -> None:
    script = "2 seat 1 buzz\n3 seat 1 keys 0\n"
    plain, marked = (companion_here(*HEADLESS, stdin=before + script) for before in ("", "\ufeff"))
    assert (marked.returncode, marked.stdout) == (0, plain.stdout)


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("config init new.toml", "new.toml"),
        ("box new buntherum mine", "data/companion/boxes/buntherum/mine.toml"),
        ("doctor --no-walk --report new.txt", "new.txt"),
        ("simulate buntherum -n 1 --seats Anna,Ben --records kept", "kept/000001.record"),
    ],
)
def test_full_disk_leaves_no_partial_file(words: str, written: str, tmp_path: Path) -> None:
    limited = ["sh", "-c", 'ulimit -f 0 && exec "$@"', "sh", *COMMAND, *words.split()]
    done = subprocess.run(
        limited, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode
    assert "File too large" in done.stderr
    assert (tmp_path / written).parent.is_dir()
    assert not (tmp_path / written).exists()


def test_output_times_never_decrease(companion_here: Here) -> None:
    script = "0.7 seat 1 buzz\n1.9 seat 2 fault late 300\n1.9 seat 2 buzz\n2 seat 1 buzz\n4 wait\n"
    done = companion_here(*HEADLESS, "--as", "1", stdin=script)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"false_start", "late_report"} <= {line["kind"] for line in lines}
    times = [line["t_ns"] for line in lines]
    assert times == sorted(times)


def test_only_the_seat_sees_its_private_lines(companion_here: Here) -> None:
    script = "2 seat 1 buzz\n2.2 seat 2 keys 4\n"
    printed = {
        audience: companion_here(*HEADLESS, *audience, stdin=script).stdout.splitlines()
        for audience in ((), ("--as", "1"), ("--as", "2"))
    }
    assert printed[()] == printed["--as", "1"]
    private = [json.loads(line) for line in printed["--as", "2"] if line not in printed[()]]
    assert [(line["kind"], line["seat"], line["text"]) for line in private] == [
        ("refused", 2, "Seat 1 has the call: only the first counts")
    ]


def test_rulings_option_changes_the_match(companion_here: Here) -> None:
    words = ("--ruling", "call_input=direct", "--ruling", "nobody_after_s=2")
    done = companion_here(*HEADLESS, *words, stdin="2 seat 1 keys 0\n+5 wait\n")
    kinds = [json.loads(line)["kind"] for line in done.stdout.splitlines()]
    assert "declare" in kinds
    assert "nobody" in kinds


# --- Bad input --------------------------------------------------------------------------------------------

BAD_OPTIONS = [
    ("demo --sed 7", "'--sed'", "did you mean --seed?"),
    ("doctor --config table.toml", "'--config'", "see --help"),
    ("headless buntherum --resum", "'--resum'", "did you mean --resume?"),
    ("simulate buntherum --zzz", "'--zzz'", "--help"),
    ("dmeo", "'dmeo'", "demo"),
    (
        "headless buntherun",
        "'buntherun'",
        f"did you mean 'buntherum'? Allowed: {', '.join(sorted(all_games()))}",
    ),
    (
        "headless buntherum --ruling tie_margin=3",
        "'tie_margin'",
        "did you mean 'tie_margin_ms'? Allowed: call_input,",
    ),
    ("headless buntherum --ruling call_input=dircet", "'dircet'", "did you mean 'direct'? Allowed: buzz_then_key,"),
    ("headless buntherum --ruling tie_margin_ms=2000", "'2000'", "a whole number from 0 to 50"),
    ("headless buntherum --ruling printed_counts=yes", "printed_counts = 'yes'", "true or false"),
    ("headless buntherum --ruling declare_s", "'declare_s'", "KEY=VALUE"),
    ("simulate buntherum --bots midle", "'midle'", "did you mean 'middle'? Allowed: easy, middle, random, strong"),
    ("demo --bots easy,robot", "'robot'", "allowed: easy, middle, random, strong"),
    ("demo --bots easy,easy,easy,easy", "4 ", "3 seats"),
    ("demo --bots=", "''", "allowed: easy, middle, random, strong"),
    ("simulate buntherum --bots=", "''", "allowed: easy, middle, random, strong"),
    ("play --bots=", "''", "allowed: easy, middle, person, random, strong"),
    (
        "play --bots persn",
        "'persn'",
        "did you mean 'person'? Allowed: easy, middle, person, random, strong",
    ),
    ("play buntherum --bots person,easy --deal table", "Robots", "cannot see real cards"),
    ("play buro_crazy --bots easy --deal table", "Robots", "cannot count real cards"),
    ("play --lesson", "--lesson", "companion play buntherum --lesson"),
    ("simulate buntherum --bots easy,random,easy,easy", "4 ", "3 seats"),
    ("headless buntherum --as 9", "--as 9", "allowed: 1 to 3"),
    ("headless buntherum --as Anna", "--as Anna", "allowed: 1 to 3"),
    ("headless buntherum --seats Anna", "--seats Anna", "2 to 5 names"),
    ("headless buntherum --seats A,B,C,D,E,F", "--seats A,B,C,D,E,F", "2 to 5 names"),
    ("headless buntherum --seats=", "--seats", "2 to 5 names"),
    ("headless buntherum --seats A\x1b[1m,B", "the screens cannot show U+001B; remove it", "'A\\x1b[1m'"),
    ("simulate buntherum -n 1 --seats A\udcff,B", "the screens cannot show U+DCFF; remove it", "'A\\udcff'"),
    ("simulate buntherum -n 1 --seed 7\x07", "--seed: '7\\x07' contains U+0007", "cannot be printed"),
    ("headless buntherum --journal=", "--journal", "its name is empty"),
    ("simulate buntherum -n 1 --records=", "--records", "its name is empty"),
    ("headless buntherum --lesson --table missing.toml", "--table", "a lesson sets this itself"),
    ("headless buntherum --seats Anna,,Ben", "--seats Anna,,Ben", "a name is empty"),
    ("headless buntherum --deal tabel", "'tabel'", "'table'"),
    ("headless buntherum --deal table --seed 7", "--seed", "real cards need no seed"),
    ("headless buntherum --resume", "--resume", "--journal FILE"),
    ("simulate buntherum -n 0", "-n 0", "a whole number from 1"),
    ("simulate buntherum --jobs 0", "--jobs 0", "a whole number from 1"),
    ("simulate buntherum --jobs 65", "--jobs 65", "1 to 64"),
    ("simulate buntherum --jobs 2 --scheduler x:1", "--jobs", "leave it out"),
    ("simulate buntherum -n many", "'many'", "-n"),
    ("replay nothing", "'nothing'", "contains no matches"),
    ("config chekc", "'chekc'", "'check'"),
    ("config check missing.toml", "missing.toml", "companion config init missing.toml writes one"),
]


@pytest.mark.parametrize(("words", "found", "helps"), BAD_OPTIONS, ids=[words for words, _, _ in BAD_OPTIONS])
def test_bad_option_error_names_what_is_allowed(
    words: str, found: str, helps: str, tmp_path: Path, companion_here: Here
) -> None:
    done = companion_here(*words.split())
    assert done.returncode == 2
    assert done.stdout == ""
    assert found in done.stderr
    assert helps in done.stderr
    assert not list(tmp_path.rglob("*.record"))


BAD_LINES = [
    ("2 seet 1 buzz", "did you mean 'seat'? Allowed: amend, house, seat, table, wait"),
    ("2 seat 4 buzz", "unknown seat '4'; allowed: 1 to 3"),
    ("2 seat T buzz", "unknown seat 'T'; allowed: 1 to 3"),
    ("2 seat 1 buz", "did you mean 'buzz'? Allowed: buzz, contact, fault, keys, plug, unplug"),
    ("2 seat 1 buzz stampd 3", "'stampd'", "buzz [stamped T] [within U]"),
    ("2 seat 1 keys 4 x", "'x' is not a key; allowed: 0 1 2 3 4 5 6 7 8 9 * # A B C D"),
    ("2 seat 1 keys", "keys K..."),
    ("2 seat 1 fault bounse 3", "did you mean 'bounce'? Allowed: bounce, late, none, stuck"),
    ("2 seat 1 fault bounce long", "bounce MS, late MS, stuck, none"),
    ("2 house okk", "did you mean 'ok'? Allowed: "),
    ("2 house", "house CONTROL"),
    ("2 table flop red car", "did you mean 'flip'? Allowed: call, card,"),
    ("2 table flip red carr", "did you mean 'red car'?"),
    ("2 table flip", "a card is a colour (green, red, blue,"),
    ("2 table youngest 9", "'9' is not a seat; allowed: 1 to 5"),
    ("2 table judge rigth", "did you mean 'right'? Allowed: right, wrong"),
    ("soon wait", "'soon' is not a time; write seconds"),
    ("0.5 wait", "0.5 is earlier than the line above, at 1.0 s"),
    ("-1 wait", "-1 is earlier than the line above"),
    ("2", "a line is TIME seat N ACT, house CONTROL"),
    (b"2 seat \xff buzz", "seat"),
    ("9" * 400 + " wait", "time"),
    ("9" * 5000 + " wait", "time"),
]


@pytest.mark.parametrize("bad", BAD_LINES, ids=[str(bad[0])[:30] for bad in BAD_LINES])
def test_bad_line_error_names_what_is_allowed(bad: tuple[str | bytes, ...], companion_here: Here) -> None:
    line, *helps = bad
    raw = line.encode() if isinstance(line, str) else line
    done = companion_here(*HEADLESS, stdin=b"1 wait\n\n" + raw + b"\n5 wait\n")
    assert done.returncode == 2
    assert "standard input, line 3: " in done.stderr
    assert "Traceback" not in done.stderr
    for text in helps:
        assert str(text) in done.stderr
    assert '"result"' not in done.stdout
    assert "5000000000" not in done.stdout


def test_moves_before_a_bad_line_are_saved(tmp_path: Path, companion_here: Here) -> None:
    path = tmp_path / "match.record"
    done = companion_here(*HEADLESS, "--journal", path, stdin="2 house skip\n2.5 wait\n3 hose skip\n")
    assert done.returncode == 2
    assert open_record(path, all_games()).match.entries[-1].move == "T nobody"


def test_refused_move_does_not_end_the_script(companion_here: Here) -> None:
    done = companion_here(*HEADLESS, stdin="2 table judge right\n3 house right\n")
    assert done.returncode == 0
    refused = [json.loads(line) for line in done.stdout.splitlines() if '"refused"' in line]
    assert [line.get("rule") for line in refused] == ["BH-R9", None]


@pytest.mark.parametrize("words", ["--journal {} --resume", "--journal folder/{}"])
def test_unusable_journal_exits_with_a_failure(words: str, tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "folder").write_text("a file")
    done = companion_here(*HEADLESS, *words.format("match.record").split())
    assert done.returncode == 1
    assert re.fullmatch(r"companion: \S+: [A-Z].*\n", done.stderr)


def test_folder_as_journal_or_file_as_folder_fails(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for words, status, said in (
        ("demo --journal file", 1, "file already exists; choose another file, or continue it with"),
        ("simulate buntherum -n 1 --records file", 2, "--records file: this is a file; name a folder"),
        (f"{' '.join(HEADLESS)} --journal folder", 1, "folder: Is a directory"),
    ):
        done = companion_here(*words.split()) if "file" in words else companion(tmp_path, *words.split())
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr.startswith(f"companion: {said}")


def test_unencodable_characters_are_printed_as_escapes(tmp_path: Path) -> None:
    done = companion(tmp_path, "replay", GOLDEN, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u25cf" in done.stdout


def test_file_that_is_not_a_record_is_refused(tmp_path: Path, companion_here: Here) -> None:
    path = tmp_path / "notes.record"
    path.write_text("milk, eggs\n")
    for words in (("replay", path), ("export", path), (*HEADLESS, "--journal", path, "--resume")):
        done = companion_here(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{path}: " in done.stderr
    assert path.read_text() == "milk, eggs\n"


@pytest.mark.parametrize("name", ["x" * 300, "new\nline", "a/b", "..", ""])
def test_strange_match_name_is_not_found(name: str, companion_here: Here) -> None:
    done = companion_here("replay", name)
    assert done.returncode == 2
    assert "unknown match" in done.stderr


# --- Internal errors --------------------------------------------------------------------------------------


def broken(*_: object) -> None:
    raise RuntimeError("the cause, and a card that nobody may know")


def test_internal_error_prints_one_sentence_and_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(match_list, "show", broken)
    assert commands.main(["history"]) == 1
    log = tmp_path / "companion" / "companion.log"
    err = capsys.readouterr().err
    assert err == f"companion: internal error; the details are in {log}\n"
    assert "Traceback" in log.read_text()
    assert log.read_text().endswith("RuntimeError\n")  # without its text, which could quote a secret
    assert "in broken" in log.read_text()


def test_internal_error_without_a_log_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "companion").write_text("a file where the folder would be")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(match_list, "show", broken)
    assert commands.main(["history"]) == 1
    assert "companion: internal error" in capsys.readouterr().err


# --- Interruptions and closed outputs ---------------------------------------------------------------------


def test_early_ctrl_c_prints_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def begin() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(logbook, "begin", begin)
    assert commands.main(["history"]) == INTERRUPTED
    assert capsys.readouterr().err == "companion: interrupted\n"


def hear_ctrl_c() -> None:
    """Let the child receive Ctrl-C, which shells disable for background programs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ignore_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


PRESSED_WHILE_LOADING = """
import os, runpy, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "companion.cli.commands":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["companion", "--help"]
runpy.run_module("companion", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("begin", "status", "said"), [(hear_ctrl_c, -signal.SIGINT, ""), (ignore_ctrl_c, 0, "usage:")]
)
def test_ctrl_c_while_loading_is_silent(begin: Callable[[], None], status: int, said: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", PRESSED_WHILE_LOADING]
    done = subprocess.run(
        words,
        check=False,
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        preexec_fn=begin,
    )
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout.partition(" ")[0] == said


def test_ctrl_c_saves_the_moves_played(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    words = [*COMMAND, *HEADLESS, "--journal", str(path)]
    with subprocess.Popen(
        words,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        text=True,
        env=environment(tmp_path),
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509  nothing here has threads
    ) as program:
        program.stdin.write("2 house skip\n2.5 wait\n")
        program.stdin.flush()
        while '"nobody"' not in program.stdout.readline():
            pass
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert err == "companion: interrupted\n"
    opened = open_record(path, all_games())
    assert opened.damage is None
    assert opened.match.entries[-1].move == "T nobody"


def started(folder: Path, *words: str, **more: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*COMMAND, *words],
        stdin=subprocess.DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        text=True,
        cwd=folder,
        env=environment(folder),
        **more,
    )


def test_ctrl_c_ends_all_processes_with_one_sentence(tmp_path: Path) -> None:
    def until_kept(count: int) -> None:
        while program.poll() is None and len(list(tmp_path.glob("kept/*.record"))) < count:
            time.sleep(0.01)

    words = ("simulate", "boese_buben", "--bots", "random", "-n", "100000", "--jobs", "2", "--records", "kept")
    with started(tmp_path, *words, start_new_session=True, preexec_fn=hear_ctrl_c) as program:
        until_kept(1)
        for children in Path(f"/proc/{program.pid}/task").glob("*/children"):
            for child in children.read_text().split():
                os.kill(int(child), signal.SIGINT)
        until_kept(150)  # more than had begun when they were signalled
        assert program.poll() is None  # the signal was not for them
        os.killpg(program.pid, signal.SIGINT)  # as a terminal signals all of them
        out, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (130, "companion: interrupted\n")
    done = int(out.partition(" matches of Böse Buben")[0])
    assert 100 < done <= len(list(tmp_path.glob("kept/*.record")))  # some records may be uncounted


COMMANDS = [("headless", "buntherum"), ("demo", "--seed", "3"), ("export", str(GOLDEN)), ("--help",)]


@pytest.mark.parametrize("words", COMMANDS, ids=[words[0] for words in COMMANDS])
def test_closed_pipe_is_not_an_error(words: tuple[str, ...], tmp_path: Path) -> None:
    with started(tmp_path, *words) as program:
        assert program.stdout
        assert program.stderr
        program.stdout.close()
        assert program.stderr.read() == ""
    assert program.returncode in {0, 1}


@pytest.mark.parametrize("words", COMMANDS, ids=[words[0] for words in COMMANDS])
def test_unwritable_output_is_a_failure(words: tuple[str, ...], tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=PIPE,
            text=True,
            check=False,
            cwd=tmp_path,
            env=environment(tmp_path),
        )
    assert done.returncode == 1
    assert re.fullmatch(r"companion: .*No space left on device\n", done.stderr)


@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("headless buntherum --seed 7", "<&-"),
        ("headless buntherum --seed 7", ">&-"),
        ("headless buntherum --seed 7", "<&- >&- 2>&-"),
        ("replay nothing", "2>&-"),
    ],
)
def test_stream_closed_from_the_start_is_tolerated(words: str, closed: str, tmp_path: Path) -> None:
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *words.split()]
    done = subprocess.run(
        shell, input="", capture_output=True, text=True, check=False, cwd=tmp_path, env=environment(tmp_path)
    )
    assert done.returncode == (0 if words.startswith("headless") else 2)
    assert "internal error" not in done.stderr
    assert ('"result"' in done.stdout) == (done.returncode == 0 and ">&-" not in closed.split())
    assert ("unknown match 'nothing'" in done.stderr) == (done.returncode == 2 and "2>&-" not in closed)


# --- A wired table on a machine without GPIO --------------------------------------------------------------

NO_CHIP = (
    "companion: there is no GPIO chip on this machine; without a Raspberry Pi try `companion play --virtual`\n"
)


@pytest.mark.skipif(bool(chip_files()), reason="this machine has a GPIO chip")
def test_play_without_a_chip_explains_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "gpiod.py").write_text("def request_lines(): ...\n")
    (tmp_path / "table.toml").touch()
    done = companion(tmp_path, "play", "--table", "table.toml", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", NO_CHIP)


@pytest.mark.parametrize("words", ["play", "play buntherum --lesson", "play --bots person,easy"])
def test_play_without_table_opens_the_virtual_table(
    words: str, companion_here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[bool] = []
    monkeypatch.setattr(app, "_run", lambda *_, virtual: opened.append(virtual))
    monkeypatch.setenv("DISPLAY", ":7")
    done = companion_here(*words.split())
    assert (done.returncode, done.stderr, opened) == (0, "", [True])
    assert done.stdout == "This is a virtual table; --table FILE opens a real one\n"


def test_play_without_table_and_screen_suggests_the_demo(tmp_path: Path) -> None:
    done = companion(tmp_path, "play", "buntherum", "--lesson")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("companion: no screen was found (DISPLAY is not set); try `companion demo --text`\n")


@pytest.mark.parametrize("source", ["gpiod", "lgpio", "rpigpio"])
def test_play_without_the_gpio_library_explains_installation(
    tmp_path: Path, source: str, companion_here: Here
) -> None:
    if importlib.util.find_spec(KINDS[source].module):
        pytest.skip("it is installed here")
    (tmp_path / "table.toml").write_text(f'[buzzers]\nsource = "{source}"\n')
    done = companion_here("play", "--table", "table.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"companion: (gpiod|lgpio|RPi) is not installed: .* install .*\n", done.stderr)


def test_play_names_a_line_that_is_used_twice(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "table.toml").write_text("[buzzers]\npins = [17, 18]\n")
    for words in (("play", "--table", "table.toml"), ("config", "check")):
        done = companion_here(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "table.toml: line 18 is used twice: [buzzers] seat 2 and [lamps] siren" in done.stderr
