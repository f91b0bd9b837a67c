"""docs/headless.md and docs/notation.md: their examples run, their grammars and tables are those of the program."""

import io
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from grammar import blocks, compiled
from hypothesis import assume, example, given
from hypothesis import strategies as st
from running import environment, robot_table, whole_match

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import RecordError
from companion.core.event import Event, to_json
from companion.core.record import parse_entry, parse_record
from companion.games import all_games, load
from companion.games.buntherum.rules import _REASONS, _VERBS
from companion.headless import ScriptError, result_event, run_script
from companion.referee.evidence import parse_evidence
from companion.referee.journal import open_record
from companion.table import NAMES, VirtualTable, new_match

DOCS = Path(__file__).parents[2] / "docs"
HEADLESS, NOTATION = DOCS / "headless.md", DOCS / "notation.md"
GOLDEN = Path(__file__).parents[1] / "records" / "buntherum-7.record"
GAME = load("buntherum")


def table_rows(document: Path, heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading."""
    section = document.read_text("utf-8").split(f"# {heading}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| (`.*) \|$", section, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows]


# --- Examples ---------------------------------------------------------------------------------------------


def sessions(block: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the output that the document shows."""
    found: list[tuple[str, str]] = []
    in_here_document = False
    for line in block.splitlines(keepends=True):
        if line.startswith("$ ") and not in_here_document:
            found.append((line[2:], ""))
            in_here_document = "<<'END'" in line
        elif in_here_document:
            found[-1] = (found[-1][0] + line, "")
            in_here_document = line != "END\n"
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def run_shell(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder) | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("document", [HEADLESS, NOTATION], ids=lambda path: path.stem)
def test_examples(document: Path, tmp_path: Path) -> None:
    commands = [each for block in blocks(document, "console") for each in sessions(block)]
    assert commands
    for command, shown in commands:
        assert run_shell(command, tmp_path) == shown, command


# --- Events -----------------------------------------------------------------------------------------------

EARLY = "0.7 seat 1 buzz\n1.2 wait"
REFEREE = """
    0.7 seat 1 buzz
    1.9 seat 2 fault late 300
    1.9 seat 2 buzz
    2 seat 1 buzz
    2.5 seat 1 keys 9
    2.6 house ok
    2.7 seat 1 keys 0
    4 house undo
    4.1 house ok
    5 seat 2 unplug
    6 seat 2 plug
    7 table starter 1 red car"""
REAL_CARDS = """
    1 table youngest 1
    1 table starter 1 red car
    1 table starter 2 green car
    1 table starter 3 green cup
    1 table starter 4 green ball
    1 table starter 5 green flower
    1 table starter 6 red cup
    2 house ok
    3 seat 1 buzz
    4 seat 1 keys 1
    5 table card blue flower"""


@pytest.fixture(scope="module")
def emitted() -> dict[str, list[set[str]]]:
    """Return every kind of event that could be provoked, with the keys of each such event."""
    found: dict[str, list[set[str]]] = defaultdict(list)

    def note(t_ns: int, told: Event) -> None:
        line = to_json(t_ns, told)
        found[line["kind"]].append((set(line) - {"t_ns", "kind"}) | set(told.facts))

    def scripted(script: str, deal: str = "pi", **rulings: object) -> VirtualTable:
        seed = "7" if deal == "pi" else None
        match = new_match(GAME, NAMES[:3], rulings=GAME.rulings(**rulings), deal=deal, seed=seed)
        table = VirtualTable(match)
        table.referee.followers.append(note)
        run_script(table, script.strip().splitlines(), "script", io.StringIO(), None)
        return table

    tables = [robot_table(GAME, str(seed), note) for seed in range(60)]
    tables += [scripted(EARLY), scripted(EARLY, early_buzz="chip"), scripted("2 seat 1 buzz\n9 wait")]
    tables += [scripted("2 house skip"), scripted(REFEREE), scripted(REAL_CARDS, "table")]
    for table in tables:
        note(0, result_event(table))
    return found


def documented() -> dict[str, tuple[set[str], set[str]]]:
    """Return for each kind in the document the keys that are always there, and those that may be."""
    rows = table_rows(HEADLESS, "From the referee, in every game") + table_rows(HEADLESS, "Buntherum")
    kinds = {}
    for kind, keys, _ in rows:
        words = re.findall(r"[a-z_0-9]+\??", keys)
        always = {word for word in words if not word.endswith("?")}
        kinds[kind.strip("`")] = (always, {word.rstrip("?") for word in words})
    return kinds


def test_every_kind_of_event_is_documented_and_exists(emitted: dict[str, list[set[str]]]) -> None:
    assert documented().keys() == emitted.keys()


@pytest.mark.parametrize("kind", documented())
def test_keys_of_an_event_are_documented(kind: str, emitted: dict[str, list[set[str]]]) -> None:
    always, all_keys = documented()[kind]
    assert set.union(*emitted[kind]) == all_keys
    assert set.intersection(*emitted[kind]) == always


def test_controls_moves_tags_and_keys_are_documented() -> None:
    [(_, _, ends)] = [row for row in table_rows(HEADLESS, "Buntherum") if row[0] == "`over`"]
    assert set(re.findall("`(.*?)`", ends)) == set(_REASONS)
    controls = " ".join(row[0] for row in table_rows(HEADLESS, "The house and the table"))
    assert set(re.findall(r"[a-z]+", controls)) == set(HOUSE_CONTROLS)
    moves = " ".join(row[0] for row in table_rows(NOTATION, "Moves of Buntherum"))
    assert set(re.findall(r"`(?:T|SEAT) ([a-z]+)", moves)) == set(_VERBS)
    tags = table_rows(NOTATION, "Tags")
    written = {re.sub(r"^Seat\d$", "Seat1", tag) for tag in open_record(GOLDEN, all_games()).match.tags}
    assert written <= {re.findall(r"`(.*?)`", row[0])[0] for row in tags}
    key = compiled(blocks(HEADLESS, "ebnf")[0], "key", {"digit": "[0-9]"})
    assert all(key.fullmatch(each) for each in KEYS)


# --- Grammars ---------------------------------------------------------------------------------------------

LINE = compiled(
    blocks(HEADLESS, "ebnf")[0],
    "line",
    {"space": r"[ \t]+", "digit": "[0-9]", "any": ".", "word": r"[^\s#]\S*"},
)
TIMES = ["0", "2.5", "+1", "+0.25", "-1", ".5", "1.", "x", "#", ""]
SUBJECTS = ["seat 1", "seat 5", "seat 6", "seat", "house", "house ok", "wait", "walt", ""]
ACTS = [
    "buzz",
    "stamped 2",
    "stamped -0.5",
    "within 1",
    "keys",
    "4",
    "#",
    "#x",
    "A",
    "E",
    "plug",
    "unplug",
    "fault",
]
ACTS += ["bounce 5", "late 30", "late", "stuck", "none", "menu", "right", ""]


def script_accepts(line: str) -> bool:
    table = VirtualTable(new_match(GAME, NAMES, seed="7"))
    try:
        run_script(table, [line], "script", io.StringIO(), None)
    except ScriptError:
        return False
    return True


@pytest.mark.soak
@given(st.sampled_from(TIMES), st.sampled_from(SUBJECTS), st.lists(st.sampled_from(ACTS), max_size=5))
def test_script_grammar(time: str, subject: str, acts: list[str]) -> None:
    line = " ".join((time, subject, *acts))
    assert script_accepts(line) == bool(LINE.fullmatch(line)), line


ACCEPTED = [
    "",
    "# 1 wait",
    "\t1\twait\t",
    "1 wait # seat",
    "1 seat 1 buzz stamped -0.5 within 0.001 # late",
    "1 seat 2 keys 4 # lock",
    "1 seat 2 keys 4 # # A #",
    "1 house # # x",
    "999999999.999999999 wait",
    "1 seat 3 fault late 9999",
    "1 table nobody # refused by the rules, not by the grammar",
]
REFUSED = [
    "1",
    "1 seat",
    "1 wait#",
    "1 seat 1 buzz within 1 stamped 2",
    "1 seat 1 buzz within -1",
    "1 seat 2 keys # lock",
    "1 seat 3 fault bounce 99999",
    "1 seat 3 fault late ٣",
    "٣ wait",
    "1.0000000001 wait",
    "9999999999 wait",
    "-1 wait",
]


@pytest.mark.parametrize("line", ACCEPTED)
def test_line_is_accepted(line: str) -> None:
    assert LINE.fullmatch(line)
    assert script_accepts(line)


@pytest.mark.parametrize("line", REFUSED)
def test_line_is_refused(line: str) -> None:
    assert not LINE.fullmatch(line)
    assert not script_accepts(line)


RECORD_LINE = compiled(
    blocks(NOTATION, "ebnf")[0],
    "line",
    {
        "space": r"[ \t]+",
        "letter": "[A-Za-z]",
        "digit": "[0-9]",
        "nonzero": "[1-9]",
        "char": r"[^\n]",
        "plain": r'[^"\\\n]',
        "inner": r"[^{}\n]",
        "outer": r"[^{};\s]",
    },
)
PIECES = [
    "[",
    "Name",
    " ",
    '"',
    "\\",
    "]",
    "1. ",
    "12. T flip",
    "undo ",
    "amend ",
    "0",
    "3",
    " {",
    "}",
    "a=1",
    ";",
    "x",
]


@pytest.mark.soak
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
@example('[Name "a ; b \\" ; c"] ; remark')
@example("12. T flip red car {t_ns=1 ; 2} ;remark")
@example("amend 3. T nobody")
@example("undo 0")
@example("undo 2 {late} ; {")
def test_record_grammar(line: str) -> None:
    assume('"' not in line or line.lstrip().startswith("["))  # quotes belong to tags alone
    assume("  " not in line)  # of which the program takes more than the grammar promises
    try:
        parse_record(line)
        accepted = True
    except RecordError:
        accepted = False
    assert accepted == bool(RECORD_LINE.fullmatch(line)), line


def test_evidence_grammar(tmp_path: Path) -> None:
    classes = {
        "integer": "-?[0-9]+",
        "digits": "[0-9]+",
        "seat": "[1-5]",
        "control": r"(?:buzz|[0-9*#A-D])",
        "flag": "[a-z_]+",
    }
    grammar = compiled(blocks(NOTATION, "ebnf")[1], "evidence", classes)
    whole_match(tmp_path / "a.record", GAME)
    lines = (tmp_path / "a.record").read_text("utf-8").splitlines()
    comments = [parse_entry(line.partition(" ;")[0]).comment for line in lines if not line.startswith("[")]
    tie = "t_ns=5 open_ns=0 margin_ns=0 call=1:buzz@-3+-4!level_only call=2:#@0+-0 early=3:buzz@-9+-0"
    for comment in (*comments, tie):
        assert grammar.fullmatch(comment), comment
        assert parse_evidence(comment)
