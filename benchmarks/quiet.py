"""Redirects the program's log away from the figures."""

import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class _Counted(logging.FileHandler):
    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        super().emit(record)


@contextmanager
def quiet(path: Path | None = None) -> Iterator[Path]:
    """Write warnings to a file, which is named at the end, and errors also to standard error."""
    if path is None:
        with tempfile.NamedTemporaryFile(prefix="companion-bench-", suffix=".log", delete=False) as file:
            path = Path(file.name)
    kept, shown = _Counted(path, encoding="utf-8"), logging.StreamHandler(sys.stderr)
    kept.setLevel(logging.WARNING)
    kept.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    shown.setLevel(logging.ERROR)
    root = logging.getLogger()
    for handler in (kept, shown):
        root.addHandler(handler)
    try:
        yield path
    finally:
        for handler in (kept, shown):
            root.removeHandler(handler)
            handler.close()
        print(f"What the program has logged meanwhile, {kept.count} times: {path}", file=sys.stderr)
