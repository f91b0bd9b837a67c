"""The replay of a past match, move by move, as everybody could see it."""

from collections.abc import Sequence
from typing import Final

from companion.core.clock import Later
from companion.core.event import REVEAL, Event, event
from companion.core.match import Match
from companion.core.menu import BACK_CONTROLS, NEXT_CONTROLS
from companion.core.move import Seat, each_seat
from companion.core.place import Place
from companion.core.rules import View, narrated
from companion.core.text import Render, Text, msg
from companion.display.frame import Beat, PhotoFinish, Play, Screen, Side, Tape
from companion.match.match_panels import MOST_SENTENCES
from companion.match.match_screens import in_words
from companion.match.news import Said
from companion.match.photo_finish import photo_of
from companion.match.services import TableServices
from companion.records.verdicts import JudgedCall, verdicts
from companion.screens.overlays import Overlay

STEP_NS: Final = 1_500_000_000

START_CONTROLS: Final = frozenset({"1"})
END_CONTROLS: Final = frozenset({"3"})
BACK_STEP_CONTROLS: Final = frozenset({"4", "undo"})
PLAY_CONTROLS: Final = frozenset({"5", "ok"})
ON_CONTROLS: Final = frozenset({"6", "#"}) | NEXT_CONTROLS
PHOTO_CONTROLS: Final = frozenset({"8"})
LEAVE_CONTROLS: Final = BACK_CONTROLS - BACK_STEP_CONTROLS


class Replay(Overlay):
    """Shows a match from its beginning. The keys step through it, or it runs by itself."""

    def __init__(self, match: Match, services: TableServices) -> None:
        self._match = match
        self._read = services.settings.read
        self._plans = Later(services.clock)
        self._moves = match.moves
        self._judged = contested(match)
        self._number = 0
        self._revealing = False
        self._plays = False
        self._photo: PhotoFinish | None = None
        self._said: tuple[Said, ...] = ()

    # --- Overlay --------------------------------------------------------------------------------------

    def screen(self) -> Screen:
        tape = Tape(self._number, len(self._moves), self._plays, tuple(self._judged))
        play = Play(self._match.game.scene, self._view(self._number), tape=tape)
        if self._photo:
            play = play._replace(beat=Beat.FINISH, finish=self._photo)
        elif self._revealing:
            play = play._replace(beat=Beat.REVEALED, before=self._view(self._number - 1))
        told = [each.text for each in self._said if not self._revealing or each.kind == REVEAL]
        return in_words(play, self._match, self._match.before(self._number + 1), told, self._read)

    def sides(self) -> tuple[Side, ...] | None:
        return tuple(self._side(seat) for seat in each_seat(len(self._match.names)))

    def press(self, place: Place, control: str) -> bool:
        if self._photo:
            self._photo = None
        elif control in LEAVE_CONTROLS:
            return False
        elif control in PLAY_CONTROLS:
            self._start_or_stop()
        elif control in PHOTO_CONTROLS:
            self._show_photo()
        else:
            self._step_by(control)
        return True

    def leave(self) -> None:
        self._stop()

    # --- Steps ----------------------------------------------------------------------------------------

    def _step_by(self, control: str) -> None:
        self._stop()
        if control in ON_CONTROLS:
            self._on()
        elif control in BACK_STEP_CONTROLS:
            self._go_to(self._number - 1)
        elif control in START_CONTROLS:
            self._go_to(0)
        elif control in END_CONTROLS:
            self._go_to(len(self._moves))

    def _on(self) -> None:
        """Go to the next position; first show what the last move revealed."""
        if self._revealing:
            self._revealing = False
            return
        self._go_to(self._number + 1)
        self._revealing = any(happened.kind == REVEAL for happened in self._happened())

    def _go_to(self, number: int) -> None:
        before, self._number = self._number, min(max(0, number), len(self._moves))
        self._revealing = False
        if self._number != before:
            self._said = self._told()

    def _start_or_stop(self) -> None:
        if self._plays:
            self._stop()
            return
        self._plays = True
        if self._number == len(self._moves):
            self._go_to(0)
        else:
            self._on()
        self._plans.after(STEP_NS, self._play_on)

    def _stop(self) -> None:
        self._plays = False
        self._plans.drop()

    def _play_on(self) -> None:
        self._on()
        if self._number == len(self._moves) and not self._revealing:
            self._plays = False
        else:
            self._plans.after(STEP_NS, self._play_on)
        self.changed()

    def _show_photo(self) -> None:
        self._stop()
        number = next((number for number in self._judged if number >= self._number), None)
        if number is not None:
            self._go_to(number)
            self._photo = photo_finish(self._match, self._judged[number], self._read)

    # --- Sentences ------------------------------------------------------------------------------------

    def _view(self, number: int) -> View:
        return self._match.game.rules.view(self._match.before(number + 1), None)

    def _happened(self) -> tuple[Event, ...]:
        if not self._number:
            return ()
        judged = self._judged.get(self._number)
        rules, before = self._match.game.rules, self._match.before(self._number)
        _, events = narrated(rules, before, self._moves[self._number - 1])
        return (*([event(judged.verdict)] if judged else []), *(each for each in events if each.visible_to(None)))

    def _told(self) -> tuple[Said, ...]:
        names = self._match.names
        told = [(happened, happened.sentence(names)) for happened in self._happened()]
        return tuple(
            Said(happened.kind, happened.seat, happened.data.tone, sentence)
            for happened, sentence in told
            if sentence
        )

    def _side(self, seat: Seat) -> Side:
        rules, match = self._match.game.rules, self._match
        acts = not self._revealing and seat in rules.to_act(match.before(self._number + 1))
        said = [each for each in self._said if not self._revealing or each.kind == REVEAL]
        own = [each for each in said if each.seat == seat]
        tone = "" if self._revealing else next((each.tone for each in reversed(own) if each.tone), "")
        sentences = self._sentences(own if tone else said)
        *older, note = map(self._read, sentences[-MOST_SENTENCES:])
        return Side(match.names[seat], note, acts and not tone, seat, tone, older=tuple(older))

    def _sentences(self, said: Sequence[Said]) -> list[Text]:
        if not self._number:
            return [msg("6: forward, 4: backward, 5: play, *: leave")]
        if not said:
            return [msg("Move {n}", n=self._number)]
        return [each.text for each in said]


def contested(match: Match) -> dict[int, JudgedCall]:
    """Return the contested calls of a match, by the numbers of the moves that judged them."""
    return {judged.number: judged for judged in verdicts(match) if len(judged.evidence.calls) > 1}


def photo_finish(match: Match, judged: JudgedCall, read: Render) -> PhotoFinish:
    photo = photo_of(match, match.before(judged.number), judged.verdict, judged.evidence.early, read)
    assert photo
    return photo._replace(hint=read(msg("Press any button")))
