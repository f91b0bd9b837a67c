"""`companion club` on the command line: evenings, the house's commands and refusals."""

import csv
import re
import shutil
from pathlib import Path

import pygame
import pytest

from companion.club import picture
from companion.club.ledger import read
from companion.club.schedule import from_records
from companion.core.tags import EVENT_TAG
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.records.stats_pictures import SIZE
from companion.referee.journal import Journal
from tests.running import Here, whole_match


def begun(here: Here, tmp_path: Path, *names: str, **options: object) -> Path:
    listed = tmp_path / "names.txt"
    listed.write_text("\n".join(["# who comes", *names, ""]), "utf-8")
    path = tmp_path / "evening.club"
    more = [word for key, value in options.items() for word in (f"--{key}", value)]
    done = here("club", "new", path, "buntherum", "--names", listed, "--tables", "A,B", "--seed", "s", *more)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def test_records_of_a_table_make_an_evening(companion_here: Here, tmp_path: Path) -> None:
    names, folder = NAMES[:3], tmp_path / "table"
    path = begun(companion_here, tmp_path, *names, seats=3, rounds=2)
    done = companion_here("club", "next", path)
    assert done.stdout.startswith("round 1 of 2\n  table A: ")
    assert companion_here("club", "next", path).stdout == done.stdout, "who asks again is told again"

    match = whole_match(folder / "2026-01-01-200000-buntherum.record", load("buntherum"))
    done = companion_here("club", "next", path, "--from", folder)
    first = match.names[match.outcome.winners[0]]
    assert f"result of round 1: 1. {first}" in done.stdout
    assert "round 2 of 2\n  table A: " in done.stdout
    told = companion_here("club", "standings", path).stdout
    assert "standings after round 1 of 2" in told
    assert told.split("matches\n")[1].split()[:2] == [first, "1"]

    before = path.read_bytes()
    assert "result" not in companion_here("club", "next", path, "--from", folder, folder).stdout, (
        "it counted already"
    )
    assert path.read_bytes() == before
    last = names[names.index(first) - 1]
    done = companion_here("club", "result", path, last, *(name for name in names if name != last))
    assert (done.returncode, done.stdout[:21]) == (0, "result of round 2: 1.")
    done = companion_here("club", "next", path)
    assert done.stdout.startswith("all 2 rounds are over")
    assert done.stdout.count("\n") == 1 + 1 + len(names) + 1


def test_pairs_evening_ends_when_the_remaining_have_met(companion_here: Here, tmp_path: Path) -> None:
    path = begun(companion_here, tmp_path, "Anna", "Ben", "Cleo", seats=2, system="robin")
    companion_here("club", "next", path)
    first = read(path).rounds[0].drawn
    companion_here("club", "result", path, *first.groups[0])
    companion_here("club", "leave", path, first.groups[0][0])
    done = companion_here("club", "next", path)
    assert f"table A: {', '.join(read(path).rounds[1].drawn.groups[0])}" in done.stdout
    companion_here("club", "result", path, *read(path).rounds[1].drawn.groups[0])
    done = companion_here("club", "next", path)
    assert done.stdout.startswith("no more rounds are possible")
    assert "opponents" in done.stdout, "how all stand"


def test_damaged_demo_or_unfinished_records_give_no_result(tmp_path: Path) -> None:
    game, folder = load("buntherum"), tmp_path / "table"
    for name, tags in (("show", {"demo": True}), ("lesson", {"lesson": True})):
        match = whole_match(folder / f"{name}.record", game)
        text = (folder / f"{name}.record").read_text("utf-8")
        assert EVENT_TAG not in match.tags
        marked = new_match(game, NAMES[:3], seed="7", **tags).tags[EVENT_TAG]
        bare = "\n".join(line.rpartition(" ;")[0] for line in text.splitlines())
        (folder / f"{name}.record").write_text(f'[{EVENT_TAG} "{marked}"]\n{bare}\n', "utf-8")
    Journal.create(folder / "begun.record", new_match(game, NAMES[:3], seed="7")).close()
    whole_match(folder / "bad.record", game)
    data = (folder / "bad.record").read_bytes()
    (folder / "bad.record").write_bytes(data[:-10])
    found, damaged = from_records([folder], all_games())
    assert (found, damaged) == ([], ["bad"])
    whole_match(folder / "good.record", game)
    assert [each.match for each in from_records([folder], all_games())[0]] == ["good"]


def test_copied_record_counts_once(tmp_path: Path) -> None:
    whole_match(tmp_path / "table" / "evening.record", load("buntherum"))
    (tmp_path / "stick").mkdir()
    shutil.copy(tmp_path / "table" / "evening.record", tmp_path / "stick" / "copy of evening.record")
    found, _ = from_records([tmp_path / "table", tmp_path / "stick"], all_games())
    assert [each.match for each in found] == ["evening"]


def test_first_folder_wins_among_differing_copies(tmp_path: Path) -> None:
    match = whole_match(tmp_path / "table" / "evening.record", load("buntherum"))
    winner, *_ = match.outcome.winners
    other = next(seat for seat in range(len(match.names)) if seat != winner)
    text = (tmp_path / "table" / "evening.record").read_text("utf-8")
    bare = "\n".join(line.rpartition(" ;")[0] for line in text.splitlines())
    one, two = f'[Seat{winner + 1} "', f'[Seat{other + 1} "'
    for seat, name in (one, match.names[other]), (two, match.names[winner]):
        bare = re.sub(rf"{re.escape(seat)}.*\"]", f'{seat}{name}"]', bare)
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick" / "evening.record").write_text(f"{bare}\n", "utf-8")
    folders = [tmp_path / "table", tmp_path / "stick"]
    for first, second in (folders, folders[::-1]):
        [alone], _ = from_records([first], all_games())
        assert from_records([first, second], all_games())[0] == [alone]


def test_standings_are_written_as_csv_and_picture(companion_here: Here, tmp_path: Path) -> None:
    path = begun(companion_here, tmp_path, "Anna", 'Ben "B"', "Cleo, C", "Dora", seats=2, rounds=1)
    companion_here("club", "next", path)
    for group in read(path).rounds[0].drawn.groups:
        assert companion_here("club", "result", path, *group).returncode == 0
    assert companion_here("club", "leave", path, "Dora").stdout == "Dora is not drawn again\n"
    shown = tmp_path / "pictures" / "wall.png"
    done = companion_here("club", "standings", path, "--csv", "--picture", shown)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert {row["player"] for row in rows} == {"Anna", 'Ben "B"', "Cleo, C", "Dora"}
    assert [row["points"] for row in rows] == ["1.0", "1.0", "0.0", "0.0"]
    assert [row["left"] for row in rows if row["player"] == "Dora"] == ["1"]
    assert pygame.image.load(shown).get_size() == SIZE


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("next", "none.club"), "none.club: No such file or directory"),
        (("next", "."), ".: Is a directory"),
        (("standings", "evening.club", "--picture", "."), ".: Is a directory"),
        (("standings", "names.txt"), "names.txt: not a tournament file; companion club new starts one"),
        (("next", "evening.club", "--from", "nowhere"), "--from nowhere: there is no such folder"),
        (("next", "evening.club", "--tables", "A,A"), "--tables: 'A' appears twice"),
        (("leave", "evening.club", "Ana"), "unknown player 'Ana'; did you mean 'Anna'?"),
        (
            ("result", "evening.club", "Anna", "Ben"),
            "no round has been drawn yet; companion club next draws the first",
        ),
        (("new", "evening.club", "buntherum", "--names", "names.txt", "--tables", "A"), "it was not changed"),
        (("new", "x.club", "buntherum", "--names", "gone.txt", "--tables", "A"), "--names gone.txt: No such file"),
        (("new", "x.club", "buntherum", "--names", "bad.txt", "--tables", "A"), "not a UTF-8 text file"),
        (("new", "x.club", "buntherum", "--names", "long.txt", "--tables", "A"), "allowed: up to 24"),
        (("new", "x.club", "buntherum", "--names", "unseen.txt", "--tables", "A"), "'B\\u202een'"),
        (("new", "x.club", "buntherum", "--names", "equal.txt", "--tables", "A"), "may not begin with ="),
        (
            ("new", "x.club", "buntherum", "--names", "none.txt", "--tables", "A"),
            "--names: allowed: names, at least 2",
        ),
        *(
            (
                ("new", "x.club", "buntherum", "--names", "names.txt", "--tables", "A", "--seats", seats),
                f"--seats {seats}: allowed: 2, 3",
            )
            for seats in ("9", "1", "0", "-1")
        ),
    ],
)
def test_refused_command_says_why_and_changes_nothing(
    companion_here: Here, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    path = begun(companion_here, tmp_path, "Anna", "Ben", "Cleo")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "long.txt").write_text(f"Anna\n{'B' * 41}\n", "utf-8")
    (tmp_path / "unseen.txt").write_text("# who comes\nAnna\nB\u202een\n", "utf-8")
    (tmp_path / "equal.txt").write_text("Anna\n=Ben\n", "utf-8")
    (tmp_path / "none.txt").touch()
    before = sorted(tmp_path.iterdir()), path.read_bytes()
    done = companion_here("club", words[0], *(tmp_path / w if "." in w or w == "nowhere" else w for w in words[1:]))
    assert done.returncode in {1, 2}
    assert says.rpartition(": ")[2] in done.stderr
    assert "Traceback" not in done.stderr
    assert (sorted(tmp_path.iterdir()), path.read_bytes()) == before


def test_picture_fits_longest_names_of_64_players(tmp_path: Path) -> None:
    from tests.club.evenings_of_robots import begun, plan, played_on  # noqa: PLC0415

    names = tuple(f"Maximiliane-Charlotte {number}" for number in range(64))
    full = begun(tmp_path / "full.club", plan(64, 16, players=names))
    picture.draw(played_on(full), tmp_path / "full.png")
    drawn = pygame.image.load(tmp_path / "full.png")
    edge = drawn.get_at((0, 0))
    assert all(drawn.get_at((x, y)) == edge for x in (4, SIZE[0] - 5) for y in range(SIZE[1]))
    assert all(drawn.get_at((x, SIZE[1] - 4)) == edge for x in range(SIZE[0]))
