"""The doctor's report: a text file about a table and its machine, to share, without private data.

Options with free text are hidden, except SHOWN. `Redactor` removes names, addresses and keys from all other text.
"""

import getpass
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from companion.config.table_file import TableConfig, all_sections
from companion.core import options
from companion.core.errors import OptionError, RecordError
from companion.core.files import TABLE_FOLDER, home_folder, state_folder
from companion.core.record import parse_tag, without_remark
from companion.core.text import Text, decimal, msg, printable_lines, reason
from companion.core.toml import in_toml
from companion.devices.findings import Finding, Machine
from companion.diagnostics import failures, logbook
from companion.games import all_games
from companion.referee.durable import write_new
from companion.referee.journal import SUFFIX, order

SERVICE: Final = "companion"

LINES: Final = 20

ASK_S: Final = 10

HIDDEN: Final = "<...>"

SHOWN: Final = frozenset(
    {("buzzers", "chip"), ("display", "language"), ("seats", "languages"), ("sound", "device")}
)
"""Text options that are shown, since they name hardware or a language."""

COMMON: Final = frozenset({"root", "pi", SERVICE, "localhost", "raspberrypi", "table"})
"""User and machine names that identify nobody."""

RECORDS: Final = 200
RECORD_HEAD: Final = 8192
"""The newest RECORDS are searched for players, in this many characters each."""

_LOGGED: Final = re.compile(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) ")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_SECRET: Final = re.compile(
    r"\b[0-9A-Fa-f]{12,}\b"  # a key, a seed, an identity
    r"|\b(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])(?=[\w+/-]*[A-Z])[\w+/-]{20,}={0,2}"  # a token, an SSH key
    r"|\b(?:[0-9A-Fa-f]{1,4}:){3,}[0-9A-Fa-f:]*"  # MAC and IPv6 addresses
    r"|(?<![\w:])(?=[\dA-Fa-f:]*::)(?=:*[\dA-Fa-f])[\dA-Fa-f:]+(?:(?:\.\d{1,3}){3})?(?!\w)"  # short IPv6 addresses
    r"|(?<![\w.])[1-9]\d{0,2}(?:\.\d{1,3}){3}(?![\w.])"
    r"|[\w.+-]+@[\w.-]+"
)

Ask = Callable[..., str | None]
"""Runs a system program. Returns its output, or None on failure."""

Fact = tuple[Text, object]


def write(path: Path, config: TableConfig, machine: Machine, findings: Sequence[Finding]) -> None:
    """Write the report to a new file. Raise OptionError if that fails."""
    write_text(path, told(config, machine, findings))


def write_text(path: Path, text: str) -> None:
    """Write a text to a new file. Raise OptionError if that fails."""
    try:
        write_new(path, text)
    except FileExistsError:
        raise OptionError(msg("{file} already exists; it was not changed", file=path)) from None
    except OSError as error:
        raise OptionError(msg("{file}: {why}", file=path, why=reason(error))) from error


def asked(*command: str) -> str | None:
    if not shutil.which(command[0]):
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def told(
    config: TableConfig,
    machine: Machine,
    findings: Sequence[Finding],
    *,
    ask: Ask = asked,
    environ: Mapping[str, str] = os.environ,
) -> str:
    private, states = Redactor(private_words(config)), list(dict.fromkeys((state_folder(environ), TABLE_FOLDER)))
    failed = (each for folder in states for each in failures.last(folder))
    parts = [
        str(msg("Table companion, report of {when}", when=time.strftime("%Y-%m-%d %H:%M"))),
        str(left_out()),
        *part(msg("Machine"), rows(machine_facts(machine))),
        *part(msg("Last start"), rows(_start(ask))),
        *part(msg("Display connectors"), _plugs(machine.sys / "class" / "drm")),
        *part(msg("Sound cards"), _lines_of(machine.proc / "asound" / "cards")),
        *part(msg("The doctor's findings"), _findings(findings)),
        *part(msg("table.toml, where it differs from the defaults"), _set(config)),
        *part(msg("Last failures"), (f"{when}  {_unquoted(what)}" for when, _kind, what in failed)),
        *part(msg("Warnings and errors of the log"), _log(states, ask)),
    ]  # fmt: skip
    return printable_lines("\n".join(map(private.left_out, parts))) + "\n"


def left_out() -> Text:
    return msg("Names, passwords, keys and addresses are left out: {sign}", sign=HIDDEN)


def part(title: Text, lines: Iterable[str]) -> list[str]:
    return ["", str(title), "-" * len(str(title)), *(list(lines) or [str(msg("nothing"))])]


def rows(facts: Iterable[Fact]) -> Iterator[str]:
    return (f"{name}: {value}" for name, value in facts if value not in {None, ""})


# --- Private data -----------------------------------------------------------------------------------------


class Redactor:
    """Removes words, and what looks like a key or address."""

    def __init__(self, words: Iterable[str]) -> None:
        known = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
        self._words = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in known) or r"(?!)", re.I)

    def left_out(self, text: str) -> str:
        return _SECRET.sub(HIDDEN, self._words.sub(HIDDEN, text))


def private_words(config: TableConfig) -> set[str]:
    """Return all free text of table.toml except SHOWN, the players, user, machine and the club's password."""
    found = {
        word
        for name, section in _sections(config)
        for option in fields(section)
        if (name, option.name) not in SHOWN and not option.metadata["choices"]
        for word in _texts(getattr(section, option.name))
        if word != option.default
    }
    found |= {*config.seats.names, *_players(config.journal.path), str(home_folder())}
    if config.club.password_file:
        found |= set(_lines_of(Path(config.club.password_file)))
    return found | ({getpass.getuser(), socket.gethostname()} - COMMON)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return (each for each in value if isinstance(each, str)) if isinstance(value, tuple) else ()


def _players(folder: Path) -> Iterator[str]:
    try:
        found = [path for path in folder.iterdir() if path.name.endswith(SUFFIX) and path.is_file()]
    except OSError:
        return  # the doctor's finding says why
    for path in sorted(found, key=lambda path: order(path.name))[-RECORDS:]:
        try:
            with path.open(encoding="utf-8", errors="replace") as file:
                head = file.read(RECORD_HEAD)
        except OSError:
            continue
        for line in head.split("\n"):
            if line.startswith("[Seat"):
                with suppress(RecordError):  # an invalid tag
                    yield parse_tag(without_remark(line).strip())[1]


def _unquoted(text: str) -> str:
    """Hide quoted text, which people may have typed."""
    return _QUOTED.sub(HIDDEN, text)


# --- The machine ------------------------------------------------------------------------------------------


def machine_facts(machine: Machine) -> Iterator[Fact]:
    """Yield model, memory, system, kernel, clock and heat."""
    yield msg("model"), _first_line(machine.proc / "device-tree" / "model") or platform.machine()
    yield msg("processor"), msg("{kind}, {n} cores", kind=platform.machine(), n=os.cpu_count() or 0)
    memory = re.search(r"MemTotal:\s*(\d+)", "\n".join(_lines_of(machine.proc / "meminfo")))
    yield msg("memory"), memory and f"{int(memory[1]) // 1024} MB"
    release = dict(line.partition("=")[::2] for line in _lines_of(machine.etc / "os-release"))
    yield msg("operating system"), release.get("PRETTY_NAME", "").strip('"')
    yield msg("kernel"), f"{platform.release()} {platform.version()}"
    clock = machine.sys / "devices" / "system" / "clocksource" / "clocksource0" / "current_clocksource"
    yield msg("clock source"), _first_line(clock)
    degrees = _first_line(machine.sys / "class" / "thermal" / "thermal_zone0" / "temp")
    yield msg("temperature"), (degrees.isdigit() and msg("{n} °C", n=decimal(int(degrees) / 1000))) or None
    throttled = machine.sys / "devices" / "platform" / "soc" / "soc:firmware" / "get_throttled"
    yield msg("throttled, 0 if never"), _first_line(throttled)


def _start(ask: Ask) -> Iterator[Fact]:
    """Yield how long the last start took, from systemd."""
    names = ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic", "NRestarts")
    said = ask("systemctl", "show", SERVICE, *(f"--property={name}" for name in names)) or ""
    found = dict(line.partition("=")[::2] for line in said.splitlines())
    began_us, stood_us, again = (int(found.get(name) or 0) for name in names)
    if began_us and stood_us >= began_us:
        yield msg("from program start to first picture"), _seconds(stood_us - began_us)
        yield msg("from kernel start to first picture"), _seconds(stood_us)
        yield msg("restarted by itself"), again


def _seconds(span_us: int) -> Text:
    return msg("{n} s", n=decimal(span_us / 1e6))


def _plugs(folder: Path) -> Iterator[str]:
    for status in sorted(folder.glob("card*-*/status")):
        modes = _lines_of(status.parent / "modes")
        yield f"{status.parent.name}: {' '.join([_first_line(status), *modes[:1]])}"


def _findings(findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.severity.word}: {finding.name}: {finding.found}"


def _first_line(path: Path) -> str:
    return next(iter(_lines_of(path)), "")


def _lines_of(path: Path) -> list[str]:
    """Return the lines of a small file, or [] if it is unreadable."""
    try:
        return path.read_text("utf-8", errors="replace").strip("\0\n").splitlines()
    except OSError:
        return []


# --- Settings ---------------------------------------------------------------------------------------------


def _sections(config: TableConfig) -> Iterator[tuple[str, Any]]:
    own = {type(value): value for value in (getattr(config, field.name) for field in fields(config))}
    for name, cls in all_sections(all_games()).items():
        group, _, game = name.partition(".")
        each = getattr(config, group).get(game) if game else own.get(cls) or config.wiring.of(cls)
        if each is not None:
            yield name, each


def _set(config: TableConfig) -> Iterator[str]:
    for name, section in _sections(config):
        for key, value in options.changed(section).items():
            choices = options.declared(section, key).metadata["choices"]
            is_plain = (name, key) in SHOWN or choices or not any(_texts(value))
            yield f"[{name}] {key} = {in_toml(value) if is_plain else HIDDEN}"


# --- Log --------------------------------------------------------------------------------------------------


def _log(folders: Iterable[Path], ask: Ask) -> Iterator[str]:
    for folder in folders:
        lines = [line for line in _lines_of(folder / logbook.FILE_NAME) if _LOGGED.match(line)]
        yield from map(_unquoted, lines[-LINES:])
    fields_of = "--output-fields=MESSAGE,LOGGER"
    entries = ask("journalctl", "-u", SERVICE, "-p", "warning", "-n", str(LINES), "-o", "json", fields_of) or ""
    for line in entries.splitlines():
        entry = json.loads(line)
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(int(entry["__REALTIME_TIMESTAMP"]) // 1_000_000))
        first = str(entry.get("MESSAGE")).partition("\n")[0]
        yield _unquoted(f"{when} {entry.get('LOGGER', SERVICE)}: {first}")
