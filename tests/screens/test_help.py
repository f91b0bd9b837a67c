"""The help pages, and the screen that turns them."""

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config.boxes import usual
from companion.config.table_file import parse_config
from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.console import BUZZ, KEYS
from companion.core.files import assets_folder
from companion.core.game import Game
from companion.core.guide import Page
from companion.core.handicaps import without_handicaps
from companion.core.place import HOUSE
from companion.display import theme
from companion.display.frame import HelpPage, Play
from companion.display.pages.help_page import DASH, marks_of
from companion.games import all_games, load
from companion.screens.help import MOST_RULINGS, pages_of, ruling_pages
from tests import host_bench
from tests.host_bench import GAME, Bench
from tests.of_games import facts

GAMES = list(all_games().values())

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def values_of(game: Game) -> Iterator[Any]:
    """Yield the default rulings, and each value that a menu offers."""
    default = game.rulings()
    yield default
    for field in dataclasses.fields(game.rulings):
        rulings = options.next_value(default, field.name)
        while rulings != default:
            yield rulings
            rulings = options.next_value(rulings, field.name)


def own_pages(game: Game, rulings: Any, box_text: str = "") -> list[Page]:
    assert game.guide
    return list(game.guide.pages(rulings, game.read_box(box_text or game.box_text, "box.toml")))


def said(pages: list[Page]) -> str:
    return "\n".join(str(row.text) for page in pages for row in page.rows)


# --- Pages ------------------------------------------------------------------------------------------------


def known(mark: str) -> bool:
    name, _, colour = mark.partition(":")
    drawing = assets_folder() / "pictograms" / f"{name}.svg"
    return mark in KEYS or mark == DASH or (drawing.exists() and colour in {"", *theme.INKS})


@every_game
def test_every_mark_is_a_key_or_a_drawing(game: Game) -> None:
    pages = [page for rulings in values_of(game) for page in pages_of(game, rulings, usual(game))]
    assert game.lesson
    pages += [page for step in game.lesson.steps for page in step.pages]
    pages += game.lesson.last
    for page in pages:
        assert page.rows
        assert not page.picture or known(page.picture)
        for row in page.rows:
            assert all(map(known, marks_of(row.sign))), row


def test_marks_expand_ranges_and_colours() -> None:
    assert marks_of("A 1-9") == ("A", "1", DASH, "9")
    assert marks_of("# buzzer car:pink") == ("#", "buzzer", "car:pink")
    assert marks_of("") == ()


@every_game
def test_every_ruling_is_named_once(game: Game) -> None:
    for rulings in values_of(game):
        pages = ruling_pages(rulings)
        rows = [row for page in pages for row in page.rows]
        assert max(len(page.rows) for page in pages) <= MOST_RULINGS
        shown = {*without_handicaps(rulings), *options.changed(rulings)}
        fields = [field for field in dataclasses.fields(rulings) if field.name in shown]
        for field, row in zip(fields, rows, strict=True):
            line, ours = str(options.line(rulings, field.name)), field.metadata["ours"]
            if getattr(rulings, field.name) == field.default:
                assert (row.sign, str(row.text)) == ("gear" if ours else "book", line)
            else:
                default = str(options.line(game.rulings(), field.name)).rpartition(": ")[2]
                usual = "Usual" if ours else "Rulebook"
                assert (row.sign, str(row.text)) == ("star", f"{line}. {usual}: {default}")


def test_companions_own_defaults_do_not_cite_the_rulebook() -> None:
    rows = [row for page in ruling_pages(load("buntherum").rulings()) for row in page.rows]
    signs = {str(row.text): row.sign for row in rows}
    assert signs["Time for the row: 2 s"] == signs["Ties: within 1 ms"] == "gear"
    assert signs["Last card: turning it wins"] == "book"


@pytest.mark.parametrize(
    ("name", "rulings", "words"),
    [
        ("buntherum", {"call_input": "direct"}, "you call with a key"),
        ("buntherum", {"declare_s": 8}, "0.9 to 8 s"),
        ("buntherum", {"late_declare": "skip"}, "the card is skipped"),
        ("buntherum", {"early_buzz": "chip"}, "is visible: a red chip"),
        ("buntherum", {"nobody_after_s": 20}, "after 20 seconds"),
        ("buntherum", {"last_card": "must_place"}, "yourself"),
        ("buntherum", {"printed_counts": False}, "hexagon does not count"),
        ("buro_crazy", {"tracking": "points"}, "The points that you bid"),
        ("buro_crazy", {"bid_entry": "total"}, "The points that you bid"),
        ("buro_crazy", {"kitchen_adjust": "top_up"}, "topped up"),
        ("buro_crazy", {"tie_rounding": "down"}, "rounded down"),
        ("buro_crazy", {"zero_tie_limit": 2}, "After 2 ties"),
        ("boese_buben", {"variant": "action"}, "Swap equal cards"),
        ("boese_buben", {"monochrome_lane": "any"}, "only one colour"),
        ("boese_buben", {"variant": "action", "kostenlos": "all"}, "All your cards are free"),
        ("de_et_boulanger", {"movement": "trust"}, "if you are home"),
        ("de_et_boulanger", {"shop_stops_move": False}, "does not end your move"),
        ("de_et_boulanger", {"bonus_needs_trip": False}, "even if you never left: 2 sous."),
        (
            "de_et_boulanger",
            {"bonus_needs_trip": False, "carried_home": "after_own"},
            "even if you never left: 2 sous. Otherwise you are carried home.",
        ),
    ],
)
def test_pages_follow_the_rulings(name: str, rulings: dict[str, Any], words: str) -> None:
    game = load(name)
    assert words not in said(own_pages(game, game.rulings()))
    assert words in said(own_pages(game, game.rulings(**rulings)))


def odd_box(game: Game) -> str:
    text = game.box_text
    for old, new in facts(game.name).odd:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@every_game
def test_pages_follow_the_box(game: Game) -> None:
    usual_words = said(own_pages(game, game.rulings()))
    odd_words = said(own_pages(game, game.rulings(), odd_box(game)))
    for words in facts(game.name).odd_says:
        assert words not in usual_words
        assert words in odd_words


@every_game
def test_no_number_of_the_usual_box_remains(game: Game) -> None:
    def numbers(text: str) -> list[list[str]]:
        pages = own_pages(game, game.rulings(), text)
        return [re.findall("[0-9]+", str(row.text)) for page in pages for row in page.rows]

    usual_rows, odd_rows = numbers(game.box_text), numbers(odd_box(game))
    same = [one for one, other in zip(usual_rows, odd_rows, strict=True) if one and one == other]
    assert len(same) == facts(game.name).same_rows, same


@every_game
def test_first_page_names_the_box(game: Game) -> None:
    for box, row in (
        (usual(game), ("book", "Box: usual")),
        (NamedBox("ours", odd_box(game)), ("star", "Box: ours")),
    ):
        pages = pages_of(game, game.rulings(), box)
        named = [(one.sign, str(one.text)) for one in pages[0].rows if "Box" in str(one.text)]
        assert named == [row]


# --- The screen -------------------------------------------------------------------------------------------


def page(bench: Bench) -> HelpPage:
    assert isinstance(bench.screen, HelpPage), bench.screen
    return bench.screen


def helped(bench: Bench) -> Bench:
    """Choose Buntherum in the help of the table's menu."""
    bench.press(0, "0")
    bench.take("How to play")
    assert bench.menu.title == "How is it played?"
    bench.take("Buntherum")
    return bench


def test_help_leads_through_all_pages_and_back(bench: Bench) -> None:
    helped(bench)
    every = pages_of(GAME, GAME.rulings(), usual(GAME))
    for number, wanted in enumerate(every, 1):
        assert [side.name for side in bench.frame.sides] == [str(GAME.title)]
        assert (page(bench).title, page(bench).number, page(bench).of) == (str(wanted.title), number, len(every))
        bench.press(0, "#")
    assert bench.menu.items[bench.menu.selected] == "Buntherum"
    bench.press(0, "*")
    assert bench.menu.title == "The table"
    assert bench.menu.items[bench.menu.selected] == "How to play"


@pytest.mark.parametrize(("place", "control"), [(0, "#"), (3, BUZZ), (HOUSE, "ok"), (HOUSE, "skip"), (1, "6")])
def test_keys_turn_pages_both_ways(bench: Bench, place: int, control: str) -> None:
    helped(bench).press(place, control)
    assert page(bench).number == 2
    bench.press(place, control)
    assert page(bench).number == 3
    for back, number in (("4", 2), ("*", 1)):
        bench.press(2, back)
        assert page(bench).number == number
    bench.press(2, "*")
    assert bench.menu.title == "How is it played?"


@pytest.mark.parametrize("control", ["7", "B", "0"])
def test_other_keys_turn_nothing(bench: Bench, control: str) -> None:
    helped(bench).press(0, control)
    assert page(bench).number == 1


@pytest.mark.parametrize("control", ["pause", "menu"])
def test_house_leaves_at_once(bench: Bench, control: str) -> None:
    helped(bench).house("ok", control)
    assert bench.menu.title == "The table"


def test_help_key_explains_a_game_and_its_rulings(bench: Bench) -> None:
    bench.sit(2)
    assert "A: how to play" in bench.menu.hint
    bench.press(0, BUZZ, "A")
    assert page(bench).rows[0][1].startswith("Six rows of cards")
    bench.press(0, "*")
    assert (bench.menu.title, bench.menu.selected) == ("Which game?", 1)
    bench.press(0, "#", "4")  # calls by keys
    assert "A: how to play" in bench.menu.detail
    bench.press(0, "A", "#", "#")
    assert page(bench).rows[0] == ("1-6", "You call this row: one key does both.")
    bench.house("menu")
    assert (bench.menu.title, bench.menu.selected) == ("House rules of Buntherum", 3)
    assert bench.menu.items[3] == "Call: one key"
    bench.press(0, "*")
    assert bench.poster.title == "Who plays?"


def test_help_follows_the_rulings_of_the_table(tmp_path: Path) -> None:
    text = f'[journal]\nfolder = "{tmp_path}"\n[rulings.buntherum]\ncall_input = "direct"\n'
    bench = helped(Bench(tmp_path, config=parse_config(text, "table.toml", all_games())))
    bench.press(0, "#", "#")
    assert page(bench).rows[0][0] == "1-6"


def test_help_in_a_pause_explains_the_current_match(bench: Bench) -> None:
    bench.play()
    before = bench.match.moves
    bench.choose("How to play")
    assert page(bench).of == len(pages_of(GAME, GAME.rulings(), usual(GAME)))
    bench.press(0, BUZZ)
    assert page(bench).number == 2
    bench.house("pause")
    assert (bench.menu.title, bench.menu.items[bench.menu.selected]) == ("Pause", "How to play")
    bench.press(0, "1")
    assert isinstance(bench.screen, Play)
    assert bench.match.moves == before


def test_game_without_a_guide_has_no_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = GAME._replace(guide=None)
    monkeypatch.setattr(host_bench, "all_games", lambda: {without.name: without})
    bench = Bench(tmp_path)
    bench.sit(2)
    for title in ("Which game?", "House rules of Buntherum"):
        bench.press(0, "A")
        assert bench.menu.title == title
        assert "how to play" not in bench.menu.hint
        bench.press(0, "1")
    bench.house("pause")
    assert "How to play" not in bench.menu.items
    bench.take("Leave", "Yes")
    bench.press(0, "0")
    bench.take("Learn a game")
    bench.press(0, "1")
    bench.wait(1)
    bench.house("menu")
    assert bench.menu.items == ("Go on", "Settings", "Leave the lesson")
