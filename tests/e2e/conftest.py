"""Lets these tests find the simulated pods."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "devices"))
