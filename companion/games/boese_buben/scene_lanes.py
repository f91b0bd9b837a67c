"""Böse Buben's lanes: who runs where, who lies in the mud, and what each lane paid."""

from math import ceil
from typing import Final

import pygame
from pygame import Rect

from companion.core.move import by_seat
from companion.display import theme, widgets
from companion.display.canvas import Canvas, square_at
from companion.display.theme import Style
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import NO_CARD, NOBODY, Card, owner
from companion.games.boese_buben.scene_cards import CardLook, card, cross_out, face_of, goblin, ink_of
from companion.games.boese_buben.scene_field import EARTH, GRASS, SHED, Field, ground, like_a_card, on_the_ground

NEW_WINNER, OLD_WINNER = 0.95, 0.6
"""How large a lane's winner is shown, and that of the race before while the next one is on: shares of the room."""

LEAST_CELLS: Final = 4
"""Few cards in hand are not shown larger than so many."""

BESIDE: Final = 1.35
"""So much smaller the cards of a hand may be beside their goblin than below it."""

_RACING: Final = {Phase.SETUP, Phase.TURN, Phase.ACTION, Phase.MC}


def just_scored(view: View) -> bool:
    """Tell whether the results are those of the tracks as they lie there: nothing has been placed since."""
    return bool(view.results) and (view.phase not in _RACING or (view.phase == Phase.TURN and view.last == NO_CARD))


def lanes(canvas: Canvas, field: Field, view: View) -> None:
    """Draw the ground, and all that lies on it."""
    over = view.phase == Phase.OVER
    drawn = ground(field._replace(left=0, top=0), muddy=not over, strong=canvas.look.high_contrast)
    canvas.surface.blit(drawn, field.rect)
    if view.rulings.variant == "action":
        _place_numbers(canvas, field, view)
    for lane in range(1, field.lanes + 1):
        if not over:
            _number(canvas, field.label(lane), lane)
            _fallen(canvas, field, view, lane)
        _track(canvas, field, view, lane)
        _finish(canvas, field.end(lane), view, lane)
    if over:
        _hands(canvas, field, view)


def _place_numbers(canvas: Canvas, field: Field, view: View) -> None:
    """Number the places of the tracks that keys name with actions, and those of the mud where one can."""
    style = Style(round(field.head * 0.72), theme.TEXT, bold=True)
    for place in range(1, view.box.track_limit + 1):
        canvas.text(str(place), field.place_number(place), style, on=GRASS)
    if view.rulings.austausch_mud and field.rows == 1:
        for place in range(1, view.box.penalty_limit + 1):
            canvas.text(str(place), field.fallen_number(place), style, on=GRASS)


def _number(canvas: Canvas, room: Rect, lane: int) -> None:
    """Draw a lane's number as a racing number."""
    size = min(room.size) * 9 // 10
    pygame.draw.circle(canvas.surface, canvas.tone(theme.LINE), room.center, size / 2 + 1)
    pygame.draw.circle(canvas.surface, canvas.tone(theme.PAPER), room.center, size / 2)
    style = Style(round(size * 0.68), theme.LINE, bold=True)
    widgets.number(canvas, room, lane, style, on=theme.PAPER)


def _fallen(canvas: Canvas, field: Field, view: View, lane: int) -> None:
    """Draw the cards in the mud; in its last place lies the top hat for whoever fills it."""
    for place, fallen in enumerate(view.zones[lane - 1], 1):
        look = CardLook.LIT if view.asked == (lane, place) else CardLook.MUDDY
        spot = on_the_ground(field.fallen_spot(lane, place))
        card(canvas, spot, view, fallen, look)
        if field.rows > 1 and view.phase == Phase.ACTION and view.rulings.austausch_mud:
            _fallen_number(canvas, spot, place)
    last = view.box.penalty_limit
    if len(view.zones[lane - 1]) < last and view.phase in _RACING:
        room = on_the_ground(field.fallen_spot(lane, last))
        canvas.picture("hat", room.inflate(-room.width // 4, -room.height // 4), theme.FAINT, on=EARTH)


def _fallen_number(canvas: Canvas, spot: Rect, place: int) -> None:
    """Number a place of the mud on its card, where the mud has more than one row."""
    size = max(12, min(spot.size) * 2 // 5)
    room = Rect(spot.right - size, spot.bottom - size, size, size)
    canvas.panel(room, theme.PANEL, size // 4)
    widgets.number(canvas, room, place, Style(round(size * 0.72), theme.TEXT, bold=True), on=theme.PANEL)


def _track(canvas: Canvas, field: Field, view: View, lane: int) -> None:
    for place, placed in enumerate(view.tracks[lane - 1], 1):
        spot = on_the_ground(field.track_spot(lane, place))
        card(canvas, spot, view, placed, _look(view, lane, placed), on_track=True)


def _look(view: View, lane: int, placed: Card) -> CardLook:
    """The card placed last is lit; at the end of a race those that have won their lane, and the others pale."""
    if just_scored(view):
        return CardLook.LIT if view.results[lane - 1].winner == owner(placed) else CardLook.BEATEN
    return CardLook.LIT if placed == view.last and view.phase in _RACING else CardLook.PLAIN


# --- Results ----------------------------------------------------------------------------------------------


def _finish(canvas: Canvas, room: Rect, view: View, lane: int) -> None:
    """Draw who won a lane and what it pays; while the next race is on, the old winner is small."""
    pad = max(6, min(room.size) // 7)
    room = room.inflate(-pad, -pad)
    who, prize = _beside(room)
    winner, why = view.results[lane - 1] if view.results else (NOBODY, "")
    new = just_scored(view)
    if winner == NOBODY:
        if new:
            _nothing_paid(canvas, who, prize, view, lane)
        else:
            _prize(canvas, room, view, "")
        return
    if new:
        rim = room.inflate(pad // 2, pad // 2)
        pygame.draw.rect(canvas.surface, canvas.tone(theme.LIT), rim, max(2, pad // 4), border_radius=pad)
    size = round(min(who.size) * (NEW_WINNER if new else OLD_WINNER))
    goblin(canvas, who.inflate(size - who.width, size - who.height), winner)
    _prize(canvas, prize, view, why if new else "")


def _beside(room: Rect) -> tuple[Rect, Rect]:
    """Return the places of the winner and of the prize."""
    if room.width > room.height:
        size = min(room.height, room.width * 11 // 20)
        return (
            Rect(room.left, room.top, size, room.height),
            Rect(room.left + size + 2, room.top, room.width - size - 2, room.height),
        )
    size = room.height * 11 // 20
    return Rect(room.topleft, (room.width, size)), Rect(room.left, room.top + size, room.width, room.height - size)


def _prize(canvas: Canvas, room: Rect, view: View, why: str) -> None:
    """Draw the ducats of a lane; when equal sums were decided by the number of cards, that too."""
    if why == "cards":
        foot = room.height // 3
        below = Rect(room.left, room.bottom - foot, room.width, foot)
        room = Rect(room.topleft, (room.width, room.height - foot))
        signs = halves(below)
        canvas.picture("equal", signs[0].inflate(-2, -2), theme.TEXT, on=SHED)
        canvas.picture("cards", signs[1].inflate(-2, -2), theme.TEXT, on=SHED)
    digits, coin = halves(room) if why == "cards" else _number_and_coin(room)
    style = Style(round(min(digits.height * 0.76, digits.width * 1.2)), theme.LIT, bold=True)
    widgets.number(canvas, digits, view.box.lane_prize, style, on=SHED)
    canvas.picture("ducat", coin, theme.LIT, on=SHED)


def _number_and_coin(room: Rect) -> tuple[Rect, Rect]:
    """Return the places of a number and of a ducat: the number above, or both close together."""
    if room.height > room.width:
        top = round(room.height * 0.54)
        return Rect(room.topleft, (room.width, top)), Rect(room.left, room.top + top, room.width, room.height - top)
    high = room.height * 7 // 10
    return halves(room.inflate(min(0, 2 * high - room.width), high - room.height))


def _nothing_paid(canvas: Canvas, who: Rect, prize: Rect, view: View, lane: int) -> None:
    """Draw that a lane pays nothing: the cards of one colour alone, or no goblin at all."""
    canvas.picture("ducat", prize, theme.LIT, on=SHED)
    size = min(prize.size) * 3 // 5
    cross_out(canvas, square_at(prize.center, size))
    if view.results[lane - 1].why == "colour":
        canvas.picture("cards", who, ink_of(owner(view.tracks[lane - 1][0])), on=SHED)


def halves(room: Rect, *, upright: bool = False) -> tuple[Rect, Rect]:
    """Return the halves of a room: left and right, or upper and lower."""
    if upright:
        half = room.height // 2
        return Rect(room.topleft, (room.width, half)), Rect(room.left, room.top + half, room.width, half)
    half = room.width // 2
    return Rect(room.topleft, (half, room.height)), Rect(room.left + half, room.top, half, room.height)


# --- The end of the match ---------------------------------------------------------------------------------


def _hands(canvas: Canvas, field: Field, view: View) -> None:
    """Draw where the mud was what everybody has left in hand: it may have decided (BB-R27)."""
    area = field.part(0, field.head, field.start, field.thick * field.lanes).inflate(-8, -8)
    high = area.height // len(view.hands)
    most = max(LEAST_CELLS, *map(len, view.hands))
    for seat, hand in by_seat(view.hands):
        room = Rect(area.left, area.top + seat * high, area.width, high).inflate(-4, -4)
        canvas.panel(room, SHED, high // 8)
        who, rest = _name_plate(room.inflate(-8, -8), most, canvas.cap_px)
        goblin(canvas, who, seat)
        if hand:
            places = cells(rest, most)[: len(hand)]
            down = rest.centery - places[0].unionall(places).centery
            for cell, held in zip(places, hand, strict=True):
                _small_card(canvas, like_a_card(cell.move(0, down)), view, held)


def _name_plate(room: Rect, most: int, cap_px: int) -> tuple[Rect, Rect]:
    """Return the places of a goblin and of its cards: beside or below it, whichever makes the cards larger."""
    side = min(room.height, max(room.width // 4, cap_px))
    top = room.height * 2 // 5
    beside = (
        Rect(room.left, room.top, side, room.height),
        Rect(room.left + side + 4, room.top, room.width - side - 4, room.height),
    )
    below = (
        Rect(room.left, room.top, room.width, top - 2),
        Rect(room.left, room.top + top, room.width, room.height - top),
    )
    sizes = [min(cells(rest, most)[0].size) for _, rest in (beside, below)]
    return beside if sizes[0] * BESIDE >= sizes[1] else below


def _small_card(canvas: Canvas, rect: Rect, view: View, held: Card) -> None:
    """Draw a card that is too small for anything but its colour and value."""
    ink = ink_of(owner(held))
    radius = max(3, min(rect.size) // 6)
    canvas.panel(rect, ink, radius)
    canvas.panel(rect.inflate(-4, -4), theme.PAPER, radius - 1)
    cap = round(min(rect.width * 0.8, rect.height * 0.7))
    widgets.number(canvas, rect, face_of(view, held).value, Style(cap, theme.LINE, bold=True), on=theme.PAPER)


def cells(room: Rect, count: int) -> list[Rect]:
    """Return `count` cells from the top left of a room, as square as they can be."""
    grids = [(columns, ceil(count / columns)) for columns in range(1, count + 1)]
    columns, rows = max(grids, key=lambda grid: min(room.width // grid[0], room.height // grid[1]))
    wide, high = room.width // columns, room.height // rows
    return [
        Rect(room.left + place % columns * wide, room.top + place // columns * high, wide, high).inflate(-2, -2)
        for place in range(count)
    ]
