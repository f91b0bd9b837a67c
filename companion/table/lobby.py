"""The table between matches: seats players, offers games, lessons and the table's menu.

Its screens are imported when one is opened: the first picture does not wait for them.
"""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.menu import BACK_CONTROLS, MENU_CONTROLS, OK_CONTROLS, Act, Choice, Item, sure_menu
from companion.core.place import Place
from companion.core.text import Text, listed, msg
from companion.display.frame import Screen
from companion.games import signs_of
from companion.match import centre, hints
from companion.match.seating import ONE_MORE_KEY, Wanted, players_text, span_of
from companion.match.services import TableServices
from companion.records import history
from companion.referee.durable import DiskError
from companion.screens.overlays import Card, MenuOverlay, Notice, Overlay
from companion.table.frames import Frames
from companion.table.matches import Matches
from companion.table.phone_door import INTERRUPTED
from companion.table.system import System

if TYPE_CHECKING:
    from companion.club.topics import TableCall
    from companion.screens.pairing import Pairing
    from companion.screens.pod_updates import PodUpdates
    from companion.screens.updating import Sticks
    from companion.updates.offers import Offers

log = logging.getLogger(__name__)


class Lobby:
    """Asks what to play and begins it with `matches`, which return here."""

    def __init__(self, services: TableServices, frames: Frames, wanted: Wanted, system: System) -> None:
        self._services = services
        self._read = services.settings.read
        self._frames = frames
        self._overlays = frames.overlays
        self._wanted = wanted
        self._system = system
        self._door = frames.door
        self.matches = Matches(
            services,
            frames,
            wanted,
            attract=self.attract,
            another=self._play_another,
            menu=self.open_menu,
            learnt=self._ask_after_lesson,
        )
        self._seated_call: TableCall | None = None  # the call that the seating follows
        games = signs_of(services.games)
        self._attracting = Card(
            lambda: self._codes() or centre.attract(self._read, games, self._called),
            self._press_attracted,
            hints.to_sit_down,
        )
        self._sticks = self._look_for_releases(system.offers) if system.offers else None
        self._pairings: list[Pairing] = []
        self._pod_updates: PodUpdates | None = None
        self._sitting_down = Card(self._who_plays, self._press_sitting_down, self._how_to_begin)

    def _look_for_releases(self, offers: "Offers") -> "Sticks":
        from companion.screens.updating import Sticks  # noqa: PLC0415

        return Sticks(
            offers,
            self._services.clock,
            self._read,
            free=self._is_free,
            lay=self._overlays.push,
            replace=self._lay,
        )

    def _lay(self, *overlays: Overlay) -> None:
        self._overlays.lay(self._attracting, *overlays)

    def _menu(self, make: Callable[[], Choice]) -> MenuOverlay:
        return MenuOverlay(make, self._read)

    # --- Attract --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Offer to resume an interrupted match, else attract. Show a disk error first."""
        try:
            interrupted = history.interrupted(self._services.settings.config.journal.path, self._services.games)
        except DiskError as error:
            log.warning("%s", error)
            poster = centre.wrong(error.text, msg("Press any button"), self._read)
            self._lay(Card(lambda: poster))
            return
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
            Item(msg("Resume it"), partial(self.matches.rejoin, path), "arrow", summary),
            Item(msg("Later"), None, "clock", msg("It stays under Past matches")),
            Item(
                msg("Abandon it"),
                partial(self._give_up, path),
                "door",
                msg("It stays under Past matches and is not offered again"),
            ),
        )
        self._lay(self._menu(lambda: Choice(INTERRUPTED, items)))

    def _give_up(self, path: Path) -> None:
        self.matches.give_up(path)
        self.start()

    def attract(self) -> None:
        self.matches.end()
        self._lay()

    def _press_attracted(self, place: Place, control: str) -> None:
        if control in MENU_CONTROLS:
            self.open_menu()
        elif control not in BACK_CONTROLS:
            self._sit_first(place)
            if control == BUZZ and self._frames.seating.places[place] is None:
                self._frames.seating = self._frames.seating.press(place, control)
            self._sit_down()

    def _sit_first(self, presser: Place) -> None:
        """Seat known players before the first press: the last match's, the club's, and people named on phones.

        A player of the last match with a phone sits only there.
        """
        if self._called not in {None, self._seated_call}:
            self._seated_call = self._called
            self._frames.seating = self.matches.empty_seating()
        last = self._services.settings.config.last
        named = self._door.names
        if not (self._frames.seating.taken or self._called):
            players = ["" if name in named.values() else name for name in last.players]
            self._frames.seating = self._frames.seating.as_last(players, last.robots, presser)
        for place in named:
            self._seat(place)

    def seat_named(self, place: Place) -> None:
        """Seat or remove the player of a phone.

        During a match, a new name applies to the next match.
        """
        is_named = place in self._door.names
        if self.matches.menus and not (is_named and self._frames.seating.places[place]):
            return
        if self._overlays.top is self._attracting and is_named:
            self._sit_first(place)
            self._sit_down()
            return
        self._seat(place)
        self._frames.refresh_panels(always=True)

    def _seat(self, place: Place) -> None:
        """Seat or remove a phone's player. Refuse a name that is in use."""
        seating, name = self._frames.seating, self._door.names.get(place)
        if name is None:
            if self._door.is_left(place):
                self._frames.seating = seating.stood_up(place)
            return
        taken_at = seating.place_named(name)
        if taken_at is not None and taken_at != place:
            self._door.refuse_name(place, name, taken_at)
        else:
            self._frames.seating = seating.named(place, name)

    # --- Sitting down ---------------------------------------------------------------------------------

    def _sit_down(self) -> None:
        self._frames.seating = self._frames.seating.with_common_robots()
        self._lay(self._sitting_down)

    def _play_another(self) -> None:
        self._sit_down()
        self._choose_game()

    def _codes(self) -> Screen | None:
        called = [Text(", ".join(self._called.players))] if self._called else []
        hint = msg("Press any button to begin")
        return self._door.invite(self._frames.seating, msg("Who plays?"), *called, hint=hint)

    def _who_plays(self) -> Screen:
        begin = (
            msg("#: everybody is here")
            if len(self._frames.seating.taken) in self._allowed
            else self._how_to_begin()
        )
        hint = centre.or_back(begin)
        seating, how = self._frames.seating, msg("Press your buzzer to sit down or stand up.")
        codes = self._door.invite(seating, msg("Who plays?"), how, hint=hint)
        return codes or centre.who_plays(seating, self._allowed, self._read, self._called)

    @property
    def _called(self) -> "TableCall | None":
        """The club's call to this table."""
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
        elif control == BUZZ and place in self._door.names and self._frames.seating.places[place] is None:
            self._seat(place)  # under the same name
        else:
            self._frames.seating = self._frames.seating.press(place, control)

    @property
    def _allowed(self) -> list[int]:
        """Possible numbers of players, for the wanted game or any."""
        games = self._wanted.games(self._services.games).values()
        return sorted({seats for game in games for seats in game.rules.SEATS})

    def _choose_game(self) -> None:
        seats = len(self._frames.seating.taken)
        asked = self._wanted.game or (self._called.game if self._called else "")
        game = self._services.games.get(asked)
        if game and (self._wanted.game or seats in game.rules.SEATS):
            self._choose_rulings(game)
            return
        games = self._services.games
        items = tuple(self._game_item(game, seats) for game in games.values())
        last = self._services.settings.config.last.game
        open_to = [number for number, item in enumerate(items) if not item.why_not]
        selected = next((number for number in open_to if list(games)[number] == last), min(open_to, default=0))
        self._overlays.push(self._menu(lambda: Choice(msg("Which game?"), items, selected)))

    def _game_item(self, game: Game, seats: int) -> Item:
        from companion.screens.help import help_act  # noqa: PLC0415

        facts = [game.about] if game.about else []
        facts.append(msg("{span} players", span=span_of(game.rules.SEATS)))
        if game.minutes:
            facts.append(msg("{n} min", n=game.minutes))
        return Item(
            game.title,
            partial(self._choose_rulings, game),
            game.emblem,
            help=help_act(self._services, self._overlays.push, game),
            note=listed(facts),
            why_not=None if seats in game.rules.SEATS else players_text(game.rules.SEATS),
        )

    def _choose_rulings(self, game: Game) -> None:
        from companion.table.house_rules import HouseRules  # noqa: PLC0415

        self._lay(self._sitting_down, HouseRules(self._services, self._frames.seating, game, self.matches.begin))

    # --- The table's menu -----------------------------------------------------------------------------

    def open_menu(self) -> None:
        self._lay(self._menu(self._table_menu))

    def _table_menu(self) -> Choice:
        from companion.screens.help import open_help  # noqa: PLC0415
        from companion.screens.own_box import own_box_item  # noqa: PLC0415
        from companion.screens.past_matches import PastMatchesList  # noqa: PLC0415
        from companion.screens.self_test import SelfTestBoard  # noqa: PLC0415
        from companion.screens.statistics import StatisticsPages  # noqa: PLC0415

        settings, open_ = self._services.settings, self._opening
        items = [
            Item(msg("Play"), self._sit_down, "buzzer"),
            Item(
                msg("How to play"),
                open_(open_help),
                "question",
                msg("The aim of each game, and its keys"),
            ),
            Item(
                msg("Learn a game"),
                self._choose_lesson,
                "mortarboard",
                msg("A short match that explains every press"),
            ),
            Item(
                msg("Past matches"),
                open_(partial(PastMatchesList, resume=self.matches.rejoin)),
                "history",
                msg("Results, replays and photo finishes"),
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
            *self._door.item(open_(lambda _: self._menu(lambda: self._door.menu(self._overlays.push)))),
            *(self._sticks.items() if self._sticks else []),
            *(self._pod_updates.items() if self._pod_updates else []),
            *(item for pairing in self._pairings for item in pairing.items()),
        ]
        if self._system.power_off:
            items.append(Item(msg("Switch off"), self.ask_power_off, "door", msg("Or hold menu for five seconds")))
        if self._system.end:
            items.append(
                Item(msg("End"), self._system.end, "door", msg("Closes the companion; all matches are saved"))
            )
        return Choice(msg("The table"), tuple(items))

    def _opening(self, opener: Callable[[TableServices], Overlay]) -> Act:
        return lambda: self._overlays.push(opener(self._services))

    def _choose_lesson(self) -> None:
        """Ask for a lesson. The player who chooses is the learner."""

        def learn(game: Game) -> None:
            self.matches.learn(game, menu.pressed_at)

        games = [game for game in self._services.games.values() if game.lesson]
        items = tuple(Item(game.title, partial(learn, game), game.emblem) for game in games)
        menu = self._menu(lambda: Choice(msg("Which game do you want to learn?"), items))
        self._overlays.ask(menu)

    def _ask_after_lesson(self, game: Game) -> None:
        names = ", ".join(sitter.name for sitter in self._frames.seating.sitters)
        items = (
            Item(msg("Play it now"), partial(self._play_now, game), "buzzer", Text(names)),
            Item(msg("Learn another game"), self._choose_lesson, "mortarboard"),
            Item(msg("Menu"), self.open_menu, "gear"),
        )
        self._lay(
            self._menu(lambda: Choice(msg("Now you know {game}", game=game.title), items, back=self.open_menu))
        )

    def _play_now(self, game: Game) -> None:
        """Play with as many robots as the game needs."""
        seating, seats = self._frames.seating, game.rules.SEATS
        while len(seating.taken) not in seats and len(seating.taken) < max(seats):
            seating = seating.press(seating.taken[0], ONE_MORE_KEY)
        self._frames.seating = seating
        if len(seating.taken) in seats:
            self._choose_rulings(game)
        else:
            self._sit_down()

    @property
    def _with_form(self) -> list[Game]:
        return [game for game in self._services.games.values() if game.form]

    def _choose_own_box(self) -> None:
        items = tuple(Item(game.title, partial(self._make_box, game), game.emblem) for game in self._with_form)
        self._overlays.ask(self._menu(lambda: Choice(msg("Which game is your box for?"), items)))

    def _make_box(self, game: Game) -> None:
        from companion.screens.own_box import which_box  # noqa: PLC0415

        self._overlays.push(which_box(self._services, game))

    def ask_power_off(self) -> None:
        """Ask whether to switch off, if that is possible and no match is played."""
        power_off = self._system.power_off
        if power_off and not self.matches.menus:
            switch_off = partial(self._switch_off, power_off)
            self._lay(self._menu(lambda: sure_menu(msg("Switch the table off?"), switch_off)))

    def _switch_off(self, power_off: Callable[[], None]) -> None:
        power_off()
        self._lay(Card(lambda: centre.switched_off(self._read), self._press_attracted))

    # --- New devices ----------------------------------------------------------------------------------

    def _is_free(self) -> bool:
        top = self._overlays.top
        return top is self._attracting or isinstance(top, Notice)

    def look_for_new(self) -> None:
        """Start looking for devices without an owner, and for sticks."""
        if self._sticks:
            self._sticks.look()
        services = self._services
        if services.hardware is None:
            return
        from companion.devices.pods.pods import Pods  # noqa: PLC0415  a table without wires has none
        from companion.screens.pairing import Pairing  # noqa: PLC0415
        from companion.screens.pod_updates import PodUpdates  # noqa: PLC0415

        pods = services.hardware.of(Pods)
        if pods:
            self._pod_updates = PodUpdates(pods, services.clock, self._read, self._overlays.push)
        for device in services.hardware.paired:
            pairing = Pairing(
                device, services.settings, services.clock, free=self._is_free, lay=self._overlays.push
            )
            self._pairings.append(pairing)
            pairing.look()
