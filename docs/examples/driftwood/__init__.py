"""Driftwood, for 2 to 5 players: call what lies on the beach, throw stones at what is stuck between the rocks."""

from pathlib import Path

from companion.core.game import Game
from companion.core.text import Text

from . import console, rules, text
from .bots import BOTS
from .box import DriftwoodBox

GAME = Game(
    name="driftwood",
    title=Text("Driftwood"),
    rules=rules,
    notation=rules.VERBS,
    rulings=rules.Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=DriftwoodBox.read,
    console=console,
    teller=text,
    bots=BOTS,
)
