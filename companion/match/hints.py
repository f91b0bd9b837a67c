"""Hints beside a virtual table: which key of the PC to press next, in each person's first match of a game.

Controls are in brackets, such as `[buzz]`, `[ok]` or `[#]`. The window replaces them by the PC's keys.
"""

import json
import logging
import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from companion.core.console import BUZZ, KEYS
from companion.core.files import read_regular
from companion.core.limits import TOML_BYTES
from companion.core.menu import HELP_KEY, Choice
from companion.core.move import Seat
from companion.core.text import Render, Text, msg
from companion.display.frame import Hint
from companion.match.moment import Moment
from companion.match.seat_lines import SeatLines, awaited
from companion.referee import durable

FILE_NAME: Final = "hints.json"

DIGITS: Final = "0123456789"

_SIGN: Final = re.compile(r"(?<!\w)[#*A-D](?!\w)")

log = logging.getLogger(__name__)


class Hints:
    """Which people still get hints: everybody, until they have finished a match of the game.

    `wanted` returns whether the table gives hints at all. FILE_NAME in `folder` stores who has learned which game.
    """

    def __init__(self, folder: Path, wanted: Callable[[], bool]) -> None:
        self._path = folder / FILE_NAME
        self._wanted = wanted
        self._games = self._kept()

    def helps(self, name: str, game: str) -> bool:
        return self._wanted() and game not in self._games.get(name, ())

    @property
    def for_newcomers(self) -> bool:
        """True if hints are wanted and nobody has finished a match yet."""
        return self._wanted() and not self._games

    def learnt(self, names: Iterable[str], game: str) -> None:
        new = [name for name in names if game not in self._games.get(name, ())]
        for name in new:
            self._games.setdefault(name, set()).add(game)
        if new:
            self._keep()

    def _kept(self) -> dict[str, set[str]]:
        try:
            if not self._path.exists():
                return {}
            known = json.loads(read_regular(self._path, TOML_BYTES))["known"]
            return {str(name): set(map(str, games)) for name, games in known.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.warning("%s: %s; hints are given anew", self._path, error)
            return {}

    def _keep(self) -> None:
        try:
            durable.make_folder(self._path.parent)
            kept = json.dumps({"known": {name: sorted(games) for name, games in sorted(self._games.items())}})
            os.close(durable.write_whole(self._path, kept.encode()))
        except OSError as error:
            log.warning("%s: %s; hints are given again after the next start", self._path, error.strerror)


# --- Before a match ---------------------------------------------------------------------------------------


def to_sit_down() -> Text:
    return msg("Press {key} to sit down", key="[buzz]")


def to_begin(taken: int, allowed: Collection[int]) -> Text:
    if not taken:
        return to_sit_down()
    if taken not in allowed:
        return msg("Press {key} to add a robot", key="[C]")
    return msg("Press {begin} to begin, or {robot} to add a robot", begin="[#]", robot="[C]")


def to_choose(choice: Choice) -> Text:
    if len(choice.lines) == 1:
        return msg("Press {take}", take="[#]")
    taken = msg("{take} chooses the bright line, {next} moves to the next one", take="[#]", next="[buzz]")
    if choice.items[choice.selected].help:
        return msg("{taken}, {help} shows how to play", taken=taken, help=f"[{HELP_KEY}]")
    return taken


# --- In a match -------------------------------------------------------------------------------------------


def in_match(moment: Moment, hints: Hints, read: Render, told: Sequence[SeatLines]) -> Hint | None:
    """Return the hint for the first person who still gets hints and has something to press."""
    if moment.tutor or moment.pauses or moment.reveals or moment.over:
        return None
    people = {moment.seats[place]: place for place in sorted(moment.people)}
    for seat, place in people.items():
        if hints.helps(moment.match.names[seat], moment.match.game.name) and (
            text := _next(moment, seat, read, told[seat])
        ):
            who = msg("{who}: {text}", who=moment.match.names[seat], text=text) if len(people) > 1 else text
            return Hint(read(who), place)
    return None


def _next(moment: Moment, seat: Seat, read: Render, told: SeatLines) -> Text | None:
    race, hand = moment.stage.race, moment.player_prompt
    if hand and told.turns:
        if hand.said:
            return msg("Press {key} if that is you, {ok} to draw lots", key="[buzz]", ok="[ok]")
        if not moment.dealt:
            return msg("Press {key} when the last card is laid: you turn the next one", key="[#]")
        return msg("Press {key}: you turn the next card", key="[buzz]")
    if race:
        if seat not in race.callers:
            return None
        if BUZZ in race.controls:
            return msg(
                "Know the answer? Put a finger on its key, then press {key}, before the others", key="[buzz]"
            )
        return msg("{asked}. Press {keys}", asked=told.prompt, keys=named(race.controls))
    if seat not in awaited(moment):
        return None
    asked = told.ordered or told.prompt
    signs = dict.fromkeys(_SIGN.findall(read(asked)))
    if signs:
        meant = [read(msg("{sign} is {key}", sign=sign, key=f"[{sign}]")) for sign in signs]
        return msg("{asked}. {keys}", asked=asked, keys=", ".join(meant))
    if len(moment.people) > 1 and moment.match.has_secrets:
        return asked  # others read it, and the keys with a meaning may be secret
    view, entries, console = moment.match.view(seat), moment.entries, moment.match.game.console
    keys = [key for key in DIGITS if console.key(view, seat, key, entries).accepted]
    return msg("{asked}. Press {keys}", asked=asked, keys=named(keys))


def named(controls: Iterable[str]) -> str:
    """Return keys in brackets, consecutive digits as a range: `[1]–[6] [#]`."""
    found = set(controls)
    rows = groupby(DIGITS, key=found.__contains__)
    digits = [list(row) for pressed, row in rows if pressed]
    ranges = [f"[{row[0]}]–[{row[-1]}]" if len(row) > 2 else " ".join(f"[{key}]" for key in row) for row in digits]
    return " ".join([*ranges, *(f"[{key}]" for key in KEYS if key in found and key not in DIGITS)])
