"""The news of the last steps on strips and in the story."""

from types import SimpleNamespace
from typing import Any

from companion.core.event import BAD, GOOD, PAY, Event, EventFacts, NoFacts, event
from companion.games.buro_crazy.rules.kinds import Gain
from companion.games.de_et_boulanger.rules.kinds import Lost, Sold
from companion.match.news import NOTHING, ORDER_NS, STORY, News, Said, StripNews
from companion.referee.events import LateReport, Paused

S = 1_000_000_000


class GoodFacts(EventFacts):
    TONE = GOOD


class BadFacts(EventFacts):
    TONE = BAD


TONED = {"": NoFacts(), GOOD: GoodFacts(), BAD: BadFacts()}


def tell(told: News, happened: Event) -> None:
    match: Any = SimpleNamespace(names=("Anna", "Ben", "Cleo", "Dan"))
    told.tell(match, happened)


def hear(told: News, said: Said) -> None:
    tell(told, Event(said.kind, said.seat, TONED[said.tone], said=said.text))


def orders(*steps: tuple[int, tuple[Said, ...]]) -> News:
    """Return the news after steps of (time shown, sentences)."""
    told = News()
    for since_ns, said in steps:
        for each in said:
            hear(told, each)
        told.turn_over(since_ns)
    return told


UP = Said("up", 0, "good", "Anna moves up")
LAYS = Said("discard", 0, "", "Anna lays 20 on the roof")
GAIN = Said("gain", 1, "good", "The kitchen gives Ben 19")
NEXT = Said("duel", None, "", "P2: Cleo – Dan")
LOCKED = Said("locked", 2, "", "Cleo has locked a bid")


def test_news_waits_for_its_frame() -> None:
    told = News()
    hear(told, UP)
    assert told.own(0, 0) == NOTHING
    assert told.story() == ()
    told.turn_over(S)
    assert told.own(0, S) == StripNews("good", ("Anna moves up",))


def test_dropped_news_never_appears() -> None:
    told = News()
    hear(told, UP)
    told.drop()
    told.turn_over(S)
    assert told.story() == ()


def test_seats_news_starts_at_good_or_bad_events() -> None:
    declares = Said("declare", 1, "", "Ben says: row 3")
    wrong = Said("wrong", 1, "bad", "Wrong")
    chip = Said("chip", 1, "", "A red chip for Ben: 1")
    told = orders((S, (declares, wrong, chip)))
    assert told.own(1, S) == StripNews("bad", ("Wrong", "A red chip for Ben: 1"))
    assert told.own(0, S) == NOTHING


def test_common_news_ends_with_the_most_important() -> None:
    told = orders((S, (UP, LAYS, GAIN, NEXT)))
    assert told.common(S).sentences == (NEXT.text, UP.text, LAYS.text, GAIN.text)  # the last is the most important


def test_news_stays_three_seconds_despite_later_steps() -> None:
    told = orders((S, (UP, GAIN)), (S + 1, (LOCKED,)))
    assert told.own(1, S + ORDER_NS - 1).sentences == (GAIN.text,)
    assert told.own(1, S + ORDER_NS) == NOTHING
    assert GAIN.text in told.common(S + 2).sentences
    assert told.common(S + ORDER_NS + 1).sentences == (LOCKED.text,)


def test_last_news_stays_until_the_next() -> None:
    told = orders((S, (UP, GAIN)))
    assert told.own(1, 100 * S).sentences == (GAIN.text,)
    assert told.common(100 * S).sentences == (UP.text, GAIN.text)
    assert told.own(1, 100 * S, young=True) == NOTHING
    assert told.common(100 * S, young=True) == NOTHING


def test_step_without_words_changes_nothing() -> None:
    told = orders((S, (GAIN,)), (2 * S, ()))
    assert told.own(1, 100 * S).sentences == (GAIN.text,)


def test_new_card_clears_the_strips() -> None:
    told = orders((S, (GAIN,)))
    told.settle()
    assert told.own(1, S) == NOTHING
    assert told.common(S) == NOTHING
    assert told.story() == (GAIN.text,)


def test_story_has_the_last_sentences() -> None:
    told = orders(*((number * S, (Said("step", None, "", str(number)),)) for number in range(1, 10)))
    assert told.story() == tuple(map(str, range(10 - STORY, 10)))


def test_pause_goes_into_the_story_at_once() -> None:
    told = orders((S, (GAIN,)))
    hear(told, UP)
    tell(told, event(Paused("house")))
    assert list(map(str, told.story())) == [GAIN.text, "Pause"]
    assert told.common(S).sentences == (GAIN.text,)


def test_story_can_stop_after_a_reveal() -> None:
    bids = Said("reveal", None, "", "Anna bids 20, Ben bids 10")
    told = orders((S, (LOCKED,)), (2 * S, (bids, UP, LAYS, GAIN, NEXT)))
    assert told.story("reveal") == (LOCKED.text, bids.text)
    assert told.story() == (LOCKED.text, bids.text, UP.text, LAYS.text, GAIN.text, NEXT.text)
    assert orders((S, (UP,))).story("reveal") == (UP.text,)


def test_news_of_a_reveal_can_be_selected() -> None:
    bids = Said("reveal", None, "", "Anna bids 20, Ben bids 1")
    assert orders((S, (bids, UP, GAIN))).of_kind("reveal") == StripNews("", (bids.text,))


def test_seats_own_news_is_shorter() -> None:
    told = News()
    tell(told, event(LateReport(S, 0), 2))
    told.turn_over(S)
    assert list(map(str, told.own(2, S).sentences)) == ["reported too late to count"]
    assert list(map(str, told.common(S).sentences)) == ["Cleo: a press came too late to count"]


def test_empty_gain_from_the_kitchen_is_bad_news() -> None:
    gave, nothing = (Gain(points, 15, ()) for points in (15, 0))
    assert (gave.tone, gave.sound) == (GOOD, PAY)
    assert (nothing.tone, nothing.sound) == (BAD, "")


def test_sale_stays_good_despite_a_loss() -> None:
    news = News()
    for data in (Sold(2, 0, 20, 30), Lost(1, 0)):
        tell(news, event(data, 0))
    news.turn_over(0)
    assert news.own(0, 0).tone == GOOD
