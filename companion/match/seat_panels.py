"""What the strips of the display tell, and the seats beside it on a PC, each private screen, the house's line."""

from typing import Final

from companion.config.readers import Readers
from companion.core.clock import MS
from companion.core.console import Lamp
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, decimal, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import (
    Beat,
    Panel,
    PhotoFinish,
    Press,
    PressLine,
    Side,
    TimeLeft,
    told,
)
from companion.match.lessons import LEARNER
from companion.match.news import NOTHING, News
from companion.match.reveal import REVEAL
from companion.match.running import PADS, Running
from companion.match.seating import ROBOTS, Seating, Sitter

MOST_SENTENCES: Final = 3
"""How many sentences a strip tells at most, if it has room for them."""


def sides(
    seating: Seating, running: Running | None, devices: VirtualDevices, ended: bool, readers: Readers
) -> tuple[Side, ...]:
    """Return the strips: of all places in the lobby, of the seats that play in a match.

    With the result of a match that has `ended`, they do not tell of its last move any more.
    """
    if running is None:
        return tuple(_lobby_side(sitter, readers.at(place)) for place, sitter in enumerate(seating.places))
    return tuple(
        _match_side(running, devices, seat, ended, readers.at(place)) for seat, place in enumerate(running.places)
    )


def panels(
    seating: Seating,
    running: Running | None,
    devices: VirtualDevices,
    *,
    peeking: bool,
    readers: Readers,
) -> tuple[Panel, ...]:
    """Return the virtual seats beside the display.

    Where several people share a PC, their private lines are covered unless somebody is `peeking`.
    """
    hands = _hands(seating, running)
    people = [sitter for sitter in seating.sitters if not sitter.robot]
    covered = len(people) > 1 and not peeking
    return tuple(
        Panel(
            place,
            devices.lamps.lamps[place],
            _private(seating, running, place, readers.at(place), covered=covered),
            _faults(devices, place),
            devices.buzzers[place].plugged,
            hands.get(place, ""),
            sitter.name if sitter else "",
            bool(sitter and sitter.robot),
        )
        for place, sitter in enumerate(seating.places)
    )


def private_lines(seating: Seating, running: Running | None, place: int, readers: Readers) -> tuple[str, str]:
    """Return what only this place's own screen shows, whoever else shares the PC."""
    return _private(seating, running, place, readers.at(place), covered=False)


def _lobby_side(sitter: Sitter | None, read: Render) -> Side:
    if sitter is None:
        return Side(note=read(msg("free")), picture="buzzer")
    note = read(msg("robot: {kind}", kind=ROBOTS[sitter.robot])) if sitter.robot else ""
    return Side(sitter.name, note, lit=True, picture="robot" if sitter.robot else "person")


def _match_side(running: Running, devices: VirtualDevices, seat: Seat, ended: bool, read: Render) -> Side:
    name = running.match.names[seat]
    if ("unplugged", seat) in running.referee.pauses:
        return Side(name, read(msg("unplugged!")), seat=seat, tone="bad")
    if seat in running.lost:
        return Side(name, read(msg("some presses were lost")), seat=seat, tone="bad")
    if running.tutor and seat in running.refused:
        return Side(name, read(running.refused[seat]), seat=seat, tone="bad")
    asked = running.tutor is not None and seat == LEARNER and running.tutor.hint is not None
    if seat in running.reminders.seats:
        return Side(name, read(running.prompt(seat)), lit=True, seat=seat, tone="nudge")
    lit = asked or devices.lamps.lamps[running.places[seat]] != Lamp.OFF
    if ended or running.referee.paused:
        return Side(name, read(running.prompt(seat)), lit, seat)
    press = _press(running, seat, read)
    news = NOTHING if press or running.reveal.beat == Beat.DRUM else _news(running, seat)
    if not news.sentences:
        return Side(name, press or read(running.prompt(seat)), lit, seat)
    *older, note = map(read, news.sentences[-MOST_SENTENCES:])
    return Side(name, note, lit and not news.tone, seat, news.tone, older=tuple(older))


def _news(running: Running, seat: Seat) -> News:
    """Return what a seat is told of the last steps; nothing when only what it may do matters."""
    now_ns, orders = running.clock.now_ns(), running.orders
    acts = running.referee.calls_may_come or seat in running.to_act
    # With real cards the next move may come before anybody has carried out the last one.
    young = running.referee.dealer is None and (acts or running.referee.draws)
    if acts and not young:
        return NOTHING
    if running.reveal.beat == Beat.REVEALED:
        return NOTHING if acts else orders.of_kind(REVEAL)
    own = orders.own(seat, now_ns, young=young)
    return own if own.sentences or acts else orders.common(now_ns, young=young)


def _press(running: Running, seat: Seat, read: Render) -> str:
    """Say by how much a seat was first, or too late, while the card of a contested call is not answered."""
    finish = running.finish
    answered = running.referee.draws and len(_firsts(finish.photo)) < 2
    if not finish.current or finish.photo is None or answered or running.referee.over:
        return ""
    press = next((line for line in finish.photo.presses if line.seat == seat and line.kind == Press.CALL), None)
    if press is None:
        return ""
    apart, margin = decimal(press.after_ns / MS), decimal(finish.photo.margin_ns / MS)
    if len(_firsts(finish.photo)) > 1:
        return read(msg("A tie: {ms} ms apart", ms=margin)) if press.first else ""
    if not press.first:
        return read(msg("+{ms} ms", ms=apart))
    first = read(msg("First, by {ms} ms", ms=margin))
    return f"{first}. {read(running.prompt(seat))}" if seat in running.to_act else first


def _firsts(photo: PhotoFinish | None) -> list[PressLine]:
    return [line for line in photo.presses if line.first] if photo else []


def story(running: Running | None) -> tuple[Text, ...]:
    """Return what happened last; while a reveal is held not what follows from it."""
    if running is None:
        return ()
    return running.orders.story(REVEAL if running.reveal.beat == Beat.REVEALED else "")


def time_left(running: Running) -> TimeLeft | None:
    """Return the time limit of what the match shows; None where there is none."""
    limit = running.referee.time_limit
    if limit is None or running.referee.paused or running.reveal.on:
        return None
    callers = running.referee.callers
    seats = callers or tuple(seat for seat in running.to_act if seat != TABLE)
    return TimeLeft(seats, limit.length_ns, limit.ends_ns)


def _faults(devices: VirtualDevices, place: int) -> tuple[str, ...]:
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
    seating: Seating, running: Running | None, place: int, read: Render, *, covered: bool
) -> tuple[str, str]:
    """Return the two lines of a place's private screen; a robot's own second line is nobody's business."""
    sitter = seating.places[place]
    if running is None or place not in running.places:
        return sitter.name if sitter else read(msg("free")), ""
    seat = running.places.index(place)
    first, private = running.prompt(seat), running.private(seat)
    second = running.refused.get(seat, private)
    secret = bool(private) and running.match.has_secrets
    if private and sitter and sitter.robot:
        second = None
    elif secret and covered:  # also what was refused: it tells of the hand
        second = msg("covered: hold Tab to look")
    return read(first), told(second, read)


def _hands(seating: Seating, running: Running | None) -> dict[int, str]:
    """Return which places have the PC's digit keys: those who must act, else the first two persons.

    Where only robots play there is nothing to key but menus.
    """
    people = [place for place, sitter in enumerate(seating.places) if sitter and not sitter.robot]
    watched = running is not None and not (people or running.referee.paused or running.referee.over)
    if watched or (running and _house_keys(running)):
        return {}
    acting = [running.places[seat] for seat in _keying_seats(running) if seat != TABLE] if running else []
    wanted = [place for place in acting if place in people] or people or [0]
    if running and running.hardware:
        return {wanted[0]: PADS[0]}  # one keyboard for all, for whoever must act
    return running.pads(wanted) if running else dict(zip(wanted, PADS, strict=False))


def _keying_seats(running: Running) -> tuple[Seat, ...]:
    return (running.rekeying.seat,) if running.rekeying else running.to_act


def _house_keys(running: Running) -> bool:
    """Tell whether only the house has to key something now."""
    if running.rekeying:
        return running.rekeying.seat == TABLE
    return running.to_act == (TABLE,) and not (running.referee.paused or running.referee.dealer)


def house_line(running: Running | None, read: Render) -> str | None:
    """Return what the house's own line says while nobody else has to key anything; None when that is not so."""
    if running is None or not _house_keys(running):
        return None
    entry = running.rekeying.entry if running.rekeying else running.referee.entry(TABLE)
    return read(msg("House keys (row of digits): {entry}", entry=entry))
