"""Tests the port with MicroPython's polling."""

from port import PENDING_MAX, READ_MAX, WRITE_PIECE, Port
from stream import Stream


class Clock:
    def __init__(self):
        self.us = 0

    def now_us(self):
        self.us += 1
        return self.us


def port():
    reader, writer = Stream(), Stream()
    return reader, writer, Port(reader, writer, Clock().now_us)


def test_port_reads_arrived_bytes_without_waiting():
    reader, _, line = port()
    assert line.read(0) == b""
    reader.incoming = b"\x03abc"
    assert line.read(1) == b"\x03abc"
    reader.incoming = bytes(READ_MAX + 7)
    assert [len(line.read(1)), len(line.read(1)), len(line.read(0))] == [READ_MAX, 7, 0]


def test_read_ends_at_sentence_and_keeps_its_start():
    reader, _, line = port()
    reader.incoming = b"noise$TCPNG,1*9DD87A0C\r\n$TCPN"
    assert line.read(0) == b"noise$TCPNG,1*9DD87A0C\r\n"
    assert line.begun_us == 1
    assert line.read(0) == b"$TCPN"
    assert line.begun_us == 2
    reader.incoming = b"G,2*0\r\n"
    assert line.read(0) == b"G,2*0\r\n"
    assert line.begun_us == 2, "the clock at its $, not at its end"


def test_port_writes_what_fits_and_continues_later():
    _, writer, line = port()
    data = bytes(range(200))
    line.send(data)
    writer.room = WRITE_PIECE + 10
    line.flush()
    assert writer.taken() == data[: WRITE_PIECE + 10]
    line.flush()
    assert writer.taken() == b""
    writer.room = 1000
    line.flush()
    assert writer.taken() == data[WRITE_PIECE + 10 :]


def test_unread_output_is_dropped_in_whole_sentences():
    _, writer, line = port()
    writer.room = 0
    for _ in range(1000):
        line.send(b"x" * 99 + b"\n")
        line.flush()
    writer.room = 1 << 20
    line.flush()
    assert writer.taken() == (b"x" * 99 + b"\n") * (PENDING_MAX // 100)
