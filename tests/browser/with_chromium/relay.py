"""A network between phones and the table that can be slow, asymmetric or absent.

It listens at another address of this machine with the table's port, as the table checks the Host header.
"""

import asyncio
import random
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

ADDRESS: Final = "127.0.0.2"

Delay = Callable[[], float]
"""The transit time of data sent now, in seconds; order is preserved."""


class Relay:
    """Forwards data with a separate delay for each direction."""

    def __init__(self, port: int, there: Delay = lambda: 0.0, back: Delay = lambda: 0.0) -> None:
        self._port = port
        self._delays = there, back
        self._away = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._end = asyncio.Event()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._serve()))

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._loop.close()

    def cut(self) -> None:
        def do() -> None:
            self._away = True
            for writer in self._writers:
                writer.transport.abort()

        self._loop.call_soon_threadsafe(do)

    def mend(self) -> None:
        self._away = False

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connected, ADDRESS, self._port)
        self._ready.set()
        await self._end.wait()
        server.close()
        for writer in self._writers:
            writer.transport.abort()
        ours = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await asyncio.gather(*ours, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._away:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        both = {writer, far_writer}
        self._writers |= both
        there, back = self._delays
        try:
            await asyncio.gather(self._pass(reader, far_writer, there), self._pass(far_reader, writer, back))
        finally:
            self._writers -= both
            for one in both:
                one.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: Delay) -> None:
        # One queue, not a timer each: asyncio runs timers of one moment in any order.
        on_its_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        arrives = asyncio.create_task(self._arrive(on_its_way, writer))
        data = b"begun"
        try:
            while data:
                data = await reader.read(65536)
                on_its_way.put_nowait((self._loop.time() + delay(), data))
            await arrives
        except ConnectionError:
            arrives.cancel()  # the connection was cut

    async def _arrive(self, on_its_way: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter) -> None:
        """Write queued data when due and in order; b"" is the end."""
        data = b"begun"
        while data:
            due_s, data = await on_its_way.get()
            await asyncio.sleep(due_s - self._loop.time())
            writer.write(data)
        writer.close()


def between(low_ms: float, high_ms: float, seed: int) -> Delay:
    luck = random.Random(seed)
    return lambda: luck.uniform(low_ms, high_ms) / 1000


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port
    return port


def through_relay(address: str) -> str:
    """Return the relay's address for a browser; to it, the relay is the table's machine."""
    return address.replace("127.0.0.1", "localhost")
