"""Buntherum's entry point: GAME collects the modules of this package."""

from pathlib import Path

from companion.core.game import Game
from companion.core.text import Text, msg
from companion.games.buntherum import SIGN, console, guide, rules, text
from companion.games.buntherum.bots import BOTS, no_robots
from companion.games.buntherum.box import BuntherumBox
from companion.games.buntherum.lesson import LESSON

GAME = Game(
    name=SIGN.name,
    title=Text("Buntherum"),
    rules=rules,
    notation=rules.VERBS,
    rulings=rules.Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=BuntherumBox.read,
    form=BuntherumBox.form,
    console=console,
    teller=text,
    bots=BOTS,
    no_robots=no_robots,
    guide=guide,
    lesson=LESSON,
    scene=f"{__package__}.scene",
    emblem=SIGN.emblem,
    about=msg("Spot the row first"),
    minutes=15,
)
