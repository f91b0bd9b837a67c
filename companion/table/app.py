"""The program with a window, which runs in the main thread; the host has another one."""

import gc
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from companion.config.sections import SoundOptions
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.errors import OptionError, nearest
from companion.core.files import state_folder
from companion.core.heartbeat import Heartbeat
from companion.core.inbox import Inbox
from companion.core.match import Match
from companion.core.place import HOUSE
from companion.core.signal import ASKED, Signal
from companion.core.tags import PERSON
from companion.core.text import msg
from companion.devices.phones.options import PhoneOptions
from companion.devices.sound import Sound
from companion.diagnostics import letters
from companion.diagnostics.service import POWER_OFF, Service, Watchdog
from companion.display import theme
from companion.display.frame import Frame
from companion.display.window import Frames, Window
from companion.games import all_games, load
from companion.match.seating import PLACES, Sitter, Wanted
from companion.referee.serving import STOP, run_live
from companion.table import window_file
from companion.table.host import Host
from companion.table.mirror import Mirror
from companion.table.painter import Painter
from companion.table.system import System
from companion.updates import switched_back

if TYPE_CHECKING:
    from companion.club.link import ClubLink
    from companion.devices.hardware import Hardware

SETTLE_NS: Final = 30_000_000
"""Settling time of PC keys: a frame that is slow to draw."""


LATER: Final = (
    "logging.handlers",
    "companion.match.match_hints",
    "companion.match.match_panels",
    "companion.match.match_screens",
    "companion.match.new_match",
    "companion.match.session",
    "companion.screens.help",
    "companion.screens.own_box",
    "companion.screens.past_matches",
    "companion.screens.self_test",
    "companion.screens.statistics",
    "companion.table.house_rules",
    "companion.table.match_menus",
)
"""Modules that the first picture does not wait for."""


def play(config: TableConfig, game: str | None, bots: Sequence[str], *, virtual: bool) -> None:
    """Open the table with `bots` at its first seats; `person` leaves a seat free.

    Raise OptionError if a game lacks or excludes the robot, DeviceError for a missing device.
    """
    signs = [sign for sign in all_games().signs if game in {None, sign.name}]
    kinds = {PERSON, *set.intersection(*(set(sign.robots) for sign in signs))}
    for kind in bots:
        if kind not in kinds:
            raise OptionError(msg("unknown robot {kind!r}; {near}", kind=kind, near=nearest(kind, kinds)))
    if game and set(bots) - {PERSON}:
        why = load(game).no_robots(config.rulings_of(load(game)), config.cards.deal)
        if why:
            raise OptionError(why)
    if len(bots) > PLACES:
        raise OptionError(msg("{n} robots for {places} seats", n=len(bots), places=PLACES))
    sitters = sitters_of(bots, config.seats.names)
    _run(config, Wanted(sitters, game), virtual=virtual)


def sitters_of(kinds: Sequence[str], names: Sequence[str]) -> list[Sitter | None]:
    """Return the robots by place, None for a person."""
    own = dict(enumerate(names, 1))
    return [
        None if kind == PERSON else Sitter(own.get(place, f"Robot {place}"), kind)
        for place, kind in enumerate(kinds, 1)
    ]


def teach(config: TableConfig, game: str, *, virtual: bool) -> None:
    """Open the table with a lesson. Raise OptionError if the game has none."""
    if load(game).lesson is None:
        raise OptionError(msg("{game} does not have a lesson", game=load(game).title))
    _run(config, Wanted(game=game, lesson=True), virtual=virtual)


def demo(config: TableConfig, match: Match, kinds: Sequence[str]) -> None:
    """Show a match of robots at a virtual table."""
    sitters = [Sitter(name, kind) for name, kind in zip(match.names, kinds, strict=True)]
    _run(config, Wanted(sitters, match=match), virtual=True)


def with_phones(config: TableConfig) -> TableConfig:
    return replace(config, wiring=config.wiring.but(replace(config.wiring.of(PhoneOptions), on=True)))


def club_link(config: TableConfig, inbox: Inbox, clock: PlanningClock) -> "ClubLink":
    """Return the connection to the club. Raise DeviceError if something is missing."""
    from companion.club.link import ClubLink  # noqa: PLC0415  a table without a club needs none of it

    def wake() -> None:
        now_ns = clock.now_ns()
        inbox.put(Signal("club", HOUSE, ASKED, now_ns, 0, now_ns))

    return ClubLink(config.club, config.journal.path, all_games(), theme.web_colour, wake)


def load_rest() -> None:
    """Load all games and the rest of the table behind the first picture, to avoid delays later."""
    for module in LATER:
        import_module(module)
    for _game in all_games().values():
        pass
    gc.freeze()  # garbage collection could delay a press
    gc.enable()


def _hardware(
    opened: ExitStack, config: TableConfig, inbox: Inbox, clock: PlanningClock, *, virtual: bool
) -> "Hardware | None":
    """Open the real devices, or at a virtual table phones if enabled."""
    if virtual and not config.wiring.of(PhoneOptions).on:
        return None
    # Drivers are slow to load, and their libraries may be missing.
    from companion.devices.drivers import all_drivers  # noqa: PLC0415
    from companion.devices.hardware import Hardware  # noqa: PLC0415
    from companion.devices.phones import driver as phones  # noqa: PLC0415

    drivers = (lambda: (phones.DRIVER,)) if virtual else all_drivers
    return opened.enter_context(Hardware(config.wiring, inbox, clock, drivers))


def _system(service: Service, inbox: Inbox, names: Sequence[str]) -> System:
    notices = [*service.notices(), *letters.notices(names)]
    if not service.is_there:
        return System(end=partial(inbox.put, STOP), notices=notices)
    from companion.updates.offers import REQUEST, Offers  # noqa: PLC0415  a PC has none

    power_off, offers = partial(service.ask, POWER_OFF), Offers(partial(service.ask, REQUEST))
    back = switched_back.notice(state_folder())
    if back is None:
        return System(power_off, offers=offers, notices=notices)
    return System(power_off, offers=offers, notices=[*notices, back[0]], noticed=back[1])


def _sound(opened: ExitStack, options: SoundOptions) -> Sound:
    sound = Sound(options.volume, mute=options.mute, device=options.device, voice_files=options.voice_files)
    opened.callback(sound.close)
    return sound


def _window(opened: ExitStack, config: TableConfig, *, virtual: bool) -> Window:
    if not virtual:
        window = Window(virtual=False, geometry=config.display.geometry)
        opened.callback(window.close)
        return window
    # The configured geometry is that of the real table's display.
    window = Window(virtual=True, kept=window_file.read(state_folder()))
    opened.callback(window.close)
    opened.callback(lambda: window_file.keep(state_folder(), window.placement))
    return window


def _run(config: TableConfig, wanted: Wanted, *, virtual: bool) -> None:
    frames = Frames()
    inbox, clock, service = Inbox(), PlanningClock(), Service()
    with ExitStack() as opened:
        hardware = _hardware(opened, config, inbox, clock, virtual=virtual)
        window = _window(opened, config, virtual=virtual)
        club = opened.enter_context(club_link(config, inbox, clock)) if config.club.broker else None
        painter = Painter(hardware) if hardware else None
        if painter:
            opened.callback(painter.close)
        names = wanted.match.names if wanted.match else config.seats.names
        host = Host(
            all_games(),
            config,
            clock,
            frames.put,
            wanted,
            settle_ns=SETTLE_NS,
            hardware=hardware,
            player=_sound(opened, config.sound),
            club=club,
            paint=painter.put if painter else None,
            system=_system(service, inbox, names),
        )

        serving, seen = Heartbeat("host"), threading.Event()
        watchdog = Watchdog(service, lambda: [serving, *(hardware.heartbeats if hardware else ())])
        mirror = Mirror(window, host.frames.door.phones)

        def alive(now_ns: int) -> None:
            watchdog.look(now_ns)
            mirror.look(now_ns)
            if painter:
                painter.look(now_ns)

        def serve() -> None:
            try:
                host.start()
                seen.wait()
                load_rest()
                run_live(host, inbox, clock, serving.beat)
            finally:
                host.close()
                frames.put(None)

        def shown(frame: Frame, t_ns: int) -> Signal | None:
            seen.set()
            service.ready()
            return host.frames.shown(frame, t_ns)

        with ThreadPoolExecutor(1, thread_name_prefix="host") as threads:
            try:  # stops the host wherever Ctrl-C comes
                served = threads.submit(serve)
                window.run(frames, inbox.put, shown, alive)
            finally:
                service.stopping()
                inbox.put(STOP)
                seen.set()
            served.result()  # re-raises the host's error
