"""The scene of any other game: signs, marks and numbers for each kind of round, without words of its own."""

from collections.abc import Iterator, Sequence
from typing import Final

from pygame import Rect, Surface

from companion.core.move import Seat
from companion.display import cut, motion, theme, widgets
from companion.display.canvas import LEFT, Canvas, lines_height, transparent
from companion.display.frame import Beat, Look, Play
from companion.display.layout import TOP, Layout
from companion.display.motion import Flight
from companion.display.theme import Colour, Style
from companion.games.any import scene_clock
from companion.games.any.rules import NOBODY, UNKNOWN, Kind, Phase, View
from companion.games.any.scene_pieces import (
    badge,
    board,
    closed_padlock,
    lot,
    lots_in,
    padlock,
    padlocks_in,
    rated,
    row,
)

SIGNS: Final = {Kind.FIRST: "buzzer", Kind.SEALED: "padlock_closed", Kind.LOTS: "die_5", Kind.POINTS: "star"}

BIDS: Final = {"closest": "≈", "exact": "="}
"""Which number wins, beside arrows for the highest and the lowest."""

LEAST_TWICE: Final = 0.5
"""The least height of a question that is shown twice, for both long sides of the table, as a share of a name."""

SHAKE: Final = 0.04
"""How far a padlock trembles before the reveal, as a share of its size."""

LINE: Final = 0.95
"""The height of a line of the foot, in heights of capitals."""

NARROW_CAPS: Final = 2.6
"""Below this width of a shown number, in heights of capitals, its mark is below it."""

Page = tuple[Rect, Rect, Rect, Rect]
"""The head, the title, the body and the foot, upright."""

running: Final = scene_clock.running


def centre(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    view = play.view
    if _is_revealed(play):
        canvas.turned(plan.centre, plan.turn, lambda inner: _reveal(inner, plan, play))
    elif view.round.kind == Kind.CLOCK and view.phase != Phase.OVER:
        scene_clock.draw(canvas, plan, view)
    else:
        canvas.turned(plan.centre, plan.turn, lambda inner: _page(inner, plan, play))


def strip(canvas: Canvas, rect: Rect, play: Play[View], seat: Seat, ink: Colour) -> Rect:
    """Draw a seat's points, mark and state in the round; return the rest of its strip."""
    view, height = play.view, rect.height
    gap, size = height // 10, round(height * 0.66)
    style = Style(round(height * 0.72), ink, bold=True)
    wide = max(theme.text_width(text, style) for text in ("00", str(view.points[seat])))
    room, rect = cut.right(rect, min(wide, round(height * 1.5)), gap)
    widgets.number(canvas, room, view.points[seat], style)
    room, rect = cut.right(rect, size, gap)
    badge(canvas, room, view, seat)
    sign = _sign(play, seat)
    if sign:
        room, rect = cut.right(rect, size, gap)
        canvas.picture(sign, room, ink)
    return rect


def _sign(play: Play[View], seat: Seat) -> str:
    view = play.view
    if view.outcome:
        return "cup_trophy" if seat in view.outcome.ranking[0] else ""
    if view.phase == Phase.SEALED and play.beat != Beat.REVEALED:
        return padlock(view, seat, play.beat)
    if seat == view.asker:
        return "question"
    if seat in view.locked:
        return "flag" if view.phase == Phase.CLOCK else "cross"
    return "equal" if seat in view.tied else ""


# --- The page -----------------------------------------------------------------------------------------------


def _page_of(room: Rect, view: View, cap_px: int) -> Page:
    gap = cap_px // 5
    room = room.inflate(-gap, -gap)
    head, body = cut.top(room, round(cap_px * 0.85), gap)
    title, foot = Rect(body.topleft, (0, 0)), Rect(body.bottomleft, (0, 0))
    if view.round.text and view.round.kind in {Kind.LOTS, Kind.POINTS} and view.phase != Phase.OVER:
        high = lines_height(view.round.text, body.width, Style(round(cap_px * 0.65)))
        title, body = cut.top(body, min(high, body.height // 3), gap)
    solved = bool(_solution(view))
    if not (view.shown or solved):
        return head, title, body, foot
    quiet = view.phase in {Phase.READY, Phase.OVER} and not view.round.text
    narrow = body.width < NARROW_CAPS * cap_px * len(view.shown)
    lines_px = round(LINE * cap_px * (bool(view.shown) + narrow + solved))
    foot, body = cut.bottom(body, max(lines_px, round(body.height * 0.45) if quiet else 0), gap)
    return head, title, body, foot


def _page(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    view, cap_px = play.view, plan.cap_px
    head, title, body, foot = _page_of(canvas.rect, view, cap_px)
    _head(canvas, head, view)
    if title.height:
        canvas.lines(view.round.text, title, Style(round(cap_px * 0.65)))
    if foot.height and view.phase in {Phase.READY, Phase.SEALED, Phase.POINTS, Phase.OVER}:
        _last(canvas, foot, view)
    elif foot.height:
        body = body.union(foot)
    if view.phase == Phase.NUMBER:
        board(canvas, body, view, view.round.wins == "lowest")
    elif view.phase in {Phase.OVER, Phase.POINTS}:
        rated(canvas, body, view, view.round.target)
    elif view.round.kind == Kind.LOTS:
        for place, cell in enumerate(lots_in(body, view)):
            lot(canvas, cell, view, place)
    else:
        _field(canvas, body, plan, play)


def _head(canvas: Canvas, head: Rect, view: View, number: int = UNKNOWN) -> None:
    style, sign_px = Style(round(head.height * 0.72), theme.FAINT, bold=True), head.height
    if view.phase == Phase.OVER:
        canvas.picture("cup_trophy", head, theme.LIT)
        return
    sign, left = cut.left(head, sign_px, sign_px // 3)
    canvas.picture(SIGNS[view.round.kind], sign, theme.FAINT)
    points = view.round.points if view.round.kind in {Kind.FIRST, Kind.SEALED} else 0
    for name, value in (("star", points), ("flag", view.round.target)):
        if value:
            digits, left = cut.right(left, theme.text_width(str(value), style) + 4)
            canvas.text(str(value), digits, style)
            picture, left = cut.right(left, sign_px, sign_px // 3)
            canvas.picture(name, picture, theme.FAINT)
    wins = view.round.wins if view.round.kind == Kind.SEALED else ""
    if wins in BIDS:
        said = f"{BIDS[wins]} {'?' if number == UNKNOWN else number}"
        place, left = cut.right(left, theme.text_width(said, style) + 4, sign_px)
        canvas.text(said, place, style._replace(colour=theme.FAINT if number == UNKNOWN else theme.LIT))
    elif wins in {"highest", "lowest"}:
        place, left = cut.right(left, sign_px, sign_px // 2)
        canvas.picture("arrow", place, theme.FAINT, turn=1 if wins == "highest" else 3)
    canvas.text(f"{view.number + 1}/{view.rounds}", left, style, align=LEFT)


def _last(canvas: Canvas, foot: Rect, view: View) -> None:
    """Draw the numbers and the answer of the round before."""
    cap_px, solution = canvas.cap_px, _solution(view)
    if solution:
        line, foot = cut.top(foot, round(LINE * cap_px) if view.shown else foot.height)
        sign, room = cut.left(line.inflate(-line.height // 4, 0), min(line.height, cap_px), cap_px // 4)
        canvas.picture("bulb", sign, theme.LIT)
        style = Style(min(round(cap_px * 0.8), round(line.height * 0.6)), theme.TEXT)
        canvas.lines(solution, room, style, align=LEFT)
    if view.shown:
        # Only the round before knew which number wins; with a right one the highest is first.
        lowest = view.right == UNKNOWN and bool(view.won) and view.shown[view.won[0]] == min(view.shown)
        board(canvas, foot, view, lowest)


def _solution(view: View) -> str:
    """Return the answer or the right number of the round before."""
    return view.last_answer or ("" if view.right == UNKNOWN else str(view.right))


def _is_revealed(play: Play[View]) -> bool:
    return play.beat == Beat.REVEALED and play.before is not None and play.before.phase == Phase.SEALED


def _reveal(canvas: Canvas, plan: Layout, play: Play[View]) -> None:
    """Draw all numbers at once. The round before knows which number wins."""
    assert play.before is not None
    before = play.before
    head, body = cut.top(canvas.rect.inflate(-plan.cap_px // 5, -plan.cap_px // 5), round(plan.cap_px * 0.85))
    _head(canvas, head, before, play.view.right)
    board(canvas, body, play.view, before.round.wins == "lowest", before.round.words)


# --- First! and Sealed --------------------------------------------------------------------------------------


def _field(canvas: Canvas, body: Rect, plan: Layout, play: Play[View]) -> None:
    """Draw a field that is filled while buzzers are open, with the question if all may read it."""
    view, cap_px = play.view, plan.cap_px
    ground, ink = (theme.GOOD, theme.LINE) if view.phase == Phase.OPEN else (theme.PANEL, theme.TEXT)
    canvas.panel(body, ground, cap_px // 3)
    canvas.stands_on(ground)
    body = body.inflate(-cap_px // 2, -cap_px // 4)
    if view.round.kind == Kind.SEALED:
        body = _above_padlocks(canvas, body, play, cap_px)
    else:
        body = _above_states(canvas, body, view, cap_px)
    if view.round.words and body.height:
        text, body = cut.split(body, 0.5, cap_px // 6, upright=True) if view.round.text else (None, body)
        for number, (cell, word) in enumerate(_word_cells(body, view.round.words), 1):
            _word(canvas, cell.inflate(-cap_px // 6, -2), number, word, ink)
        body = text or Rect(body.topleft, (0, 0))
    if view.round.kind == Kind.FIRST:
        body = _race(canvas, body, view, ink)
    if view.round.text:
        twice = not view.round.words and any((strip.turn - plan.turn) % 4 == TOP for strip in plan.strips)
        _question(canvas, body, view.round.text, Style(round(cap_px * 0.9), ink, bold=True), twice=twice)


def _above_padlocks(canvas: Canvas, body: Rect, play: Play[View], cap_px: int) -> Rect:
    cells = padlocks_in(body, play.view, cap_px)
    for seat, cell in enumerate(cells):
        mark, sign = cut.equal(cell, 2)
        badge(canvas, mark, play.view, Seat(seat))
        canvas.picture(padlock(play.view, Seat(seat), play.beat), sign, theme.LIT)
    return cut.above(body, cells[0], cap_px // 6) if cells[0].top > body.top else Rect(body.topleft, (0, 0))


def _above_states(canvas: Canvas, body: Rect, view: View, cap_px: int) -> Rect:
    """Draw who asks, is locked out or plays a tie off; return the room above."""
    signs = [(view.asker, "question")] if view.asker != NOBODY else []
    signs += [(seat, "cross") for seat in view.locked]
    signs += [(seat, "equal") for seat in view.tied if seat not in view.locked]
    if not signs:
        return body
    line, body = cut.bottom(body, round(cap_px * 0.8), cap_px // 6)
    ink = theme.LINE if view.phase == Phase.OPEN else theme.TEXT
    for (seat, sign), cell in zip(signs, row(line, len(signs), line.height * 5 // 2), strict=True):
        mark, place = cut.equal(cell, 2)
        badge(canvas, mark, view, seat)
        canvas.picture(sign, place, theme.LINE if sign == "cross" and view.phase == Phase.OPEN else ink)
    return body


def _race(canvas: Canvas, body: Rect, view: View, ink: Colour) -> Rect:
    """Draw the buzzer, or the mark of the seat that has the word; return the room for the question."""
    room, rest = body, Rect(body.topleft, (0, 0))
    if view.round.text:
        room, rest = cut.picture(body, body.width // 5, body.height // 4, canvas.cap_px // 3)
    if view.phase == Phase.ANSWER:
        mark, bubble = cut.equal(room, 2, upright=room.height > room.width)
        badge(canvas, mark.inflate(-8, -8), view, view.caller)
        canvas.picture("bubble", bubble.inflate(-8, -8), ink)
    else:
        canvas.picture("buzzer", room.inflate(-8, -8), theme.CHIP if view.phase == Phase.OPEN else theme.FAINT)
    return rest


def _question(canvas: Canvas, room: Rect, text: str, style: Style, *, twice: bool) -> None:
    above, below = cut.shares(room, (1, 1), style.cap_px * 2 // 3, upright=True)
    least = style._replace(cap_px=round(style.cap_px * LEAST_TWICE))
    if not twice or lines_height(text, room.width, least) > below.height:
        canvas.lines(text, room, style)
        return
    canvas.turned(above, TOP, lambda inner: inner.lines(text, inner.rect, style))
    canvas.lines(text, below, style)


def _word_cells(room: Rect, words: Sequence[str]) -> Iterator[tuple[Rect, str]]:
    cells = cut.largest_cells(room, len(words), lambda cell: min(cell.width / 6, cell.height))
    return zip(cells, words, strict=True)


def _word(canvas: Canvas, room: Rect, number: int, word: str, ink: Colour) -> None:
    cap_px = min(canvas.cap_px, round(room.height * 0.6))
    key, rest = cut.left(room, round(cap_px * 1.4), cap_px // 3)
    place = cut.square_at(key.center, min(key.size))
    canvas.panel(place, theme.PAPER, place.width // 5)
    canvas.text(str(number), place, Style(cap_px, theme.LINE, bold=True), on=theme.PAPER)
    canvas.lines(word, rest, Style(cap_px, ink), align=LEFT)


# --- Flights ------------------------------------------------------------------------------------------------


def flights(plan: Layout, before: Play[View], after: Play[View], look: Look) -> Sequence[Flight]:
    """Return falling dice and lots, padlocks that close, and all of them trembling before a reveal."""
    found = _moving(plan, before.view, after, look) if before.view.number == after.view.number else ()
    return motion.shown(found, plan.turn)


def _moving(plan: Layout, old: View, after: Play[View], look: Look) -> Iterator[Flight]:
    new = after.view
    _, _, body, foot = _page_of(plan.upright, new, plan.cap_px)
    if new.phase == Phase.SEALED == old.phase:
        cells = padlocks_in(body.inflate(-plan.cap_px // 2, -plan.cap_px // 4), new, plan.cap_px)
        for seat, cell in enumerate(cells):
            place = cut.equal(cell, 2)[1]
            if after.beat == Beat.DRUM:
                shake_px = max(1, round(min(place.size) * SHAKE))
                picture = closed_padlock(place.inflate(2 * shake_px, 2 * shake_px), shake_px, look)
                yield Flight(picture, plan.spot(place), plan.spot(place), shake_px=shake_px)
            elif new.keyed[seat] and not old.keyed[seat]:
                yield _falling(plan, closed_padlock(place, 0, look), place, place.move(0, -place.height // 2))
    elif len(new.drawn) == len(old.drawn) + 1 and new.round.kind == Kind.LOTS:
        at = len(old.drawn)
        cell = lots_in(body.union(foot) if foot.height and new.phase == Phase.LOTS else body, new)[at]
        canvas = transparent(cell.size, look, cap_px=plan.cap_px)
        lot(canvas, canvas.rect, new, at)
        yield _falling(plan, canvas.surface, cell, cut.sized(*cell.size, midtop=plan.upright.midtop))


def _falling(plan: Layout, picture: Surface, place: Rect, start: Rect) -> Flight:
    return Flight(picture, plan.spot(start), plan.spot(place))
