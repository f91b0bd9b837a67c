"""Editing custom boxes at the table."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.config import box_drafts, boxes
from companion.config.table_file import default_config, parse_config, read_config
from companion.core.console import BUZZ
from companion.core.errors import BoxError
from companion.display.frame import BoxPage, HelpPage
from companion.games import all_games, load
from tests import host_bench
from tests.host_bench import Bench


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of custom boxes, which does not exist yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "companion" / "boxes"


Sit = Callable[..., Bench]


def refuse(*_: object, **__: object) -> None:
    """Raise the error of a read-only disk."""
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


@pytest.fixture
def sit(tmp_path: Path, data: Path) -> Sit:
    """Return a function that opens a table and chooses menu lines."""

    def table(*lines: str, seats: int = 2, path: Path | None = None) -> Bench:
        bench = Bench(tmp_path, config=read_config(path, all_games()) if path else None)
        bench.sit(seats, *lines)
        return bench

    return table


def page(bench: Bench) -> BoxPage:
    assert isinstance(bench.screen, BoxPage), bench.screen
    return bench.screen


def ask(bench: Bench, words: str) -> None:
    """Accept values up to the question that begins with `words`."""
    for _ in range(60):
        if page(bench).title.startswith(words):
            return
        bench.press(0, "#")


def keyed(bench: Bench, words: str, *keys: str) -> None:
    ask(bench, words)
    bench.press(0, *keys)


def played(bench: Bench) -> Any:
    """Save the box, begin a match, and return its box."""
    if isinstance(bench.screen, BoxPage):
        bench.house("menu")
    bench.take("Save as")
    bench.press(0, "#")
    bench.take("Start")
    return bench.match.box


def help_rows(bench: Bench) -> str:
    bench.choose("How to play")
    said = ""
    while isinstance(bench.screen, HelpPage):
        said += str(bench.screen.rows)
        bench.press(0, "#")
    return said


# --- Each game --------------------------------------------------------------------------------------------


def test_hexagon_is_keyed_left_resumed_and_played(sit: Sit, data: Path) -> None:
    bench = sit("Buntherum", "Custom box", "The hexagon")
    assert (page(bench).title, page(bench).said) == ("Side 1: which colour?", "In the built-in box: green")
    assert [answer.label for answer in page(bench).answers if answer.chosen] == ["green"]
    bench.press(0, "2")  # red
    assert (page(bench).title, page(bench).number, page(bench).of) == ("Side 1: which object?", 2, 12)
    assert page(bench).answers[6][:3] == ("7", "car:red", "car")
    bench.press(1, "7")
    bench.house("menu")
    assert bench.menu.detail == "2 answers differ from the built-in box"
    assert (data / "buntherum" / ".Our box.toml").exists()

    bench = sit("Buntherum")  # on another day
    assert [item for item in bench.menu.items if item.startswith("Box: ")] == []
    bench.take("Custom box")
    assert bench.menu.items == ("Continue Our box", "Another box")
    bench.press(0, "#")
    bench.take("The hexagon")
    assert page(bench).title == "Side 1: which colour?"
    keyed(bench, "Side 6: which object", "8")
    assert bench.menu.items[bench.menu.selected] == "The cards"
    bench.take("Hands and chips")
    bench.press(0, "5", "#")
    assert page(bench).title == "2 players: how many cards to each?"
    bench.press(0, "1", "1", "#", "*", "*", "*")
    assert bench.menu.title == "Custom box: Buntherum"
    bench.take("Save as Our box")
    assert bench.poster.title == "Saved as Our box"
    bench.press(0, BUZZ)
    assert bench.menu.items[2:4] == ("Box: Our box", "Custom box")
    assert [path.name for path in (data / "buntherum").iterdir()] == ["Our box.toml"]
    bench.take("Start")
    box = bench.match.box
    words = [box.names[card] for card in box.printed]
    assert (words[0], words[1], words[5]) == ("red car", "red butterfly", "purple telephone")
    assert (bench.match.tags["BoxName"], box.chips_out, box.hands[0]) == ("Our box", 5, 11)
    said = help_rows(bench)
    assert "Box: Our box" in said
    assert "With 5 you are out" in said


def test_cards_are_counted_on_a_grid(sit: Sit) -> None:
    bench = sit("Buntherum", "Custom box", "The cards")
    bench.press(0, "2")
    assert page(bench).title == "How many of each card? 58 in all"
    assert (page(bench).spot, page(bench).said) == ((4, 4), "orange cup: 0")  # the hexagon has it
    bench.press(0, "5", "5", "8", "5", "6", "0", "4", "4", "1")
    assert page(bench).title == "How many of each card? 61 in all"
    bench.press(0, *"8" * 9)
    assert page(bench).spot == (0, 3)
    bench.press(0, "#")
    box = played(bench)
    cards = [box.names[card] for card in box.deck]
    counts = {name: cards.count(name) for name in ("orange cup", "yellow cup", "yellow flower", "yellow icecream")}
    assert counts == {"orange cup": 2, "yellow cup": 2, "yellow flower": 0, "yellow icecream": 1}


def test_prices_and_texts_are_keyed_and_played(sit: Sit) -> None:
    bench = sit("Böse Buben", "Custom box", "The cards")
    keyed(bench, "Card 6: how many goblins?", "1")
    keyed(bench, "Action card 1: which action?", "5")
    assert page(bench).said == "In the built-in box: 1 goblin"
    ask(bench, "Action card 5: which action?")
    assert [answer.label for answer in page(bench).answers if answer.chosen] == ["Kostenlos"]  # they have swapped
    bench.choose("The money")
    keyed(bench, "How many ducats does a lane pay?", "5", "#")
    box = played(bench)
    assert (box.goblins[6], box.lane_prize) == (1, 5)
    assert (str(box.actions[7]), str(box.actions[11])) == ("raengelei", "kostenlos")
    assert "Each lane pays 5 ducats" in help_rows(bench)


def test_board_and_recipe_are_keyed_and_played(sit: Sit) -> None:
    bench = sit("Dé et Boulanger", "Custom box", "The board")
    bench.press(0, "9", "#", "1", "3", "#")
    assert page(bench).title == "What is on each square?"
    assert page(bench).wrong
    assert page(bench).said == "Row 4, column 6 · 1 times M (mill); allowed: 2"
    assert [answer.label for answer in page(bench).answers][2:4] == ["mill: 1 of 2", "farm: 1 of 2"]
    bench.choose("Save as")  # not yet: it leads to what is wrong
    ask(bench, "What is on each square?")
    drawn = page(bench).drawn
    assert (len(drawn.lines), len(drawn.lines[0]), page(bench).spot) == (9, 13, (4, 6))
    bench.press(0, *"2266663")
    assert page(bench).said == "Row 6, column 10 · 1 times A (farm); allowed: 2"
    bench.press(0, *"444444447")
    assert (page(bench).said, page(bench).wrong) == ("Row 6, column 2", False)
    bench.press(0, "9")
    assert page(bench).said == "Row 6, column 2 · A shop must be at an edge of the board, not in a corner"
    bench.press(0, *"4496")  # the shop of the left edge
    assert (page(bench).said, page(bench).wrong) == ("Row 6, column 1", False)
    bench.press(0, "#")
    bench.take("The recipes")
    keyed(bench, "Bread: how many measures of flour?", "4", "#")
    box = played(bench)
    assert (box.board.rows, box.board.columns, box.recipes[0].flour) == (9, 13, 4)
    assert box.board.shops[3] == 6 * 13
    assert "4 flour" in help_rows(bench)


def test_kitchen_and_figures_are_keyed_and_played(sit: Sit) -> None:
    bench = sit("Büro Crazy", "Custom box", "The kitchen", seats=3)
    bench.press(0, "8", "5", "#")
    assert page(bench).title == "How many points does the kitchen have on the ground floor?"
    assert page(bench).said == "In the built-in box: 60"
    bench.press(0, "5", "5", "#")
    ask(bench, "How many cards of 1 does the kitchen start with")
    assert page(bench).said == "worth 80; allowed: 85, the target of the stairs"
    bench.press(0, "9", "#")
    assert not page(bench).wrong
    bench.choose("The figures")
    keyed(bench, "How many sky-blue figures", "5", "#")
    keyed(bench, "How many black figures", "0", "#")
    box = played(bench)
    assert (box.targets[:2], box.kitchen[0]) == ((85, 55), 9)
    assert box.colours == ("red", "blue", "green", "yellow", "sky")
    assert "55" in help_rows(bench)


# --- Validation -------------------------------------------------------------------------------------------


def test_disallowed_number_is_refused_with_its_reason(sit: Sit, data: Path) -> None:
    bench = sit("Böse Buben", "Custom box", "Races and mud")
    bench.press(0, "1", "2", "#")
    assert (page(bench).said, page(bench).wrong) == ("12; allowed: a whole number from 1 to 9", True)
    assert (page(bench).value, page(bench).typed) == ("4", False)
    bench.press(0, "7")
    assert (page(bench).value, page(bench).typed, page(bench).said) == ("7", True, "In the built-in box: 4")
    assert not (data / "boese_buben").exists()
    bench.press(0, "#", "9", "9", "9", "9")
    assert page(bench).value == "999"
    bench.choose("Save as")
    assert page(bench).said == "4; allowed: a whole number from 7"
    assert page(bench).title == "How many MC cards are there?"
    bench.press(0, "3", "#")
    assert page(bench).said == "3; allowed: a whole number from 7"
    bench.press(0, "7", "#")
    bench.choose("Save as")
    assert bench.poster.title == "Saved as Our box"


def test_box_names_the_numbers_of_players_it_lacks(sit: Sit) -> None:
    bench = sit("Buntherum", "Custom box", "Hands and chips", seats=5)
    keyed(bench, "5 players", "2", "0", "#")
    assert bench.menu.items[bench.menu.selected] == "Save as Our box"
    assert bench.menu.detail == "the deck has 58 cards; 5 players need 107"
    bench.press(0, "#", "#")
    assert bench.menu.items[2] == "Box: usual"
    bench.press(0, "3")
    assert bench.menu.detail.startswith("Our box cannot be used: the deck has 58 cards; 5 players need 107")
    bench = sit("Buntherum", "Box: usual", seats=4)
    assert bench.menu.items[2] == "Box: Our box"


def test_tile_questions_follow_the_number_of_tiles(sit: Sit) -> None:
    bench = sit("Dé et Boulanger", "Custom box", "The tiles")
    assert page(bench).of == 12
    bench.press(0, "9", "#")
    assert page(bench).said == "10 tiles; allowed: 2 to 9"
    bench.press(0, "7", "#", "2", "#")
    assert page(bench).of == 16
    keyed(bench, "Tile 7: how many croissants?", "0", "#")
    assert bench.menu.title.startswith("Custom box")
    assert played(bench).tiles[5:] == ((1, 1), (1, 0), (), ())


def test_back_leads_to_the_previous_question_and_out(sit: Sit) -> None:
    bench = sit("Buntherum", "Custom box", "Hands and chips")
    bench.press(0, "#", "#", "7", "*")
    assert (page(bench).number, page(bench).typed) == (3, False)
    bench.house("undo", "undo")
    assert page(bench).number == 1
    bench.press(0, "*")
    assert bench.menu.title == "Custom box: Buntherum"
    bench.press(0, "*")
    assert bench.menu.title == "House rules of Buntherum"


# --- Names and drafts -------------------------------------------------------------------------------------


def test_box_is_changed_later_beside_another(sit: Sit, data: Path) -> None:
    def make(bench: Bench, first: str, chips: str) -> None:
        bench.take("Custom box")
        if first:
            bench.take(first)
        bench.take("Hands and chips")
        bench.press(0, chips, "#")
        bench.choose("Save as")
        bench.press(0, "#")

    bench = sit("Buntherum")
    make(bench, "", "4")
    make(bench, "Another box", "5")
    make(bench, "Change Our box 2", "6")
    names = [path.name for path in sorted((data / "buntherum").iterdir())]
    assert names == ["Our box 2.toml", "Our box.toml"]
    assert bench.menu.items[2] == "Box: Our box 2"
    bench.take("Box: ")
    assert bench.menu.items[2] == "Box: Our box"
    bench.take("Start")
    assert bench.match.box.chips_out == 4
    assert "chips_out = 6" in (data / "buntherum" / "Our box 2.toml").read_text("utf-8")


def test_draft_can_be_discarded(sit: Sit, data: Path) -> None:
    bench = sit("Buntherum", "Custom box")
    assert len(bench.menu.items) == 4
    bench.take("Hands and chips")
    bench.press(0, "7", "#")
    bench.choose("Discard it", "No", "Discard it", "Yes")
    assert bench.menu.title == "House rules of Buntherum"
    assert list((data / "buntherum").iterdir()) == []


def test_failing_disk_loses_no_keyed_answer(sit: Sit, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = sit("Buntherum", "Custom box", "Hands and chips")
    with monkeypatch.context() as patch:
        patch.setattr(box_drafts, "replace_file", refuse)
        bench.press(0, "7", "#")
        assert (page(bench).value, page(bench).wrong) == ("7", True)
        assert "Read-only file system. It is kept while the box is open" in page(bench).said
        bench.press(0, "#")
        assert page(bench).number == 2
        bench.choose("Save as")
        assert "Read-only file system" in bench.poster.lines[0]
        assert bench.poster.hint.startswith("Nothing is lost yet")
        bench.press(0, BUZZ)
    bench.take("Save as")
    assert bench.poster.title == "Saved as Our box"
    assert "7" in (data / "buntherum" / "Our box.toml").read_text()


def test_failing_disk_discards_no_draft(sit: Sit, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = sit("Buntherum", "Custom box", "Hands and chips")
    bench.press(0, "7", "#")
    bench.house("menu")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        bench.take("Discard it", "Yes")
        assert "Read-only file system" in bench.poster.lines[0]
        bench.press(0, BUZZ)
    bench.take("Yes")
    assert list((data / "buntherum").iterdir()) == []


@pytest.mark.parametrize("damage", ["[sides", "chips_out = 3", "\x00", "[deck]\nrule = 3"])
def test_damaged_draft_is_left_alone(sit: Sit, data: Path, damage: str) -> None:
    (data / "buntherum").mkdir(parents=True)
    draft = data / "buntherum" / ".Our box.toml"
    draft.write_text(damage, "utf-8")
    bench = sit("Buntherum", "Custom box")
    assert bench.menu.items[-1] == "Save as Our box 2"
    assert draft.read_text("utf-8") == damage


def test_saved_box_becomes_the_default_of_the_table(sit: Sit, tmp_path: Path, data: Path) -> None:
    path = tmp_path / "table.toml"
    folder = f'folder = "{tmp_path}"'
    path.write_text(default_config(all_games()).replace('#folder = ""', folder), "utf-8")
    sit("Buntherum", "Custom box", "Save as Our box", path=path)
    assert read_config(path, all_games()).box_of(load("buntherum")) == "Our box"
    assert sit("Buntherum", path=path).menu.items[2] == "Box: Our box"


def test_custom_box_starts_from_the_table_menu(tmp_path: Path, data: Path) -> None:
    text = f'[display]\nlanguage = "fr"\n[journal]\nfolder = "{tmp_path}"\n'
    bench = Bench(tmp_path, config=parse_config(text, "table.toml", all_games()))
    bench.press(0, "0")
    bench.take("Boîte personnelle", "Buntherum", "Mains et jetons")
    bench.press(0, "4", "#")
    bench.choose("Garder")
    bench.press(0, "#")
    assert bench.menu.title == "Pour quel jeu est ta boîte\u202f?"
    assert (data / "buntherum" / "Notre boîte.toml").exists()


def test_games_without_a_box_form_have_no_line(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("buntherum")._replace(form=None)
    monkeypatch.setattr(host_bench, "all_games", lambda: {game.name: game})
    bench = Bench(tmp_path)
    bench.press(0, "0")
    assert "Custom box" not in bench.menu.items
    bench.press(0, "*", BUZZ)
    bench.press(1, BUZZ, "#", "#")
    assert bench.menu.title == "House rules of Buntherum"
    assert "Custom box" not in bench.menu.items


def test_lost_disk_is_named(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(path: Path) -> bool:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    bench = sit("Buntherum", "Custom box")
    monkeypatch.setattr(boxes, "exists", gone)
    bench.press(0, BUZZ)
    assert "Our box.toml: Input/output error" in bench.poster.lines[0]
    with pytest.raises(BoxError, match=r"ours\.toml: Input/output error"):
        boxes.named(load("buntherum"), "ours")
