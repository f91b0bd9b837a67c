"""What only its seat may see as a picture, for a screen that shows some; and what is left to be said beside it."""

from companion.core.console import ShowsOwn
from companion.core.move import Seat
from companion.core.place import Place
from companion.core.rules import View
from companion.core.text import Render
from companion.display.frame import Beat, Look, PrivatePicture, told
from companion.match.private_screens import Private
from companion.match.session import Session


def private_picture(session: Session, place: Place, read: Render, look: Look) -> PrivatePicture | None:
    """Return what a place's own screen shows as a picture; None where its lines say all there is."""
    seat = session.seats.get(place)
    if seat is None or place not in session.people:
        return None
    if session.lent.seat == seat and not session.referee.pauses:
        return None
    console = session.match.game.console
    if not isinstance(console, ShowsOwn) or not (seen := _seen(session, seat)):
        return None
    own = console.own(*seen)
    if own is None:
        return None
    return PrivatePicture(session.match.game.scene, own, told(console.private(*seen), read), look)


def _seen(session: Session, seat: Seat) -> tuple[View, str] | None:
    """Return what a seat may see and what it has typed; None while that would tell who has won."""
    again, match = session.rekeying, session.match
    if again and again.seat == seat:
        return match.game.rules.view(match.before(again.number), seat), again.entry
    if session.reveal.beat == Beat.DRUM:
        return None
    return match.view(seat), session.referee.entries.get(seat, "")


def beside(lines: Private, session: Session, place: Place, read: Render) -> Private:
    """Return what a place's lines say beside its picture: what it may do, what was not taken, or a secret order."""
    seat = session.seats.get(place)
    if seat is None:
        return lines
    again = session.rekeying
    ordered = session.orders.secret(seat) if session.orders else None
    why = again.why if again and again.seat == seat else ordered
    return lines._replace(second=told(session.refused.get(seat, why), read))
