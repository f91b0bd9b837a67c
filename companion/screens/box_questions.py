"""Asks about a custom box, one question at a time. Each answer is checked and saved before the next question."""

from collections.abc import Callable
from typing import Final

from companion.config.box_drafts import Draft
from companion.core.errors import BoxError
from companion.core.form import DONE_CONTROLS, STEPS, Question, Spot
from companion.core.place import Place
from companion.core.text import Render, Text, msg
from companion.display.frame import Answer, BoxPage, Side, told
from companion.screens.overlays import Overlay

BACK: Final = frozenset({"*", "undo"})
LEAVE: Final = frozenset({"pause", "menu"})

MOST_DIGITS: Final = 3


class BoxQuestions(Overlay):
    """The questions of one section; `written` is called with each new draft, `done` after the last question."""

    def __init__(
        self, draft: Draft, section: int, read: Render, written: Callable[[Draft], None], done: Callable[[], None]
    ) -> None:
        self._draft = draft
        self._section = section
        self._read = read
        self._written = written
        self._done = done
        self._number = 0
        self._typed = ""
        self._refusal: Text | None = None
        self._spot = self._middle()

    def screen(self) -> BoxPage:
        question = self._question
        wrong = self._refusal or self._draft.wrong(question)
        return BoxPage(
            self._read(question.text),
            answers=tuple(
                Answer(option.key, option.sign, self._read(option.label), option.value == question.value)
                for option in question.options
            ),
            value=self._typed or str(question.value),
            typed=bool(self._typed),
            scene=self._draft.game.scene,
            drawn=question.drawn,
            spot=self._spot if question.grid else None,
            sign=question.sign,
            said=told(self._said(question, wrong), self._read),
            wrong=wrong is not None,
            hint=self._read(self._hint(question)),
            number=self._number + 1,
            of=len(self._questions),
        )

    def sides(self) -> tuple[Side, ...]:
        """Return a single strip, since the page needs the room of the others."""
        return (Side(self._read(self._draft.game.title), self._draft.name),)

    def press(self, place: Place, control: str) -> bool:
        self._refusal = None
        question = self._question
        if control in LEAVE:
            return False
        if control in BACK:
            return self._take_back()
        if control in DONE_CONTROLS:
            return self._answered(question, int(self._typed)) if self._typed else self._go_on()
        if question.grid:
            self._press_square(question, control)
            return True
        for option in question.options:
            if option.key == control:
                return self._answered(question, option.value)
        if control.isdecimal() and not question.options and len(self._typed) < MOST_DIGITS:
            self._typed += control
        return True

    @property
    def _questions(self) -> tuple[Question, ...]:
        return self._draft.form[self._section].questions

    @property
    def _question(self) -> Question:
        return self._questions[self._number]

    def _take_back(self) -> bool:
        if self._typed:
            self._typed = self._typed[:-1]
            return True
        self._number -= 1
        if self._number >= 0:
            self._spot = self._middle()
        return self._number >= 0

    def _go_on(self) -> bool:
        self._number += 1
        if self._number == len(self._questions):
            self._done()
            return False
        self._spot = self._middle()
        return True

    def _middle(self) -> Spot:
        grid = self._question.grid
        return (grid.rows // 2, grid.columns // 2) if grid else (0, 0)

    def _answered(self, question: Question, answer: object) -> bool:
        self._typed = ""
        return self._go_on() if self._changed(self._draft.answered(question, answer)) else True

    def _press_square(self, question: Question, key: str) -> None:
        assert question.grid
        if key in STEPS:
            self._spot = question.grid.stepped(self._spot, key)
        elif any(option.key == key for option in question.options):
            changes = question.grid.put(key, self._spot)
            self._changed(changes if isinstance(changes, Text) else self._draft.changed(changes))

    def _changed(self, draft: Draft | Text) -> bool:
        """Apply a changed draft. Return False if it is refused or cannot be written."""
        if isinstance(draft, Text):
            self._refusal = draft
            return False
        if draft != self._draft:
            self._draft = draft
            try:
                self._written(draft)
            except BoxError as error:  # the draft has the answer, and the next one writes it
                self._refusal = msg("Not saved yet: {why}. It is kept while the box is open", why=error.text)
                return False
        return True

    def _said(self, question: Question, wrong: Text | None) -> Text | None:
        if not question.grid:
            return wrong or self._usual(question)
        here = question.grid.here(self._spot)
        return msg("{here} · {why}", here=here, why=wrong) if wrong else here

    def _usual(self, question: Question) -> Text | None:
        usual = self._draft.usual(question)
        if usual is None:
            return None
        label = next((option.label for option in question.options if option.value == usual), Text(str(usual)))
        return msg("In the built-in box: {value}", value=label)

    def _hint(self, question: Question) -> Text:
        if question.grid:
            return msg("2 4 6 8: to another square. #: done. *: back")
        if question.options:
            return msg("Choose: number. #: keep the lit one. *: back")
        return msg("Enter the number, then #. # alone keeps it. *: back")
