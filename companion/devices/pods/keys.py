"""The pods' keys, one private file each."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.core.files import read_regular, state_folder
from companion.core.text import msg, reason
from companion.devices.errors import DeviceError
from companion.devices.pods.proof import PodKey
from companion.referee.durable import make_folder, write_whole

_IDENTITY: Final = re.compile(r"[0-9A-F]{1,64}", re.ASCII)
_MOST_BYTES: Final = 100


class PodKeys:
    """Keys by identity, in the folder `pods` of the state folder."""

    def __init__(self, state: Callable[[], Path] = state_folder) -> None:
        self._state = state

    def of(self, identity: str) -> PodKey | None:
        """Return a pod's key, or None if it was never paired.

        Raise DeviceError for an unreadable key: otherwise the pod would be trusted without proof.
        """
        if not _IDENTITY.fullmatch(identity):
            return None
        path = self._path(identity)
        try:
            return PodKey.read(read_regular(path, _MOST_BYTES).decode("ascii", "replace"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise DeviceError(
                msg(
                    "the key of the pod {identity}, {path}: {why}; pair it again: `companion pod pair`",
                    identity=identity,
                    path=path,
                    why=why or error,
                )
            ) from None

    def keep(self, identity: str, key: PodKey) -> Path:
        """Store or replace a key. Return its file. Raise DeviceError."""
        if not _IDENTITY.fullmatch(identity):
            raise DeviceError(msg("{identity!r} is not the identity of a pod", identity=identity))
        path = self._path(identity)
        try:
            make_folder(path.parent)
            os.close(write_whole(path, key.written().encode()))
        except OSError as error:
            raise DeviceError(msg("{path}: {why}", path=path, why=reason(error))) from error
        return path

    def _path(self, identity: str) -> Path:
        return self._state() / "pods" / f"{identity}.key"
