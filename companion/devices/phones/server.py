"""The web server for phones: pages, the display's picture, and a WebSocket per seat.

Connections, rates and durations are limited.
"""

import asyncio
import logging
import re
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import segno
from aiohttp import WSMsgType, hdrs, web
from aiohttp.http_exceptions import HttpProcessingError

from companion.core.clock import Clock
from companion.core.files import assets_folder
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.limits import (
    NOBODYS_BYTES_A_SECOND,
    PHONE_CONNECTIONS,
    PHONE_MESSAGE_SIGNS,
    PHONE_REQUESTS_A_SECOND,
    PHONES_OF_ONE_ADDRESS,
    POD_BYTES_A_SECOND,
)
from companion.core.text import LANGUAGES, msg, reason
from companion.devices.errors import DeviceError
from companion.devices.floods import Rate
from companion.devices.phones.addresses import local_name, own_addresses
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.secret import SeatCode
from companion.devices.phones.talks import Talk, Talks
from companion.devices.phones.words import page_in, words_in

AT_ONCE: Final = 64

LOOK_S: Final = 1.0
"""How often the address is checked."""

AGAIN_S: Final = 1.0
"""Retry delay after accepting failed."""

PATIENCE_S: Final = 10.0
"""Maximum duration of connections, except for seats. Browsers reconnect."""

WRITE_S: Final = 3.0

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Server": "table",
}

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""File types of the pages."""

NANO: Final = 1e9

_HOST: Final = re.compile(r"(?P<name>.*?)(?::(?P<port>\d+))?", re.DOTALL)

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Binds its port at once, answers from `start` on in its own thread."""

    def __init__(self, options: PhoneOptions, phones: Talks, clock: Clock) -> None:
        """Raise DeviceError if port or certificate cannot be used."""
        self.heartbeat = Heartbeat("phones")
        self._phones = phones
        self._clock = clock
        self._tls = _tls(options)
        self._files = _files(assets_folder() / "phone")
        self._socket = _listening(options)
        self.port: int = self._socket.getsockname()[1]
        self._given = options.address
        self._own, self._local = ((), "") if self._given else (own_addresses(), "")
        machine = socket.gethostname().lower()
        self._names = {options.address.lower(), machine, f"{machine}.local"} - {""}
        self._loop = asyncio.new_event_loop()
        self._wakes: set[asyncio.Event] = set()
        self._seats: dict[object, str] = {}  # WebSocket connections, and their remote addresses
        self._since_ns: dict[object, int] = {}
        self._rates: dict[str, Rate] = {}
        self._greeted: set[asyncio.Future[None]] = set()  # connections in a handshake
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="phones", daemon=True)

    # --- Used by the device ---------------------------------------------------------------------------

    @property
    def addresses(self) -> tuple[str, ...]:
        """URLs of the public page, the one for codes first."""
        scheme = "https" if self._tls else "http"
        hosts = (self._given,) if self._given else (*self._own, *filter(None, (self._local,)))
        return tuple(f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}/" for host in hosts)

    def code(self, path: str, token: str, letters: str = "") -> SeatCode:
        """Return the code for a secret, at the first address."""
        address = f"{self.addresses[0]}{path}#{token}"
        matrix = segno.make(address, error="l", micro=False, boost_error=False).matrix
        return SeatCode(address, tuple("".join("1" if dark else "0" for dark in row) for row in matrix), letters)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Send what is pending at once."""
        with suppress(RuntimeError):  # it has just ended
            self._loop.call_soon_threadsafe(self._wake_all)

    def close(self) -> None:
        if self._thread.is_alive():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._ending.set)
            self._thread.join(PATIENCE_S)
        else:
            self._loop.close()
        self._socket.close()

    # --- The thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except Exception:
            log.exception("phones")
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        app = web.Application()
        app.router.add_get("/s", self._page("seat.html"))
        app.router.add_get("/t", self._page("seat.html"))
        app.router.add_get("/h", self._page("seat.html"))
        app.router.add_get("/", self._page("table.html"))
        app.router.add_get("/table", self._page("table.html"))
        app.router.add_get("/page/{name}", self._file)
        app.router.add_get("/words/{language}.json", self._words)
        app.router.add_get("/frame.png", self._frame)
        app.router.add_get("/pod", self._pod)
        runner = web.AppRunner(app, shutdown_timeout=1, handle_signals=False)
        await runner.setup()
        serves = runner.server
        assert serves is not None
        serves.request_handler = partial(self._guarded, serves.request_handler)
        always = [asyncio.create_task(self._accept(serves))]
        if not self._given:
            always.append(asyncio.create_task(self._watch_network()))
        try:
            while not self._ending.is_set():
                for task in always:
                    if task.done():
                        task.result()
                self.heartbeat.beat()
                self._look_after(list(serves.connections))
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ending.wait(), min(1.0, BEAT_S))
        finally:
            for each in (*always, *self._greeted):
                each.cancel()
            self._wake_all()
            await runner.cleanup()

    async def _watch_network(self) -> None:
        while True:
            try:
                own = own_addresses()
            except OSError as error:  # out of file descriptors
                log.warning("phones: %s", reason(error))
                await asyncio.sleep(AGAIN_S)
                continue
            local = (await local_name(own[0])).lower() if own else ""
            if (own, local) != (self._own, self._local):
                self._own, self._local = own, local
                self._phones.tell_address()
            await asyncio.sleep(LOOK_S)

    async def _accept(self, serves: web.Server) -> None:
        """Accept connections up to the limit, including TLS handshakes."""
        while True:
            await asyncio.sleep(0)  # a flood of connections must not block the seats
            try:
                line, _ = await self._loop.sock_accept(self._socket)
            except ConnectionError:
                continue  # already gone
            except OSError as error:  # out of file descriptors
                log.warning("phones: %s", reason(error))
                await asyncio.sleep(AGAIN_S)
                continue
            if len(serves.connections) + len(self._greeted) >= PHONE_CONNECTIONS:
                line.close()
                continue
            greeted = asyncio.ensure_future(self._greet(serves, line))
            self._greeted.add(greeted)
            greeted.add_done_callback(self._greeted.discard)

    async def _greet(self, serves: web.Server, line: socket.socket) -> None:
        patience_s = PATIENCE_S if self._tls else None
        try:
            await self._loop.connect_accepted_socket(
                lambda: _Connection(serves, loop=self._loop),
                line,
                ssl=self._tls,
                ssl_handshake_timeout=patience_s,
                ssl_shutdown_timeout=patience_s,
            )
        except OSError as error:  # such as an ssl.SSLError: no browser, or it rejects the certificate
            log.debug("phones: %s", reason(error))

    def _look_after(self, connections: "list[web.RequestHandler]") -> None:
        """Close old connections that are not WebSockets, and reset the rates."""
        now_ns = self._clock.now_ns()
        self._since_ns = {each: self._since_ns.get(each, now_ns) for each in connections}
        for each in connections:
            if each not in self._seats and now_ns - self._since_ns[each] > PATIENCE_S * NANO and each.transport:
                each.transport.abort()
        self._rates.clear()

    def _wake_all(self) -> None:
        for wake in self._wakes:
            wake.set()

    # --- Requests -------------------------------------------------------------------------------------

    async def _guarded(self, routed: Handler, request: web.Request) -> web.StreamResponse:
        """Answer only valid requests for this host, below the rate limit."""
        if request.method not in {hdrs.METH_GET, hdrs.METH_HEAD} or request.can_read_body:
            answer = self._answer(HTTPStatus.METHOD_NOT_ALLOWED)
            answer.force_close()  # its body is not read
            return answer
        rate = self._rates.setdefault(request.remote or "", Rate(PHONE_REQUESTS_A_SECOND))
        if rate.exceeds(self._clock.now_ns()):
            return self._answer(HTTPStatus.TOO_MANY_REQUESTS)
        if not self._is_meant(request):
            return self._answer(HTTPStatus.MISDIRECTED_REQUEST)
        try:
            return await routed(request)
        except web.HTTPException as error:
            return self._answer(HTTPStatus(error.status))
        except UnicodeEncodeError:  # aiohttp's answer quotes a malformed header
            return self._answer(HTTPStatus.BAD_REQUEST)

    def _is_meant(self, request: web.Request) -> bool:
        """Return True if the Host header names this table, which prevents DNS rebinding."""
        asked = _HOST.fullmatch(request.headers.get(hdrs.HOST, "").lower())
        assert asked
        port = asked["port"] or ("443" if request.secure else "80")  # browsers omit the default
        sockname = request.transport.get_extra_info("sockname") if request.transport else None
        here = {str(ip_address(sockname[0])), "localhost"} if sockname else set()
        return port == str(self.port) and asked["name"].strip("[]") in here | self._names | ({self._local} - {""})

    def _answer(
        self, status: HTTPStatus, body: bytes = b"", kind: str = "text/plain", more: Mapping[str, str] | None = None
    ) -> web.Response:
        return web.Response(status=status, body=body, headers={**HEADERS, **(more or {}), hdrs.CONTENT_TYPE: kind})

    def _page(self, name: str) -> Handler:
        async def page(request: web.Request) -> web.StreamResponse:
            return self._of_file(name)

        return page

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._of_file(request.match_info["name"])

    def _of_file(self, name: str) -> web.Response:
        body = self._files.get(name)
        if body is None:
            return self._answer(HTTPStatus.NOT_FOUND)
        if name.endswith(".html"):
            body = page_in(body, self._phones.language)
        return self._answer(HTTPStatus.OK, body, TYPES[Path(name).suffix])

    async def _words(self, request: web.Request) -> web.StreamResponse:
        language = request.match_info["language"]
        if language not in LANGUAGES:
            return self._answer(HTTPStatus.NOT_FOUND)
        return self._answer(HTTPStatus.OK, words_in(language), "application/json")

    async def _frame(self, request: web.Request) -> web.StreamResponse:
        picture = await self._loop.run_in_executor(None, self._phones.wall.picture)
        if picture is None:
            return self._answer(HTTPStatus.NO_CONTENT)
        tag = {"ETag": f'"{picture.number}"'}
        if request.headers.get(hdrs.IF_NONE_MATCH) == tag["ETag"]:
            return self._answer(HTTPStatus.NOT_MODIFIED, more=tag)
        return self._answer(HTTPStatus.OK, picture.png, "image/png", tag)

    # --- The WebSocket of a seat ----------------------------------------------------------------------

    async def _pod(self, request: web.Request) -> web.StreamResponse:
        scheme = "https" if self._tls else "http"
        if request.headers.get(hdrs.ORIGIN, "") != f"{scheme}://{request.headers.get(hdrs.HOST)}":
            return self._answer(HTTPStatus.FORBIDDEN)
        socket_ = web.WebSocketResponse(max_msg_size=PHONE_MESSAGE_SIGNS, compress=False, autoping=False, timeout=1)
        if not socket_.can_prepare(request).ok:
            return self._answer(HTTPStatus.BAD_REQUEST)
        remote = request.remote or ""
        if list(self._seats.values()).count(remote) >= PHONES_OF_ONE_ADDRESS:
            return self._answer(HTTPStatus.TOO_MANY_REQUESTS)
        self._seats[request.protocol] = remote
        try:
            await socket_.prepare(request)
            await self._talk(socket_, request)
        finally:
            del self._seats[request.protocol]
        return socket_

    async def _talk(self, socket_: web.WebSocketResponse, request: web.Request) -> None:
        wake, talk = asyncio.Event(), self._phones.begin()
        self._wakes.add(wake)
        reader = asyncio.ensure_future(self._read(socket_, talk, wake))
        try:
            await self._write(socket_, talk, wake, reader)
        except (OSError, TimeoutError):
            if request.transport:
                request.transport.abort()
        finally:
            reader.cancel()
            self._wakes.discard(wake)
            self._phones.end(talk)

    async def _read(self, socket_: web.WebSocketResponse, talk: Talk, wake: asyncio.Event) -> None:
        """Read text until the connection ends. Other messages, such as pings, and too many bytes end it."""
        rate, nobodys = Rate(POD_BYTES_A_SECOND), Rate(NOBODYS_BYTES_A_SECOND)
        try:
            async for message in socket_:
                said = message.data.encode("utf-8", "replace") if message.type == WSMsgType.TEXT else b""
                limit = rate if talk.link else nobodys
                if not said or limit.exceeds(self._clock.now_ns(), len(said)):
                    self._phones.end_flood(talk)
                    return
                self._phones.hear(talk, said)
                wake.set()
                await asyncio.sleep(0)  # take turns with other connections
        finally:
            wake.set()

    async def _write(
        self, socket_: web.WebSocketResponse, talk: Talk, wake: asyncio.Event, reader: "asyncio.Future[None]"
    ) -> None:
        while not socket_.closed:
            wake.clear()
            ends = reader.done() or self._ending.is_set()
            due = self._phones.due(talk)
            for said in due.said.splitlines(keepends=True):
                await asyncio.wait_for(socket_.send_str(said.decode("ascii")), WRITE_S)
            if due.png:
                await asyncio.wait_for(socket_.send_bytes(due.png), WRITE_S)
            if due.closes is not None or ends:
                code = 1001 if due.closes is None else int(due.closes)
                await asyncio.wait_for(socket_.close(code=code), WRITE_S)
                return
            wait_s = max(0.0, (due.deadline_ns - self._clock.now_ns()) / NANO)
            with suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), wait_s)


class _Connection(web.RequestHandler):
    """A connection that does not read bodies, and answers malformed requests."""

    def __init__(self, serves: web.Server, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            serves,
            loop=loop,
            keepalive_timeout=PATIENCE_S / 2,
            access_log=None,  # type: ignore[arg-type]
            logger=log,
            lingering_time=0,
            auto_decompress=False,
        )

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if isinstance(exc, HttpProcessingError):
            answer: web.StreamResponse = web.Response(status=HTTPStatus.BAD_REQUEST)
            answer.force_close()
        else:
            answer = super().handle_error(request, status, exc, message)
        answer.headers.update(HEADERS)
        return answer


def _files(folder: Path) -> dict[str, bytes]:
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in TYPES}


def _listening(options: PhoneOptions) -> socket.socket:
    try:
        at = str(ip_address(options.address))
    except ValueError:
        at = "0.0.0.0"
    try:
        family = socket.AF_INET6 if ":" in at else socket.AF_INET
        listens = socket.create_server((at, options.port), family=family, backlog=AT_ONCE)
        listens.setblocking(False)
    except OSError as error:
        raise DeviceError(
            msg(
                "[phones] port {port} at {address}: {why}; choose another port, or end the program that uses it",
                port=options.port,
                address=at,
                why=reason(error),
            )
        ) from error
    return listens


def _tls(options: PhoneOptions) -> ssl.SSLContext | None:
    if not options.certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(options.certificate, options.key)
    except (OSError, ssl.SSLError) as error:
        raise DeviceError(
            msg(
                "[phones] certificate {certificate} with key {key}: {why}",
                certificate=options.certificate,
                key=options.key,
                why=reason(error),
            )
        ) from error
    return context
