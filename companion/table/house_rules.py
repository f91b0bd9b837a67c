"""The menu of house rules, box and handicaps before a match."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from companion.config import boxes
from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.game import Game
from companion.core.handicaps import badge_of, handicap_names, handicaps, without_handicaps
from companion.core.menu import WORDY_LINES, Act, Choice, Item
from companion.core.move import Seat, by_seat
from companion.core.rules import Rulings
from companion.core.text import Text, msg, with_names
from companion.match.seating import ROBOTS, Seating
from companion.match.services import TableServices
from companion.screens.help import help_act
from companion.screens.overlays import MenuOverlay
from companion.screens.own_box import own_box_item, which_box


class HouseRules(MenuOverlay):
    """Asks for house rules and box. Each line selects its next value; the first starts the match."""

    def __init__(
        self,
        services: TableServices,
        seating: Seating,
        game: Game,
        begin: Callable[[Game, Rulings, NamedBox], None],
    ) -> None:
        self._services = services
        self._sitters = seating.sitters
        self._names = [sitter.name for sitter in self._sitters]
        self._game = game
        self._begin = begin
        config = services.settings.config
        self._rulings = config.rulings_of(game)
        self._take_box(config.box_of(game))
        super().__init__(self._lines, services.settings.read)

    def _take_box(self, wanted: str) -> None:
        """Select the wanted box, or note why it does not fit the number of players."""
        game, seats = self._game, len(self._sitters)
        self._boxes = list(boxes.offered(game, seats))
        self._box = next((each for each in self._boxes if each.name == wanted), self._boxes[0])
        self._missed: Text | None = None
        if self._box.name != wanted:
            why = boxes.unfit(game, wanted, seats) or Text("")
            self._missed = msg("{name} cannot be used: {why}", name=wanted, why=why)

    def _lines(self) -> Choice:
        game, rulings, helped = self._game, self._rulings, self._help()
        lines = [self._services.settings.cards_item(helped)]
        if self._missed or len(self._boxes) > 1:
            lines.append(self._box_item(helped))
        if game.form:
            lines.append(own_box_item(self._make_box, helped=helped))
        last = [self._handicaps_item(helped)] if handicap_names(rulings, len(self._names)) else ()
        return rulings_menu(game, rulings, self._start, self._turn, helped, more=lines, last=last)

    def _box_item(self, helped: Act | None) -> Item:
        detail = self._missed or msg("The cards, the board and the prices")
        return Item(msg("Box: {name}", name=self._box.name or boxes.USUAL), self._next_box, "", detail, helped)

    def _handicaps_item(self, helped: Act | None) -> Item:
        count = sum(map(bool, handicaps(self._rulings, len(self._names))))
        said = msg("{n} player", "{n} players", n=count) if count else msg("none")
        detail = msg("Gives slower, younger or new players a chance")
        return Item(msg("Handicaps: {value}", value=said), self._open_handicaps, "", detail, helped)

    def _help(self) -> Act | None:
        return help_act(self._services, self.open, self._game, self._rulings, self._box, names=self._names)

    def _turn(self, name: str) -> None:
        self._rulings = options.next_value(self._rulings, name)

    def _next_box(self) -> None:
        self._box = self._boxes[(self._boxes.index(self._box) + 1) % len(self._boxes)]

    def _make_box(self) -> None:
        self.open(which_box(self._services, self._game, lambda kept: self._take_box(kept.name)))

    def _open_handicaps(self) -> None:
        helped = self._help()
        self.open(MenuOverlay(lambda: handicaps_menu(self._rulings, self._names, self._turn, helped), self._read))

    def _start(self) -> None:
        robots = [sitter.robot for sitter in self._sitters if sitter.robot]
        why = self._game.no_robots(self._rulings, self._services.settings.config.cards.deal)
        if robots and (why := why or _lacks_robot(self._game, robots)):
            refusal = Choice(why, (Item(msg("Back"), None, "door"),))
            self.open(MenuOverlay(lambda: refusal, self._read))
        else:
            self._begin(self._game, self._rulings, self._box)


def _lacks_robot(game: Game, kinds: Iterable[str]) -> Text | None:
    kind = next((kind for kind in kinds if kind not in game.bots), None)
    return (
        None
        if kind is None
        else msg("{game} does not offer this robot: {kind}", game=game.title, kind=ROBOTS.get(kind, kind))
    )


def rulings_menu(
    game: Game,
    rulings: Rulings,
    start: Act,
    turn: Callable[[str], None],
    helped: Act | None,
    *,
    more: Iterable[Item] = (),
    last: Iterable[Item] = (),
) -> Choice:
    """Return a menu: start, `more`, the house rules, `last`."""
    items = [Item(msg("Start"), start, "", msg("Play {game} by these rules", game=game.title), helped), *more]
    items += [_ruling_item(rulings, name, turn, helped) for name in without_handicaps(rulings)]
    return Choice(msg("House rules of {game}", game=game.title), (*items, *last), most=WORDY_LINES)


def handicaps_menu(
    rulings: Rulings, names: Sequence[str], turn: Callable[[str], None], helped: Act | None
) -> Choice:
    def item(seat: Seat, ruling: str) -> Item:
        value = badge_of(rulings, seat) or msg("none")
        what = with_names(options.declared(rulings, ruling).metadata["help"], names)
        return Item(msg("{name}: {value}", name=names[seat], value=value), partial(turn, ruling), "", what, helped)

    items = [item(seat, ruling) for seat, ruling in by_seat(handicap_names(rulings, len(names)))]
    return Choice(msg("Handicaps"), (*items, Item(msg("Back"), None, "door")))


def _ruling_item(rulings: Rulings, name: str, turn: Callable[[str], None], helped: Act | None) -> Item:
    what = options.declared(rulings, name).metadata["help"]
    return Item(options.line(rulings, name), partial(turn, name), "", what, helped)
