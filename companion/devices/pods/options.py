"""The section [pods] of `table.toml`."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from os.path import normpath
from typing import Final

from companion.core.errors import OptionError
from companion.core.options import option
from companion.core.place import Place, by_place
from companion.core.text import msg
from companion.devices.driver import DeviceOptions, Part

_IDENTITY: Final = re.compile(r"[0-9A-F]*")


@dataclass(frozen=True)
class PodWiring(DeviceOptions):
    """The pods of the seats: buzzer, keypad, lamp and screen on one microcontroller."""

    seats: tuple[str, ...] = option(
        (), msg('the identity of each seat\'s pod, clockwise, as `companion pod list` shows it; "": it has none')
    )
    ports: tuple[str, ...] = option(
        (), msg("serial ports where pods may be, besides those of Raspberry Pi Picos on USB")
    )
    drift_ppm: int = option(
        100,
        msg("how fast a pod's clock may drift, in millionths; a board without a crystal needs 5000"),
        minimum=1,
        maximum=20_000,
    )
    proved_only: bool = option(
        False, msg("whether to ignore pods that were never paired and so cannot prove which pod they are")
    )

    @property
    def identities(self) -> dict[Place, str]:
        """Identities by place."""
        return {place: identity for place, identity in by_place(self.seats) if identity}

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        mend = msg("Check the pod's own wires: hardware/pod/README.md; `companion pod test` shows what works")
        return {
            place: Part(msg("pod {identity}", identity=identity), mend, "pods", "seats", f'"{identity}"')
            for place, identity in self.identities.items()
        }

    @property
    def lamps(self) -> Mapping[Place, Part]:
        return self.buzzers

    @property
    def keypad_places(self) -> Collection[Place]:
        return self.identities.keys()

    def check(self, where: str) -> None:
        """Raise OptionError for too many seats, duplicates, or malformed identities."""
        if len(self.seats) > 5:
            raise OptionError(msg("{where}: [pods]: seats: allowed: up to 5 pods, one a seat", where=where))
        for place, identity in enumerate(self.seats):
            if not _IDENTITY.fullmatch(identity):
                raise OptionError(
                    msg(
                        "{where}: [pods]: seats: {identity!r}; allowed: digits and A to F, as `companion pod list` "
                        "shows them",
                        where=where,
                        identity=identity,
                    )
                )
            if identity and identity in self.seats[:place]:
                raise OptionError(
                    msg(
                        "{where}: [pods]: seats: {identity} has two seats, {one} and {other}; give it one",
                        where=where,
                        identity=identity,
                        one=self.seats.index(identity) + 1,
                        other=place + 1,
                    )
                )
        for number, port in enumerate(self.ports):
            if normpath(port) in map(normpath, self.ports[:number]):
                raise OptionError(
                    msg(
                        "{where}: [pods]: ports: {port!r} appears twice; allowed: each port once",
                        where=where,
                        port=port,
                    )
                )
