"""Robots' matches as scripts of `companion headless`, and its output compared with records."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from companion.core.console import BUZZ
from companion.core.event import Event, to_json
from companion.core.match import SEED_TAG, Match
from companion.core.replay import replay_entries
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable

REFEREE_KINDS: Final = frozenset(
    {"start", "visible", "verdict", "lamp", "undo_asked", "undone", "redrawn", "paused", "went_on", "result"}
)


def script_of_robots(match: Match, kinds: Sequence[str], undo_s: Sequence[int] = ()) -> list[str]:
    """Return a script of robots' presses in a match with the house's undos."""
    table = VirtualTable(match)
    script: list[str] = []
    press, house = table.devices.press, table.devices.house

    def noted(words: str, act: Callable[[], None]) -> None:
        script.append(f"{table.clock.now_ns() / 1e9:.9f} {words}\n")
        act()

    def pressed(seat: int, control: str) -> None:
        words = BUZZ if control == BUZZ else f"keys {control}"
        noted(f"seat {seat + 1} {words}", partial(press, seat, control))

    table.devices.press = pressed  # type: ignore[method-assign]
    for at_s in undo_s:
        table.clock.at(at_s * 10**9, partial(noted, "house undo", partial(house, "undo")))
        table.clock.at(at_s * 10**9 + 300_000_000, partial(noted, "house ok", partial(house, "ok")))
    table.seat_robots(bots_named(match.game, kinds, len(match.names)), match.tags[SEED_TAG])
    table.start()
    table.run()
    assert match.outcome
    return script


def game_events(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the printed events of the game's moves, without times."""
    events = [json.loads(line) for line in lines]
    return [without_time(event) for event in events if event["kind"] not in REFEREE_KINDS | {"refused"}]


def without_time(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "t_ns"}


def recorded(match: Match) -> list[dict[str, Any]]:
    """Return the public events of a record's entries."""

    def plain(event: Event) -> dict[str, Any]:
        return without_time(json.loads(json.dumps(to_json(0, event))))

    return [plain(event) for _, events in replay_entries(match) for event in events if event.visible_to(None)]
