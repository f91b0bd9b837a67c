"""Reads Böse Buben's box.toml and checks that it describes a box that can be played."""

from collections.abc import Mapping
from typing import Final

from companion.core.boxfile import BoxFile
from companion.core.text import msg
from companion.games.boese_buben.rules import SEATS, Box
from companion.games.boese_buben.rules.cards import CARDS, NAMES, Action

_KEYS: Final = (
    "races",
    "lane_prize",
    "start_ducats",
    "mc_cards",
    "mc_cost",
    "track_limit",
    "penalty_limit",
    "cards",
    "ducats",
)
_NOTES: Final = ("1", "3")
"""What is printed on the money."""

_MOST: Final = 9
"""No number of lanes, places or races is longer than one key."""


def read_box(text: str, where: str) -> Box:
    """Return the box that a TOML text describes. Raise BoxError naming `where`, the key and what is allowed."""
    return _Reader(text, where).box()


class _Reader(BoxFile):
    def box(self) -> Box:
        found = self.keys("box", self.found, _KEYS)
        before = self.noted
        ducats = self.ducats(found["ducats"])
        each = ducats // SEATS[-1] if self.noted == before else None
        races = self.number("races", found["races"], 1, _MOST)
        cards = self.cards(found["cards"])
        numbers = {
            "start_ducats": self.number("start_ducats", found["start_ducats"], 0, each),
            "lane_prize": self.number("lane_prize", found["lane_prize"]),
            "mc_cards": self.number("mc_cards", found["mc_cards"], races),
            "track_limit": self.number("track_limit", found["track_limit"], 1, 5),
            "penalty_limit": self.number("penalty_limit", found["penalty_limit"], 1, _MOST),
        }
        mc_cost = self.mc_cost(found["mc_cost"])
        self.settle()
        return Box(
            actions=tuple(cards[name][0] for name in NAMES),
            goblins=tuple(cards[name][1] for name in NAMES),
            ducats=ducats,
            races=races,
            mc_cost=mc_cost,
            **numbers,
        )

    def ducats(self, found: object) -> int:
        notes = self.table("ducats", found, _NOTES)
        return sum(int(note) * self.number(f"ducats.{note}", notes[note], 0) for note in _NOTES)

    def mc_cost(self, found: object) -> tuple[int, ...]:
        before = self.noted
        listed = self.array("mc_cost", found)
        costs = [self.number(f"mc_cost[{place}]", cost, 0) for place, cost in enumerate(listed, 1)]
        disordered = not costs or costs[0] or costs != sorted(costs)
        if disordered and self.noted == before and not self.is_missing(found):
            self.wrong("mc_cost", msg("{costs}; allowed: 0 first, and then never less", costs=costs))
        return tuple(costs)

    def cards(self, found: object) -> Mapping[str, tuple[Action, int]]:
        """Return action and goblins of each card by its name, whatever the order of the file."""
        before = self.noted
        listed = self.array("cards", found)
        cards = dict(self.card(f"cards[{place}]", entry) for place, entry in enumerate(listed, 1))
        if self.noted == before and not self.is_missing(found):
            self.complete(len(listed), cards)
        return cards

    def complete(self, count: int, cards: Mapping[str, tuple[Action, int]]) -> None:
        """Note what is wrong with the cards as a whole; `count` is how many are listed."""
        missing = [name for name in NAMES if name not in cards]
        if missing:
            self.wrong("cards", msg("there is no {names}", names=", ".join(missing)))
        if count > CARDS or (count != CARDS and not missing):
            self.wrong("cards", msg("{n} cards; allowed: {names}, each once", n=count, names=", ".join(NAMES)))
        if missing:
            return
        actions = [action for action, _ in cards.values()]
        for action in Action:
            there = actions.count(action)
            if action != Action.NONE and there != 1:
                self.wrong("cards", msg("{n} cards with {action}; allowed: one", n=there, action=str(action)))

    def card(self, key: str, found: object) -> tuple[str, tuple[Action, int]]:
        parts = self.table(key, found, ("value", "action", "goblins"))
        number = self.number(f"{key}.value", parts["value"], 0, 6)
        action = Action(self.choice(f"{key}.action", parts["action"], tuple(Action)))
        goblins = self.number(f"{key}.goblins", parts["goblins"], 0, 3)
        if parts["value"] in (0, 6) and action != Action.NONE:
            self.wrong(f"{key}.action", msg("a {value} has no action; allowed: 'none'", value=number))
        if parts["value"] == 0 and goblins:
            self.wrong(f"{key}.goblins", msg("{n}; a zero is free, allowed: 0", n=goblins))
        return f"{number}{'' if action == Action.NONE else 'a'}", (action, goblins)
