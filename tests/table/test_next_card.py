"""The turner of Buntherum's next card when the companion deals (BH-R10)."""

from pathlib import Path
from typing import Any

import pytest

from companion.config.sections import PaceOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ
from companion.core.move import TABLE
from companion.core.place import HOUSE
from companion.display.frame import Beat, Play
from companion.games.buntherum.rules import Phase, Rulings
from companion.match.new_match import NAMES, new_match
from companion.match.seating import Sitter
from tests.host_bench import GAME, Bench, dropped, entries, robots

pytestmark = pytest.mark.usefixtures("fixed_secrets")

PROMPT = "Turn the next card: buzzer or #"


def started(folder: Path, **rulings: Any) -> Bench:
    """Begin a match, and wait for its first card to be turned."""
    bench = Bench(folder, by_hand=True, match=new_match(GAME, NAMES[:3], rulings=Rulings(**rulings), seed="1"))
    bench.draw_lots()
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.view.phase == Phase.READY, 5)
    bench.read()
    return bench


def turner(bench: Bench) -> int:
    return int(bench.view.flipper)


def notes(bench: Bench) -> list[str]:
    return [side.note for side in bench.frame.sides[:3]]


def played(folder: Path, **rulings: Any) -> Bench:
    """Return a match in which seat 0 turns the second card."""
    bench = started(folder, **rulings)
    bench.press(turner(bench), "#")
    bench.wait(1)
    bench.call(0, bench.fitting()[0])
    assert (bench.view.phase, turner(bench)) == (Phase.READY, 0)
    return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return played(tmp_path)


@pytest.mark.parametrize("control", [BUZZ, "#"])
def test_bh_r10_next_card_waits_for_its_turner(bench: Bench, control: str) -> None:
    bench.wait(3600)
    assert bench.view.phase == Phase.READY
    bench.hand(0, control)
    bench.wait(0.02)
    assert bench.open()
    bench.hand(0, control, pressed=False)
    bench.wait(1)
    assert bench.open()  # the press that turned it is not a call


@pytest.mark.parametrize("control", [BUZZ, "#"])
def test_bh_r10_nobody_else_turns_the_card(bench: Bench, control: str) -> None:
    bench.press(1, control)
    bench.wait(10)
    assert bench.view.phase == Phase.READY


def test_bh_r10_house_turns_the_card_only_with_ok(bench: Bench) -> None:
    bench.house("skip")
    assert bench.view.phase == Phase.READY
    bench.house("ok")
    assert bench.open()


def test_bh_r10_strips_name_the_turner(bench: Bench) -> None:
    assert notes(bench)[0] == PROMPT
    assert bench.frame.sides[0].older[0] == "Right"
    assert notes(bench)[1] != PROMPT
    bench.wait(4)
    assert notes(bench) == [PROMPT, "Anna turns the next card", "Anna turns the next card"]
    assert [side.lit for side in bench.frame.sides[:3]] == [True, False, False]


def test_bh_r10_turner_is_reminded(bench: Bench) -> None:
    bench.wait(11)
    assert [side.tone for side in bench.frame.sides[:3]] == ["nudge", "", ""]
    assert notes(bench)[0] == PROMPT


def test_bh_r10_turning_press_is_not_an_early_buzz(tmp_path: Path) -> None:
    bench = played(tmp_path, early_buzz="chip")
    bench.wait(1)
    bench.flip_ns = 50_000_000  # the screen is slow
    for _ in range(3):
        bench.hand(0, BUZZ)
        bench.hand(0, BUZZ, pressed=False)
    bench.wait(1)
    assert bench.view.phase == Phase.OPEN
    assert not any(bench.match.state.chips)
    assert not any(entry.evidence.early for entry in bench.match.entries)


def test_bh_r10_anothers_buzz_before_the_card_is_early(tmp_path: Path) -> None:
    bench = played(tmp_path, early_buzz="chip")
    bench.wait(1)
    bench.press(1, BUZZ)
    assert bench.match.state.chips == (0, 1, 0)
    assert (bench.view.phase, notes(bench)[0]) == (Phase.READY, PROMPT)


def test_bh_r10_buzzer_turns_in_direct_call_mode(tmp_path: Path) -> None:
    bench = started(tmp_path, call_input="direct", early_buzz="chip")
    first = turner(bench)
    bench.wait(1)
    bench.press(first, "3")
    assert bench.match.state.chips[first] == 1
    assert bench.view.phase == Phase.READY
    bench.press(first, BUZZ)
    assert bench.open()


def test_bh_r10_press_for_the_previous_card_turns_nothing(tmp_path: Path) -> None:
    bench = started(tmp_path)
    first = turner(bench)
    bench.press(first, "#")
    bench.wait(1)
    bench.hand(HOUSE, "skip")
    bench.wait(0.15)
    bench.press(first, BUZZ)
    bench.wait(5)
    assert (bench.view.phase, turner(bench)) == (Phase.READY, first)


def test_bh_r10_turning_the_card_ends_the_photo_finish(tmp_path: Path) -> None:
    bench = started(tmp_path)
    bench.press(turner(bench), "#")
    bench.wait(1)
    for seat in range(2):
        bench.hand(seat, BUZZ)
        bench.wait(0.01)
    bench.wait(0.1)
    bench.hand(bench.view.caller, str(bench.fitting()[0]))
    bench.wait(1)
    assert bench.beat == Beat.FINISH
    for seat in range(2):
        bench.hand(seat, BUZZ, pressed=False)
    bench.house("ok")
    assert bench.open()


def test_bh_r10_one_player_turns_after_a_tie_of_all(tmp_path: Path) -> None:
    bench = started(tmp_path)
    bench.press(turner(bench), "#")
    bench.wait(1)
    for seat in range(3):
        bench.hand(seat, BUZZ)
    bench.wait(0.2)
    assert bench.view.tied
    assert notes(bench)[turner(bench)] == f"A dead heat! {PROMPT}"


def test_bh_r10_next_player_may_turn_for_an_eliminated_one(tmp_path: Path) -> None:
    bench = started(tmp_path)
    bench.press(turner(bench), "#")
    for _ in range(3):
        bench.wait(1)
        bench.call(1, bench.wrong())
        assert turner(bench) == 1
        if 1 not in bench.view.gone:
            bench.read()
            bench.press(1, "#")
    assert bench.view.gone == (1,)
    bench.wait(4)
    assert notes(bench) == ["Ben turns the next card", PROMPT, PROMPT]
    bench.hand(1, "fault unplug")
    bench.wait(1)
    assert not bench.host.session.referee.pauses
    bench.press(0, BUZZ)
    assert bench.view.phase == Phase.READY
    bench.press(2, BUZZ)
    assert bench.open()


def test_bh_r10_unplugged_turner_is_named_and_house_may_turn(bench: Bench) -> None:
    bench.hand(0, "fault unplug")
    assert bench.frame.story[-1] == "Anna is unplugged: the match waits"
    bench.hand(0, "fault unplug")
    assert notes(bench)[0] == PROMPT
    bench.house("ok")
    assert bench.open()


def test_bh_r10_turner_survives_undo_pause_and_resume(bench: Bench, tmp_path: Path) -> None:
    bench.house("pause")
    bench.press(0, "*")  # ends the pause
    bench.wait(5)
    assert (bench.view.phase, notes(bench)[0]) == (Phase.READY, PROMPT)
    bench.undo()
    assert (bench.view.phase, bench.view.caller) == (Phase.LOCKED, 0)
    bench.press(0, str(bench.fitting()[0]))
    before = entries(bench)
    path = dropped(bench)
    again = Bench(tmp_path, by_hand=True, sitters=[Sitter(name) for name in NAMES[:3]])
    again.take("Resume it", "Go on")
    again.wait(5)
    assert (again.records[-1], again.view.phase, notes(again)[0]) == (path, Phase.READY, PROMPT)
    again.press(0, BUZZ)
    assert again.open()
    assert [entry.split()[0] for entry in entries(again)] == [*(line.split()[0] for line in before), "move"]


def test_bh_r10_setting_turns_cards_automatically(bench: Bench) -> None:
    bench.choose("Settings", "Next card: by a player")
    assert bench.menu.items[bench.menu.selected] == "Next card: by itself"
    bench.house("pause", "pause")
    bench.wait(PaceOptions().next_s)
    assert bench.open()


def test_bh_r10_robots_cards_are_turned_automatically(tmp_path: Path) -> None:
    bench = robots(tmp_path, by_hand=True, match=new_match(GAME, NAMES[:3], seed="1"))
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.view.turn > 3, 120)


def test_bh_r10_robots_wait_for_peoples_cards(tmp_path: Path) -> None:
    sitters = [Sitter("Anna"), Sitter("Ben", "strong"), Sitter("Cleo", "strong")]
    bench = Bench(tmp_path, by_hand=True, sitters=sitters, match=new_match(GAME, NAMES[:3], seed="1"))

    def waits() -> bool:
        return isinstance(bench.screen, Play) and bench.view.phase == Phase.READY and turner(bench) == 0

    bench.house("3")  # the youngest is a robot
    assert bench.until(lambda: waits() or bench.open(), 60)
    if bench.open():
        bench.call(0, bench.wrong())
    bench.wait(60)
    assert waits()


@pytest.mark.parametrize("how", ["demo", "auto"])
def test_bh_r10_demo_and_automatic_setting_need_no_turner(tmp_path: Path, how: str) -> None:
    config = TableConfig(pace=PaceOptions(next_card="auto")) if how == "auto" else None
    match = new_match(GAME, NAMES[:3], seed="1", demo=how == "demo")
    bench = Bench(tmp_path, config=config, by_hand=True, match=match)
    bench.draw_lots()
    assert bench.until(bench.open, 2)
    assert match.moves[-1].seat == TABLE


# --- Who turns the first card -----------------------------------------------------------------------------


def asked(folder: Path, *kinds: str, deal: str = "pi") -> Bench:
    """Begin a match, and wait for the question who is youngest."""
    match = new_match(GAME, NAMES[:3], seed=None if deal == "table" else "1", deal=deal)
    sitters = [Sitter(name, kind) for name, kind in zip(NAMES[:3], kinds or ("", "", ""), strict=True)]
    bench = Bench(folder, by_hand=True, sitters=sitters, match=match)
    bench.wait(60)
    return bench


QUESTION = "Who is youngest? Press your buzzer or #"
OFFER = "Who is youngest? Press your buzzer or # (ok: draw lots)"


def test_bh_r5_table_asks_for_the_youngest(tmp_path: Path) -> None:
    bench = asked(tmp_path)
    assert bench.match.length == 0
    assert notes(bench) == [OFFER] * 3


@pytest.mark.parametrize("control", [BUZZ, "#"])
def test_bh_r5_youngest_player_presses(tmp_path: Path, control: str) -> None:
    bench = asked(tmp_path)
    bench.press(1, control)
    assert bench.until(lambda: bench.view.phase == Phase.READY, 3)
    assert turner(bench) == 1
    assert entries(bench)[0] == "move 1 T first 2"
    assert notes(bench)[0] == bench.frame.sides[1].older[-1] == "Ben is the youngest and turns the first card"
    bench.wait(60)
    assert bench.view.phase == Phase.READY


def test_bh_r5_house_keys_the_youngest_by_number(tmp_path: Path) -> None:
    bench = asked(tmp_path)
    bench.house("9")
    assert bench.frame.story[-1] == "Refused: Press the youngest player's seat: 1 to 3"
    bench.house("3")
    assert entries(bench)[0] == "move 1 T first 3"


def test_bh_r5_strips_say_that_a_lot_was_drawn(tmp_path: Path) -> None:
    bench = asked(tmp_path)
    bench.house("ok")
    assert bench.until(lambda: bench.view.phase == Phase.READY, 3)
    first = turner(bench)
    assert entries(bench)[0] == f"move 1 T lot {first + 1}"
    by_lot = f"By lot: {NAMES[first]} turns the first card"
    assert [side.note for side in bench.frame.sides[:3] if side.note != PROMPT] == [by_lot] * 2
    assert bench.frame.sides[first].older[-1] == by_lot


def test_bh_r5_youngest_can_be_corrected_and_undone(tmp_path: Path) -> None:
    bench = asked(tmp_path)
    bench.press(1, BUZZ)
    bench.wait(2)
    bench.correct("1. Ben is the youngest and turns the first card")
    bench.take("Cleo is the youngest and turns the first card")
    bench.house("pause")
    bench.wait(2)
    assert turner(bench) == 2
    bench.undo()
    bench.wait(60)
    assert notes(bench)[0] == OFFER
    bench.press(0, BUZZ)
    bench.wait(2)
    assert turner(bench) == 0


def test_bh_r5_buzzer_also_answers_with_real_cards(tmp_path: Path) -> None:
    bench = asked(tmp_path, deal="table")
    assert notes(bench) == [QUESTION] * 3
    bench.house("ok")
    assert bench.match.length == 0  # lots are not drawn there
    bench.press(2, BUZZ)
    assert entries(bench) == ["move 1 T first 3"]


def test_bh_r5_robots_are_not_asked(tmp_path: Path) -> None:
    bench = asked(tmp_path, "middle", "middle", "middle")
    assert entries(bench)[0].startswith("move 1 T youngest")


def test_bh_r5_question_survives_a_pause(tmp_path: Path) -> None:
    bench = asked(tmp_path)
    bench.house("pause")
    bench.press(0, BUZZ, BUZZ)
    bench.house("pause")
    bench.wait(5)
    assert bench.match.length == 0
    assert notes(bench)[0] == OFFER


def test_refused_house_button_names_those_with_meaning(tmp_path: Path) -> None:
    bench = started(tmp_path)
    bench.house("skip")
    assert bench.frame.story[-1] == "Refused: skip does nothing now; the house can use: ok, pause"
    bench.press(turner(bench), "#")
    bench.house("ok")
    assert bench.frame.story[-1] == "Refused: ok does nothing now; the house can use: skip, pause"
