"""The replay of a past match: step by step in the public view, never with a hidden hand."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import SecretMove
from companion.display import scenes, screens
from companion.display.frame import Beat, Frame, Look, Play, Tape
from companion.games import all_games, load
from companion.games.buro_crazy.rules.components import NO_BIDS
from companion.games.buro_crazy.rules.components import Phase as OfficePhase
from companion.match.new_match import NAMES, new_match
from companion.referee.journal import Journal, open_record
from companion.screens.replay import STEP_NS
from companion.testing.playout import random_move
from tests.host_bench import Bench
from tests.screens.test_past_matches import contested, past, read
from tests.stats_matches import play

STEP_S = STEP_NS / 1e9
GAMES = tuple(all_games())
OFFICE = load("buro_crazy")


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each game, with a match of robots."""
    folder = tmp_path_factory.mktemp("robots")
    folders = {}
    for path in list(play(folder, len(all_games()))):
        name = open_record(path, all_games()).match.game.name
        folders[name] = folder / name
        folders[name].mkdir()
        path.rename(folders[name] / path.name)
    return folders


def replayed(folder: Path) -> tuple[Bench, Match]:
    """Begin to replay the only match of a folder."""
    bench = past(folder)
    read(bench)
    bench.house("1")
    bench.take("Replay")
    (path,) = folder.glob("*.record")
    return bench, open_record(path, all_games()).match


def kept(folder: Path, match: Match) -> Path:
    folder.mkdir()
    Journal.create(folder / f"2026-12-24-183000-{match.game.name}.record", match).close()
    return folder


def shown(bench: Bench) -> Play:
    assert isinstance(bench.screen, Play), bench.screen
    return bench.screen


def tape(bench: Bench) -> Tape:
    return shown(bench).tape


def public(match: Match, number: int) -> Any:
    return match.game.rules.view(match.before(number + 1), None)


def notes(frame: Frame) -> str:
    return " ".join(sentence for side in frame.sides for sentence in (*side.older, side.note))


# --- Steps ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_replay_shows_every_position_both_ways(game: str, robots: dict[str, Path]) -> None:
    bench, match = replayed(robots[game])
    assert tape(bench) == Tape(0, match.length, photos=tape(bench).photos)
    seen = {0: bench.screen}
    for number in range(1, min(match.length, 60) + 1):
        bench.house("6")
        if shown(bench).beat == Beat.REVEALED:
            assert shown(bench).before == public(match, number - 1)
            bench.house("6")
        assert tape(bench).move == number
        assert shown(bench).view == public(match, number)
        seen[number] = bench.screen
    for number in reversed(range(len(seen) - 1)):
        bench.house("4")
        assert bench.screen == seen[number]
    bench.house("4")
    assert bench.screen == seen[0]


def test_keys_jump_to_the_end_and_the_beginning(robots: dict[str, Path]) -> None:
    bench, match = replayed(robots["buntherum"])
    bench.house("3")
    assert tape(bench).move == match.length
    assert shown(bench).view == match.view()
    end = bench.screen
    bench.house("6")
    assert bench.screen == end
    bench.house("1")
    assert tape(bench).move == 0


def test_all_places_can_step(robots: dict[str, Path]) -> None:
    bench, _ = replayed(robots["buntherum"])
    bench.press(3, BUZZ)
    bench.press(1, "#")
    bench.house("skip")
    assert tape(bench).move == 3
    bench.house("undo")
    assert tape(bench).move == 2


@pytest.mark.parametrize("control", ["*", "menu", "pause"])
def test_leaving_returns_to_the_match_menu(control: str, robots: dict[str, Path]) -> None:
    bench, _ = replayed(robots["buntherum"])
    bench.house(control)
    assert bench.menu.items[0] == "Replay"


def test_strips_show_the_turn_and_the_last_move(robots: dict[str, Path]) -> None:
    bench, match = replayed(robots["buntherum"])
    told = ""
    for number in range(1, match.length + 1):
        bench.house("6")
        sides = bench.frame.sides
        assert [side.name for side in sides] == list(match.names)
        acting = match.game.rules.to_act(match.before(number + 1))
        assert all(side.lit == (seat in acting and not side.tone) for seat, side in enumerate(sides))
        told += notes(bench.frame)
    assert " was first" in told
    assert " says: row " in told
    assert any(side.tone == "good" for frame in bench.frames for side in frame.sides)


def test_undone_moves_are_not_replayed(tmp_path: Path) -> None:
    match = new_match(OFFICE, NAMES[:3], seed="undo")
    luck = random.Random(1)
    for _ in range(12):
        match.push(random_move(OFFICE.rules, match.state, luck.randrange))
    match.undo(4)
    bench, _ = replayed(kept(tmp_path / "undone", match))
    bench.house("3")
    assert tape(bench).move == tape(bench).of == 8
    assert shown(bench).view == match.view()


# --- Automatic replay -------------------------------------------------------------------------------------


def test_automatic_replay_runs_until_stopped(robots: dict[str, Path]) -> None:
    bench, _ = replayed(robots["de_et_boulanger"])
    bench.house("ok")
    assert tape(bench).plays
    assert tape(bench).move == 1
    bench.wait(3 * STEP_S)
    assert tape(bench).move == 4
    bench.house("5")
    assert not tape(bench).plays
    bench.wait(60)
    assert tape(bench).move == 4
    bench.house("5", "4")
    bench.wait(60)
    assert (tape(bench).move, tape(bench).plays) == (4, False)


def test_automatic_replay_stops_at_the_end_and_restarts(robots: dict[str, Path]) -> None:
    bench, match = replayed(robots["buntherum"])
    bench.house("5")
    bench.wait(2 * STEP_S * match.length)
    assert (tape(bench).move, tape(bench).plays) == (match.length, False)
    bench.house("5")
    assert (tape(bench).move, tape(bench).plays) == (0, True)


def test_leaving_ends_the_automatic_replay(robots: dict[str, Path]) -> None:
    bench, _ = replayed(robots["buntherum"])
    bench.house("5", "*")
    frames = len(bench.frames)
    bench.wait(60)
    assert len(bench.frames) == frames


# --- Reveals and photo finishes ---------------------------------------------------------------------------


def test_reveal_shows_both_bids_before_the_result(robots: dict[str, Path]) -> None:
    bench, match = replayed(robots["buro_crazy"])
    for _ in range(match.length):
        bench.house("6")
        if shown(bench).beat == Beat.REVEALED:
            break
    number = tape(bench).move
    assert match.releases(number)
    assert "bids" in notes(bench.frame)
    assert not any(side.lit for side in bench.frame.sides)
    bench.house("6")
    assert (shown(bench).beat, tape(bench).move) == (Beat.CALM, number)
    bench.house("6")
    assert tape(bench).move == number + 1


def test_contested_call_has_its_photo_finish(tmp_path: Path) -> None:
    bench, match = replayed(contested(tmp_path))
    assert len(tape(bench).photos) == 2
    for number, margin_ms in zip(tape(bench).photos, (4, 9), strict=True):
        bench.house("8")
        finish = shown(bench).finish
        assert finish
        assert shown(bench).beat == Beat.FINISH
        assert tape(bench).move == number
        assert [line.name for line in finish.presses] == ["Ben", "Anna"]
        assert round(finish.margin_ns / 1e6) == margin_ms
        assert f"Ben calls {margin_ms}.0 ms before Anna" in notes(bench.frame)
        bench.press(2, BUZZ)
        assert shown(bench).finish is None
        assert shown(bench).view == public(match, number)
        bench.house("6")
    bench.house("8")
    assert shown(bench).finish is None


# --- Secrets ----------------------------------------------------------------------------------------------


def _bidding(state: Any) -> bool:
    return bool(state.phase == OfficePhase.BID and state.bids == NO_BIDS)


@pytest.mark.parametrize("seed", range(5))
def test_replays_of_two_secrets_are_the_same(seed: int, tmp_path: Path) -> None:
    """A match that was interrupted with a locked bid must not reveal it."""
    twins = []
    for which in (0, 1):
        match = _up_to(_bidding, seed)
        seat = match.state.duel[0]
        bids = [move for move in OFFICE.rules.legal(match.state, seat) if move.verb == "commit"]
        match.push(bids[which * (len(bids) - 1)])
        assert isinstance(match.moves[-1], SecretMove)
        twins.append(kept(tmp_path / str(which), match))
    one, two = (_all_frames(folder) for folder in twins)
    assert one == two


def _up_to(reached: Callable[[Any], bool], seed: int) -> Match:
    match, luck = new_match(OFFICE, NAMES[:3], seed=str(seed)), random.Random(seed)
    while not reached(match.state) or match.length < 10 * seed:
        match.push(random_move(OFFICE.rules, match.state, luck.randrange))
    return match


def _all_frames(folder: Path) -> list[Frame]:
    bench, match = replayed(folder)
    bench.house(*["6"] * (2 * match.length), *["4"] * match.length, "3", "*", "*")
    return [frame._replace(serial=0) for frame in bench.frames]


@pytest.mark.parametrize("game", ["buro_crazy", "boese_buben"])
def test_replay_asks_only_for_the_public_view(
    game: str, robots: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even after the end, no step may show a hand that was hidden."""
    rules = load(game).rules
    real, audiences = rules.view, []

    def view(state: Any, seat: int | None) -> Any:
        audiences.append(seat)
        return real(state, seat)

    bench, match = replayed(robots[game])
    monkeypatch.setattr(rules, "view", view)
    bench.house(*["6"] * min(match.length, 40), "3", "1", "8")
    assert set(audiences) == {None}


# --- Motion -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_pieces_can_move_between_any_positions(game: str, robots: dict[str, Path]) -> None:
    """The window asks the scene for motion, also after jumps and steps back."""
    bench, match = replayed(robots[game])
    luck = random.Random(game)
    plan = screens.plan_of((800, 480), bench.frame, screens.ScreenGeometry())
    leaps = [(0, match.length), (match.length, 0)]
    leaps += [(number, number - 1) for number in luck.sample(range(1, match.length), 20)]
    leaps += [tuple(luck.sample(range(match.length), 2)) for _ in range(20)]  # type: ignore[misc]
    for one, other in leaps:
        before, after = (Play(load(game).scene, public(match, number)) for number in (one, other))
        assert len(scenes.scene_of(load(game).scene).flights(plan, before, after, Look())) < 200
