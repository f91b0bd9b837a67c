"""Sound: plays clips through the machine's sound card, or is silent where there is none."""

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
"""The volume at which clips are played as they were made."""

RATE_HZ: Final = 44_100
"""As the clips were made: nothing has to be converted."""

BUFFER_SAMPLES: Final = 512
"""12 ms, the most by which a clip is late."""

STALE_NS: Final = 500_000_000
"""How long a clip may wait for the card to open; later it would be about something else."""

REST_S: Final = 60.0
"""How long a silent card stays open: an open one wakes the processor 86 times a second."""

CARDS: Final = Path("/dev/snd")
"""The kernel's folder with a file for each function of a sound card."""

log = logging.getLogger(__name__)


SAMPLE: Final = "call"
"""The clip that lets people hear how loud they have made it."""


class Player(Protocol):
    """A sound card, or its virtual twin, that plays clips; its `voice` speaks."""

    @property
    def voice(self) -> Speaker:
        """The voice, which says sentences."""

    @property
    def trouble(self) -> Text | None:
        """Why nothing can be heard, and what to do."""

    def play(self, name: str, lasting_ns: int = 0) -> None:
        """Play a clip, again and again for about `lasting_ns`; this does not wait and does not fail."""

    def turn(self, volume: int, *, mute: bool) -> None:
        """Change the volume for what is played from now on."""


class _Wanted(NamedTuple):
    """A clip to play, the time when it was wanted, and how long it is repeated; 0: played once.

    A path is that of a clip of a voice, None ends what a voice says.
    """

    name: str | Path | None
    t_ns: int
    lasting_ns: int


class Sound:
    """Plays the clips of assets/sounds by their names, from a thread of its own: nobody waits for a sound card.

    The card is opened for the first clip. A failure is kept as `trouble`, and all is silent.
    """

    def __init__(
        self, volume: int, *, mute: bool = False, device: str = "", voice_files: Sequence[str] = ()
    ) -> None:
        """Play on a `device` of `devices()`; empty: on the one that the system takes."""
        self._device = device
        self.trouble: Text | None = None
        self.voice = Voice(voice_files, self.speak, self.hush)
        self._volume = 0 if mute else volume
        self._wanted: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
        # A card that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._serve, name="sound", daemon=True)
        self._thread.start()

    def play(self, name: str, lasting_ns: int = 0) -> None:
        """Play a clip, again and again for about `lasting_ns`. It does not wait, and no failure comes back."""
        if self._volume:
            self._wanted.put(_Wanted(name, time.monotonic_ns(), lasting_ns))

    def speak(self, clip: Path) -> None:
        """Play a clip of a voice when the one before has ended, in place of any other that waits for that."""
        if self._volume:
            self._wanted.put(_Wanted(clip, time.monotonic_ns(), 0))

    def hush(self) -> None:
        self._wanted.put(_Wanted(None, time.monotonic_ns(), 0))

    def turn(self, volume: int, *, mute: bool) -> None:
        """Change the volume for what is played from now on; a card that was in trouble is tried again."""
        self._volume = 0 if mute else volume
        self.trouble = self.voice.trouble = None

    def close(self) -> None:
        """Release the card."""
        self.voice.close()
        self._wanted.put(None)
        self._thread.join(timeout=1)

    def _serve(self) -> None:
        """Open the card whenever a clip is wanted, until the end."""
        goes_on = True
        while goes_on and (wanted := self._wanted.get()) is not None:
            if self.trouble or wanted.name is None:
                continue
            try:
                with closing(_Card(self._device)) as card:
                    goes_on = self._play_on(card, wanted)
            except Exception as error:  # whatever a sound library raises, the table goes on
                silence = _why_silent(error, self._device)
                self.trouble = msg("No sound: {found}. The doctor says what to do", found=silence.found)
                log.warning("no sound: %s. %s", *silence)
                log.debug("why", exc_info=error)  # it may be no card's fault but ours

    def _play_on(self, card: "_Card", first: _Wanted) -> bool:
        """Play what is wanted until nothing was for long; tell whether that is not the end."""
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
    """The open sound card, with all clips."""

    def __init__(self, device: str) -> None:
        """Open it. Raise any error of the sound library, and OSError without a card."""
        if not _card_is_there():
            raise FileNotFoundError(CARDS)  # to try it would only write ten lines of ALSA's onto the terminal
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import pygame  # noqa: PLC0415  a table that is silent need not have it

        self._mixer = pygame.mixer
        # Where the card has two channels, both play the same.
        self._mixer.init(RATE_HZ, -16, 1, BUFFER_SAMPLES, devicename=device or None)
        try:
            self._mixer.set_reserved(1)  # two voices at once are none
            self._mouth = self._mixer.Channel(0)
            self._clips = {path.stem: self._mixer.Sound(path) for path in clips_folder().glob("*.wav")}
        except Exception:
            self.close()
            raise

    def play(self, name: str | Path, volume: int, lasting_ns: int) -> None:
        """Play a clip once, or as often as it fits best into `lasting_ns`. Raise KeyError for one there is not."""
        clip = self._mixer.Sound(name) if isinstance(name, Path) else self._clips[name]
        clip.set_volume((volume / LOUDEST) ** 2)  # each step is heard as about as much louder
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
    """Open a sound device, or the system's, and let it go again; return what keeps it from sounding."""
    try:
        _Card(device).close()
    except Exception as error:  # noqa: BLE001  whatever a sound library raises is told
        return _why_silent(error, device)
    return None


def devices() -> list[str]:
    """Return the names of the devices to play on, as `[sound] device` takes them; none where none answers."""
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
    except Exception as error:  # whatever a sound library raises: `look` tells why none answers
        log.debug("no sound device can be listed", exc_info=error)
        return []


def _outputs() -> list[Path]:
    return sorted(CARDS.glob("pcm*p"))


def _card_is_there() -> bool:
    """Tell whether it makes sense to open a card: one is asked for, or here, or a desktop has one for us."""
    if sys.platform != "linux" or {"SDL_AUDIODRIVER", "AUDIODEV", "PULSE_SERVER"} & os.environ.keys():
        return True
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "/run/user/none"))
    return bool(_outputs()) or any((runtime / socket).exists() for socket in ("pulse/native", "pipewire-0"))


def _why_silent(error: Exception, device: str) -> Problem:
    if not _card_is_there():
        remedy = msg(
            "Plug one in; on a Raspberry Pi its own needs dtparam=audio=on in config.txt. "
            "For a table without sound write into table.toml: [sound] mute = true"
        )
        return Problem(msg("no sound card"), remedy)
    barred = [path for path in _outputs() if not os.access(path, os.R_OK | os.W_OK)]
    if barred:
        remedy = msg("sudo usermod -aG audio $USER, then log out and in again")
        return Problem(msg("you may not use {path}", path=barred[0]), remedy)
    if device and (there := devices()) and device not in there:
        return Problem(
            msg("there is no sound device {device!r}", device=device),
            msg("In table.toml, [sound] device: one of {names}", names=quoted(there)),
        )
    remedy = msg("End the program that has the sound card; `aplay -l` lists the cards")
    return Problem(msg("{error}", error=error), remedy)


def quoted(names: list[str]) -> str:
    """Return names as table.toml would have them."""
    return ", ".join(map(in_toml, names))
