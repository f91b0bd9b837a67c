"""`companion doctor`: checks a table's parts, then asks for each device in a guided walk."""

import os
import queue
import select
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from companion.config.sections import SoundOptions
from companion.config.table_file import TableConfig
from companion.core import limits
from companion.core.clock import Clock, MonotonicClock
from companion.core.errors import CompanionError
from companion.core.files import nearest_folder
from companion.core.inbox import Inbox
from companion.core.install import add_command, replace_command
from companion.core.move import Seat
from companion.core.place import HOUSE, Place, each_place
from companion.core.plugins import PLUGINS, installed, origin
from companion.core.signal import Signal
from companion.core.text import Text, _, language_of_system, msg, reason, translations
from companion.devices.driver import Driver
from companion.devices.drivers import GROUP as DRIVERS
from companion.devices.drivers import all_drivers
from companion.devices.findings import Finding, Machine, Severity, may_use, monotonic, system
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as phones
from companion.devices.sound import Sound, quoted
from companion.devices.sound import devices as sound_devices
from companion.devices.sound import look as look_for_sound
from companion.devices.voice import SPOKEN, by_language
from companion.devices.voice import look as look_for_voice
from companion.devices.wiring import Wiring
from companion.diagnostics import report
from companion.diagnostics.guided_check import Say, Walk
from companion.diagnostics.listening import TERMINAL
from companion.diagnostics.part_findings import sheet
from companion.display import screen_drivers
from companion.display.frame import Frame, Poster, Side
from companion.display.geometry import ScreenGeometry
from companion.display.layout import reach_cm, reads_well
from companion.games import GROUP as GAMES
from companion.games import all_games
from companion.referee.serving import STOP, run_live

if TYPE_CHECKING:
    from companion.display.window import Frames, Window

LINGER_NS: Final = 10_000_000_000

DISPLAY: Final = msg("display")
RECORDS: Final = msg("records")
VIRTUAL: Final = msg("virtual table")
VOICE: Final = msg("voice")

WITHOUT: Final = (DISPLAY, RECORDS, VIRTUAL)
"""Parts that a walk does not need."""

NARROWEST: Final = 60


def run(
    config: TableConfig,
    machine: Machine,
    out: IO[str],
    *,
    walk: bool,
    jig: bool = False,
    virtual: bool = False,
    more: Iterable[Finding] = (),
    report_file: Path | None = None,
) -> bool:
    """Print the findings. Return True if nothing must be fixed before a match.

    `more`: other findings. `jig`: the walk tests every part. A `virtual` table does not have a walk. `report_file`
    receives a report.
    """
    drivers = (phones.DRIVER,) if virtual else all_drivers()
    findings = [*devices(config.wiring, machine, drivers), *look_around(config, virtual=virtual), *more]
    show(findings, out)
    if walk and not virtual:
        done = walk_round(config, findings, out, jig=jig)
        print(file=out)
        show(done, out)
        if jig:
            print(sheet(done), file=out)
        findings += done
    if report_file:
        report.write(report_file, config, machine, findings)
        print(f"\n{msg('{file} written', file=report_file)}", file=out)
    bad = list(dict.fromkeys(str(finding.name) for finding in findings if finding.severity is Severity.BAD))
    print(file=out)
    if bad:
        names = ", ".join(bad)
        print(msg("{n} thing to fix: {names}", "{n} things to fix: {names}", n=len(bad), names=names), file=out)
        return False
    print(_("At the table, Self-test in the menu shows every press, key and lamp live"), file=out)
    print(_("Nothing to fix: start with `companion play`"), file=out)
    return True


def show(findings: Sequence[Finding], out: IO[str]) -> None:
    """Print findings as a table. A remedy shared by consecutive findings is printed once."""
    severity_width = max(len(severity.word) for severity in Severity)
    name_width = max((len(str(finding.name)) for finding in findings), default=0)
    margin = " " * (severity_width + name_width + 4)
    for remedy, group in groupby(findings, key=lambda finding: finding.remedy):
        for finding in group:
            head = f"{finding.severity.word:{severity_width}}  {finding.name!s:{name_width}}  "
            print(_wrapped(str(finding.found), head, margin), file=out)
        if remedy:
            print(_wrapped(str(remedy), f"{margin}-> ", f"{margin}   "), file=out)


def _wrapped(text: str, head: str, margin: str) -> str:
    width = max(NARROWEST, shutil.get_terminal_size().columns)
    return textwrap.fill(
        text,
        width,
        initial_indent=head,
        subsequent_indent=margin,
        break_on_hyphens=False,
        break_long_words=False,  # commands and paths stay whole for copying
    )


# --- The machine and its devices ---------------------------------------------------------------------------


def machine_itself(machine: Machine) -> Iterator[Finding]:
    yield system(machine)
    yield monotonic(machine)


def devices(
    wiring: Wiring, machine: Machine, drivers: Iterable[Driver], hardware: Hardware | None = None
) -> Iterator[Finding]:
    """Check what the devices need. `hardware`: those that are already open."""
    yield from machine_itself(machine)
    for driver in drivers:
        yield from driver.look(wiring, machine, hardware.opened_by(driver) if hardware else ())


# --- What is not wired ------------------------------------------------------------------------------------


def look_around(config: TableConfig, *, virtual: bool = False) -> Iterator[Finding]:
    """Check everything but the devices."""
    yield from plug_ins()
    if not virtual:
        yield display(config.display.geometry)
    yield from letters_of(config.seats.names)
    yield sound(config.sound)
    yield voice(config)
    yield journal_folder(config.journal.path)
    yield virtual_table(needed=virtual)


def plug_ins() -> Iterator[Finding]:
    """Yield what plug-ins bring, and why some cannot be used."""
    name, severity = msg("plug-ins"), Severity.OK if PLUGINS.wanted else Severity.SKIPPED
    all_games()
    all_drivers()
    for plugin in installed():
        for point in plugin.points:
            what = {
                GAMES: msg("the game {name}", name=point.name),
                DRIVERS: msg("the driver {name}", name=point.name),
            }
            if point.group not in what or any(origin(point) in str(why) for why in PLUGINS.refused):
                continue
            brings = msg(
                "{what} of {plugin} {version}, in {folder}",
                what=what[point.group],
                plugin=plugin.name,
                version=plugin.version,
                folder=plugin.folder,
            )
            yield Finding(name, severity, brings)
    for why in PLUGINS.refused:
        remedy = msg("Fix or uninstall it; until then everything else runs without it")
        yield Finding(name, Severity.WEAK, why, remedy)


def display(geometry: ScreenGeometry = ScreenGeometry()) -> Finding:  # noqa: B008  a value
    """Check the screen without opening it, and from how far names are legible."""
    try:
        driver = _driver(fullscreen=True)
    except (CompanionError, ImportError) as error:
        return _pygame_broken(DISPLAY, error)
    if driver != "kmsdrm":
        return _legible(msg("by {driver}", driver=driver), driver, geometry)
    card = screen_drivers.connected_card()
    if card is None:
        remedy = msg("Plug in a display and restart the machine; a network login has none")
        return Finding(DISPLAY, Severity.BAD, msg("no display is plugged in"), remedy)
    path = Path(f"/dev/dri/card{card}")
    if not may_use(path):
        remedy = msg("sudo usermod -aG video,render $USER, then log out and in again")
        return Finding(DISPLAY, Severity.BAD, msg("no permission to use {path}", path=path), remedy)
    return _legible(msg("by kmsdrm on card {card}", card=card), driver, geometry)


def _legible(screen: Text, driver: str | None, geometry: ScreenGeometry) -> Finding:
    size = screen_drivers.screen_size(driver) if driver else None
    if size is None:
        return Finding(DISPLAY, Severity.OK, screen)
    measured = geometry.width_mm and geometry.height_mm
    found = msg(
        "{screen}, {wide}x{high} on {glass}: names are legible up to {reach} cm",
        screen=screen,
        wide=size[0],
        high=size[1],
        glass=f"{geometry.width_mm} x {geometry.height_mm} mm" if measured else msg("7 inches"),
        reach=reach_cm(size, geometry),
    )
    if reads_well(size, geometry):
        return Finding(DISPLAY, Severity.OK, found)
    remedy = msg("Sit nearer than {reader} cm, or use a larger display", reader=geometry.reader_cm)
    if not measured:
        remedy = msg(
            "Measure the picture and enter it in table.toml: [display] width_mm, height_mm; on 7 inches, "
            "{reader} cm is too far",
            reader=geometry.reader_cm,
        )
    return Finding(DISPLAY, Severity.WEAK, found, remedy)


def letters_of(names: Sequence[str]) -> Iterator[Finding]:
    """Yield the names that the display cannot write."""
    try:
        from companion.diagnostics import letters  # noqa: PLC0415  it fails where pygame is broken, which the display tells
    except ImportError:
        return
    for found in letters.lacking(names):
        yield Finding(msg("names"), Severity.WEAK, found, letters.REMEDY)


def sound(options: SoundOptions) -> Finding:
    if options.mute or not options.volume:
        return Finding(msg("sound"), Severity.SKIPPED, msg("switched off in table.toml"))
    silence = look_for_sound(options.device)
    if silence:
        return Finding(msg("sound"), Severity.WEAK, msg("none: {why}", why=silence.found), silence.remedy)
    there = sound_devices()
    if len(there) > 1 and not options.device:
        found = msg("{n} sound devices, and none is chosen: the system picks one", n=len(there))
        remedy = msg("In table.toml, [sound] device: one of {names}", names=quoted(there))
        return Finding(msg("sound"), Severity.WEAK, found, remedy)
    where = options.device or next(iter(there), "?")
    return Finding(
        msg("sound"), Severity.OK, msg("{device} responds; volume {n} of 10", device=where, n=options.volume)
    )


def voice(config: TableConfig) -> Finding:
    options = config.sound
    if not options.voice or options.mute or not options.volume:
        return Finding(VOICE, Severity.SKIPPED, msg("switched off in table.toml"))
    language = config.display.language or language_of_system()
    missing = look_for_voice(language, options.voice_files, SPOKEN.render(translations(language)))
    if missing:
        return Finding(VOICE, Severity.WEAK, msg("none: {why}", why=missing.found), missing.remedy)
    file = by_language(options.voice_files).get(language)
    program = msg("Piper, with {path}", path=file) if file else msg("espeak-ng")
    return Finding(VOICE, Severity.OK, msg("speaks {language}, by {program}", language=language, program=program))


def virtual_table(*, needed: bool = True) -> Finding:
    try:
        driver = _driver(fullscreen=False)
    except (CompanionError, ImportError) as error:
        return _pygame_broken(VIRTUAL, error)
    if driver is None:
        found, remedy = (
            msg("it needs a window, and DISPLAY is not set"),
            msg("Start it on a desktop; `companion demo --text` needs none"),
        )
        return Finding(VIRTUAL, Severity.BAD if needed else Severity.SKIPPED, found, remedy if needed else None)
    return Finding(VIRTUAL, Severity.OK, msg("ready, by {driver}", driver=driver))


def _driver(*, fullscreen: bool) -> str | None:
    from companion.display import window  # noqa: PLC0415  it fails where pygame is broken, which is to be told

    window.check_pygame()
    return screen_drivers.screen_driver(fullscreen)


def _pygame_broken(name: Text, error: Exception) -> Finding:
    found = error.text if isinstance(error, CompanionError) else msg("pygame does not start: {why}", why=error)
    remedy = Text(replace_command("pygame pygame-ce", add_command("pygame-ce")))
    return Finding(name, Severity.BAD, found, remedy)


def journal_folder(folder: Path) -> Finding:
    """Check that records can be written, and for space."""
    try:
        there, is_writable = nearest_folder(folder)
        if is_writable:
            free, needed = shutil.disk_usage(there).free >> 20, limits.RECORD_BYTES >> 20
            if free >= needed:
                return Finding(RECORDS, Severity.OK, msg("{folder}", folder=folder))
            found = msg(
                "{folder}: {free} MB free, a match may need {needed}", folder=folder, free=free, needed=needed
            )
            return Finding(RECORDS, Severity.BAD, found, msg("Free some space on that disk"))
        found = msg("{folder}: cannot write to {there}", folder=folder, there=there)
    except OSError as error:
        found = msg("{path}: {why}", path=folder, why=reason(error))
    return Finding(RECORDS, Severity.BAD, found, msg("Name another folder in table.toml: [journal] folder"))


# --- The walk ---------------------------------------------------------------------------------------------


def walk_round(config: TableConfig, before: Sequence[Finding], out: IO[str], *, jig: bool = False) -> list[Finding]:
    """Ask people to work each device. Return the findings."""
    wires = [finding.name for finding in before if finding.severity is Severity.BAD and finding.name not in WITHOUT]
    if wires:
        return [Finding(msg("walk"), Severity.SKIPPED, msg("first fix what is bad above"))]
    inbox, clock = Inbox(), MonotonicClock()
    with ExitStack() as opened:
        try:
            hardware = opened.enter_context(Hardware(config.wiring, inbox, clock))
        except CompanionError as error:
            return [Finding(msg("devices"), Severity.BAD, error.text, msg("Fix it and run the doctor again"))]
        window, trouble = _window(config, before)
        if window:
            opened.callback(window.close)
        opened.enter_context(enter_skips(sys.stdin, inbox, clock))
        tell = [printer(out)]
        frames: Frames = queue.Queue()
        if window:
            tell.append(framer(config, frames.put))

        def say(poster: Poster, place: Place | None) -> None:
            for each in tell:
                each(poster, place)

        linger_ns = LINGER_NS if window else 0
        sound = Sound(config.sound.volume, mute=config.sound.mute, device=config.sound.device)
        opened.callback(sound.close)
        audible = config.sound.volume and not config.sound.mute and not look_for_sound(config.sound.device)
        player = sound if audible else None
        walk = Walk(config.wiring, hardware, say, lambda: inbox.put(STOP), linger_ns, player=player, jig=jig)
        _serve(walk, inbox, clock, window, frames)
    left = (
        [] if walk.deadline_ns is None else [Finding(msg("walk"), Severity.SKIPPED, msg("stopped before the end"))]
    )
    return [*trouble, *walk.findings, *left]


def _window(config: TableConfig, before: Sequence[Finding]) -> "tuple[Window | None, list[Finding]]":
    if any(finding.name == DISPLAY and finding.severity is Severity.BAD for finding in before):
        return None, []
    from companion.display.window import DisplayError, Window  # noqa: PLC0415

    try:
        return Window(virtual=False, geometry=config.display.geometry), []
    except DisplayError as error:
        remedy = msg("End the program that uses the display, or plug in a display")
        return None, [Finding(DISPLAY, Severity.BAD, error.text, remedy)]


def _serve(walk: Walk, inbox: Inbox, clock: Clock, window: "Window | None", frames: "Frames") -> None:
    def serve() -> None:
        try:
            walk.start(clock.now_ns())
            run_live(walk, inbox, clock)
        finally:
            frames.put(None)

    if window is None:
        serve()
        return
    with ThreadPoolExecutor(1, "walk") as pool:
        served = pool.submit(serve)
        try:
            window.run(frames, inbox.put, lambda *_: None)  # a walk needs no visibility reports
        finally:
            inbox.put(STOP)
    served.result()  # re-raises the thread's error


def printer(out: IO[str]) -> Say:
    def say(poster: Poster, place: Place | None) -> None:
        print(file=out)
        for line in poster.lines:
            print(f"   {line}", file=out)
        hint = f"  [{poster.hint}]" if poster.hint else ""
        print(f"*  {poster.title}{hint}", file=out, flush=True)

    return say


def framer(config: TableConfig, show_frame: Callable[[Frame], None]) -> Say:
    """Return a callback that shows posters and lights the strip of a place."""
    places = each_place(max({*config.wiring.buzzers, *config.wiring.keypad_places}, default=HOUSE) + 1)
    serial = 0

    def say(poster: Poster, place: Place | None) -> None:
        nonlocal serial
        serial += 1
        sides = tuple(Side(str(msg("Seat {n}", n=each + 1)), lit=each == place, seat=Seat(each)) for each in places)
        show_frame(Frame(serial, poster, sides))

    return say


@contextmanager
def enter_skips(stdin: IO[str], inbox: Inbox, clock: Clock) -> Iterator[None]:
    """On a terminal, let Enter skip steps."""
    if not stdin.isatty():
        yield
        return
    end, ending = os.pipe()

    def read() -> None:
        # A blocking read could not be interrupted and would delay the exit.
        while end not in select.select([stdin.fileno(), end], [], [])[0]:
            if not os.read(stdin.fileno(), 1000):
                return
            now_ns = clock.now_ns()
            inbox.put(Signal(TERMINAL, HOUSE, "ok", now_ns, 0, now_ns))

    thread = threading.Thread(target=read, name="terminal")
    thread.start()
    try:
        yield
    finally:
        os.close(ending)
        thread.join()
        os.close(end)
