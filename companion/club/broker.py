"""A connection to a club's MQTT broker, in a thread, so that no table waits for it.

If the queue is full, its oldest message is dropped. Only the newest `kept` message per topic is sent; `sure`
messages are repeated until confirmed.
"""

import logging
import os
import select
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.club.topics import MESSAGE_BYTES
from companion.config.sections import ClubOptions
from companion.core.files import ENCODING, read_regular
from companion.core.install import install_command
from companion.core.text import Text, msg, reason
from companion.devices.errors import DeviceError

try:
    from paho.mqtt import client as mqtt
    from paho.mqtt.enums import CallbackAPIVersion
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties
except ModuleNotFoundError:  # reported by `connection`
    mqtt = None  # type: ignore[assignment]

PORT: Final = 1883
TLS_PORT: Final = 8883

QUEUE: Final = 500
"""Maximum queued messages."""

UNCONFIRMED: Final = 20
"""Maximum messages awaiting confirmation."""

ANSWER_S: Final = 10.0

KEEPALIVE_S: Final = 15
RETRY_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Pauses after consecutive failures."""

PATIENCE_S: Final = 15.0
"""Timeout of `Broker.wait`."""

GOODBYE_S: Final = 2.0
"""Timeout of `Broker.stop`."""

LOOK_S: Final = 0.05

PACKET_BYTES: Final = MESSAGE_BYTES + 1_024
"""Maximum packet length."""

ASTRAY_S: Final = 60.0
"""Pause after a flood or an unsolicited message."""

log = logging.getLogger(__name__)


class Sent(NamedTuple):
    """A message. `kept`: retained by the broker. `sure`: repeated until confirmed."""

    topic: str
    payload: bytes
    kept: bool = False
    sure: bool = False


class Astray(Exception):
    """The broker sent too much, or an unsolicited message."""


def connection(options: ClubOptions) -> "Connection":
    """Raise DeviceError if a file or the library is missing."""
    if mqtt is None:
        raise DeviceError(msg("[club]: the library paho-mqtt is missing; install it: {get}", get=install_command()))
    password = ""
    try:
        if options.password_file:
            lines = read_regular(Path(options.password_file).expanduser(), 4096).decode(ENCODING).splitlines()
            password = lines[0] if lines else ""
        context = None
        if options.certificate:
            context = ssl.create_default_context(cafile=str(Path(options.certificate).expanduser()))
    except (OSError, UnicodeDecodeError) as error:  # includes ssl.SSLError
        path = getattr(error, "filename", None) or options.certificate or options.password_file
        raise DeviceError(msg("[club]: {path}: {why}", path=path, why=_why(error))) from error
    port = options.port or (TLS_PORT if context else PORT)
    return Connection(options.broker, port, options.user, password, context)


def _why(error: Exception) -> Text | str:
    if isinstance(error, UnicodeDecodeError):  # its text contains a byte of the password
        return msg("it is not valid UTF-8; save the file as UTF-8")
    return reason(error) if isinstance(error, OSError) else str(error)


class Connection(NamedTuple):
    """Connection settings. The repr omits the password."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    context: ssl.SSLContext | None = None

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def __repr__(self) -> str:
        return f"Connection({self.address})"


class Broker:
    """A client of a broker. Use `start` and `stop`.

    `hello` returns the first messages of every connection; `will` is the last will. `hear` receives messages of the
    topics `wanted`, `arrived` confirmed ones, both in the broker's thread. Errors in `hear` are logged. More than
    `most_per_s` packets a second end the connection.
    """

    def __init__(
        self,
        way: Connection,
        *,
        hello: Callable[[], Sequence[Sent]] = tuple,
        will: Sent | None = None,
        wanted: Sequence[str] = (),
        hear: Callable[[str, bytes], None] = lambda *_: None,
        arrived: Callable[[Sent], None] = lambda _: None,
        most_per_s: int = 50,
    ) -> None:
        self.trouble: Text | None = msg("not connected yet")
        """Why nothing can be sent; None while connected."""
        self._way, self._hello, self._will = way, hello, will
        self._wanted, self._hear, self._arrived, self._most_per_s = wanted, hear, arrived, most_per_s
        self._lock = threading.Lock()
        self._passing: deque[Sent] = deque(maxlen=QUEUE)
        self._lasting: dict[str, Sent] = {}
        self._sure: deque[Sent] = deque()
        self._unconfirmed: dict[int, Sent] = {}
        self._let_in = False
        self._stopping = threading.Event()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wait(self, calm_s: float = 0.0, meanwhile: Callable[[], object] = lambda: None) -> Text | None:
        """Wait until connected for `calm_s`. Return the trouble after PATIENCE_S."""
        begun_s = let_in_s = time.monotonic()
        while time.monotonic() - begun_s < PATIENCE_S:
            trouble = self.trouble
            if trouble:
                let_in_s = time.monotonic()
            elif time.monotonic() - let_in_s >= calm_s:
                break
            time.sleep(LOOK_S)
            meanwhile()
        return self.trouble

    def stop(self) -> None:
        """Send what is queued, then disconnect."""
        self._stopping.set()
        self._wake()
        self._thread.join(GOODBYE_S)

    def put(self, sent: Sent) -> None:
        """Queue a message. Never blocks."""
        with self._lock:
            if sent.sure:
                self._sure.append(sent)
            elif sent.kept:
                self._lasting[sent.topic] = sent
            else:
                self._passing.append(sent)
        self._wake()

    def _wake(self) -> None:
        try:
            os.write(self._wake_write, b"\0")
        except BlockingIOError:
            return  # a wake-up is already pending

    # --- The thread -------------------------------------------------------------------------------------

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            self._let_in = False
            try:
                self._serve()
                why, rest_s = msg("it closed the connection"), None
            except Astray as error:
                log.warning("[club]: %s: %s", self._way, error)
                why, rest_s = msg("it sent unexpected data; next try in a minute"), ASTRAY_S
            except TimeoutError:
                why, rest_s = msg("it is not responding"), None
            except (OSError, ValueError) as error:
                why, rest_s = Text("{why}", (("why", _why(error)),)), None
            except Exception:
                log.exception("[club]: %s", self._way)
                why, rest_s = msg("an internal error; the details are in the log"), ASTRAY_S
            failures = 0 if self._let_in else failures + 1
            if failures <= 1 and not self._stopping.is_set():
                log.info("[club]: %s: %s", self._way, why)
            self.trouble = why
            self._stopping.wait(RETRY_S[min(failures, len(RETRY_S) - 1)] if rest_s is None else rest_s)

    def _serve(self) -> None:
        client = self._client()
        limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        limits.MaximumPacketSize = PACKET_BYTES
        client.connect(self._way.host, self._way.port, KEEPALIVE_S, properties=limits)
        begun_s = second_s = time.monotonic()
        packets = 0
        try:
            while (line := client.socket()) is not None:
                waits = bool(getattr(line, "pending", int)())  # select does not see what TLS has buffered
                writes = [line] if client.want_write() else []
                readable, writable, _ = select.select([line, self._wake_read], writes, [], 0 if waits else 1.0)
                now_s = time.monotonic()
                if now_s - second_s >= 1:
                    second_s, packets = now_s, 0
                if waits or line in readable:
                    packets += 1
                    if packets > self._most_per_s:
                        raise Astray(f"more than {self._most_per_s} packets in a second")
                    client.loop_read()
                if writable:
                    client.loop_write()
                if self._wake_read in readable:
                    os.read(self._wake_read, 4096)
                client.loop_misc()
                if self._let_in:
                    self._send_due(client)
                    if self._stopping.is_set() and not client.want_write():
                        client.disconnect()
                        return
                elif now_s - begun_s > ANSWER_S or self._stopping.is_set():
                    raise TimeoutError
        finally:
            if (line := client.socket()) is not None:
                line.close()

    def _client(self) -> Any:
        client = _client_class()(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5, reconnect_on_failure=False)
        client.connect_timeout = ANSWER_S
        if self._way.user:
            client.username_pw_set(self._way.user, self._way.password)
        if self._way.context:
            client.tls_set_context(self._way.context)
        if self._will:
            client.will_set(self._will.topic, self._will.payload, 1, retain=True)
        client.on_connect, client.on_message, client.on_publish = self._answered, self._heard, self._confirmed
        return client

    def _answered(self, client: Any, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.is_failure:
            raise ValueError(str(reason))
        self._let_in, self.trouble = True, None
        log.info("[club]: %s: connected", self._way)
        for topic in self._wanted:
            client.subscribe(topic, 1)
        with self._lock:
            self._sure.extendleft(reversed(self._unconfirmed.values()))
            self._unconfirmed.clear()
        for sent in self._hello():
            self._publish(client, sent)

    def _heard(self, _client: object, _data: object, message: Any) -> None:
        if not any(mqtt.topic_matches_sub(each, message.topic) for each in self._wanted):
            raise Astray(f"a message of {message.topic!r}")
        if len(message.payload) > MESSAGE_BYTES:
            raise Astray(f"a message of {len(message.payload)} bytes")
        try:
            self._hear(message.topic, message.payload)
        except Exception:  # a retained message must not block the others
            log.exception("[club]: %s: %r: %.500r", self._way, message.topic, message.payload)

    def _confirmed(self, _client: object, _data: object, number: int, *_: object) -> None:
        if sent := self._unconfirmed.pop(number, None):
            self._arrived(sent)

    def _send_due(self, client: Any) -> None:
        while not client.want_write() and (sent := self._next()):
            self._publish(client, sent)

    def _next(self) -> Sent | None:
        with self._lock:
            if self._sure and len(self._unconfirmed) < UNCONFIRMED:
                return self._sure.popleft()
            if self._lasting:
                return self._lasting.pop(next(iter(self._lasting)))
            return self._passing.popleft() if self._passing else None

    def _publish(self, client: Any, sent: Sent) -> None:
        number = client.publish(sent.topic, sent.payload, int(sent.sure), sent.kept).mid
        if sent.sure:
            self._unconfirmed[number] = sent


@cache
def _client_class() -> Any:
    """Return the library's client with a limit on packet lengths."""

    class Client(mqtt.Client):
        def _sock_recv(self, bufsize: int) -> bytes:  # bufsize is the packet's announced length
            if bufsize > PACKET_BYTES:
                raise Astray(f"a message of {bufsize} bytes")
            return super()._sock_recv(bufsize)

    return Client
