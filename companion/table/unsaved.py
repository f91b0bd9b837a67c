"""What happens to a match when its record cannot be written: it waits, or goes on unsaved if the house says so.

The move that was refused has changed nothing, and nothing has told of it: it is made again, or not at all.
"""

from pathlib import Path
from typing import NamedTuple

from companion.core.match import Match
from companion.core.menu import Choice, Item
from companion.core.text import Text, msg


class Stake(NamedTuple):
    """A match that would be lost to the table: as it is, and its record, None if that could not even be begun."""

    match: Match
    path: Path | None


def unsaved_menu(why: Text) -> Choice:
    """Ask what to do about a record that cannot be written; `why` names it and what the disk says."""
    items = (
        Item(msg("Try again"), "try_again", None, why),
        Item(
            msg("Play on unsaved"),
            "unsaved",
            why,
            msg("What is played from now on is lost when the table is switched off"),
        ),
        Item(msg("Leave"), "sure_leave", None, msg("What was played until now stays in the history")),
    )
    return Choice(msg("This match cannot be kept"), items)
