"""The shared display: what everybody sees, from all sides."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # a program's output is its own
