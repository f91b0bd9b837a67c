"""The entry point of any other game: GAME collects the modules of this package."""

from pathlib import Path

from companion.core.game import Game
from companion.core.text import msg
from companion.games.any import SIGN, console, guide, rules, text
from companion.games.any.bots import BOTS, no_robots
from companion.games.any.box import AnyBox
from companion.games.any.lesson import LESSON

GAME = Game(
    name=SIGN.name,
    title=msg("Any other game"),
    rules=rules,
    notation=rules.VERBS,
    rulings=rules.Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=AnyBox.read,
    console=console,
    teller=text,
    bots=BOTS,
    no_robots=no_robots,
    guide=guide,
    lesson=LESSON,
    scene=f"{__package__}.scene",
    emblem=SIGN.emblem,
    about=msg("Quizzes, bids, clocks, dice"),
    minutes=20,
)
