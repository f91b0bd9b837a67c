"""The position of a live match, and who deals or turns its next card."""

from companion.core.console import Console, Lamp, PlayerPrompt, Stage
from companion.core.dealer import Draws
from companion.core.match import Match
from companion.core.move import TABLE, Seat, by_seat
from companion.core.rules import View
from companion.referee.pacing import Pacing


class LivePosition:
    """The newest position of a match; its `stage` is what the match waits for, unless it is `over`.

    Without a `dealer` the house keys real cards and dice. `turned` are the seats whose press may have turned the
    card. `seen`: a card that turns by itself has been shown.
    """

    def __init__(self, match: Match, console: Console, dealer: Draws | None, pacing: Pacing) -> None:
        self.match = match
        self.console = console
        self.dealer = dealer
        self.stage = Stage()
        self.over = False
        self.turned: tuple[Seat, ...] = ()
        self.seen = False
        self._pacing = pacing
        self._lamps = (Lamp.OFF,) * len(match.names)

    def view(self, seat: Seat = TABLE) -> View:
        """Return a seat's view; for the TABLE the public view."""
        return self.match.view(None if seat == TABLE else seat)

    @property
    def player_prompt(self) -> PlayerPrompt | None:
        """How players do the next step instead of the dealer, or None."""
        deal = self.stage.deal
        if deal is None or deal.player_prompt is None:
            return None
        if self.dealer is None and not deal.player_prompt.said:
            return deal.player_prompt if deal.by_itself else None
        return deal.player_prompt if self._pacing.is_by_hand(deal.player_prompt) else None

    @property
    def deals_first(self) -> bool:
        deal = self.stage.deal
        return self.dealer is not None and deal is not None and deal.at_once

    def enter(self, *, was_dealing: bool) -> list[tuple[Seat, Lamp]]:
        view = self.match.view()
        self.seen = False
        self.over = self.match.outcome is not None
        self.stage = Stage() if self.over else self.console.stage(view)
        if self.stage.deal and not was_dealing:
            self.turned = ()
        before, self._lamps = self._lamps, self.console.lamps(view)
        return [(seat, lamp) for seat, lamp in by_seat(self._lamps) if lamp != before[seat]]
