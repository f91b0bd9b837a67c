"""The state that a pod must show, sent until it is acknowledged."""

from typing import Final

from companion.devices.pods.sentences import Sentence

RESEND_NS: Final = 100_000_000
"""When to repeat, as in docs/pod-protocol.md."""


class Outbox:
    """The latest state of lamp, lines and settings."""

    def __init__(self) -> None:
        self._wanted: dict[tuple[str, ...], str] = {}
        self._told: dict[tuple[str, ...], str] = {}
        self._pending: dict[int, tuple[tuple[str, ...], str]] = {}
        self._number = 0
        self.due_ns: int | None = None

    def want(self, *fields: str) -> None:
        """Set the state in the last field. The others name it."""
        *what, state = fields
        self._wanted[tuple(what)] = state
        if self._new():
            self.due_ns = 0

    def drop(self, *what: str) -> None:
        self._wanted.pop(what, None)

    def begin_anew(self) -> None:
        """Send everything again, numbered from 1."""
        self._told.clear()
        self._pending.clear()
        self._number = 0
        self.due_ns = 0

    def acknowledged(self, number: int) -> None:
        if number > self._number:
            return
        self._pending = {n: kept for n, kept in self._pending.items() if n > number}
        if self._new():
            self.due_ns = 0
        elif not self._pending:
            self.due_ns = None

    def due(self, now_ns: int) -> list[Sentence]:
        """Return all unacknowledged sentences, if they are due."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        for what in self._new():
            self._number += 1
            self._told[what] = self._wanted[what]
            self._pending[self._number] = what, self._told[what]
        self.due_ns = now_ns + RESEND_NS if self._pending else None
        return [Sentence(kind, (str(n), *what, state)) for n, ((kind, *what), state) in self._pending.items()]

    def _new(self) -> list[tuple[str, ...]]:
        """Return what differs from the sent state and is not being sent."""
        told = {what for what, _ in self._pending.values()}
        return [what for what, state in self._wanted.items() if what not in told and self._told.get(what) != state]
