"""Evenings with real pieces: people who know their rulebook and use only buzzers, keypads and the house's buttons.

The pieces on the table are drawn at random from what the rules allow.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from companion.core.console import BUZZ
from companion.core.dealer import Dealer
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.place import HOUSE, Place
from companion.display.frame import Beat, BoxPage, Frame, Play, Result
from companion.games.buntherum.rules import UNKNOWN, fits
from companion.match.seat_lines import tell_seat
from companion.match.session import Session
from tests.host_bench import Bench

LONGEST: Final = 4_000

PATIENCE_S: Final = 60
READ_S: Final = 0.5
RIGHT: Final = 0.85

Presses = tuple[Place, tuple[str, ...]]
"""A place and its controls in order."""

Pressed = Callable[[str], None]


class Evening:
    """A match with real pieces at the table of `bench`, where players sit and play has begun."""

    def __init__(self, bench: Bench, pressed: Pressed = lambda *_: None, seed: str = "an evening") -> None:
        self.bench = bench
        self.presses = 0
        self._pressed = pressed
        self._luck = random.Random(seed)
        self._shuffled = Dealer(seed)
        self._draws = 0
        self._card = UNKNOWN  # the open card

    @property
    def _session(self) -> Session:
        assert self.bench.host.session
        return self.bench.host.session

    @property
    def match(self) -> Match:
        return self._session.match

    def ordered(self) -> list[Place]:
        """Return the places whose strips ask them to move pieces."""
        moment = self._session.moment()
        return [Place(seat) for seat in range(len(self.match.names)) if tell_seat(moment, Seat(seat)).ordered]

    def press(self, place: Place, *controls: str) -> None:
        """Press controls in order; before confirming, wait for the reading time."""
        for control in controls:
            if control == "#":
                self.bench.wait(READ_S)
            self.bench.press(place, control)
            self.presses += 1
            assert self.presses < LONGEST, self.bench.screen
            self._pressed(f"{'house' if place == HOUSE else place + 1} {control}")

    def play(self, most: int = LONGEST) -> Match:
        match = self.match
        while not isinstance(self.bench.screen, Result) and self.presses < most:
            self.bench.wait(READ_S)
            asked = self._asked()
            if asked:
                self.press(asked[0], *asked[1])
            else:
                assert self.bench.until(self._is_on, PATIENCE_S), f"nobody is asked anything: {self.bench.screen}"
        return match

    def _is_on(self) -> bool:
        return self._asked() is not None or isinstance(self.bench.screen, Result)

    def _asked(self) -> Presses | None:
        screen = self.bench.screen
        if not isinstance(screen, Play) or screen.beat in {Beat.DRUM, Beat.REVEALED}:
            return None
        ordered = self.ordered()
        if ordered and not self._session.referee.stage.race:
            return ordered[0], ("#",)
        return ASKED[self.match.game.name](self)

    # --- The games ------------------------------------------------------------------------------------

    def drawn(self) -> Move | None:
        """Return the TABLE's next random move, if one is due."""
        draws = self.match.game.rules.draws(self.match.state)
        if not draws:
            return None
        return self._shuffled.choose(self.match.length + 1, draws)

    def decided(self) -> Iterator[tuple[Seat, Move]]:
        """Yield the next decisions of good players from their own views."""
        match = self.match
        robot: Any = match.game.bots["strong"]
        for seat in match.to_act:
            if seat != TABLE:
                move = robot.decide(match.view(seat), seat, self._luck)
                if move:
                    yield seat, move

    def keyed(self) -> Presses | None:
        for seat, move in self.decided():
            keys = self.match.game.console.keys_for(self.match.view(seat), move)
            assert keys, f"nobody can key {move}"
            return Place(seat), keys
        return None

    def buntherum(self) -> Presses | None:
        """Enter starters and calls by the house; further cards are simply turned."""
        match, state = self.match, self.match.state
        objects = len(state.box.objects)
        if match.view().phase == "setup":
            move = self.drawn()
            assert move
            if move.verb == "youngest":
                return HOUSE, (str(move.args[0] + 1),)
            return HOUSE, _codes(move.args[1], objects)
        if match.view().phase == "open":
            if self._card == UNKNOWN:
                self._card = self._luck.choice(_unseen(state))
            return Place(self._luck.choice(match.view().callers)), (BUZZ,)
        if match.view().phase == "locked":
            return Place(match.view().caller), (str(self._luck.choice(self._rows())),)
        if match.view().phase == "judge":
            card, self._card = self._card, UNKNOWN
            return HOUSE, _codes(card, objects)
        return None

    def _rows(self) -> list[int]:
        state = self.match.state
        right = [row for row in range(1, 7) if fits(state, self._card, row)] or [0]
        return right if self._luck.random() < RIGHT else [row for row in range(7) if row not in right]

    def buro_crazy(self) -> Presses | None:
        """Place figures, enter coins by the house, and let everybody bid and report."""
        phase, move = self.match.view().phase, self.drawn()
        if phase == "setup":
            assert move
            stand = self._session.referee.entries.get(TABLE, "").rstrip("#")
            return Place([*move.args, 0][len(stand)]), (BUZZ,)
        if phase == "coin":
            assert move
            return HOUSE, (str(move.args[0] + 1),)
        if phase == "roof":
            return self._reported()
        return self.keyed()

    def _reported(self) -> Presses | None:
        for seat in range(len(self.match.names)):
            view = self.match.view(Seat(seat))
            if seat not in view.reported and view.reportable:
                points = self._luck.choice(sorted(view.reportable))
                return Place(seat), self.match.game.console.keys_for(view, SecretMove(seat, "report", (points,)))
        return None

    def boese_buben(self) -> Presses | None:
        if self.match.view().phase == "setup":
            return HOUSE, ("1",)
        return self.keyed()

    def de_et_boulanger(self) -> Presses | None:
        match, rules = self.match, self.match.game.rules
        move = self.drawn()
        if move:
            return Place(match.view().turn), (str(move.args[-1]),)
        for seat, decided in self.decided():
            if decided.verb == "ready":
                rolled = self._shuffled.choose(match.length + 1, rules.draws(rules.apply(match.state, decided)))
                return Place(seat), (str(rolled.args[-1]),)
            break
        return self.keyed()


ASKED: Final[dict[str, Callable[[Evening], Presses | None]]] = {
    "buntherum": Evening.buntherum,
    "buro_crazy": Evening.buro_crazy,
    "boese_buben": Evening.boese_buben,
    "de_et_boulanger": Evening.de_et_boulanger,
}


def _codes(card: int, objects: int) -> tuple[str, str]:
    """Return the keys of a card: its object, then its colour."""
    colour, thing = divmod(card, objects)
    return str(thing + 1), str(colour + 1)


def _unseen(state: Any) -> list[int]:
    if state.source == TABLE and not state.fresh:
        return [state.under[0]]
    return list(state.unseen)


# --- Before and beside a match ----------------------------------------------------------------------------


class Family(NamedTuple):
    """A game, its seats, and the answers for its custom box with their effects."""

    title: str
    seats: int
    box: Mapping[str, Mapping[str, str]]
    ours: Callable[[Any], object]
    is_so: object


FAMILIES: Final = {
    "buntherum": Family(
        "Buntherum",
        3,
        {"The hexagon": {"Side 1: which colour": "2", "Side 1: which object": "7"}, "Hands": {"3 players": "8#"}},
        lambda box: (box.names[box.printed[0]], box.hands[1]),
        ("red car", 8),
    ),
    "buro_crazy": Family(
        "Büro Crazy",
        3,
        {
            "The kitchen": {
                "How many points does the kitchen have on the stairs": "85#",
                "How many cards of 1 ": "9#",
            }
        },
        lambda box: (box.targets[0], box.kitchen[0]),
        (85, 9),
    ),
    "boese_buben": Family(
        "Böse Buben",
        3,
        {"The cards": {"Card 6: how many": "1"}, "The money": {"How many ducats does a lane pay": "5#"}},
        lambda box: (box.goblins[6], box.lane_prize),
        (1, 5),
    ),
    "de_et_boulanger": Family(
        "Dé et Boulanger",
        4,
        {
            "The board": {"What is on each square": "844444961#"},
            "The recipes": {"Bread: how many measures of fl": "4#"},
        },
        lambda box: (box.board.shops[3] // box.board.columns, box.recipes[0].flour),
        (4, 4),
    ),
}


def begin(bench: Bench, family: Family) -> None:
    """Sit down, choose the game, create its custom box, and begin with real pieces."""
    for place in range(family.seats):
        bench.press(place, BUZZ)
    bench.press(0, "#")
    bench.take(family.title)
    _key_box(bench, family)
    bench.take("Cards and dice", "Start")


def _key_box(bench: Bench, family: Family) -> None:
    """Answer what is asked of the own box; everything else is as in the companion's."""
    bench.take("Custom box")
    for section, answers in family.box.items():
        bench.take(section)
        while isinstance(bench.screen, BoxPage):
            title = bench.screen.title
            bench.press(0, *next((keys for words, keys in answers.items() if title.startswith(words)), "#"))
    bench.take("Save as")
    bench.press(0, BUZZ)


def seen(bench: Bench) -> tuple[Frame, list[str]]:
    """Return the frame and the state of each private screen."""
    session = bench.host.session
    assert session
    told = [tell_seat(session.moment(), Seat(seat)) for seat in range(len(session.match.names))]
    own = [(one.typed, one.private, session.refused.get(Seat(seat))) for seat, one in enumerate(told)]
    return bench.frame, [" ".join(map(str, lines)) for lines in own]
