"""What strips and the story tell of the last steps."""

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
    """Tell an event of a step that is not shown yet."""
    tell(told, Event(said.kind, said.seat, TONED[said.tone], said=said.text))


def orders(*steps: tuple[int, tuple[Said, ...]]) -> News:
    """Return orders after some steps: (when it was shown, what it told)."""
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


def test_nothing_is_shown_before_it_is_turned_over() -> None:
    told = News()
    hear(told, UP)
    assert told.own(0, 0) == NOTHING
    assert told.story() == ()
    told.turn_over(S)
    assert told.own(0, S) == StripNews("good", ("Anna moves up",))


def test_what_was_dropped_is_never_told() -> None:
    told = News()
    hear(told, UP)
    told.drop()
    told.turn_over(S)
    assert told.story() == ()


def test_a_seat_is_told_what_concerns_it_from_what_is_good_or_bad_for_it_on() -> None:
    declares = Said("declare", 1, "", "Ben says: row 3")
    wrong = Said("wrong", 1, "bad", "Wrong")
    chip = Said("chip", 1, "", "A red chip for Ben: 1")
    told = orders((S, (declares, wrong, chip)))
    assert told.own(1, S) == StripNews("bad", ("Wrong", "A red chip for Ben: 1"))
    assert told.own(0, S) == NOTHING


def test_everybody_is_told_orders_before_announcements() -> None:
    told = orders((S, (UP, LAYS, GAIN, NEXT)))
    assert told.common(S).sentences == (NEXT.text, UP.text, LAYS.text, GAIN.text)  # the last is the most important


def test_an_order_stays_for_three_seconds_when_others_go_on() -> None:
    told = orders((S, (UP, GAIN)), (S + 1, (LOCKED,)))
    assert told.own(1, S + ORDER_NS - 1).sentences == (GAIN.text,)
    assert told.own(1, S + ORDER_NS) == NOTHING
    assert GAIN.text in told.common(S + 2).sentences
    assert told.common(S + ORDER_NS + 1).sentences == (LOCKED.text,)


def test_the_last_orders_stay_until_there_are_others() -> None:
    told = orders((S, (UP, GAIN)))
    assert told.own(1, 100 * S).sentences == (GAIN.text,)
    assert told.common(100 * S).sentences == (UP.text, GAIN.text)
    assert told.own(1, 100 * S, young=True) == NOTHING
    assert told.common(100 * S, young=True) == NOTHING


def test_a_step_without_words_changes_nothing() -> None:
    told = orders((S, (GAIN,)), (2 * S, ()))
    assert told.own(1, 100 * S).sentences == (GAIN.text,)


def test_a_new_card_settles_what_was_told() -> None:
    told = orders((S, (GAIN,)))
    told.settle()
    assert told.own(1, S) == NOTHING
    assert told.common(S) == NOTHING
    assert told.story() == (GAIN.text,)


def test_the_story_has_the_last_sentences() -> None:
    told = orders(*((number * S, (Said("step", None, "", str(number)),)) for number in range(1, 10)))
    assert told.story() == tuple(map(str, range(10 - STORY, 10)))


def test_a_pause_is_told_by_the_story_alone_and_at_once() -> None:
    told = orders((S, (GAIN,)))
    hear(told, UP)
    tell(told, event(Paused("house")))
    assert list(map(str, told.story())) == [GAIN.text, "Pause"]
    assert told.common(S).sentences == (GAIN.text,)


def test_the_story_can_wait_after_what_was_revealed() -> None:
    bids = Said("reveal", None, "", "Anna bids 20, Ben bids 10")
    told = orders((S, (LOCKED,)), (2 * S, (bids, UP, LAYS, GAIN, NEXT)))
    assert told.story("reveal") == (LOCKED.text, bids.text)
    assert told.story() == (LOCKED.text, bids.text, UP.text, LAYS.text, GAIN.text, NEXT.text)
    assert orders((S, (UP,))).story("reveal") == (UP.text,)


def test_what_a_reveal_tells_can_be_told_alone() -> None:
    bids = Said("reveal", None, "", "Anna bids 20, Ben bids 1")
    assert orders((S, (bids, UP, GAIN))).of_kind("reveal") == StripNews("", (bids.text,))


def test_a_seat_is_told_shorter_what_is_its_own() -> None:
    told = News()
    tell(told, event(LateReport(S, 0), 2))
    told.turn_over(S)
    assert list(map(str, told.own(2, S).sentences)) == ["reported too late to count"]
    assert list(map(str, told.common(S).sentences)) == ["Cleo: a press came too late to count"]


def test_a_kitchen_that_gives_nothing_is_no_good_news() -> None:
    gave, nothing = (Gain(points, 15, ()) for points in (15, 0))
    assert (gave.tone, gave.sound) == (GOOD, PAY)
    assert (nothing.tone, nothing.sound) == (BAD, "")


def test_a_sale_stays_good_when_something_is_left_over() -> None:
    news = News()
    for data in (Sold(2, 0, 20, 30), Lost(1, 0)):
        tell(news, event(data, 0))
    news.turn_over(0)
    assert news.own(0, 0).tone == GOOD
