"""What the house's own page says. It uses public information, and what a game shows to the house alone."""

from collections.abc import Iterator, Sequence

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.menu import PAGE_KEY
from companion.core.move import TABLE
from companion.core.place import HouseSheet
from companion.core.text import Render, Text, msg, with_names
from companion.display.frame import Beat, HouseCode, Menu, Poster, Screen, told
from companion.match.house_place import CONTROLS, entry_of, has_keys, in_words, place_of
from companion.match.moment import Moment

DIGITS = "0123456789"


def of_match(moment: Moment, controls: Sequence[str], read: Render) -> HouseSheet:
    """Return the sheet during a match. `controls` are those of the house that have an effect."""
    entry, place = None if moment.pauses else entry_of(moment), place_of(moment, read)
    return HouseSheet(
        due=place.task if entry else read(_instead(moment)),
        own=told(_own(moment), read),
        said=place.refused or " ".join(filter(None, (place.keyed, place.meaning))),
        points=" · ".join(_points(moment)),
        controls=tuple((control, read(text)) for control, text in in_words(controls, moment)),
        touches=tuple(_touches(place.codes)) if entry else (),
        keys=has_keys(entry) or bool(place.keyed) or _takes_digits(moment),
    )


def of_screen(screen: Screen, read: Render) -> HouseSheet:
    """Return the sheet while a menu or another page covers the match, or nobody plays."""
    words = {"ok": CONTROLS["ok"], "skip": msg("Next"), "pause": msg("Menu, back")}
    controls = tuple((control, read(text)) for control, text in words.items())
    due = getattr(screen, "title", "")
    if not isinstance(screen, Menu):
        said = " ".join(screen.lines) if isinstance(screen, Poster) else ""
        return HouseSheet(due, said=said, points=getattr(screen, "hint", ""), controls=controls, keys=True)
    lines = [(str(n), f"{n} {item}") for n, item in enumerate(screen.items, 1) if n - 1 not in screen.grey]
    if screen.pages:
        lines.append((PAGE_KEY, read(msg("Next page"))))
    return HouseSheet(due, said=screen.detail, controls=controls, touches=tuple(lines))


def _instead(moment: Moment) -> Text:
    """Return what is so while nothing is due from the house."""
    if moment.pauses:
        return msg("The match is paused")
    if moment.beat == Beat.DRUM:
        return msg("Everything is in!")
    match = moment.match
    return with_names(moment.console.prompt(match.game.rules.view(moment.state, None)), match.names)


def _own(moment: Moment) -> Text | None:
    """Return what the game shows to the house alone, but not before everybody sees what it may reveal."""
    if moment.beat == Beat.DRUM:
        return None
    view = moment.match.view(TABLE)
    own = getattr(view, "you", None) == TABLE
    return moment.console.private(view, moment.entries.get(TABLE, "")) if own else None


def _points(moment: Moment) -> Iterator[str]:
    game, held = moment.match.game, moment.before if moment.beat != Beat.CALM else None
    view = game.rules.view(moment.state if held is None else held, None)
    scores = zip(moment.match.names, game.teller.score(view), strict=True)
    yield from (f"{name}\N{NO-BREAK SPACE}{score}" for name, score in scores if score is not None)


def _takes_digits(moment: Moment) -> bool:
    """Return True if the house may key something that is not asked for, such as points."""
    if moment.pauses or moment.over or moment.deals_first or moment.beat != Beat.CALM:
        return False
    match, entries = moment.match, {TABLE: moment.entries.get(TABLE, "")}
    keyed = [moment.console.key(match.view(), TABLE, digit, entries) for digit in DIGITS]
    return any(one.accepted and not (moment.dealt and one.move and match.is_draw(one.move)) for one in keyed)


def _touches(codes: Sequence[HouseCode]) -> Iterator[tuple[str, str]]:
    """Yield the codes that are keys; ranges are for the keypad."""
    for keys, text, *_ in codes:
        if keys not in HOUSE_CONTROLS and all(key in KEYS for key in keys):
            yield keys, f"{keys} {text}".strip()
