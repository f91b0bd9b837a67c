"""The current lines or picture of each seat, and the seats that the match waits for."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.core.console import TURN, Lamp, OffersTouch, SaysTyped, ShowsOwn, Touch
from companion.core.event import REVEAL
from companion.core.move import TABLE, Seat, by_seat
from companion.core.place import Place
from companion.core.rules import View, places
from companion.core.text import Render, Text, msg, with_names
from companion.display.frame import Beat, Look, PrivatePicture, Touchable, told
from companion.match.moment import Moment
from companion.match.piece_tasks import is_answered
from companion.match.private_screens import Private


class SeatLines(NamedTuple):
    """The current lines of one seat: its `prompt`, or first its task with real pieces (`ordered`).

    Its private screen shows what is `typed` instead of the prompt, and below it its secrets (`private`), including
    what is typed. `turns` is True if it may turn the next card, or say who does.
    """

    prompt: Text
    ordered: Text | None = None
    typed: Text | None = None
    private: Text | None = None
    turns: bool = False


def tell_seat(moment: Moment, seat: Seat) -> SeatLines:
    again = moment.rekeying
    view, entry, hand = moment.match.view(seat), moment.entries.get(seat, ""), moment.player_prompt
    ordered = moment.piece_tasks.of(seat) if moment.piece_tasks and not is_answered(moment.stage) else None
    turns = hand is not None and seat in hand.seats
    if moment.pauses:
        own = None if moment.beat == Beat.DRUM else moment.console.private(view, entry)
        found = SeatLines(msg("The match is paused"), ordered, None, own)
    elif moment.over and not moment.reveals:
        found = SeatLines(_how_it_ended(moment, seat), ordered, None, moment.console.private(view, entry))
    elif moment.beat == Beat.DRUM:
        found = SeatLines(msg("Everything is in!"), ordered)  # the new hand would reveal the result
    else:
        too_early = moment.deals_first and seat in moment.match.to_act
        asked = moment.match.view() if too_early else view
        prompt = with_names(moment.console.prompt(asked), moment.match.names)
        if hand and turns:
            prompt = hand.offer if hand.offer and moment.dealt else hand.prompt
        own = moment.console.private(view, entry)
        console = moment.match.game.console
        typed = console.typed(view, entry) if isinstance(console, SaysTyped) else None
        found = SeatLines(prompt, ordered, typed, own)
    if again and again.seat == seat:
        found = found._replace(prompt=again.prompt(), typed=again.typed(), private=again.private())
    return found._replace(turns=turns)


def _how_it_ended(moment: Moment, seat: Seat) -> Text:
    outcome = moment.match.outcome
    assert outcome
    if seat in outcome.winners:
        return msg("You won!") if len(outcome.winners) == 1 else msg("You share the win!")
    return PLACES[places(outcome.ranking)[seat]]


PLACES: Final = {2: msg("2nd"), 3: msg("3rd"), 4: msg("4th"), 5: msg("5th")}


def story(moment: Moment) -> tuple[Text, ...]:
    return moment.news.story(REVEAL if moment.beat == Beat.REVEALED else "")


def waited_for(moment: Moment) -> frozenset[Seat]:
    """Return the seats of people that the match waits for. This is public."""
    return frozenset(seat for seat in awaited(moment) if moment.places[seat] in moment.people)


def awaited(moment: Moment) -> frozenset[Seat]:
    """Return the seats, including robots, that the match waits for. This is public."""
    if moment.left or moment.pauses or moment.stage.race or moment.reveals:
        return frozenset()
    lamps = moment.console.lamps(moment.match.game.rules.view(moment.state, None))
    done = {seat for seat, lamp in by_seat(lamps) if lamp == Lamp.ON} if Lamp.BLINK in lamps else set()
    acting = set(moment.to_act) - done - {TABLE}
    if moment.piece_tasks is None:
        return frozenset(acting)
    return frozenset(seat for seat in acting if not moment.piece_tasks.waits(seat)).union(moment.piece_tasks.seats)


# --- Pictures of private screens -------------------------------------------------------------------------


def private_picture(moment: Moment, place: Place, read: Render, look: Look) -> PrivatePicture | None:
    """Return the picture for a place's own screen; None if its lines are enough."""
    seat = moment.seats.get(place)
    if seat is None or place not in moment.people:
        return None
    if moment.lender == seat and not moment.pauses:
        return None
    console = moment.match.game.console
    if not isinstance(console, ShowsOwn) or not (seen := _seen(moment, seat)):
        return None
    own = console.own(*seen)
    if own is None:
        return None
    names, offered = moment.match.names, _touches(moment, seat, *seen)
    touches = tuple(Touchable(keys, read(with_names(text, names)), thing) for keys, text, thing in offered)
    return PrivatePicture(moment.match.game.scene, own, told(console.private(*seen), read), look, touches)


def _touches(moment: Moment, seat: Seat, view: View, entry: str) -> Iterator[Touch]:
    console = moment.match.game.console
    if moment.pauses or not isinstance(console, OffersTouch):
        return
    if moment.piece_tasks and moment.piece_tasks.of(seat):
        yield Touch(TURN, msg("Done"))
    yield from console.touches(view, entry) or ()


def needs_keys(moment: Moment, seat: Seat) -> bool:
    """Return True if a seat needs keys for what it may do now, since touch is not enough. This is public."""
    console, hand = moment.match.game.console, moment.player_prompt
    if moment.lender == seat or (hand and seat in hand.seats) or not isinstance(console, OffersTouch):
        return True
    return console.touches(moment.match.game.rules.view(moment.state, seat), "") is None


def _seen(moment: Moment, seat: Seat) -> tuple[View, str] | None:
    """Return what a seat may see and has typed; None while that would reveal the result."""
    again, match = moment.rekeying, moment.match
    if again and again.seat == seat:
        return match.game.rules.view(match.before(again.number), seat), again.entry
    if moment.beat == Beat.DRUM:
        return None
    return match.view(seat), moment.entries.get(seat, "")


def beside(lines: Private, moment: Moment, place: Place, read: Render, own: PrivatePicture) -> Private:
    seat = moment.seats.get(place)
    if seat is None:
        return lines
    again = moment.rekeying
    ordered = moment.piece_tasks.secret(seat) if moment.piece_tasks else None
    why = again.why if again and again.seat == seat else ordered
    beneath = told(moment.refused.get(seat, why), read)
    if any(touch.thing for touch in own.touches) and not moment.entries.get(seat):
        lines = lines._replace(first=read(msg("Touch your cards")))
    return lines._replace(second=beneath)
