"""Lets CPython import the firmware's pure modules from where they are; those in vm/ run on MicroPython only."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "hardware" / "pod"))
collect_ignore = ["vm"]
