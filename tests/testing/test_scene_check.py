"""The scene check: what a scene lacks or raises."""

import sys
from collections.abc import Callable, Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest

from companion.core.game import Game
from companion.display import scenes
from companion.games import all_games, load
from companion.testing.conformance import ConformanceError
from companion.testing.scene_check import check_scene

OURS = "companion.games.buro_crazy.scene"


@pytest.mark.parametrize("name", all_games())
def test_our_scenes_draw_every_position(name: str) -> None:
    check_scene(load(name), Random(7).randrange, limit=40)


Broken = Callable[..., Game]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broken]:
    """Yield a function that changes Büro Crazy's scene; None removes an attribute."""

    def make(**words: Any) -> Game:
        scene = ModuleType("broken_scene")
        scene.__dict__.update({**vars(scenes.scene_of(OURS)), **words})
        for word in [word for word, said in words.items() if said is None]:
            delattr(scene, word)
        monkeypatch.setitem(sys.modules, "broken_scene", scene)
        return load("buro_crazy")._replace(scene="broken_scene")

    scenes.scene_of.cache_clear()
    yield make
    scenes.scene_of.cache_clear()


def fails(*_: object) -> None:
    raise KeyError("brown")


@pytest.mark.parametrize("word", ["centre", "strip", "flights"])
def test_missing_part_of_a_scene_is_named(broken: Broken, word: str) -> None:
    with pytest.raises(ConformanceError, match=f"^missing in its scene: {word}; moves before: 0"):
        check_scene(broken(**{word: None}), Random(1).randrange)


@pytest.mark.parametrize("word", ["centre", "strip", "flights", "private"])
def test_error_of_a_scene_is_reported(broken: Broken, word: str) -> None:
    before = list(scenes.log.handlers)
    with pytest.raises(ConformanceError, match=r"^its scene raises KeyError: 'brown'"):
        check_scene(broken(**{word: fails}), Random(1).randrange)
    assert scenes.log.handlers == before


@pytest.mark.parametrize("beat", ["drum", "revealed"])
def test_check_draws_both_beats_of_a_reveal(broken: Broken, beat: str) -> None:
    centre = scenes.scene_of(OURS).centre

    def fails_then(canvas: Any, plan: Any, play: Any) -> None:
        if play.beat == beat:
            fails()
        centre(canvas, plan, play)

    with pytest.raises(ConformanceError, match="its scene raises KeyError: 'brown'"):
        check_scene(broken(centre=fails_then), Random(1).randrange)


def test_game_without_a_scene_is_rejected() -> None:
    with pytest.raises(ConformanceError, match="it has no scene"):
        check_scene(load("buro_crazy")._replace(scene=""), Random(1).randrange)
