"""An update and three failures of the new release: ROOT FILE"""

import sys
from pathlib import Path

from companion.cli import update
from tests.updates.release_bench import Machine

TRIES = 3

if __name__ == "__main__":
    machine = Machine(Path(sys.argv[1]))
    update.install(machine.releases, Path(sys.argv[2]), lambda *_: None)
    for _ in range(TRIES + 1):
        machine.choose("before")
