"""Tests spoken sentences, with the real espeak-ng and with failing programs."""

import errno
import logging
import os
import shutil
import threading
import time
import wave
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.core.install import apt_command
from companion.devices import voice
from companion.devices.voice import KEPT, LONGEST_S, Voice, VoiceError, by_language, clip_of, clips_folder

ESPEAK = shutil.which("espeak-ng")
needs_espeak = pytest.mark.skipif(ESPEAK is None, reason="espeak-ng is not here: apt install espeak-ng")

LONG = (
    "Whoever turns the next card has to wait until all the others have laid their cards upon the table, one by "
    "one, in the order in which they sit there, and nobody may talk meanwhile: not even the house."
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return clips_folder()


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> Path:
    """Create an executable that comes first on the PATH."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return path


def seconds(clip: Path | None) -> float:
    with wave.open(str(clip)) as found:
        return found.getnframes() / found.getframerate()


class Heard:
    """A voice that collects clips instead of playing them."""

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        self.clips: list[Path] = []
        self.hushed = 0
        self.threads: set[str] = set()
        self.voice = Voice(files, self._speak, self._hush)

    def _speak(self, clip: Path) -> None:
        self.threads.add(threading.current_thread().name)
        self.clips.append(clip)

    def _hush(self) -> None:
        self.hushed += 1

    def end(self) -> "Heard":
        """Wait until all requests are done."""
        self.voice._wanted.put(None)
        self.voice._thread.join(60)
        assert not self.voice._thread.is_alive()
        return self


def wrong(sentence: str, language: str, files: Mapping[str, Path]) -> tuple[str, str]:
    """Return the reason and remedy of the error that `clip_of` raises."""
    with pytest.raises(VoiceError) as caught:
        clip_of(sentence, language, files)
    return str(caught.value.found), str(caught.value.remedy)


# --- espeak-ng --------------------------------------------------------------------------------------------


@needs_espeak
@pytest.mark.parametrize(("sentence", "language"), [("Anna was first", "en"), ("À toi, Zoé", "fr")])
def test_sentence_becomes_a_cached_clip(sentence: str, language: str, cache: Path) -> None:
    clip = clip_of(sentence, language, {})
    assert 0.3 < seconds(clip) < 2
    assert clip.parent == cache
    assert "Anna" not in clip.name
    assert cache.stat().st_mode & 0o777 == 0o700
    was = clip.read_bytes()
    clip.write_bytes(b"kept")
    assert clip_of(sentence, language, {}) == clip
    assert clip.read_bytes() == b"kept"  # not made again
    assert list(cache.iterdir()) == [clip]
    assert was.startswith(b"RIFF")


@needs_espeak
def test_cached_clip_needs_no_writable_disk(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    clip = clip_of("Anna was first", "en", {})
    monkeypatch.setattr(Path, "touch", refuse)
    assert clip_of("Anna was first", "en", {}) == clip


@needs_espeak
def test_each_language_has_a_different_voice() -> None:
    english, french = clip_of("Anna a raison", "en", {}), clip_of("Anna a raison", "fr", {})
    assert english.read_bytes() != french.read_bytes()


@needs_espeak
def test_long_sentence_is_spoken_faster_and_cut() -> None:
    beginning = "Whoever turns the next card has to wait a moment, and the others too"
    assert voice._spoken(*espeak(1.0), beginning, MADE()) >= LONGEST_S
    assert seconds(clip_of(beginning, "en", {})) < LONGEST_S
    assert 0.5 < seconds(clip_of(f"Wait until the next card lies open: {LONG}", "en", {})) < LONGEST_S


@needs_espeak
def test_overlong_clause_is_not_spoken(cache: Path) -> None:
    assert clip_of(LONG.replace(",", "").replace(":", ""), "en", {}) is None
    assert not list(cache.glob("*.wav"))


def espeak(pace: float) -> tuple[str, list[str]]:
    name, arguments = voice._espeak("en")
    return name, arguments(MADE(), pace)


def MADE() -> Path:  # noqa: N802
    folder = clips_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tried.wav"


@needs_espeak
def test_speaking_happens_on_another_thread() -> None:
    heard = Heard()
    began = time.monotonic()
    heard.voice.say("Anna was first", "en")
    assert time.monotonic() - began < 0.05
    heard.end()
    assert heard.threads == {"voice"}
    assert [seconds(clip) > 0.3 for clip in heard.clips] == [True]


@needs_espeak
def test_least_recently_spoken_clips_are_deleted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "KEPT", 3)
    assert KEPT > 100
    clips = [clip_of(word, "en", {}) for word in ("one", "two", "three")]
    for number, clip in enumerate(clips):
        os.utime(clip, (number, number))
    assert clip_of("one", "en", {}) == clips[0]  # spoken again
    clip_of("four", "en", {})
    assert [clip.exists() for clip in clips if clip] == [True, False, True]


# --- Hushing ----------------------------------------------------------------------------------------------


def test_hush_drops_earlier_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = tmp_path / "gate"
    program(tmp_path / "bin", monkeypatch, "espeak-ng", f"while [ ! -e {gate} ]; do sleep 0.01; done; exit 0")
    monkeypatch.setattr(voice, "clip_of", lambda text, *_: (gate_opened(gate), tmp_path / text)[1])
    heard = Heard()
    heard.voice.say("being made", "en")
    heard.voice.say("waits", "en")
    heard.voice.hush()
    heard.voice.say("afterwards", "en")
    gate.touch()
    heard.end()
    assert [clip.name for clip in heard.clips] == ["afterwards"]
    assert heard.hushed == 1


def gate_opened(gate: Path) -> None:
    end = time.monotonic() + 30
    while not gate.exists():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_late_clip_is_not_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0]
    monkeypatch.setattr(voice.time, "monotonic_ns", lambda: now[0])

    def slow(text: str, *_: object) -> Path:
        now[0] += voice.LATE_NS + 1 if text == "slow" else 1
        return tmp_path / text

    monkeypatch.setattr(voice, "clip_of", slow)
    heard = Heard()
    heard.voice.say("slow", "en")
    heard.end()
    assert heard.clips == []


# --- What is missing --------------------------------------------------------------------------------------


def test_missing_espeak_is_logged_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    heard = Heard()
    with caplog.at_level(logging.DEBUG):
        for number in range(5):
            heard.voice.say(f"sentence {number}", "en")
        heard.end()
    assert heard.clips == []
    assert [record.getMessage() for record in caplog.records] == [
        f"no voice: espeak-ng is not installed. {apt_command('espeak-ng')}"
    ]
    assert str(heard.voice.trouble) == "No voice: espeak-ng is not installed. The doctor says what to do"


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("echo no such voice >&2; exit 1", "{path} did not make a sound: no such voice"),
        ("exit 0", "{path} did not make a sound: status 0"),
        ("shift 8; echo broken > $1", "{path} did not make a sound: status 0"),
    ],
)
def test_failing_program_is_named(script: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path / "bin", monkeypatch, "espeak-ng", script)
    assert wrong("Anna", "en", {}) == (found.format(path=path), f"Try it in a terminal: {path}")


def test_hanging_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path / "bin", monkeypatch, "espeak-ng", "exec sleep 30")
    monkeypatch.setattr(voice, "PATIENCE_S", 0.1)
    assert wrong("Anna", "en", {})[0] == f"{path} is not responding"


def test_unwritable_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", monkeypatch, "espeak-ng", "exit 0")
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert wrong("Anna", "en", {})[0] == f"{clips_folder()}: Not a directory"


# --- Piper ------------------------------------------------------------------------------------------------

PIPER = """
while [ $# -gt 0 ]; do
  case $1 in --output_file) out=$2;; --length_scale) pace=$2;; --model) model=$2;; esac
  shift
done
text=$(cat)
echo "$model $pace $text" >> {log}
cp {wav} "$out"
"""


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a voice file beside a fake Piper that logs its arguments and writes a beep."""
    path = tmp_path / "fr_FR-siwis-medium.onnx"
    path.touch()
    path.with_name(f"{path.name}.json").touch()
    with wave.open(str(tmp_path / "beep.wav"), "wb") as beep:
        beep.setnchannels(1)
        beep.setsampwidth(2)
        beep.setframerate(22050)
        beep.writeframes(b"\0\1" * 22050)
    script = PIPER.format(log=tmp_path / "log", wav=tmp_path / "beep.wav")
    program(tmp_path / "bin", monkeypatch, "piper", script)
    return path


def test_piper_speaks_the_language_of_its_voice(french: Path, tmp_path: Path) -> None:
    files = by_language([str(french)])
    assert files == {"fr": french}
    assert seconds(clip_of("À toi", "fr", files)) == 1
    assert (tmp_path / "log").read_text() == f"{french} 1.000 À toi\n"


@needs_espeak
def test_languages_without_voice_files_use_espeak(french: Path, tmp_path: Path) -> None:
    assert clip_of("Your turn", "en", by_language([str(french)]))
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize("missing", ["", ".json"])
def test_missing_voice_file_is_named(missing: str, french: Path) -> None:
    path = french.with_name(french.name + missing)
    path.unlink()
    found, remedy = wrong("À toi", "fr", by_language([str(french)]))
    assert found == f"there is no {path}"
    assert "[sound] voice_files" in remedy


def test_missing_piper_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", "/nonexistent")
    assert wrong("À toi", "fr", {"fr": tmp_path / "fr_FR-siwis-medium.onnx"})[0] == "Piper is not installed"
