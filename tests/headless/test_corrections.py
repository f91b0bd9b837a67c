"""Undo, corrections and redraws by scripts."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.headless import Printer, run_script
from companion.core.errors import AmendError
from companion.core.match import Match
from companion.core.move import Move, Seat
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Journal, open_record
from tests.running import robot_table

Line = dict[str, Any]

FOLDER = Path(__file__).parent
OFFICE = "0 table place 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4\n"
"""Büro Crazy with the figures on the stairs; seats 1 and 2 fight for P1."""


def told(match: Match, script: str, store: Journal | None = None) -> list[Line]:
    out = io.StringIO()
    run_script(VirtualTable(match, store), script.splitlines(), "script", Printer(out, None))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def of(lines: list[Line], kind: str) -> list[Line]:
    return [line for line in lines if line["kind"] == kind]


def office(**options: Any) -> Match:
    game = load("buro_crazy")
    return new_match(game, "ABCD", **{"deal": "table", "rulings": game.rulings(zero_tie_limit=1)} | options)


def buddies() -> tuple[Match, str]:
    """Return Böse Buben before `bb-texts`, and that script, whose moves 9 to 12 answer for four cards."""
    game = load("boese_buben")
    match = new_match(game, ["Red", "Blue"], rulings=game.rulings(variant="action"), deal="table")
    return match, (FOLDER / "bb-texts.txt").read_text("utf-8")


# --- What one undo takes back -----------------------------------------------------------------------------


def test_BC_R8_reveal_is_undone_as_a_whole() -> None:  # noqa: N802
    lines = told(
        match := office(), f"{OFFICE}1 seat 1 keys 3 #\n+0 seat 2 keys 1 #\n+1 house undo\n+1 house ok\n+0 wait\n"
    )
    assert of(lines, "undone")[0]["moves"] == ["1 commit ??", "2 commit ??"]
    assert match.view().locked == ()
    assert match.view().duel == (0, 1)
    assert match.view().last is None


def test_BC_R8_reopened_bid_is_undone_with_the_other() -> None:  # noqa: N802
    keys = "1 seat 1 keys 3 #\n+0 seat 1 keys *\n+0 seat 2 keys 1 #\n+0 seat 1 keys 5 #\n"
    lines = told(match := office(), f"{OFFICE}{keys}+1 house undo\n+1 house ok\n")
    assert of(lines, "undone")[0]["moves"] == ["2 commit ??", "1 commit ??"]
    assert match.view().locked == ()


def test_BC_R8_undo_in_points_reopens_both_bids() -> None:  # noqa: N802
    game = load("buro_crazy")
    match = office(rulings=game.rulings(tracking="points"))
    lines = told(match, f"{OFFICE}1 seat 1 keys 3 #\n+0 seat 2 keys 1 #\n+1 house undo\n+1 house ok\n")
    assert of(lines, "undone")[0]["moves"] == ["1 total ??", "2 total ??"]
    assert match.view().locked == ()


def test_bid_locked_alone_is_undone_alone() -> None:
    keys = "1 seat 1 keys 3 #\n+0 seat 2 keys 1 #\n+1 seat 3 keys 1 #\n"
    lines = told(office(), f"{OFFICE}{keys}+1 house undo\n")
    assert of(lines, "undone")[0]["moves"] == ["3 commit ??"]


def test_undo_across_two_seats_needs_confirmation() -> None:
    """The press might have been reported after the undo, so it is undone with the key before it."""
    match = new_match(load("de_et_boulanger"), "ABCD", seed="7")
    script = "0 seat 1 keys 2\n1 seat 2 buzz\n1.062 house undo\n"
    assert of(told(match, script), "undo_asked")[0]["moves"] == ["1 bakery S", "2 bakery W", "2 tiles 1 2 3 4 5 6"]


# --- What a correction ends -------------------------------------------------------------------------------


def test_BB_A12_changed_question_is_asked_again_after_correction() -> None:  # noqa: N802
    match, script = buddies()
    lines = told(match, f"{script}+1 amend 4 1 play 6 1\n+1 yes\n")
    assert of(lines, "refused")[-1]["text"] == (
        "the correction makes move 11 (1 answer ??) illegal: this was the answer to another question (BB-A12)"
    )
    assert [len(line["moves"]) for line in of(lines, "undone")] == [1, 7]
    assert match.length == 10
    assert match.to_act == (0,)
    assert [str(entry).partition(" {")[0] for entry in match.entries[-2:]] == ["undo 7", "amend 4. 1 play 6 1"]


def test_BB_A12_answer_follows_its_card_to_another_place() -> None:  # noqa: N802
    match, script = buddies()
    length = told(match, f"{script}+1 amend 10 2 answer leave\n")[-1]["moves"]
    assert of(told(match, "0 wait\n"), "refused") == []
    assert match.length == length == 17


BAKERS = """0 seat 1 keys 8
+0 seat 1 keys A 1 2 3 4 5 6
+0 seat 2 keys A 1 2 3 4 5 6
+0 house 6
+0 house 1
+1 house {die}
+0 seat 1 keys 8 6{end}
"""
"""Dé et Boulanger: the baker in the north rolls move 6 and takes two steps."""


def test_automatically_ended_turn_continues_when_steps_remain() -> None:
    match = new_match(load("de_et_boulanger"), ["Nora", "Sam"], deal="table")
    lines = told(match, f"{BAKERS.format(die=2, end='')}+1 amend 6 T roll 3\n+1 yes\n")
    assert of(lines, "refused")[-1]["text"] == (
        "the correction makes move 9 (1 end) illegal: this turn ended when less was left to do than now (DB-R11)"
    )
    assert of(lines, "undone")[-1]["moves"] == ["1 end"]
    assert match.move_text(6) == "T roll 3"
    assert (match.to_act, match.view().steps) == ((0,), 1)


def test_turn_ended_with_steps_left_stays_ended() -> None:
    match = new_match(load("de_et_boulanger"), ["Nora", "Sam"], deal="table")
    lines = told(match, f"{BAKERS.format(die=4, end=' #')}+1 amend 6 T roll 3\n")
    assert of(lines, "refused") == []
    assert (match.length, match.view().turn) == (9, 1)


def test_yes_takes_back_illegal_moves_and_corrects() -> None:
    match = office()
    keys = "1 seat 1 keys #\n+0 seat 2 keys #\n+0 table coin 1\n+0 seat 3 keys 1 #\n+0 seat 4 keys *\n"
    lines = told(match, f"{OFFICE}{keys}+1 house undo\n+1 amend 3 2 commit 1\n+1 yes\n")
    assert of(lines, "refused")[-1]["text"].startswith("the correction makes move 4 (T coin 1) illegal")
    assert of(lines, "undone")[-1]["moves"] == ["T coin 1"]
    assert of(lines, "amended")[-1]["number"] == match.length == 3
    assert "?" not in match.dumps().partition("1. ")[2]


def test_correction_that_removes_too_few_moves_changes_nothing() -> None:
    match = new_match(load("boese_buben"), ["Red", "Blue"], deal="table")
    told(match, "0 table first 1\n+1 seat 1 keys 0 1\n+1 seat 2 keys 1 1\n+1 seat 1 keys 2 1\n")
    before = match.dumps()
    refusal = VirtualTable(match).amend(2, Move(Seat(0), "play", (1, 1)), 9_000_000_000, without=4)
    assert isinstance(refusal, AmendError)
    assert refusal.number == 3
    assert match.dumps() == before


@pytest.mark.parametrize("between", ["", "+1 seat 3 keys 1 #\n", "+1 amend 9 2 commit 1\n"])
def test_yes_without_an_offer_is_refused(between: str) -> None:
    keys = "1 seat 1 keys #\n+0 seat 2 keys #\n+0 table coin 1\n"
    offer = "+1 amend 3 2 commit 1\n" if between else ""
    lines = told(match := office(), f"{OFFICE}{keys}{offer}{between}+1 yes\n")
    assert of(lines, "refused")[-1]["text"] == "there is nothing to say yes to"
    assert {entry.kind for entry in match.entries} == {"move"}


def test_both_entries_of_a_correction_leave_whole_records(
    tmp_path: Path,
) -> None:
    path, match = tmp_path / "office.record", office()
    keys = "1 seat 1 keys #\n+0 seat 2 keys #\n+0 table coin 1\n"
    with Journal.create(path, match) as store:
        told(match, f"{OFFICE}{keys}+1 amend 3 2 commit 1\n+1 yes\n", store)
    whole = path.read_bytes()
    assert open_record(path, all_games()).match.dumps() == match.dumps()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    cut = open_record(path, all_games())
    assert cut.damage is None
    assert (cut.match.entries[-1].kind, cut.match.length) == ("undo", 3)


def test_illegal_correction_takes_nothing_back() -> None:
    match = office()
    keys = "1 seat 1 keys #\n+0 seat 2 keys #\n+0 table coin 1\n"
    table = VirtualTable(match)
    run_script(table, f"{OFFICE}{keys}".splitlines(), "script", lambda *_: None)
    entries, other = list(match.entries), match.game.notation.parse_move(match.box, "3 commit 1")
    assert str(table.amend(3, other, table.clock.now_ns(), 4)).startswith("not accepted")
    assert match.entries == entries


# --- Redraws ----------------------------------------------------------------------------------------------

FALLS = "+0 seat 1 keys #\n+0 seat 2 keys #\n+3 wait\n"
"""Nobody bids, so a coin falls."""

UNDO = "+0 house undo\n+0 house ok\n"


def coins(script: str) -> tuple[list[str], list[bool]]:
    """Return the coin moves, and for each redraw whether it was the same."""
    match = office(deal="pi", seed="pi")
    match.push(match.game.notation.parse_move(match.box, "T place 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4"))
    lines = told(match, f"1 wait\n{script}")
    fell = [entry.move for entry in match.entries if " coin " in entry.move]
    return fell, [line["same"] for line in of(lines, "redrawn")]


def test_same_bids_bring_same_coin_in_either_order() -> None:
    (first, again), said = coins(f"{FALLS}{UNDO}{FALLS}")
    assert (first, said) == (again, [True])
    (first, again), said = coins(f"{FALLS}{UNDO}+0 seat 2 keys #\n+0 seat 1 keys #\n+3 wait\n")
    assert (first, said) == (again, [True])


def test_other_bids_bring_another_coin_by_chance() -> None:
    lines = [f"+0 seat 1 keys {keys} #\n+0 seat 2 keys {keys} #\n{FALLS}" for keys in "543215"]
    fell, said = coins((UNDO * 2).join(lines))
    assert said == [False] * 4 + [True]
    assert fell[-1] == fell[0]
    assert len(set(fell[:5])) == 2


# --- Confused dice ----------------------------------------------------------------------------------------


def test_confused_sale_and_incident_dice_can_be_corrected() -> None:
    game = load("de_et_boulanger")
    dealt = robot_table(game, "dice").match
    match = new_match(game, dealt.names, rulings=dealt.rulings, deal="table")
    for move in dealt.moves:
        match.push(move)
        if move.verb == "incident":
            break
    sale, incident = match.length - 1, match.length
    (sold,), (fell,) = (match.moves[number - 1].args for number in (sale, incident))
    for number, die in ((sale, fell), (incident, sold)):
        others = match.alternatives(number)
        assert len(others) == 5
        match.amend(number, next((move for move in others if move.args == (die,)), match.moves[number - 1]))
    assert [move.args for move in match.moves[-2:]] == [(fell,), (sold,)]
