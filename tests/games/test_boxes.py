"""Each box obeys its schema: bounds, missing keys, unknown keys."""

from collections.abc import Iterator
from typing import Any

import pytest
import tomlkit

from companion.core.boxschema import BoxSchema, Number, Numbers
from companion.core.errors import BoxError
from companion.core.game import Game
from companion.core.limits import BOX_NUMBER
from companion.games import all_games

GAMES = list(all_games().values())

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def schema_of(game: Game) -> type[BoxSchema[Any]]:
    return game.read_box.__self__  # type: ignore[attr-defined]


def mistakes(game: Game, key: str, value: object) -> list[str]:
    """Return the errors of the built-in box with a changed value; None removes it."""
    document = tomlkit.parse(game.box_text)
    *way, last = key.split(".")
    table: Any = document
    for part in way:
        table = table[part]
    if value is None:
        del table[last]
    else:
        table[last] = value
    with pytest.raises(BoxError) as told:
        game.read_box(document.as_string(), "mine.toml")
    return list(map(str, told.value.mistakes))


def bounded(schema: type[BoxSchema[Any]]) -> Iterator[tuple[str, int, int | None]]:
    """Yield key, least and most of each number with fixed bounds."""
    for field in schema.fields():
        if isinstance(field, Numbers):
            yield from ((f"{field.key}.{name}", field.least, field.most) for name in field.texts)
        elif isinstance(field, Number) and not callable(field.least) and not callable(field.most):
            yield field.key, field.least or 0, field.most


@every_game
def test_number_outside_its_bounds_is_refused(game: Game) -> None:
    for key, least, most in bounded(schema_of(game)):
        upper = f" to {most}" if most else ""
        for value in (least - 1, True, "4"):
            assert f"mine.toml: {key}: {value!r}; allowed: a whole number from {least}{upper}" in mistakes(
                game, key, value
            )
        value = (most or BOX_NUMBER) + 1
        assert f"mine.toml: {key}: {value}; allowed: a whole number from {least} to {value - 1}" in mistakes(
            game, key, value
        )


@every_game
def test_missing_key_is_reported_once_and_alone(game: Game) -> None:
    fields = schema_of(game).fields()
    keys = {field.key for field in fields} | {field.key.partition(".")[0] for field in fields}
    keys |= {f"{field.key}.{name}" for field in fields if isinstance(field, Numbers) for name in field.texts}
    for key in sorted(keys):
        table, _, name = key.rpartition(".")
        assert mistakes(game, key, None) == [f"mine.toml: {table or 'box'}: {name!r} is missing"]


@every_game
def test_unknown_key_is_refused_in_every_table(game: Game) -> None:
    fields = schema_of(game).fields()
    tables = {"box"} | {field.key.rpartition(".")[0] for field in fields} - {""}
    tables |= {field.key for field in fields if isinstance(field, Numbers)}
    for table in sorted(tables):
        key = "extra" if table == "box" else f"{table}.extra"
        [mistake] = mistakes(game, key, 7)
        assert mistake.startswith(f"mine.toml: {table}: unknown key 'extra'; allowed: ")
