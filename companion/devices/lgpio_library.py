"""Installs, imports and supervises the lgpio library."""

import os
import sys
import tempfile
import threading
from pathlib import Path

from companion.core.heartbeat import Heartbeat
from companion.core.install import install_command
from companion.core.text import msg
from companion.devices.errors import DeviceError


def get_lgpio() -> str:
    """Return the install command. lgpio lacks wheels from Python 3.13 on."""
    return install_command("pi", "python3-lgpio" if sys.version_info >= (3, 13) else "")


def import_lgpio() -> None:
    """Import lgpio and restore the working folder, which it changes. Raise DeviceError.

    lgpio leaves a pipe in the folder LG_WD. Without LG_WD it gets a temporary folder.
    """
    if "lgpio" in sys.modules:
        return
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="companion-") as own:
        folder = os.environ.setdefault("LG_WD", own)
        try:
            import lgpio  # noqa: F401, PLC0415
        except ImportError as error:
            raise DeviceError(msg("lgpio is not installed: {how}", how=get_lgpio())) from error
        except OSError as error:
            raise DeviceError(
                msg(
                    "lgpio cannot write to {folder}; set LG_WD to a folder that it can write to",
                    folder=folder,
                )
            ) from error
        finally:
            os.chdir(here)
            if folder == own:
                del os.environ["LG_WD"]


def lgpio_lives() -> bool:
    """Return False if lgpio's only thread has died, as it does if a callback raises."""
    return "lgpio" not in sys.modules or any(type(thread).__module__ == "lgpio" for thread in threading.enumerate())


class LgpioHeartbeat(Heartbeat):
    """The heartbeat of lgpio's thread, which cannot beat itself."""

    def beaten(self) -> bool:
        return lgpio_lives()
