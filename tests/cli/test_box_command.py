"""`companion box` creates, lists, shows and checks custom boxes."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from companion.games import all_games, load
from companion.referee.journal import open_record
from tests.running import Here

GAMES: Final = all_games()

Damage = Callable[[str], str]


def to(old: str, new: str = "") -> Damage:
    """Return a function that replaces `old`, which must occur once."""

    def damage(text: str) -> str:
        assert text.count(old) == 1, (text.count(old), old)
        return text.replace(old, new)

    return damage


def both(*damages: Damage) -> Damage:
    def damage(text: str) -> str:
        for one in damages:
            text = one(text)
        return text

    return damage


DAMAGED: Final[tuple[tuple[str, Damage, tuple[str, ...]], ...]] = (
    (
        "any",
        both(to("times = 10", "times = 0"), to('\nkind = "first"\ntimes', '\nkind = "first"\nopen = "ok"\ntimes')),
        (
            "rounds[1]: unknown key 'open'; did you mean 'opens'?",
            "rounds[1].times: 0; allowed: a whole number from 1",
        ),
    ),
    ("buntherum", to("chips_out = 3", "chips = 3"), ("box: unknown key 'chips'", "box: 'chips_out' is missing")),
    (
        "buntherum",
        both(
            to('"cube", colour = "green"', '"cub", colour = "green"'), to('colour = "red" }\n3', "colour = 7 }\n3")
        ),
        ("sides.1.object: 'cub' is not in the legend; did you mean 'cube'?", "sides.2.colour: 7 is not in the"),
    ),
    (
        "buntherum",
        to('rule = "all_pairs_except_hexagon"', 'cards = [{ object = "bus", colour = "red", count = 1000 }]'),
        ("deck.cards[1].count: 1000; allowed: a whole number from 1 to 99", "deck.cards[1].object: 'bus' is not"),
    ),
    (
        "buro_crazy",
        both(to("forfeit = 10", "forfeit = -1"), to("piles = 9", 'piles = "9"'), to("stairs = 80", "stairs = 8.5")),
        (
            "kitchen.targets.stairs: 8.5; allowed: a whole number from 0",
            "end.piles: '9'; allowed: a whole number from 1",
            "end.forfeit: -1; allowed: a whole number from 0",
        ),
    ),
    (
        "buro_crazy",
        both(to("piles = 9", "piles = 3"), to("2 = 3, 5 = 4", "2 = 4, 5 = 4")),
        (
            "kitchen.start: worth 82; allowed: 80, the target of the stairs",
            "end.shares: 7 piles in all; allowed: up to 3",
        ),
    ),
    (
        "buro_crazy",
        to("3 = 5, 4 = 4", "3 = 6, 4 = 4"),
        ("figures.per_player.3: 18 figures in all; allowed: 15 or 16", "figures.colours: 0 colours have 6 figures"),
    ),
    (
        "boese_buben",
        both(to("races = 4", "races = 10"), to("lane_prize = 3", "lane_prize = 0"), to("1 = 24", "1 = 2.4")),
        (
            "ducats.1: 2.4; allowed: a whole number from 0",
            "races: 10; allowed: a whole number from 1 to 9",
            "lane_prize: 0; allowed: a whole number from 1",
        ),
    ),
    (
        "boese_buben",
        both(
            to('{ value = 0, action = "none"', '{ value = 7, action = "none"'), to("[ducats]\n1 = 24", "[ducats]")
        ),
        ("ducats: '1' is missing", "cards[1].value: 7; allowed: a whole number from 0 to 6"),
    ),
    (
        "de_et_boulanger",
        both(to("bread = 10", 'bread = "ten"'), to("home_bonus = 2", "home_bonus = 1000"), to("load_limit = 6")),
        (
            "box: 'load_limit' is missing",
            "home_bonus: 1000; allowed: a whole number from 0 to 999",
            "sell.bread: 'ten'; allowed: a whole number from 0 to 999",
        ),
    ),
    (
        "de_et_boulanger",
        to("#.M.....A.#", "#.N.......#"),
        (
            "map: 2 times N (top); allowed: 1",
            "map: 1 times M (mill); allowed: 2",
            "map: 1 times A (farm); allowed: 2",
        ),
    ),
)
"""Damaged boxes: the game, the damage, and the expected lines in order."""


@pytest.mark.parametrize(("name", "damage", "told"), DAMAGED)
def test_check_reports_every_mistake_and_keeps_the_file(
    name: str, damage: Damage, told: tuple[str, ...], tmp_path: Path, companion_here: Here
) -> None:
    damaged = damage(GAMES[name].box_text)
    (tmp_path / "box.toml").write_text(damaged, "utf-8")
    done = companion_here("box", "check", "box.toml")
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines)) == (2, len(told)), lines
    for line, words in zip(lines, told, strict=True):
        assert line.startswith("box.toml: "), line
        assert words in line
    assert (tmp_path / "box.toml").read_text("utf-8") == damaged


# --- new, list, show --------------------------------------------------------------------------------------


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    return tmp_path / "data" / "companion" / "boxes"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_new_box_copies_the_default_with_its_comments(game: str, boxes: Path, companion_here: Here) -> None:
    done = companion_here("box", "new", game)
    path = boxes / game / "mine.toml"
    assert f"{path} written" in done.stdout
    assert f'[games.{game}] box = "mine"' in done.stdout
    text = path.read_text("utf-8")
    assert text.endswith(f"\n\n{GAMES[game].box_text}")
    box = load(game).read_box(text, "mine.toml")
    assert box == load(game).read_box(load(game).box_text, "box.toml")
    assert companion_here("box", "check", path).stdout == f"{path} is a valid box for {load(game).title}\n"


def test_new_box_never_overwrites_a_file(boxes: Path, companion_here: Here) -> None:
    companion_here("box", "new", "buntherum", "our own")
    path = boxes / "buntherum" / "our own.toml"
    path.write_text("changed", "utf-8")
    done = companion_here("box", "new", "buntherum", "our own")
    assert (done.returncode, done.stderr) == (2, f"companion: {path} already exists; it was not changed\n")
    assert path.read_text("utf-8") == "changed"


@pytest.mark.parametrize("name", ["", " mine", "../mine", "a/b", ".hidden", "x" * 25, "a\nb", "b.toml", 'a"b'])
def test_bad_box_name_is_refused(name: str, boxes: Path, companion_here: Here) -> None:
    done = companion_here("box", "new", "buntherum", name)
    assert done.returncode == 2
    assert f"companion: {name!r} is not a valid box name; allowed: 1 to 24 letters" in done.stderr
    assert not boxes.exists()


def test_uncreatable_folder_is_an_error(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "data").write_text("a file")
    done = companion_here("box", "new", "buntherum")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"companion: .*mine\.toml: (Not a directory|File exists)\n", done.stderr)


def test_list_marks_the_current_box_and_reports_damage(tmp_path: Path, boxes: Path, companion_here: Here) -> None:
    companion_here("box", "new", "buntherum")
    companion_here("box", "new", "buntherum", "other")
    path = boxes / "buntherum" / "other.toml"
    path.write_text(path.read_text("utf-8").replace("chips_out = 3", "chips_out = 0"), "utf-8")
    (boxes / "buntherum" / "notes.txt").write_text("mine")
    (boxes / "buntherum" / "folder.toml").mkdir()
    (tmp_path / "table.toml").write_text('[games.buntherum]\nbox = "mine"\n[games.buro_crazy]\nbox = "lost"\n')
    lines = companion_here("box", "list", "--table", "table.toml").stdout.splitlines()
    folder = boxes / "buntherum"
    assert lines[lines.index("buntherum:") :] == [
        "buntherum:",
        "    usual",
        f"    folder  {folder / 'folder.toml'}",
        f"      {folder / 'folder.toml'}: not a file",
        f"  * mine  {folder / 'mine.toml'}",
        f"    notes  {folder / 'notes.txt'}",
        f"      {folder / 'notes.txt'}: its name must end in .toml",
        f"    other  {path}",
        f"      {path}: chips_out: 0; allowed: a whole number from 1",
        "buro_crazy:",
        "    usual",
        "  * lost: there is no such box",
        *(line for game in ("de_et_boulanger", "any") for line in (f"{game}:", "  * usual")),
    ]


def test_list_names_boxes_begun_at_the_table(boxes: Path, companion_here: Here) -> None:
    folder = boxes / "buntherum"
    folder.mkdir(parents=True)
    (folder / ".Our box.toml").write_text(GAMES["buntherum"].box_text, "utf-8")
    (folder / ".lost.toml").write_text("[sides", "utf-8")
    listed = companion_here("box", "list").stdout
    assert "    Our box: started at the table, not saved yet\n" in listed
    assert "lost" not in listed


def test_show_prints_every_number(boxes: Path, companion_here: Here) -> None:
    companion_here("box", "new", "boese_buben")
    path = boxes / "boese_buben" / "mine.toml"
    path.write_text(path.read_text("utf-8").replace("lane_prize = 3", "lane_prize = 7"), "utf-8")
    shown = companion_here("box", "show", "boese_buben", "mine").stdout
    assert shown.startswith("Böse Buben, box: mine\n")
    assert "  lane_prize = 7\n" in shown
    assert "  cards[11] = value 4, action rauswurf, goblins 2\n" in shown
    every = companion_here("box", "show").stdout
    assert all(f"{game.title}, box: usual\n" in every for game in GAMES.values())
    assert "  lane_prize = 3\n" in every
    assert "      #####N#####\n" in every


def test_show_of_a_missing_box_suggests_a_name(companion_here: Here) -> None:
    done = companion_here("box", "show", "buntherum", "mine")
    assert "Buntherum: unknown box 'mine'; none yet; companion box new makes one" in done.stderr
    companion_here("box", "new", "buntherum")
    assert "did you mean 'mine'?" in companion_here("box", "show", "buntherum", "mien").stderr


# --- Files that are not boxes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a box of any of these games"),
        (b'title = "Settlers"', "not a box of any of these games"),
        (b"chips_out = \xff", "line 1 is not valid UTF-8"),
        (b"chips_out = " + b"9" * 5000, "box.toml: "),
        (b"chips_out = " + b"[" * 5000, "box.toml: "),
        (b"chips_out = 3\0", "box.toml: "),
        (b"[" * 100_000, "box.toml: "),
    ],
)
def test_file_that_is_not_a_box_is_refused(
    content: bytes, words: str, tmp_path: Path, companion_here: Here
) -> None:
    (tmp_path / "box.toml").write_bytes(content)
    done = companion_here("box", "check", "box.toml")
    assert (done.returncode, done.stderr) == (2, "")
    assert words in done.stdout


def test_unreadable_file_is_an_error(tmp_path: Path, companion_here: Here) -> None:
    for name, why in (
        ("none.toml", "No such file or directory"),
        (".", "not a file"),
        ("a" * 300, "name too"),
    ):
        done = companion_here("box", "check", name)
        assert done.returncode == 2
        assert why in done.stdout + done.stderr


# --- Playing with a custom box ----------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path, boxes: Path, companion_here: Here) -> Path:
    companion_here("box", "new", "buntherum", "four chips")
    path = boxes / "buntherum" / "four chips.toml"
    path.write_text(path.read_text("utf-8").replace("chips_out = 3", "chips_out = 4"), "utf-8")
    table = tmp_path / "table.toml"
    table.write_text('[games.buntherum]\nbox = "four chips"\n')
    return table


def test_record_stores_the_box_of_its_match(tmp_path: Path, boxes: Path, table: Path, companion_here: Here) -> None:
    words = ("headless", "buntherum", "--seed", "7", "--journal", "one.record")
    assert companion_here(*words, "--table", table).returncode == 0
    (boxes / "buntherum" / "four chips.toml").unlink()
    match = open_record(tmp_path / "one.record", GAMES).match
    assert (match.box.chips_out, match.tags["BoxName"]) == (4, "four chips")
    assert companion_here("headless", "buntherum", "--resume", "--journal", "one.record").returncode == 0
    companion_here("headless", "buntherum", "--seed", "7", "--journal", "two.record")
    assert "BoxName" not in open_record(tmp_path / "two.record", GAMES).match.tags


def test_robots_play_with_the_custom_box(tmp_path: Path, table: Path, companion_here: Here) -> None:
    done = companion_here("simulate", "buntherum", "-n", "2", "--records", "records", "--table", table)
    assert done.returncode == 0, done.stderr
    for path in (tmp_path / "records").glob("*.record"):
        assert open_record(path, GAMES).match.box.chips_out == 4


def test_damaged_box_is_refused_by_headless_and_check(boxes: Path, table: Path, companion_here: Here) -> None:
    path = boxes / "buntherum" / "four chips.toml"
    path.write_text(path.read_text("utf-8").replace("chips_out = 4", "chips_out = 0"), "utf-8")
    for words in (("headless", "buntherum", "--table", table), ("config", "check", table)):
        done = companion_here(*words)
        assert done.returncode == 2
        assert f"{path}: chips_out: 0; allowed: a whole number from 1" in done.stderr
    path.unlink()
    assert "Buntherum: unknown box 'four chips'" in companion_here("config", "check", table).stderr


def test_record_preserves_any_comment_of_a_box(
    tmp_path: Path, boxes: Path, table: Path, companion_here: Here
) -> None:
    path = boxes / "buntherum" / "four chips.toml"
    odd = '# "quotes" \\ back; {braces} [tags] \u2028 \x85 \ufeff é ; 1234abcd\r\n'
    path.write_bytes((odd + path.read_text("utf-8")).encode())
    assert companion_here("headless", "buntherum", "--journal", "odd.record", "--table", table).returncode == 0
    match = open_record(tmp_path / "odd.record", GAMES).match
    assert match.box.chips_out == 4
    assert match.box_text.startswith(odd.replace("\r", ""))
