"""The strips of the display, the virtual seats beside it and the private screens, while nobody plays."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.config.settings import Readers
from companion.core.place import Place, by_place
from companion.core.text import Render, Text, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Look, Panel, PrivatePicture, Side, TimeLeft
from companion.match.private_screens import Private
from companion.match.seating import ROBOTS, Seating, Sitter

if TYPE_CHECKING:
    from companion.match.seat_lines import SeatLines  # of a match

PADS: Final = ("digits", "number pad")


def keypad_owners(typing: Sequence[Place]) -> dict[Place, str]:
    """Return the keys of a PC (one of PADS) for each place that may type now.

    The first place has the digits, the last the number pad; a single place has both.
    """
    digits, number_pad = PADS
    return {typing[-1]: number_pad, typing[0]: digits}


class Controls(NamedTuple):
    """Which controls a place's own screen must show large: its keys, and its buzzer."""

    keys: bool = True
    buzzer: bool = True


class SeatPanels:
    """The places of a table while nobody plays, each in its language."""

    told: "Sequence[SeatLines]" = ()

    house_line: str | None = None
    """The house's entry, while the match waits only for the house."""

    story: tuple[Text, ...] = ()

    time_left: TimeLeft | None = None

    racing = False
    """True if calls count now."""

    def __init__(self, seating: Seating, devices: VirtualDevices, readers: Readers) -> None:
        self._seating = seating
        self._devices = devices
        self._readers = readers

    def sides(self) -> tuple[Side, ...]:
        places = by_place(self._seating.places)
        return tuple(
            _lobby_side(sitter, self._readers.places[place])._replace(place=place) for place, sitter in places
        )

    def panels(self, look: Look, screens: Collection[Place] = (), *, peeking: bool) -> tuple[Panel, ...]:
        """Return the virtual seats beside the display.

        If several people share a PC, their private lines are covered unless somebody is `peeking`, which also shows
        pictures of their hands. Places with real `screens` show no secret here.
        """
        sitters, devices = self._seating.places, self._devices
        people = [place for place in devices.places if (sitter := sitters[place]) and not sitter.robot]
        hands = self._hands(people)
        covered = len(people) > 1 and not peeking
        found = []
        for place in devices.places:
            elsewhere, sitter = place in screens, sitters[place]
            first, second = self._lines(place, covered=covered or elsewhere)
            found.append(
                Panel(
                    place,
                    devices.lamps[place],
                    (first, "" if elsewhere else second),
                    devices.buzzers[place].faults,
                    devices.buzzers[place].plugged,
                    hands.get(place, ""),
                    sitter.name if sitter else "",
                    bool(sitter and sitter.robot),
                    self.picture(place, look) if peeking and not elsewhere else None,
                )
            )
        return tuple(found)

    def private(self, place: Place) -> Private:
        sitter = self._seating.places[place]
        said = msg("You're in, {name}", name=sitter.name) if sitter else msg("Press the buzzer to sit down")
        first = self._readers.places[place](said)
        return Private(first, "", first)

    def picture(self, place: Place, look: Look) -> PrivatePicture | None:
        del place, look  # nobody has a hand yet
        return None

    def beside(self, place: Place, own: PrivatePicture) -> Private:
        del own
        return self.private(place)

    def controls(self, place: Place) -> Controls:
        del place  # menus use all of them
        return Controls()

    def _lines(self, place: Place, *, covered: bool) -> tuple[str, str]:
        del covered  # nothing is secret yet
        sitter = self._seating.places[place]
        return sitter.name if sitter else self._readers.places[place](msg("free")), ""

    def _hands(self, people: Sequence[Place]) -> dict[Place, str]:
        """Return the PC's keys of each place. If only robots sit there, the first place has them for the menus."""
        return keypad_owners(people or [Place(0)])


def _lobby_side(sitter: Sitter | None, read: Render) -> Side:
    if sitter is None:
        return Side(note=read(msg("free")), picture="buzzer")
    note = read(msg("robot: {kind}", kind=ROBOTS.get(sitter.robot, sitter.robot))) if sitter.robot else ""
    return Side(sitter.name, note, lit=True, picture="robot" if sitter.robot else "person")
