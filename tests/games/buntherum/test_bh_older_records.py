"""Records of older programs replay to what they were."""

from pathlib import Path

from companion.core.replay import loads
from companion.games.buntherum.game import GAME
from companion.games.buntherum.rules import Phase

RECORDS = Path(__file__).parents[2] / "records"


def test_bh_a18_once_an_open_card_was_everybodys_when_all_of_its_tie_were_eliminated():
    """Move 21 calls the card of a tie of two others: as it was written until 25 November 2026."""
    match = loads((RECORDS / "buntherum-call-beside-a-tie.record").read_text("utf-8"), {GAME.name: GAME})
    assert match.move_text(21) == "T call 3"
    assert match.length == 23
    assert (match.view().phase, match.view().callers) == (Phase.OPEN, (1, 2))
