"""Every game keeps the contract of its rooms, with any number of seats and any house rules."""

from collections.abc import Callable
from dataclasses import fields
from random import Random

import pytest

from companion.games import all_games
from companion.testing.conformance import check, some_rulings

GAMES = all_games()


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name in GAMES for seats in GAMES[name].rules.SEATS])
def test_game_conforms(name: str, seats: int, soak_count: Callable[[int], int]) -> None:
    game = GAMES[name]
    for seed in range(1 + soak_count(50)):
        luck = Random(f"{name} {seats} {seed}")
        rulings = some_rulings(game, luck.randrange) if seed else game.rulings()
        check(game, luck.randrange, seats=seats, rulings=rulings)


OTHER_VALUES = [
    (name, field.name, value)
    for name in GAMES
    for field in fields(GAMES[name].rulings)
    for value in (
        (False, True)
        if isinstance(field.default, bool)
        else field.metadata["choices"]
        or {*field.metadata["steps"], field.metadata["minimum"], field.metadata["maximum"]}
    )
    if value != field.default
]


@pytest.mark.parametrize(("name", "option", "value"), OTHER_VALUES)
def test_game_conforms_with_every_other_value_of_every_option(name: str, option: str, value: object) -> None:
    game, luck = GAMES[name], Random(f"{name} {option} {value}")
    seats = luck.choice(game.rules.SEATS)
    check(game, luck.randrange, seats=seats, rulings=game.rulings(**{option: value}))


@pytest.mark.parametrize("name", GAMES)
def test_game_is_called_as_its_folder(name: str) -> None:
    assert GAMES[name].name == name
