"""The driver of phones."""

import ssl
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.core.clock import Clock
from companion.core.install import install_command
from companion.core.place import HOUSE
from companion.core.text import Text, decimal, msg, reason
from companion.core.units import MS
from companion.devices.driver import Deliver, Device, Driver, Sections
from companion.devices.findings import Finding, Machine, Severity
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.pods.clock import US

_TIMES: Final = {
    9: msg("it is not valid yet; check the clock of this machine"),
    10: msg("it has expired"),
}


def look(options: PhoneOptions, machine: Machine, phones: Phones | None) -> Iterator[Finding]:
    """Check libraries and certificate, at a running table also its address and each phone's accuracy."""
    if not options.on:
        return
    for library in ("aiohttp", "segno", "ifaddr"):
        why = machine.why_not_imported(library)
        if why:
            remedy = Text(install_command())
            yield Finding(Text(library), Severity.BAD, msg("phones cannot join: {why}", why=why), remedy)
            return
    yield _certificate(options)
    if phones is None or not phones.on:
        address = options.address or msg("the table's own address")
        found = msg("at {address}, port {port}, when the table runs", address=address, port=options.port)
        yield Finding(Text("[phones]"), Severity.OK, found)
        return
    if phones.addresses:
        yield Finding(Text("[phones]"), Severity.OK, msg("at {addresses}", addresses=", ".join(phones.addresses)))
    else:
        found = msg("phones cannot join: the table is not on a network")
        yield Finding(Text("[phones]"), Severity.BAD, found, msg("Plug in its cable, or join a Wi-Fi"))
    troubles = phones.troubles
    for place, bound_ns in phones.bounds_ns.items():
        seat = msg("[phones] the house") if place == HOUSE else msg("[phones] seat {n}", n=place + 1)
        if place in phones.coarse_us:
            ms = decimal(phones.coarse_us[place] * US / MS)
            found = msg("its browser's clock has steps of {ms} ms: its presses count when they arrive", ms=ms)
            yield Finding(seat, Severity.WEAK, found, msg("Open its page in another browser"))
        elif bound_ns is None:
            why_not = troubles.get(place, msg("its clock is not known yet"))
            yield Finding(seat, Severity.WEAK, why_not, msg("Open its page again"))
        else:
            yield Finding(seat, Severity.OK, apart(bound_ns))


def apart(bound_ns: int) -> Text:
    """Return how far apart presses on two such phones must be to be distinguished."""
    return msg("tells presses {ms} ms apart", ms=decimal(2 * bound_ns / MS))


def _certificate(options: PhoneOptions) -> Finding:
    name = Text("[phones] certificate")
    if not options.certificate:
        found = msg("none: others on the same network can read what phones receive")
        return Finding(name, Severity.WEAK, found, msg("docs/phones.md says what that means"))
    missing = [path for path in (options.certificate, options.key) if not Path(path).is_file()]
    if missing:
        found = msg("{path} does not exist", path=missing[0])
        return Finding(name, Severity.BAD, found, msg("Name an existing file in [phones]"))
    why = _why_not_believed(options)
    if why:
        found = msg("{path}: {why}", path=options.certificate, why=why)
        return Finding(name, Severity.BAD, found, msg("Get a new one, and name it and its key in [phones]"))
    return Finding(name, Severity.OK, Text(options.certificate))


def _why_not_believed(options: PhoneOptions) -> Text | str:
    """Return why phones reject the certificate, regardless of its issuer, or "".

    It runs a handshake, Python's only check of a certificate's dates.
    """
    try:
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(options.certificate, options.key)
        browser = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        browser.check_hostname = False
        browser.load_verify_locations(options.certificate)
        browser.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        said, heard = ssl.MemoryBIO(), ssl.MemoryBIO()
        ends = browser.wrap_bio(heard, said), server.wrap_bio(said, heard, server_side=True)
        for end in ends * 3:
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    except ssl.SSLCertVerificationError as error:
        return _TIMES.get(error.verify_code, error.verify_message)
    except OSError as error:  # an ssl.SSLError is one
        return reason(error)
    return ""


def _open(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterable[Device]:
    yield Phones(wiring.of(PhoneOptions), deliver, clock)  # even if off: the menu can switch it on


def _look(wiring: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    phones = next((device for device in opened if isinstance(device, Phones)), None)
    return look(wiring.of(PhoneOptions), machine, phones)


DRIVER: Final = Driver("phones", {"phones": PhoneOptions}, _open, _look)
