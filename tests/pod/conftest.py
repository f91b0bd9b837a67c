"""Makes the firmware's modules importable; vm/ runs on MicroPython only."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "hardware" / "pod"))
collect_ignore = ["vm"]
