"""The port on MicroPython's own polling."""

from port import PENDING_MAX, READ_MAX, WRITE_PIECE, Port
from stream import Stream


def port():
    reader, writer = Stream(), Stream()
    return reader, writer, Port(reader, writer)


def test_it_reads_what_has_arrived_and_never_waits_for_more():
    reader, _, line = port()
    assert line.read(0) == b""
    reader.incoming = b"\x03abc"
    assert line.read(1) == b"\x03abc"
    reader.incoming = bytes(READ_MAX + 7)
    assert [len(line.read(1)), len(line.read(1)), len(line.read(0))] == [READ_MAX, 7, 0]


def test_it_writes_as_much_as_there_is_room_for_and_goes_on_later():
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


def test_a_host_that_does_not_read_costs_whole_sentences_not_memory():
    _, writer, line = port()
    writer.room = 0
    for _ in range(1000):
        line.send(b"x" * 99 + b"\n")
        line.flush()
    writer.room = 1 << 20
    line.flush()
    assert writer.taken() == (b"x" * 99 + b"\n") * (PENDING_MAX // 100)
