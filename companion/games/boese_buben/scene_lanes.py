"""Draws Böse Buben's lanes: cards, mud, and the pay of each lane."""

from collections.abc import Sequence
from typing import Final

from pygame import Rect

from companion.core.move import by_seat
from companion.display import cut, theme, widgets
from companion.display.canvas import Canvas
from companion.display.theme import Style
from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import NO_CARD, NOBODY, Card, owner
from companion.games.boese_buben.scene_cards import CardLook, card, cross_out, face_of, goblin, ink_of
from companion.games.boese_buben.scene_field import EARTH, GRASS, SHED, Field, ground, like_a_card, on_the_ground

NEW_WINNER, OLD_WINNER = 0.95, 0.6
"""Size of a lane's winner, new and of the previous race, as a share of the room."""

LEAST_CELLS: Final = 4
"""Minimum number of cells for a hand."""

BESIDE: Final = 1.35
"""Factor by which cards must be larger below their goblin to be drawn there."""

_RACING: Final = {Phase.SETUP, Phase.TURN, Phase.ACTION, Phase.MC}


def just_scored(view: View) -> bool:
    """Return True if the results are those of the current tracks."""
    return bool(view.results) and (view.phase not in _RACING or (view.phase == Phase.TURN and view.last == NO_CARD))


def lanes(canvas: Canvas, field: Field, view: View) -> None:
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
    """Number the places that keys can name: on tracks, and in the mud if its cards may be swapped."""
    style = Style(round(field.head * 0.72), theme.TEXT, bold=True)
    for place in range(1, view.box.track_limit + 1):
        canvas.text(str(place), field.place_number(place), style, on=GRASS)
    if view.rulings.austausch_mud and field.rows == 1:
        for place in range(1, view.box.penalty_limit + 1):
            canvas.text(str(place), field.fallen_number(place), style, on=GRASS)


def _number(canvas: Canvas, room: Rect, lane: int) -> None:
    size = min(room.size) * 9 // 10
    canvas.disc(room.center, size / 2 + 1, theme.LINE)
    canvas.disc(room.center, size / 2, theme.PAPER)
    style = Style(round(size * 0.68), theme.LINE, bold=True)
    widgets.number(canvas, room, lane, style, on=theme.PAPER)


def _fallen(canvas: Canvas, field: Field, view: View, lane: int) -> None:
    """Draw the cards in the mud. A hat marks the place that ends the race."""
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
    size = max(12, min(spot.size) * 2 // 5)
    room = cut.sized(size, size, bottomright=spot.bottomright)
    style = Style(round(size * 0.72), theme.TEXT, bold=True)
    widgets.plate(canvas, room, place, style, on=theme.PANEL, radius_px=size // 4)


def _track(canvas: Canvas, field: Field, view: View, lane: int) -> None:
    """Draw a lane's cards. The latest is lit; after scoring, the winner's are lit and the others shaded."""
    for place, placed in enumerate(view.tracks[lane - 1], 1):
        look = CardLook.LIT if placed == view.last and view.phase in _RACING else CardLook.PLAIN
        if just_scored(view):
            look = CardLook.LIT if view.results[lane - 1].winner == owner(placed) else CardLook.BEATEN
        card(canvas, on_the_ground(field.track_spot(lane, place)), view, placed, look, on_track=True)


# --- Results ----------------------------------------------------------------------------------------------


def _finish(canvas: Canvas, room: Rect, view: View, lane: int) -> None:
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
        canvas.box(rim, theme.LIT, pad, max(2, pad // 4))
    size = round(min(who.size) * (NEW_WINNER if new else OLD_WINNER))
    goblin(canvas, who.inflate(size - who.width, size - who.height), winner)
    _prize(canvas, prize, view, why if new else "")


def _beside(room: Rect) -> tuple[Rect, Rect]:
    if room.width > room.height:
        return cut.left(room, min(room.height, room.width * 11 // 20), 2)
    return cut.top(room, room.height * 11 // 20)


def _prize(canvas: Canvas, room: Rect, view: View, why: str) -> None:
    if why == "cards":
        below, room = cut.bottom(room, room.height // 3)
        for name, sign in zip(("equal", "cards"), cut.equal(below, 2), strict=True):
            canvas.picture(name, sign.inflate(-2, -2), theme.TEXT, on=SHED)
    digits, coin = cut.equal(room, 2) if why == "cards" else _number_and_coin(room)
    style = Style(round(min(digits.height * 0.76, digits.width * 1.2)), theme.LIT, bold=True)
    widgets.number(canvas, digits, view.box.lane_prize, style, on=SHED)
    canvas.picture("ducat", coin, theme.LIT, on=SHED)


def _number_and_coin(room: Rect) -> Sequence[Rect]:
    if room.height > room.width:
        return cut.split(room, 0.54, upright=True)
    high = room.height * 7 // 10
    return cut.equal(room.inflate(min(0, 2 * high - room.width), high - room.height), 2)


def _nothing_paid(canvas: Canvas, who: Rect, prize: Rect, view: View, lane: int) -> None:
    canvas.picture("ducat", prize, theme.LIT, on=SHED)
    cross_out(canvas, cut.square_at(prize.center, min(prize.size) * 3 // 5))
    if view.results[lane - 1].why == "colour":
        canvas.picture("cards", who, ink_of(owner(view.tracks[lane - 1][0])), on=SHED)


# --- The end of the match ---------------------------------------------------------------------------------


def _hands(canvas: Canvas, field: Field, view: View) -> None:
    """Draw the remaining hands in place of the mud: they may decide the match (BB-R27)."""
    area = field.part(0, field.head, field.start, field.thick * field.lanes).inflate(-8, -8)
    most = max(LEAST_CELLS, *map(len, view.hands))
    rooms = cut.equal(area, len(view.hands), upright=True)
    for seat, (hand, part) in by_seat(zip(view.hands, rooms, strict=True)):
        room = part.inflate(-4, -4)
        canvas.panel(room, SHED, part.height // 8)
        who, rest = _name_plate(room.inflate(-8, -8), most, canvas.cap_px)
        goblin(canvas, who, seat)
        if hand:
            places = cells(rest, most)[: len(hand)]
            down = rest.centery - places[0].unionall(places).centery
            for cell, held in zip(places, hand, strict=True):
                _small_card(canvas, like_a_card(cell.move(0, down)), view, held)


def _name_plate(room: Rect, most: int, cap_px: int) -> tuple[Rect, Rect]:
    beside = cut.left(room, min(room.height, max(room.width // 4, cap_px)), 4)
    below = cut.top(room, room.height * 2 // 5 - 2, 2)
    sizes = [min(cells(rest, most)[0].size) for _, rest in (beside, below)]
    return beside if sizes[0] * BESIDE >= sizes[1] else below


def _small_card(canvas: Canvas, rect: Rect, view: View, held: Card) -> None:
    ink = ink_of(owner(held))
    radius = max(3, min(rect.size) // 6)
    canvas.panel(rect, ink, radius)
    canvas.panel(rect.inflate(-4, -4), theme.PAPER, radius - 1)
    cap = round(min(rect.width * 0.8, rect.height * 0.7))
    widgets.number(canvas, rect, face_of(view, held).value, Style(cap, theme.LINE, bold=True), on=theme.PAPER)


def cells(room: Rect, count: int) -> list[Rect]:
    """Return the largest `count` cells that fit into a room."""
    return [cell.inflate(-2, -2) for cell in cut.largest_cells(room, count)]
