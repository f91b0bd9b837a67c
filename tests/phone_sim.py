"""A phone without a browser: a SimPod with a secret as its key, on the page's WebSocket."""

import asyncio
import base64
import hmac
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import aiohttp

from tests.devices.pod_sim import SimPod, firmware_link

WAIT_S = 20


def made_of(secret: bytes, what: bytes) -> bytes:
    return hmac.digest(secret, what, "sha256")


def token_of(address: str) -> bytes:
    """Return the token after the `#` of a code's address."""
    path, _, token = address.rpartition("#")
    return token.encode() if path.endswith(("/t", "/h")) else base64.urlsafe_b64decode(token + "==")


def wait_for(done: Callable[[], object], what: str = "it") -> None:
    until = time.monotonic() + WAIT_S
    while not done():
        assert time.monotonic() < until, f"{what} takes for ever"
        threading.Event().wait(0.005)


class SimPage(SimPod):
    """The page's side of the protocol; `next_secret` is derived from a session."""

    def __init__(self, secret: bytes, boot: str, offset_us: int, grain_us: int | None) -> None:
        self.offset_us, self.grain_us = offset_us, grain_us
        self.settings: dict[str, str] = {}
        self.picture_px: tuple[int, int] | None = None
        self.next_secret: bytes | None = None
        super().__init__(made_of(secret, b"id")[:8].hex().upper(), boot, made_of(secret, b"key"))
        self.can = "BKLTWQ"
        self.clear()

    def take(self, secret: bytes) -> None:
        """Adopt another secret and identity; unsent presses stay."""
        self.secret = made_of(secret, b"key")
        self.identity = self._link._identity = made_of(secret, b"id")[:8].hex().upper()
        self._link._key = self.secret

    def start(self, boot: str) -> None:
        super().start(boot)
        link = self._link
        link._handlers[b"PRV"] = (1, self._prove)
        link._handlers[b"SET"] = (3, self._set)

    def connected(self) -> None:
        """Start a new connection, discarding the host's earlier proof."""
        self.out.clear()
        self._link._session, self._link._proved, self._link._seal = b"-", False, None
        self._link._asked = b""
        self.greet()

    @property
    def proved_by_host(self) -> bool:
        return bool(self._link._proved)

    def now_us(self) -> int:
        return time.monotonic_ns() // 1_000 + self.offset_us

    def _prove(self, fields, now_us) -> None:
        link = self._link
        link._prove(fields, now_us)
        self.next_secret = made_of(self.secret, b"next" + link._asked + link._drawn)
        if self.grain_us is not None:
            link._say(firmware_link().build(b"GRN", self.grain_us))
        if self.picture_px:
            link._say(firmware_link().build(b"PIX", *self.picture_px))

    def show_pictures(self, *picture_px: int) -> None:
        self.picture_px = picture_px
        self._link._say(firmware_link().build(b"PIX", *picture_px))

    def sit(self, seat: int) -> None:
        self._link._say(firmware_link().build(b"SIT", seat))

    def say_name(self, *parts: str) -> None:
        for left, part in zip(reversed(range(len(parts))), parts, strict=True):
            self._link._say(firmware_link().build(b"NAM", min(1, left), part))

    def _set(self, fields, now_us) -> None:
        seq, name, value = fields
        if self._link._is_next(int(seq)):
            self.settings[name.decode()] = value.decode()


class SimPhone:
    """A phone in a thread that reconnects as the page does; `codes` has the close codes."""

    def __init__(self, address: str, *, offset_us: int = 0, grain_us: int | None = 1) -> None:
        self.origin, _, _ = address.rpartition("/")
        self.token: bytes | None = token_of(address)
        self.secret: bytes | None = None
        self.page = SimPage(self.token, "0A0B0C0D", offset_us, grain_us)
        self.codes: list[int | None] = []
        self.heard: list[str] = []
        self.pictures: list[bytes] = []
        self.there = True
        self.refused = False
        self._loop = asyncio.new_event_loop()
        self._wake = asyncio.Event()
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def key(self, key: str) -> None:
        self._do(self.page.key, self.page.now_us(), key)

    def buzz(self, level: int) -> None:
        self._do(self.page.buzz, self.page.now_us(), level)

    def _do(self, report: Callable[..., None], t_us: int, what: str | int) -> None:
        def do() -> None:
            report(t_us, what)
            self._wake.set()

        self._loop.call_soon_threadsafe(do)

    def show_pictures(self, width_px: int, height_px: int) -> None:
        self._loop.call_soon_threadsafe(self.page.show_pictures, width_px, height_px)
        self._loop.call_soon_threadsafe(self._wake.set)

    def say_name(self, *parts: str) -> None:
        self._loop.call_soon_threadsafe(self.page.say_name, *parts)
        self._loop.call_soon_threadsafe(self._wake.set)

    def sit(self, seat: int) -> None:
        self._loop.call_soon_threadsafe(self.page.sit, seat)
        self._loop.call_soon_threadsafe(self._wake.set)

    def offline(self) -> None:
        self.there = False
        self._loop.call_soon_threadsafe(lambda: self._socket and self._socket._response.close())

    def online(self) -> None:
        self.there = True

    def sleep(self, for_s: float) -> None:
        """Freeze for a while as a hidden page does; the connection stays open."""
        self._loop.call_soon_threadsafe(time.sleep, for_s)

    def reload(self) -> None:
        """Reload the page: the connection closes, as soon as there is one; unsent presses stay."""

        async def close() -> None:
            while not self._socket or self._socket.closed:
                await asyncio.sleep(0.01)
            await self._socket.close()

        self._loop.call_soon_threadsafe(lambda: asyncio.ensure_future(close()))

    def restart(self, boot: str, secret: bytes | None) -> None:
        """Become a newly opened page with a secret from the browser's storage."""

        def do() -> None:
            self.secret = secret
            self.page.start(boot)

        self._loop.call_soon_threadsafe(do)
        self.reload()

    def close(self) -> None:
        self._open = False
        self.offline()
        self._loop.call_soon_threadsafe(self._wake.set)
        self._thread.join(WAIT_S)
        self._loop.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _run(self) -> None:
        self._loop.run_until_complete(self._live())

    async def _live(self) -> None:
        async with aiohttp.ClientSession() as session:
            while self._open:
                if self.there and not self.refused:
                    with suppress(aiohttp.ClientError, ConnectionError):
                        await self._connect(session)
                await asyncio.sleep(0.02)

    async def _connect(self, session: aiohttp.ClientSession) -> None:
        tries = self.secret or self.token
        self.page.take(tries)
        url = self.origin.replace("http", "ws") + "/pod"
        async with session.ws_connect(url, origin=self.origin) as self._socket:
            if not self.there:
                self._socket._response.close()  # offline since connecting began
            self.page.connected()
            reader = asyncio.ensure_future(self._read())
            while not reader.done():
                if not self.there:  # offline since connecting began
                    self._socket._response.close()
                self.page.tick(self.page.now_us())
                out = bytes(self.page.out).splitlines(keepends=True)
                self.page.out.clear()
                with suppress(aiohttp.ClientError, ConnectionError):  # it closes; the reader's end says why
                    for said in out:
                        await self._socket.send_str(said.decode())
                self._wake.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), 0.05)
            code = self._socket.close_code
        self.codes.append(code)
        if code == 4000:  # the token was used, or the phone changes seats
            self.secret = self.secret or self.page.next_secret
        elif code in {4001, 4002}:
            self.refused = True

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                if isinstance(message.data, bytes):
                    self.pictures.append(message.data)
                    continue
                self.heard.append(message.data)
                self.page.hear(message.data.encode(), self.page.now_us())
                self._wake.set()
        finally:
            self._wake.set()
