"""Tests the sound card, and silence without one."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from companion.devices import sound
from companion.devices.sound import Sound, clips_folder, look
from companion.devices.virtual import PlayedClip, VirtualSound
from companion.match.sounds import CLIPS

LONG_S = 10

Played = list[tuple[str, float, int]]
"""Name, volume and repeats of each clip."""


def until(reached: Callable[[], object]) -> None:
    end = time.monotonic() + LONG_S
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.005)


class FakeClip:
    played: Played

    def __init__(self, path: Path) -> None:
        self.name = path.stem

    def set_volume(self, volume: float) -> None:
        self.volume = volume

    def get_length(self) -> float:
        return 0.1

    def play(self, loops: int) -> None:
        self.played.append((self.name, self.volume, loops))


class FakeChannel:
    """The channel of the voice."""

    def __init__(self, number: int) -> None:
        assert number == 0

    def queue(self, clip: FakeClip) -> None:
        FakeClip.played.append((f"said {clip.name}", clip.volume, 0))

    def stop(self) -> None:
        FakeClip.played.append(("hushed", 0, 0))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """Record what would be played, without opening a card."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(FakeClip, "played", [], raising=False)
    monkeypatch.setattr(pygame.mixer, "init", lambda *arguments, **_: None)
    monkeypatch.setattr(pygame.mixer, "quit", lambda: None)
    monkeypatch.setattr(pygame.mixer, "Sound", FakeClip)
    monkeypatch.setattr(pygame.mixer, "Channel", FakeChannel)
    monkeypatch.setattr(pygame.mixer, "set_reserved", lambda count: count)
    return FakeClip.played


@pytest.fixture
def no_card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SDL_AUDIODRIVER", "AUDIODEV", "PULSE_SERVER", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sound, "CARDS", tmp_path / "snd")


@pytest.fixture
def card() -> Iterator[Sound]:
    opened = Sound(7)
    yield opened
    opened.close()


# --- What is played ---------------------------------------------------------------------------------------


def test_every_clip_plays_on_an_open_card(monkeypatch: pytest.MonkeyPatch, card: Sound) -> None:
    """With SDL's dummy card."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert look() is None
    for name in sorted(CLIPS):
        card.play(name)
    until(lambda: pygame.mixer.get_init() and pygame.mixer.get_busy())
    assert card.trouble is None
    card.close()
    assert pygame.mixer.get_init() is None


def test_volume_is_squared(played: Played, card: Sound) -> None:
    card.play("call")
    until(lambda: played)
    card.turn(10, mute=False)
    card.play("tie")
    until(lambda: len(played) == 2)
    assert [(name, round(volume, 2)) for name, volume, _ in played] == [("call", 0.49), ("tie", 1.0)]


def test_long_sound_repeats_its_clip(played: Played, card: Sound) -> None:
    for lasting_ms in (0, 40, 100, 240, 700):
        card.play("drum", lasting_ms * 1_000_000)
    until(lambda: len(played) == 5)
    assert [loops for _, _, loops in played] == [0, 0, 0, 1, 6]


@pytest.mark.parametrize(("volume", "mute"), [(0, False), (7, True)])
def test_silent_table_opens_no_card(
    monkeypatch: pytest.MonkeyPatch, played: Played, volume: int, mute: bool
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(pygame.mixer, "init", lambda *arguments, **_: opened.append(arguments))
    silent = Sound(volume, mute=mute)
    silent.play("call")
    silent.close()
    assert (opened, played) == ([], [])


def test_muting_acts_at_once(played: Played, card: Sound) -> None:
    card.turn(7, mute=True)
    card.play("call")
    card.turn(7, mute=False)
    card.play("win")
    until(lambda: played)
    assert [name for name, *_ in played] == ["win"]


def test_stale_clip_is_not_played(monkeypatch: pytest.MonkeyPatch, played: Played, card: Sound) -> None:
    """A card may take seconds to open."""
    opening = threading.Event()
    monkeypatch.setattr(pygame.mixer, "init", lambda *arguments, **_: opening.wait(LONG_S))
    monkeypatch.setattr(sound, "STALE_NS", 50_000_000)
    card.play("call")
    time.sleep(0.1)
    card.play("win")
    opening.set()
    until(lambda: played)
    assert [name for name, *_ in played] == ["win"]


def test_card_is_released_after_silence_and_reopened(
    monkeypatch: pytest.MonkeyPatch, played: Played, card: Sound
) -> None:
    ends: list[None] = []
    monkeypatch.setattr(pygame.mixer, "quit", lambda: ends.append(None))
    monkeypatch.setattr(sound, "REST_S", 0.01)
    card.play("call")
    until(lambda: ends)
    card.play("win")
    until(lambda: len(played) == 2)
    assert card.trouble is None


def test_hanging_card_blocks_nobody(monkeypatch: pytest.MonkeyPatch, played: Played, card: Sound) -> None:
    opening = threading.Event()
    monkeypatch.setattr(pygame.mixer, "init", lambda *arguments, **_: opening.wait(LONG_S))
    began = time.monotonic()
    for _ in range(1_000):
        card.play("call")
    assert time.monotonic() - began < 0.5
    opening.set()


# --- Silence ----------------------------------------------------------------------------------------------


def test_missing_card_gives_one_warning_and_remedy(
    no_card: None, caplog: pytest.LogCaptureFixture, card: Sound
) -> None:
    caplog.set_level(logging.WARNING)
    card.play("call")
    until(lambda: card.trouble)
    for _ in range(10):
        card.play("call")
    card.close()
    assert len(caplog.records) == 1
    assert str(card.trouble) == "No sound: no sound card. The doctor says what to do"
    assert "Plug one in" in caplog.messages[0]
    assert "[sound] mute = true" in caplog.messages[0]


def test_failing_driver_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    silence = look()
    assert "nonsense" in str(silence.found) or "not available" in str(silence.found)
    assert "aplay -l" in str(silence.remedy)


def test_forbidden_card_names_the_group(no_card: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "snd").mkdir()
    (tmp_path / "snd" / "pcmC0D0p").touch()

    def refused(*arguments: object, **_: object) -> None:
        raise pygame.error("Permission denied")

    monkeypatch.setattr(pygame.mixer, "init", refused)
    monkeypatch.setattr(sound.os, "access", lambda path, mode: False)
    silence = look()
    assert "no permission to use" in str(silence.found)
    assert "usermod -aG audio" in str(silence.remedy)


def test_configured_device_is_opened(monkeypatch: pytest.MonkeyPatch, played: Played) -> None:
    opened: list[object] = []
    monkeypatch.setattr(pygame.mixer, "init", lambda *arguments, devicename: opened.append(devicename))
    for device in ("USB Audio, USB Audio", ""):
        named = Sound(7, device=device)
        named.play("call")
        until(lambda: played)
        played.clear()
        named.close()
    assert opened == ["USB Audio, USB Audio", None]


def test_unknown_device_is_named_with_available_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert sound.devices() == ["System audio output device"]
    silence = look("vc4-hdmi-0")
    assert str(silence.found) == "sound device 'vc4-hdmi-0' not found"
    assert str(silence.remedy) == 'In table.toml, [sound] device: one of "System audio output device"'
    assert look("System audio output device") is None


def test_missing_driver_lists_no_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    assert sound.devices() == []


def test_changing_the_volume_retries_the_card(no_card: None, monkeypatch: pytest.MonkeyPatch, card: Sound) -> None:
    card.play("call")
    until(lambda: card.trouble)
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    card.turn(7, mute=False)
    card.play("call")
    until(pygame.mixer.get_init)
    assert card.trouble is None


def test_missing_clip_plays_nothing(played: Played, card: Sound) -> None:
    card.play("nothing of the kind")
    until(lambda: card.trouble)
    assert played == []


# --- A voice ----------------------------------------------------------------------------------------------


def test_voice_has_a_separate_channel_and_hushes(played: Played, card: Sound, tmp_path: Path) -> None:
    card.speak(tmp_path / "right.wav")
    card.play("call")
    card.hush()
    until(lambda: len(played) == 3)
    assert [name for name, *_ in played] == ["said right", "call", "hushed"]


def test_hush_opens_no_card(monkeypatch: pytest.MonkeyPatch, played: Played) -> None:
    opened: list[object] = []
    monkeypatch.setattr(pygame.mixer, "init", lambda *arguments: opened.append(arguments))
    table = Sound(7)
    table.hush()
    table.close()
    assert (opened, played) == ([], [])


def test_sentences_queue_on_a_real_mixer(monkeypatch: pytest.MonkeyPatch, card: Sound) -> None:
    """The second begins when the first has ended; a hush ends both."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    for name in ("win", "start"):
        card.speak(clips_folder() / f"{name}.wav")
    until(lambda: pygame.mixer.get_init() and pygame.mixer.Channel(0).get_queue())
    assert pygame.mixer.Channel(0).get_busy()
    card.hush()
    until(lambda: not pygame.mixer.Channel(0).get_busy())
    assert pygame.mixer.Channel(0).get_queue() is None


# --- The virtual sound ------------------------------------------------------------------------------------


def test_virtual_sound_records_clips_and_times() -> None:
    class Plan:
        def now_ns(self) -> int:
            return 5

        def at(self, t_ns: int, action: Callable[[], None]) -> None:
            raise AssertionError

    twin = VirtualSound(Plan())
    twin.play("call")
    twin.play("drum", 7)
    assert list(twin.played) == [PlayedClip(5, "call"), PlayedClip(5, "drum", 7)]
    assert twin.trouble is None
