"""Three common ways to find who pressed first, for comparison."""

import threading
import time
from collections.abc import Callable
from typing import Any, Final, Self

from benchmarks.calls.ours import PINS
from companion.match.fairness.pairs import PairVerdict

POLL_S: Final = 0.01
BOUNCE_S: Final = 0.05


class Peer:
    """Decides once after each reset, as a quiz buzzer does."""

    def __init__(self) -> None:
        self.odd: list[str] = []
        self._decisions: list[PairVerdict] = []
        self._armed = False

    def reset(self) -> None:
        self._armed = True

    def decisions(self) -> list[PairVerdict]:
        return list(self._decisions)

    def _decide(self, place: int) -> None:
        if self._armed:
            self._armed = False
            self._decisions.append(PairVerdict((place,), time.monotonic_ns()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None: ...


class PollLoop(Peer):
    """Polls one button after the other."""

    def __init__(self) -> None:
        super().__init__()
        from gpiozero import Button  # noqa: PLC0415  starts threads: only where it is wanted

        self._buttons = [Button(pin) for pin in PINS]
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            for place, button in enumerate(self._buttons):
                if button.is_pressed:
                    self._decide(place)
                    break
            time.sleep(POLL_S)

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        for button in self._buttons:
            button.close()


class WhenPressed(Peer):
    """The first `when_pressed` callback wins, with the library's debounce."""

    def __init__(self) -> None:
        super().__init__()
        from gpiozero import Button  # noqa: PLC0415

        self._buttons = [Button(pin, bounce_time=BOUNCE_S) for pin in PINS]
        for place, button in enumerate(self._buttons):
            button.when_pressed = self._handler(place)

    def _handler(self, place: int) -> Callable[[], None]:
        def pressed() -> None:
            self._decide(place)

        return pressed

    def close(self) -> None:
        for button in self._buttons:
            button.close()


class CallbackTime(Peer):
    """The smallest time taken in a callback wins."""

    def __init__(self) -> None:
        super().__init__()
        from RPi import GPIO  # noqa: PLC0415

        self._gpio: Any = GPIO
        self._times_ns: dict[int, int] = {}
        GPIO.setmode(GPIO.BCM)
        for pin in PINS:
            GPIO.setup(pin, GPIO.IN, pull_up_down=GPIO.PUD_UP)
            GPIO.add_event_detect(pin, GPIO.FALLING, callback=self._pressed)

    def reset(self) -> None:
        self._times_ns.clear()
        super().reset()

    def _pressed(self, pin: int) -> None:
        now_ns = time.monotonic_ns()
        if self._armed:
            self._times_ns.setdefault(pin, now_ns)
        if len(self._times_ns) == len(PINS):
            self._decide(PINS.index(min(self._times_ns, key=self._times_ns.__getitem__)))

    def close(self) -> None:
        self._gpio.cleanup()


PEERS: Final = {"poll": PollLoop, "when_pressed": WhenPressed, "callback": CallbackTime}
