"""Assembles the game Böse Buben."""

from pathlib import Path

from companion.core.game import Game
from companion.core.text import Text, msg
from companion.games.boese_buben import SIGN, console, guide, rules, text
from companion.games.boese_buben.bots import BOTS
from companion.games.boese_buben.box import BoeseBubenBox
from companion.games.boese_buben.lesson import LESSON
from companion.games.boese_buben.rules import kinds

GAME = Game(
    name=SIGN.name,
    title=Text("Böse Buben"),
    rules=rules,
    notation=rules.VERBS,
    rulings=rules.Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=BoeseBubenBox.read,
    form=BoeseBubenBox.form,
    console=console,
    teller=text,
    bots=BOTS,
    guide=guide,
    lesson=LESSON,
    scene=f"{__package__}.scene",
    emblem=SIGN.emblem,
    about=msg("Goblins race on pigs"),
    minutes=30,
    feats=kinds.FEATS,
)
