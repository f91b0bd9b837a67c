"""Where both the table's menu and that of a pause lead to, and come back from: the settings and the visits."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from companion.core.menu import Item
from companion.match.services import Premises
from companion.table.menus import SELF_TEST
from companion.table.overlays import Asking, Visiting
from companion.table.showing import Showing
from companion.visits.help import open_help
from companion.visits.past_matches import PastMatchesVisit
from companion.visits.self_test import open_self_test
from companion.visits.statistics import StatisticsVisit
from companion.visits.visit import Opener

VISITS: Final[Mapping[str, Opener]] = {
    "help": open_help,
    "past": PastMatchesVisit,
    "statistics": StatisticsVisit,
    SELF_TEST: open_self_test,
}
"""The visits by the act of the menu's line that leads there."""


class Detours:
    """Begins what has its own way back to the menu it began in."""

    def __init__(self, premises: Premises, showing: Showing) -> None:
        self._premises = premises
        self._showing = showing

    def visit(self, item: Item) -> None:
        """Begin the visit that a line of the menu on the display names; it ends at the same line."""
        back = self._way_back()
        premises = replace(self._premises, changed=self._visit_changed)
        visit = VISITS[item.act](premises, item.value)
        self._showing.lay(Visiting(visit, self._showing.refresh, back))

    def _way_back(self) -> Callable[[], None]:
        """Return what goes back to the menu on the display, at the line where it is now."""
        menu = self._showing.cover
        assert menu
        return partial(self._showing.lay, menu)

    def _visit_changed(self) -> None:
        if isinstance(self._showing.cover, Visiting):
            self._showing.refresh()

    def settings(self) -> None:
        """Ask what is to be changed at the table; that ends at the line where it began."""

        def turn(item: Item) -> None:
            self._turn(asking, item.value)

        asking = self._showing.ask(self._premises.settings.menu(), turn, self._way_back())

    def _turn(self, asking: Asking, which: tuple[str, str]) -> None:
        """Change an option, and stay at its line."""
        settings = self._premises.settings
        settings.turn(which)
        if self._showing.session:
            self._showing.session.keep_pace()
        asking.renew(settings.menu(), "turn", which)
