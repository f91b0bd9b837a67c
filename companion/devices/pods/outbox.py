"""States to tell a pod: its lamp and its lines, each until the pod has acknowledged it."""

from typing import Final

from companion.devices.pods.sentences import Sentence

RESEND_NS: Final = 100_000_000
"""How long until an unacknowledged sentence is repeated, as in docs/pod-protocol.md."""


class Outbox:
    """Keeps the last state of each lamp and line for the pod, numbered when it is sent."""

    def __init__(self) -> None:
        self._wanted: dict[tuple[str, ...], str] = {}
        self._told: dict[tuple[str, ...], str] = {}
        self._pending: dict[int, tuple[tuple[str, ...], str]] = {}
        self._number = 0
        self.due_ns: int | None = None

    def want(self, *fields: str) -> None:
        """Want a state, the last field, for the thing that the other fields name."""
        *what, state = fields
        self._wanted[tuple(what)] = state
        if self._new():
            self.due_ns = 0

    def drop(self, *what: str) -> None:
        """Want nothing more of what cannot be told any longer."""
        self._wanted.pop(what, None)

    def begin_anew(self) -> None:
        """Tell everything again, from number 1: the pod has forgotten it."""
        self._told.clear()
        self._pending.clear()
        self._number = 0
        self.due_ns = 0

    def acknowledged(self, number: int) -> None:
        """Drop what the pod has acknowledged; a number that was never sent is ignored."""
        if number > self._number:
            return
        self._pending = {n: kept for n, kept in self._pending.items() if n > number}
        if self._new():
            self.due_ns = 0
        elif not self._pending:
            self.due_ns = None

    def due(self, now_ns: int) -> list[Sentence]:
        """Return what is to be sent now: everything that is not acknowledged, new or not."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        for what in self._new():
            self._number += 1
            self._told[what] = self._wanted[what]
            self._pending[self._number] = what, self._told[what]
        self.due_ns = now_ns + RESEND_NS if self._pending else None
        return [Sentence(kind, (str(n), *what, state)) for n, ((kind, *what), state) in self._pending.items()]

    def _new(self) -> list[tuple[str, ...]]:
        """Return what is wanted otherwise than it was told, and is not being told."""
        told = {what for what, _ in self._pending.values()}
        return [what for what, state in self._wanted.items() if what not in told and self._told.get(what) != state]
