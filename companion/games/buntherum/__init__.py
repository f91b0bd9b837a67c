"""Buntherum, for 2 to 5 players: a card is turned, the first to call its row gets rid of one of his own."""

from pathlib import Path

from companion.core.game import Game
from companion.games.buntherum import console, guide, rules, text
from companion.games.buntherum.bots import BOTS
from companion.games.buntherum.box import read_box
from companion.games.buntherum.form import form
from companion.games.buntherum.lesson import LESSON

GAME = Game(
    name="buntherum",
    title="Buntherum",
    rules=rules,
    notation=rules.VERBS,
    rulings=rules.Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=read_box,
    form=form,
    console=console,
    teller=text,
    bots=BOTS,
    guide=guide,
    lesson=LESSON,
    scene=f"{__name__}.scene",
    emblem="icecream",
)
