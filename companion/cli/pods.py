"""`companion pod`: lists, tests, flashes and pairs pods."""

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TextIO

from companion.cli import boards
from companion.cli.arguments import table_config
from companion.cli.status import DONE, FAILED
from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ, Lamp
from companion.core.errors import OptionError
from companion.core.inbox import Inbox
from companion.core.place import each_place
from companion.core.signal import LEVEL, LOST, PLUG, UNPLUG, Signal
from companion.core.text import _, msg, printable_lines
from companion.core.toml import in_toml
from companion.devices.errors import DeviceError
from companion.devices.pods.driver import greeted
from companion.devices.pods.firmware import (
    BOARD_S,
    Run,
    copy,
    firmware_files,
    firmware_version,
    need_mpremote,
    update,
    wait,
)
from companion.devices.pods.keys import PodKeys
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods, Seen
from companion.devices.pods.port import ports_with_boards
from companion.devices.pods.proof import PodKey

KEY_FILE: Final = "key.txt"

LOOK_S: Final = 0.1


def main(arguments: argparse.Namespace) -> int:
    wiring = table_config(arguments).wiring.of(PodWiring)
    if arguments.micropython and arguments.action != "flash":
        raise OptionError(msg("--micropython: only flash takes a UF2"))
    if arguments.all:
        if arguments.action != "flash" or arguments.port or arguments.micropython:
            raise OptionError(msg("--all: only flash takes it, without a port and without --micropython"))
        return flash_all(wiring, sys.stdout)
    if arguments.action == "flash":
        flash(arguments.port, wiring, sys.stdout, micropython=arguments.micropython)
        return DONE
    if arguments.action == "pair":
        pair(arguments.port, wiring, sys.stdout)
        return DONE
    if arguments.port:
        raise OptionError(
            msg(
                "{port}: only flash and pair take a port; name other ports in table.toml, [pods] ports",
                port=arguments.port,
            )
        )
    {"list": show, "test": test}[arguments.action](wiring, sys.stdout)
    return DONE


# --- list -------------------------------------------------------------------------------------------------


def show(wiring: PodWiring, out: TextIO) -> None:
    """Print all pods, and what is missing or not responding."""
    with greeted(wiring) as pods:
        _print(listed(pods), out)


def listed(pods: Pods) -> Iterable[str]:
    seen = sorted(pods.seen(), key=lambda pod: (pod.place is None, pod.place or 0, pod.identity))
    yield from map(_line, seen)
    yield from (f"{path}: {why}" for path, why in pods.silent_ports.items())
    yield from map(str, pods.troubles.values())
    if not seen and not pods.silent_ports:
        yield _("No pod found. Is one plugged in, with a cable that carries data?")
    if pods.unbound():
        _seat_all(pods)
        yield _(
            "To give each pod a seat, add this to table.toml; the first is seat 1, the others follow clockwise:"
        )
        yield f"[{pods.section}]"
        yield f"seats = {in_toml(pods.paired.seats)}"


def _line(pod: Seen) -> str:
    seat = _("no seat") if pod.place is None else _("seat {n}").format(n=pod.place + 1)
    line = _("{identity}  firmware {firmware}  {path}  {seat}").format(
        identity=pod.identity, firmware=pod.firmware, path=pod.path, seat=seat
    )
    return line if pod.proved else _("{pod}  not paired: `companion pod pair`").format(pod=line)


# --- test -------------------------------------------------------------------------------------------------


def test(wiring: PodWiring, out: TextIO) -> None:
    """Show presses on their pods until Ctrl-C. Pods without a seat use free seats."""
    inbox = Inbox()
    with Pods(wiring, inbox.put, MonotonicClock()) as pods:
        pods.watch()
        _print([_("Press keys and buzzers. Stop with Ctrl-C.")], out)
        while True:
            _seat_all(pods)
            try:
                signal = inbox.get(LOOK_S)
            except TimeoutError:
                continue
            if signal:
                answer(pods, signal, out)


def answer(pods: Pods, signal: Signal, out: TextIO) -> None:
    place, control = signal.place, signal.control
    if LEVEL in signal.flags:
        return
    if control == PLUG:
        pods.say(place, _("Seat {n}").format(n=place + 1), _("press anything"))
        what = _("connected")
    elif control == UNPLUG:
        what = str(pods.troubles.get(place, _("disconnected")))
    elif control == LOST:
        what = _("memory full: some presses are lost")
    elif control == BUZZ:
        pods.show(place, Lamp.ON if signal.pressed else Lamp.OFF)
        what = _("buzzer {state}, ±{us:.0f} us").format(
            state=_("pressed") if signal.pressed else _("released"), us=signal.uncertainty_ns / 1_000
        )
    else:
        pods.say(place, _("Seat {n}").format(n=place + 1), _("key {key}").format(key=control))
        what = _("key {key}").format(key=control)
    _print([_("seat {n}: {what}").format(n=place + 1, what=what)], out)


def _seat_all(pods: Pods) -> None:
    free = [place for place in each_place(9) if place not in pods.places]
    for pod, place in zip(pods.unbound(), free, strict=False):  # a tenth pod stays unbound
        pods.bind(pod.identity, place)


# --- flash and pair ---------------------------------------------------------------------------------------


def flash(
    path: str | None,
    wiring: PodWiring,
    out: TextIO,
    *,
    micropython: Path | None = None,
    run: Run = subprocess.run,
    keys: PodKeys | None = None,
) -> None:
    """Copy the firmware onto the board at a port, or the only board, and pair it. Raise DeviceError.

    `micropython` is copied first, onto a Pico that was plugged in with BOOTSEL held.
    """
    files = firmware_files()
    if micropython:
        path = _with_micropython(micropython, path, wiring, out, run)
    path = _board(path, wiring)
    _print(
        [_("{path}: {n} files copied from {folder}").format(path=path, n=len(files), folder=files[0].parent)], out
    )
    _give(path, files, out, run, keys or PodKeys())


def flash_all(wiring: PodWiring, out: TextIO, run: Run = subprocess.run) -> int:
    """Update each pod that has another firmware. Return FAILED if one could not be updated."""
    version = firmware_version()
    with greeted(wiring) as pods:
        outdated, silent = pods.outdated(version), pods.silent_ports
        current = [pod for pod in pods.seen() if pod.firmware == version]
    failed = 0
    for number, pod in enumerate(outdated, 1):
        found = silent.pop(pod.path, None) or _line(pod)
        _print([_("{n} of {of}: {pod}").format(n=number, of=len(outdated), pod=found)], out)
        try:
            update(pod.path, run)
        except DeviceError as error:
            failed += 1
            _print([str(error)], out)
    _print((f"{path}: {why}" for path, why in silent.items()), out)
    done = _("Firmware {version}: {done} updated, {failed} failed, {current} had it already")
    figures = {"done": len(outdated) - failed, "failed": failed, "current": len(current)}
    _print([done.format(version=version, **figures)], out)
    return FAILED if failed else DONE


def pair(
    path: str | None, wiring: PodWiring, out: TextIO, *, run: Run = subprocess.run, keys: PodKeys | None = None
) -> None:
    """Give a new key to the pod at a port, or the only pod. Raise DeviceError."""
    _give(_board(path, wiring), [], out, run, keys or PodKeys())


def _with_micropython(file: Path, path: str | None, wiring: PodWiring, out: TextIO, run: Run) -> str | None:
    """Return the board's port."""
    image = boards.read_image(file)
    before = set(ports_with_boards())
    boards.put(image, run)
    _print([_("{file}: MicroPython {version} is on the board").format(file=file, version=image.version)], out)
    wait(lambda: bool(set(ports_with_boards()) - before), BOARD_S)
    new = sorted(set(ports_with_boards()) - before)
    return path or (new[0] if new else _only((*before, *wiring.ports)))


def _board(path: str | None, wiring: PodWiring) -> str:
    need_mpremote()
    return path or _only(dict.fromkeys((*ports_with_boards(), *wiring.ports)))


def _give(path: str, files: Iterable[Path], out: TextIO, run: Run, keys: PodKeys) -> None:
    """Copy files and a new key onto a board, store the key, and restart the board."""
    key = PodKey.drawn()
    with TemporaryDirectory() as folder:  # a private folder: a command line would show the key
        kept = Path(folder, KEY_FILE)
        kept.write_text(key.written(), "ascii")
        identity = copy(path, [*files, kept], run)
    file = keys.keep(identity, key)
    _print(
        [
            _("{path}: the pod {identity} is paired with this table; its key is in {file}").format(
                path=path, identity=identity, file=file
            ),
            _("{path}: done; the pod starts").format(path=path),
        ],
        out,
    )


def _only(paths: Iterable[str]) -> str:
    found = list(paths)
    if len(found) == 1:
        return found[0]
    if not found:
        raise DeviceError(msg("no board found; plug one in, or name its port: companion pod flash /dev/ttyACM0"))
    raise DeviceError(
        msg(
            "there are {n} boards ({paths}); name one: companion pod flash {path}",
            n=len(found),
            paths=", ".join(found),
            path=found[0],
        )
    )


def _print(lines: Iterable[str], out: TextIO) -> None:
    for line in lines:
        out.write(printable_lines(line) + "\n")
    out.flush()
