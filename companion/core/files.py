"""Where the files are that come with the program: drawings and sounds."""

from functools import cache
from pathlib import Path


@cache
def assets_folder() -> Path:
    """Return the folder of our own drawings and sounds: in the package when installed, else in the checkout."""
    package = Path(__file__).parents[1]
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"
