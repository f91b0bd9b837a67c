"""The phones of a table. A phone gets a seat by scanning its code, and then acts as a pod.

One phone may be the house's instead, at the place HOUSE: it has the house's controls and no buzzer.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.core.clock import Clock
from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import OptionError
from companion.core.heartbeat import Heartbeat
from companion.core.install import install_command
from companion.core.names import read_name
from companion.core.place import HOUSE, HouseSheet, PictureSize, Place, TouchArea
from companion.core.signal import ASKED, NAMED, PLUG, Signal
from companion.core.text import LANGUAGES, Text, msg, reader
from companion.core.units import MS
from companion.devices.driver import Deliver, too_much
from companion.devices.errors import DeviceError
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.picture import LatestPicture
from companion.devices.phones.secret import SeatCode, Secret
from companion.devices.phones.talks import CloseCode, Due, Invitation, PhoneLink, Talk, of_house, with_areas
from companion.devices.pods.clock import US
from companion.devices.pods.link import TEXT_LONGEST, LinkTiming, PodLink
from companion.devices.pods.linked import LinkedDevice
from companion.devices.pods.proof import PodKey
from companion.devices.pods.reports import (
    PROVES,
    VERSION,
    Away,
    Back,
    Coarse,
    Dropped,
    Hello,
    KeyReport,
    Named,
    Report,
    Sits,
)
from companion.devices.pods.sentences import cut
from companion.referee.arbiter import SETTLE_MOST_NS

if TYPE_CHECKING:
    from companion.devices.phones.server import Server

SOURCE: Final = "phone"

log = logging.getLogger(__name__)


def line_of(wait_ms: int) -> LinkTiming:
    wait_ns = wait_ms * MS
    return LinkTiming(40 * MS + MS // 8, 0, 3_000 * MS, stamp_ns=0, believed_ns=wait_ns, renews=True)


class Phones(LinkedDevice):
    """The phones of a table, which report from the server's thread.

    A code of a seat or of the house is valid once, while its place is invited. The table's code is valid while any
    seat is invited. If the house has nothing but its phone (`house_alone`), a match waits for that as for a seat's.
    """

    source = SOURCE

    def __init__(self, options: PhoneOptions, deliver: Deliver, clock: Clock) -> None:
        """Open the port, if phones are on. Raise DeviceError."""
        super().__init__(deliver, clock, options.wait_ms * MS)
        self._options = options
        self._line = line_of(options.wait_ms)
        self._phones: dict[Place, PhoneLink] = {}
        self._tokens: dict[Place, Secret] = {}
        self._any_seat: Secret | None = None
        self._looks: dict[Place, dict[str, str]] = {}
        self._names: dict[Place, str] = {}
        self._answers = 0
        self._sheet = HouseSheet()
        self.house_alone = False
        self._talks: list[Talk] = []
        self._watches = False
        self.language = LANGUAGES[0]
        """The table's language. Seats may have others."""
        self.wall = LatestPicture()
        """The public picture."""
        self.server: Server | None = None
        if options.on:
            self.server = self._open_server()

    @property
    def on(self) -> bool:
        return self.server is not None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The table's URLs, the one in the codes first; empty without a network."""
        return self.server.addresses if self.server else ()

    def turn(self, *, on: bool) -> None:
        """Switch phones on, or off, which frees their seats. Raise DeviceError."""
        if on and self.server is None:
            self.server = self._open_server()
            if self._watches:
                self.server.start()
        elif not on:
            for place in tuple(self._phones):
                self.give_free(place)
            self.close()

    def _open_server(self) -> "Server":
        try:
            from companion.devices.phones.server import Server  # noqa: PLC0415  a table without phones needs none
        except ImportError as error:
            remedy = msg("[phones]: {why}; {get}", why=str(error), get=install_command())
            raise DeviceError(remedy) from error
        return Server(self._options, self, self._clock)

    # --- The device interface -------------------------------------------------------------------------

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for place in super().places if place != HOUSE)

    @property
    def settle_ns(self) -> int:
        return self._most_ns if self.places else 0

    @property
    def settle_most_ns(self) -> int:
        return max(self.settle_ns, SETTLE_MOST_NS)

    @property
    def troubles(self) -> dict[Place, Text]:
        with self._lock:
            return {
                place: msg("the phone of the house is not responding: open its page again, or scan its code")
                if place == HOUSE
                else msg("the phone of seat {n} is not responding: open its page again", n=place + 1)
                for place, link in self._phones.items()
                if not link.ready and (place != HOUSE or self.house_alone)
            }

    @property
    def picture_sizes(self) -> dict[Place, PictureSize]:
        with self._lock:
            sizes = {place: link.picture_size for place, link in self._phones.items() if place != HOUSE}
        return {place: size for place, size in sizes.items() if size}

    def describe(self, place: Place, said: str) -> None:
        self._to(place, lambda link: link.wish("held", cut(said, TEXT_LONGEST)))

    def picture(self, place: Place, png: bytes, areas: Sequence[TouchArea] = ()) -> None:
        with self._lock:
            link = self._phones.get(place)
            if link:
                link.show_picture(with_areas(png, areas) if png else b"")
        self._wake()

    @property
    def heartbeats(self) -> Sequence[Heartbeat]:
        return (self.server.heartbeat,) if self.server else ()

    def watch(self) -> None:
        self._watches = True
        if self.server:
            self.server.start()

    def flooded(self, place: Place) -> Text:
        return too_much(
            msg("the phone of the house") if place == HOUSE else msg("the phone of seat {n}", n=place + 1)
        )

    def deafen(self, place: Place) -> None:
        """Close a phone's connection. The phone will reconnect."""
        with self._lock:
            link = self._phones.get(place)
            for talk in self._talks:
                if link and talk.link is link:
                    self.end_flood(talk)
        self._wake()

    def close(self) -> None:
        server, self.server = self.server, None
        if server:
            server.close()

    # --- Seats ----------------------------------------------------------------------------------------

    def invite(self, places: Collection[Place]) -> Mapping[Place, SeatCode]:
        """Let phones join at the free ones of `places` only. Return the codes to show."""
        server = self.server
        with self._lock:
            joins = server and server.addresses
            free = [place for place in places if self._is_free(place)] if joins else []
            self._tokens = {place: self._tokens.get(place) or _drawn(place) for place in free}
            self._any_seat = (self._any_seat or Secret.to_type()) if self.free else None
            return {place: _code(server, place, token) for place, token in self._tokens.items()} if server else {}

    def _is_free(self, place: Place) -> bool:
        """Return True if no phone has the place; a lost phone of the house may be replaced."""
        link = self._phones.get(place)
        return link is None or (place == HOUSE and not link.ready)

    @property
    def table_code(self) -> SeatCode | None:
        """The code for the first free seat, if any."""
        with self._lock:
            if not (self.free and self._any_seat and self.server):
                return None
            letters = self._any_seat.letters
            return self.server.code("t", letters, letters)

    @property
    def free(self) -> tuple[Place, ...]:
        """Seats where a phone may join now."""
        with self._lock:
            return tuple(place for place in self._tokens if place != HOUSE)

    @property
    def of_house(self) -> bool:
        """True if a phone is the house's."""
        return HOUSE in self._phones

    def show_house(self, sheet: HouseSheet) -> None:
        """Replace what the house's page says, also for a later phone."""
        if sheet != self._sheet:
            self._sheet = sheet
            with self._lock:
                if link := self._phones.get(HOUSE):
                    link.show_picture(of_house(sheet))
            self._wake()

    def give_free(self, place: Place) -> None:
        """Take a seat from its phone."""
        with self._lock:
            link = self._phones.pop(place, None)
            if link is None:
                return
            self._bound = {identity: at for identity, at in self._bound.items() if at != place}
            self._names.pop(place, None)
            for talk in self._talks:
                if talk.link is link:
                    talk.end_for(CloseCode.UNKNOWN, msg("the seat was freed"))
            self._tell_named(place)
            if place == HOUSE and self.house_alone and not link.ready:
                self._plug(HOUSE, PLUG)  # nobody waits for it any more
        self._wake()

    @property
    def names(self) -> dict[Place, str]:
        """Names that players typed on their phones."""
        with self._lock:
            return dict(self._names)

    def refuse_name(self, place: Place, why: Text) -> None:
        with self._lock:
            self._names.pop(place, None)
        read = reader(self._looks.get(place, {}).get("language") or self.language)
        self._to(place, lambda link: self._answer(link, read(why)))

    def wish(self, place: Place, **wishes: str) -> None:
        """Configure the page of a place, also for later phones."""
        if self._looks.get(place) != wishes:
            self._looks[place] = wishes
            self._to(place, partial(_wish, wishes=wishes))

    @property
    def bounds_ns(self) -> dict[Place, int | None]:
        """The uncertainty of a press now, by place; None if the phone is not ready."""
        with self._lock:
            return {place: link.uncertainty_ns for place, link in sorted(self._phones.items())}

    @property
    def coarse_us(self) -> dict[Place, int]:
        """The resolution of clocks that are too coarse, by place. Their presses count when they arrive."""
        with self._lock:
            return {place: link.coarse_us for place, link in sorted(self._phones.items()) if link.coarse_us}

    def _give(self, token: Secret, secret: Secret) -> bool:
        """Give a token's seat to a phone. The caller holds the lock."""
        of_token = (place for place, known in self._tokens.items() if token is known)
        place = next(iter(self.free) if token is self._any_seat else of_token, None)
        if place is None:
            return False
        self._seat(place, secret.identity, secret.key)
        return True

    def _seat(self, place: Place, identity: str, key: PodKey | None) -> None:
        """The caller holds the lock."""
        del self._tokens[place]
        if place in self._phones:
            self.give_free(place)
        link = PhoneLink(identity, partial(self._told, place), self._options.drift_ppm, self._line)
        link.key = key
        _wish(link, {"seat": "house" if place == HOUSE else str(place + 1), **self._looks.get(place, {})})
        if place == HOUSE:
            link.controls = {*KEYS, *HOUSE_CONTROLS}
            link.show_picture(of_house(self._sheet))
        self._phones[place] = link
        self._bound = {**self._bound, identity: place}
        log.info("a phone has joined as %s", _called(place))
        self._tell_named(place)

    def _move(self, place: Place, to: Place) -> None:
        """The caller holds the lock."""
        if to not in self.free:
            return
        link = self._phones.pop(place)
        self._names.pop(place, None)
        self._seat(to, link.identity, link.key)
        for talk in self._talks:
            if talk.link is link:
                talk.end_for(CloseCode.JOINED, msg("its player is at another seat"))
        self._tell_named(place)

    def _name(self, place: Place, said: str) -> None:
        """The caller holds the lock."""
        try:
            name = read_name(said)
        except OptionError as error:
            self.refuse_name(place, error.text)
            return
        self._answer(self._phones[place])
        if self._names.get(place) != name:
            self._names[place] = name
            self._tell_named(place)

    def _answer(self, link: PodLink, why: str = "") -> None:
        """Answer a typed name. The number makes each answer different."""
        self._answers += 1
        link.wish("named", cut(f"{self._answers} {why}", TEXT_LONGEST))

    def _tell_named(self, place: Place) -> None:
        if place == HOUSE:  # which has no name
            self.tell_address()
            return
        now_ns = self._clock.now_ns()
        self._deliver(Signal(self.source, place, NAMED, now_ns, 0, now_ns, pressed=False))

    # --- Used by the server ---------------------------------------------------------------------------

    def tell_address(self) -> None:
        """Report that codes are to be shown again, at a new address for example."""
        now_ns = self._clock.now_ns()
        self._deliver(Signal(self.source, HOUSE, ASKED, now_ns, 0, now_ns))

    def begin(self) -> Talk:
        with self._lock:
            self._talks.append(Talk(self.link_of, self._clock.now_ns(), self.end_older))
            return self._talks[-1]

    def hear(self, talk: Talk, said: bytes) -> None:
        with self._lock:
            talk.receive(said, self._clock.now_ns())

    def due(self, talk: Talk) -> Due:
        with self._lock:
            return Due(talk.tick(self._clock.now_ns()), talk.new_picture(), talk.deadline_ns, talk.closes)

    def end_flood(self, talk: Talk) -> None:
        with self._lock:
            talk.end_for(CloseCode.TOO_MUCH, too_much(msg("it")))

    def end(self, talk: Talk) -> None:
        with self._lock:
            talk.end(msg("its page is closed"))
            self._talks.remove(talk)

    def link_of(self, hello: Hello) -> PodLink | Text:
        """Return the link of a phone that identified itself, or why it is refused. The caller holds the lock."""
        if hello.version == VERSION and PROVES in hello.capabilities:
            place = self._bound.get(hello.identity)
            if place is not None:
                return self._phones[place]
            for token in self._tokens.values():
                if token.identity == hello.identity:
                    return Invitation(token, self._give)
            if self.free and self._any_seat and self._any_seat.identity == hello.identity:
                return Invitation(self._any_seat, self._give)
        return msg("this phone has no seat")

    def end_older(self, link: PodLink) -> bool:
        """Close a phone's earlier connection. The caller holds the lock."""
        for talk in self._talks:
            if talk.link is link:
                talk.end_for(CloseCode.ELSEWHERE, msg("its page was reopened"))
        self._wake()
        return not link.connected

    def _told(self, place: Place, report: Report) -> None:
        """The caller holds the lock."""
        if place not in self._phones:
            return
        if isinstance(report, Dropped):
            log.warning("the phone of %s had no room left: %d reports are lost", _called(place), report.events)
        elif isinstance(report, Coarse):
            what = "the phone of %s has a clock in steps of %.1f ms: its presses count from their arrival"
            log.warning(what, _called(place), report.grain_us * US / MS)
        if place == HOUSE:
            self._told_by_house(report)
            return
        if isinstance(report, Named):
            self._name(place, report.name)
        elif isinstance(report, Sits):
            self._move(place, report.place)
        self._report(place, report)

    def _told_by_house(self, report: Report) -> None:
        """Pass on its keys, and its loss if the match has to wait for it. The caller holds the lock."""
        if isinstance(report, Back):
            self._tokens.pop(HOUSE, None)  # nobody else takes it over now
        if isinstance(report, KeyReport) or (isinstance(report, Away | Back) and self.house_alone):
            signal = self._signal(HOUSE, report)
            assert signal
            self._deliver(signal)

    @property
    def _links(self) -> Mapping[Place, PodLink]:
        """The phones of seats: those that race."""
        return {place: link for place, link in self._phones.items() if place != HOUSE}

    def _to(self, place: Place, tell: Callable[[PodLink], None]) -> None:
        with self._lock:
            link = self._phones.get(place)
            if link:
                tell(link)
        if link:
            self._wake()

    def _wake(self) -> None:
        if self.server:
            self.server.wake()


def _drawn(place: Place) -> Secret:
    return Secret.to_type() if place == HOUSE else Secret.drawn()


def _code(server: "Server", place: Place, token: Secret) -> SeatCode:
    return server.code("h", token.letters, token.letters) if place == HOUSE else server.code("s", token.code)


def _called(place: Place) -> str:
    return "the house" if place == HOUSE else f"seat {place + 1}"


def _wish(link: PodLink, wishes: Mapping[str, str]) -> None:
    for name, value in wishes.items():
        link.wish(name, value)
