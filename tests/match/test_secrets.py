"""Two matches that differ only in what nobody has seen look the same, byte for byte."""

import io
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from running import Here

from companion.cli.headless import Printer, run_script
from companion.core.match import Match
from companion.core.move import Seat
from companion.games import load
from companion.match.virtual_table import VirtualTable

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
        f"8 table flip {CARDS[3]}",
        "8.2 table flip blue cube",
        "9 house undo",
        "9.1 house pause",
    ]
)


def without_hash(printed: str) -> str:
    """Return the output without the hash of the seed, which is the only thing that may differ."""
    found, count = re.subn(r'"seed_sha256": "[0-9a-f]{64}"', "", printed)
    assert count == 1
    return found


def test_two_seeds_with_the_same_open_cards(tmp_path: Path, companion_here: Here) -> None:
    """Every open card is fixed, so the two seeds differ only in the cards that nobody turned."""
    for audience in AUDIENCES:
        seat = () if audience is None else ("--as", audience + 1)
        printed, records = [], []
        for seed in ("7", "8"):
            path = tmp_path / f"{seed}-{audience}.record"
            done = companion_here("headless", "buntherum", "--seed", seed, *seat, "--journal", path, stdin=SCRIPT)
            assert (done.returncode, done.stderr) == (0, "")
            printed.append(without_hash(done.stdout))
            records.append(companion_here("export", path, *seat).stdout)
        assert printed[0] == printed[1]
        assert records[0] == records[1]
        assert all(f'"card": "{card}"' in printed[0] for card in CARDS)


def box_without(card: str) -> str:
    """Return a box that lists its cards, all but one."""
    box = GAME.read_box(GAME.box_text, "box.toml")
    listed = [box.names[other] for other in box.deck if box.names[other] != card]
    cards = ", ".join(
        f'{{ object = "{thing}", colour = "{colour}" }}' for colour, thing in (name.split() for name in listed)
    )
    return GAME.box_text.replace('rule = "all_pairs_except_hexagon"', f"cards = [{cards}]")


def played(box_text: str, seed: str, script: str, audience: Seat | None) -> tuple[str, Match]:
    match = Match(GAME, NAMES, box_text=box_text, tags={"Deal": "pi", "Seed": seed, "SeedOrigin": "given"})
    out = io.StringIO()
    run_script(VirtualTable(match), script.splitlines(), "script", Printer(out, audience))
    return out.getvalue(), match


def presses(luck: random.Random) -> str:
    """Return a script in which the starters are fixed, the dealer draws the rest, and people press anything."""
    lines = SETUP.splitlines()
    for _ in range(60):
        act = luck.choice(
            ("seat {} buzz", "seat {} keys {}", "seat {} keys *", "house skip", "house undo", "house ok")
        )
        lines.append(f"+0.{luck.randrange(1000):03} {act.format(luck.randint(1, 3), luck.randrange(7))}")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", [str(seed) for seed in range(10)])
def test_two_boxes_that_differ_in_one_hidden_card(seed: str) -> None:
    """The two cards are neighbours in the deck: the same draws turn the same other cards."""
    script = presses(random.Random(seed))
    box = GAME.read_box(GAME.box_text, "box.toml")
    everything, _ = played(GAME.box_text, seed, script, None)
    hidden = [pair for pair in pairwise(box.deck) if not any(box.names[card] in STARTERS for card in pair)]
    compared = 0
    for pair in hidden[:: len(hidden) // 5]:
        one, other = (box_without(box.names[card]) for card in pair)
        for audience in AUDIENCES:
            first, match = played(one, seed, script, audience)
            second, again = played(other, seed, script, audience)
            if any(box.names[card] in first + second for card in pair):
                break  # not hidden: it was turned
            assert first == second
            assert match.view(audience)._replace(box=None) == again.view(audience)._replace(box=None)
            assert match.log(audience).entries == again.log(audience).entries
            compared += 1
    assert "flip" in everything
    assert compared
