"""The doctor's findings while the table runs. It does not open devices that are already open."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from companion.config.table_file import TableConfig
from companion.core.place import HOUSE
from companion.core.text import Render, Text, msg, seat_name
from companion.devices.drivers import all_drivers
from companion.devices.findings import Finding, Machine, Severity
from companion.devices.sound import Player
from companion.diagnostics import doctor
from companion.display.self_test_rows import Found, Tried

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware

TRIED: Final = {
    Severity.BAD: Tried.WRONG,
    Severity.WEAK: Tried.WEAK,
    Severity.OK: Tried.WORKS,
    Severity.SKIPPED: Tried.ABSENT,
}
"""How each severity is shown; the most urgent first."""


def look(config: TableConfig, hardware: "Hardware | None", player: Player, why: Text | None) -> list[Finding]:
    """Return all findings, the most urgent first. May take seconds.

    `why` says why the devices could not be opened.
    """
    found = [*_troubles(hardware, why), *_devices(config, hardware, why), *_around(config, player)]
    return sorted(found, key=lambda finding: list(TRIED).index(finding.severity))


def told(findings: Sequence[Finding], read: Render) -> tuple[Found, ...]:
    return tuple(
        Found(
            TRIED[finding.severity],
            read(msg("{name}: {found}", name=finding.name, found=finding.found)),
            read(finding.remedy) if finding.remedy else "",
        )
        for finding in findings
    )


def _troubles(hardware: "Hardware | None", why: Text | None) -> Iterator[Finding]:
    if why:
        yield Finding(msg("devices"), Severity.BAD, why, msg("Fix it and restart the table"))
    for place, trouble in sorted(hardware.troubles.items() if hardware else ()):
        name = msg("the house") if place == HOUSE else seat_name(place)
        yield Finding(name, Severity.BAD, trouble)


def _devices(config: TableConfig, hardware: "Hardware | None", why: Text | None) -> Iterator[Finding]:
    if hardware is None and why is None:
        yield from doctor.machine_itself(Machine())
        yield doctor.virtual_table()
        return
    drivers = hardware.drivers if hardware else all_drivers()
    yield from doctor.devices(config.wiring, Machine(), drivers, hardware)
    yield doctor.display(config.display.geometry)


def _around(config: TableConfig, player: Player) -> Iterator[Finding]:
    yield from doctor.plug_ins()
    if config.sound.mute or not config.sound.volume:
        yield Finding(msg("sound"), Severity.SKIPPED, msg("switched off in table.toml"))
    elif player.trouble:
        yield Finding(msg("sound"), Severity.WEAK, player.trouble)
    else:
        yield Finding(msg("sound"), Severity.OK, msg("volume {n} of 10", n=config.sound.volume))
    yield doctor.voice(config)
    yield doctor.journal_folder(config.journal.path)
