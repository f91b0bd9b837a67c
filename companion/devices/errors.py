"""Device faults, as an exception and as a value."""

from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.text import Text


class DeviceError(CompanionError, RuntimeError):
    """Error raised when a device is missing, in use or broken. The text has the remedy."""


class Problem(NamedTuple):
    """Why something cannot be used, and the remedy."""

    found: Text
    remedy: Text
