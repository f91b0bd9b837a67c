"""Installation commands for this environment."""

import sys
from pathlib import Path
from shlex import quote
from typing import Final

NAME: Final = "table-companion"
DEBIAN: Final = Path("/etc/debian_version")


def pip_command(words: str) -> str:
    """Return a command of this environment's pip; Debian's refuses to install."""
    return f"{quote(sys.executable)} -m pip {words}"


def replace_command(broken: str, command: str) -> str:
    return f"{pip_command(f'uninstall -y {broken}')} && {command}"


def install_command(extra: str = "", debian: str = "") -> str:
    """Return the command that installs an extra, or without one all requirements.

    `debian` is the equivalent Debian package, preferred with Debian's Python since it needs no compiler.
    """
    if debian and DEBIAN.exists() and Path(sys.base_prefix) == Path("/usr"):
        return f"sudo apt install {debian}{_letting_it_be_seen()}"
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        return pip_command(f"install -e {quote(f'{checkout}[{extra}]' if extra else str(checkout))}")
    return pip_command(f"install {' '.join(map(quote, _wanted(extra)))}")


def _letting_it_be_seen() -> str:
    if sys.prefix == sys.base_prefix or any(path.endswith("/dist-packages") for path in sys.path):
        return ""
    return f" && /usr/bin/python3 -m venv --system-site-packages {quote(sys.prefix)}"


def _wanted(extra: str) -> list[str]:
    from importlib.metadata import requires  # noqa: PLC0415  a slow import

    lines = [line.replace('"', "'").partition("; ") for line in requires(NAME) or ()]
    if extra:
        return [wanted for wanted, _, marker in lines if f"extra == '{extra}'" in marker]
    return [wanted for wanted, _, marker in lines if "extra ==" not in marker]
