"""Serves a table or a referee in virtual time, or in real time from a queue of signals."""

from collections.abc import Callable
from typing import Final, Protocol

from companion.core.clock import Clock, VirtualClock
from companion.core.heartbeat import BEAT_S
from companion.core.inbox import Inbox
from companion.core.signal import Signal


class Timed(Protocol):
    """Something with deadlines, such as a referee's loop."""

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due; None if only a signal can change something."""

    def tick(self, now_ns: int) -> None:
        """Do what is due by now."""


class Served(Timed, Protocol):
    """Something with deadlines that also acts on signals."""

    def signal(self, signal: Signal) -> None:
        """Act on a signal."""


STOP: Final = None
"""Put into the inbox of `run_live`, it ends the loop."""


def run_virtual(served: Timed, clock: VirtualClock, until_ns: int | None = None) -> None:
    """Do everything that is due by `until_ns`, or until nothing is due any more.

    At one instant, deadlines come before what devices have planned.
    """
    while True:
        deadline_ns, planned_ns = served.deadline_ns, clock.next_ns()
        due = [at for at in (deadline_ns, planned_ns) if at is not None]
        if not due or (until_ns is not None and min(due) > until_ns):
            break
        if deadline_ns is not None and deadline_ns == min(due):
            clock.jump(deadline_ns)
            served.tick(clock.now_ns())
        else:
            clock.act()
    if until_ns is not None:
        clock.jump(until_ns)
        served.tick(clock.now_ns())


def run_live(served: Served, inbox: Inbox, clock: Clock, beat: Callable[[], None] = lambda: None) -> None:
    """Serve signals and deadlines until STOP; call `beat` at least every BEAT_S seconds."""
    while True:
        beat()
        deadline_ns = served.deadline_ns
        wait_s = BEAT_S if deadline_ns is None else min(BEAT_S, max(0, deadline_ns - clock.now_ns()) / 1e9)
        try:
            signal = inbox.get(wait_s)
        except TimeoutError:
            if deadline_ns is not None and clock.now_ns() >= deadline_ns:
                served.tick(clock.now_ns())
            continue
        if signal is STOP:
            return
        served.signal(signal)
