"""The conversation with the host: bytes and times in, bytes out."""

from binascii import hexlify

from lamp import STATES
from proof import NONCE_BYTES, Seal
from screen import LINES_MOST
from sentences import Reader, build, number

# As in docs/pod-protocol.md. At most WINDOW of the stored events are on the line.
VERSION = 1
KEPT_MAX = 64
WINDOW = 8
RESEND_US = 100_000
ALONE_US = 3_000_000
SESSION_LENGTH = 8

UNPROVED = (b"HEY", b"PRV", b"UPD")
"""Accepted without proof: HEY and PRV lead to one; a cable that can send UPD can also copy files."""

NOBODY = b"-"
"""The session of a HEL that does not answer a HEY."""


class Link:
    """One end of the line.

    `send` accepts the bytes of a sentence. `desk` is the pod, with capabilities(), pressed(), now_us(), show(line,
    text), light(state), clear() and prompt(). With a `key` it can prove its identity; `draw(n)` returns n random
    bytes.
    """

    def __init__(self, identity, firmware, boot, send, desk, *, key=None, draw=None):
        self._identity = identity
        self._firmware = firmware
        self._boot = boot
        self._send = send
        self._desk = desk
        self._key = key
        self._draw = draw
        self._asked = self._drawn = b""  # nonces of the host and of the pod
        self._seal = None
        self._proved = False  # the host has proved its identity since this start
        self._reader = Reader()
        self._heard_us = None
        self._begun_us = 0
        self._session = NOBODY
        self._expected = 1  # the host's next number

        self._kept = []  # unacknowledged sentences
        self._first = 1  # number of the first
        self._lost = 0  # events without room, not yet reported
        self._on_line = 0  # how many of them were sent within RESEND_US
        self._reached = 0  # the highest number sent
        self._waiting_us = 0  # since when an acknowledgement is awaited

        self._handlers = {
            b"HEY": (2, self._hey),
            b"PRV": (1, self._prove),
            b"PNG": (1, self._ping),
            b"TXT": (3, self._text),
            b"LMP": (2, self._lamp),
            b"ACK": (1, self._acknowledged),
        }

    def hello(self):
        self._hello(self._session)

    def event(self, kind, t_us, value):
        """Store an event until it is acknowledged."""
        self._tell_lost(t_us)
        if len(self._kept) < KEPT_MAX - 1:
            self._keep(kind, t_us, value)
        else:
            self._lost += 1
            self._tell_lost(t_us)

    def receive(self, data, now_us, begun_us):
        """Handle bytes from the host, after all events before `now_us`.

        `begun_us` is when the last sentence began to arrive.
        """
        self._begun_us = begun_us
        for kind, *fields in self._reader.feed(data):
            if not self._believes(kind, self._reader.proof):
                continue
            self._heard_us = now_us
            if kind == b"UPD":
                self._desk.prompt()
            elif kind not in self._handlers:
                pass  # of a later version, or an echo
            elif self._session == NOBODY and kind != b"HEY":
                self.hello()
            else:
                count, handler = self._handlers[kind]
                if len(fields) == count:
                    handler(fields, now_us)

    def poll(self, now_us):
        if self._session == NOBODY:
            return
        self._tell_lost(now_us)
        if self._on_line and now_us - self._waiting_us >= RESEND_US:
            self._on_line = 0
        if not self._on_line:
            self._waiting_us = now_us
        while self._on_line < min(WINDOW, len(self._kept)):
            self._say(self._kept[self._on_line])
            self._on_line += 1
            self._reached = max(self._reached, self._first + self._on_line - 1)

    def alone(self, now_us):
        """Return whether the host is silent for ALONE_US."""
        return self._heard_us is None or now_us - self._heard_us >= ALONE_US

    def _made(self):
        return self._first + len(self._kept) - 1

    def _keep(self, kind, t_us, value):
        self._kept.append(build(kind, self._made() + 1, t_us, value))

    def _tell_lost(self, t_us):
        if self._lost and len(self._kept) < KEPT_MAX:
            self._keep(b"LST", t_us, self._lost)
            self._lost = 0

    def _hello(self, session):
        can = self._desk.capabilities() + ("P" if self._key else "")
        who = (VERSION, self._identity, self._firmware, can)
        self._send(build(b"HEL", *who, self._boot, self._first, session))

    def _hey(self, fields, _now_us):
        version, session = fields
        if len(session) != SESSION_LENGTH:
            return
        if number(version) == VERSION:
            if session != self._session:
                self._session = session
                self._expected = 1
                self._desk.clear()
            self._on_line = 0  # sent events may be lost
        self._hello(session)

    def _prove(self, fields, _now_us):
        asked = fields[0]
        if self._key is None or len(asked) != 2 * NONCE_BYTES:
            return
        if asked != self._asked:  # else repeat the answer, which may be lost
            self._asked, self._drawn = asked, hexlify(self._draw(NONCE_BYTES)).upper()
            self._seal = Seal(self._key, asked, self._drawn)
        self._on_line = 0  # sent events had no proof
        self._say(build(b"PRF", asked, self._drawn, self._boot, self._first))

    def _believes(self, kind, proof):
        if kind in UNPROVED:
            return True
        if proof is None:
            return not self._proved
        opens = self._seal is not None and self._seal.opens(proof)
        self._proved = self._proved or opens
        return opens

    def _say(self, sentence):
        # Timestamps are older, so the time for a proof does not affect them.
        self._send(self._seal.close(sentence) if self._seal else sentence)

    def _ping(self, fields, _now_us):
        count = number(fields[0])
        if count is not None:  # build calls answered_us last, just before sending
            answered_us = self._desk.now_us
            self._say(build(b"PON", count, self._begun_us, self._made(), self._desk.pressed(), answered_us))

    def _text(self, fields, _now_us):
        seq, line = number(fields[0]), number(fields[1])
        if seq is not None and line in range(LINES_MOST) and self._is_next(seq):
            self._desk.show(line, fields[2])

    def _lamp(self, fields, _now_us):
        seq, state = number(fields[0]), number(fields[1])
        if seq is not None and state in STATES and self._is_next(seq):
            self._desk.light(state)

    def _is_next(self, seq):
        taken = seq == self._expected
        if taken:
            self._expected += 1
        self._say(build(b"ACK", self._expected - 1))
        return taken

    def _acknowledged(self, fields, now_us):
        seq = number(fields[0])
        if seq is None or not self._first <= seq <= self._reached:
            return
        count = seq - self._first + 1
        self._kept = self._kept[count:]
        self._first = seq + 1
        self._on_line = max(0, self._on_line - count)
        self._waiting_us = now_us
