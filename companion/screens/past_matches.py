"""The list of past matches, with the replay, result and photo finishes of each."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.menu import BACK_CONTROLS, NEXT_CONTROLS, OK_CONTROLS, Act, Choice, Item, Pager
from companion.core.move import by_seat
from companion.core.place import Place
from companion.core.tags import DEMO, EVENT_TAG, LESSON
from companion.core.text import Render, Text, msg
from companion.display.frame import Beat, PastMatch, PastMatches, Play, Poster, Screen, Side
from companion.match import match_screens
from companion.match.services import TableServices
from companion.records import history
from companion.records.facts import played_minutes
from companion.referee.journal import SUFFIX, Opened, opening
from companion.screens.long_work import LongWork
from companion.screens.overlays import MenuOverlay, Overlay
from companion.screens.replay import Replay, contested, photo_finish

PAGE: Final = 7

OLDER_CONTROL: Final = "8"
NEWER_CONTROL: Final = "9"

SIGNS: Final = {DEMO: "robot", LESSON: "mortarboard"}

PAST_MATCHES: Final = msg("Past matches")

_DATE: Final = re.compile(r"(?:\d+-)?(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)\d\d")


class PlayedAt(NamedTuple):
    """When a match began; empty if the name of its record does not say so."""

    day: str = ""
    time: str = ""


def played_at(name: str) -> PlayedAt:
    found = _DATE.match(name)
    return PlayedAt(found[1], f"{found[2]}:{found[3]}") if found else PlayedAt()


class _Unreadable(NamedTuple):
    why: Text


Known = Opened | _Unreadable


class PastMatchesList(Overlay):
    """Lists the matches of the journal, newest first. Only those on the current page are read.

    `resume` continues the match of a record.
    """

    def __init__(self, services: TableServices, resume: Callable[[Path], None]) -> None:
        self._services = services
        self._resume = resume
        self._read = services.settings.read
        self._paths = history.records(services.settings.config.journal.path)[::-1]
        self._pager = Pager(-(-len(self._paths) // PAGE))
        self._selected = "1"
        self._wanted: Path | None = None
        self._known: dict[Path, Known] = {}
        self._work = self._read_page()

    # --- Overlay --------------------------------------------------------------------------------------

    def screen(self) -> Screen:
        if not self._paths:
            lines, hint = (self._read(msg("No saved matches yet")),), self._read(msg("Press any button"))
            return Poster(self._read(PAST_MATCHES), lines, hint, pictures=("history",))
        return self._list()

    def sides(self) -> tuple[Side, ...] | None:
        return (self._about(),) if self._paths else None

    def press(self, place: Place, control: str) -> bool:
        if control in BACK_CONTROLS or not self._paths:
            return False
        self._wanted = None
        stops = self._stops
        if control in NEXT_CONTROLS:
            self._selected = stops[(stops.index(self._selected) + 1) % len(stops)]
        elif control in OK_CONTROLS:
            self._choose()
        elif control in stops:
            self._selected = control
            self._choose()
        return True

    def leave(self) -> None:
        self._work.stop()

    # --- The list -------------------------------------------------------------------------------------

    @property
    def _first(self) -> int:
        return self._pager.page * PAGE

    @property
    def _page(self) -> list[Path]:
        return self._paths[self._first : self._first + PAGE]

    @property
    def _path(self) -> Path | None:
        place = int(self._selected) - 1
        return self._page[place] if place < len(self._page) else None

    @property
    def _turns(self) -> list[str]:
        return [control for control in (OLDER_CONTROL, NEWER_CONTROL) if self._turned(control).within]

    @property
    def _stops(self) -> list[str]:
        return [str(number) for number in range(1, len(self._page) + 1)] + self._turns

    def _turned(self, control: str) -> Pager:
        return self._pager.turned(control, {OLDER_CONTROL}, {NEWER_CONTROL})

    def _choose(self) -> None:
        """Open the selected line. A match that is still being read opens afterwards."""
        path = self._path
        if path is None:
            self._turn_page()
        elif path not in self._known:
            self._wanted = path
        elif isinstance(opened := self._known[path], Opened):
            menu = _match_menu(self, opened.match, self._services, partial(self._resume, path))
            self.open(MenuOverlay(lambda: menu, self._read))

    def _turn_page(self) -> None:
        self._pager, self._selected = self._turned(self._selected), "1"
        self._known.clear()  # a folder may have thousands, each with all its positions
        self._work.stop()
        self._work = self._read_page()

    def _read_page(self) -> LongWork:
        return LongWork(self._services.clock, self._reading(self._page))

    def _reading(self, paths: list[Path]) -> Iterator[None]:
        for path in paths:
            try:
                self._known[path] = yield from opening(path, self._services.games)
            except CompanionError as error:
                self._known[path] = _Unreadable(error.text)
            if path == self._wanted:
                self._choose()
            self.changed()
            yield

    def _list(self) -> PastMatches:
        last = self._first + len(self._page)
        title = msg("Past matches: {first} to {last} of {n}", first=self._first + 1, last=last, n=len(self._paths))
        return PastMatches(
            self._read(title),
            tuple(self._line(path) for path in self._page),
            self._selected,
            self._read(msg("8: older")) if OLDER_CONTROL in self._turns else "",
            self._read(msg("9: newer")) if NEWER_CONTROL in self._turns else "",
            self._read(msg("Open: number or #. Buzzer: next. *: back")),
        )

    def _line(self, path: Path) -> PastMatch:
        day, known = played_at(path.name).day, self._known.get(path)
        if known is None:
            return PastMatch(when=day, note="…")
        if isinstance(known, _Unreadable):
            return PastMatch(when=day, note=self._read(msg("cannot be read")), signs=("wrench",))
        match = known.match
        winners = match.outcome.winners if match.outcome else ()
        won = tuple(match.names[seat] for seat in winners)
        others = tuple(name for seat, name in enumerate(match.names) if seat not in winners)
        return PastMatch(match.game.emblem, won, others, day, _signs(known))

    def _about(self) -> Side:
        path = self._path
        if path is None:
            return Side(
                self._read(msg("Older matches") if self._selected == OLDER_CONTROL else msg("Newer matches"))
            )
        name, known = path.name.removesuffix(SUFFIX), self._known.get(path)
        day, time = played_at(name)
        if known is None:
            return Side(name, self._read(msg("loading")))
        if isinstance(known, _Unreadable):
            return Side(name, self._read(msg("Nothing can be read; the file was not changed")))
        said = (self._read(each) for each in _story(known))
        return Side(self._read(known.match.game.title), ". ".join((f"{day} {time}".strip() or name, *said)))


def _signs(opened: Opened) -> tuple[str, ...]:
    kind = SIGNS.get(opened.match.tags.get(EVENT_TAG, ""))
    signs = ("wrench" if opened.damage else "", "" if opened.match.outcome else "clock", kind or "")
    return tuple(sign for sign in signs if sign)


def _story(opened: Opened) -> list[Text]:
    match = opened.match
    minutes = played_minutes(match)
    said = [] if match.outcome else [msg("Not over")]
    if minutes:
        said.append(msg("{n} minute", "{n} minutes", n=minutes))
    said.append(msg("{n} move", "{n} moves", n=match.length))
    if opened.damage:
        said.append(msg("Damaged from there on"))
    return said


def _match_menu(listing: Overlay, match: Match, services: TableServices, resume: Act) -> Choice:
    def leading_to(looked_at: Callable[[Match, TableServices], Overlay]) -> Act:
        return lambda: listing.open(looked_at(match, services))

    items = [Item(msg("Replay"), leading_to(Replay), "arrow", msg("Move by move, as everybody could see it"))]
    if match.outcome:
        items.append(
            Item(msg("Result"), leading_to(_Result), "cup_trophy", msg("The winner, and how the score changed"))
        )
    photos = len(contested(match))
    if photos:
        detail = msg("{n} call was contested", "{n} calls were contested", n=photos)
        items.append(Item(msg("Photo finishes"), leading_to(_Photos), "camera", detail))
    if not history.is_over_or_for_show(match):
        items.append(Item(msg("Resume it"), resume, "cards", msg("It comes back paused, where it was")))
    items.append(Item(msg("Back"), None, "door"))
    return Choice(_won(match) if match.outcome else match.game.title, tuple(items))


def _won(match: Match) -> Text:
    assert match.outcome
    winners = [match.names[seat] for seat in match.outcome.winners]
    return msg("{winners} wins", "{winners} win", winners=", ".join(winners), n=len(winners))


# --- Result and photo finishes ----------------------------------------------------------------------------


class _Result(Overlay):
    def __init__(self, match: Match, services: TableServices) -> None:
        self._match, self._read = match, services.settings.read
        assert match.outcome
        result = match_screens.result(match, match.outcome, self._read)
        self._screen = result._replace(hint=self._read(msg("Press any button")))

    def screen(self) -> Screen:
        return self._screen

    def sides(self) -> tuple[Side, ...] | None:
        return _standing(self._match, self._match.length, self._read)

    def press(self, place: Place, control: str) -> bool:
        return False


class _Photos(Overlay):
    def __init__(self, match: Match, services: TableServices) -> None:
        self._match, self._read = match, services.settings.read
        self._all = list(contested(match).values())
        self._pager = Pager(len(self._all))

    def screen(self) -> Screen:
        judged = self._all[self._pager.page]
        match = self._match
        before = match.before(judged.number)
        hint = msg("{place} of {n}: # next, * back", place=self._pager.page + 1, n=self._pager.of)
        photo = photo_finish(match, judged, self._read)._replace(hint=self._read(hint))
        play = Play(match.game.scene, match.game.rules.view(before, None), Beat.FINISH, finish=photo)
        return match_screens.in_words(play, match, before, (), self._read)

    def sides(self) -> tuple[Side, ...] | None:
        return _standing(self._match, self._all[self._pager.page].number, self._read)

    def press(self, place: Place, control: str) -> bool:
        if control in BACK_CONTROLS:
            return False
        self._pager = self._pager.turned(control).round
        return True


def _standing(match: Match, number: int, read: Render) -> tuple[Side, ...]:
    view = match.game.rules.view(match.before(number + 1), None)
    teller = match.game.teller
    return tuple(Side(name, read(teller.stands(view, seat))) for seat, name in by_seat(match.names))
