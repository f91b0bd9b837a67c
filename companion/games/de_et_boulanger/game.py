"""Assembles the game Dé et Boulanger."""

from pathlib import Path

from companion.core.game import Game
from companion.core.text import Text, msg
from companion.games.de_et_boulanger import SIGN, console, guide, rules, text
from companion.games.de_et_boulanger.bots import BOTS
from companion.games.de_et_boulanger.box import DeEtBoulangerBox
from companion.games.de_et_boulanger.lesson import LESSON
from companion.games.de_et_boulanger.rules import kinds
from companion.games.de_et_boulanger.rules.components import Rulings

GAME = Game(
    name=SIGN.name,
    title=Text("Dé et Boulanger"),
    rules=rules,
    notation=rules.VERBS,
    rulings=Rulings,
    box_text=Path(__file__).with_name("box.toml").read_text("utf-8"),
    read_box=DeEtBoulangerBox.read,
    form=DeEtBoulangerBox.form,
    console=console,
    teller=text,
    bots=BOTS,
    guide=guide,
    lesson=LESSON,
    scene=f"{__package__}.scene",
    emblem=SIGN.emblem,
    about=msg("Fetch, bake and sell bread"),
    minutes=60,
    feats=kinds.FEATS,
)
