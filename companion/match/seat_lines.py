"""What each seat is told now, and for whom all others wait."""

from typing import TYPE_CHECKING, NamedTuple

from companion.core.console import Lamp, SaysTyped
from companion.core.event import REVEAL
from companion.core.move import TABLE, Seat, by_seat
from companion.core.text import Text, msg, with_names
from companion.display.frame import Beat
from companion.match.orders import is_answered

if TYPE_CHECKING:
    from companion.match.session import Session


class SeatLines(NamedTuple):
    """What one seat is told now: what it may do, and what is `ordered` before: what it has to do with real pieces.

    Its own screen says instead of what it may do what it has `typed`, and below it what only it may read: its
    secrets, as they will be with that. Who `turns` may turn the next card, or answer the question who does.
    """

    prompt: Text
    ordered: Text | None = None
    typed: Text | None = None
    private: Text | None = None
    turns: bool = False


def tell_seat(session: "Session", seat: Seat) -> SeatLines:
    """Say what a seat is told now."""
    referee, again = session.referee, session.rekeying
    view, entry, hand = session.match.view(seat), referee.entries.get(seat, ""), referee.by_hand
    ordered = session.orders.of(seat) if session.orders and not is_answered(referee.stage) else None
    turns = hand is not None and seat in hand.seats
    if referee.pauses:
        own = None if session.reveal.beat == Beat.DRUM else session.console.private(view, entry)
        found = SeatLines(msg("The match is paused"), ordered, None, own)
    elif session.reveal.beat == Beat.DRUM:
        found = SeatLines(msg("All is locked"), ordered)  # the hand as it is now would tell who has won
    else:
        too_early = referee.deals_first and seat in session.match.to_act
        asked = session.match.view() if too_early else view
        prompt = with_names(session.console.prompt(asked), session.match.names)
        if hand and turns:
            prompt = hand.offer if hand.offer and referee.dealer else hand.prompt
        own = session.console.private(view, entry)
        console = session.match.game.console
        typed = console.typed(view, entry) if isinstance(console, SaysTyped) else None
        found = SeatLines(prompt, ordered, typed, own)
    if again and again.seat == seat:
        found = found._replace(prompt=again.prompt(), typed=again.typed(), private=again.private())
    return found._replace(turns=turns)


def story(session: "Session") -> tuple[Text, ...]:
    """Return what happened last; while a reveal is held not what follows from it."""
    return session.news.story(REVEAL if session.reveal.beat == Beat.REVEALED else "")


def waited_for(session: "Session") -> frozenset[Seat]:
    """Return the seats of the people without whom it does not go on; everybody knows who they are."""
    return frozenset(seat for seat in awaited(session) if session.places[seat] in session.people)


def awaited(session: "Session") -> frozenset[Seat]:
    """Return the seats, robots among them, without which it does not go on; everybody knows which they are."""
    if session.left or session.referee.pauses or session.referee.stage.race or session.reveal.on:
        return frozenset()
    lamps = session.console.lamps(session.match.game.rules.view(session.state, None))
    done = {seat for seat, lamp in by_seat(lamps) if lamp == Lamp.ON} if Lamp.BLINK in lamps else set()
    acting = set(session.to_act) - done - {TABLE}
    if session.orders is None:
        return frozenset(acting)
    return frozenset(seat for seat in acting if not session.orders.waits(seat)).union(session.orders.seats)
