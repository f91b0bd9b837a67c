"""The places of a table while a match is played: strips, virtual seats, private screens and the house's line."""

from collections.abc import Sequence
from typing import Final

from companion.config.settings import Readers
from companion.core.console import HOUSE_KEY, Lamp, has_races
from companion.core.event import REVEAL
from companion.core.move import TABLE, Seat, by_seat
from companion.core.place import Place
from companion.core.text import Render, Text, decimal, msg
from companion.core.units import MS
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Beat, Look, PressKind, PrivatePicture, Side, TimeLeft
from companion.match.house_place import due_task, lent_lines
from companion.match.lessons import LEARNER
from companion.match.moment import Moment
from companion.match.news import NOTHING, StripNews
from companion.match.private_screens import Private
from companion.match.seat_lines import awaited, beside, needs_keys, private_picture, story, tell_seat
from companion.match.seat_panels import Controls, SeatPanels, keypad_owners
from companion.match.seating import Seating
from companion.referee.step_result import Pause, Reason

MOST_SENTENCES: Final = 3
"""Maximum sentences on a strip."""


class MatchPanels(SeatPanels):
    """The places while a match or a lesson is played. If it has `ended`, strips show its result."""

    def __init__(
        self,
        moment: Moment,
        seating: Seating,
        devices: VirtualDevices,
        readers: Readers,
        *,
        ended: bool,
    ) -> None:
        super().__init__(seating, devices, readers)
        self._moment, self._ended = moment, ended
        self.told = [tell_seat(moment, seat) for seat, _ in by_seat(moment.places)]
        self.house_line = self._house_line()
        self.story = story(moment)
        self.time_left = self._time_left()
        self.racing = moment.stage.race is not None and not (moment.pauses or moment.hidden)

    def sides(self) -> tuple[Side, ...]:
        moment = self._moment
        strips = []
        for seat, place in by_seat(moment.places):
            strip, badge = self._side(seat)._replace(place=place), moment.badges[seat]
            read = self._readers.places[place]
            strips.append(strip._replace(badge=read(badge)) if badge else strip)
        return tuple(strips)

    def private(self, place: Place) -> Private:
        seat = self._moment.seats.get(place)
        lines = self._lines(place, covered=False)
        if seat is None:
            return Private(*lines, lines[0])
        return Private(
            *lines, self._readers.places[place](self.told[seat].prompt), self._moment.turned.get(seat, 0)
        )

    def picture(self, place: Place, look: Look) -> PrivatePicture | None:
        return private_picture(self._moment, place, self._readers.places[place], look)

    def beside(self, place: Place, own: PrivatePicture) -> Private:
        return beside(self.private(place), self._moment, place, self._readers.places[place], own)

    def controls(self, place: Place) -> Controls:
        moment = self._moment
        seat = moment.seats.get(place)
        if seat is None:
            return Controls()
        races = has_races(moment.match.game.console) and seat not in moment.stage.out
        return Controls(keys=needs_keys(moment, seat), buzzer=races)

    def _side(self, seat: Seat) -> Side:
        moment, told = self._moment, self.told[seat]
        read = self._readers.places[moment.places[seat]]
        name, paused = moment.match.names[seat], bool(moment.pauses)
        if Pause(Reason.UNPLUGGED, seat) in moment.pauses:
            return Side(name, read(msg("unplugged!")), seat=seat, tone="bad")
        if seat in moment.lost:
            return Side(name, read(msg("some presses were lost")), seat=seat, tone="bad")
        if seat in moment.early:
            return Side(name, read(msg("Too early: wait for the card")), seat=seat, tone="bad")
        if moment.tutor and seat in moment.refused:
            return Side(name, read(moment.refused[seat]), seat=seat, tone="bad")
        if moment.lender == seat and not paused:
            return Side(name, read(msg("You act for the house; {key}: end", key=HOUSE_KEY)), True, seat)
        asked = moment.tutor is not None and seat == LEARNER and moment.tutor.hint is not None
        nudge = "nudge" if seat in moment.nudged else ""
        if told.ordered and not paused:
            tone = nudge or moment.news.own(seat, moment.now_ns, young=True).tone
            return Side(name, read(told.ordered), lit=not tone or bool(nudge), seat=seat, tone=tone)
        if nudge:
            return Side(name, read(told.prompt), lit=True, seat=seat, tone=nudge)
        lit = asked or told.turns or self._devices.lamps[moment.places[seat]] != Lamp.OFF
        if self._ended:
            outcome = moment.match.outcome
            won = outcome is not None and seat in outcome.winners
            return Side(name, read(told.prompt), seat=seat, tone="good" if won else "")
        if paused:
            again = moment.rekeying
            return Side(name, read(told.prompt), again.seat == seat if again else lit, seat)
        acts = seat in moment.to_act
        press = _press(moment, seat, read, told.prompt if acts else None) if moment.finish.current else ""
        news = NOTHING if press or moment.beat == Beat.DRUM else self._news(seat, acts=acts)
        if not news.sentences:
            note = _then(press, read(told.prompt)) if press and told.turns else press or read(told.prompt)
            return Side(name, note, lit, seat)
        # A verdict does not hide the task with real cards that follows from it.
        stage = moment.stage
        then = told.prompt if told.turns else None if stage.deal or stage.race else due_task(moment)
        sentences = (*news.sentences, then) if then else news.sentences
        *older, note = map(read, sentences[-MOST_SENTENCES:])
        return Side(name, note, lit and not news.tone, seat, news.tone, older=tuple(older))

    def _news(self, seat: Seat, *, acts: bool) -> StripNews:
        moment, turns = self._moment, self.told[seat].turns
        now_ns, news, stage = moment.now_ns, moment.news, moment.stage
        acts = acts or stage.race is not None
        # If players move cards, the next move may come before the last one was carried out.
        by_players = not moment.dealt or moment.player_prompt is not None
        young = by_players and (acts or stage.deal is not None)
        if acts and not young:
            return NOTHING
        if moment.beat == Beat.REVEALED:
            return NOTHING if acts else news.of_kind(REVEAL)
        own = news.own(seat, now_ns, young=young)
        return own if own.sentences or (acts and not turns) else news.common(now_ns, young=young)

    def _time_left(self) -> TimeLeft | None:
        moment = self._moment
        limit = moment.limit
        if limit is None or moment.pauses or moment.reveals:
            return None
        race = moment.stage.race
        seats = race.callers if race else tuple(seat for seat in moment.to_act if seat != TABLE)
        return TimeLeft(seats, limit.length_ns, limit.ends_ns)

    def _lines(self, place: Place, *, covered: bool) -> tuple[str, str]:
        moment, seat = self._moment, self._moment.seats.get(place)
        if seat is None:
            return super()._lines(place, covered=covered)
        read, told = self._readers.places[place], self.told[seat]
        if moment.lender == seat and not moment.pauses:
            return lent_lines(moment, read)
        if (told.private or told.typed) and place not in moment.people:
            return read(told.prompt), ""
        if told.private and moment.match.has_secrets and covered:  # the refusal would reveal the hand
            return read(told.prompt), read(msg("hidden: hold Tab to look"))
        first, refused = told.typed or told.prompt, moment.refused.get(seat)
        if refused and told.private:  # the hand remains visible
            return read(refused), read(told.private)
        below = refused or told.private
        return read(first), read(below) if below is not None else ""

    def _hands(self, people: Sequence[Place]) -> dict[Place, str]:
        """Include everybody if nobody is waited for, since the pause menu and the result need keys."""
        moment = self._moment
        if self.house_line is not None or not (people or moment.pauses or moment.over):
            return {}  # the house needs them, or nobody
        race, again = moment.stage.race, moment.rekeying
        seats = {again.seat} if again else race.callers if race else awaited(moment)
        typing = [place for place in people if moment.seats.get(place) in seats] or people or [Place(0)]
        return keypad_owners(typing[:1] if moment.wired else typing)  # with real devices all share one keyboard

    def _house_line(self) -> str | None:
        moment = self._moment
        again = moment.rekeying
        waits = moment.to_act == (TABLE,) and not (moment.pauses or moment.dealt)
        if not (again.seat == TABLE if again else waits):
            return None
        entry = again.entry if again else moment.entries.get(TABLE, "")
        return self._readers.common(msg("House keys (row of digits): {entry}", entry=entry))


def _press(moment: Moment, seat: Seat, read: Render, due: Text | None) -> str:
    photo = moment.finish.photo
    if photo is None or moment.over:
        return ""
    firsts = [line for line in photo.presses if line.first]
    if moment.stage.deal and len(firsts) < 2:
        return ""  # it was answered
    press = next((line for line in photo.presses if line.seat == seat and line.kind == PressKind.CALL), None)
    if press is None:
        return ""
    apart, margin = decimal(press.after_ns / MS), decimal(photo.margin_ns / MS)
    if len(firsts) > 1:
        if not press.first:
            return ""
        return read(
            msg("A tie: {ms} ms apart", ms=margin) if round(photo.margin_ns / MS, 1) else msg("A dead heat!")
        )
    if not press.first:
        return read(msg("+{ms} ms", ms=apart))
    first = read(msg("First, by {ms} ms", ms=margin))
    return _then(first, read(due)) if due else first


def _then(said: str, prompt: str) -> str:
    return f"{said} {prompt}" if said.endswith("!") else f"{said}. {prompt}"
