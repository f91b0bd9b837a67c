"""The house at a real table: its prompts, and keypads lent to it."""

from pathlib import Path

import pytest

from companion.config.sections import CardOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ
from companion.core.move import Move, Seat
from companion.core.place import Place
from companion.display.frame import HousePlace, Menu
from companion.games import load
from companion.games.buntherum.rules import Phase
from tests.host_bench import STARTERS, Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")

FIGURES = "123123123123123#"
LENT = "You act for the house; D: end"


def begun(folder: Path, game: str, people: int = 3, deal: str = "table", **rulings: object) -> Bench:
    chosen = {game: load(game).rulings(**rulings)}
    config = TableConfig(cards=CardOptions(deal), rulings=chosen)
    bench = Bench(folder, config=config, game=game, deal=deal)
    bench.sit(people, "Start")
    return bench


def office(folder: Path, *keys: str, **rulings: object) -> Bench:
    """Return Büro Crazy with its figures placed, after the house has pressed `keys`."""
    bench = begun(folder, "buro_crazy", **rulings)
    bench.house(*FIGURES, *keys)
    return bench


def place_of(bench: Bench) -> HousePlace | None:
    return bench.screen.house


def house(bench: Bench) -> HousePlace:
    found = place_of(bench)
    assert found is not None
    return found


def keys(bench: Bench) -> list[str]:
    return [code.keys for code in house(bench).codes]


def laid(bench: Bench) -> Bench:
    bench.house(*STARTERS)
    bench.wait(1.1)
    return bench


def called(bench: Bench) -> Bench:
    laid(bench).house("ok")
    bench.press(0, BUZZ, "1")
    return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return begun(tmp_path, "buntherum", open="ok")


# --- What each game has the house key ---------------------------------------------------------------------


def test_real_card_is_keyed_as_object_then_colour(bench: Bench) -> None:
    bench.house("2")
    assert house(bench).task == "Starter of side 1. House: object, colour"
    assert [(code.keys, code.picture) for code in house(bench).codes][:2] == [("1", "cube"), ("2", "butterfly")]
    bench.house("7")
    assert (house(bench).keyed, house(bench).meaning) == ("7", "car, which colour?")
    assert [(code.picture, code.colour, code.text) for code in house(bench).codes][1] == ("car", "red", "red")
    bench.house("9")
    assert (house(bench).keyed, house(bench).refused) == ("", "Colours are 1 to 8")
    bench.house("7")
    assert (house(bench).keyed, house(bench).refused) == ("7", "")
    bench.house("*")
    assert (house(bench).keyed, house(bench).meaning) == ("", "")


def test_prompt_of_the_house_changes_between_two_cards(bench: Bench) -> None:
    laid(bench)
    assert (house(bench).task, keys(bench)) == ("House: ok when the card is turned", ["ok"])
    bench.house("ok")
    assert (house(bench).task, keys(bench)) == ("Does nobody want it? House: skip", [*"12345678", "skip"])
    bench.press(0, BUZZ)
    assert house(bench).task == "House: object, colour of the card"
    bench.press(0, "1")
    assert house(bench).task == "House: object, colour; or right or wrong"
    bench.house("skip")
    assert house(bench).refused.startswith("skip does nothing now")


def test_bh_a26_armed_card_waits_for_no_house(tmp_path: Path) -> None:
    bench = laid(begun(tmp_path, "buntherum"))
    assert (bench.view.phase, house(bench).task) == (Phase.OPEN, "House: object, colour of the card")
    assert [code.picture for code in house(bench).codes] == list(bench.view.box.objects)  # before the first key
    assert not any("House" in side.note for side in bench.frame.sides)
    bench.press(1, "D", "7")  # it may name the card
    assert (house(bench).task, house(bench).meaning) == ("House: object, colour of the card", "car, which colour?")
    bench.press(0, BUZZ)
    assert house(bench).keyed == "7"
    bench.press(0, "1")
    bench.press(1, "8")
    assert len(bench.view.rows[0]) == 2
    assert (bench.view.phase, keys(bench)) == (Phase.READY, [*"12345678"])  # the scene keeps its size


def test_bh_a27_unread_card_is_named_on_a_lent_keypad(tmp_path: Path) -> None:
    bench = laid(begun(tmp_path, "buntherum"))
    bench.press(0, BUZZ, "1")
    bench.house("right")
    bench.wait(1.1)
    bench.press(1, "D", "B")
    assert (house(bench).task, keys(bench)) == ("Which row has the unread card?", ["1"])
    bench.press(1, "1", "7")
    assert house(bench).meaning == "car, which colour?"
    bench.press(1, "8")
    bench.wait(0.1)
    assert bench.view.box.names[bench.view.rows[0][1]] == "sky car"


def test_bh_a27_house_is_asked_only_for_its_verdict(tmp_path: Path) -> None:
    bench = begun(tmp_path, "buntherum", judged_by="house")
    bench.press(1, BUZZ)
    bench.wait(1.1)
    assert (bench.view.phase, place_of(bench)) == (Phase.OPEN, None)
    bench.press(0, BUZZ)
    assert place_of(bench) is None
    bench.press(0, "1")
    assert (house(bench).task, keys(bench)) == ("House: right or wrong?", ["right", "wrong"])
    bench.house("right")
    assert place_of(bench) is None


def test_bh_a26_house_overrules_a_verdict_after_the_next_arming(tmp_path: Path) -> None:
    bench = laid(begun(tmp_path, "buntherum"))
    bench.house("7", "8")
    bench.press(0, BUZZ, "0")
    assert bench.view.chips == (1, 0, 0)
    declared = bench.match.length
    bench.wait(1.1)
    assert (bench.view.phase, bench.match.length) == (Phase.OPEN, declared + 1)
    bench.house("right")
    assert bench.view.chips == (0, 0, 0)
    assert bench.match.entries[-1][:3] == ("amend", declared, "T judge impossible right")


@pytest.mark.parametrize(
    ("keyed", "card", "then"), [("D72", "red car", "Pause"), ("D7D", "pink cube", "Correct which move?")]
)
def test_house_entry_is_corrected_on_a_lent_keypad(bench: Bench, keyed: str, card: str, then: str) -> None:
    laid(bench).house("menu")
    bench.host.session.lent.needed = True  # as at a table whose house lacks a keypad
    bench.take("Correct", "7. Side 6 starts with the pink cube")
    assert bench.poster.lines[1] == "D: any keypad."
    bench.press(0, "7", "2")
    bench.press(2, *keyed)
    assert bench.menu.title == then
    assert bench.match.state.rows[5] == (bench.match.box.names.index(card),)


def test_strips_prompt_the_house_after_a_declaration(bench: Bench) -> None:
    called(bench)
    assert {side.note for side in bench.frame.sides} == {"House: object, colour; or right or wrong"}
    assert {side.older[-1] for side in bench.frame.sides} == {f"{bench.host.session.match.names[0]} says: row 1"}


def test_question_for_the_youngest_goes_to_everybody(bench: Bench) -> None:
    assert place_of(bench) is None
    bench.house("8")
    assert house(bench).refused == "Press the youngest player's seat: 1 to 3"
    assert [code.text for code in house(bench).codes] == list(bench.host.session.match.names)


def test_cards_dealt_by_the_companion_need_no_house(tmp_path: Path) -> None:
    bench = begun(tmp_path, "buntherum", deal="pi")
    bench.wait(3)
    assert bench.view.phase in {Phase.SETUP, Phase.READY, Phase.OPEN}
    assert place_of(bench) is None


def test_figures_are_keyed_seat_by_seat(tmp_path: Path) -> None:
    bench = begun(tmp_path, "buro_crazy")
    assert house(bench).task == "Place figures from the left: # or your buzzer"
    assert [(code.keys, code.picture) for code in house(bench).codes] == [(key, "figure") for key in "123"]
    bench.house(*"11111")
    assert (house(bench).keyed, house(bench).meaning, keys(bench)) == ("11111", "5 of 15 figures", ["2", "3"])
    bench.house("4")
    assert (house(bench).keyed, house(bench).refused) == ("", "4: the seats are 1 to 3")
    bench.house(*"111112222233333")
    assert keys(bench) == ["#"]
    bench.house("#")
    assert house(bench).refused == "P1 has two figures of seat 1: they cannot fight"


def test_overlong_correction_line_continues_below_the_list(tmp_path: Path) -> None:
    bench = office(tmp_path, "menu")
    bench.take("Correct")
    assert bench.menu.items == ("1. On the stairs from the left: Anna, Ben, Cleo, …",)
    assert bench.menu.detail.startswith("On the stairs from the left: Anna, Ben, Cleo, Anna")


def test_ambiguous_corrections_are_listed_in_record_notation(tmp_path: Path) -> None:
    bench = begun(tmp_path, "boese_buben")
    bench.house("2", "menu")
    bench.take("Correct")
    told = "Each takes 12 cards of one colour and 6 ducats"
    assert (bench.menu.items, bench.menu.detail) == ((f"1. {told}",), "")
    bench.take("1. ")
    assert bench.menu.items == ("the house: first 1", "the house: first 3")
    assert bench.menu.detail == told


def test_house_has_nothing_to_key_while_others_bid(tmp_path: Path) -> None:
    bench = office(tmp_path, "ok")
    assert place_of(bench) is None
    bench.house("4")
    assert house(bench) == HousePlace("", refused="nothing to enter: every card is tracked")
    bench.press(bench.view.duel[0], "1")
    assert house(bench).refused  # presses of others do not clear it


def test_roof_cards_can_be_counted_at_any_time(tmp_path: Path) -> None:
    bench = office(tmp_path, tracking="points")
    assert place_of(bench) is None
    bench.house("1", "2")
    assert (house(bench).keyed, house(bench).meaning, keys(bench)) == ("12", "12 cards on the roof?", ["0-9", "#"])
    bench.house("#")
    assert place_of(bench) is None
    bench.press(2, "D", "7")
    assert house(bench).meaning == "7 cards on the roof?"
    assert bench.frame.panels[2].lines[1] == "7 cards on the roof?"


def test_bidders_keypad_is_not_lent_to_the_house(tmp_path: Path) -> None:
    bench = office(tmp_path, "ok", tracking="points")
    bidder = bench.view.duel[0]
    bench.press(bidder, "D")
    assert bench.menu.title == "The house"
    bench.press(bidder, "*")
    bench.read()
    bench.press(bidder, "1", "2")
    assert place_of(bench) is None


def test_lent_keypad_returns_when_its_seat_must_bid(tmp_path: Path) -> None:
    bench = begun(tmp_path, "buro_crazy", tracking="points")
    bench.press(1, "D", *FIGURES)
    assert 1 in bench.view.duel
    bench.house("ok")
    bench.read()
    before = place_of(bench)
    bench.press(1, *"12")
    assert place_of(bench) == before
    assert bench.frame.sides[1].note != LENT
    bench.press(1, "#")
    assert [f"{entry.move}" for entry in bench.match.entries][-1] == "2 total 12"


def test_house_keys_who_begins(tmp_path: Path) -> None:
    bench = begun(tmp_path, "boese_buben")
    assert house(bench).task == "Who begins? House: 1 to 3"
    assert next((code.keys, code.picture, code.colour) for code in house(bench).codes) == ("1", "goblin", "red")
    bench.house("5")
    assert house(bench).refused == "5 is not a seat: the seats are 1 to 3"
    bench.house("2")
    assert place_of(bench) is None


def test_roller_keys_a_die_and_the_house_may(tmp_path: Path) -> None:
    bench = begun(tmp_path, "de_et_boulanger", 2)
    bench.house("7")
    assert house(bench) == HousePlace("", refused="no roll is due now")
    for place, side in enumerate("82"):
        for key in (side, "A", "#"):
            bench.house("ok")  # the pieces are moved
            bench.read()
            bench.press(place, key)
    assert place_of(bench) is None
    bench.house("7")
    assert house(bench).task == f"{bench.host.session.match.names[0]} rolls for the first turn"
    assert not house(bench).codes  # its key is what a die shows
    assert house(bench).refused == "a die shows 1 to 6, not 7"
    bench.press(1, "D")
    assert (place_of(bench), bench.frame.sides[1].note) == (None, LENT)
    bench.press(1, "6")
    assert bench.view.rolls == (6, 0)


def test_game_without_house_entry_shows_its_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("companion.games.boese_buben.console.house_entry")
    bench = begun(tmp_path, "boese_buben")
    assert house(bench) == HousePlace("Who begins? House: 1 to 3")
    bench.house("5")
    assert house(bench).refused == "5 is not a seat: the seats are 1 to 3"
    bench.press(1, "D", "2")
    assert bench.view.mover == 1


# --- Any keypad -------------------------------------------------------------------------------------------


def test_keypad_is_lent_until_the_entry_is_complete(bench: Bench) -> None:
    called(bench)
    bench.press(1, "D")
    assert house(bench).lent == f"{bench.host.session.match.names[1]} acts for the house. D: end, A: house buttons"
    assert bench.frame.sides[1].note == LENT
    bench.press(1, "7")
    assert house(bench).keyed == "7"
    bench.press(1, "9")
    assert house(bench).refused == "Colours are 1 to 8"
    bench.press(1, "7", "2")
    assert bench.view.phase != Phase.JUDGE
    assert LENT not in {side.note for side in bench.frame.sides}


def test_lender_still_calls_and_declares_rows(tmp_path: Path) -> None:
    bench = laid(begun(tmp_path, "buntherum"))
    bench.press(1, "D", BUZZ)
    assert bench.frame.sides[1].note == "Your row: 1 to 6, 0 for impossible"
    bench.press(1, "1")
    assert bench.match.moves[-1] == Move(Seat(1), "declare", (1,))
    assert house(bench).lent.startswith(f"{bench.host.session.match.names[1]} acts for the house")
    bench.press(1, "7", "8")
    assert len(bench.view.rows[0]) == 2


def test_same_key_returns_a_lent_keypad(bench: Bench) -> None:
    called(bench)
    bench.press(1, "D", "7", "D", "2")
    assert bench.view.phase == Phase.JUDGE
    assert house(bench).keyed == "7"
    assert not house(bench).lent


def test_lent_keypad_stays_lent_for_all_starters(bench: Bench) -> None:
    bench.house(STARTERS[0])
    bench.press(2, "D", *STARTERS[1:])
    assert bench.view.phase == Phase.READY
    assert not house(bench).lent


def test_another_keypad_takes_over(bench: Bench) -> None:
    called(bench)
    bench.press(1, "D", "7")
    bench.press(2, "D")
    assert house(bench).keyed == "7"
    assert bench.frame.sides[1].note != LENT
    assert bench.frame.sides[2].note == LENT


def test_lent_keypad_lists_the_controls_without_an_entry(bench: Bench) -> None:
    laid(bench).press(1, "D")
    assert bench.menu.title == "The house"
    assert bench.menu.items == ("Next card", "Undo", "Pause")
    bench.press(1, "1")
    assert bench.view.phase == Phase.OPEN


def test_list_of_controls_includes_right_and_wrong(bench: Bench) -> None:
    called(bench)
    bench.press(1, "D", "A")
    assert bench.menu.items == ("Right", "Wrong", "Undo", "Pause")
    bench.press(1, "2")
    assert bench.view.chips[0] == 1


def test_list_of_controls_leads_to_undo_and_pause(bench: Bench) -> None:
    called(bench)
    bench.press(1, "D", "A")
    bench.take("Undo")
    assert bench.menu.title == "Pause"
    assert bench.menu.items[bench.menu.selected] == "Undo"
    bench.take("Go on")
    bench.press(1, "D", "A", "*")
    assert bench.view.phase == Phase.JUDGE


def test_match_waits_while_the_controls_are_listed(bench: Bench) -> None:
    laid(bench).house("ok")
    bench.press(0, "D", "A")
    assert bench.host.session.referee.pauses
    bench.press(1, BUZZ, "*")
    assert bench.view.phase == Phase.OPEN


def test_list_confirms_that_pieces_are_moved(tmp_path: Path) -> None:
    bench = office(tmp_path)
    bench.press(1, "D")
    assert bench.menu.items[0] == "All pieces are moved"
    bench.press(1, "1")
    assert {side.note for side in bench.frame.sides[:2]} == {"Keys 1-5 add 1, 2, 5, 10, 20. # locks it in"}


def test_key_of_the_game_is_not_lent(tmp_path: Path) -> None:
    """In Dé et Boulanger, D enters croissants or stays at home."""
    bench = begun(tmp_path, "de_et_boulanger", 2, deal="pi")
    bench.press(1, "2")
    bench.read()
    bench.press(1, "A", "D")
    assert bench.frame.panels[1].lines[1] == "D is not a tile: your tiles are 1 to 6"


def test_secret_typing_does_not_change_the_lending_key(tmp_path: Path) -> None:
    screens = []
    for number, typed in enumerate(("", "1")):
        bench = office(tmp_path / str(number), "ok")
        bench.press(0, *typed, "D")
        screens.append(bench.screen)
    assert screens[0] == screens[1]
    assert isinstance(screens[0], Menu)


def test_lesson_has_no_house(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="buntherum", lesson=True)
    bench.wait(1)
    bench.press(Place(0), "D")
    assert not isinstance(bench.screen, Menu)
