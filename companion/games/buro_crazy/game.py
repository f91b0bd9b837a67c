"""Büro Crazy's entry point: GAME collects the modules of this package."""

from pathlib import Path

from companion.core.game import Game
from companion.core.text import Text, msg
from companion.games.buro_crazy import SIGN, console, guide, rules, text
from companion.games.buro_crazy.bots import BOTS, no_robots
from companion.games.buro_crazy.box import BuroCrazyBox
from companion.games.buro_crazy.lesson import LESSON
from companion.games.buro_crazy.rules import kinds
from companion.games.buro_crazy.rules.components import Rulings

GAME = Game(
    name=SIGN.name,
    title=Text("Büro Crazy"),
    rules=rules,
    notation=rules.VERBS,
    rulings=Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=BuroCrazyBox.read,
    form=BuroCrazyBox.form,
    console=console,
    teller=text,
    bots=BOTS,
    no_robots=no_robots,
    guide=guide,
    lesson=LESSON,
    scene=f"{__package__}.scene",
    emblem=SIGN.emblem,
    about=msg("Secret bids, up to the boss"),
    minutes=45,
    feats=kinds.FEATS,
)
