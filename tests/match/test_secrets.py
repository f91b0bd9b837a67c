"""Matches that differ only in hidden cards or bids give the same output and records."""

import io
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from companion.cli.headless import Printer, run_script
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import Seat, SecretMove
from companion.core.record import Entry, parse_entry
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Journal, open_record
from tests.running import Here, robot_table

GAME = load("buntherum")
NAMES = ("Anna", "Ben", "Cleo")
AUDIENCES = (None, 0, 1, 2)

STARTERS = ("red car", "green car", "green cup", "green ball", "green flower", "red cup")
CARDS = ("sky telephone", "pink butterfly", "yellow car", "purple cube")
SETUP = "\n".join(
    ("0.1 table youngest 1", *(f"0.1 table starter {side} {card}" for side, card in enumerate(STARTERS, 1)))
)
SCRIPT = "\n".join(
    [
        SETUP,
        f"0.2 table flip {CARDS[0]}",
        "1 seat 2 buzz",
        "1.02 seat 1 buzz stamped 1.0002",
        f"+0.1 table flip {CARDS[1]}",
        "2 seat 1 buzz",
        "2.5 seat 1 keys 0",
        f"+0.1 table flip {CARDS[2]}",
        "3 seat 3 unplug",
        "3.5 seat 3 plug",
        "4 seat 2 buzz",
        "4.5 house undo",
        "4.7 seat 3 buzz",
        f"5.9 table flip {CARDS[3]}",
        "8.2 table flip blue cube",
        "9 house undo",
        "9.1 house pause",
    ]
)


def without_hash(printed: str) -> str:
    """Remove the hash of the seed, the only allowed difference."""
    found, count = re.subn(r'"seed_sha256": "[0-9a-f]{64}"', "", printed)
    assert count == 1
    return found


def test_seeds_with_the_same_open_cards_look_alike(tmp_path: Path, companion_here: Here) -> None:
    """They differ only in cards that were never turned."""
    for audience in AUDIENCES:
        seat = () if audience is None else ("--as", audience + 1)
        printed, records = [], []
        for seed in ("7", "8"):
            path = tmp_path / f"{seed}-{audience}.record"
            done = companion_here(
                "headless",
                "buntherum",
                "--seed",
                seed,
                "--ruling",
                "declare_s=3",
                *seat,
                "--journal",
                path,
                stdin=SCRIPT,
            )
            assert (done.returncode, done.stderr) == (0, "")
            printed.append(without_hash(done.stdout))
            records.append(companion_here("export", path, *seat).stdout)
        assert printed[0] == printed[1]
        assert records[0] == records[1]
        assert all(f'"card": "{card}"' in printed[0] for card in CARDS)


def box_without(card: str) -> str:
    """Return a box that lists all cards except one."""
    box = GAME.read_box(GAME.box_text, "box.toml")
    listed = [box.names[other] for other in box.deck if box.names[other] != card]
    cards = ", ".join(
        f'{{ object = "{thing}", colour = "{colour}" }}' for colour, thing in (name.split() for name in listed)
    )
    return GAME.box_text.replace('rule = "all_pairs_except_hexagon"', f"cards = [{cards}]")


def played(box_text: str, seed: str, script: str) -> tuple[dict[Seat | None, str], Match]:
    """Return the output for each of AUDIENCES, and the match."""
    match = Match(GAME, NAMES, box_text=box_text, tags={"Deal": "pi", "Seed": seed, "SeedOrigin": "given"})
    outs = {audience: io.StringIO() for audience in AUDIENCES}
    printers = [Printer(out, audience) for audience, out in outs.items()]

    def tell(t_ns: int, told: Event) -> None:
        for printer in printers:
            printer(t_ns, told)

    run_script(VirtualTable(match), script.splitlines(), "script", tell)
    return {audience: out.getvalue() for audience, out in outs.items()}, match


def presses(luck: random.Random) -> str:
    """Return a script with fixed starters and random presses."""
    lines = SETUP.splitlines()
    for _ in range(60):
        act = luck.choice(
            ("seat {} buzz", "seat {} keys {}", "seat {} keys *", "house skip", "house undo", "house ok")
        )
        lines.append(f"+0.{luck.randrange(1000):03} {act.format(luck.randint(1, 3), luck.randrange(7))}")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", [str(seed) for seed in range(10)])
def test_boxes_with_different_hidden_cards_look_alike(seed: str) -> None:
    """The two cards are neighbours in the deck, so all other draws agree."""
    script = presses(random.Random(seed))
    box = GAME.read_box(GAME.box_text, "box.toml")
    everything, _ = played(GAME.box_text, seed, script)
    hidden = [pair for pair in pairwise(box.deck) if not any(box.names[card] in STARTERS for card in pair)]
    compared = 0
    for pair in hidden[:: len(hidden) // 5]:
        one, other = (box_without(box.names[card]) for card in pair)
        first, match = played(one, seed, script)
        second, again = played(other, seed, script)
        if any(box.names[card] in first[None] + second[None] for card in pair):
            continue  # not hidden: it was turned
        for audience in AUDIENCES:
            assert first[audience] == second[audience]
            assert match.view(audience)._replace(box=None) == again.view(audience)._replace(box=None)
            assert match.log(audience).entries == again.log(audience).entries
        compared += 1
    assert "flip" in everything[None]
    assert compared


# --- The length of records --------------------------------------------------------------------------------


def grown(path: Path, match: Match, entries: list[Entry]) -> list[int]:
    """Return the bytes that each entry adds to a record."""
    sizes = []
    with Journal.create(path, match) as journal:
        for entry in entries:
            before = path.stat().st_size
            journal.append(entry)
            sizes.append(path.stat().st_size - before)
    return sizes


@pytest.mark.parametrize("name", ["boese_buben", "buro_crazy"])
def test_every_secret_entry_has_the_same_length(tmp_path: Path, name: str) -> None:
    sizes: dict[str, set[int]] = {}
    for seed in range(8):
        path = tmp_path / f"{seed}.record"
        match = robot_table(load(name), str(seed), journal=path).match
        for line in path.read_bytes().splitlines()[-len(match.entries) :]:
            body = line.rpartition(b" ;")[0].decode()
            if match.is_secret(entry := parse_entry(body.rstrip(" "))):
                sizes.setdefault(entry.move.split()[1], set()).add(len(line))
            else:
                assert not body.endswith(" ")
        opened = open_record(path, all_games())
        assert opened.damage is None
        assert opened.match.entries == match.entries
    assert set(sizes) >= ({"answer"} if name == "boese_buben" else {"commit", "total", "report"})
    assert len(set.union(*sizes.values())) == 1


def test_relocked_and_corrected_bids_have_the_same_length(tmp_path: Path) -> None:
    game = load("buro_crazy")
    match = new_match(game, NAMES, seed="7")
    found = []
    for number, bid in enumerate(("none", "1", "20 10 5 2 1", " ".join(["20"] * 150))):
        locked, again = Entry("move", 2, f"1 commit {bid}"), Entry("amend", 2, f"1 commit {bid}")
        found.append(grown(tmp_path / f"{number}.record", match, [locked, Entry("move", 3, "1 retract"), again]))
    assert found == [found[0]] * 4
    assert found[0][0] == found[0][2] > found[0][1]


def test_longest_bid_with_longest_evidence_keeps_the_length(tmp_path: Path) -> None:
    """All cards of a box with two digits each, at the last readable move, in thirty years."""
    game = load("buro_crazy")
    every = SecretMove(Seat(0), "commit", (0, 0, 0, 0, 150))
    text = game.notation.format_move(game.read_box(game.box_text, "box.toml"), every)
    last = Entry("amend", 20_000, text, f"t_ns={10**18 - 1}")
    none = Entry("move", 2, "1 commit none")
    one, other = grown(tmp_path / "long.record", new_match(game, NAMES, seed="7"), [none, last])
    assert one == other


def test_record_begun_in_midmatch_hides_its_bid(tmp_path: Path) -> None:
    """Records that were exported and resumed, for example."""
    game, sizes = load("buro_crazy"), set()
    for number, choice in enumerate((0, -1)):
        match = new_match(game, NAMES, seed="7")
        match.push(game.rules.draws(match.state)[0])
        seat = match.state.duel[0]
        match.push([move for move in game.rules.legal(match.state, seat) if move.verb == "commit"][choice])
        path = tmp_path / f"{number}.record"
        Journal.create(path, match).close()
        sizes.add(path.stat().st_size)
        path.write_text(match.dumps(), "utf-8")
        Journal.resume(path, all_games())[0].close()
        sizes.add(path.stat().st_size)
    assert len(sizes) == 1
