"""A table where nobody plays: it attracts, lets people sit down, choose and learn, and finds seats for new pods."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from companion.club.asked import Call
from companion.config import boxes
from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.handicaps import badge_of, handicap_names, handicaps, without_handicaps
from companion.core.menu import MENU_CONTROLS, OK_CONTROLS, Act, Choice, Item, sure_menu
from companion.core.move import Seat, by_seat
from companion.core.place import Place
from companion.core.rules import Rulings
from companion.core.text import Text, msg, with_names
from companion.devices.pods.pods import Pods
from companion.display.frame import Screen
from companion.games import signs_of
from companion.match import centre, hints
from companion.match.seating import ROBOTS, Wanted
from companion.match.services import TableServices
from companion.records import history
from companion.table.frames import Frames
from companion.table.matches import Matches
from companion.updates.offers import Offers
from companion.visits.help import help_act, open_help
from companion.visits.new_pods import NewPods
from companion.visits.overlays import Card, MenuOverlay, Overlay
from companion.visits.own_box import which_box
from companion.visits.past_matches import PastMatchesList
from companion.visits.self_test import SelfTestBoard
from companion.visits.statistics import StatisticsPages
from companion.visits.updating import Sticks


class Lobby:
    """Asks what is to be played, and begins it as one of its `matches`, which lead back here.

    `power_off` switches the machine off, where the table may; `end` ends the program, where nothing restarts it;
    `offers` are the releases that a stick brings, where the system installs them.
    """

    def __init__(
        self,
        services: TableServices,
        frames: Frames,
        wanted: Wanted,
        power_off: Callable[[], None] | None,
        end: Callable[[], None] | None,
        *,
        offers: Offers | None = None,
    ) -> None:
        self._services = services
        self._read = services.settings.read
        self._frames = frames
        self._overlays = frames.overlays
        self._wanted = wanted
        self._power_off = power_off
        self._end = end
        self._door = frames.door
        self.matches = Matches(services, frames, wanted, attract=self.attract, learnt=self.open_menu)
        games = signs_of(services.games)
        self._attracting = Card(
            lambda: self._codes() or centre.attract(self._read, games, self._called),
            self._press_attracted,
            hints.to_sit_down,
        )
        self._sticks = offers and Sticks(
            offers, services.clock, self._read, free=self._is_free, lay=self._overlays.push, replace=self._lay
        )
        self._sitting_down = Card(self._who_plays, self._press_sitting_down, self._how_to_begin)

    def _lay(self, *overlays: Overlay) -> None:
        """Lay these over the attract screen, instead of what lies there."""
        self._overlays.lay(self._attracting, *overlays)

    def _menu(self, make: Callable[[], Choice]) -> MenuOverlay:
        return MenuOverlay(make, self._read)

    # --- Attract --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Offer to go on with a match that was interrupted; without one attract."""
        interrupted = history.interrupted(self._services.settings.config.journal.path, self._services.games)
        if interrupted is None:
            self.attract()
            return
        path, opened = interrupted
        match = opened.match
        summary = msg(
            "{game}: {names}, {n} moves", game=match.game.title, names=", ".join(match.names), n=match.length
        )
        if opened.damage:
            summary = msg("{summary}. {damage}", summary=summary, damage=opened.damage.text)
        items = (
            Item(msg("Go on with it"), partial(self.matches.resume, path), "arrow", summary),
            Item(msg("Later"), None, "clock", msg("It stays in the history")),
        )
        self._lay(self._menu(lambda: Choice(msg("A match was interrupted"), items)))

    def attract(self) -> None:
        """Leave what is played, and wait for somebody to come."""
        self.matches.end()
        self._lay()

    def _press_attracted(self, place: Place, control: str) -> None:
        if control in MENU_CONTROLS:
            self.open_menu()
            return
        seating = self.matches.empty_seating().with_common_robots()
        if control == BUZZ and seating.places[place] is None:
            seating = seating.press(place, control)
        self._frames.seating = seating
        self._sit_down()

    # --- Sitting down ---------------------------------------------------------------------------------

    def _sit_down(self) -> None:
        self._lay(self._sitting_down)

    def _codes(self) -> Screen | None:
        """Invite phones while nobody sits there; return the page of their codes, if there are any."""
        called = [Text(", ".join(self._called.players))] if self._called else []
        return self._door.invite(msg("Who plays?"), *called, hint=msg("Press any button to begin"))

    def _who_plays(self) -> Screen:
        begin = msg("#: all are here") if len(self._frames.seating.taken) in self._allowed else self._how_to_begin()
        codes = self._door.invite(msg("Who plays?"), msg("Press your buzzer to sit down or stand up."), hint=begin)
        return codes or centre.who_plays(self._frames.seating, self._allowed, self._read, self._called)

    @property
    def _called(self) -> Call | None:
        """Whom the club has called to this table."""
        club = self._services.club
        return club.call if club else None

    def _how_to_begin(self) -> Text:
        return hints.to_begin(len(self._frames.seating.taken), self._allowed)

    def _press_sitting_down(self, place: Place, control: str) -> None:
        if control in OK_CONTROLS:
            if len(self._frames.seating.taken) in self._allowed:
                self._choose_game()
        elif control in {"*", "undo"}:
            self.attract()
        elif control in MENU_CONTROLS:
            self.open_menu()
        else:
            self._frames.seating = self._frames.seating.press(place, control)

    @property
    def _allowed(self) -> list[int]:
        """How many players can begin: those of the game that is wanted, or of any."""
        games = self._wanted.games(self._services.games).values()
        return sorted({seats for game in games for seats in game.rules.SEATS})

    def _choose_game(self) -> None:
        """Ask which of the games that so many can play is played, if none is wanted."""
        seats = len(self._frames.seating.taken)
        asked = self._wanted.game or (self._called.game if self._called else "")
        game = self._services.games.get(asked)
        if game and (self._wanted.game or seats in game.rules.SEATS):
            self._choose_rulings(game)
            return
        items = tuple(
            Item(Text(game.title), partial(self._choose_rulings, game), game.emblem, None, self._help(game))
            for game in self._services.games.values()
            if seats in game.rules.SEATS
        )
        self._overlays.push(self._menu(lambda: Choice(msg("Which game?"), items)))

    def _choose_rulings(self, game: Game) -> None:
        """Ask by which rulings a game is played: taking one goes to its next value, until the match begins."""
        config = self._services.settings.config
        rulings = config.rulings_of(game)
        offered, box, missed = self._boxes(game, config.box_of(game))

        def turn(name: str) -> None:
            nonlocal rulings
            rulings = options.next_value(rulings, name)

        def turn_box() -> None:
            nonlocal box
            box = offered[(offered.index(box) + 1) % len(offered)]

        def have_own(kept: NamedBox) -> None:
            nonlocal offered, box, missed
            offered, box, missed = self._boxes(game, kept.name)

        def start() -> None:
            robots = [sitter.robot for sitter in self._frames.seating.sitters if sitter.robot]
            why = game.no_robots(rulings, self._services.settings.config.cards.deal)
            if robots and (why := why or lacks_robot(game, robots)):
                refusal = Choice(why, (Item(msg("Back"), None, "door"),))
                self._overlays.push(self._menu(lambda: refusal))
            else:
                self.matches.begin(game, rulings, box)

        names = [sitter.name for sitter in self._frames.seating.sitters]

        def open_handicaps() -> None:
            helped = self._help(game, rulings, box)
            self._overlays.push(self._menu(lambda: handicaps_menu(rulings, names, turn, helped)))

        def choice() -> Choice:
            helped = self._help(game, rulings, box)
            lines = [self._services.settings.cards_item(helped)]
            if missed or len(offered) > 1:
                lines.append(box_item(box, turn_box, helped, missed))
            if game.form:
                make = partial(self._make_box, game, have_own)
                lines.append(own_box_item(make, helped=helped))
            last = [handicaps_item(rulings, len(names), open_handicaps, helped)]
            has_any = handicap_names(game.rulings, len(names))
            return rulings_menu(game, rulings, start, turn, helped, more=lines, last=last if has_any else ())

        self._lay(self._sitting_down, self._menu(choice))

    def _boxes(self, game: Game, wanted: str) -> tuple[list[NamedBox], NamedBox, Text | None]:
        """Return the boxes that those who sit there can play with, the one wanted, and why it is not among them."""
        seats = len(self._frames.seating.taken)
        offered = list(boxes.offered(game, seats))
        box = next((each for each in offered if each.name == wanted), offered[0])
        if box.name == wanted:
            return offered, box, None
        why = boxes.unfit(game, wanted, seats) or Text("")
        return offered, box, msg("{name} cannot be played with: {why}", name=wanted, why=why)

    def _help(self, game: Game, rulings: Rulings | None = None, box: NamedBox | None = None) -> Act | None:
        return help_act(self._services, self._overlays, game, rulings, box)

    # --- The table's menu -----------------------------------------------------------------------------

    def open_menu(self) -> None:
        """Ask what to do."""
        self._lay(self._menu(self._table_menu))

    def _table_menu(self) -> Choice:
        """Return what can be done; also to switch the table off, or end the program, where that is possible."""
        settings, open_ = self._services.settings, self._opening
        items = [
            Item(msg("Play"), self._sit_down, "buzzer"),
            Item(
                msg("How to play"),
                open_(open_help),
                "question",
                msg("What the games are about, and which keys they need"),
            ),
            Item(
                msg("Learn a game"),
                self._choose_lesson,
                "mortarboard",
                msg("A short match in which every press is told"),
            ),
            Item(
                msg("Past matches"),
                open_(partial(PastMatchesList, resume=self.matches.resume)),
                "history",
                msg("Who won, and how: replays and photo finishes"),
            ),
            Item(
                msg("Statistics"),
                open_(StatisticsPages),
                "bars",
                msg("Wins, seats, reaction times, the closest calls"),
            ),
            *([own_box_item(self._choose_own_box, "bag")] if self._with_form else []),
            settings.item(open_(lambda _: self._menu(settings.menu))),
            Item(
                msg("Self-test"),
                open_(SelfTestBoard),
                "stethoscope",
                msg("Every buzzer, key and lamp; sound, display and clock"),
            ),
            *self._door.item(open_(lambda _: self._menu(self._door.menu))),
            *(self._sticks.items() if self._sticks else []),
        ]
        if self._power_off:
            items.append(Item(msg("Switch off"), self.ask_power_off, "door", msg("Or hold menu for five seconds")))
        if self._end:
            items.append(Item(msg("End"), self._end, "door", msg("Closes the companion; all matches are kept")))
        return Choice(msg("The table"), tuple(items))

    def _opening(self, opener: Callable[[TableServices], Overlay]) -> Act:
        """Return what lays something over the menu that leads there."""
        return lambda: self._overlays.push(opener(self._services))

    def _choose_lesson(self) -> None:
        """Ask which of the games that can be learnt at the table is; whoever answers learns it."""

        def learn(game: Game) -> None:
            self.matches.learn(game, menu.pressed_at)

        games = [game for game in self._services.games.values() if game.lesson]
        items = tuple(Item(Text(game.title), partial(learn, game), game.emblem) for game in games)
        menu = self._menu(lambda: Choice(msg("Which game do you want to learn?"), items))
        self._overlays.ask(menu)

    @property
    def _with_form(self) -> list[Game]:
        """The games whose boxes can be keyed."""
        return [game for game in self._services.games.values() if game.form]

    def _choose_own_box(self) -> None:
        """Ask of which game the box is that somebody has."""
        items = tuple(
            Item(Text(game.title), partial(self._make_box, game), game.emblem) for game in self._with_form
        )
        self._overlays.ask(self._menu(lambda: Choice(msg("Of which game is your box?"), items)))

    def _make_box(self, game: Game, kept: Callable[[NamedBox], None] = lambda _: None) -> None:
        """Open what asks for a box of a game; `kept` is told of it."""
        self._overlays.push(which_box(self._services, game, kept))

    def ask_power_off(self) -> None:
        """Ask whether the table is to be switched off, if it can be and nobody plays."""
        if self._power_off and not self.matches.menus:
            self._lay(self._menu(lambda: sure_menu(msg("Switch the table off?"), self._switch_off)))

    def _switch_off(self) -> None:
        assert self._power_off
        self._power_off()
        self._lay(Card(lambda: centre.switched_off(self._read), self._press_attracted))

    # --- What is plugged in ---------------------------------------------------------------------------

    def _is_free(self) -> bool:
        return self._overlays.top is self._attracting

    def look_for_new(self) -> None:
        """Begin to look for pods that have no seat yet, where there are real devices, and for sticks."""
        if self._sticks:
            self._sticks.look()
        services = self._services
        pods = services.hardware.of(Pods) if services.hardware else None
        if pods:
            NewPods(
                pods,
                services.settings,
                services.clock,
                free=self._is_free,
                lay=self._overlays.push,
            ).look()


def lacks_robot(game: Game, kinds: Iterable[str]) -> Text | None:
    """Say which of these kinds of robots a game does not have; None where it has all."""
    missing = [
        msg("{game} has no robot: {kind}", game=game.title, kind=ROBOTS.get(kind, kind))
        for kind in kinds
        if kind not in game.bots
    ]
    return missing[0] if missing else None


def box_item(box: NamedBox, turn: Act, helped: Act | None, missed: Text | None = None) -> Item:
    """Return the line that goes to the next box; `missed` says why the one that is wanted is not offered."""
    detail = missed or msg("What is on the cards and the board, and all the prices")
    return Item(msg("Box: {name}", name=box.name or boxes.USUAL), turn, "", detail, helped)


def own_box_item(act: Act, icon: str = "", helped: Act | None = None) -> Item:
    """Return the line that leads to a box of one's own."""
    detail = msg("Where your cards, board or prices are others than the companion's")
    return Item(msg("Our own box"), act, icon, detail, helped)


def handicaps_item(rulings: Rulings, seats: int, act: Act, helped: Act | None) -> Item:
    """Return the line that leads to the handicaps of those who sit there."""
    count = sum(map(bool, handicaps(rulings, seats)))
    said = msg("{n} player", "{n} players", n=count) if count else msg("none")
    detail = msg("So that who is slower, younger or new to it can win, too")
    return Item(msg("Handicaps: {value}", value=said), act, "", detail, helped)


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
    """Return the house rules of a game: the first line starts, then `more`, one for each ruling, the `last`."""
    items = [Item(msg("Start"), start, "", msg("Play {game} by these rules", game=game.title), helped), *more]
    items += [_ruling_item(rulings, name, turn, helped) for name in without_handicaps(rulings)]
    return Choice(msg("House rules of {game}", game=game.title), (*items, *last))


def handicaps_menu(
    rulings: Rulings, names: Sequence[str], turn: Callable[[str], None], helped: Act | None
) -> Choice:
    """Return the handicaps of those who sit there, a line each, in so few words that long names have room."""

    def item(seat: Seat, ruling: str) -> Item:
        value = badge_of(rulings, seat) or msg("none")
        what = with_names(options.declared(rulings, ruling).metadata["help"], names)
        return Item(msg("{name}: {value}", name=names[seat], value=value), partial(turn, ruling), "", what, helped)

    items = [item(seat, ruling) for seat, ruling in by_seat(handicap_names(rulings, len(names)))]
    return Choice(msg("Handicaps"), (*items, Item(msg("Back"), None, "door")))


def _ruling_item(rulings: Rulings, name: str, turn: Callable[[str], None], helped: Act | None) -> Item:
    what = options.declared(rulings, name).metadata["help"]
    return Item(options.line(rulings, name), partial(turn, name), "", what, helped)
