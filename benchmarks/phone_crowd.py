"""Attacks a table's phone service, as somebody on its network could.

`python -m benchmarks.phone_crowd` reads a line of JSON with the addresses in join codes and prints a line when all
phones have joined. It attacks until the end of input, and prints its counts then and after each further line.
"""

import asyncio
import base64
import json
import random
import sys
import time
import zlib
from collections import Counter
from contextlib import suppress
from typing import Any, Final

import aiohttp

from companion.devices.phones.secret import Secret
from companion.devices.pods.proof import Seal
from companion.devices.pods.reports import VERSION
from companion.devices.pods.sentences import Reader, Sentence, sentence

HALF_OPEN: Final = 200
PHONES: Final = 50
PRESSES_A_SECOND: Final = 30
MALFORMED_A_SECOND: Final = 900
"""By each phone, between its presses."""

JOINED: Final = 4000
"""The close code after a used join code (docs/phones.md)."""

AGAIN_S: Final = 1.0
ADDRESSES: Final = 200


class PageSeal(Seal):
    """The phone's end of a session, with the two directions swapped."""

    def __init__(self, *drawn: Any) -> None:
        super().__init__(*drawn)
        self._ours, self._theirs = self._theirs, self._ours


class Presser:
    """A phone that joins, presses continuously and sends malformed sentences."""

    def __init__(self, address: str, done: Counter[str], presses: bool) -> None:
        self.origin, _, token = address.rpartition("/s#")
        self.sits = asyncio.Event()
        self._secret = Secret(base64.urlsafe_b64decode(f"{token}=="))
        self._done, self._presses = done, presses
        self._luck = random.Random(token)
        self._seal: PageSeal | None = None
        self._session, self._number, self._taken = "", 0, 0

    async def run(self, session: aiohttp.ClientSession) -> None:
        while True:
            with suppress(aiohttp.ClientError, ConnectionError):
                async with session.ws_connect(f"{self.origin}/pod", origin=self.origin) as socket:
                    self._seal, self._session = None, ""
                    presses = asyncio.ensure_future(self._press(socket))
                    async for message in socket:
                        said = message.data.encode() if message.type is aiohttp.WSMsgType.TEXT else b""
                        for heard in Reader().feed(said):
                            await self._hear(heard, socket)
                    presses.cancel()
                    self._done[f"closed {socket.close_code}"] += 1
                    if self._seal and socket.close_code == JOINED:
                        self._secret = Secret(self._seal.next)
                        continue
            await asyncio.sleep(AGAIN_S)

    async def _say(self, socket: aiohttp.ClientWebSocketResponse, kind: str, *fields: object) -> None:
        with suppress(ConnectionError):
            await socket.send_str(sentence(kind, *fields).encode(self._seal).decode())

    async def _hear(self, heard: Sentence, socket: aiohttp.ClientWebSocketResponse) -> None:
        t_us = time.monotonic_ns() // 1_000
        match heard.kind, heard.fields:
            case "HEY", [_, session]:
                self._session, self._taken = session, 0
                hello = (VERSION, self._secret.identity, "crowd", "BKLTWQP", "0A0B0C0D", self._number + 1, session)
                await self._say(socket, "HEL", *hello)
            case "PRV", [asked]:
                drawn = f"{self._luck.getrandbits(64):016X}"
                self._seal = PageSeal(self._secret.key, asked, drawn)
                await self._say(socket, "PRF", asked, drawn, "0A0B0C0D", self._number + 1)
                await self._say(socket, "GRN", 1)
            case "PNG", [count]:
                self.sits.set()
                await self._say(socket, "PON", count, t_us, self._number, 0, t_us)
            case "TXT" | "LMP" | "SET", [number, *_]:
                self._taken = max(self._taken, int(number))
                await self._say(socket, "ACK", self._taken)

    async def _press(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        await self.sits.wait()
        while self._presses:
            await asyncio.sleep(1 / PRESSES_A_SECOND)
            if self._seal is None:
                continue  # before authentication its bytes are limited
            self._number += 1
            await self._say(socket, "KEY", self._number, time.monotonic_ns() // 1_000, "5")
            self._done["presses of who sits"] += 1
            for _ in range(MALFORMED_A_SECOND // PRESSES_A_SECOND):
                with suppress(ConnectionError):
                    await socket.send_str(self._malformed())
                self._done["malformed"] += 1

    def _malformed(self) -> str:
        luck = self._luck
        whole = sentence("KEY", 1, luck.randrange(1 << 40), "5").encode().decode()
        place = luck.randrange(len(whole))
        return (
            luck.choice(
                (
                    whole[:place],
                    whole[:place] + chr(luck.randrange(1, 0x250)) + whole[place + 1 :],
                    whole[place:],
                    "$",
                )
            )
            or "$"
        )


async def strange(origin: str, number: int, done: Counter[str]) -> None:
    hello = sentence("HEL", 1, f"{number:016X}", "crowd", "BKLTWQP", "0A0B0C0D", 1, "-").encode().decode()
    key = sentence("KEY", 1, 1, "5").encode().decode()
    while True:
        with suppress(aiohttp.ClientError, OSError):
            connector = aiohttp.TCPConnector(local_addr=(f"127.0.3.{number + 1}", 0))
            async with (
                aiohttp.ClientSession(connector=connector) as session,
                session.ws_connect(f"{origin}/pod", origin=origin) as socket,
            ):
                await socket.send_str(hello)
                while not socket.closed:
                    await socket.send_str(key)
                    done["presses of strangers"] += 1
                    with suppress(TimeoutError):
                        await socket.receive(1 / PRESSES_A_SECOND)
        await asyncio.sleep(AGAIN_S)


async def half_open(host: str, port: int, number: int, done: Counter[str]) -> None:
    """Never finish a request."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(
                host, port, local_addr=(f"127.0.2.{number % ADDRESSES + 1}", 0)
            )
            done["half open"] += 1
            writer.write(b"GET / HTTP/1.1\r\nHost: ")
            with suppress(ConnectionError):
                await reader.read()
            writer.transport.abort()
        await asyncio.sleep(AGAIN_S)


async def bomber(host: str, port: int, done: Counter[str]) -> None:
    """Post compressed bodies that expand to many megabytes."""
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    body = packer.compress(bytes(100_000_000)) + packer.flush()
    head = (
        f"POST / HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(host, port, local_addr=("127.0.4.1", 0))
            done["bombs"] += 1
            writer.write(head.encode() + body)
            with suppress(ConnectionError):
                await reader.read()
            writer.transport.abort()
        await asyncio.sleep(1 / PRESSES_A_SECOND)


async def main() -> None:
    loop = asyncio.get_running_loop()
    asked = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    done: Counter[str] = Counter()
    async with aiohttp.ClientSession() as session:
        sit = [Presser(address, done, asked["floods"]) for address in asked["codes"]]
        work = [asyncio.ensure_future(presser.run(session)) for presser in sit]
        for presser in sit:
            await presser.sits.wait()
        print("all sit", flush=True)
        if asked["floods"]:
            origin = sit[0].origin
            host, _, port = origin.rpartition("/")[2].partition(":")
            work += [asyncio.ensure_future(strange(origin, n, done)) for n in range(PHONES - len(sit))]
            work += [asyncio.ensure_future(half_open(host, int(port), n, done)) for n in range(HALF_OPEN)]
            work.append(asyncio.ensure_future(bomber(host, int(port), done)))
        while await loop.run_in_executor(None, sys.stdin.readline):
            print(json.dumps(done), flush=True)
        for one in work:
            one.cancel()
    print(json.dumps(done), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
