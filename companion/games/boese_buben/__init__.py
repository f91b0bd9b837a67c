"""Böse Buben, for 2 to 4 players: who is still in the race when it ends is paid, who fell can be bought back."""

from pathlib import Path

from companion.core.game import Game
from companion.games.boese_buben import console, guide, rules, text
from companion.games.boese_buben.bots import BOTS
from companion.games.boese_buben.box import read_box
from companion.games.boese_buben.form import form
from companion.games.boese_buben.lesson import LESSON

GAME = Game(
    name="boese_buben",
    title="Böse Buben",
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
    emblem="goblin_on_pig",
)
