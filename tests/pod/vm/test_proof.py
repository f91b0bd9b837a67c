"""Tests proofs on MicroPython, which lacks hmac."""

import time
from binascii import hexlify

from proof import Mac, Seal
from sentences import Reader, build

LONG_KEY = b"\xaa" * 131


def test_mac_matches_vectors_of_rfc_4231():
    for key, text, mac in (
        (b"\x0b" * 20, b"Hi There", b"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            b"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            LONG_KEY,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            b"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
    ):
        assert hexlify(Mac(key).of(text)) == mac


def test_sealed_sentence_can_be_read():
    seal = Seal(bytes(32), b"0123456789ABCDEF", b"A0A1A2A3A4A5A6A7")
    reader = Reader()
    assert list(reader.feed(seal.close(build(b"KEY", 1, 1830422, "5")))) == [[b"KEY", b"1", b"1830422", b"5"]]
    assert reader.proof == (1, b"158DCF4C1BF1823C", b"TCKEY,1,1830422,5*1")
    assert not seal.opens(reader.proof), "it is not the host that has said this"


def test_time_of_a_proof_is_printed():
    seal = Seal(bytes(32), b"0123456789ABCDEF", b"A0A1A2A3A4A5A6A7")
    sentence = build(b"BUZ", 1, 1830422, 1)
    began_us = time.ticks_us()
    for _ in range(1000):
        seal.close(sentence)
    print("a proof takes", time.ticks_diff(time.ticks_us(), began_us) / 1000, "us here")
