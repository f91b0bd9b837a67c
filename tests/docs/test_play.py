"""docs/play.md: its keys are those that the consoles accept, its private screen is that of a pod."""

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
GAMES = {game.title: game for game in all_games().values()}

ANY_TIME = "any time"
LONGEST_ENTRY = 8


# --- What the page says -----------------------------------------------------------------------------------


def documented(title: str) -> set[tuple[str, str]]:
    """Return when which keys of a game mean something."""
    section = PLAY.read_text("utf-8").partition(f"### Keys of {title}\n")[2].split("\n#")[0]
    rows = re.findall(r"^\| ([`b].*?) \| (.*?) \| .* \|$", section, re.MULTILINE)
    return {(when, key) for keys, whens in rows for when in whens.split(", ") for key in _keys(keys)}


def _keys(cell: str) -> Iterator[str]:
    if "buzzer" in cell:
        yield BUZZ
    for first, last in re.findall(r"`(.)`(?: to `(\d)`)?", cell):
        yield from map(str, range(int(first), int(last) + 1)) if last else first


# --- What the consoles accept -----------------------------------------------------------------------------


class Player:
    """Plays matches at random and presses every key in every position."""

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
        """Press every key of every seat and of the house in a position."""
        for seat in range(len(match.names)):
            self._press_all(self._game.rules.view(state, seat), seat, luck)
        public = self._game.rules.view(state, None)
        self._press_all(public, TABLE, luck)
        self._press_all(public, TABLE, luck, self._placement(state))

    def _placement(self, state: Any) -> str:
        """Return what the house types for figures on the stairs, of which few orders are allowed."""
        draws = self._game.rules.draws(state)
        return "".join(str(space + 1) for space in draws[0].args) if draws and draws[0].verb == "place" else ""

    def _press_all(self, view: Any, seat: int, luck: random.Random, entry: str = "") -> None:
        """Press every key, then one of those that fit, and so on until a move is complete."""
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
                if keyed.accepted and not chooses:  # a buzzer that does is one of scripts
                    self.accepted.add((self._when(view, seat), key))
                if keyed.accepted and not keyed.move and keyed.entry.startswith(entry) and keyed.entry != entry:
                    longer.add((keyed.entry, TABLE if keyed.for_house else seat))
            if not longer:
                return
            entry, typist = luck.choice(sorted(longer))


def a_coin(game: Game, other: Seat) -> Match:
    """Return a duel of the first of five with another one, who have bid nothing: by chance few do."""
    match = Match(game, NAMES[:5], rulings=game.rulings(zero_tie_limit=1))
    match.push(Move(TABLE, "place", (0, other, *({1, 2, 3, 4} - {other})) * 3))
    for seat in (Seat(0), other):
        match.push(SecretMove(seat, "commit", (0,) * 5))
    return match


def accepted(title: str) -> frozenset[tuple[tuple[str, ...], str]]:
    """Return at which moments which keys meant something."""
    player = Player(GAMES[title])
    for seed in range(facts(GAMES[title].name).key_matches):
        player.play(seed)
    if title == "Büro Crazy":
        for match in (a_coin(GAMES[title], Seat(other)) for other in range(1, 5)):
            player.look(match, match.state, random.Random(title))
    return frozenset(player.accepted)


@pytest.mark.parametrize("title", GAMES)
def test_the_keys_on_the_page_are_those_that_are_accepted(title: str) -> None:
    page, heard = documented(title), accepted(title)
    missing = [
        (moments, key) for moments, key in heard if not page & {(moment, key) for moment in (*moments, ANY_TIME)}
    ]
    assert not missing
    assert page <= {(moment, key) for moments, key in heard for moment in (*moments, ANY_TIME)}


# --- The private screen -----------------------------------------------------------------------------------


def test_the_page_says_how_a_long_line_is_shown() -> None:
    section = PLAY.read_text("utf-8").partition("### A private screen\n")[2].split("\n#")[0]
    assert f"{ScreenSize().columns} characters" in section
    assert f"each for {PAGE_NS / 1e9:g} s" in section
