"""What devices raise: an error that names the device, what was found, and the remedy."""

from companion.core.errors import CompanionError


class DeviceError(CompanionError, RuntimeError):
    """Error raised when a device is missing, taken or broken; the text names it and the remedy."""
