"""Plays clips on the sound card, or is silent without one."""

import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from companion.core.files import assets_folder
from companion.core.text import Text, msg
from companion.core.toml import in_toml
from companion.devices.errors import Problem
from companion.devices.voice import Speaker, Voice

LOUDEST: Final = 10
"""The volume at which clips are unchanged."""

RATE_HZ: Final = 44_100
"""The rate of the clips, so that nothing is converted."""

BUFFER_SAMPLES: Final = 512
"""12 ms, the maximum delay of a clip."""

STALE_NS: Final = 500_000_000
"""Maximum delay of a clip."""

REST_S: Final = 60.0
"""When to close a silent card: an open one wakes the processor 86 times a second."""

CARDS: Final = Path("/dev/snd")

log = logging.getLogger(__name__)


SAMPLE: Final = "call"
"""The clip that demonstrates the volume."""


class Player(Protocol):
    """A real or virtual sound card."""

    @property
    def voice(self) -> Speaker: ...

    @property
    def trouble(self) -> Text | None:
        """Why nothing can be heard, and the remedy."""

    def play(self, name: str, lasting_ns: int = 0) -> None:
        """Play a clip, repeated for about `lasting_ns`. Does not wait and does not fail."""

    def turn(self, volume: int, *, mute: bool) -> None: ...


class _Wanted(NamedTuple):
    """A clip to play, repeated for `lasting_ns` (0: once).

    A path is a clip of the voice; None stops the voice.
    """

    name: str | Path | None
    t_ns: int
    lasting_ns: int


class Sound:
    """Plays the clips of assets/sounds by name, from its own thread.

    The card is opened for the first clip. After a failure `trouble` has the reason and nothing is played.
    """

    def __init__(
        self, volume: int, *, mute: bool = False, device: str = "", voice_files: Sequence[str] = ()
    ) -> None:
        """`device` is one of `devices()`, or empty for the default."""
        self._device = device
        self.trouble: Text | None = None
        self.voice = Voice(voice_files, self.speak, self.hush)
        self._volume = 0 if mute else volume
        self._wanted: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
        # A daemon, since a card may hang.
        self._thread = threading.Thread(target=self._serve, name="sound", daemon=True)
        self._thread.start()

    def play(self, name: str, lasting_ns: int = 0) -> None:
        if self._volume:
            self._wanted.put(_Wanted(name, time.monotonic_ns(), lasting_ns))

    def speak(self, clip: Path) -> None:
        """Queue a clip of the voice. It replaces a waiting one."""
        if self._volume:
            self._wanted.put(_Wanted(clip, time.monotonic_ns(), 0))

    def hush(self) -> None:
        self._wanted.put(_Wanted(None, time.monotonic_ns(), 0))

    def turn(self, volume: int, *, mute: bool) -> None:
        """Change the volume of the next clips, and retry a failed card."""
        self._volume = 0 if mute else volume
        self.trouble = self.voice.trouble = None

    def close(self) -> None:
        self.voice.close()
        self._wanted.put(None)
        self._thread.join(timeout=1)

    def _serve(self) -> None:
        goes_on = True
        while goes_on and (wanted := self._wanted.get()) is not None:
            if self.trouble or wanted.name is None:
                continue
            try:
                with closing(_Card(self._device)) as card:
                    goes_on = self._play_on(card, wanted)
            except Exception as error:  # a sound library may raise anything
                silence = _why_silent(error, self._device)
                self.trouble = msg("No sound: {found}. The doctor says what to do", found=silence.found)
                log.warning("no sound: %s. %s", *silence)
                log.debug("why", exc_info=error)  # the bug may be ours

    def _play_on(self, card: "_Card", first: _Wanted) -> bool:
        wanted: _Wanted | None = first
        while wanted is not None:
            if wanted.name is None:
                card.hush()
            elif time.monotonic_ns() - wanted.t_ns < STALE_NS:
                card.play(wanted.name, self._volume, wanted.lasting_ns)
            try:
                wanted = self._wanted.get(timeout=REST_S)
            except queue.Empty:
                return True
        return False


class _Card:
    def __init__(self, device: str) -> None:
        """Open it. Raise any error of the sound library."""
        if not _card_is_there():
            raise FileNotFoundError(CARDS)  # trying would print ALSA's errors
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame  # noqa: PLC0415  a table that is silent need not have it

        self._mixer = pygame.mixer
        # Mono: both channels play the same.
        self._mixer.init(RATE_HZ, -16, 1, BUFFER_SAMPLES, devicename=device or None)
        try:
            self._mixer.set_reserved(1)  # sentences must not overlap
            self._mouth = self._mixer.Channel(0)
            self._clips = {path.stem: self._mixer.Sound(path) for path in clips_folder().glob("*.wav")}
        except Exception:
            self.close()
            raise

    def play(self, name: str | Path, volume: int, lasting_ns: int) -> None:
        """Play a clip once, or repeat it for about `lasting_ns`."""
        clip = self._mixer.Sound(name) if isinstance(name, Path) else self._clips[name]
        clip.set_volume((volume / LOUDEST) ** 2)  # equal steps in perceived loudness
        if isinstance(name, Path):
            self._mouth.queue(clip)
            return
        times = round(lasting_ns / 1e9 / clip.get_length())
        clip.play(loops=max(0, times - 1))

    def hush(self) -> None:
        self._mouth.stop()

    def close(self) -> None:
        self._mixer.quit()


def clips_folder() -> Path:
    return assets_folder() / "sounds"


def look(device: str = "") -> Problem | None:
    """Return what keeps a sound device, by default the system's, from opening."""
    try:
        _Card(device).close()
    except Exception as error:  # noqa: BLE001  whatever a sound library raises is told
        return _why_silent(error, device)
    return None


def devices() -> list[str]:
    """Return the device names that `[sound] device` accepts."""
    if not _card_is_there():
        return []
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame  # noqa: PLC0415
    from pygame._sdl2 import audio  # noqa: PLC0415

    try:
        pygame.mixer.init()
        try:
            return list(audio.get_audio_device_names(False))
        finally:
            pygame.mixer.quit()
    except Exception as error:  # a sound library may raise anything; `look` says why
        log.debug("no sound device can be listed", exc_info=error)
        return []


def _outputs() -> list[Path]:
    return sorted(CARDS.glob("pcm*p"))


def _card_is_there() -> bool:
    """Return True if a card is configured, plugged in or provided by a desktop."""
    if sys.platform != "linux" or {"SDL_AUDIODRIVER", "AUDIODEV", "PULSE_SERVER"} & os.environ.keys():
        return True
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/run/user/none"))
    return bool(_outputs()) or any((runtime / socket).exists() for socket in ("pulse/native", "pipewire-0"))


def _why_silent(error: Exception, device: str) -> Problem:
    if not _card_is_there():
        remedy = msg(
            "Plug one in; a Raspberry Pi's own needs dtparam=audio=on in config.txt. For a table without sound, "
            "add to table.toml: [sound] mute = true"
        )
        return Problem(msg("no sound card"), remedy)
    barred = [path for path in _outputs() if not os.access(path, os.R_OK | os.W_OK)]
    if barred:
        remedy = msg("sudo usermod -aG audio $USER, then log out and in again")
        return Problem(msg("no permission to use {path}", path=barred[0]), remedy)
    if device and (there := devices()) and device not in there:
        return Problem(
            msg("sound device {device!r} not found", device=device),
            msg("In table.toml, [sound] device: one of {names}", names=quoted(there)),
        )
    remedy = msg("End the program that uses the sound card; `aplay -l` lists the cards")
    return Problem(msg("{error}", error=error), remedy)


def quoted(names: list[str]) -> str:
    return ", ".join(map(in_toml, names))
