"""Output to terminals and files never contains control sequences or secrets of a running match."""

import logging
import os
import pty
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.cli import pods as pods_command
from companion.core.errors import OptionError
from companion.core.match import Match
from companion.core.move import TABLE, SecretMove
from companion.core.text import msg
from companion.core.toml import in_toml
from companion.diagnostics import failures, logbook
from companion.games import load
from companion.match.new_match import new_match
from companion.referee.journal import Journal
from tests.running import COMMAND, Here, environment, whole_match

ESCAPE = "\x1b]0;gone\x07\x1b[2J"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_replay_of_a_running_match_hides_bids(tmp_path: Path, companion_here: Here) -> None:
    game = load("buro_crazy")
    match = new_match(game, ("Anna", "Ben", "Cleo"), seed="7")
    path = tmp_path / "match.record"
    secret = None
    with Journal.create(path, match) as journal:
        while secret is None:
            acting = match.to_act
            mover = acting[0]
            move = (game.rules.draws(match.state) or game.rules.legal(match.state, mover))[0]
            if mover != TABLE and isinstance(move, SecretMove):
                move = secret = max(game.rules.legal(match.state, mover), key=lambda each: sum(each.args))
            step = match.prepare(move)
            journal.append(step.entry)
            match.take(step)
    told = companion_here("replay", path).stdout
    number = match.length
    assert f"{number}. {secret.seat + 1} {secret.verb} ??" in told
    assert str(match.entries[-1].move) not in told


def record_of(path: Path, name: str) -> None:
    match = Match(load("buntherum"), (name, "Ben"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(match.dumps(), "utf-8")


@pytest.mark.parametrize("words", ["history", "stats", "replay last"])
def test_names_in_a_record_cannot_control_the_terminal(tmp_path: Path, words: str, companion_here: Here) -> None:
    record_of(tmp_path / "data" / "companion" / "matches" / f"a{ESCAPE}.record", f"Eve{ESCAPE}\u202eannA")
    done = companion_here(*words.split())
    assert done.returncode == 0
    assert not OBEYED.search(done.stdout + done.stderr)
    assert words == "stats" or "Eve" in done.stdout


@pytest.mark.parametrize("words", ["history", "stats"])
def test_record_name_cannot_begin_a_line(tmp_path: Path, words: str, companion_here: Here) -> None:
    folder = tmp_path / "data" / "companion" / "matches"
    folder.mkdir(parents=True)
    whole_match(folder / "good\nAnna has won everything.record", load("buntherum"))
    (folder / "bad\nBen has won everything.record").write_text("no record", "utf-8")
    done = companion_here(*words.split())
    assert done.returncode == 0
    assert "has won everything" in done.stdout
    assert not re.search("^(Anna|Ben) has won", done.stdout, re.MULTILINE)


def test_file_name_in_an_error_is_escaped(companion_here: Here) -> None:
    done = companion_here("config", "check", f"a{ESCAPE}.toml")
    assert done.returncode == 2
    assert not OBEYED.search(done.stderr)
    assert "\\x1b[2J" in done.stderr


def test_value_in_an_error_is_escaped_and_short() -> None:
    error = OptionError(msg("{found} is wrong", found=ESCAPE + "x" * 300_000))
    assert not OBEYED.search(str(error))
    assert len(str(error)) < 2_010


def test_text_to_paste_is_equivalent_toml() -> None:
    for text in ('a"]\nports = ["/dev/null', "back\\slash", ESCAPE, "Zoë 😀", "\u202e"):
        written = in_toml((text, ""))
        assert tomllib.loads(f"seats = {written}")["seats"] == [text, ""]
        assert not OBEYED.search(written)


def test_pod_identity_cannot_control_the_terminal() -> None:
    class Out(list[str]):
        write = list.append

        def flush(self) -> None: ...

    out = Out()
    pods_command._print([f"pod {ESCAPE}", "[pods]\nseats"], out)
    assert not OBEYED.search("".join(out))
    assert "".join(out).endswith("[pods]\nseats\n")


# --- All ways out -----------------------------------------------------------------------------------------


@pytest.mark.logs_errors
def test_logs_cannot_control_the_terminal(tmp_path: Path) -> None:
    """The same formatter serves standard error, the file and journald."""
    out = tmp_path / "log"
    handler = logging.FileHandler(out, encoding="utf-8")
    handler.setFormatter(logbook.Discreet("companion: %(message)s"))
    try:
        Path(f"/{ESCAPE}\nforged").read_text("utf-8")
    except OSError:
        info = sys.exc_info()
    identity = f"AB{ESCAPE}\ncompanion: forged"
    handler.handle(logging.makeLogRecord({"msg": "the pod %s is unproved", "args": (identity,), "exc_info": info}))
    handler.close()
    written = out.read_text("utf-8")
    assert not OBEYED.search(written)
    assert "\\x1b[2J" in written
    assert not re.search("^(companion: )?forged", written, re.MULTILINE)


def test_stored_failure_is_escaped(tmp_path: Path) -> None:
    failures.keep(f"the pod {ESCAPE} is unproved", tmp_path)
    [kept] = failures.last(tmp_path)
    assert not OBEYED.search(kept.text)
    assert "\\x1b" in kept.text


def test_printed_messages_cannot_control_the_terminal(tmp_path: Path, companion_here: Here) -> None:
    file = tmp_path / f"a{ESCAPE}.toml"
    file.write_text("")
    done = companion_here("config", "check", file, "--nonsense" + ESCAPE)
    assert not OBEYED.search(done.stderr)
    ours, theirs = pty.openpty()
    words = [*COMMAND, "config", "check", str(file)]
    try:
        subprocess.run(words, stdout=theirs, stderr=theirs, check=True, env=environment(tmp_path), timeout=60)
        said = os.read(ours, 4096).decode().replace("\r\n", "\n")
    finally:
        os.close(ours)
        os.close(theirs)
    assert "\\x1b[2J" in said
    assert not OBEYED.search(said)
