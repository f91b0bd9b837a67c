"""Which sound answers which event, after it is durable and never before its picture."""

import os
import secrets
from pathlib import Path

import pytest

from companion.config.sections import DisplayOptions, PaceOptions, SoundOptions
from companion.config.table_file import TableConfig, read_config
from companion.core.console import BUZZ
from companion.core.event import BAD, CARD, GOOD, PAY, Event, EventFacts, event
from companion.core.place import HOUSE
from companion.devices.sound import Sound
from companion.devices.virtual import PlayedClip
from companion.display.frame import Beat
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.sounds import (
    AT_ONCE,
    BY_TONE,
    CLIPS,
    DRUM,
    FLIP,
    NUDGE,
    RANK,
    START,
    WITH_PICTURE,
    clip_at_once,
    clip_with_picture,
)
from companion.referee.events import Paused, Verdict, WentOn
from companion.referee.journal import Journal
from tests.host_bench import MS, Bench, S, bid, duel, ended, robots

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def played(bench: Bench) -> list[PlayedClip]:
    return list(bench.host.devices.sound.played)


def heard(bench: Bench) -> list[str]:
    return [each.name for each in played(bench)]


# --- The table --------------------------------------------------------------------------------------------


def test_clips_and_events_match() -> None:
    used = {*AT_ONCE.values(), *WITH_PICTURE.values(), *BY_TONE.values(), PAY, CARD, DRUM, NUDGE, START}
    assert used == CLIPS
    assert {*WITH_PICTURE.values(), *BY_TONE.values(), PAY, CARD, START} == set(RANK)
    root = Path(__file__).parents[2] / "companion"
    source = "".join(path.read_text("utf-8") for path in root.rglob("*.py") if path.stem != "sounding")
    for kind in (*AT_ONCE, *WITH_PICTURE):
        assert f'"{kind.split()[0]}"' in source, kind


@pytest.mark.parametrize(
    ("happened", "clip"),
    [
        (event(Verdict((1,), None, 0, ())), "call"),
        (event(Verdict((0, 2), 0, 0, ())), "tie"),
        (event(Paused("house")), "pause"),
        (event(Paused("unplugged"), 1), "trouble"),
        (event(WentOn("house", False)), "go_on"),
        (event(WentOn("house", True)), None),
        (Event("placed", 1), None),
    ],
)
def test_press_is_answered_by_its_clip(happened: Event, clip: str | None) -> None:
    assert clip_at_once(happened) == clip


class Ducats(EventFacts):
    ducats: int
    TONE = GOOD
    SOUND = PAY


class Bad(EventFacts):
    TONE = BAD


class Good(EventFacts):
    TONE = GOOD


@pytest.mark.parametrize(
    ("happened", "clip"),
    [
        (Event("over"), "win"),
        (Event("lane", 1, Ducats(3)), "pay"),
        (Event("lane", None, Ducats(0)), None),
        (Event("trade", 1), None),
        (Event("mc", 1, Bad()), "wrong"),
        (Event("up", 1, Good()), "right"),
        (Event("placed", 1), None),
    ],
)
def test_picture_has_its_clip(happened: Event, clip: str | None) -> None:
    assert clip_with_picture(happened) == clip


@pytest.mark.parametrize(
    ("game", "some"),
    [
        ("buntherum", {"start", "card", "call", "right", "win"}),
        ("buro_crazy", {"start", "card", "locked", "drum", "flip", "win"}),
        ("boese_buben", {"start", "card", "pay", "wrong", "win"}),
        ("de_et_boulanger", {"start", "card", "pay", "win"}),
    ],
)
def test_match_of_each_game_has_its_sounds(tmp_path: Path, game: str, some: set[str]) -> None:
    names: list[str] = []
    match = new_match(load(game), NAMES[:4], seed="heard", demo=True)
    bench = robots(tmp_path, 4, kind="random", match=match)
    names += heard(bench)
    play = bench.host.devices.sound.play
    bench.host.devices.sound.play = lambda name, lasting_ns=0: (names.append(name), play(name))[1]  # type: ignore[method-assign]
    ended(bench)
    assert some <= set(names) <= CLIPS
    assert names.count("win") == 1


# --- When -------------------------------------------------------------------------------------------------


def test_call_sounds_at_once_and_card_when_visible(bench: Bench) -> None:
    bench.flip_ns = 20 * MS
    bench.play()
    assert heard(bench)[-1] == "card"
    opened = bench.host.session.referee.open_since_ns  # type: ignore[union-attr]
    assert played(bench)[-1].t_ns == opened
    before = len(heard(bench))
    bench.hand(0, BUZZ)
    bench.wait(0.1)
    assert heard(bench)[before:] == ["call"]


def test_verdict_sound_waits_for_its_picture(bench: Bench) -> None:
    bench.play()
    bench.press(0, BUZZ)
    bench.blind = True
    bench.press(0, str(bench.wrong()))
    assert heard(bench)[-1] == "call"
    bench.blind = False
    bench._flip()
    assert heard(bench)[-1] == "wrong"
    assert heard(bench).count("wrong") == 1


def test_flip_of_the_previous_picture_starts_no_sound(bench: Bench) -> None:
    bench.play()
    bench.press(0, BUZZ)
    bench.blind = True
    old, flipped_ns = bench.frame, bench.clock.t_ns
    signal = bench.host.frames.shown(old, flipped_ns)
    assert signal
    bench.wait(0.01)
    bench.press(0, str(bench.wrong()))
    bench.host.signal(signal)  # reported while the move was made
    assert heard(bench)[-1] == "call"


def test_only_the_most_important_sound_plays(bench: Bench) -> None:
    bench.play()
    bench.call(0, bench.wrong())  # wrong, and a chip, and perhaps more
    bench.wait(0.5)
    assert heard(bench)[-2:] == ["call", "wrong"]


@pytest.mark.logs_errors
def test_unsaved_move_makes_no_sound(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.play()
    before = heard(bench)

    def full(self: Journal, entry: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Journal, "append", full)
    bench.press(0, BUZZ)
    bench.wait(1)
    assert heard(bench) == before


def test_pause_loss_and_resuming_have_sounds(bench: Bench) -> None:
    bench.play()
    before = len(heard(bench))
    bench.house("pause", "pause")
    bench.hand(1, "fault unplug")
    bench.hand(1, "fault unplug")
    assert heard(bench)[before:] == ["pause", "go_on", "trouble", "go_on"]


# --- Reveals ----------------------------------------------------------------------------------------------


def test_reveal_sounds_follow_in_order(tmp_path: Path) -> None:
    bench = duel(tmp_path)
    before = len(heard(bench))
    bid(bench)
    assert heard(bench)[before:] == ["locked", "locked", "drum"]
    assert played(bench)[-1] == PlayedClip(bench.clock.t_ns, "drum", 700 * MS)
    bench.wait(0.6)
    assert FLIP not in heard(bench)
    bench.blind = True
    bench.wait(0.5)
    assert FLIP not in heard(bench)
    bench.blind = False
    bench._flip()
    assert heard(bench)[-1] == FLIP
    bench.wait(2.9)
    assert heard(bench)[-1] == FLIP  # the held picture makes no more sounds
    bench.wait(0.2)
    assert bench.beat == Beat.CALM
    assert heard(bench)[before + 3 :] == [FLIP, "right"]


def test_reveal_without_a_drum_plays_no_roll(tmp_path: Path) -> None:
    bench = duel(tmp_path, config=TableConfig(display=DisplayOptions(drum_ms=0)))
    first, second = bench.view.duel
    bench.answer(first, "#")
    bench.answer(second, "#", "#")  # a bid of nothing is confirmed
    assert DRUM not in heard(bench)
    assert heard(bench)[-1] == FLIP


def test_undone_move_makes_no_later_sound(tmp_path: Path) -> None:
    bench = duel(tmp_path)
    bid(bench)
    bench.wait(1)
    assert heard(bench)[-1] == FLIP
    bench.house("undo")
    bench.press(HOUSE, "ok")
    bench.house("pause")
    bench.wait(5)
    assert heard(bench)[-1] not in {"right", "wrong"}


# --- Reminders --------------------------------------------------------------------------------------------


def test_reminder_sounds_once(tmp_path: Path) -> None:
    bench = duel(tmp_path)
    bench.wait(PaceOptions().sound_s - 1.5)
    assert NUDGE not in heard(bench)
    bench.wait(1.6)
    assert heard(bench)[-1] == NUDGE
    bench.wait(600)
    assert heard(bench).count(NUDGE) == 1


def test_typing_does_not_delay_the_reminder(tmp_path: Path) -> None:
    """A delay would reveal how long a secret is."""
    times = []
    for number, keys in enumerate(((), ("5", "*", "4"))):
        bench = duel(tmp_path / str(number))
        bench.wait(1)
        for key in keys:
            bench.press(bench.view.duel[0], key)
        bench.wait(60)
        times += [each.t_ns for each in played(bench) if each.name == NUDGE]
    assert len(times) == 2
    assert times[0] == times[1]


def test_no_reminder_sounds_in_pauses_or_races(bench: Bench) -> None:
    bench.play()
    bench.wait(120)
    assert NUDGE not in heard(bench)
    bench.press(0, BUZZ)
    bench.house("pause")
    bench.wait(120)
    assert NUDGE not in heard(bench)


# --- Secrets ----------------------------------------------------------------------------------------------


def test_every_lock_sounds_alike(tmp_path: Path) -> None:
    found = []
    for number, keys in enumerate((("1",), ("5", "5"))):
        bench = duel(tmp_path / str(number))
        first, second = bench.view.duel
        bench.press(first, *keys[: number + 1])
        bench.wait(10 - bench.clock.t_ns / S)
        bench.press(first, "#")
        bench.wait(5)
        bench.press(second, "1", "#")
        bench.wait(0.5)
        found.append(played(bench))
    assert found[0] == found[1]


# --- Volume -----------------------------------------------------------------------------------------------


def test_pause_menu_changes_the_volume(bench: Bench) -> None:
    sound = bench.host.devices.sound
    bench.play()
    bench.choose("Settings")
    assert len(bench.menu.items) <= 9
    bench.take("Volume: 7")
    assert (sound.volume, sound.mute, heard(bench)[-1]) == (10, False, "call")
    assert bench.menu.items[bench.menu.selected] == "Volume: 10"
    bench.press(0, "#")
    assert sound.volume == 1
    bench.take("Sound: on")
    assert sound.mute
    assert bench.menu.items[bench.menu.selected] == "Sound: off"
    assert not any(item.startswith("Volume") for item in bench.menu.items)
    bench.choose("Settings")  # the setting stays
    assert "Sound: off" in bench.menu.items


def test_sound_settings_are_saved_in_table_toml(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[journal]\nfolder = "{tmp_path}/matches" # ours\n')
    bench = Bench(tmp_path / "matches", config=read_config(path, all_games()))
    bench.play()
    bench.choose("Settings", "Volume", "Sound:")
    assert read_config(path, all_games()).sound == SoundOptions(volume=10, mute=True)
    assert "# ours" in path.read_text()


def test_unwritable_table_toml_does_not_stop_the_match(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'journal = {{ folder = "{tmp_path}/matches" }}\nsound = {{ volume = 3 }}\n')
    bench = Bench(tmp_path / "matches", config=read_config(path, all_games()))
    bench.play()
    bench.choose("Settings", "Volume: 3")
    assert "Volume: 5" in bench.menu.items
    assert "volume = 3" in path.read_text()


# --- With and without a card ------------------------------------------------------------------------------


def test_match_ends_alike_without_a_sound_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda size: "7" * 2 * size)
    results, frames = [], []
    for driver in ("dummy", "nonsense", None):
        player = None
        if driver:
            monkeypatch.setitem(os.environ, "SDL_AUDIODRIVER", driver)
            player = Sound(7)
        match = new_match(load("buntherum"), NAMES[:3], seed="alike", demo=True)
        bench = robots(tmp_path / str(driver), match=match, player=player)
        results.append(ended(bench))
        frames.append([(frame.screen, frame.sides) for frame in bench.frames])
        if player:
            player.close()
            assert bool(player.trouble) == (driver == "nonsense")
        bench.host.close()
    assert results[0] == results[1] == results[2]
    assert frames[0] == frames[1] == frames[2]
