"""Installation commands that work in this environment."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Final

NAME: Final = "table-companion"
DEBIAN: Final = Path("/etc/debian_version")


def install_command(extra: str = "", debian: str = "") -> str:
    """Return the command that installs an extra, or without one all requirements.

    `debian` is the equivalent Debian package, preferred with Debian's Python since it needs no compiler.
    """
    if debian and DEBIAN.exists() and Path(sys.base_prefix) == Path("/usr"):
        return apt_command(debian) + _letting_it_be_seen()
    checkout = Path(__file__).parents[2]
    if _is_of_pipx() or not (checkout / "pyproject.toml").is_file():
        return add_command(*_wanted(extra))
    editable = f"-e {quote(f'{checkout}[{extra}]' if extra else str(checkout))}"
    if _is_debians_own():
        venv = quote(f"{checkout}/.venv")
        make = f"{quote(sys.executable)} -m venv --system-site-packages {venv}"
        return f"{make} && {venv}/bin/python -m pip install {editable}"
    return _pip("install", editable)


def add_command(*packages: str) -> str:
    """Return the command that installs packages into this environment."""
    words = " ".join(map(quote, packages))
    return f"pipx inject {_name_of_pipx()} {words}" if _is_of_pipx() else _pip("install", words)


def replace_command(broken: str, command: str) -> str:
    """Return the commands that remove broken packages, then run another command."""
    return f"{_pip('uninstall', broken)} && {command}"


def apt_command(*packages: str) -> str:
    """Return the command that installs Debian packages."""
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt install {' '.join(packages)}"


def _pip(verb: str, words: str) -> str:
    agreed = " -y" if verb == "uninstall" else ""
    if _is_of_pipx():
        return f"pipx runpip {_name_of_pipx()} {verb}{agreed} {words}"
    python = quote(sys.executable)
    if find_spec("pip") is None:  # as in uv's environments
        return f"uv pip {verb} --python {python} {words}"
    root = "sudo " if _is_venv() and not os.access(sys.prefix, os.W_OK) else ""
    breaking = " --break-system-packages" if _is_debians_own() else ""
    return f"{root}{python} -m pip {verb}{agreed}{breaking} {words}"


def _is_venv() -> bool:
    return sys.prefix != sys.base_prefix


def _is_of_pipx() -> bool:
    return (Path(sys.prefix) / "pipx_metadata.json").is_file()


def _name_of_pipx() -> str:
    return quote(Path(sys.prefix).name)


def _is_debians_own() -> bool:
    """Tell whether this is a system's Python, whose pip refuses to install."""
    return not _is_venv() and Path(os.__file__).with_name("EXTERNALLY-MANAGED").is_file()


def _letting_it_be_seen() -> str:
    if not _is_venv() or any(path.endswith("/dist-packages") for path in sys.path):
        return ""
    return f" && /usr/bin/python3 -m venv --system-site-packages {quote(sys.prefix)}"


def _wanted(extra: str) -> list[str]:
    from importlib.metadata import requires  # noqa: PLC0415  a slow import

    lines = [line.replace('"', "'").partition("; ") for line in requires(NAME) or ()]
    if extra:
        return [wanted for wanted, _, marker in lines if f"extra == '{extra}'" in marker]
    return [wanted for wanted, _, marker in lines if "extra ==" not in marker]
