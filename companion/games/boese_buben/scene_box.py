"""Draws the card in question while a box is edited."""

from pygame import Rect

from companion.core.move import Seat
from companion.display import cut
from companion.display.canvas import Canvas
from companion.games.boese_buben.box import CardAsked
from companion.games.boese_buben.rules.cards import Action
from companion.games.boese_buben.scene_cards import RIDER, SIGNS, CardLook, Face, card_picture

CARD = 0.72
"""Width of a card, as a share of its height."""


def draw(canvas: Canvas, rect: Rect, drawn: CardAsked, spot: tuple[int, int] | None) -> None:
    face = Face(Seat(0), drawn.value, drawn.goblins, SIGNS.get(drawn.action, RIDER), drawn.action != Action.NONE)
    high = min(rect.height, round(rect.width / CARD))
    place = cut.sized(round(high * CARD), high, center=rect.center)
    picture = card_picture(place.size, face, CardLook.PLAIN, compact=False, strong=canvas.look.high_contrast)
    canvas.stamp(picture, place)
