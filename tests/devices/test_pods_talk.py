"""Tests the link with a pod sentence by sentence."""

import pytest

from companion.core.console import Lamp
from companion.core.text import msg
from companion.devices.pods.conversation import Conversation
from companion.devices.pods.link import PodLink
from companion.devices.pods.reports import Away, Back, EdgeReport, Hello, Level
from companion.devices.pods.sentences import Reader, sentence

MS = 1_000_000
SESSION = "5B0C77E2"
POD = "E66118604B3A5C21"


def hello(boot="0000000A", first=1, session=SESSION):
    return Hello("1", POD, "sim", "BKLT", boot, first, session)


def asked(port, now_ns):
    """Return the session of a port's greeting."""
    (question,) = Reader().feed(port.tick(now_ns))
    assert (question.kind, question.fields[0]) == ("HEY", "1")
    return question.fields[1]


class Talk:
    """A link with a manual clock; the pod's clock is `reset_us` behind."""

    def __init__(self):
        self.told = []
        self.link = PodLink(POD, self.told.append)
        self.now_ns = 1_000 * MS
        self.reset_us = 0
        self.link.connect(hello(), self.now_ns)
        self.answer()

    def hear(self, kind, *fields):
        self.link.hear(sentence(kind, *fields), self.now_ns)

    def after(self, ms):
        """Let time pass; return the sentences written, except pings."""
        self.now_ns += ms * MS
        self.link.tick(self.now_ns)
        written = Reader().feed(bytes(self.link.out))
        self.link.out.clear()
        self.pings = [one.fields[0] for one in written if one.kind == "PNG"]
        return [(one.kind, *one.fields) for one in written if one.kind != "PNG"]

    def answer(self, *, last=0, level=0, t_us=None):
        """Let 300 ms pass and answer the newest ping."""
        self.after(300)
        t_us = self.t_us() if t_us is None else t_us
        self.hear("PON", self.pings[-1], t_us, last, level, t_us)

    def t_us(self):
        return self.now_ns // 1_000 - self.reset_us

    def of(self, kind):
        return [event for event in self.told if isinstance(event, kind)]


@pytest.fixture
def talk():
    return Talk()


# --- What is accepted -------------------------------------------------------------------------------------


def test_event_repeated_after_reconnecting_counts_once(talk):
    talk.hear("BUZ", 1, talk.t_us(), 1)
    talk.link.disconnect(msg("pulled"))
    talk.link.connect(hello(first=1), talk.now_ns)  # the acknowledgement did not arrive
    talk.answer(last=1, level=1)
    talk.hear("BUZ", 1, talk.t_us(), 1)
    assert len(talk.of(EdgeReport)) == 1
    assert talk.after(0)[-1] == ("ACK", "1")


def test_late_greeting_of_earlier_start_is_ignored(talk):
    talk.link.disconnect(msg("pulled"))
    talk.link.connect(hello("0000000B"), talk.now_ns)
    talk.link.disconnect(msg("pulled"))
    talk.link.connect(hello("0000000A"), talk.now_ns)
    assert not talk.link.connected


def test_reset_while_away_is_known_at_first_answer(talk):
    talk.link.disconnect(msg("pulled"))
    talk.reset_us = talk.t_us()
    talk.link.connect(hello("0000000B"), talk.now_ns)
    talk.answer()
    assert [type(event) for event in talk.told] == [Back, Level, Away, Back, Level]


def test_events_before_the_new_greeting_are_ignored(talk):
    talk.link.disconnect(msg("pulled"))
    port = Conversation(lambda _: talk.link, talk.now_ns)
    port.receive(sentence("HEL", *hello(session=asked(port, talk.now_ns))).encode(), talk.now_ns)
    talk.answer()
    started = sentence("HEL", *hello("0000000B", session="-"))
    pressed = sentence("BUZ", 1, talk.t_us(), 1)
    port.receive(started.encode() + pressed.encode(), talk.now_ns)
    assert talk.of(EdgeReport) == []
    port.receive(sentence("HEL", *hello("0000000B", session=asked(port, talk.now_ns))).encode(), talk.now_ns)
    talk.answer()
    talk.hear("BUZ", 1, talk.t_us(), 1)
    assert len(talk.of(EdgeReport)) == 1


def test_overtaken_pong_does_not_move_mark_back(talk):
    talk.after(300)
    first, before_us = talk.pings[-1], talk.t_us()
    talk.answer()
    mark_ns = talk.link.settled_ns
    talk.hear("PON", first, before_us, 0, 0, before_us)
    assert talk.link.settled_ns == mark_ns


def test_level_older_than_the_last_edge_is_ignored(talk):
    mark_ns = talk.link.settled_ns
    talk.after(300)
    ping, before_us = talk.pings[-1], talk.t_us()
    talk.now_ns += 2 * MS
    talk.hear("BUZ", 1, talk.t_us(), 1)
    talk.hear("PON", ping, before_us, 0, 0, before_us)
    assert talk.link.settled_ns == pytest.approx(mark_ns, abs=50_000)  # less what the clocks may have drifted
    assert not talk.link.level.pressed


# --- What is sent -----------------------------------------------------------------------------------------


def test_unacknowledged_sentence_is_repeated_after_100_ms(talk):
    talk.link.show(Lamp.ON)
    assert talk.after(0)[-1] == ("LMP", "1", "1")
    assert talk.after(99) == []
    assert talk.after(1) == [("LMP", "1", "1")]
    talk.hear("ACK", 1)
    assert talk.after(100) == []


def test_acknowledgement_of_unsent_sentence_is_ignored(talk):
    talk.link.show(Lamp.ON)
    talk.after(0)
    talk.hear("ACK", 2)
    assert talk.after(100) == [("LMP", "1", "1")]


def test_only_the_newest_state_is_queued(talk):
    talk.link.show(Lamp.ON)
    assert talk.after(0)[-1] == ("LMP", "1", "1")
    for lamp in (Lamp.OFF, Lamp.ON, Lamp.BLINK):
        talk.link.show(lamp)
        assert talk.after(1) == []
    talk.hear("ACK", 1)
    assert talk.after(0) == [("LMP", "2", "2")]


# --- At a port --------------------------------------------------------------------------------------------


def test_greeting_of_another_session_is_retried_at_once():
    link = PodLink(POD, lambda event: None)
    conversation = Conversation(lambda _: link, 0)
    session = asked(conversation, 0)
    assert conversation.tick(MS) == b""
    conversation.receive(sentence("HEL", *hello(session="-")).encode(), MS)
    assert conversation.link is None
    assert asked(conversation, MS) == session
    conversation.receive(sentence("HEL", *hello(session=session)).encode(), 2 * MS)
    assert conversation.link is link


def test_abandoned_port_leaves_the_new_one_alone(talk):
    old, new = (Conversation(lambda _: talk.link, talk.now_ns) for _ in range(2))
    sessions = [asked(port, talk.now_ns) for port in (old, new)]
    assert sessions[0] != sessions[1]
    talk.link.disconnect(msg("pulled"))
    old.receive(sentence("HEL", *hello(session=sessions[0])).encode(), talk.now_ns)
    old.tick(talk.now_ns + 1_000 * MS)  # the old port was silent for a second
    assert old.over
    greeting = hello(session=sessions[1])
    new.receive(sentence("HEL", *greeting).encode(), talk.now_ns)
    old.end(msg("the device is gone"))
    old.receive(sentence("HEL", *hello(boot="0000000B")).encode(), talk.now_ns)
    assert (old.tick(talk.now_ns), new.over) == (b"", None)
    assert talk.link.connected
    assert talk.link.hello == greeting
