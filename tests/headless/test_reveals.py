"""Undo and corrections of secret moves."""

import io
import json
from typing import Any

import pytest

from companion.cli.headless import Printer, run_script
from companion.games import load
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable

PLACED = "0 table place 1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4\n1 seat 1 keys 3 #\n1 seat 2 keys 1 #\n"
"""The first duel of Büro Crazy is decided, 5 against 1; seats 3 and 4 are next."""


def lines(script: str) -> list[dict[str, Any]]:
    table = VirtualTable(new_match(load("buro_crazy"), "ABCD", deal="table"))
    out = io.StringIO()
    run_script(table, script.splitlines(), "script", Printer(out, None))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def kinds(found: list[dict[str, Any]]) -> list[str]:
    return [line["kind"] for line in found]


def test_undo_of_a_reveal_needs_confirmation() -> None:
    asked = lines(f"{PLACED}2 house undo\n")
    assert kinds(asked)[-3:] == ["undo_asked", "paused", "result"]
    assert asked[-1]["moves"] == 3
    done = lines(f"{PLACED}2 house undo\n3 house ok\n")
    (undone,) = [line for line in done if line["kind"] == "undone"]
    assert undone["revealed"] is True
    assert undone["moves"] == ["1 commit ??", "2 commit ??"]
    assert done[-1]["moves"] == 1


def test_undo_of_a_locked_bid_needs_no_confirmation() -> None:
    done = lines(f"{PLACED}2 seat 3 keys 4 #\n3 house undo\n")
    (undone,) = [line for line in done if line["kind"] == "undone"]
    assert undone["revealed"] is False


@pytest.mark.parametrize("keys", ["4", "4 4 4 4", ""])
def test_no_correction_reveals_a_locked_bid(keys: str) -> None:
    """With another first bid the hand might lack the locked cards, and the answer would reveal it."""
    found = lines(f"{PLACED}2 seat 3 keys {keys} #\n3 amend 2 1 commit 20 20 20 20\n")
    (refused,) = [line for line in found if line["kind"] == "refused"]
    assert (
        refused["text"]
        == "a secret was entered after this move; correct the move once the secret is revealed, or undo it"
    )
    assert "amended" not in kinds(found)


def test_correction_is_accepted_after_the_reveal() -> None:
    found = lines(f"{PLACED}2 seat 3 keys 4 #\n2 seat 4 keys #\n3 amend 2 1 commit 20 20 20 20\n")
    assert "amended" in kinds(found)
    assert "refused" not in kinds(found)


def test_locked_bid_itself_can_be_corrected() -> None:
    found = lines(f"{PLACED}2 seat 3 keys 4 #\n3 amend 4 3 commit 20\n")
    (amended,) = [line for line in found if line["kind"] == "amended"]
    assert (amended["was"], amended["entry"]) == ("3 commit ??", "3 commit ??")
