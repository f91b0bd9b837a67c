"""The program on an invisible screen. It also writes each frame into a file, for people who look at the display.

Usage: seen_table.py FRAMES play ...
"""

import pickle
import queue
import sys
from pathlib import Path
from typing import Any

from companion.cli.commands import main
from companion.table import app


class SeenFrames(queue.Queue[Any]):
    """The frames on their way to the window."""

    def put(self, item: Any, *waits: Any) -> None:
        with Path(sys.argv[1]).open("ab") as file:
            file.write(pickle.dumps(item))
        super().put(item, *waits)


if __name__ == "__main__":
    app.Frames = SeenFrames  # type: ignore[misc]
    sys.exit(main(sys.argv[2:]))
