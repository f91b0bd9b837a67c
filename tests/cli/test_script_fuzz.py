"""Any text as a script is accepted, or refused with its line number."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.headless import Printer, ScriptError, run_script
from companion.core.replay import loads
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable

GAME = load("buntherum")
NUMBERS = (
    st.integers(0, 20).map(str)
    | st.floats(0, 20).map(lambda s: f"{s:.3f}")
    | st.integers(0, 900).map(lambda ms: f"+0.{ms:03}")
)
SEATS = st.sampled_from(["seat 1", "seat 2", "seat 3", "seat 4"])
CARDS = st.sampled_from(["red car", "car red", "sky cube", "??", "green cube", "redcar", ""])
SEAT_ACTS = st.one_of(
    st.sampled_from(
        [
            "buzz",
            "contact closed",
            "contact open",
            "unplug",
            "plug",
            "fault stuck",
            "fault none",
            "fault late 80",
            "fault bounce 7",
        ]
    ),
    st.builds("buzz stamped {}{} within {}".format, st.sampled_from(["", "-", "+"]), NUMBERS, NUMBERS),
    st.lists(st.sampled_from("0123456789*#ABCDx"), max_size=4).map(lambda keys: "keys " + " ".join(keys)),
)
TABLE_ACTS = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["flip", "card", "starter 1", "starter 6", "starter"]), CARDS),
    st.builds(
        "{} {}".format,
        st.sampled_from(["youngest", "call", "tie", "early", "nobody", "late", "judge", "declare", "flap"]),
        st.sampled_from(["", "1", "2 3", "1 2 3", "1 4", "right", "wrong", "2 impossible", "T", "0"]),
    ),
)
HOUSE = st.sampled_from(["ok", "skip", "right", "wrong", "undo", "pause", "menu", "1", "8", "#", "x"])
LINES = st.one_of(
    st.builds("{} {} {}".format, NUMBERS, SEATS, SEAT_ACTS),
    st.builds("{} table {}".format, NUMBERS, TABLE_ACTS),
    st.builds("{} house {}".format, NUMBERS, HOUSE),
    st.builds("{} wait # {}".format, NUMBERS, st.text(max_size=5)),
    st.text(max_size=30),
)


def perform(lines: list[str], deal: str) -> VirtualTable:
    seed = "7" if deal == "pi" else None
    table = VirtualTable(new_match(GAME, NAMES[:3], deal=deal, seed=seed))
    refused = None
    try:
        run_script(table, lines, "fuzz", Printer(io.StringIO(), None))
    except ScriptError as error:
        refused = error
    if refused:
        assert 1 <= refused.line <= len(lines)
        assert str(refused).startswith(f"fuzz, line {refused.line}: ")
    return table


@pytest.mark.soak
@pytest.mark.parametrize("deal", ["pi", "table"])
@given(lines=st.lists(LINES, max_size=25))
def test_meaningful_lines_leave_a_loadable_record(deal: str, lines: list[str]) -> None:
    match = perform(lines, deal).match
    assert loads(match.dumps(), all_games()).dumps() == match.dumps()


@pytest.mark.soak
@given(st.text())
def test_any_text_is_accepted_or_refused_by_line(text: str) -> None:
    perform(text.split("\n"), "pi")


@given(
    st.text(max_size=20), st.sampled_from(["1 seat", "1 seat 1", "1 seat 1 keys", "1 table flip", "1 house", ""])
)
def test_any_words_after_a_command_are_handled(text: str, start: str) -> None:
    perform([f"{start} {text}"], "pi")
