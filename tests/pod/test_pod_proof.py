"""Tests the firmware's proofs against RFC 4231 and forged sentences."""

import hashlib
import hmac
from binascii import crc32

import pytest
from link import Link
from proof import Mac
from sentences import LONGEST, PROOF_LONGEST, Reader, build

from tests.pod.test_pod_link import Desk

VECTORS = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]
"""From RFC 4231, 4.2 to 4.8."""

KEY = bytes(range(32))
OTHER_KEY = bytes(32)
HOSTS, OTHER_HOSTS = b"0123456789ABCDEF", b"FEDCBA9876543210"


@pytest.mark.parametrize(("key", "text", "mac"), VECTORS)
def test_mac_matches_the_vectors_of_rfc_4231(key, text, mac):
    assert Mac(key).of(text).hex().startswith(mac)


def tag_of(key, text):
    return hmac.digest(key, text, hashlib.sha256)[:8].hex().upper().encode()


class Paired:
    """A pod with a key, and its host."""

    def __init__(self):
        self.wire = b""
        self.desk = Desk()
        self.draws = 0
        self.link = Link("E661", "1.2", "9F3A11C0", self._send, self.desk, key=KEY, draw=self._draw)
        self.reader = Reader()
        self.said = 0

    def _send(self, sentence):
        self.wire += sentence

    def _draw(self, count):
        self.draws += 1
        return bytes([self.draws]) * count

    def hears(self, data):
        """Return the answers with their proofs."""
        self.link.receive(data, 0, 0)
        data, self.wire = self.wire, b""
        return [(tuple(words), self.reader.proof) for words in self.reader.feed(data)]

    def begins(self, drawn=HOSTS):
        """Request a proof; return the answer."""
        self.hears(build(b"HEY", 1, b"5B0C77E2"))
        ((words, proof),) = self.hears(build(b"PRV", drawn))
        self.keys = [hmac.digest(KEY, way + drawn + words[2], hashlib.sha256) for way in (b"host", b"pod")]
        self.said = 0
        return words, proof

    def proved(self, kind, *fields, number=None, key=None):
        """Return the host's next proved sentence."""
        self.said = number or self.said + 1
        numbered = build(kind, *fields)[1:-11] + b"*%d" % self.said
        body = numbered + b"*" + tag_of(key or self.keys[0], numbered)
        return b"$" + body + b"*%08X\r\n" % crc32(body)


@pytest.fixture
def pod():
    made = Paired()
    made.begins()
    assert made.hears(made.proved(b"PNG", 1))
    return made


def test_paired_pod_announces_its_proof():
    pod = Paired()
    ((words, proof),) = pod.hears(build(b"HEY", 1, b"5B0C77E2"))
    assert (words[4], proof) == (b"BKLTP", None)


def test_pod_proves_its_session_and_first_event():
    pod = Paired()
    words, proof = pod.begins()
    assert words == (b"PRF", HOSTS, b"01" * 8, b"9F3A11C0", b"1")
    number, tag, made_of = proof
    assert (number, tag) == (1, tag_of(pod.keys[1], made_of))
    assert made_of == b"TC" + b",".join(words) + b"*1"


def test_repeated_request_starts_no_new_session():
    pod = Paired()
    words, _ = pod.begins()
    ((again, proof),) = pod.hears(build(b"PRV", HOSTS))
    assert (again, proof[0]) == (words, 2)
    assert pod.begins(OTHER_HOSTS)[0][2] == b"02" * 8


def test_every_later_sentence_is_proved(pod):
    pod.link.event(b"BUZ", 7, 1)
    pod.link.poll(0)
    said = [*pod.hears(pod.proved(b"PNG", 2)), *pod.hears(pod.proved(b"LMP", 1, 1))]
    assert [words[0] for words, _ in said] == [b"BUZ", b"PON", b"ACK"]
    assert said[1][0] == (b"PON", b"2", b"0", b"1", b"1", b"1234"), "with the clock when the answer was made"
    numbers = [proof[0] for _, proof in said]
    assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    assert all(tag == tag_of(pod.keys[1], made_of) for _, (_, tag, made_of) in said)


def test_pod_accepts_each_proved_sentence_once(pod):
    lamp = pod.proved(b"LMP", 1, 1)
    assert pod.hears(lamp)
    pod.desk.told.clear()
    for forged in (
        lamp,
        build(b"LMP", 2, 2),
        pod.proved(b"LMP", 2, 2, number=1),
        pod.proved(b"LMP", 2, 2, number=99, key=OTHER_KEY),
        pod.proved(b"LMP", 2, 2, number=99, key=pod.keys[1]),
    ):
        assert pod.hears(forged) == []
    assert pod.desk.told == []


def test_proofs_of_earlier_sessions_are_rejected(pod):
    old = [pod.proved(b"TXT", 1, 0, "old", number=number) for number in range(1, 50)]
    pod.begins(OTHER_HOSTS)
    assert pod.hears(b"".join(old)) == []
    pod.begins(HOSTS)
    assert pod.hears(b"".join(old)) == [], "what the pod draws is new, too"


def test_unpaired_pod_proves_nothing():
    pod = Paired()
    pod.link = Link("E661", "1.2", "9F3A11C0", pod._send, pod.desk)
    ((words, _),) = pod.hears(build(b"HEY", 1, b"5B0C77E2"))
    assert words[4] == b"BKLT"
    assert pod.hears(build(b"PRV", HOSTS)) == []
    assert pod.hears(build(b"LMP", 1, 1)) == [((b"ACK", b"1"), None)]


def test_proof_leaves_a_sentence_its_full_length(pod):
    text = b"x" * (LONGEST - len("$TCTXT,1,0,*00000000"))
    sentence = pod.proved(b"TXT", 1, 0, text, number=9_999_999_999)
    assert len(sentence) == LONGEST + PROOF_LONGEST + len("\r\n")
    assert pod.hears(sentence)
    assert pod.desk.told[-1] == ("show", 0, text)


@pytest.mark.parametrize("place", range(4, 46))
def test_damaged_sentence_is_dropped(pod, place):
    sentence = bytearray(pod.proved(b"TXT", 1, 0, "Your bid"))
    sentence[place] ^= 1
    assert pod.hears(bytes(sentence)) == []


def test_unproved_sentences_stay_rejected_after_new_request(pod):
    pod.link.event(b"KEY", 1, "5")
    pod.link.poll(1)
    pod.hears(build(b"HEY", 1, b"AAAAAAAA"))
    pod.hears(build(b"PRV", OTHER_HOSTS))  # anybody may request a proof
    pod.desk.told.clear()
    for kind, *fields in ((b"LMP", 1, 1), (b"TXT", 1, 0, "pwned"), (b"PNG", 1), (b"ACK", 1)):
        assert pod.hears(build(kind, *fields)) == []
    assert pod.desk.told == []
    pod.link.poll(200_000)
    assert pod.hears(b"")[0][0][0] == b"KEY", "it is kept until the host proves that it has it"
    pod.begins()
    assert pod.hears(pod.proved(b"LMP", 1, 1))
    assert pod.desk.told == [("clear",), ("light", 1)]
