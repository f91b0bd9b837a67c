"""The law of keys (docs/play.md, Keys) in random matches of every game.

Each press is checked, and each prompt against the keys that work.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from companion.core.console import BACK, BUZZ, KEYS, TURN
from companion.core.event import Event
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove, each_seat
from companion.core.text import Text
from companion.core.verbs import NOT_ACCEPTED, NOT_DUE, NOT_SO_MANY
from companion.devices.virtual import HOLD_NS
from companion.games import OTHER, all_games, by_name, in_folder
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.input_gate import READ_NS
from tests.of_games import facts
from tests.running import sampled_rulings

EXAMPLES: Final = Path(__file__).parents[2] / "docs" / "examples"
GAMES: Final = {**all_games(), **by_name(in_folder(EXAMPLES))}
CATCH_ALLS: Final = {text.msgid for text in (NOT_ACCEPTED, NOT_DUE, NOT_SO_MANY)}
MS: Final = 1_000_000

SETTLED_NS: Final = HOLD_NS + 70 * MS
"""The buzzer is released, and all earlier presses have arrived."""

FEW: Final = 80
"""Decisions per match in `make test`; `make soak` makes up to MOST."""

MOST: Final = 4_000

DEEPEST: Final = 5
"""The longest sequence of keys tried after the first."""


class Hands:
    """A table of people whose presses are checked; `seen` counts the results."""

    def __init__(self, game: Game, seed: str) -> None:
        self.luck = luck = Random(seed)
        self.game, seats = game, luck.choice(game.rules.SEATS)
        match = new_match(game, NAMES[:seats], rulings=sampled_rulings(game, luck), seed=seed)
        self.told: list[Event] = []
        self.seen: Counter[str] = Counter()
        self.last_refused: dict[Seat, Text] = {}
        self.table = VirtualTable(match, tell=lambda _, told: self.told.append(told))
        self.referee = self.table.referee
        self.referee.pacing.people = frozenset(each_seat(seats))
        self.table.start()

    @property
    def match(self) -> Match:
        return self.table.match

    def wait(self, ns: int = READ_NS) -> None:
        self.table.run(self.table.clock.now_ns() + ns)

    def typed(self, seat: Seat) -> str:
        return self.referee.entries.get(seat, "")

    # --- A match ------------------------------------------------------------------------------------------

    def play(self, decisions: int) -> None:
        for _ in range(decisions):
            self.wait()
            if self.match.outcome:
                return
            seats = [seat for seat in self.match.to_act if seat != TABLE]
            if self.game.name == OTHER and not self.luck.randrange(20 if seats else 3):
                self.table.devices.house(self.luck.choice(("ok", "right", "wrong", "skip")))
                continue
            if not seats:
                self.not_due()
                continue
            seat = self.luck.choice(seats)
            if not self.luck.randrange(4):
                prompts_name_their_keys(self.game, self.match, seat, self.luck)
            if not self.luck.randrange(3):
                self.mash(seat)
            elif not self.luck.randrange(8):
                self.confirm(seat)
            else:
                self.decide(seat)

    def not_due(self) -> None:
        """Press while a card, a die or the house is due."""
        row = self.luck.choice("0123456")
        self.press(
            self.luck.choice(each_seat(len(self.match.names))), self.luck.choice((BUZZ, BUZZ, TURN, row, BACK))
        )
        if self.match.to_act == (TABLE,):
            self.wait(2_000 * MS)

    def mash(self, seat: Seat) -> None:
        for _ in range(self.luck.randrange(1, 6)):
            other = self.luck.choice(each_seat(len(self.match.names)))
            self.press(seat if self.luck.randrange(4) else other, self.luck.choice((*KEYS, BUZZ, BACK)))
            self.wait(self.luck.choice((READ_NS, 100 * MS)))
        self.wait()

    def confirm(self, seat: Seat) -> None:
        """Confirm twice without an entry."""
        for _ in range(2):
            self.press(seat, TURN)
            self.wait()

    def decide(self, seat: Seat) -> None:
        """Enter a random legal move, and repeat its last key."""
        legal = self.game.rules.legal(self.match.state, seat)
        if not legal or self.typed(seat):
            self.press(seat, BACK)
            return
        for key in self.game.console.keys_for(self.match.view(seat), legal[self.luck.randrange(len(legal))]):
            self.press(seat, self.luck.choice((BUZZ, TURN)) if key == TURN else key)
            self.wait(50 * MS)

    # --- A press ------------------------------------------------------------------------------------------

    def press(self, seat: Seat, control: str) -> None:
        """Press a control and check what happened."""
        self.table.tick(self.table.clock.now_ns())
        match, stage = self.match, self.referee.stage
        was, entries, typed = match.moves, len(match.entries), self.typed(seat)
        console, before, timed = self.game.console, match.state, bool(stage.race or stage.limit)
        view, calls = match.view(seat), control in stage.call_controls or self.referee.player_prompt is not None
        meant = console.key(view, seat, TURN, dict(self.referee.entries)).moves if control == BUZZ else ()
        taken = self.referee.gate.takes(seat, self.table.clock.now_ns())
        told = self._pressed(seat, control)
        undone = len(match.entries) > entries and match.entries[entries].kind == "undo"
        made = () if undone else match.moves[len(was) :]
        self._refused_with_a_reason(seat, told)
        if not taken and control not in {BACK, BUZZ} and not calls:
            self.seen["too soon"] += 1
            assert (match.state, self.typed(seat), told) == (before, typed, [])
        if control == BACK:
            self._took_back(seat, was, typed, undone=undone, timed=timed)
        else:
            assert not undone
        if control == BUZZ and made and made[0].seat == seat and not calls:
            self.seen["confirmed"] += 1
            assert taken
            assert made[: len(meant)] == meant != (), "a buzzer chose"
        if made and not typed and not calls:
            self._can_be_taken_back(seat, control, len(was) + 1)
        asked = self.referee.stage
        same = stage.question is not None and asked.question == stage.question
        if made and made[0].seat == seat and not (calls or same or asked.race or asked.limit):
            self._again(seat, control)

    def _pressed(self, seat: Seat, control: str) -> list[Event]:
        self.told.clear()
        self.table.press(seat, control)
        if control == BUZZ:
            self.wait(SETTLED_NS)
        return [*self.told]

    def _refused_with_a_reason(self, seat: Seat, told: list[Event]) -> None:
        for event in told:
            if event.kind == "refused":
                self.seen["refused"] += 1
                assert event.seat == seat
                assert event.seen_by == (seat,)
                assert event.data.text.msgid not in CATCH_ALLS
                assert self.typed(seat) == ""
                self.last_refused[seat] = event.data.text

    def _took_back(self, seat: Seat, was: Any, typed: str, *, undone: bool, timed: bool) -> None:
        """Check that BACK undid only this seat's last steps."""
        if not undone:
            return
        self.seen["stepped back"] += 1
        left = self.match.length
        gone = was[left:]
        assert typed == ""
        assert not timed
        assert gone[0].seat == seat
        assert not any(map(self.match.is_draw, gone))
        kept = [move for move in was[:left] if isinstance(move, SecretMove)]
        assert all(move.seat == seat or isinstance(move, SecretMove) for move in gone), (gone, kept)

    def _can_be_taken_back(self, seat: Seat, control: str, number: int) -> None:
        """Check that a key revealing another's secret was pressed twice."""
        match = self.match
        if not match.releases(number):
            return
        for before in range(number - 1, 0, -1):
            if match.releases(before):
                return
            if isinstance(match.moves[before - 1], SecretMove) and match.moves[before - 1].seat != seat:
                self.seen["asked again"] += 1
                assert self.last_refused[seat].msgid.startswith("Sure?")
                return

    def _again(self, seat: Seat, control: str) -> None:
        """Repeat a press too soon for the new question."""
        self.seen["impatient"] += 1
        before, entries = self.match.state, dict(self.referee.entries)
        if control in {BACK, BUZZ, *self.referee.stage.call_controls} or self.referee.player_prompt:
            return
        told = self._pressed(seat, control)
        assert (self.match.state, self.referee.entries, told) == (before, entries, [])


# --- What a prompt names ----------------------------------------------------------------------------------

ON_THE_BOARD: Final = "number on the board"
"""Digits drawn by the scene, which other tests check."""

KEY_VALUES: Final = {"key", "back", "lock", "keys", "letters", "digits", "side"}
"""Prompt values that are keys."""


def named(prompt: Text) -> set[str]:
    values, found = {}, set()
    for name, value in prompt.values:
        values[name] = f"<{value}>" if isinstance(value, int) else "<>"
        if isinstance(value, Text):
            found |= named(value)
        elif name in KEY_VALUES:
            ranges = re.sub(r"(\d)-(\d)", lambda most: "".join(_digits(*most.groups())), str(value))
            found |= set(re.findall(r"[0-9A-D*#]", re.sub(r"(?<=\d )[NESW]", "", ranges)))
    for first, last in re.findall(
        r"(?<![A-Za-z0-9<])([0-9A-D*#])(?:(?:-| to )<?([0-9])>?)?(?![A-Za-z>])", prompt.msgid.format(**values)
    ):
        found |= set(_digits(first, last)) if last else {first}
    return found


def _digits(first: str, last: str) -> Iterator[str]:
    return map(str, range(int(first), int(last) + 1))


def prompts_name_their_keys(game: Game, match: Match, seat: Seat, luck: Random) -> None:
    """Check that a prompt names exactly the useful keys."""
    view, legal = match.view(seat), game.rules.legal(match.state, seat)
    said = game.console.prompt(view)
    names = named(said)
    drawn = set("0123456789") if ON_THE_BOARD in said.msgid else set()

    def is_legal(move: Move) -> bool:
        return move in game.rules.legal(match.state, move.seat) and not match.is_draw(move)  # the companion rolls

    def press(typed: str) -> dict[str, str]:
        """Return what the accepted keys lead to."""
        keyed = {key: game.console.key(view, seat, key, {seat: typed}) for key in KEYS if key != BACK}
        fits = {
            key: done for key, done in keyed.items() if done.accepted and (not done.move or is_legal(done.move))
        }
        return {key: "" if done.move else done.entry for key, done in fits.items()}

    first = press("")
    assert set(first) <= names | drawn | {BACK}, f"{said} does not name {sorted(set(first) - names)}"
    assert not drawn or drawn & set(first), f"{said} names a number, and none means anything"
    if not legal or isinstance(legal[0], SecretMove):
        return
    reached, typed = set(first), {entry for entry in first.values() if entry}
    for move in luck.sample(legal, min(len(legal), 40)):
        reached |= set(game.console.keys_for(view, move))
    for _ in range(DEEPEST):
        if names - {BACK} <= reached or not typed:
            break
        after = [press(entry) for entry in luck.sample(sorted(typed), min(len(typed), 40))]
        reached |= {key for fits in after for key in fits}
        typed = {entry for fits in after for entry in fits.values() if entry}
    assert names - {BACK} <= reached, f"{said} names {sorted(names - {BACK} - reached)}, which do nothing"


WITNESSED: Final = {
    **{name: facts(name).witnessed for name in all_games()},
    "driftwood": {"refused", "too soon", "impatient"},
}
"""Results that each game's matches must produce."""

# --- The tests --------------------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_key_law_holds_in_random_matches(name: str, soak_count: Callable[[int], int]) -> None:
    seen: Counter[str] = Counter()
    count = soak_count(1_000)
    whole = count == 1_000
    for number in range(count if whole else 20):
        hands = Hands(GAMES[name], f"{name} {number}")
        hands.play(MOST if whole else FEW)
        seen += hands.seen
        assert hands.match.outcome or not whole or name not in all_games(), f"{name} {number} does not end"
    assert WITNESSED[name] <= {what for what, times in seen.items() if times}, "a match in which nothing happens"
