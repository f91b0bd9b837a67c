"""Reads Büro Crazy's box.toml and checks that it describes a box that can be played."""

import re
from collections.abc import Mapping
from typing import Final

from companion.core.boxfile import BoxFile
from companion.core.text import msg
from companion.games.buro_crazy.rules.building import FLOORS, STAIRS
from companion.games.buro_crazy.rules.change import Cards, worth
from companion.games.buro_crazy.rules.components import SEATS, Box

VALUES: Final = (1, 2, 5, 10, 20)
"""The values of influence cards, in the order of the keys 1 to 5."""

DECK_SIZE: Final = 150

_KEYS: Final = ("deck", "hand", "kitchen", "figures", "end")
_SHARES: Final = ("boss", "challenger", "semifinalist")
_WORD: Final = re.compile(r"[a-z][a-z_-]*")


def read_box(text: str, where: str) -> Box:
    """Return the box that a TOML text describes. Raise BoxError naming `where`, the key and what is allowed."""
    return _Reader(text, where).box()


class _Reader(BoxFile):
    def box(self) -> Box:
        found = self.keys("box", self.found, _KEYS)
        kitchen = self.table("kitchen", found["kitchen"], ("start", "targets"))
        targets = self.table("kitchen.targets", kitchen["targets"], FLOORS.values())
        figures = self.table("figures", found["figures"], ("colours", "per_player"))
        colours = self.colours(figures["colours"])
        per_player = self.table("figures.per_player", figures["per_player"], map(str, SEATS))
        end = self.table("end", found["end"], ("piles", "shares", "forfeit"))
        shares = self.table("end.shares", end["shares"], _SHARES)
        box = Box(
            values=VALUES,
            deck=self.cards("deck", found["deck"]),
            hand=self.cards("hand", found["hand"]),
            kitchen=self.cards("kitchen.start", kitchen["start"]),
            targets=tuple(self.number(f"kitchen.targets.{name}", targets[name], 0) for name in FLOORS.values()),
            colours=tuple(colours),
            figures=tuple(colours.values()),
            per_player=tuple(self.number(f"figures.per_player.{n}", per_player[str(n)]) for n in SEATS),
            piles=self.number("end.piles", end["piles"]),
            shares=tuple(self.number(f"end.shares.{name}", shares[name], 0) for name in _SHARES),
            forfeit=self.number("end.forfeit", end["forfeit"], 0),
        )
        self.settle()
        self.enough_cards(box)
        self.enough_figures(box)
        self.piles(box)
        self.settle()
        return box

    def cards(self, key: str, found: object) -> Cards:
        counts = self.table(key, found, map(str, VALUES))
        return tuple(self.number(f"{key}.{value}", counts[str(value)], 0, DECK_SIZE) for value in VALUES)

    def colours(self, found: object) -> Mapping[str, int]:
        if self.is_missing(found):
            return {}
        if not isinstance(found, dict) or not all(map(_WORD.fullmatch, found)):
            self.wrong("figures.colours", msg("{found!r} is no table of colours in small letters", found=found))
            return {}
        return {name: self.number(f"figures.colours.{name}", count) for name, count in found.items()}

    def enough_cards(self, box: Box) -> None:
        if sum(box.deck) != DECK_SIZE:
            self.wrong("deck", msg("{n} cards; allowed: {size} in all", n=sum(box.deck), size=DECK_SIZE))
        if not sum(box.hand):
            self.wrong("hand", msg("no card at all; allowed: at least one"))
        start = worth(box.kitchen, VALUES)
        if start != box.targets[0]:
            self.wrong(
                "kitchen.start",
                msg(
                    "worth {start}; allowed: {target}, the target of the stairs", start=start, target=box.targets[0]
                ),
            )
        most = SEATS[-1]
        for value, count, each, kitchen in zip(VALUES, box.deck, box.hand, box.kitchen, strict=True):
            needed = each * most + kitchen
            if count < needed:
                self.wrong(
                    f"deck.{value}",
                    msg("{n}; {players} hands and the kitchen need {needed}", n=count, players=most, needed=needed),
                )

    def enough_figures(self, box: Box) -> None:
        for seats, each in zip(SEATS, box.per_player, strict=True):
            if seats * each not in {STAIRS - 1, STAIRS}:
                self.wrong(
                    f"figures.per_player.{seats}",
                    msg("{n} figures in all; allowed: 15 or 16, the spaces of the stairs", n=seats * each),
                )
            fitting = sum(count >= each for count in box.figures)
            if fitting < seats:
                self.wrong(
                    "figures.colours",
                    msg(
                        "{n} colours have {each} figures; {players} players need as many",
                        n=fitting,
                        each=each,
                        players=seats,
                    ),
                )

    def piles(self, box: Box) -> None:
        boss, challenger, semifinalist = box.shares
        shared = boss + challenger + 2 * semifinalist
        if shared > box.piles:
            self.wrong("end.shares", msg("{n} piles in all; there are {piles}", n=shared, piles=box.piles))
