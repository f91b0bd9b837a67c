"""Speaks sentences by espeak-ng or Piper, in its own thread. Clips are cached.

Nothing waits for it: late sentences are cached but not spoken.
"""

import logging
import math
import os
import queue
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from companion.core.files import user_folder
from companion.core.install import add_command, apt_command
from companion.core.text import Text, msg, reason

LONGEST_S: Final = 3.0
"""The longest clip, so that it does not talk over the next moves."""

FASTEST: Final = 1.3
"""Maximum speed-up of a long sentence."""

KEPT: Final = 500
"""Maximum number of cached clips."""

LATE_NS: Final = 1_500_000_000
"""Maximum delay of a sentence."""

PATIENCE_S: Final = 20
"""Timeout per sentence."""

SPOKEN: Final = msg("This is the voice of the table")
"""The sentence of the voice test."""

USUAL_WPM: Final = 170
VOICES: Final = {"en": "en-gb"}
"""espeak-ng's voices that are not named like their language."""

SUFFIX: Final = ".onnx"
"""Piper's voice files begin with the language: `fr_FR-siwis-medium.onnx`."""

_CLAUSE: Final = re.compile(r"(?<=[.?!:;,]) +")

log = logging.getLogger(__name__)


class Speaker(Protocol):
    """A real or virtual voice."""

    @property
    def trouble(self) -> Text | None:
        """Why nothing is spoken, and the remedy."""

    def say(self, sentence: str, language: str) -> None:
        """Speak a sentence. Does not wait and does not fail."""

    def hush(self) -> None:
        """Stop speaking and drop pending sentences."""


class VoiceError(Exception):
    """Error raised when a sentence cannot be spoken."""

    def __init__(self, found: Text, remedy: Text) -> None:
        super().__init__(str(found))
        self.found = found
        self.remedy = remedy


class _Sentence(NamedTuple):
    text: str
    language: str
    t_ns: int
    hushed: int


class Voice:
    """Turns sentences into clips for `speak`; `hush` stops a clip.

    `files` are Piper's voice files. Other languages use espeak-ng.
    """

    def __init__(self, files: Sequence[str], speak: Callable[[Path], None], hush: Callable[[], None]) -> None:
        self.trouble: Text | None = None
        self._files = by_language(files)
        self._speak = speak
        self._hush = hush
        self._hushed = 0
        self._lock = threading.Lock()  # makes the last check and the speaking one step
        self._wanted: queue.SimpleQueue[_Sentence | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def say(self, sentence: str, language: str) -> None:
        if self._thread is None:
            # A daemon, since a speech program may hang.
            self._thread = threading.Thread(target=self._serve, name="voice", daemon=True)
            self._thread.start()
        self._wanted.put(_Sentence(sentence, language, time.monotonic_ns(), self._hushed))

    def hush(self) -> None:
        with self._lock:
            self._hushed += 1
            self._hush()

    def close(self) -> None:
        self.hush()
        self._wanted.put(None)
        if self._thread:
            self._thread.join(timeout=1)

    def _serve(self) -> None:
        while (wanted := self._wanted.get()) is not None:
            if self.trouble or wanted.hushed != self._hushed:
                continue
            try:
                clip = clip_of(wanted.text, wanted.language, self._files)
            except VoiceError as error:
                self.trouble = msg("No voice: {found}. The doctor says what to do", found=error.found)
                log.warning("no voice: %s. %s", error.found, error.remedy)
                continue
            except Exception:
                self.trouble = msg("No voice: an internal error; the details are in the log")
                log.exception("the voice")
                continue
            with self._lock:
                in_time = time.monotonic_ns() - wanted.t_ns < LATE_NS and wanted.hushed == self._hushed
                if clip and in_time:
                    self._speak(clip)


# --- Clips --------------------------------------------------------------------------------------------------


def clips_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the cache folder. Raise OptionError."""
    return user_folder("XDG_CACHE_HOME", ".cache", environ) / "voice"


def by_language(files: Sequence[str]) -> dict[str, Path]:
    paths = [Path(name).expanduser() for name in files]
    return {path.name[:2]: path for path in paths}


def clip_of(sentence: str, language: str, files: Mapping[str, Path]) -> Path | None:
    """Return a sentence's clip, or None if it would be too long. Raise VoiceError.

    A long sentence is spoken faster, then without its last clauses.
    """
    model = files.get(language)
    from hashlib import sha256  # noqa: PLC0415  the first picture does not wait for what only a voice needs

    program, arguments = _piper(model) if model else _espeak(language)
    key = "\0".join((str(model or program), language, sentence))
    kept = clips_folder() / f"{sha256(key.encode()).hexdigest()[:32]}.wav"
    try:
        if kept.exists():
            with suppress(OSError):  # the disk may be read-only
                kept.touch()  # mark as recently used
            return kept
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            made = Path(folder) / "clip.wav"
            if not _make_short(sentence, lambda text, pace: _spoken(program, arguments(made, pace), text, made)):
                log.debug("no clip of %d letters is short enough", len(sentence))
                return None
            made.replace(kept)
        _forget(kept.parent)
    except OSError as error:
        remedy = msg("Free some space there, or set XDG_CACHE_HOME to a writable folder")
        raise VoiceError(msg("{path}: {why}", path=kept.parent, why=reason(error)), remedy) from error
    return kept


def _make_short(sentence: str, speak: Callable[[str, float], float]) -> bool:
    clauses = _CLAUSE.split(sentence)
    while clauses:
        text = " ".join(clauses).rstrip(",;:")
        lasts_s = speak(text, 1.0)
        if lasts_s < LONGEST_S:
            return True
        pace = 1.05 * lasts_s / LONGEST_S
        if pace <= FASTEST and speak(text, pace) < LONGEST_S:
            return True
        clauses.pop()
    return False


def _espeak(language: str) -> tuple[str, Callable[[Path, float], list[str]]]:
    program = shutil.which("espeak-ng")
    if program is None:
        raise VoiceError(msg("espeak-ng is not installed"), Text(apt_command("espeak-ng")))

    def arguments(made: Path, pace: float) -> list[str]:
        words = str(math.ceil(USUAL_WPM * pace))
        return ["-v", VOICES.get(language, language), "-s", words, "-z", "-b", "1", "-w", str(made), "--stdin"]

    return program, arguments


def _piper(model: Path) -> tuple[str, Callable[[Path, float], list[str]]]:
    beside = Path(sys.executable).with_name("piper")
    program = str(beside) if beside.exists() else shutil.which("piper")
    if program is None:
        remedy = msg(
            "{get}, or remove its voice file from table.toml: [sound] voice_files",
            get=add_command("piper-tts"),
        )
        raise VoiceError(msg("Piper is not installed"), remedy)
    for path in (model, model.with_name(f"{model.name}.json")):
        if not path.is_file():
            remedy = msg("Put it there, or name another one in table.toml: [sound] voice_files")
            raise VoiceError(msg("there is no {path}", path=path), remedy)
    return program, lambda made, pace: [
        *("--model", str(model), "--output_file", str(made), "--length_scale", f"{1 / pace:.3f}")
    ]


def _spoken(program: str, arguments: Sequence[str], text: str, made: Path) -> float:
    """Speak into a file. Return seconds. Raise VoiceError or OSError."""
    import subprocess  # noqa: PLC0415
    import wave  # noqa: PLC0415

    remedy = msg("Try it in a terminal: {program}", program=program)
    try:
        done = subprocess.run(
            [program, *arguments], input=text.encode(), capture_output=True, timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise VoiceError(msg("{program} is not responding", program=program), remedy) from None
    try:
        with wave.open(str(made)) as clip:
            frames, rate = clip.getnframes(), clip.getframerate()
    except (OSError, EOFError, wave.Error):
        frames, rate = 0, 1
    if done.returncode or not frames:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        why = told[-1] if told else msg("status {n}", n=done.returncode)
        raise VoiceError(msg("{program} did not make a sound: {why}", program=program, why=why), remedy)
    return float(frames / rate)


def _forget(folder: Path) -> None:
    clips = sorted(folder.glob("*.wav"), key=lambda path: path.stat().st_mtime)
    for path in clips[:-KEPT]:
        path.unlink(missing_ok=True)


def look(language: str, files: Sequence[str], sentence: str) -> VoiceError | None:
    """Make one clip. Return the error, if any."""
    try:
        clip_of(sentence, language, by_language(files))
    except VoiceError as error:
        return error
    return None
