"""docs/play.md lists the keys that consoles accept, and describes a pod's screen."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ, KEYS, TURN
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.place import ScreenSize
from companion.games import all_games
from companion.match.new_match import NAMES
from companion.match.private_screens import PAGE_NS
from companion.testing.playout import random_move
from tests.of_games import facts
from tests.running import sampled_rulings

PLAY = Path(__file__).parents[2] / "docs" / "play.md"
GAMES = {str(game.title): game for game in all_games().values()}

ANY_TIME = "any time"
LONGEST_ENTRY = 8


# --- Documented keys --------------------------------------------------------------------------------------


def documented(title: str) -> set[tuple[str, str]]:
    section = PLAY.read_text("utf-8").partition(f"### Keys of {title}\n")[2].split("\n#")[0]
    rows = re.findall(r"^\| ([`b].*?) \| (.*?) \| .* \|$", section, re.MULTILINE)
    return {(when, key) for keys, whens in rows for when in whens.split(", ") for key in _keys(keys)}


def _keys(cell: str) -> Iterator[str]:
    if "buzzer" in cell:
        yield BUZZ
    for first, last in re.findall(r"`(.)`(?: to `(\d)`)?", cell):
        yield from map(str, range(int(first), int(last) + 1)) if last else first


# --- Accepted keys ----------------------------------------------------------------------------------------


class Player:
    """Plays random matches and presses every key in every position."""

    def __init__(self, game: Game) -> None:
        self.accepted: set[tuple[tuple[str, ...], str]] = set()
        self._game = game
        self._when = facts(game.name).moments

    def play(self, seed: int) -> None:
        luck = random.Random(f"keys {seed}")
        rulings = sampled_rulings(self._game, luck)
        match = Match(self._game, NAMES[: luck.choice(self._game.rules.SEATS)], rulings=rulings)
        rules, state = self._game.rules, match.state
        while rules.to_act(state):
            self.look(match, state, luck)
            public = rules.view(state, None)
            # A real card, and one that nobody names.
            pressed = [self._game.console.house(public, control) for control in ("ok", "right") if seed % 2]
            move = next(filter(None, pressed), None) or random_move(rules, state, luck.randrange)
            state = rules.apply(state, move)

    def look(self, match: Match, state: Any, luck: random.Random) -> None:
        for seat in range(len(match.names)):
            self._press_all(self._game.rules.view(state, seat), seat, luck)
        public = self._game.rules.view(state, None)
        self._press_all(public, TABLE, luck)
        self._press_all(public, TABLE, luck, self._placement(state))

    def _placement(self, state: Any) -> str:
        """Return the house's input for figures on the stairs, of which few orders are allowed."""
        draws = self._game.rules.draws(state)
        return "".join(str(space + 1) for space in draws[0].args) if draws and draws[0].verb == "place" else ""

    def _press_all(self, view: Any, seat: int, luck: random.Random, entry: str = "") -> None:
        """Press every key, then continue from an accepted one until a move is complete."""
        console = self._game.console
        stage = console.stage(view)
        race, by_hand = stage.race, stage.deal and stage.deal.player_prompt
        if by_hand and seat in by_hand.seats:
            moment = "the start" if by_hand.said else "you turn the next card"
            self.accepted |= {((moment,), control) for control in (BUZZ, TURN)}
        if race and seat in race.callers:
            self.accepted |= {(self._when(view, seat), control) for control in race.controls}
        typist = seat
        for _ in range(LONGEST_ENTRY):
            longer = set()
            for key in (*KEYS, BUZZ):
                keyed = console.key(view, seat, key, {typist: entry})
                chooses = key == BUZZ and console.key(view, seat, TURN, {typist: entry}).moves != keyed.moves
                if keyed.accepted and not chooses:  # a buzzer that chooses is only for scripts
                    self.accepted.add((self._when(view, seat), key))
                if keyed.accepted and not keyed.move and keyed.entry.startswith(entry) and keyed.entry != entry:
                    longer.add((keyed.entry, TABLE if keyed.for_house else seat))
            if not longer:
                return
            entry, typist = luck.choice(sorted(longer))


def a_coin(game: Game, other: Seat) -> Match:
    """Return a duel of seat 0 with `other` without bids, which is rare by chance."""
    match = Match(game, NAMES[:5], rulings=game.rulings(zero_tie_limit=1))
    match.push(Move(TABLE, "place", (0, other, *({1, 2, 3, 4} - {other})) * 3))
    for seat in (Seat(0), other):
        match.push(SecretMove(seat, "commit", (0,) * 5))
    return match


def accepted(title: str) -> frozenset[tuple[tuple[str, ...], str]]:
    player = Player(GAMES[title])
    for seed in range(facts(GAMES[title].name).key_matches):
        player.play(seed)
    if title == "Büro Crazy":
        for match in (a_coin(GAMES[title], Seat(other)) for other in range(1, 5)):
            player.look(match, match.state, random.Random(title))
    return frozenset(player.accepted)


@pytest.mark.parametrize("title", GAMES)
def test_documented_keys_are_those_accepted(title: str) -> None:
    page, heard = documented(title), accepted(title)
    missing = [
        (moments, key) for moments, key in heard if not page & {(moment, key) for moment in (*moments, ANY_TIME)}
    ]
    assert not missing
    assert page <= {(moment, key) for moments, key in heard for moment in (*moments, ANY_TIME)}


# --- The private screen -----------------------------------------------------------------------------------


def test_page_describes_how_long_lines_are_shown() -> None:
    section = PLAY.read_text("utf-8").partition("### A private screen\n")[2].split("\n#")[0]
    assert f"{ScreenSize().columns} characters" in section
    assert f"each for {PAGE_NS / 1e9:g} s" in section
