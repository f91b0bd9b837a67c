"""Secrets at a table: private lines, corrected bids, real dice."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.place import HOUSE
from companion.core.signal import PEEK
from companion.display.frame import Beat, Play, Poster
from companion.games import load
from companion.games.boese_buben.rules import Phase as BuddiesPhase
from companion.games.de_et_boulanger.rules import Phase as BakersPhase
from tests.host_bench import STARTERS, Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")


def seated(folder: Path, game: str, people: int, **options: Any) -> Bench:
    bench = Bench(folder, game=game, **options)
    bench.sit(people, "Start")
    bench.read()
    return bench


def both_lock(duel: Bench) -> Sequence[int]:
    """Lock a 20 and a 10; return the bidders."""
    for place, card in zip(duel.view.duel, "54", strict=True):
        duel.press(place, card, "#")
    return duel.view.duel


@pytest.fixture
def duel(tmp_path: Path) -> Bench:
    """Büro Crazy at its first two bids."""
    bench = seated(tmp_path, "buro_crazy", 3)
    assert bench.until(lambda: isinstance(bench.screen, Play) and bool(bench.view.duel))
    bench.read()
    return bench


def second_line(bench: Bench, place: int) -> str:
    return bench.frame.panels[place].lines[1]


def first_line(bench: Bench, place: int) -> str:
    return bench.frame.panels[place].lines[0]


def entries(bench: Bench) -> list[str]:
    return [f"{entry.kind} {entry.move}" for entry in bench.match.entries]


# --- Private lines ----------------------------------------------------------------------------------------


def test_people_sharing_a_pc_uncover_lines_with_tab(duel: Bench) -> None:
    one, other = duel.view.duel
    duel.press(one, "5")
    assert second_line(duel, one) == second_line(duel, other) == "hidden: hold Tab to look"
    assert first_line(duel, one) == first_line(duel, other)
    duel.hand(HOUSE, PEEK)
    first, second = duel.frame.panels[one].lines
    assert (first, second[:8]) == ("Bid 20 (20)", "Hand 132")
    duel.hand(HOUSE, PEEK, pressed=False)
    assert second_line(duel, one) == "hidden: hold Tab to look"


def test_refusal_and_hand_are_both_covered(duel: Bench) -> None:
    one, _ = duel.view.duel
    duel.press(one, *"55555")  # there are four 20s
    assert second_line(duel, one) == "hidden: hold Tab to look"
    duel.hand(HOUSE, PEEK)
    assert duel.frame.panels[one].lines == ("20: only 4 in hand", "Hand 152 (4x20 4x10 4x5 4x2 4x1)")
    duel.read()
    duel.press(one, "4")
    assert first_line(duel, one).startswith("Bid 10 ")


def test_refusal_names_the_player_whose_turn_it_is(tmp_path: Path) -> None:
    bench = seated(tmp_path, "boese_buben", 3)
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.view.phase == BuddiesPhase.TURN)
    bench.read()
    mover = bench.view.mover
    bench.press((mover + 1) % 3, "1")
    bench.hand(HOUSE, PEEK)
    assert first_line(bench, (mover + 1) % 3) == f"it's {bench.match.names[mover]}'s turn"


def test_game_without_secrets_covers_nothing(tmp_path: Path) -> None:
    bench = seated(tmp_path, "de_et_boulanger", 2)
    bench.press(0, "A", "3")
    assert first_line(bench, 0) == "Your tiles: 3. # adds the others in order"
    bench.press(0, "3")
    assert second_line(bench, 0) == "tile 3 is already in your row"


def test_only_person_sees_their_own_line_uncovered(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="buro_crazy")
    bench.press(0, BUZZ)
    for place in (1, 2):
        bench.press(place, "B")
    bench.press(0, "#")
    bench.take("Start")
    assert bench.until(lambda: isinstance(bench.screen, Play) and 0 in bench.view.duel, 600)
    assert "Hand" in second_line(bench, 0)
    assert second_line(bench, 1) == second_line(bench, 2) == ""


def test_typed_bid_stays_while_the_other_locks(duel: Bench) -> None:
    one, other = duel.view.duel
    duel.press(one, "4", "4")
    duel.press(other, "1", "#")
    duel.hand(HOUSE, PEEK)
    assert first_line(duel, one).startswith("Bid 20")
    duel.press(one, "#")
    duel.wait(1)
    assert duel.view.last.totals == (20, 1)


def test_typing_changes_nothing_public(duel: Bench) -> None:
    one, _ = duel.view.duel
    before = duel.frame
    duel.press(one, "4", "9", "4")
    assert duel.frame.screen == before.screen
    assert duel.frame.sides == before.sides


# --- Correction -------------------------------------------------------------------------------------------


def rekeyed(bench: Bench, number: str = "1") -> Poster:
    """Begin to correct line `number` of the list."""
    bench.correct()
    bench.press(0, number)
    return bench.poster


def test_wrong_bid_is_keyed_again_by_its_owner(duel: Bench) -> None:
    one, other = both_lock(duel)
    name = duel.match.names[other]
    poster = rekeyed(duel)
    assert f"{name}: a secret move." in poster.lines[0]
    assert poster.hint.startswith(f"{name} enters it again")
    assert [side.lit for side in duel.frame.sides] == [seat == other for seat in range(len(duel.frame.sides))]
    assert duel.frame.sides[other].note == "Keys 1-5 add 1, 2, 5, 10, 20. # locks it in"
    duel.press(one, "1")  # the bid belongs to the other seat
    duel.press(other, "5", "5", "#")
    assert duel.menu.title == "Pause"
    duel.take("Go on")
    assert duel.view.last.totals == (20, 40)
    assert duel.view.last.winner == other
    assert entries(duel)[-1].startswith("amend ")


def test_correction_hides_what_the_drum_still_hides(duel: Bench) -> None:
    one, other = both_lock(duel)
    assert duel.beat == Beat.DRUM
    duel.correct()
    last = f"{duel.match.names[other]}: a secret move"
    number = duel.match.length
    locked = f"{duel.match.names[one]} has locked a bid"
    assert duel.menu.items[:2] == (f"{number}. {last}", f"{number - 1}. {locked}")
    assert duel.menu.detail == ""
    duel.press(0, BUZZ)
    assert duel.menu.detail == ""


def test_house_cancels_a_corrected_entry(duel: Bench) -> None:
    _, other = both_lock(duel)
    before = entries(duel)
    rekeyed(duel)
    duel.press(other, "5")
    duel.house("pause")
    assert duel.menu.title == "Correct which move?"
    assert entries(duel) == before


def test_lamp_of_the_correcting_player_blinks(duel: Bench) -> None:
    one, _ = both_lock(duel)
    lamps = duel.lamps
    assert lamps[one] == Lamp.ON
    assert rekeyed(duel, "2").hint.startswith(f"{duel.match.names[one]} enters it again")
    assert duel.lamps == [Lamp.BLINK if place == one else lamp for place, lamp in enumerate(lamps)]
    duel.house("pause")
    assert duel.lamps == lamps


def test_another_player_can_cancel_a_corrected_entry(duel: Bench) -> None:
    one, other = both_lock(duel)
    before = entries(duel)
    assert "To give up: * at another seat" in rekeyed(duel).hint
    duel.press(other, "5", "*", "*")
    assert isinstance(duel.screen, Poster), "that took the card back, and tells nobody that it did"
    duel.press(one, "*")
    assert duel.menu.title == "Correct which move?"
    assert entries(duel) == before


def test_corrected_bid_must_be_in_the_hand(duel: Bench) -> None:
    _, other = both_lock(duel)
    rekeyed(duel)
    duel.press(other, "5", "5", "5", "5", "5")  # four 20s are in the hand: the fifth is no card
    assert second_line(duel, other) == "hidden: hold Tab to look"
    duel.press(other, "#")
    assert isinstance(duel.screen, Poster), "it is no bid of nothing"
    duel.press(other, *"5555#")
    duel.take("Go on")
    assert duel.view.last.totals == (20, 80)


# --- Real dice --------------------------------------------------------------------------------------------


def test_house_has_the_digits_for_real_dice(tmp_path: Path) -> None:
    bench = seated(tmp_path, "de_et_boulanger", 2, deal="table")
    assert bench.frame.house is None
    bench.answer(0, *"8A123456")
    bench.answer(1, *"#A123456")
    assert bench.view.phase == BakersPhase.START
    assert bench.frame.house == "House keys (row of digits): "
    assert bench.people() == []
    bench.house("7", "3", "5")
    assert bench.view.phase == BakersPhase.MOVE
    assert bench.view.order == (1, 0)
    assert bench.frame.house is None


@pytest.mark.parametrize(("game", "people"), [("buro_crazy", 2), ("de_et_boulanger", 3), ("boese_buben", 5)])
def test_join_screen_names_the_numbers_of_players(tmp_path: Path, game: str, people: int) -> None:
    bench = Bench(tmp_path, game=game)
    for place in range(people):
        bench.press(place, BUZZ)
    *some, last = map(str, load(game).rules.SEATS)
    assert bench.poster.hint == f"{', '.join(some)} or {last} players are needed. *: back"
    bench.press(0, "#")
    assert bench.poster.title == "Who plays?"


def test_wrongly_keyed_die_is_corrected(tmp_path: Path) -> None:
    bench = seated(tmp_path, "de_et_boulanger", 2, deal="table")
    bench.press(0, "8", *"A123456")
    bench.press(1, "#", *"A123456")
    bench.house("3", "5")
    assert bench.view.order == (1, 0)
    bench.correct()
    assert bench.menu.items[0].endswith("Ben rolls a 5")
    bench.press(0, "1")
    bench.take("Ben rolls a 1", "Go on")
    assert bench.view.order == (0, 1)


def test_correction_does_not_list_what_the_hand_held(tmp_path: Path) -> None:
    bench = seated(tmp_path, "boese_buben", 2)
    assert bench.until(lambda: isinstance(bench.screen, Play) and bench.view.mover >= 0)
    first = bench.view.mover
    bench.read()
    bench.press(first, "3", "1")
    poster = rekeyed(bench)
    assert "plays 3 in lane 1." in poster.lines[0]
    bench.press(first, "4", "2")
    bench.take("Go on")
    assert [len(track) for track in bench.view.tracks] == [0, 1, 0]


def test_house_keys_the_youngest_and_the_starters(tmp_path: Path) -> None:
    bench = seated(tmp_path, "buntherum", 3, deal="table")
    bench.house(*STARTERS)
    assert bench.view.flipper == 1
    names = [bench.view.box.names[row[0]] for row in bench.view.rows if row]
    assert names == ["blue butterfly", "blue cube", "yellow cube", "orange cube", "purple cube", "pink cube"]


def test_naming_the_card_does_not_renew_the_deadline(tmp_path: Path) -> None:
    bench = seated(tmp_path, "buntherum", 3, deal="table")
    bench.house(*STARTERS)
    bench.wait(1)
    bench.press(0, BUZZ)
    limit = bench.frame.limit
    assert limit.seats == (0,)
    bench.house("7", "8")
    assert bench.view.phase == "locked"
    assert bench.frame.limit == limit


def test_private_lines_are_covered_again_after_a_menu(duel: Bench) -> None:
    one, _ = duel.view.duel
    duel.hand(HOUSE, PEEK)
    assert "Hand" in second_line(duel, one)
    duel.house("pause")
    duel.hand(HOUSE, PEEK, pressed=False)
    assert second_line(duel, one) == "hidden: hold Tab to look"


def test_pc_keypad_stays_with_the_player_who_types(tmp_path: Path) -> None:
    bench = seated(tmp_path, "de_et_boulanger", 4)
    assert bench.people() == [0, 3]
    bench.press(3, "A", "1")
    bench.press(0, "8", *"A123456")
    pads = {panel.place: panel.keys for panel in bench.frame.panels if panel.keys}
    assert pads == {3: "number pad", 1: "digits"}


def test_rematch_keeps_its_dealer(tmp_path: Path) -> None:
    bench = seated(tmp_path, "de_et_boulanger", 2, deal="table")
    bench.press(0, "8")
    bench.host.close()
    again = Bench(tmp_path)
    again.take("Resume it", "Start again", "Yes")
    assert again.match.tags["Deal"] == "table"


def test_strips_do_not_ask_the_house_about_lots(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="boese_buben")
    for place in range(2):
        bench.press(place, BUZZ)
    bench.hand(0, "#")
    bench.take("Start")
    asked = {side.note for frame in bench.frames for side in frame.sides if side.note.startswith("Who begins")}
    assert asked == {"Who begins?"}
