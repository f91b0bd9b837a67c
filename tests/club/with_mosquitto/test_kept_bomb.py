"""A huge retained message does not cut a table off from its broker."""

import threading
from pathlib import Path

from companion.club.broker import PACKET_BYTES, Broker, Connection, Sent
from tests.club.with_mosquitto import mosquitto

TOPIC = "companion/window/do/message"
PATIENCE_S = 20


def test_huge_retained_message_does_not_block_the_others(tmp_path: Path) -> None:
    heard: list[bytes] = []
    arrived, came = threading.Event(), threading.Event()

    def hear(_topic: str, data: bytes) -> None:
        heard.append(data)
        came.set()

    with mosquitto.running(tmp_path / "broker", tls=False) as real:
        way = Connection("127.0.0.1", real.port, mosquitto.USER, mosquitto.PASSWORD)
        bad = Broker(way, arrived=lambda _: arrived.set())
        bad.put(Sent(TOPIC, bytes(2 * PACKET_BYTES), kept=True, sure=True))
        bad.start()
        assert arrived.wait(PATIENCE_S)
        table = Broker(way, wanted=(TOPIC,), hear=hear)
        table.start()
        assert table.wait(1.0) is None
        bad.put(Sent(TOPIC, b"Pizza is here", sure=True))
        assert came.wait(PATIENCE_S)
        table.stop()
        bad.stop()
    assert heard == [b"Pizza is here"]
