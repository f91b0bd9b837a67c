"""Hints in a match: which key of the PC the next person may press."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from companion.core.console import BUZZ, KEYS
from companion.core.move import Seat
from companion.core.text import Render, Text, msg
from companion.display.frame import Hint
from companion.match.hints import Hints
from companion.match.moment import Moment
from companion.match.seat_lines import SeatLines, awaited

DIGITS: Final = "0123456789"

_SIGN: Final = re.compile(r"(?<!\w)[#*A-D](?!\w)")


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
