"""What phones reach over the network: one page, what the display shows, and a WebSocket for each seat.

Everything is bounded: connections, what each says and how fast, and how long one may take to ask.
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
"""So many more connections wait to be accepted."""

LOOK_S: Final = 1.0
"""How often to look whether the table is found elsewhere: a network comes later, or is another one."""

AGAIN_S: Final = 1.0
"""When to accept again after the machine could not."""

PATIENCE_S: Final = 10.0
"""A connection that is not a seat's lives so long: a browser opens another one."""

WRITE_S: Final = 3.0
"""A phone that takes nothing for so long is gone."""

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
"""What a page may be made of."""

NANO: Final = 1e9

_HOST: Final = re.compile(r"(?P<name>.*?)(?::(?P<port>\d+))?", re.DOTALL)

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Listens from the beginning, answers from `start` on, in a thread of its own."""

    def __init__(self, options: PhoneOptions, phones: Talks, clock: Clock) -> None:
        """Raise DeviceError where the port or the certificate cannot be used."""
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
        self._seats: dict[object, str] = {}  # connections that are a WebSocket, and from where
        self._since_ns: dict[object, int] = {}
        self._rates: dict[str, Rate] = {}
        self._greeted: set[asyncio.Future[None]] = set()  # connections that are not served yet
        self._ending = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="phones", daemon=True)

    # --- What the device does with it -----------------------------------------------------------------

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where phones find the public page now, the one that codes lead to first; empty: in no network."""
        scheme = "https" if self._tls else "http"
        hosts = (self._given,) if self._given else (*self._own, *filter(None, (self._local,)))
        return tuple(f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}/" for host in hosts)

    def code(self, path: str, token: str, letters: str = "") -> SeatCode:
        """Return what is scanned to take the seat of a token at the first of the addresses."""
        address = f"{self.addresses[0]}{path}#{token}"
        matrix = segno.make(address, error="l", micro=False, boost_error=False).matrix
        return SeatCode(address, tuple("".join("1" if dark else "0" for dark in row) for row in matrix), letters)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def wake(self) -> None:
        """Have all that is to be said sent at once."""
        with suppress(RuntimeError):  # it has just ended
            self._loop.call_soon_threadsafe(self._wake_all)

    def close(self) -> None:
        """End all connections."""
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
        """Tell when the table is found elsewhere."""
        while True:
            try:
                own = own_addresses()
            except OSError as error:  # the machine has no descriptor left
                log.warning("phones: %s", reason(error))
                await asyncio.sleep(AGAIN_S)
                continue
            local = (await local_name(own[0])).lower() if own else ""
            if (own, local) != (self._own, self._local):
                self._own, self._local = own, local
                self._phones.tell_address()
            await asyncio.sleep(LOOK_S)

    async def _accept(self, serves: web.Server) -> None:
        """Take connections, as many as there may be: who has not said yet how to encrypt is one of them."""
        while True:
            await asyncio.sleep(0)  # whoever comes without an end is taken one by one, and who sits is heard
            try:
                line, _ = await self._loop.sock_accept(self._socket)
            except ConnectionError:
                continue  # whoever it was has gone
            except OSError as error:  # the machine has no descriptor left
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
        """Agree with a browser how to encrypt, where there is a certificate, and have it served."""
        patience_s = PATIENCE_S if self._tls else None
        try:
            await self._loop.connect_accepted_socket(
                lambda: _Connection(serves, loop=self._loop),
                line,
                ssl=self._tls,
                ssl_handshake_timeout=patience_s,
                ssl_shutdown_timeout=patience_s,
            )
        except OSError as error:  # an ssl.SSLError is one: no browser, or one that does not know the certificate
            log.debug("phones: %s", reason(error))

    def _look_after(self, connections: "list[web.RequestHandler]") -> None:
        """Close what has been there for too long and is no seat's; forget rates that nobody has."""
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
        """Answer only who means this table, asks for something, and not too often."""
        if request.method not in {hdrs.METH_GET, hdrs.METH_HEAD} or request.can_read_body:
            answer = self._answer(HTTPStatus.METHOD_NOT_ALLOWED)
            answer.force_close()  # whatever comes behind it is not read
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
        except UnicodeEncodeError:  # the library quotes a header in its answer, which is no text
            return self._answer(HTTPStatus.BAD_REQUEST)

    def _is_meant(self, request: web.Request) -> bool:
        """Tell whether the host that a browser asks is this table: no page of others leads it here by a name."""
        asked = _HOST.fullmatch(request.headers.get(hdrs.HOST, "").lower())
        assert asked
        port = asked["port"] or ("443" if request.secure else "80")  # browsers leave the usual one out
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
        """Carry a conversation until it is over, or nobody is there."""
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
        """Hear what a phone says, until its connection ends or it says too much; no page pings."""
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
                await asyncio.sleep(0)  # what waits of this one is read in turn with the others, not before them
        finally:
            wake.set()

    async def _write(
        self, socket_: web.WebSocketResponse, talk: Talk, wake: asyncio.Event, reader: "asyncio.Future[None]"
    ) -> None:
        """Say what is due, until there is nobody to say it to."""
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
    """A connection whose bodies are neither read nor unpacked; what is no request is answered, and no error."""

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
        """Answer what is no request without a line in the log; all answers have the same headers."""
        if isinstance(exc, HttpProcessingError):
            answer: web.StreamResponse = web.Response(status=HTTPStatus.BAD_REQUEST)
            answer.force_close()
        else:
            answer = super().handle_error(request, status, exc, message)
        answer.headers.update(HEADERS)
        return answer


def _files(folder: Path) -> dict[str, bytes]:
    """Return what the page is made of, by name; read once, so that no request reads a disk."""
    if not folder.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in TYPES}


def _listening(options: PhoneOptions) -> socket.socket:
    """Return the socket that listens: at an address that is given, else at all. Raise DeviceError."""
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
                "[phones] port {port} at {address}: {why}; choose another port, or end what has it",
                port=options.port,
                address=at,
                why=reason(error),
            )
        ) from error
    return listens


def _tls(options: PhoneOptions) -> ssl.SSLContext | None:
    """Return what encrypts, None without a certificate. Raise DeviceError for one that cannot be used."""
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
