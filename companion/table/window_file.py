"""Stores the size of the virtual table's window."""

import json
import logging
import os
from pathlib import Path
from typing import Final

from companion.core.files import read_regular
from companion.core.limits import TOML_BYTES
from companion.display.window import Placement
from companion.referee import durable

FILE_NAME: Final = "window.json"

log = logging.getLogger(__name__)


def read(folder: Path) -> Placement | None:
    path = folder / FILE_NAME
    try:
        kept = json.loads(read_regular(path, TOML_BYTES))
        wide, high = map(int, kept["size"])
        return Placement((wide, high), bool(kept["full"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("%s: %s; the window opens as at a first start", path, error)
        return None


def keep(folder: Path, placement: Placement) -> None:
    path = folder / FILE_NAME
    if placement == read(folder):
        return
    try:
        durable.make_folder(folder)
        os.close(durable.write_whole(path, json.dumps(placement._asdict()).encode()))
    except OSError as error:
        log.warning("%s: %s; the window is not remembered", path, error.strerror)
