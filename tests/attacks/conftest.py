"""What the attacks share with other tests: simulated pads, lines and pods, and a table in virtual time."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / room) for room in ("devices", "referee")]
