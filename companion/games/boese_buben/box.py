"""Reads Böse Buben's box.toml and checks that it describes a box that can be played."""

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
        found = self.found
        self.keys("box", found, _KEYS)
        actions, goblins = self.cards(found["cards"])
        races = self.number("races", found["races"], 1, _MOST)
        ducats = self.ducats(found["ducats"])
        return Box(
            actions=actions,
            goblins=goblins,
            ducats=ducats,
            start_ducats=self.number("start_ducats", found["start_ducats"], 0, ducats // SEATS[-1]),
            races=races,
            lane_prize=self.number("lane_prize", found["lane_prize"]),
            mc_cards=self.number("mc_cards", found["mc_cards"], races),
            mc_cost=self.mc_cost(found["mc_cost"]),
            track_limit=self.number("track_limit", found["track_limit"], 1, 5),
            penalty_limit=self.number("penalty_limit", found["penalty_limit"], 1, _MOST),
        )

    def ducats(self, found: object) -> int:
        notes = self.table("ducats", found, _NOTES)
        return sum(int(note) * self.number(f"ducats.{note}", notes[note], 0) for note in _NOTES)

    def mc_cost(self, found: object) -> tuple[int, ...]:
        costs = [
            self.number(f"mc_cost[{place}]", cost, 0) for place, cost in enumerate(self.array("mc_cost", found), 1)
        ]
        if not costs or costs[0] or costs != sorted(costs):
            raise self.fail("mc_cost", msg("{costs}; allowed: 0 first, and then never less", costs=costs))
        return tuple(costs)

    def cards(self, found: object) -> tuple[tuple[Action, ...], tuple[int, ...]]:
        """Return actions and goblins in the order of NAMES, whatever the order of the file."""
        listed = self.array("cards", found)
        cards = dict(self.card(f"cards[{place}]", entry) for place, entry in enumerate(listed, 1))
        missing = [name for name in NAMES if name not in cards]
        if missing:
            raise self.fail("cards", msg("there is no {names}", names=", ".join(missing)))
        if len(listed) != CARDS:
            why = msg("{n} cards; allowed: {names}, each once", n=len(listed), names=", ".join(NAMES))
            raise self.fail("cards", why)
        actions = tuple(cards[name][0] for name in NAMES)
        for action in Action:
            count = actions.count(action)
            if action != Action.NONE and count != 1:
                raise self.fail("cards", msg("{n} cards with {action}; allowed: one", n=count, action=str(action)))
        return actions, tuple(cards[name][1] for name in NAMES)

    def card(self, key: str, found: object) -> tuple[str, tuple[Action, int]]:
        parts = self.table(key, found, ("value", "action", "goblins"))
        number = self.number(f"{key}.value", parts["value"], 0, 6)
        action = Action(self.choice(f"{key}.action", parts["action"], tuple(Action)))
        if number in {0, 6} and action != Action.NONE:
            raise self.fail(f"{key}.action", msg("a {value} has no action; allowed: 'none'", value=number))
        goblins = self.number(f"{key}.goblins", parts["goblins"], 0, 3)
        if number == 0 and goblins:
            raise self.fail(f"{key}.goblins", msg("{n}; a zero is free, allowed: 0", n=goblins))
        return f"{number}{'' if action == Action.NONE else 'a'}", (action, goblins)
