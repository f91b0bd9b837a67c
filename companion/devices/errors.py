"""Faults of devices, as an exception and as a value, each with its remedy."""

from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.text import Text


class DeviceError(CompanionError, RuntimeError):
    """Error raised when a device is missing, taken or broken; the text names it and the remedy."""


class Problem(NamedTuple):
    """Why something cannot be used, and what to do."""

    found: Text
    remedy: Text
