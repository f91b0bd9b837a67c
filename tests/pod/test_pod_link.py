"""Tests the pod's end of the link over bad lines."""

import random

import pytest
from link import ALONE_US, KEPT_MAX, RESEND_US, WINDOW, Link
from sentences import Reader, build

SESSION = b"5B0C77E2"
OTHER = b"00000001"


class Desk:
    """Records what the player would see."""

    def __init__(self):
        self.told = []

    def capabilities(self):
        return "BKLT"

    def pressed(self):
        return 1

    def now_us(self):
        return 1_234

    def show(self, line, text):
        self.told.append(("show", line, text))

    def light(self, state):
        self.told.append(("light", state))

    def clear(self):
        self.told.append(("clear",))

    def prompt(self):
        self.told.append(("prompt",))


class Pod:
    def __init__(self, boot="9F3A11C0"):
        self.desk = Desk()
        self.wire = b""
        self.link = Link("E661", "1.0", boot, self._send, self.desk)

    def _send(self, sentence):
        self.wire += sentence

    def sent(self):
        data, self.wire = self.wire, b""
        return [tuple(words) for words in Reader().feed(data)]

    def hears(self, kind, *fields, at_us=0):
        self.link.receive(build(kind, *fields), at_us, at_us - 400)
        return self.sent()

    def polls(self, at_us):
        self.link.poll(at_us)
        return self.sent()


@pytest.fixture
def pod():
    """Return a pod that was greeted."""
    made = Pod()
    made.hears(b"HEY", 1, SESSION)
    made.desk.told.clear()
    return made


def hello(first, session):
    return (b"HEL", b"1", b"E661", b"1.0", b"BKLT", b"9F3A11C0", b"%d" % first, session)


def presses(pod, count):
    for number in range(count):
        pod.link.event(b"BUZ", 1000 * number, 1)


def test_ungreeted_pod_says_hello_and_accepts_nothing():
    pod = Pod()
    pod.link.hello()
    assert pod.sent() == [hello(1, b"-")]
    presses(pod, 2)
    assert pod.polls(0) == []
    for words in ((b"PNG", 1), (b"TXT", 1, 0, "x"), (b"LMP", 1, 1), (b"ACK", 1)):
        assert pod.hears(*words) == [hello(1, b"-")]
    assert pod.hears(*hello(1, b"-")) == [], "its own echo is no reason to speak"
    assert pod.desk.told == []
    assert pod.hears(b"HEY", 1, SESSION) == [hello(1, SESSION)]
    assert [words[1] for words in pod.polls(0)] == [b"1", b"2"], "what the early ACK named is still kept"


def test_unknown_version_is_answered_but_not_accepted():
    pod = Pod()
    assert pod.hears(b"HEY", 2, SESSION) == [hello(1, SESSION)]
    assert pod.hears(b"PNG", 1) == [hello(1, b"-")]


def test_invalid_session_is_not_a_greeting():
    pod = Pod()
    for session in (b"-", b"", b"5B0C77E", b"x" * 90):
        assert pod.hears(b"HEY", 1, session) == []


def test_pong_has_arrival_last_event_level_and_time(pod):
    presses(pod, 3)
    came_us = (1 << 40) + 5
    (pong,) = pod.hears(b"PNG", 17, at_us=came_us + 400)
    assert pong == (b"PON", b"17", b"%d" % came_us, b"3", b"1", b"1234")


def test_only_the_oldest_8_events_are_sent(pod):
    presses(pod, 12)
    assert pod.polls(0) == [(b"BUZ", b"%d" % n, b"%d" % (1000 * n - 1000), b"1") for n in range(1, WINDOW + 1)]
    assert pod.polls(RESEND_US - 1) == []
    assert [words[1] for words in pod.polls(RESEND_US)] == [b"%d" % n for n in range(1, 9)]
    pod.hears(b"ACK", 5, at_us=RESEND_US + 50)
    assert [words[1] for words in pod.polls(RESEND_US + 50)] == [b"9", b"10", b"11", b"12"]
    assert pod.polls(2 * RESEND_US + 49) == []
    assert [words[1] for words in pod.polls(2 * RESEND_US + 50)] == [b"%d" % n for n in range(6, 13)]
    pod.hears(b"ACK", 12)
    assert pod.polls(10 * RESEND_US) == []


def test_acknowledgement_of_unsent_event_is_ignored(pod):
    presses(pod, 10)
    for number in (0, 1, 9, 99):
        pod.hears(b"ACK", number)
    assert [words[1] for words in pod.polls(0)] == [b"%d" % n for n in range(1, 9)]
    pod.hears(b"ACK", 9)
    assert [words[1] for words in pod.polls(RESEND_US)] == [b"%d" % n for n in range(1, 9)]


def test_hosts_sentences_count_once_in_order(pod):
    assert pod.hears(b"LMP", 2, 1) == [(b"ACK", b"0")]
    assert pod.hears(b"TXT", 1, 1, "Böse") == [(b"ACK", b"1")]
    assert pod.hears(b"TXT", 1, 1, "Böse") == [(b"ACK", b"1")]
    assert pod.hears(b"LMP", 2, 2) == [(b"ACK", b"2")]
    assert pod.desk.told == [("show", 1, "Böse".encode()), ("light", 2)]


@pytest.mark.parametrize(
    "words",
    [
        (b"TXT", 1, 4, "no such line"),
        (b"TXT", 1, 0),
        (b"LMP", 1, 3),
        (b"LMP", "x", 1),
        (b"LMP", 1, 1, 1),
        (b"PNG", "x"),
        (b"ACK", ""),
        (b"HEY", 1),
        (b"NEW", 1),
    ],
)
def test_malformed_or_unknown_sentence_is_dropped(pod, words):
    assert pod.hears(*words) == []
    assert pod.desk.told == []


def test_same_session_continues_and_new_one_restarts(pod):
    presses(pod, 2)
    pod.polls(0)
    pod.hears(b"ACK", 1)
    pod.hears(b"LMP", 1, 1)
    assert pod.hears(b"HEY", 1, SESSION) == [hello(2, SESSION)]
    assert [words[1] for words in pod.polls(1)] == [b"2"], "at once: what was on the line may have met nobody"
    assert pod.hears(b"LMP", 2, 0) == [(b"ACK", b"2")]
    pod.desk.told.clear()
    assert pod.hears(b"HEY", 1, OTHER) == [hello(2, OTHER)]
    assert pod.desk.told == [("clear",)]
    assert pod.hears(b"LMP", 1, 1) == [(b"ACK", b"1")]
    assert [words[1] for words in pod.polls(2)] == [b"2"]


def test_events_without_room_are_counted(pod):
    presses(pod, KEPT_MAX + 10)
    told = []
    now_us = 0
    while batch := pod.polls(now_us):
        told += batch
        pod.hears(b"ACK", batch[-1][1], at_us=now_us)
        now_us += RESEND_US
    assert [int(words[1]) for words in told] == list(range(1, KEPT_MAX + 2))
    assert [words[0] for words in told[: KEPT_MAX - 1]] == [b"BUZ"] * (KEPT_MAX - 1)
    assert [(words[0], int(words[3])) for words in told[KEPT_MAX - 1 :]] == [(b"LST", 1), (b"LST", 10)]
    presses(pod, 1)
    assert [words[:2] for words in pod.polls(now_us)] == [(b"BUZ", b"%d" % (KEPT_MAX + 2))]


def test_loss_is_reported_before_later_events(pod):
    presses(pod, KEPT_MAX + 10)
    pod.polls(0)
    pod.hears(b"ACK", WINDOW)
    pod.link.event(b"KEY", 99, "5")
    told = []
    for acknowledged in range(2 * WINDOW, KEPT_MAX + 2 * WINDOW, WINDOW):
        told += pod.polls(0)
        pod.hears(b"ACK", min(acknowledged, KEPT_MAX + 2))
    assert [words[0] for words in told[-3:]] == [b"LST", b"LST", b"KEY"]


def test_three_seconds_of_silence_mean_no_table():
    pod = Pod()
    assert pod.link.alone(0)
    pod.hears(b"HEY", 1, SESSION, at_us=1000)
    assert not pod.link.alone(1000 + ALONE_US - 1)
    assert pod.link.alone(1000 + ALONE_US)
    pod.hears(b"NEW", at_us=5_000_000)
    assert not pod.link.alone(5_000_000), "any valid sentence counts"


def test_upd_is_obeyed_at_any_time(pod):
    stranger = Pod()
    for made in (stranger, pod):
        assert made.hears(b"UPD") == []
        assert made.desk.told == [("prompt",)]


class Host:
    """A minimal host by docs/pod-protocol.md."""

    def __init__(self, session):
        self.session = session
        self.reader = Reader()
        self.wire = b""
        self.boot = None
        self.answered = False
        self.expected = 1
        self.events = []
        self.kept = []
        self.first = 1

    def begin(self):
        """Open the port again."""
        self.reader = Reader()
        self.answered = False

    def tell(self, kind, *fields):
        self.kept.append((kind, fields))

    def step(self):
        """Send what is due every 100 ms."""
        if not self.answered:
            self.wire += build(b"HEY", 1, self.session)
            return
        self.wire += build(b"PNG", 1)
        for at, (kind, fields) in enumerate(self.kept[:WINDOW]):
            self.wire += build(kind, self.first + at, *fields)

    def receive(self, data):
        for kind, *fields in self.reader.feed(data):
            if kind == b"HEL":
                self._greeted(fields)
            elif not self.answered:
                continue
            elif kind == b"ACK":
                count = max(0, int(fields[0]) - self.first + 1)
                self.kept, self.first = self.kept[count:], self.first + count
            elif kind in (b"KEY", b"BUZ", b"LST"):
                if int(fields[0]) == self.expected:
                    self.expected += 1
                    self.events.append((self.boot, kind, *fields[1:]))
                self.wire += build(b"ACK", self.expected - 1)

    def _greeted(self, fields):
        boot, following, session = fields[4], int(fields[5]), fields[6]
        self.answered = session == self.session
        if self.answered and boot != self.boot:
            self.boot, self.expected, self.first = boot, following, 1


def spoil(chance, data):
    """Flip, lose, double or swap some bytes."""
    spoiled = bytearray()
    for byte in data:
        fate = chance.random()
        if fate < 0.002:
            spoiled.append(byte ^ 1 << chance.randrange(8))
        elif fate < 0.004:
            pass
        elif fate < 0.006:
            spoiled += bytes((byte, byte))
        elif fate < 0.008 and spoiled:
            spoiled.insert(len(spoiled) - 1, byte)
        else:
            spoiled.append(byte)
    return bytes(spoiled)


class Table:
    """A host and a pod on a bad line."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.now_us = 0
        self.pod = Pod("B0000000")
        self.host = Host(SESSION)
        self.cable = True

    def step(self, line=spoil):
        self.now_us += 100_000
        self.host.step()
        self.pod.link.poll(self.now_us)
        for _ in range(2):  # answers to answers
            down, self.host.wire = self.host.wire, b""
            up, self.pod.wire = self.pod.wire, b""
            if self.cable:
                self.pod.link.receive(line(self.chance, down), self.now_us, self.now_us)
                self.host.receive(line(self.chance, up))

    def calm(self):
        """Run on a good line until nothing is left to send."""
        self.cable = True
        for _ in range(40):
            self.step(lambda _chance, data: data)

    def keys_of(self, boot):
        return [int(value) for life, kind, _, value in self.host.events if (life, kind) == (boot, b"KEY")]


def test_bad_line_neither_loses_nor_doubles_anything(soak_count):
    for seed in range(soak_count(2000)):
        table = Table(seed)
        numbers = [number for number in range(60) if table.chance.random() < 0.6]
        for number in range(60):
            if number in numbers:
                table.pod.link.event(b"KEY", table.now_us, number)
                table.host.tell(b"LMP", number % 3)
                table.host.tell(b"TXT", 0, number)
            if table.chance.random() < 0.1:
                table.cable = not table.cable
                table.host.begin()
            table.step()
        table.calm()
        told = table.pod.desk.told
        assert [words[2] for words in told if words[0] == "show"] == [b"%d" % number for number in numbers]
        assert [words[1] for words in told if words[0] == "light"] == [number % 3 for number in numbers]
        assert table.keys_of(b"B0000000") == numbers
        assert (table.host.kept, table.pod.polls(table.now_us + RESEND_US)) == ([], [])


def test_resets_do_not_mix_events_of_starts(soak_count):
    for seed in range(soak_count(2000)):
        table = Table(seed)
        made = {b"B0000000": 0}
        for step in range(80):
            boot = max(made)
            if table.chance.random() < 0.5:
                table.pod.link.event(b"KEY", table.now_us, made[boot])
                made[boot] += 1
            if table.chance.random() < 0.08:
                boot = b"B%07d" % (step + 1)
                table.pod = Pod(boot.decode())
                table.pod.link.hello()
                made[boot] = 0
            table.step()
        table.calm()
        for boot, count in made.items():
            keys = table.keys_of(boot)
            assert keys == list(range(len(keys)))
            assert len(keys) <= count
        assert len(table.keys_of(max(made))) == made[max(made)], "the last life is told to its end"


def test_new_host_continues_with_stored_events(soak_count):
    for seed in range(soak_count(2000)):
        table = Table(seed)
        heard = []
        made = 0
        for step in range(80):
            if table.chance.random() < 0.5:
                table.pod.link.event(b"KEY", table.now_us, made)
                made += 1
            if table.chance.random() < 0.08:
                heard.append(table.keys_of(b"B0000000"))
                table.host = Host(b"%08d" % step)
                table.host.tell(b"TXT", 0, step)
            table.step()
        table.calm()
        heard.append(table.keys_of(b"B0000000"))
        for keys in heard:
            assert keys == [keys[0] + at for at in range(len(keys))]
        assert set().union(*heard) == set(range(made)), "no key was lost between two hosts"
        assert table.host.kept == [], "and the pod takes the new host's numbers"
