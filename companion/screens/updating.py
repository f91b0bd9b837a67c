"""A USB stick with a release: asks whether to install it, and shows the progress."""

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.core.clock import Later, PlanningClock
from companion.core.errors import CompanionError
from companion.core.menu import Item, sure_menu
from companion.core.place import Place
from companion.core.text import Render, Text, msg, percent
from companion.display.frame import Poster
from companion.match import centre
from companion.screens.overlays import Card, MenuOverlay, Overlay
from companion.updates.offers import Offer, Offers, Progress

LOOK_NS: Final = 1_000_000_000
ANSWER_NS: Final = 30 * LOOK_NS
"""The timeout for an update to begin."""

SILENT_MIN: Final = 15
"""The timeout of one step of an update, enough for the slowest machine."""


class Sticks:
    """Offers the release of a stick: in the menu, and at once if the table is `free`.

    `lay` puts an overlay on top, `replace` only over the attract screen.
    """

    def __init__(
        self,
        offers: Offers,
        clock: PlanningClock,
        read: Render,
        *,
        free: Callable[[], bool],
        lay: Callable[[Overlay], None],
        replace: Callable[[Overlay], None],
    ) -> None:
        self._offers = offers
        self._clock = clock
        self._read = read
        self._free = free
        self._lay = lay
        self._replace = replace
        self._seen: Offer | None = None

    def look(self) -> None:
        """Look for a new stick, and schedule the next look."""
        self._clock.at(self._clock.now_ns() + LOOK_NS, self.look)
        if self._free():
            offer = self._offers.offer()
            if offer and offer != self._seen:
                self.open(offer)
            self._seen = offer

    def items(self) -> list[Item]:
        offer = self._offers.offer()
        if offer is None:
            return []
        name = msg("Update to {version}", version=offer.version) if offer.version else msg("Update")
        return [Item(name, partial(self.open, offer), "arrow", offer.why or msg("From the USB stick"))]

    def open(self, offer: Offer) -> None:
        if offer.why:
            hint = self._read(msg("Press any button"))
            title = self._read(msg("This release cannot be installed"))
            poster = Poster(title, (self._read(offer.why),), hint, trouble=True, pictures=("wrench",))
            self._lay(Card(lambda: poster))
            return
        question = msg("Update the table to {version}?", version=offer.version)
        choice = sure_menu(question, self._begin, "arrow")
        detail = msg("It takes a few minutes. All matches are kept, and a power cut does no harm")
        items = tuple(item._replace(detail=detail) for item in choice.items)
        self._lay(MenuOverlay(lambda: choice._replace(items=items), self._read))

    def _begin(self) -> None:
        updating = Updating(self._offers, self._clock, self._read)
        self._replace(updating)
        updating.begin()


class Updating(Overlay):
    """The progress of an update. It ignores presses unless it fails, and ends with a restart of the table."""

    def __init__(self, offers: Offers, clock: PlanningClock, read: Render) -> None:
        self._offers = offers
        self._clock = clock
        self._read = read
        self._since_ns = self._told_ns = clock.now_ns()
        self._plans = Later(clock)
        self._progress = Progress(self._since_ns, 0, msg("waiting for the system"))

    def begin(self) -> None:
        try:
            self._offers.ask()
        except CompanionError as error:
            self._fail(error.text)
        self._look()

    def _look(self) -> None:
        now_ns = self._clock.now_ns()
        if self._progress.failed:
            return
        self._plans.after(LOOK_NS, self._look)
        found = self._offers.progress()
        if found and found.since_ns >= self._since_ns:  # otherwise an earlier update wrote it
            if found != self._progress:
                self._progress, self._told_ns = found, now_ns
                self.changed()
            elif now_ns - self._told_ns > SILENT_MIN * 60 * LOOK_NS:
                self._fail(msg("no progress for {n} minutes", n=SILENT_MIN))
        elif now_ns - self._since_ns > ANSWER_NS:
            self._fail(msg("it did not start: is companion-update.path running?"))

    def _fail(self, why: Text) -> None:
        self._progress = self._progress._replace(what=why, failed=True)
        self.changed()

    def screen(self) -> Poster:
        read, progress = self._read, self._progress
        if progress.failed:
            return centre.wrong(
                msg("The update failed, and the table is unchanged: {why}", why=progress.what),
                msg("Press any button"),
                read,
            )
        lines = (read(percent(progress.percent / 100)), read(progress.what))
        hint = msg("A power cut does no harm: the table starts with the old version or the new one")
        return Poster(read(msg("The table is updating")), lines, read(hint), pictures=("clock",))

    def press(self, place: Place, control: str) -> bool:
        return not self._progress.failed

    def leave(self) -> None:
        self._plans.drop()
