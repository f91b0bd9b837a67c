"""Edits a custom box at the table: choose one, go through its sections, save it."""

from collections.abc import Callable
from functools import partial

from companion.config import box_drafts, boxes
from companion.config.box_drafts import Draft
from companion.core.boxfile import NamedBox
from companion.core.errors import BoxError
from companion.core.form import Section
from companion.core.game import Game
from companion.core.menu import Act, Choice, Item, sure_menu
from companion.core.text import Text, msg
from companion.display.frame import Poster, Side
from companion.match import centre
from companion.match.services import TableServices
from companion.screens.box_questions import BoxQuestions
from companion.screens.overlays import Card, MenuOverlay, Overlay


def own_box_item(act: Act, icon: str = "", helped: Act | None = None) -> Item:
    detail = msg("If your cards, board or prices differ from the built-in box")
    return Item(msg("Custom box"), act, icon, detail, helped)


def which_box(services: TableServices, game: Game, kept: Callable[[NamedBox], None] = lambda _: None) -> Overlay:
    """Return a menu of the boxes to edit; without any, the sections of a new one.

    `kept` is called with the finished box. Raises BoxError if the boxes cannot be read.
    """
    begun, read = box_drafts.begun(game), services.settings.read
    names = {draft.name for draft in begun}
    whole = [draft for draft in box_drafts.changeable(game) if draft.name not in names]
    new = box_drafts.new(game, read(box_drafts.OWN))
    if not (begun or whole):
        return OwnBox(services, new, kept)

    def open_(draft: Draft) -> None:
        asked.open(OwnBox(services, draft, kept, asked))

    items = (
        *(
            Item(
                msg("Continue {name}", name=draft.name),
                partial(open_, draft),
                "arrow",
                msg("Unfinished; saved as you left it"),
            )
            for draft in begun
        ),
        *(Item(msg("Change {name}", name=draft.name), partial(open_, draft), "wrench") for draft in whole),
        Item(msg("Another box"), partial(open_, new), "star", msg("Starts as a copy of the built-in box")),
    )
    asked = MenuOverlay(lambda: Choice(msg("Custom box: {game}", game=game.title), items), read)
    return asked


class OwnBox(MenuOverlay):
    """The sections of a draft, each with its questions, and lines that save or delete the box.

    `asked` is the menu of boxes that opened it, if any.
    """

    def __init__(
        self,
        services: TableServices,
        draft: Draft,
        kept: Callable[[NamedBox], None],
        asked: Overlay | None = None,
    ) -> None:
        self._asked = asked
        self._draft = draft
        self._kept = kept
        self._services = services
        super().__init__(self._sections, services.settings.read)

    def _sections(self) -> Choice:
        draft = self._draft
        lines = [
            Item(section.title, partial(self._ask, number), section.icon, self._said(section))
            for number, section in enumerate(draft.form)
        ]
        if mistakes := draft.mistakes:
            keep = msg("Not yet: {why}", why=mistakes[0].why)
        else:
            keep = draft.unfit or msg("Matches use it from now on")
        lines.append(Item(msg("Save as {name}", name=draft.name), self._keep, "star", keep))
        if boxes.is_there(draft.path):
            lines.append(Item(msg("Discard it"), self._ask_sure, "cross", msg("Your changes are lost")))
        return Choice(msg("Custom box: {game}", game=draft.game.title), tuple(lines))

    def sides(self) -> tuple[Side, ...]:
        return (Side(self._read(self._draft.game.title), self._draft.name),)

    def _said(self, section: Section) -> Text:
        if wrong := self._draft.wrong(*section.questions):
            return wrong
        other = sum(question.value != self._draft.usual(question) for question in section.questions)
        if not other:
            return msg("All as in the built-in box")
        return msg("{n} answer differs from the built-in box", "{n} answers differ from the built-in box", n=other)

    def _ask(self, number: int) -> None:
        def done() -> None:
            self.choice = self.choice._replace(selected=number + 1)

        self.open(BoxQuestions(self._draft, number, self._services.settings.read, self._written, done))

    def _written(self, draft: Draft) -> None:
        self._draft = draft
        draft.write()

    def _keep(self) -> None:
        draft = self._draft
        if draft.mistakes:
            wrong = (number for number, section in enumerate(draft.form) if draft.wrong(*section.questions))
            self._ask(next(wrong, 0))
            return
        try:
            box = draft.keep()
        except BoxError as error:
            self._refused(error.text)
            return
        self._services.settings.choose_box(draft.game, box.name)
        self._kept(box)
        poster = Poster(
            self._read(msg("Saved as {name}", name=box.name)),
            (self._read(msg("Matches now use this box. Change it under Box before a match.")),),
            self._read(msg("Press any button")),
            pictures=(draft.game.emblem,),
        )
        self._leave(Card(lambda: poster))

    def _ask_sure(self) -> None:
        self.open(MenuOverlay(lambda: sure_menu(msg("Discard it?"), self._throw_away), self._read))

    def _throw_away(self) -> None:
        try:
            self._draft.drop()
        except BoxError as error:
            self._refused(error.text)
            return
        self._leave()

    def _refused(self, why: Text) -> None:
        hint = msg("Nothing is lost yet. Free some space or allow writing, then try again. Press any button")
        self.open(Card(lambda: centre.wrong(why, hint, self._read)))

    def _leave(self, *more: Overlay) -> None:
        stack = self.stack
        assert stack
        stack.pop(self._asked or self)
        if more:
            stack.push(*more)
