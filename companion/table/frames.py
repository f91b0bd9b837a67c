"""Makes numbered frames of the table, and the lines of each pod."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from companion.core.place import HOUSE, HouseSheet, PictureSize, Place, by_place
from companion.core.signal import VISIBLE, Signal
from companion.display.frame import Beat, Frame, Hint, Play, PrivatePicture, Result, Screen
from companion.match import centre
from companion.match.hints import Hints
from companion.match.private_screens import Private, PrivateScreens
from companion.match.seat_panels import Controls, SeatPanels
from companion.match.seating import Seating
from companion.match.services import Refresh, TableServices
from companion.screens.overlays import Overlays
from companion.table.phone_door import PhoneDoor

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # imported only with hardware
    from companion.match.session import Session

Pictures = Mapping[Place, PrivatePicture | None]
"""Private pictures by place."""


class Frames:
    """Shows the seating or `session`, covered by `overlays`. `send` receives the frames.

    `paint` receives the pictures for pods; without it they show text.
    """

    def __init__(
        self,
        services: TableServices,
        seating: Seating,
        send: Callable[[Frame], None],
        paint: Callable[[Pictures], None] | None = None,
    ) -> None:
        self.seating = seating
        self.session: Session | None = None
        self.overlays = Overlays(laid=self.refresh, changed=partial(self.refresh_panels, always=True))
        self.send = send
        self._paint = paint
        self._described: dict[Place, tuple[PictureSize, str]] = {}
        self._peeking = False
        self._services = services
        self._serial = 0
        self._sent: Frame | None = None
        self._seats = SeatPanels(seating, services.devices, services.settings.readers)  # of the newest frame
        hardware = services.hardware
        settings = services.settings
        self.hints = (
            None if hardware else Hints(settings.config.journal.path, lambda: settings.config.display.notes)
        )
        self.door = PhoneDoor(services)
        self._private = PrivateScreens(hardware.say, services.clock, hardware.screen_size) if hardware else None

    @property
    def screen(self) -> Screen | None:
        return self._sent.screen if self._sent else None

    def refresh(self) -> None:
        """Send a frame and request a report when it is visible. Only the newest request is reported."""
        self._serial += 1
        self._put(self._frame())
        if self._private:
            self._tell_privately()

    def refresh_panels(self, *, always: bool = False) -> None:
        """Send a frame if it differs, without a new visibility request.

        `always`: also while covered. An equal frame is not sent: its report would call this again.
        """
        if always or not self.overlays.top:
            frame = self._frame()
            if not frame.looks_like(self._sent):
                self._put(frame)
            if self._private:
                self._tell_privately()

    def follow(self) -> None:
        if self.session and self.session.refresh:
            asked, self.session.refresh = self.session.refresh, Refresh.NOTHING
            if asked == Refresh.FRAME:
                self.refresh()
            else:
                self.refresh_panels()

    def peek(self, on: bool) -> None:
        """Show the private lines of players who share a PC, while a key is held."""
        self._peeking = on
        self.refresh_panels(always=True)

    def shown(self, frame: Frame, t_ns: int) -> Signal | None:
        """Return the VISIBLE signal for the newest requested frame, else None."""
        if frame.serial != self._serial:
            return None
        return Signal("display", HOUSE, VISIBLE, t_ns, 0, self._services.clock.now_ns())

    def _put(self, frame: Frame) -> None:
        if self.session:
            self.session.sounds.asked_ns = self._services.clock.now_ns()
        self._sent = frame
        self.send(frame)

    def _tell_privately(self) -> None:
        """Update the pods, but not before everybody can see a reveal."""
        hardware = self._services.hardware
        if not (self._private and hardware):
            return
        seating = self.session.seating if self.session else self.seating
        self.door.follow(seating.places, self._controls(hardware))
        reveal = self.session.reveal if self.session else None
        if not (reveal and reveal.hidden and reveal.beat == Beat.REVEALED):
            lines = {place: self._seats.private(place) for place in hardware.screen_places}
            self._private.show({**lines, **self._paint_privately(lines, hardware)})
            self.door.show_house(self._house_sheet)

    def _house_sheet(self) -> HouseSheet:
        from companion.match import house_sheet  # noqa: PLC0415  a table without phones shows none

        session, read = self.session, self._services.settings.read
        if session and not self.overlays.top:
            return house_sheet.of_match(session.moment(), tuple(session.referee.keys.house_controls()), read)
        assert self.screen
        return house_sheet.of_screen(self.screen, read)

    def _controls(self, hardware: "Hardware") -> Mapping[Place, Controls]:
        usual = self.overlays.top or self._paint is None
        return {place: Controls() if usual else self._seats.controls(place) for place in hardware.places}

    def _paint_privately(self, lines: Mapping[Place, Private], hardware: "Hardware") -> Mapping[Place, Private]:
        """Request the private pictures. Return the lines beside them."""
        if self._paint is None:
            return {}
        sizes, look = hardware.picture_sizes, self._services.settings.look
        pictures = {place: self._seats.picture(place, look) for place in sizes}
        if self.overlays.top:  # overlays use all keys
            pictures = {place: picture and picture._replace(touches=()) for place, picture in pictures.items()}
        described = {place: (sizes[place], picture.said if picture else "") for place, picture in pictures.items()}
        for place, (_, said) in described.items() - self._described.items():
            hardware.describe(place, said)  # text arrives before the slower picture
        self._described = described
        self._paint(pictures)
        shown = {place: picture for place, picture in pictures.items() if picture and place in lines}
        return {place: self._seats.beside(place, picture) for place, picture in shown.items()}

    def _frame(self) -> Frame:
        settings, screen = self._services.settings, self._screen()
        if self.session:
            from companion.match.match_panels import MatchPanels  # noqa: PLC0415  the first picture does not wait for it

            ended = isinstance(screen, Result)
            self._seats = MatchPanels(
                self.session.moment(),
                self.session.seating,
                self._services.devices,
                settings.readers,
                ended=ended,
            )
        else:
            self._seats = SeatPanels(self.seating, self._services.devices, settings.readers)
        own = self.overlays.sides() if self.overlays.top else None
        screens = self._services.hardware.screen_places if self._services.hardware else ()
        return Frame(
            self._serial,
            screen,
            own or self._seats.sides(),
            self._seats.panels(settings.look, screens, peeking=self._peeking),
            self._seats.racing,
            self._seats.house_line,
            tuple(map(settings.read, self._seats.story)),
            settings.look,
            self._seats.time_left if isinstance(screen, Play) else None,
            self._hint(),
        )

    def _hint(self) -> Hint | None:
        if self.hints is None:
            return None
        top = self.overlays.top
        if top is None:
            return self._hint_in_match(self.session, self.hints) if self.session else None
        people = [place for place, sitter in by_place(self.seating.places) if sitter and not sitter.robot]
        text = top.hint() if self.hints.for_newcomers else None
        return Hint(self._services.settings.read(text), min(people, default=Place(0))) if text else None

    def _hint_in_match(self, session: "Session", hints: Hints) -> Hint | None:
        from companion.match.match_hints import in_match  # noqa: PLC0415  the first picture does not wait for it

        return in_match(session.moment(), hints, self._services.settings.read, self._seats.told)

    def _screen(self) -> Screen:
        if self.overlays.top:
            return self.overlays.top.screen()
        assert self.session  # without a match there is always an overlay
        if troubles := self.session.troubles:
            only_house = self.door.replace_house() if [*troubles] == [HOUSE] else None
            return only_house or centre.troubles(troubles, self._services.settings.read)
        from companion.match import match_screens  # noqa: PLC0415  the first picture does not wait for it

        return match_screens.play(self.session.moment())
