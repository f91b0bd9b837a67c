"""Scripts of Buntherum through the real command; each .txt has its .jsonl."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.headless import Script
from companion.core.options import scripted
from companion.core.record import parse_record
from companion.games import load
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable
from tests.running import Here

FOLDER = Path(__file__).parent
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem[:3] not in {"bc-", "bb-", "db-", "les"})
GAME = load("buntherum")
BOX = GAME.read_box(GAME.box_text, "box.toml")


def words_of(name: str) -> list[str]:
    first, _, _ = (FOLDER / f"{name}.txt").read_text().partition("\n")
    return shlex.split(first.removeprefix("# options: "))


@pytest.fixture
def command(companion_here: Here) -> Callable[..., list[dict[str, Any]]]:

    def lines(name: str, *more: object) -> list[dict[str, Any]]:
        script = (FOLDER / f"{name}.txt").read_text()
        done = companion_here("headless", "buntherum", *words_of(name), *more, stdin=script)
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return lines


def expected(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def of(lines: list[dict[str, Any]], kind: str, *keys: str) -> list[Any]:
    found = [tuple(line[key] for key in keys) for line in lines if line["kind"] == kind]
    return [values[0] for values in found] if len(keys) == 1 else found


class Played:
    """A script played in this process, with seats counted from 0."""

    def __init__(self, name: str, **changed: Any) -> None:
        options = dict(zip(words_of(name)[::2], words_of(name)[1::2], strict=True))
        key, _, value = options.get("--ruling", "").partition("=")
        rulings = (
            scripted(GAME.rulings) | ({key: int(value) if value.isdecimal() else value} if key else {}) | changed
        )
        self.match = new_match(
            GAME,
            options["--seats"].split(","),
            rulings=GAME.rulings(**rulings),
            deal=options.get("--deal", "pi"),
            seed=options.get("--seed"),
        )
        self.told: list[Any] = []
        self.table = VirtualTable(self.match, tell=lambda t_ns, event: self.told.append(event))
        self.table.start()
        self.script = Script(self.table, name)
        self.lines = iter((FOLDER / f"{name}.txt").read_text().splitlines())

    def until(self, part: str = "") -> Any:
        """Play through the next line that contains `part`, or to the end; return the public view."""
        for line in self.lines:
            self.script.run([line])
            if part and part in line and not line.startswith("#"):
                break
        return self.match.view()


def row(view: Any, number: int) -> list[str]:
    return [BOX.names[card] for card in view.rows[number - 1]]


@pytest.mark.parametrize("name", SCRIPTS)
def test_command_prints_the_expected_lines(name, command):
    assert command(name) == expected(name)


@pytest.mark.parametrize("name", SCRIPTS)
def test_expected_output_ends_with_the_result(name):
    lines = expected(name)
    assert [line["kind"] for line in lines].index("result") == len(lines) - 1
    assert lines[-1]["over"] is (name in {"bh-e8", "bh-e9", "overrule-ends"})


def test_bh_e3_only_cards_unlike_the_row_fit():
    view = Played("bh-e3").until()
    assert row(view, 1) == ["red car", "blue butterfly", "sky ball"]
    assert view.chips == (2, 2, 2, 2, 0)


def test_bh_e4_caller_turns_their_own_card():
    played = Played("bh-e4")
    view = played.until("keys 4")
    assert row(view, 4) == ["pink cup", "sky car"]
    assert (view.piles, view.draw_pile) == ((9, 9, 9), 24)
    view = played.until()
    assert (view.piles, view.draw_pile) == ((9, 8, 9), 24)
    assert (view.flipper, view.source, view.chips) == (1, 1, (0, 0, 0))


def test_bh_e5_wrong_row_costs_a_chip():
    played = Played("bh-e5")
    view = played.until("keys 1")
    assert (view.chips, view.draw_pile, view.piles) == ((0, 0, 1), 25, (9, 8, 9))
    assert row(view, 1) == ["pink ball"]
    view = played.until()
    assert (view.draw_pile, view.piles) == (24, (9, 8, 9))
    assert (view.flipper, view.source) == (2, -1)


def test_bh_e6_number_called_before_impossible_costs_a_chip():
    assert Played("bh-e6").until().chips == (0, 0, 1)


def test_bh_e6_later_caller_is_not_charged_for_early_press():
    # BH-R8: a later call has neither effect nor penalty; after 150 ms it is not meant for the next card.
    assert Played("bh-e6", early_buzz="chip").until("1.150 ").chips == (0, 0, 1)


def test_bh_e7_one_of_the_tied_seats_turns_a_card():
    played = Played("bh-e7")
    before = played.until("4.1 ").piles
    assert played.until("5 table").piles == (*before[:3], before[3] - 1)


def test_bh_e7_margin_of_1_ms_makes_seat_0_caller():
    played = Played("bh-e7", tie_margin_ms=1)
    played.until("2.0140 seat")
    played.table.run(2_500_000_000)
    assert played.match.view().caller == 0


def test_bh_e8_sixth_right_call_ends_the_match():
    played = Played("bh-e8")
    before = played.until("flip pink car")
    assert before.piles == (6, 6, 6, 6, 1)
    after = played.until()
    assert (after.phase, played.match.outcome.winners) == ("over", (4,))
    assert after.rows == before.rows
    assert after.piles == before.piles


def test_bh_e9_last_player_left_wins_at_once():
    played = Played("bh-e9")
    before = played.until("flip green flower")
    assert (before.piles, before.chips) == ((13, 5), (2, 0))
    after = played.until()
    assert (after.gone, after.piles[1]) == ((0,), 5)
    assert played.match.outcome.winners == (1,)


def test_bh_e10_impossible_is_wrong_when_a_row_fits():
    played = Played("bh-e10")
    before = played.until("buzz")
    after = played.until("keys 0")
    assert after.rows == before.rows
    assert row(after, 6) == ["sky car"]
    assert after.chips == (0, 1, 0)
    assert after.draw_pile == before.draw_pile + 1


def test_late_press_counts_by_timestamp_with_stored_evidence(command, tmp_path):
    lines = command("late-press", "--journal", tmp_path / "late.record")
    assert of(lines, "verdict", "seats", "margin_ns") == [([3], 3_000_000), ([1, 2], 400_000)]
    stamps = [
        [(call["seat"], call["t_ns"], call["uncertainty_ns"]) for call in calls]
        for calls in of(lines, "verdict", "calls")
    ]
    assert stamps == [
        [(3, 1_497_000_000, 0), (1, 1_500_000_000, 0)],
        [(1, 4_000_000_000, 0), (2, 4_000_400_000, 150_000)],
    ]
    record = parse_record((tmp_path / "late.record").read_text())
    kept = [entry.evidence for entry in record.entries if entry.move in {"T call 3", "T tie 1 2"}]
    assert [[(call.seat + 1, call.t_ns, call.uncertainty_ns) for call in one.calls] for one in kept] == stamps
    assert [one.margin_ns for one in kept] == [3_000_000, 400_000]
    assert [one.open_ns for one in kept] == [1_000_000_000, 3_000_000_000]
