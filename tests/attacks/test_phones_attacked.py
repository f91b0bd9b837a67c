"""Attacks from the same Wi-Fi on a table's phones, against the real server on the loopback."""

import asyncio
import random
import re
import socket
import ssl
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPSConnection
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import aiohttp
import pytest

from companion.core.clock import MonotonicClock, VirtualClock
from companion.core.console import KEYS, Lamp
from companion.core.limits import PHONE_CONNECTIONS, PHONE_MESSAGE_SIGNS, PHONES_OF_ONE_ADDRESS
from companion.core.place import Place
from companion.devices.phones import phones as module
from companion.devices.phones import server as server_module
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.pods import conversation
from companion.devices.pods.sentences import sentence
from tests.phone_sim import WAIT_S, SimPage, SimPhone, made_of, token_of, wait_for

HERE = PhoneOptions(on=True, port=0, address="127.0.0.1", wait_ms=1_000)
FIRST, SECOND = Place(0), Place(1)
MS = 1_000_000


@pytest.fixture
def told():
    return []


@pytest.fixture
def phones(told):
    phones = Phones(HERE, told.append, MonotonicClock())
    phones.watch()
    yield phones
    phones.close()


@pytest.fixture
def phone(phones):
    with SimPhone(phones.invite([FIRST])[FIRST].address) as phone:
        wait_for(lambda: FIRST in phones.places and not phones.troubles, "joining")
        yield phone


def still_plays(phones, phone, told):
    count = len([signal for signal in told if signal.control == "5"])
    phone.key("5")
    wait_for(lambda: len([signal for signal in told if signal.control == "5"]) == count + 1, "a key")


def asked(phones, path, **headers):
    connection = HTTPConnection("127.0.0.1", phones.server.port, timeout=WAIT_S)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


def spoken(phones, said, origin=None):
    """Send messages over a WebSocket at once; return the close code and the answers."""

    async def speak():
        here = f"http://127.0.0.1:{phones.server.port}"
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{here}/pod", origin=origin or here) as ws,
        ):
            heard = []
            for each in said:
                if ws.closed:
                    break
                try:
                    await (ws.send_str(each) if isinstance(each, str) else ws.send_bytes(each))
                except ConnectionError:
                    break
            async for message in ws:
                heard.append(message.data)
            return ws.close_code, heard

    return asyncio.run(asyncio.wait_for(speak(), WAIT_S))


def mangled(luck, whole):
    """Return an altered, cut, random, empty or forbidden message."""
    kind = luck.randrange(6)
    if kind == 0:
        place = luck.randrange(len(whole))
        return whole[:place] + chr(luck.randrange(1, 0x250)) + whole[place + 1 :]
    if kind == 1:
        return whole[: luck.randrange(1, len(whole))]
    if kind == 2:
        return "".join(chr(luck.randrange(1, 0x250)) for _ in range(luck.randrange(1, 60)))
    fields = [str(luck.choice((-1, 0, 1, 10**17, "", "x", "\x00", "é"))) for _ in range(luck.randrange(6))]
    name = luck.choice(("HEL", "PRF", "PON", "BUZ", "KEY", "LST", "ACK", "GRN", "UPD", "SET", "ZZZ"))
    return sentence(name, *fields).encode().decode()


def test_malformed_messages_stop_nothing(phones, phone, told, monkeypatch):
    monkeypatch.setattr(conversation, "PATIENCE_NS", 300 * MS)
    luck = random.Random("malformed")
    identity = made_of(phone.secret, b"id")[:8].hex().upper()
    hello = sentence("HEL", 1, identity, "page", "BKLTWQP", "0A0B0C0D", 1, "00000000").encode().decode()
    before = len(told)
    for _ in range(10):
        code, heard = spoken(phones, [mangled(luck, hello) for _ in range(1_000)])
        assert code in {4001, 4003, 1006}  # 1006: the client was still sending
        assert all(said[3:6] in {"HEY", "PRV"} for said in heard if isinstance(said, str))
    assert len(told) == before
    still_plays(phones, phone, told)
    assert FIRST not in phones.troubles


@pytest.mark.parametrize("said", ["x" * (PHONE_MESSAGE_SIGNS + 1), b"$TCACK,1*3B28E587\r\n", ""])
def test_overlong_or_nontext_message_ends_its_connection(phones, phone, told, said):
    code, _ = spoken(phones, [said])
    assert code in {4003, 1009}
    still_plays(phones, phone, told)


def test_chatty_client_is_cut_off(phones, phone, told):
    code, _ = spoken(phones, ["$TC" + "x" * 150] * 5_000)
    assert code == 4003
    still_plays(phones, phone, told)


def test_unfinished_requests_are_closed_after_a_timeout(phones, phone, told, monkeypatch):
    monkeypatch.setattr(server_module, "PATIENCE_S", 0.5)
    opened = []
    for _ in range(200):
        one = socket.create_connection(("127.0.0.1", phones.server.port), WAIT_S)
        one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        opened.append(one)
    still_plays(phones, phone, told)
    most = PHONE_CONNECTIONS + server_module.AT_ONCE
    wait_for(lambda: len([one for one in opened if ended(one)]) >= 200 - most, "the end of those too many")
    wait_for(lambda: all(map(ended, opened)), "the end of them")
    assert asked(phones, "/words/en.json")[0] == 200
    for one in opened:
        one.close()


def test_unfinished_tls_handshakes_are_counted_and_closed(told, tmp_path, monkeypatch):
    monkeypatch.setattr(server_module, "PATIENCE_S", 1.0)
    options = replace(HERE, certificate=str(tmp_path / "table.pem"), key=str(tmp_path / "table.key"))
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-days", "2", "-subj", "/CN=table", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*made, "-keyout", options.key, "-out", options.certificate], check=True, capture_output=True)
    phones = Phones(options, told.append, MonotonicClock())
    phones.watch()
    opened = []
    try:
        for number in range(200):
            one = socket.create_connection(("127.0.0.1", phones.server.port), WAIT_S)
            if number % 2:
                one.sendall(b"\x16\x03\x01\x00\xc8")  # the beginning of a greeting
            opened.append(one)
        most = PHONE_CONNECTIONS + server_module.AT_ONCE
        wait_for(lambda: len([one for one in opened if ended(one)]) >= 200 - most, "the end of those too many")
        wait_for(lambda: all(map(ended, opened)), "the end of them")
        context = ssl.create_default_context(cafile=options.certificate)
        asks = HTTPSConnection("127.0.0.1", phones.server.port, context=context, timeout=WAIT_S)
        asks.request("GET", "/words/en.json")
        assert asks.getresponse().status == 200
        asks.close()
    finally:
        phones.close()
        for one in opened:
            one.close()


@pytest.mark.parametrize(
    "said",
    [
        b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000 + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET http://x:99999/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nExpect: \xf4\r\n\r\n",
    ],
    ids=["a control character", "two hosts", "too long", "two lengths", "a port", "no text"],
)
def test_malformed_request_gets_400_without_logged_errors(phones, phone, told, caplog, said):
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", phones.server.port), WAIT_S) as one:
            one.sendall(said.replace(b"PORT", b"%d" % phones.server.port))
            answer = one.makefile("rb").read()
            assert re.match(rb"HTTP/1.[01] 400 ", answer)
            assert b"Content-Security-Policy: default-src 'none'" in answer
            assert b"\r\nServer: table\r\n" in answer
    still_plays(phones, phone, told)
    assert not [record for record in caplog.records if record.name.startswith("aiohttp") or record.exc_info]


def test_body_is_neither_read_nor_unpacked(phones, phone, told):
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    bomb = (
        head + (packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)) * 2_000
    )  # 2 MB that unpack to 2 GB
    asks = b"%s / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
    began_s = time.process_time()
    for method in (b"POST", b"GET"):
        with socket.create_connection(("127.0.0.1", phones.server.port), WAIT_S) as one:
            one.sendall(asks % (method, phones.server.port, len(bomb)))
            with suppress(ConnectionError):  # it is closed while it arrives
                one.sendall(bomb)
                assert one.makefile("rb").read().startswith(b"HTTP/1.1 405")  # until it is closed
    still_plays(phones, phone, told)
    assert time.process_time() - began_s < 2


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "NONSENSE"])
def test_methods_other_than_get_are_refused(phones, method):
    with socket.create_connection(("127.0.0.1", phones.server.port), WAIT_S) as one:
        one.sendall(f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{phones.server.port}\r\n\r\n".encode())
        answer = one.makefile("rb").read()  # until it is closed
    assert re.match(rb"HTTP/1.[01] 40[05] ", answer)
    assert b"Content-Security-Policy: default-src 'none'" in answer


def test_unauthenticated_client_may_say_only_little(phones, phone, told):
    code, _ = spoken(phones, ["$TC" + "x" * 97] * 30)
    assert code == 4003
    still_plays(phones, phone, told)


def test_page_that_pings_is_cut_off(phones, phone, told):
    async def ping():
        here = f"http://127.0.0.1:{phones.server.port}"
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{here}/pod", origin=here) as ws:
            await ws.ping(b"x" * 100)
            async for _ in ws:
                pass
            return ws.close_code

    assert asyncio.run(asyncio.wait_for(ping(), WAIT_S)) == 4003
    still_plays(phones, phone, told)


def ended(one):
    one.setblocking(False)
    try:
        return one.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_wrong_host_or_origin_is_refused(phones):
    assert asked(phones, "/words/fr.json")[0] == 200
    port = phones.server.port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "", f":{port}", "127.0.0.1:1"):
        assert asked(phones, "/words/fr.json", Host=host)[0] in {400, 421}
    with pytest.raises(aiohttp.WSServerHandshakeError):
        spoken(phones, [], origin="http://evil.example")


def test_host_without_a_port_means_port_80(phones, monkeypatch):
    connected = f"http://127.0.0.1:{phones.server.port}"
    for port, status in ((80, 200), (443, 421)):
        with monkeypatch.context() as patch:
            patch.setattr(phones.server, "port", port)
            request = Request(f"{connected}/words/fr.json", headers={"Host": "127.0.0.1"})
            try:
                answer = urlopen(request, timeout=WAIT_S)
            except HTTPError as error:  # it is an answer, too
                answer = error
            with answer:
                found = answer.status
        assert found == status


def test_only_the_pages_files_are_served(phones):
    paths = (
        "/page/",
        "/page",
        "/page/..",
        "/page/..%2f..%2fpyproject.toml",
        "/page/%2e%2e/sounds/LICENSE",
        "/words/..%2fx.json",
    )
    for path in (*paths, "/words/de.json", "/state", "/page/nobody.js"):
        status, _, body = asked(phones, path)
        assert (status, body) == (404, b"")


def test_every_answer_forbids_inline_code(phones):
    for path in ("/", "/s", "/nothing", "/frame.png", "/words/en.json"):
        policy = asked(phones, path)[1]["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'none'")


def test_flooding_address_gets_429(phones, phone, told):
    assert 429 in [asked(phones, "/frame.png")[0] for _ in range(200)]
    still_plays(phones, phone, told)


def test_websockets_per_address_are_limited(phones, phone, told):
    async def open_all():
        here = f"http://127.0.0.1:{phones.server.port}"
        async with aiohttp.ClientSession() as session:
            most = PHONES_OF_ONE_ADDRESS - 1  # one is the phone's
            opened = [await session.ws_connect(f"{here}/pod", origin=here) for _ in range(most)]
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(f"{here}/pod", origin=here)
            assert not any(each.closed for each in opened)

    asyncio.run(asyncio.wait_for(open_all(), WAIT_S))
    still_plays(phones, phone, told)


def test_identity_without_its_secret_receives_nothing(phones, phone, told):
    phones.say(FIRST, "a hand of sevens")
    identity = made_of(phone.secret, b"id")[:8].hex().upper()

    class Liar(SimPhone):
        async def _connect(self, session):
            self.page.identity = self.page._link._identity = identity
            self.page.take = lambda _: None
            await super()._connect(session)

    with Liar(f"{phones.addresses[0]}s#{'A' * 22}") as liar:
        wait_for(lambda: liar.refused)
    assert {said[3:6] for said in liar.heard} == {"HEY", "PRV"}
    still_plays(phones, phone, told)


def test_table_without_phones_loads_no_server():
    script = (
        "import sys, socket\n"
        "def refuse(*_, **__): raise AssertionError('a socket')\n"
        "socket.socket.bind = socket.create_server = refuse\n"
        "from companion.devices.phones.phones import Phones\n"
        "from companion.devices.phones.options import PhoneOptions\n"
        "from companion.core.clock import MonotonicClock\n"
        "import companion.table.app\n"
        "phones = Phones(PhoneOptions(), print, MonotonicClock())\n"
        "phones.watch()\n"
        "assert phones.invite([0]) == {} and phones.settle_ns == 0\n"
        "phones.close()\n"
        "assert not {'aiohttp', 'segno', 'asyncio'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


# --- Secrets and other phones -----------------------------------------------------------------------------


class Room:
    """Two phones at a table in virtual time; `heard` has the second's bytes with their times."""

    def __init__(self):
        self.clock = VirtualClock(5_000 * MS)
        self.phones = Phones(PhoneOptions(), lambda _: None, self.clock)
        self.pages, self.talks, self.heard = [], [], []
        for place in (FIRST, SECOND):
            token = module.Secret(bytes([place] * 16))
            secret = module.Secret(bytes([place + 7] * 32))
            self.phones._tokens[place] = token
            assert self.phones._give(token, secret)
            page = SimPage(secret._secret, f"{place:08X}", 0, 5)
            page.now_us = lambda: self.clock.now_ns() // 1_000
            page.greet()
            self.pages.append(page)
            self.talks.append(self.phones.begin())

    def step(self):
        self.clock.jump(self.clock.now_ns() + MS)
        t_us = self.clock.now_ns() // 1_000
        for page, talk in zip(self.pages, self.talks, strict=True):
            page.tick(t_us)
            self.phones.hear(talk, bytes(page.out))
            page.out.clear()
            due = self.phones.due(talk)
            if talk is self.talks[1] and (due.said or due.png):
                self.heard.append((self.clock.now_ns(), due.said, due.png))
            page.hear(due.said, t_us)


def what_the_other_hears(luck, monkeypatch):
    """Return the bytes sent to the second phone while the first's hand, keys and screen are random."""
    drawn = random.Random("of both")
    for where, name in ((conversation, "draw_nonce"), (conversation, "_draw_session")):
        digits = 8 if name == "_draw_session" else 16
        monkeypatch.setattr(where, name, lambda digits=digits: f"{drawn.getrandbits(4 * digits):0{digits}X}")
    room = Room()
    for at_ms in range(1_500):
        if luck.random() < 0.02:
            room.pages[0].key(room.clock.now_ns() // 1_000, luck.choice(KEYS))
        if luck.random() < 0.02:
            room.phones.say(FIRST, "".join(luck.choices(KEYS, k=luck.randrange(20))))
            room.phones.picture(FIRST, luck.randbytes(luck.randrange(30_000)))
            room.phones.describe(FIRST, "".join(luck.choices(KEYS, k=luck.randrange(90))))
        if at_ms % 50 == 0:
            room.pages[1].key(room.clock.now_ns() // 1_000, KEYS[at_ms // 50 % len(KEYS)])
        if at_ms == 700:
            room.phones.say(SECOND, "all have locked")
            room.phones.show(SECOND, Lamp.ON)
            room.phones.picture(SECOND, b"what all see")
        room.step()
    assert room.pages[0].proved_by_host
    assert room.pages[1].lines[0] == "all have locked"
    assert [png for *_, png in room.heard if png] == [b"[]\nwhat all see"]
    return room.heard


@pytest.mark.soak
def test_other_phones_traffic_never_depends_on_a_secret(monkeypatch, soak_count):
    first = what_the_other_hears(random.Random("a pair"), monkeypatch)
    assert len(first) > 20
    for number in range(soak_count(1_000)):
        assert what_the_other_hears(random.Random(number), monkeypatch) == first


def test_secret_never_appears_in_a_repr(phones):
    code = phones.invite([FIRST])[FIRST]
    token = code.address.rpartition("#")[2]
    shown = " ".join(map(repr, (code, module.Secret(token_of(code.address)), phones, phones.server)))
    assert token not in shown
