"""Two people play on one laptop without a number pad."""

import random
from pathlib import Path

import pygame
import pytest

from companion.core.console import BUZZ
from companion.core.tags import robots_of
from companion.display import virtual_seats
from companion.display.frame import Result
from companion.games import OTHER, all_games
from companion.match.seat_lines import waited_for
from tests.host_bench import Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")

KEY_OF = {control: key for key, control in virtual_seats.DIGIT_KEYS.items()}


def key(bench: Bench, *keys: int) -> None:
    """Press keys with the meaning that the latest frame gives them."""
    for pressed in keys:
        target = virtual_seats.on_keyboard(pressed, bench.frame.panels, house=bench.frame.house is not None)
        assert target, f"{pressed} belongs to nobody: {bench.screen}"
        bench.press(target.place, target.control)


def typed(bench: Bench, *controls: str) -> None:
    key(bench, *(KEY_OF[control] for control in controls))


def digits_owner(bench: Bench) -> int | None:
    return next((panel.place for panel in bench.frame.panels if panel.keys == "digits"), None)


def play_to_the_end(bench: Bench) -> None:
    """Play both people's moves, first the keyboard owner's."""
    lucks = [random.Random(str(place)) for place in range(2)]
    for _ in range(3000):
        if isinstance(bench.screen, Result):
            return
        moment = bench.host.session.moment()
        race, hand = moment.stage.race, moment.player_prompt
        waited = [moment.places[seat] for seat in (race.callers if race else waited_for(moment))]
        people = [place for place in waited if place in moment.people]
        if not people:
            bench.wait(0.5)
            continue
        place = digits_owner(bench)
        assert place in people
        seat = moment.seats[place]
        acts = moment.match.game.bots["easy"].acts(moment.match.view(seat), seat, lucks[place])
        bench.wait(1)
        for control in [BUZZ] if hand and seat in hand.seats else [act.control for act in acts]:
            key(bench, virtual_seats.BUZZER_KEYS[place] if control == BUZZ else KEY_OF[control])
        bench.wait(0.5)
    raise AssertionError(f"the match does not end: {bench.frame}")


def begin(bench: Bench, game: str) -> None:
    """Sit down, add a robot if needed, and begin."""
    key(bench, pygame.K_z, pygame.K_q)
    if 3 in all_games()[game].rules.SEATS:
        typed(bench, "C")
    typed(bench, "#")
    typed(bench, str(bench.menu.items.index(str(all_games()[game].title)) + 1), "#")


@pytest.mark.parametrize("game", [name for name in all_games() if name != OTHER])  # there the house is needed, too
def test_two_people_play_two_matches_on_a_laptop(tmp_path: Path, game: str) -> None:
    bench = Bench(tmp_path / "fresh", newcomer=True)
    begin(bench, game)
    bench.wait(2)
    key(bench, pygame.K_ESCAPE, pygame.K_RETURN)
    play_to_the_end(bench)
    before = bench.match
    assert "2: another game" in bench.screen.hint
    typed(bench, "2")
    assert bench.menu.title == "Which game?"
    typed(bench, "1", "#")
    bench.wait(2)
    assert bench.match.length
    assert bench.match.names == before.names
    assert robots_of(bench.match) == robots_of(before)
