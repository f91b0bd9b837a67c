"""Every game conforms, with any number of seats and any house rules."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random

import pytest

from companion.games import all_games
from companion.testing.conformance import check, some_rulings

GAMES = all_games()


def values_of(name: str) -> dict[str, list[object]]:
    """Return each option's values to try, the default first."""
    return {
        field.name: sorted(
            (False, True)
            if isinstance(field.default, bool)
            else field.metadata["choices"] or {field.default, field.metadata["minimum"], field.metadata["maximum"]},
            key=lambda value: value != field.default,
        )
        for field in fields(GAMES[name].rulings)
    }


def rulings_of(name: str) -> Iterator[dict[str, object]]:
    """Yield the defaults, then rulings that cover every value."""
    values = values_of(name)
    yield {option: each[0] for option, each in values.items()}
    for number in range(max(map(len, values.values()))):
        yield {option: each[(number + place) % len(each)] for place, (option, each) in enumerate(values.items())}


HOUSES = [(name, rulings) for name in GAMES for rulings in rulings_of(name)]


@pytest.mark.parametrize("name", GAMES)
def test_every_value_of_every_option_is_tried(name: str) -> None:
    for option, values in values_of(name).items():
        assert {rulings[option] for game, rulings in HOUSES if game == name} == set(values), option


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_game_conforms(name: str, soak_count: Callable[..., int]) -> None:
    game, (usual, *others) = GAMES[name], [rulings for each, rulings in HOUSES if each == name]
    seats = game.rules.SEATS
    luck = Random(f"conforms {name}")
    houses = [(number, usual) for number in seats]
    houses += [(seats[place % len(seats)], rulings) for place, rulings in enumerate(others)]
    for number, rulings in houses:
        check(game, luck.randrange, seats=number, rulings=game.rulings(**rulings))
    for number in soak_count(50, 0) * tuple(seats):
        check(game, luck.randrange, seats=number, rulings=some_rulings(game, luck.randrange))


@pytest.mark.parametrize("name", GAMES)
def test_game_has_the_name_of_its_folder(name: str) -> None:
    assert GAMES[name].name == name
