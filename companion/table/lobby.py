"""A table where nobody plays: it attracts, lets people sit down, choose and learn, and finds seats for new pods."""

import dataclasses
from collections.abc import Callable
from functools import partial

from companion.core import options
from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.menu import MENU_CONTROLS, OK_CONTROLS, Act, Choice, Item, sure_menu
from companion.core.place import Place
from companion.core.rules import Rulings
from companion.core.text import Text, msg
from companion.devices.pods.pods import Pods
from companion.display.frame import Screen
from companion.match import centre
from companion.match.seating import Wanted
from companion.match.services import Premises
from companion.records import history
from companion.table.frames import Frames
from companion.table.matches import Matches
from companion.visits.help import help_act, open_help
from companion.visits.new_pods import NewPods
from companion.visits.overlays import Card, MenuOverlay, Overlay
from companion.visits.past_matches import PastMatchesList
from companion.visits.self_test import SelfTestBoard
from companion.visits.statistics import StatisticsPages


class Lobby:
    """Asks what is to be played, and begins it as one of its `matches`, which lead back here.

    `power_off` switches the machine off, where the table may; `end` ends the program, where nothing restarts it.
    """

    def __init__(
        self,
        premises: Premises,
        frames: Frames,
        wanted: Wanted,
        power_off: Callable[[], None] | None,
        end: Callable[[], None] | None,
    ) -> None:
        self._premises = premises
        self._read = premises.settings.read
        self._frames = frames
        self._overlays = frames.overlays
        self._wanted = wanted
        self._power_off = power_off
        self._end = end
        self.matches = Matches(premises, frames, wanted, attract=self.attract, learnt=self.open_menu)
        games = premises.games.values()
        self._attracting = Card(lambda: centre.attract(self._read, games), self._press_attracted)
        self._sitting_down = Card(self._who_plays, self._press_sitting_down)

    def _lay(self, *overlays: Overlay) -> None:
        """Lay these over the attract screen, instead of what lies there."""
        self._overlays.lay(self._attracting, *overlays)

    def _menu(self, make: Callable[[], Choice]) -> MenuOverlay:
        return MenuOverlay(make, self._read)

    # --- Attract --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Offer to go on with a match that was interrupted; without one attract."""
        interrupted = history.interrupted(self._premises.settings.config.journal.path, self._premises.games)
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

    def _who_plays(self) -> Screen:
        return centre.who_plays(self._frames.seating, self._allowed, self._read)

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
        games = self._wanted.games(self._premises.games).values()
        return sorted({seats for game in games for seats in game.rules.SEATS})

    def _choose_game(self) -> None:
        """Ask which of the games that so many can play is played, if none is wanted."""
        if self._wanted.game:
            self._choose_rulings(self._premises.games[self._wanted.game])
            return
        seats = len(self._frames.seating.taken)
        items = tuple(
            Item(Text(game.title), partial(self._choose_rulings, game), game.emblem, None, self._help(game))
            for game in self._premises.games.values()
            if seats in game.rules.SEATS
        )
        self._overlays.push(self._menu(lambda: Choice(msg("Which game?"), items)))

    def _choose_rulings(self, game: Game) -> None:
        """Ask by which rulings a game is played: taking one goes to its next value, until the match begins."""
        rulings = self._premises.settings.config.rulings_of(game)

        def turn(name: str) -> None:
            nonlocal rulings
            rulings = options.next_value(rulings, name)

        def start() -> None:
            self.matches.begin(game, rulings)

        def choice() -> Choice:
            return rulings_menu(game, rulings, start, turn, self._help(game, rulings))

        self._lay(self._sitting_down, self._menu(choice))

    def _help(self, game: Game, rulings: Rulings | None = None) -> Act | None:
        return help_act(self._premises, self._overlays, game, rulings)

    # --- The table's menu -----------------------------------------------------------------------------

    def open_menu(self) -> None:
        """Ask what to do."""
        self._lay(self._menu(self._table_menu))

    def _table_menu(self) -> Choice:
        """Return what can be done; also to switch the table off, or end the program, where that is possible."""
        settings, open_ = self._premises.settings, self._opening
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
                open_(PastMatchesList),
                "history",
                msg("Who won, and how: replays and photo finishes"),
            ),
            Item(
                msg("Statistics"),
                open_(StatisticsPages),
                "bars",
                msg("Wins, seats, reaction times, the closest calls"),
            ),
            settings.item(open_(lambda _: self._menu(settings.menu))),
            Item(
                msg("Self-test"),
                open_(SelfTestBoard),
                "stethoscope",
                msg("Every buzzer, key and lamp; sound, display and clock"),
            ),
        ]
        if self._power_off:
            items.append(Item(msg("Switch off"), self.ask_power_off, "door", msg("Or hold menu for five seconds")))
        if self._end:
            items.append(Item(msg("End"), self._end, "door", msg("Closes the companion; all matches are kept")))
        return Choice(msg("The table"), tuple(items))

    def _opening(self, opener: Callable[[Premises], Overlay]) -> Act:
        """Return what lays something over the menu that leads there."""
        return lambda: self._overlays.push(opener(self._premises))

    def _choose_lesson(self) -> None:
        """Ask which of the games that can be learnt at the table is; whoever answers learns it."""

        def learn(game: Game) -> None:
            self.matches.learn(game, menu.pressed_at)

        games = [game for game in self._premises.games.values() if game.lesson]
        items = tuple(Item(Text(game.title), partial(learn, game), game.emblem) for game in games)
        menu = self._menu(lambda: Choice(msg("Which game do you want to learn?"), items))
        self._overlays.ask(menu)

    def ask_power_off(self) -> None:
        """Ask whether the table is to be switched off, if it can be and nobody plays."""
        if self._power_off and not self.matches.menus:
            self._lay(self._menu(lambda: sure_menu(msg("Switch the table off?"), self._switch_off)))

    def _switch_off(self) -> None:
        assert self._power_off
        self._power_off()
        self._lay(Card(lambda: centre.switched_off(self._read), self._press_attracted))

    # --- New pods -------------------------------------------------------------------------------------

    def look_for_pods(self) -> None:
        """Begin to look for pods that have no seat yet, where there are real devices."""
        premises = self._premises
        pods = premises.hardware.of(Pods) if premises.hardware else None
        if pods:
            NewPods(
                pods,
                premises.settings,
                premises.clock,
                free=lambda: self._overlays.top is self._attracting,
                lay=self._overlays.push,
            ).look()


def rulings_menu(
    game: Game, rulings: Rulings, start: Act, turn: Callable[[str], None], helped: Act | None
) -> Choice:
    """Return the house rules of a game: the first line starts, each other one turns its ruling."""
    items = [Item(msg("Start"), start, "", msg("Play {game} by these rules", game=game.title), helped)]
    for field in dataclasses.fields(rulings):
        line, act = options.line(rulings, field.name), partial(turn, field.name)
        items.append(Item(line, act, "", field.metadata["help"], helped))
    return Choice(msg("House rules of {game}", game=game.title), tuple(items))
