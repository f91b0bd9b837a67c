"""Brokers that hang, refuse, flood or lie never hold up a table."""

import logging
import socket
import threading
from pathlib import Path

import pytest

from benchmarks.brokers import LET_IN, Serve, bad_broker, flood, hang, lie, publish, refuse
from companion.club import broker
from companion.club.broker import QUEUE, Broker, Connection, Sent, connection
from companion.club.checks import look
from companion.config.sections import ClubOptions
from companion.devices.errors import DeviceError
from companion.devices.findings import Severity

PATIENCE_S = 20


def reached(broker_: Broker, said: str) -> bool:
    never = threading.Event()
    for _ in range(PATIENCE_S * 50):
        if said in str(broker_.trouble):
            return True
        never.wait(0.02)
    return False


@pytest.mark.parametrize(
    ("serve", "said"),
    [
        (hang, "it is not responding"),
        (refuse, "Not authorized"),
        (flood, "next try in a minute"),
        (lie, "next try in a minute"),
    ],
)
def test_broker_trouble_is_reported(serve: Serve, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "ANSWER_S", 0.5)
    with bad_broker(serve) as port:
        tried = Broker(Connection("127.0.0.1", port), wanted=("companion/window/do/message",))
        tried.start()
        assert reached(tried, said)
        tried.stop()


def let_in(line: socket.socket) -> None:
    """Accept the connection, then stay silent."""
    line.recv(4096)
    line.sendall(LET_IN)
    hang(line)


def tell(line: socket.socket) -> None:
    """Send two subscribed messages, then stay silent."""
    line.recv(4096)
    line.sendall(LET_IN)
    for text in (b"first", b"second"):
        line.sendall(publish(b"companion/window/do/message", text))
    hang(line)


@pytest.mark.logs_errors
def test_failing_callback_does_not_end_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[bytes] = []
    second = threading.Event()

    def hear(_topic: str, data: bytes) -> None:
        heard.append(data)
        if len(heard) == 2:
            second.set()
        raise OverflowError("a defect")

    with bad_broker(tell) as port:
        tried = Broker(Connection("127.0.0.1", port), wanted=("companion/window/do/message",), hear=hear)
        tried.start()
        assert second.wait(PATIENCE_S)
        assert tried.trouble is None
        tried.stop()
    assert heard == [b"first", b"second"]
    assert "companion/window/do/message" in caplog.text
    assert "OverflowError: a defect" in caplog.text


@pytest.mark.logs_errors
def test_internal_error_is_logged_and_the_connection_returns(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(broker, "ASTRAY_S", 0.2)
    greeted: list[int] = []

    def hello() -> list[Sent]:
        greeted.append(1)
        if len(greeted) == 1:
            raise KeyError("a defect")
        return []

    with bad_broker(let_in) as port:
        tried = Broker(Connection("127.0.0.1", port), hello=hello)
        tried.start()
        assert reached(tried, "an internal error; the details are in the log")
        assert reached(tried, "None")
        tried.stop()
    assert "KeyError: 'a defect'" in caplog.text


def test_refused_connection_is_reported() -> None:
    with bad_broker(hang) as port:
        pass
    tried = Broker(Connection("127.0.0.1", port))
    tried.start()
    assert reached(tried, "Connection refused")
    tried.stop()


def test_queue_for_a_broker_is_bounded() -> None:
    tried = Broker(Connection("127.0.0.1", 1))
    for number in range(3 * QUEUE):
        tried.put(Sent("event", str(number).encode()))
        tried.put(Sent("state", str(number).encode(), kept=True))
    assert len(tried._passing) == QUEUE
    assert [sent.payload for sent in tried._lasting.values()] == [str(3 * QUEUE - 1).encode()]


def test_result_is_resent_until_it_is_confirmed() -> None:
    seen: list[bytes] = []
    arrived = threading.Event()

    def serve(line: object) -> None:
        line.recv(4096)  # type: ignore[attr-defined]
        line.sendall(LET_IN)  # type: ignore[attr-defined]
        data = line.recv(4096)  # type: ignore[attr-defined]
        seen.append(data)
        if len(seen) == 3:
            at = data.index(b"result") + len(b"result")
            line.sendall(bytes((0x40, 2)) + data[at : at + 2])  # type: ignore[attr-defined]
            arrived.wait(PATIENCE_S)

    with bad_broker(serve) as port:
        tried = Broker(Connection("127.0.0.1", port), arrived=lambda _: arrived.set())
        tried.put(Sent("result", b"Anna has won", sure=True))
        tried.start()
        assert arrived.wait(PATIENCE_S)
        tried.stop()
    assert all(b"Anna has won" in data for data in seen)
    assert not tried._unconfirmed


def test_password_never_appears_in_texts_or_logs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    file = tmp_path / "password"
    file.write_text("very secret\n", "utf-8-sig")
    way = connection(ClubOptions("127.0.0.1", 1, user="me", password_file=str(file)))
    assert way.password == "very secret"
    assert "very secret" not in f"{way} {way!r}"
    tried = Broker(way)
    tried.start()
    assert reached(tried, "Connection refused")
    tried.stop()
    assert "very secret" not in caplog.text


@pytest.mark.parametrize("key", ["password_file", "certificate"])
def test_missing_password_or_certificate_file_is_named(tmp_path: Path, key: str) -> None:
    options = ClubOptions("127.0.0.1", user="me", **{key: str(tmp_path / "nothing")})
    with pytest.raises(DeviceError, match=r"\[club\].*nothing.*No such file"):
        connection(options)


def test_undecodable_password_is_reported_without_its_content(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_bytes("pässwörter".encode("latin-1"))
    with pytest.raises(DeviceError) as refused:
        connection(ClubOptions("127.0.0.1", user="me", password_file=str(file)))
    assert str(refused.value) == f"[club]: {file}: it is not valid UTF-8; save the file as UTF-8"


def test_message_length_is_encoded_correctly() -> None:
    assert publish(b"t", b"x" * 200)[:3] == bytes((0x30, 0x80 | 76, 1))


def test_doctor_reports_whether_the_broker_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(broker, "ANSWER_S", 0.5)
    monkeypatch.setattr(broker, "PATIENCE_S", 1.0)
    assert not list(look(ClubOptions()))
    with bad_broker(refuse) as port:
        (found,) = look(ClubOptions(broker="127.0.0.1", port=port))
        assert found.severity is Severity.WEAK
        assert f"cannot use the broker 127.0.0.1:{port}: Not authorized" in str(found.found)
    with bad_broker(let_in) as port:
        (found,) = look(ClubOptions(broker="127.0.0.1", port=port))
    assert found.severity is Severity.OK
    (found,) = look(ClubOptions(broker="127.0.0.1", password_file=str(tmp_path / "nothing")))
    assert found.severity is Severity.BAD
    assert "nothing: No such file" in str(found.found)
