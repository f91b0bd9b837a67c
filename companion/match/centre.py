"""The screens in the centre of the display outside a match: messages, menus, pages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.game import Sign
from companion.core.guide import Page
from companion.core.menu import Choice, Pager
from companion.core.place import Place
from companion.core.text import Render, Text, msg
from companion.display.frame import HelpPage, Menu, Poster, told
from companion.match.seating import Seating, players_text

if TYPE_CHECKING:
    from companion.club.topics import TableCall  # few tables are in a club


def attract(read: Render = str, games: Iterable[Sign] = (), called: "TableCall | None" = None) -> Poster:
    """Return the screen of an idle table: the emblems of `games`, or the players whom the club has `called`."""
    by_size = sorted(games, key=lambda game: -game.seats)
    if called:
        return Poster(
            read(msg("Please sit down")),
            (", ".join(called.players), read(round_of(called))),
            read(msg("Press a buzzer to sit down. 0: menu")),
            pictures=("buzzer", *(game.emblem for game in by_size if game.name == called.game)),
        )
    return Poster(
        read(msg("The table companion")),
        (read(msg("Who was first? No need to argue any more.")),),
        read(msg("Press a buzzer to sit down. 0: menu")),
        pictures=("buzzer", *(game.emblem for game in by_size)),
    )


def round_of(called: "TableCall") -> Text:
    return msg("{tournament}, round {n}", tournament=called.tournament, n=called.round)


def from_club(text: str, read: Render = str) -> Poster:
    return Poster(read(msg("The club says")), (text,), read(msg("Press any button")), pictures=("person",))


def good_to_know(notices: Sequence[Text], read: Render = str) -> Poster:
    hint = read(msg("Press any button"))
    return Poster(read(msg("Good to know")), tuple(map(read, notices)), hint, trouble=True, pictures=("wrench",))


def wrong(text: Text, hint: Text, read: Render = str) -> Poster:
    return Poster(read(msg("Something is wrong")), (read(text),), read(hint), trouble=True, pictures=("wrench",))


def switched_off(read: Render = str) -> Poster:
    wait = read(msg("Unplug it once the screen is dark"))
    return Poster(read(msg("The table is switching off")), (wait,), pictures=("clock",))


def menu(choice: Choice, read: Render = str) -> Menu:
    line, pager = choice.items[choice.selected], choice.pager
    detail, hint = line.why_not or line.detail, msg("Choose: number or #. Buzzer: next. *: back")
    if line.help:
        detail = detail and msg("{detail}. A: how to play", detail=detail)
        hint = msg("Choose: number or #. Buzzer: next. *: back. A: how to play")
    icons = tuple(item.icon for item in choice.items)
    return Menu(
        read(choice.title),
        tuple(read(item.label) for item in choice.lines),
        choice.line,
        told(detail, read),
        read(hint),
        tuple(item.icon for item in choice.lines) if all(icons) else (),
        read(msg("0: next page ({n} of {last}). *: back", n=pager.page + 1, last=pager.of)) if pager.of > 1 else "",
        tuple(told(item.note, read) for item in choice.lines) if any(item.note for item in choice.lines) else (),
        tuple(number for number, item in enumerate(choice.lines) if item.why_not),
    )


def help_page(page: Page, pager: Pager, hint: Text, read: Render = str) -> HelpPage:
    rows = tuple((row.sign, read(row.text)) for row in page.rows)
    return HelpPage(read(page.title), rows, page.picture, read(hint), pager.page + 1, pager.of)


def who_plays(
    seating: Seating, allowed: Sequence[int], read: Render = str, called: "TableCall | None" = None
) -> Poster:
    hint = msg("#: everybody is here") if len(seating.taken) in allowed else players_text(allowed)
    keys = read(msg("A: name. B: robot. C:\N{NO-BREAK SPACE}add a robot."))
    names = (", ".join(called.players),) if called else ()
    lines = (read(msg("Press your buzzer to sit down or stand up.")), keys, *names)
    return Poster(read(msg("Who plays?")), lines, read(or_back(hint)), pictures=("buzzer", "person", "robot"))


def or_back(begin: Text) -> Text:
    return msg("{begin}. *: back", begin=begin)


def troubles(found: Mapping[Place, Text], read: Render = str) -> Poster:
    # A screen joins its lines, so sentences need full stops between them.
    text = ". ".join(dict.fromkeys(read(text) for text in found.values()))
    return Poster(
        read(msg("The match waits")),
        (text,),
        read(msg("Play resumes when the device works")),
        trouble=True,
        pictures=("plug",),
    )
