"""A model of blind presses at Buntherum: players press first, and look for the row during their call.

`python -m tests.attacks.blind_presses` prints the tables of docs/fairness.md in half an hour; `--matches` is the
number of matches per cell. All players have the same eyes. Seat 1 presses at a fixed moment unless it has found the
row, and names its find in time. `test_blind_presses.py` also plays at a real table.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple, Protocol

from companion.core.console import BUZZ, Limit
from companion.core.game import LEVELS, Act
from companion.core.move import TABLE, Move, Seat
from companion.core.units import MS
from companion.games import load
from companion.games.buntherum.bots import BOTS
from companion.games.buntherum.console import LEAST_MS, SHARE_PERCENT
from companion.games.buntherum.rules import SIDES, Phase, View
from companion.records.stats import interval

TOLD_S: Final = 0.01
"""The delay before a wired press counts as a call and its limit begins."""

MOMENTS_S: Final = (0.1, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
DECLARE_S: Final = (1, 1.5, 2)
"""At most 2 s apply to presses within 4 s, so longer settings give the same figures."""

_WALKS: Final = 4000
_STEPS: Final = 12

LimitOf = Callable[[float], float]
"""Maps a press, in seconds after the card, to the caller's time limit in seconds."""


class Sight(NamedTuple):
    """One player's view of a card: from `found_s` on the row `said`, before that the guess `leans`."""

    found_s: float
    said: int
    leans: Callable[[float], int]


class Eyes(Protocol):
    def key_s(self, luck: Random) -> float:
        """Return the time from buzzer to key."""

    def see(self, luck: Random, fitting: Sequence[int]) -> Sight:
        """Look at a card that fits into the rows `fitting`."""


@dataclass
class Weighing:
    """Robots of one level, as `Walker` of the game; walks are drawn once and reused."""

    level: str
    _walks: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bot = BOTS[self.level]
        luck, errors = Random(self.level), self.bot.errors
        towards = 1 / (1 + (errors / (1 - errors)) ** (1 / _STEPS))
        for _ in range(_WALKS):
            walk = [0]
            while abs(walk[-1]) < _STEPS:
                walk.append(walk[-1] + (1 if luck.random() < towards else -1))
            self._walks.append(walk)

    def key_s(self, luck: Random) -> float:
        return luck.uniform(0.3, 0.9)

    def see(self, luck: Random, fitting: Sequence[int]) -> Sight:
        walk, right = luck.choice(self._walks), luck.choice(fitting) if fitting else 0
        wrong = _other(right, luck)

        def leans(at_s: float) -> int:
            steps = max(0, int((1000 * at_s - self.bot.unready_ms) / self.bot.step_ms))
            sure = walk[min(steps, len(walk) - 1)]
            return luck.randrange(SIDES + 1) if not sure else right if sure > 0 else wrong

        found_ms = self.bot.unready_ms + self.bot.step_ms * (len(walk) - 1 - 2 * luck.random())
        return Sight(found_ms / 1000, right if walk[-1] > 0 else wrong, leans)


@dataclass
class Looking:
    """People who check rows in turn: the median takes `first_s`, then `row_s` for each more."""

    first_s: float
    row_s: float
    errors: float
    spread: float = 0.35
    finger_s: tuple[float, float] = (0.5, 0.9)

    def key_s(self, luck: Random) -> float:
        return luck.uniform(*self.finger_s)

    def see(self, luck: Random, fitting: Sequence[int]) -> Sight:
        order, slow = luck.sample(range(1, SIDES + 1), SIDES), luck.lognormvariate(0, self.spread)
        looked = next((place for place, row in enumerate(order) if row in fitting), SIDES)
        said = [*order, 0][looked]
        if luck.random() < self.errors:
            said = _other(said, luck)

        def leans(at_s: float) -> int:
            seen = int((at_s / slow - self.first_s) // self.row_s) + 1
            return luck.choice(order[max(0, seen) :] or [0])

        return Sight((self.first_s + self.row_s * looked) * slow, said, leans)


def _other(said: int, luck: Random) -> int:
    return luck.choice([row for row in range(SIDES + 1) if row != said])


def all_eyes() -> dict[str, Eyes]:
    people = {"people, quick": Looking(0.75, 0.22, 0.06), "people, slow": Looking(2.45, 0.4, 0.1)}
    return {level: Weighing(level) for level in LEVELS} | people


@dataclass
class Player:
    """Plays as the model at the real table; `moment_s` is the time of a blind press."""

    eyes: Eyes
    moment_s: float | None = None
    _seen: dict[int, tuple[float, float, int]] = field(default_factory=dict)

    def acts(self, view: View, seat: Seat, luck: Random) -> Sequence[Act]:
        if view.phase == Phase.OPEN and seat in view.callers:
            rows = enumerate(zip(view.rows, view.box.printed, strict=True), 1)
            card = mark(view.card)
            fitting = [
                row for row, (cards, printed) in rows if not any(mark(one) & card for one in (*cards, printed))
            ]
            sight = self.eyes.see(luck, fitting)
            pressed_s = sight.found_s if self.moment_s is None else min(self.moment_s, sight.found_s)
            self._seen[seat] = (pressed_s, sight.found_s, sight.said)
            return (Act(round(pressed_s * 1000) * MS, BUZZ),)
        if view.phase == Phase.LOCKED and seat == view.caller:
            pressed_s, found_s, said = self._seen[seat]
            after_s = found_s - pressed_s + self.eyes.key_s(luck)
            return (Act(round(after_s * 1000) * MS, str(said)),)
        return ()


class Blind(NamedTuple):
    """Seat 1's cheat: pressing at `moment_s` below `chips` chips; `leans` lets it name a guess.

    `direct` makes its key the call, with the guess of that moment.
    """

    moment_s: float
    chips: int = 3
    leans: bool = False
    direct: bool = False


def ruled(declare_s: float) -> LimitOf:
    limit = Limit(round(declare_s * 1000), Move(TABLE, "late"), LEAST_MS, SHARE_PERCENT)
    return lambda pressed_s: limit.length_ns(round(pressed_s * 1e9)) / 1e9


_GAME: Final = load("buntherum")
_BOX: Final = _GAME.read_box(_GAME.box_text, "box.toml")


def mark(card: int) -> int:
    colour, thing = divmod(card, len(_BOX.objects))
    return 1 << thing | 1 << len(_BOX.objects) + colour


@dataclass
class Model:
    """Matches of equal players; `late_declare` is the ruling."""

    seats: int
    eyes: Eyes
    limit: LimitOf
    blind: Blind | None = None
    late_declare: str = "chip"
    calls: int = 0
    late: int = 0

    def share(self, matches: int, seed: str) -> float:
        luck = Random(seed)
        return sum(self.match(luck) == 0 for _ in range(matches)) / matches

    def match(self, luck: Random) -> int:
        """Play a match; return the winning seat, or -1 after 600 cards."""
        rows, deck = [mark(card) for card in _BOX.printed], [mark(card) for card in _BOX.deck]
        luck.shuffle(deck)
        for side, shown in enumerate(rows):
            starter = next(card for card in deck if not card & shown)
            deck.remove(starter)
            rows[side] |= starter
        left = [_BOX.hands[self.seats - 2]] * self.seats
        cut = sum(left)
        own, pile, chips, mine = deck[:cut], deck[cut:][::-1], [0] * self.seats, False
        for _ in range(600):
            card = own.pop() if mine else pile.pop()
            fitting = [side + 1 for side in range(SIDES) if not rows[side] & card]
            seat, said = self._called(luck, fitting, chips)
            mine = said in (fitting or [0])
            if mine and said:
                rows[said - 1] |= card
            else:
                pile.insert(0, card)
            if mine:
                left[seat] -= 1
                if not left[seat]:
                    return seat
            elif seat >= 0 and not (said is None and self.late_declare != "chip"):
                chips[seat] += 1
                playing = [other for other in range(self.seats) if chips[other] < _BOX.chips_out]
                if len(playing) == 1:
                    return playing[0]
        return -1

    def _called(self, luck: Random, fitting: Sequence[int], chips: Sequence[int]) -> tuple[int, int | None]:
        """Return the caller of a card and the row named in time, or None."""
        presses = []
        for seat in range(self.seats):
            if chips[seat] < _BOX.chips_out:
                sight = self.eyes.see(luck, fitting)
                blind = self.blind if seat == 0 and self.blind and chips[0] < self.blind.chips else None
                at_s = min(sight.found_s, blind.moment_s) if blind else sight.found_s
                presses.append((at_s, seat, sight, blind))
        for at_s, seat, sight, blind in sorted(presses):
            key_s, over_s = self.eyes.key_s(luck), at_s + TOLD_S + self.limit(at_s)
            if blind is None or at_s == sight.found_s:
                is_late = at_s + key_s > over_s and not (self.blind and self.blind.direct)
                self.calls, self.late = self.calls + 1, self.late + is_late
                said = None if is_late else sight.said
            elif blind.direct:
                said = sight.leans(at_s)
            elif sight.found_s + key_s <= over_s:
                said = sight.said
            else:
                said = sight.leans(over_s - key_s) if blind.leans else None
            if said is not None or self.late_declare != "reopen":
                return seat, said
        return -1, None


def best(model: Model, matches: int, *, leans: bool = False, direct: bool = False) -> float:
    """Return the win share of seat 1's best blind press, measured in new matches."""
    tried = []
    for moment_s in MOMENTS_S:
        for few in (1, 3):
            model.blind = Blind(moment_s, few, leans, direct)
            tried.append((model.share(max(100, matches // 8), "choose"), model.blind))
    model.blind = max(tried)[1]
    return model.share(matches, "count")


def _told(share: float, matches: int) -> str:
    low, high = interval(share * matches, matches)
    return f"{100 * share:.0f} [{100 * float(low):.0f}, {100 * float(high):.0f}]"


def _row(*cells: object) -> None:
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def tell_offered(matches: int) -> None:
    """Print the win shares of blind presses and the late declarations by `declare_s`."""
    _row("eyes", "`declare_s`", *(f"{seats} players" for seats in range(2, 6)), "late")
    for name, eyes in all_eyes().items():
        for declare_s in DECLARE_S:
            honest = Model(3, eyes, ruled(declare_s))
            honest.share(matches // 2, "late")
            shares = [_told(best(Model(seats, eyes, ruled(declare_s)), matches), matches) for seats in range(2, 6)]
            _row(name, declare_s, *shares, f"{honest.late} of {honest.calls}")


def tell_others(matches: int) -> None:
    """Print the shares under other rules, and for guessing players, for two kinds of eyes."""
    rules: dict[str, tuple[LimitOf, str, dict[str, bool]]] = {
        "2 s, whenever the press": (lambda _: 2.0, "chip", {}),
        "`timers = x1.5`": (lambda pressed_s: 1.5 * ruled(2)(pressed_s), "chip", {}),
        "`late_declare = reopen`": (ruled(2), "reopen", {}),
        "`late_declare = skip`": (ruled(2), "skip", {}),
        "names what it leans to": (ruled(2), "chip", {"leans": True}),
        "the same, `direct`": (ruled(2), "chip", {"leans": True, "direct": True}),
    }
    _row("eyes", "rule", *(f"{seats} players" for seats in range(2, 6)))
    eyes_of = all_eyes()
    for name in ("strong", "people, quick"):
        eyes = eyes_of[name]
        for rule, (limit, late, how) in rules.items():
            models = [Model(seats, eyes, limit, late_declare=late) for seats in range(2, 6)]
            _row(name, rule, *(_told(best(model, matches, **how), matches) for model in models))


def tell_children(matches: int) -> None:
    """Print the shares and late declarations of children, whose fingers are slow."""
    child = Looking(2.8, 0.5, 0.12, finger_s=(0.8, 1.8))
    rules: dict[str, tuple[LimitOf, str]] = {
        "`declare_s` 2": (ruled(2), "chip"),
        "`declare_s` 5": (ruled(5), "chip"),
        "`late_declare = reopen`": (ruled(2), "reopen"),
        "`timers = x1.5`": (lambda pressed_s: 1.5 * ruled(2)(pressed_s), "chip"),
        "`timers = x1.5`, `reopen`": (lambda pressed_s: 1.5 * ruled(2)(pressed_s), "reopen"),
    }
    _row("rule", *(f"{seats} players" for seats in range(2, 6)), "late")
    for rule, (limit, late) in rules.items():
        honest = Model(3, child, limit, late_declare=late)
        honest.share(matches // 2, "late")
        shares = [
            _told(best(Model(seats, child, limit, late_declare=late), matches), matches) for seats in range(2, 6)
        ]
        _row(rule, *shares, f"{honest.late} of {honest.calls}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4000)
    matches = parser.parse_args().matches
    tell_offered(matches)
    sys.stdout.write("\n")
    tell_others(matches // 16)
    sys.stdout.write("\n")
    tell_children(matches // 10)


if __name__ == "__main__":
    main()
