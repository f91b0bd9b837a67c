"""The section [phones] of `table.toml`."""

from dataclasses import dataclass

from companion.core.errors import OptionError
from companion.core.options import option
from companion.core.text import msg
from companion.devices.driver import DeviceOptions


@dataclass(frozen=True)
class PhoneOptions(DeviceOptions):
    """Phones as buzzers, keypads, lamps and private screens, in the local network."""

    on: bool = option(False, msg("whether phones may join with the code that the table shows"))
    port: int = option(8123, msg("the port of the page; 0: any free port"), minimum=0, maximum=65_535)
    address: str = option(
        "", msg("the address or name by which phones find the table; empty: its own on the local network")
    )
    certificate: str = option("", msg("a file with its certificate; without one nothing is encrypted"))
    key: str = option("", msg("the file with the key of the certificate"))
    wait_ms: int = option(
        150,
        msg("the longest that a verdict waits for phones; older timestamps are not accepted"),
        minimum=60,
        maximum=1_000,
    )
    drift_ppm: int = option(
        250, msg("how fast a phone's clock may drift, in millionths"), minimum=1, maximum=20_000
    )

    def check(self, where: str) -> None:
        """Raise OptionError if only certificate or key is given."""
        if bool(self.certificate) != bool(self.key):
            raise OptionError(
                msg("{where}: [phones]: certificate and key belong together: give both, or neither", where=where)
            )
