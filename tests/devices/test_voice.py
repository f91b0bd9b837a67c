"""Sentences become clips: with the real espeak-ng, with programs that fail, and what is said when."""

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
    """Put a program of this name before all others."""
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
    """A voice whose clips go nowhere, and what it was told to speak, by the thread that told it."""

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
        """Wait until all that was asked for is done."""
        self.voice._wanted.put(None)
        self.voice._thread.join(60)
        assert not self.voice._thread.is_alive()
        return self


def wrong(sentence: str, language: str, files: Mapping[str, Path]) -> tuple[str, str]:
    """Return what is found wrong when a sentence becomes no clip, and the remedy."""
    with pytest.raises(VoiceError) as caught:
        clip_of(sentence, language, files)
    return str(caught.value.found), str(caught.value.remedy)


# --- espeak-ng --------------------------------------------------------------------------------------------


@needs_espeak
@pytest.mark.parametrize(("sentence", "language"), [("Anna was first", "en"), ("À toi, Zoé", "fr")])
def test_a_sentence_becomes_a_clip_that_is_kept(sentence: str, language: str, cache: Path) -> None:
    clip = clip_of(sentence, language, {})
    assert 0.3 < seconds(clip) < 2
    assert clip.parent == cache
    assert "Anna" not in clip.name
    assert cache.stat().st_mode & 0o777 == 0o700
    was = clip.read_bytes()
    clip.write_bytes(b"kept")
    assert clip_of(sentence, language, {}) == clip
    assert clip.read_bytes() == b"kept"  # it is not made again
    assert list(cache.iterdir()) == [clip]
    assert was.startswith(b"RIFF")


@needs_espeak
def test_a_clip_that_is_there_needs_no_disk_that_can_be_written(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    clip = clip_of("Anna was first", "en", {})
    monkeypatch.setattr(Path, "touch", refuse)
    assert clip_of("Anna was first", "en", {}) == clip


@needs_espeak
def test_each_language_is_spoken_by_its_own_voice() -> None:
    english, french = clip_of("Anna a raison", "en", {}), clip_of("Anna a raison", "fr", {})
    assert english.read_bytes() != french.read_bytes()


@needs_espeak
def test_a_long_sentence_is_spoken_faster_and_without_its_end() -> None:
    beginning = "Whoever turns the next card has to wait a moment, and the others too"
    assert voice._spoken(*espeak(1.0), beginning, MADE()) >= LONGEST_S
    assert seconds(clip_of(beginning, "en", {})) < LONGEST_S
    assert 0.5 < seconds(clip_of(f"Wait until the next card lies open: {LONG}", "en", {})) < LONGEST_S


@needs_espeak
def test_one_clause_that_is_too_long_is_not_said(cache: Path) -> None:
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
def test_who_asks_does_not_wait_and_another_thread_speaks() -> None:
    heard = Heard()
    began = time.monotonic()
    heard.voice.say("Anna was first", "en")
    assert time.monotonic() - began < 0.05
    heard.end()
    assert heard.threads == {"voice"}
    assert [seconds(clip) > 0.3 for clip in heard.clips] == [True]


@needs_espeak
def test_clips_said_least_lately_go(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice, "KEPT", 3)
    assert KEPT > 100
    clips = [clip_of(word, "en", {}) for word in ("one", "two", "three")]
    for number, clip in enumerate(clips):
        os.utime(clip, (number, number))
    assert clip_of("one", "en", {}) == clips[0]  # said again
    clip_of("four", "en", {})
    assert [clip.exists() for clip in clips if clip] == [True, False, True]


# --- Being hushed -----------------------------------------------------------------------------------------


def test_what_was_asked_for_before_a_hush_is_not_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_clip_that_took_too_long_is_kept_and_not_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_without_espeak_ng_it_is_silent_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    heard = Heard()
    with caplog.at_level(logging.DEBUG):
        for number in range(5):
            heard.voice.say(f"sentence {number}", "en")
        heard.end()
    assert heard.clips == []
    assert [record.getMessage() for record in caplog.records] == [
        "no voice: espeak-ng is not installed. sudo apt install espeak-ng"
    ]
    assert str(heard.voice.trouble) == "No voice: espeak-ng is not installed. The doctor says what to do"


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("echo no such voice >&2; exit 1", "{path} made no clip: no such voice"),
        ("exit 0", "{path} made no clip: status 0"),
        ("shift 8; echo broken > $1", "{path} made no clip: status 0"),
    ],
)
def test_a_program_that_fails_is_named(
    script: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(tmp_path / "bin", monkeypatch, "espeak-ng", script)
    assert wrong("Anna", "en", {}) == (found.format(path=path), f"Try it in a terminal: {path}")


def test_a_program_that_hangs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = program(tmp_path / "bin", monkeypatch, "espeak-ng", "exec sleep 30")
    monkeypatch.setattr(voice, "PATIENCE_S", 0.1)
    assert wrong("Anna", "en", {})[0] == f"{path} does not answer"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    """Return a voice file, beside a program that stands for Piper: it takes what Piper takes, and speaks a beep."""
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


def test_a_voice_file_of_piper_speaks_its_language(french: Path, tmp_path: Path) -> None:
    files = by_language([str(french)])
    assert files == {"fr": french}
    assert seconds(clip_of("À toi", "fr", files)) == 1
    assert (tmp_path / "log").read_text() == f"{french} 1.000 À toi\n"


@needs_espeak
def test_a_language_without_a_voice_file_is_spoken_by_espeak_ng(french: Path, tmp_path: Path) -> None:
    assert clip_of("Your turn", "en", by_language([str(french)]))
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize("missing", ["", ".json"])
def test_a_voice_file_that_is_not_there_is_named(missing: str, french: Path) -> None:
    path = french.with_name(french.name + missing)
    path.unlink()
    found, remedy = wrong("À toi", "fr", by_language([str(french)]))
    assert found == f"there is no {path}"
    assert "[sound] voice_files" in remedy


def test_without_piper_its_voice_files_are_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voice.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", "/nonexistent")
    assert wrong("À toi", "fr", {"fr": tmp_path / "fr_FR-siwis-medium.onnx"})[0] == "Piper is not installed"
