"""The grammars and tables of docs/headless.md and docs/notation.md match the program."""

import io
import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from companion.cli.headless import Classroom, Printer, ScriptError, result_event, run_script
from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import RecordError
from companion.core.event import Event, to_json
from companion.core.game import Game
from companion.core.record import Evidence, parse_entry, parse_record, read_comment
from companion.games import all_games, load
from companion.match.lessons import Tutor
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import open_record
from tests.docs.grammar import blocks, compiled
from tests.running import robot_table, whole_match

DOCS = Path(__file__).parents[2] / "docs"
HEADLESS, NOTATION = DOCS / "headless.md", DOCS / "notation.md"
GOLDEN = Path(__file__).parents[1] / "records" / "buntherum-7.record"
GAME = load("buntherum")
GAMES = {str(game.title): game for game in all_games().values()}


def table_rows(document: Path, heading: str) -> list[list[str]]:
    section = document.read_text("utf-8").partition(f"# {heading}\n")[2].split("\n#")[0]
    rows = re.findall(r"^\| (`.*) \|$", section, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows]


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
    7 table starter 1 red car
    8 amend 1 T youngest 3"""
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
    3.8 seat 1 keys 1
    5 house right
    5 table read 1 blue flower"""


LOCKED_IN = """
    1 seat 1 keys 8 A 1 2 3 4 5 6
    1 seat 2 keys A 1 2 3 4 5 6
    2 table start 1
    2 table start 6
    3 table roll 4
    3 seat 2 keys 8 8 8 8 #
    4 table roll 1
    4 seat 1 keys #
    5 table roll 3
    5 seat 2 keys 8 2 8 8 #
    6 table roll 6
    6 seat 1 keys #"""

REFEREE_SECTION = "From the referee, in every game"

Kinds = dict[tuple[str, str], list[set[str]]]
"""The sets of keys of each event, by section and kind."""


class Told:
    """Collects the kinds and keys of a table's events."""

    def __init__(self) -> None:
        self.kinds: Kinds = defaultdict(list)
        self.reasons: dict[str, set[str]] = defaultdict(set)
        self._common = {row[0].strip("`") for row in table_rows(HEADLESS, REFEREE_SECTION)}

    def note(self, game: Game, told: Event) -> None:
        line = to_json(0, told)
        section = REFEREE_SECTION if told.kind in self._common else str(game.title)
        self.kinds[section, told.kind].append((set(line) - {"t_ns", "kind"}) | set(told.facts))
        if told.kind == "over":
            self.reasons[str(game.title)].add(told.facts.get("reason", ""))

    def robots(self, game: Game, seed: str) -> None:
        table = robot_table(game, seed, lambda _, told: self.note(game, told))
        self.note(game, result_event(table))

    def lesson(self, game: Game) -> None:
        assert game.lesson
        tutor = Tutor(game, NAMES[: game.lesson.seats])
        table = Classroom(tutor)
        table.tell = lambda _, told: self.note(game, told)
        table.start()
        table.run(3_000_000_000)
        self.note(game, result_event(table, tutor))

    def script(self, game: Game, script: str, deal: str = "pi", **rulings: object) -> None:
        """Run a script with three players, or two where the game does not allow three."""
        seed = "7" if deal == "pi" else None
        players = 3 if 3 in game.rules.SEATS else 2
        match = new_match(game, NAMES[:players], rulings=game.rulings(**rulings), deal=deal, seed=seed)
        table = VirtualTable(match)
        run_script(table, script.strip().splitlines(), "script", lambda _, told: self.note(game, told))


def provoke_buntherum(told: Told, game: Game) -> None:
    for early_buzz in ("ignore", "chip"):
        told.script(game, EARLY, early_buzz=early_buzz)
    told.script(game, "2 seat 1 buzz\n9 wait", late_declare="reopen")
    for named in ("first", "lot"):
        told.script(game, f"0.1 table {named} 2")
    redrawn = "2 house skip\n5 house undo\n6 house ok\n7 house skip\n9 wait"
    tie = "2 seat 1 buzz\n+0 seat 2 buzz\n9 wait"
    for script in ("2 seat 1 buzz\n9 wait", tie, "2 house skip", redrawn, REFEREE):
        told.script(game, script)
    told.script(game, REAL_CARDS, "table", open="ok")
    told.script(game, REAL_CARDS.replace("5 house right", "5 table card blue flower"), "table", open="ok")
    told.script(game, "1 table youngest 1\n2 wait", "table", judged_by="house")


def provoke_boese_buben(told: Told, game: Game) -> None:
    poor = game.box_text.replace("3 = 20", "3 = 0")  # the bank is empty after the first race
    told.robots(game._replace(box_text=poor), "7")


def provoke_buro_crazy(told: Told, game: Game) -> None:
    script = (
        "0 table colour 1 green\n0 table place 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3\n1 seat 1 keys # *\n2 table counted 9"
    )
    told.script(game, script, tracking="points")
    all_but_a_20 = " ".join("1111222233334444555")
    placed = "0 table place 1 2 1 2 1 3 2 3 1 3 2 3 1 2 3"
    changes = (
        f"{placed}\n1 seat 1 keys {all_but_a_20} #\n2 seat 2 keys #\n3 seat 1 keys 5 #\n4 seat 2 keys 5 #\n5 wait"
    )
    told.script(game, changes, "table")
    told.script(game, "1 wait\n2 seat 1 keys #\n2 seat 2 keys #\n2 seat 3 keys #\n9 wait", zero_tie_limit=1)


def provoke_de_et_boulanger(told: Told, game: Game) -> None:
    told.script(game, LOCKED_IN, "table")


QUIZ_NIGHT = """
    1 seat 3 buzz
    2 house ok
    3 seat 1 buzz
    +0 seat 2 buzz
    5 seat 1 buzz
    6 house wrong
    7 seat 2 buzz
    20 house ok
    21 seat 1 buzz
    22 house right
    23 house skip
    24 house 2
    25 house 5
    26 house A
    27 house 1
    28 house 1
    29 house B"""

NUMBERS = """
    1 seat 1 keys 4 # *
    2 seat 1 keys 5 #
    3 seat 2 keys 7 #
    4 seat 3 keys 9 #
    5 house 8
    6 house #"""

BIDS = """
    1 table add 1 9
    2 house skip
    3 seat 1 keys 4 #
    4 seat 2 keys 0 #
    5 seat 3 keys 0 #"""


def provoke_any(told: Told, game: Game) -> None:
    told.script(game, QUIZ_NIGHT, answer_s=5)
    told.script(game, QUIZ_NIGHT, target=1)
    told.script(game, NUMBERS, play="sealed", wins="closest")
    told.script(game, "1 house ok\n5 seat 1 buzz\n150 wait", play="clock", minutes=1)
    for lots in ("dice", "begins", "teams"):
        told.script(game, "1 house ok\n9 wait", play="lots", lots=lots)
    names = '[[rounds]]\nkind = "lots"\nnames = ["Ann", "Ben"]\n'
    told.script(game._replace(box_text=names), "1 house ok\n9 wait")
    answered = '[[rounds]]\nkind = "points"\n[[rounds]]\nkind = "sealed"\ntokens = true\nanswer = "nobody"\n'
    told.script(game._replace(box_text=answered), BIDS)


PROVOKED = {
    "any": provoke_any,
    "buntherum": provoke_buntherum,
    "boese_buben": provoke_boese_buben,
    "buro_crazy": provoke_buro_crazy,
    "de_et_boulanger": provoke_de_et_boulanger,
}
"""Games' scripts for events that robots never cause."""


MATCHES = {"boese_buben": 25, "buro_crazy": 60, "de_et_boulanger": 15}
"""The number of robot matches that cause every event; 8 elsewhere."""


@pytest.fixture(scope="module")
def told() -> Told:
    """Return every event that matches and scripts have caused."""
    listener = Told()
    for game in GAMES.values():
        for seed in range(MATCHES.get(game.name, 8)):
            listener.robots(game, str(seed))
        PROVOKED.get(game.name, lambda *_: None)(listener, game)
        listener.lesson(game)
    return listener


def documented() -> dict[tuple[str, str], tuple[set[str], set[str]]]:
    """Return the required and all keys of each documented kind."""
    kinds = {}
    for section in (REFEREE_SECTION, *GAMES):
        for kind, keys, _ in table_rows(HEADLESS, section):
            words = re.findall(r"[a-z_0-9]+\??", keys)
            always = {word for word in words if not word.endswith("?")}
            kinds[section, kind.strip("`")] = (always, {word.rstrip("?") for word in words})
    return kinds


@pytest.mark.parametrize("section", [REFEREE_SECTION, *GAMES])
def test_every_kind_of_event_is_documented_and_exists(section: str, told: Told) -> None:
    assert {key for key in documented() if key[0] == section} == {key for key in told.kinds if key[0] == section}


@pytest.mark.parametrize("kind", documented(), ids=" ".join)
def test_keys_of_an_event_are_documented(kind: tuple[str, str], told: Told) -> None:
    always, all_keys = documented()[kind]
    assert set.union(*told.kinds[kind]) == all_keys
    assert set.intersection(*told.kinds[kind]) == always


@pytest.mark.parametrize("title", GAMES)
def test_end_reasons_and_moves_are_documented(title: str, told: Told) -> None:
    game = GAMES[title]
    [(_, _, ends)] = [row for row in table_rows(HEADLESS, title) if row[0] == "`over`"]
    reasons = set(re.findall("`(.*?)`", ends))
    end = getattr(game.rules, "end", None)  # rules in a single module have no such name
    assert reasons == set(getattr(end, "_REASONS", reasons))
    assert reasons >= told.reasons[title] - {""}
    moves = " ".join(row[0] for row in table_rows(NOTATION, f"Moves of {title}"))
    assert set(re.findall(r"`(?:T|SEAT) ([a-z_]+)", moves)) == set(game.notation.names)


def test_controls_tags_and_keys_are_documented() -> None:
    controls = " ".join(row[0] for row in table_rows(HEADLESS, "The house and the table"))
    assert set(re.findall(r"[a-z]+", controls)) == set(HOUSE_CONTROLS)
    tags = table_rows(NOTATION, "Tags")
    found = open_record(GOLDEN, all_games()).match.tags
    written = {re.sub(r"^Ruling\..*", "Ruling.KEY", re.sub(r"^Seat\d$", "Seat1", tag)) for tag in found}
    assert written <= {re.findall(r"`(.*?)`", row[0])[0] for row in tags}
    key = compiled(blocks(HEADLESS, "ebnf")[0], "key", {"digit": "[0-9]"})
    assert all(key.fullmatch(each) for each in KEYS)


# --- Grammars ---------------------------------------------------------------------------------------------

LINE = compiled(
    blocks(HEADLESS, "ebnf")[0],
    "line",
    {"space": r"[ \t]+", "digit": "[0-9]", "nonzero": "[1-9]", "any": ".", "word": r"[^\s#]\S*"},
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
        run_script(table, [line], "script", Printer(io.StringIO(), None))
    except ScriptError:
        return False
    return True


@pytest.mark.soak
@given(st.sampled_from(TIMES), st.sampled_from(SUBJECTS), st.lists(st.sampled_from(ACTS), max_size=5))
def test_script_grammar_agrees_with_the_parser(time: str, subject: str, acts: list[str]) -> None:
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
    "1 amend 9999 T nobody # there is no such move",
]
REFUSED = [
    "1",
    "1 seat",
    "1 wait#",
    "1 amend 0 T nobody",
    "1 amend 1",
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
def test_example_line_is_accepted(line: str) -> None:
    assert LINE.fullmatch(line)
    assert script_accepts(line)


@pytest.mark.parametrize("line", REFUSED)
def test_malformed_line_is_refused(line: str) -> None:
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
def test_record_grammar_agrees_with_the_parser(line: str) -> None:
    assume('"' not in line or line.lstrip().startswith("["))  # only tags contain quotes
    assume("  " not in line)  # the program accepts more spaces than the grammar promises
    try:
        parse_record(line)
        accepted = True
    except RecordError:
        accepted = False
    assert accepted == bool(RECORD_LINE.fullmatch(line)), line


def test_evidence_grammar_accepts_every_stored_comment(tmp_path: Path) -> None:
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
    comments = [str(parse_entry(line.partition(" ;")[0]).comment) for line in lines if not line.startswith("[")]
    tie = "t_ns=5 open_ns=0 margin_ns=0 call=1:buzz@-3+-4!level_only call=2:#@0+-0 early=3:buzz@-9+-0"
    for comment in (*comments, tie):
        assert grammar.fullmatch(comment), comment
        assert isinstance(read_comment(comment), Evidence)
