"""The wiring of the companion's table on the simulated chip."""

from pathlib import Path
from typing import Final

from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.match.fairness.judge import PairJudge

PINS: Final = (17, 27)

LAMPS: Final = (5, 6)

NO_HOUSE: Final = HouseWiring(ok=-1, undo=-1, pause=-1, skip=-1)


def wiring(source: str, house: HouseWiring = NO_HOUSE) -> Wiring:
    return Wiring(BuzzerWiring(source=source, pins=PINS), LampWiring(pins=LAMPS, siren=-1), house)


def judge(source: str, folder: Path, house: HouseWiring = NO_HOUSE) -> PairJudge:
    return PairJudge(wiring(source, house), folder)
