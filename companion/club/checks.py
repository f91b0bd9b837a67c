"""The doctor's check of the club's broker."""

from collections.abc import Iterator

from companion.club.broker import Broker, connection
from companion.config.sections import ClubOptions
from companion.core.text import Text, msg
from companion.devices.errors import DeviceError
from companion.devices.findings import Finding, Severity

NAME = Text("[club]")


def look(options: ClubOptions) -> Iterator[Finding]:
    """Check the connection, if a broker is configured."""
    if not options.broker:
        return
    try:
        way = connection(options)
    except DeviceError as error:
        yield Finding(NAME, Severity.BAD, error.text, msg("docs/club.md says what a club table needs"))
        return
    broker = Broker(way)
    broker.start()
    trouble = broker.wait()
    broker.stop()
    if trouble:
        found = msg("cannot use the broker {broker}: {why}", broker=way.address, why=trouble)
        remedy = msg("Check that Mosquitto runs there, and check user and password_file in [club]")
        yield Finding(NAME, Severity.WEAK, found, remedy)
    else:
        yield Finding(NAME, Severity.OK, msg("connected to the broker {broker}", broker=way.address))
