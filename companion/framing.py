"""What the display is told to show of the lobby, of a running match and of the places round the table."""

from companion.core.console import Lamp
from companion.core.match import Match
from companion.core.move import TABLE, Seat
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Menu, Panel, Poster, Result, Side, Standing, told
from companion.lobby import Choice, Seating, Sitter
from companion.running import Running


def menu(choice: Choice) -> Menu:
    """Return a menu's screen."""
    return Menu(
        told(choice.title),
        tuple(told(item.label) for item in choice.items),
        choice.selected,
        told(choice.items[choice.selected].detail),
        told(msg("digit or # takes a line, a buzzer goes on, * goes back")),
    )


def who_plays(seating: Seating) -> Poster:
    """Return the screen on which everybody sits down."""
    hint = msg("# when all sit") if len(seating.taken) >= 2 else msg("Two or more players are needed")
    lines = (told(msg("Press your buzzer to sit down or stand up.")), told(msg("A: name. B: robot.")))
    return Poster(told(msg("Who plays?")), lines, told(hint))


def result(match: Match, outcome: Outcome) -> Result:
    """Return the screen of how a match ended."""
    standings = []
    place = 1
    for seats in outcome.ranking:
        standings.append(Standing(place, ", ".join(match.names[seat] for seat in seats)))
        place += len(seats)
    winners = ", ".join(match.names[seat] for seat in outcome.winners)
    title = told(msg("{winners} wins", "{winners} win", winners=winners, n=len(outcome.winners)))
    return Result(title, told(outcome.reason), tuple(standings), told(msg("1 or #: again. 2: another game")))


def sides(seating: Seating, running: Running | None, devices: VirtualDevices, ended: bool) -> tuple[Side, ...]:
    """Return the strips: of all places in the lobby, of the seats that play in a match.

    With the result of a match that has `ended`, they do not tell of its last move any more.
    """
    if running is None:
        return tuple(_lobby_side(sitter) for sitter in seating.places)
    return tuple(_match_side(running, devices, seat, ended) for seat in range(len(running.match.names)))


def panels(seating: Seating, running: Running | None, devices: VirtualDevices) -> tuple[Panel, ...]:
    """Return the virtual seats beside the display."""
    hands = _hands(seating, running)
    return tuple(
        Panel(
            place,
            devices.lamps.lamps[place],
            _private(seating, running, place),
            _faults(devices, place),
            devices.buzzers[place].plugged,
            hands.get(place, ""),
        )
        for place in range(len(seating.places))
    )


def _lobby_side(sitter: Sitter | None) -> Side:
    if sitter is None:
        return Side(note=told(msg("free")))
    return Side(sitter.name, told(msg("robot: {kind}", kind=sitter.robot)) if sitter.robot else "", lit=True)


def _match_side(running: Running, devices: VirtualDevices, seat: Seat, ended: bool) -> Side:
    name = running.match.names[seat]
    if ("unplugged", seat) in running.referee.pauses:
        return Side(name, told(msg("unplugged!")), seat=seat, tone="bad")
    if seat in running.tones and not ended:
        tone, note = running.tones[seat]
        return Side(name, note, seat=seat, tone=tone)
    lamp = devices.lamps.lamps[running.places[seat]]
    return Side(name, running.prompt(seat), lamp != Lamp.OFF, seat)


def _faults(devices: VirtualDevices, place: int) -> str:
    buzzer = devices.buzzers[place]
    faults = (
        (msg("bounces"), buzzer.fault.bounce_ns),
        (msg("late"), buzzer.fault.late_ns),
        (msg("stuck"), buzzer.fault.stuck),
        (msg("unplugged"), not buzzer.plugged),
    )
    return ", ".join(told(text) for text, on in faults if on)


def _private(seating: Seating, running: Running | None, place: int) -> tuple[str, str]:
    """Return the two lines of a place's private screen."""
    if running and place in running.places:
        seat = running.places.index(place)
        return running.prompt(seat), running.refused.get(seat, "")
    sitter = seating.places[place]
    return sitter.name if sitter else told(msg("free")), ""


def _hands(seating: Seating, running: Running | None) -> dict[int, str]:
    """Return which places have the PC's digit keys: those who must act, else the first two persons."""
    people = [place for place, sitter in enumerate(seating.places) if sitter and not sitter.robot]
    acting = [running.places[seat] for seat in running.match.to_act if seat != TABLE] if running else []
    wanted = [place for place in acting if place in people] or people or [0]
    return dict(zip(wanted, ("digits", "number pad"), strict=False))
