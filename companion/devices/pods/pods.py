"""All pods of a table. A pod belongs to a seat by its identity, at any port."""

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from os.path import realpath
from typing import ClassVar, Final, NamedTuple

from companion.core.clock import Clock
from companion.core.heartbeat import Heartbeat
from companion.core.place import HOUSE, MOST_PLACES, Place, by_place, each_place
from companion.core.signal import PLUG, UNPLUG
from companion.core.text import Text, msg
from companion.core.units import MS
from companion.devices.driver import Deliver, too_much
from companion.devices.errors import DeviceError
from companion.devices.pairing import PairedDevice, Presses, Unit
from companion.devices.pods.conversation import Conversation, cannot_prove, elsewhere
from companion.devices.pods.keys import PodKeys
from companion.devices.pods.link import PodLink
from companion.devices.pods.linked import LinkedDevice
from companion.devices.pods.options import PodWiring
from companion.devices.pods.port import PodPorts, Stream, open_stream, ports_with_boards
from companion.devices.pods.reports import (
    PROVES,
    SAFE_MODE,
    VERSION,
    Away,
    Back,
    Dropped,
    EdgeReport,
    Foreign,
    Hello,
    KeyReport,
    Report,
)
from companion.referee.arbiter import SETTLE_MOST_NS

SOURCE: Final = "pod"

log = logging.getLogger(__name__)


class Seen(NamedTuple):
    """A plugged-in pod, and whether it has proved its identity."""

    identity: str
    firmware: str
    path: str
    place: Place | None
    proved: bool = False


@dataclass
class _Pod:
    """A pod's state. `why` is its fault, but if a port was `given_up` for it, only as long as that lasts.

    `floods` means that it was given up for flooding, `stranger` that it speaks another version of the protocol.
    """

    link: PodLink
    why: Text | None = None
    given_up: str | None = None
    floods: bool = False
    stranger: bool = False
    told_unproved: bool = False
    told_misdated: bool = False


class Pods(LinkedDevice, PairedDevice):
    """The pods of a table, which report from their ports' threads.

    The pod of a seat is unplugged until it answers and its clock is known.
    """

    source = SOURCE
    section = "pods"
    whose: ClassVar[Text] = msg("Whose pod is this?")

    def __init__(
        self,
        wiring: PodWiring,
        deliver: Deliver,
        clock: Clock,
        *,
        find: Callable[[], Iterable[str]] = ports_with_boards,
        open_: Callable[[str], Stream] = open_stream,
        keys: PodKeys | None = None,
    ) -> None:
        """`find` lists the ports of boards, `open_` opens one."""
        super().__init__(deliver, clock)
        self._wiring = wiring
        self._find = find
        self._keys = keys or PodKeys()
        self._presses = Presses()
        self._pods = {identity: self._new_pod(identity) for identity in wiring.seats if identity}
        self._bound = {identity: place for place, identity in by_place(wiring.seats) if identity}
        self._ports = PodPorts(
            wiring.ports, self._conversation, lock=self._lock, clock=clock, find=find, open_=open_
        )

    # --- The device interface -------------------------------------------------------------------------

    @property
    def settle_ns(self) -> int:
        """How late a pod may report, leaving out flooding ones."""
        with self._lock:
            waited_for = any(not pod.floods for pod in self._bound_pods().values())
        return SETTLE_MOST_NS if waited_for else 0

    @property
    def troubles(self) -> dict[Place, Text]:
        with self._lock:
            return {
                place: self._trouble(place, pod) for place, pod in self._bound_pods().items() if not pod.link.ready
            }

    def watch(self) -> None:
        """Search for pods from now on. Missing ones are unplugged."""
        with self._lock:
            for place in self.troubles:
                self._plug(place, UNPLUG)
        self._ports.watch()

    def flooded(self, place: Place) -> Text:
        return too_much(msg("the pod of seat {n}", n=place + 1))

    def deafen(self, place: Place) -> None:
        """Close the port of a place's pod for a while."""
        with self._lock:
            pod = self._bound_pods().get(place)
            for port in self._ports.open:
                if pod and port.conversation.link is pod.link:
                    port.end_flood()

    def look(self) -> None:
        self._ports.look()

    def close(self) -> None:
        """Release all ports. Lamps go out and screens show "No table"."""
        self._ports.close()

    # --- Seats ----------------------------------------------------------------------------------------

    def seen(self) -> list[Seen]:
        with self._lock:
            linked = [(port.path, port.conversation.link) for port in self._ports.open if port.conversation.link]
            return [self._seen(path, link) for path, link in linked if link.ready]

    def unbound(self) -> list[Seen]:
        return [pod for pod in self.seen() if pod.place is None]

    @property
    def pairable_places(self) -> tuple[Place, ...]:
        return each_place(MOST_PLACES)

    @property
    def places_to_ask(self) -> list[Place]:
        return [place for place in self.pairable_places if place not in self.places]

    def units(self, since_ns: int) -> list[Unit]:
        return [Unit(pod.identity, pod.place, self._presses.first(pod.identity, since_ns)) for pod in self.seen()]

    def press_yours(self, place: Place) -> Text:
        return msg("Seat {n}: press a key on your pod", n=place + 1)

    def outdated(self, firmware: str) -> list[Seen]:
        """Return the pods to update: with another firmware, in safe mode, or with another version of the protocol.

        Only boards that may run our firmware count. A pod that was built otherwise has its own.
        """
        ours = {realpath(path) for path in self._find()}
        with self._lock:
            strangers = [
                Seen(identity, "", pod.given_up, self._bound.get(identity))
                for identity, pod in self._pods.items()
                if pod.stranger and pod.given_up and pod.why and self._ports.stands(pod.given_up, pod.why)
            ]
        others = [pod for pod in self.seen() if pod.firmware != firmware]
        return [pod for pod in (*others, *strangers) if realpath(pod.path) in ours]

    def lent(self, path: str) -> AbstractContextManager[None]:
        """Leave a pod's port to another program. Its seat is unplugged meanwhile."""
        return self._ports.lent(path, msg("its firmware is being updated"))

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return self._ports.heartbeats

    @property
    def silent_ports(self) -> dict[str, Text]:
        """Why possible pod ports are not used."""
        return self._ports.troubles

    def bind(self, identity: str, place: Place) -> None:
        """Give a pod to a place, replacing another. Raise DeviceError for an unknown pod."""
        with self._lock:
            known = {identity: pod for identity, pod in self._pods.items() if pod.link.hello}
            pod = known.get(identity)
            if pod is None:
                seen = ", ".join(known) or str(msg("none"))
                raise DeviceError(msg("pod {identity} not found; seen: {seen}", identity=identity, seen=seen))
            self._bound = {other: at for other, at in self._bound.items() if at != place} | {identity: place}
            self._plug(place, PLUG if pod.link.ready else UNPLUG)

    @property
    def seats(self) -> list[str]:
        """The identity of each seat's pod or "", as in `table.toml`."""
        with self._lock:
            bound = {place: identity for identity, place in self._bound.items()}
        return [bound.get(place, "") for place in each_place(max(bound, default=HOUSE) + 1)]

    @property
    def paired(self) -> PodWiring:
        return replace(self._wiring, seats=tuple(self.seats))

    # --- Reports of pods ------------------------------------------------------------------------------

    def _conversation(self, path: str, begins_ns: int) -> Conversation:
        return Conversation(lambda hello: self._link_of(hello, path), begins_ns)

    def _link_of(self, hello: Hello, path: str) -> PodLink | Text:
        """Return the link of a pod that identified itself, or why it is refused."""
        identity = hello.identity
        pod = self._pods.setdefault(identity, self._new_pod(identity))
        if pod.link.connected:
            return elsewhere(identity)
        pod.stranger = hello.version != VERSION
        refused = self._refusal(hello, pod)
        if refused or pod.link.key:
            pod.why, pod.given_up = refused or cannot_prove(identity), path  # cannot_prove until it has
        return refused or pod.link

    def _refusal(self, hello: Hello, pod: _Pod) -> Text | None:
        """Return why a pod is refused, and load its key."""
        identity = hello.identity
        if hello.version == SAFE_MODE:
            return msg(
                "the pod {identity} is in safe mode, since it crashed three times. Update it: Update pods in the "
                "menu, or `companion pod flash --all`",
                identity=identity,
            )
        if hello.version != VERSION:
            return msg(
                "the pod {identity} has version {found} of the protocol; version {needed} is needed: `companion "
                "pod flash`",
                identity=identity,
                found=hello.version,
                needed=VERSION,
            )
        try:
            pod.link.key = self._keys.of(identity)
        except DeviceError as error:
            return error.text
        if pod.link.key:
            return None if PROVES in hello.capabilities else cannot_prove(identity)
        if self._wiring.proved_only:
            return msg(
                "the pod {identity} was never paired, and [pods] proved_only requires it: `companion pod pair`",
                identity=identity,
            )
        if not pod.told_unproved:
            pod.told_unproved = True
            log.warning("the pod %s is unproved: it is taken at its word until it is paired", identity)
        return None

    def _told(self, identity: str, report: Report) -> None:
        """The caller holds the lock."""
        place, pod = self._bound.get(identity), self._pods[identity]
        if isinstance(report, Away):
            pod.why, pod.given_up = report.why, self._flooded_port(pod)
            pod.floods = pod.given_up is not None
        elif isinstance(report, Back):
            pod.why, pod.given_up, pod.floods, pod.told_misdated = None, None, False, False
        elif isinstance(report, Foreign):
            log.warning("at the port of the pod %s somebody says what it has not said: that is dropped", identity)
        elif isinstance(report, Dropped):
            log.warning("the pod %s had no room left: %d of its reports are lost", identity, report.events)
        elif isinstance(report, KeyReport) or (isinstance(report, EdgeReport) and report.pressed):
            self._presses.note(identity, report.t_ns, report.uncertainty_ns)
        if isinstance(report, EdgeReport | KeyReport) and report.refused and not pod.told_misdated:
            pod.told_misdated = True  # once, so that they cannot fill the log
            late_ms = (self._clock.now_ns() - report.t_ns) / MS
            what = "a release" if isinstance(report, EdgeReport) and not report.pressed else "a press"
            when = "before" if late_ms > 0 else "after"
            log.warning("the pod %s dates %s %.1f ms %s it came: not believed", identity, what, abs(late_ms), when)
        if place is not None:
            self._report(place, report)

    # --- Helpers --------------------------------------------------------------------------------------

    def _new_pod(self, identity: str) -> _Pod:
        return _Pod(PodLink(identity, lambda report: self._told(identity, report), self._wiring.drift_ppm))

    @property
    def _links(self) -> dict[Place, PodLink]:
        return {place: pod.link for place, pod in self._bound_pods().items()}

    def _wake(self) -> None:
        self._ports.wake()

    def _bound_pods(self) -> dict[Place, _Pod]:
        return {place: self._pods[identity] for identity, place in self._bound.items()}

    def _flooded_port(self, pod: _Pod) -> str | None:
        flooded = (port for port in self._ports.open if port.floods and port.conversation.link is pod.link)
        return next((port.path for port in flooded), None)

    def _seen(self, path: str, link: PodLink) -> Seen:
        hello = link.hello or Hello(VERSION, link.identity)
        place = self._bound.get(link.identity)
        proved = link.key is not None
        return Seen(link.identity, hello.firmware, path, place, proved)

    def _trouble(self, place: Place, pod: _Pod) -> Text:
        identity, why = pod.link.identity, pod.why
        if why is None or (pod.given_up and not self._ports.stands(pod.given_up, why)):
            why = msg("it is not plugged in")
        return msg("the pod of seat {n} ({identity}): {why}", n=place + 1, identity=identity, why=why)
