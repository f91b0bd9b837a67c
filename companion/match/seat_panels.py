"""What the strips of the display tell, and the seats beside it on a PC, each private screen, the house's line."""

from collections.abc import Sequence
from typing import Final

from companion.config.settings import Readers
from companion.core.clock import MS
from companion.core.console import Lamp
from companion.core.move import TABLE, Seat, by_seat
from companion.core.place import Place, by_place
from companion.core.text import Render, Text, decimal, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import (
    Beat,
    Panel,
    Press,
    Side,
    TimeLeft,
)
from companion.match.house_place import HOUSE_KEY, due_task, lent_lines
from companion.match.lessons import LEARNER
from companion.match.news import NOTHING, Report
from companion.match.private_screens import Private
from companion.match.reveal import REVEAL
from companion.match.seat_devices import PADS
from companion.match.seating import ROBOTS, Seating, Sitter
from companion.match.session import Session
from companion.match.told import Told
from companion.referee.happened import Pause, Reason

MOST_SENTENCES: Final = 3
"""How many sentences a strip tells at most, if it has room for them."""


def sides(
    seating: Seating,
    session: Session | None,
    devices: VirtualDevices,
    ended: bool,
    readers: Readers,
    *,
    told: Sequence[Told],
) -> tuple[Side, ...]:
    """Return the strips: of all places in the lobby, in a match of the seats that play, of what they are `told`.

    With the result of a match that has `ended`, they do not tell of its last move any more.
    """
    if session is None:
        return tuple(_lobby_side(sitter, readers.places[place]) for place, sitter in by_place(seating.places))
    strips = [
        _match_side(session, devices, seat, ended=ended, read=readers.places[place], told=told[seat])
        for seat, place in by_seat(session.places)
    ]
    read = [readers.places[place] for place in session.places]
    return tuple(
        strip._replace(badge=read[seat](badge)) if (badge := session.badges[seat]) else strip
        for seat, strip in by_seat(strips)
    )


def panels(
    seating: Seating,
    session: Session | None,
    devices: VirtualDevices,
    *,
    peeking: bool,
    keyed_by_house: bool,
    readers: Readers,
    told: Sequence[Told],
) -> tuple[Panel, ...]:
    """Return the virtual seats beside the display, who plays there with what they are `told`.

    Where several people share a PC, their private lines are covered unless somebody is `peeking`.
    """
    people = [place for place in devices.places if (sitter := seating.places[place]) and not sitter.robot]
    hands = {} if keyed_by_house else _hands(people, session)
    covered = len(people) > 1 and not peeking
    return tuple(
        Panel(
            place,
            devices.lamps[place],
            _private(seating, session, place, readers.places[place], told, covered=covered),
            _faults(devices, place),
            devices.buzzers[place].plugged,
            hands.get(place, ""),
            sitter.name if (sitter := seating.places[place]) else "",
            bool(sitter and sitter.robot),
        )
        for place in devices.places
    )


def private_lines(
    seating: Seating, session: Session | None, place: Place, readers: Readers, told: Sequence[Told]
) -> Private:
    """Return what only this place's own screen shows, whoever else shares the PC."""
    read = readers.places[place]
    first, second = _private(seating, session, place, read, told, covered=False)
    seat = session.seats.get(place) if session else None
    if session is None or seat is None:
        return Private(first, second, first)
    return Private(first, second, read(told[seat].prompt), session.turned.get(seat, 0))


def _lobby_side(sitter: Sitter | None, read: Render) -> Side:
    if sitter is None:
        return Side(note=read(msg("free")), picture="buzzer")
    note = read(msg("robot: {kind}", kind=ROBOTS.get(sitter.robot, sitter.robot))) if sitter.robot else ""
    return Side(sitter.name, note, lit=True, picture="robot" if sitter.robot else "person")


def _match_side(
    session: Session, devices: VirtualDevices, seat: Seat, *, ended: bool, read: Render, told: Told
) -> Side:
    name = session.match.names[seat]
    if Pause(Reason.UNPLUGGED, seat) in session.referee.pauses:
        return Side(name, read(msg("unplugged!")), seat=seat, tone="bad")
    if seat in session.lost:
        return Side(name, read(msg("some presses were lost")), seat=seat, tone="bad")
    if session.tutor and seat in session.refused:
        return Side(name, read(session.refused[seat]), seat=seat, tone="bad")
    if session.lent.seat == seat and not session.referee.pauses:
        return Side(name, read(msg("You key for the house; {key} ends that", key=HOUSE_KEY)), True, seat)
    asked = session.tutor is not None and seat == LEARNER and session.tutor.hint is not None
    nudge = "nudge" if seat in session.reminders.seats else ""
    if told.ordered and not session.referee.pauses:
        tone = nudge or session.news.own(seat, session.clock.now_ns(), young=True).tone
        return Side(name, read(told.ordered), lit=not tone or bool(nudge), seat=seat, tone=tone)
    if nudge:
        return Side(name, read(told.prompt), lit=True, seat=seat, tone=nudge)
    turns = told.turns
    lit = asked or turns or devices.lamps[session.places[seat]] != Lamp.OFF
    if ended or session.referee.pauses:
        return Side(name, read(told.prompt), lit, seat)
    acts = seat in session.to_act
    press = _press(session, seat, read, told.prompt if acts else None) if session.finish.current else ""
    news = NOTHING if press or session.reveal.beat == Beat.DRUM else _news(session, seat, acts=acts, turns=turns)
    if not news.sentences:
        note = f"{press}. {read(told.prompt)}" if press and turns else press or read(told.prompt)
        return Side(name, note, lit, seat)
    # What is to be done with real cards, which a verdict tells of, is not to be lost for it.
    stage = session.referee.stage
    then = told.prompt if turns else None if stage.deal or stage.race else due_task(session)
    sentences = (*news.sentences, then) if then else news.sentences
    *older, note = map(read, sentences[-MOST_SENTENCES:])
    return Side(name, note, lit and not news.tone, seat, news.tone, older=tuple(older))


def _news(session: Session, seat: Seat, *, acts: bool, turns: bool) -> Report:
    """Return what a seat is told of the last steps; nothing when only what it may do matters."""
    now_ns, news = session.clock.now_ns(), session.news
    stage = session.referee.stage
    acts = acts or stage.race is not None
    # With real cards, or turned by hand, the next move may come before anybody has carried out the last one.
    by_hand = session.referee.dealer is None or session.referee.by_hand is not None
    young = by_hand and (acts or stage.deal is not None)
    if acts and not young:
        return NOTHING
    if session.reveal.beat == Beat.REVEALED:
        return NOTHING if acts else news.of_kind(REVEAL)
    own = news.own(seat, now_ns, young=young)
    return own if own.sentences or (acts and not turns) else news.common(now_ns, young=young)


def _press(session: Session, seat: Seat, read: Render, due: Text | None) -> str:
    """Say by how much a seat was first, or too late, while the card of a contested call is not answered.

    Who was first is told what is `due` of it, too.
    """
    finish = session.finish
    if finish.photo is None or session.referee.over:
        return ""
    firsts = [line for line in finish.photo.presses if line.first]
    if session.referee.stage.deal and len(firsts) < 2:
        return ""  # it is answered
    press = next((line for line in finish.photo.presses if line.seat == seat and line.kind == Press.CALL), None)
    if press is None:
        return ""
    apart, margin = decimal(press.after_ns / MS), decimal(finish.photo.margin_ns / MS)
    if len(firsts) > 1:
        return read(msg("A tie: {ms} ms apart", ms=margin)) if press.first else ""
    if not press.first:
        return read(msg("+{ms} ms", ms=apart))
    first = read(msg("First, by {ms} ms", ms=margin))
    return f"{first}. {read(due)}" if due else first


def story(session: Session | None) -> tuple[Text, ...]:
    """Return what happened last; while a reveal is held not what follows from it."""
    if session is None:
        return ()
    return session.news.story(REVEAL if session.reveal.beat == Beat.REVEALED else "")


def time_left(session: Session) -> TimeLeft | None:
    """Return the time limit of what the match shows; None where there is none."""
    limit = session.referee.pacing.limit
    if limit is None or session.referee.pauses or session.reveal.on:
        return None
    race = session.referee.stage.race
    seats = race.callers if race else tuple(seat for seat in session.to_act if seat != TABLE)
    return TimeLeft(seats, limit.length_ns, limit.ends_ns)


def _faults(devices: VirtualDevices, place: Place) -> tuple[str, ...]:
    """Return what is wrong at a place, by the names of the controls that make it so."""
    buzzer = devices.buzzers[place]
    faults = (
        ("unplug", not buzzer.plugged),
        ("bounce", buzzer.fault.bounce_ns),
        ("stuck", buzzer.fault.stuck),
        ("late", buzzer.fault.late_ns),
    )
    return tuple(name for name, on in faults if on)


def _private(
    seating: Seating, session: Session | None, place: Place, read: Render, told: Sequence[Told], *, covered: bool
) -> tuple[str, str]:
    """Return the two lines of a place's private screen; what a robot has and types is nobody's business."""
    sitter = seating.places[place]
    seat = session.seats.get(place) if session else None
    if session is None or seat is None:
        return sitter.name if sitter else read(msg("free")), ""
    if session.lent.seat == seat and not session.referee.pauses:
        return lent_lines(session, read)
    prompt, typed, private = told[seat].prompt, told[seat].typed, told[seat].private
    if (private or typed) and sitter and sitter.robot:
        return read(prompt), ""
    if private and session.match.has_secrets and covered:  # also what was refused: it tells of the hand
        return read(prompt), read(msg("covered: hold Tab to look"))
    below = session.refused.get(seat, private)
    return read(typed or prompt), read(below) if below is not None else ""


def _hands(people: Sequence[Place], session: Session | None) -> dict[Place, str]:
    """Return which places have the PC's digit keys: those who must act, else the first two persons.

    Where only robots play there is nothing to key but menus.
    """
    if session is None:
        return dict(zip(people or [Place(0)], PADS, strict=False))
    if not (people or session.referee.pauses or session.referee.over):
        return {}
    acting = (session.rekeying.seat,) if session.rekeying else session.to_act
    places = [session.places[seat] for seat in acting if seat != TABLE]
    wanted = [place for place in places if place in people] or people or [Place(0)]
    if session.hardware:
        return {wanted[0]: PADS[0]}  # one keyboard for all, for whoever must act
    return session.pads.given(wanted)


def house_line(session: Session | None, read: Render) -> str | None:
    """Return what the house's own line says while nobody else has to key anything; None when that is not so."""
    if session is None:
        return None
    again, referee = session.rekeying, session.referee
    waits = session.to_act == (TABLE,) and not (referee.pauses or referee.dealer)
    if not (again.seat == TABLE if again else waits):
        return None
    entry = again.entry if again else referee.entries.get(TABLE, "")
    return read(msg("House keys (row of digits): {entry}", entry=entry))
