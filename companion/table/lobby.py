"""A table where nobody plays: it attracts, lets people sit down, choose and learn, and takes in new pods."""

from collections.abc import Callable

from companion.core import options
from companion.core.console import BUZZ
from companion.core.menu import MENU_CONTROLS, OK_CONTROLS, Item
from companion.core.move import TABLE, Seat
from companion.core.text import msg
from companion.devices.pods.pods import Pods
from companion.display.frame import Poster, Screen
from companion.match import centre
from companion.match.seating import Wanted
from companion.match.services import Premises
from companion.records import history
from companion.table.detours import Detours
from companion.table.matches import Matches
from companion.table.menus import games_menu, lessons_menu, resume_menu, rulings_menu, sure_menu, table_menu
from companion.table.overlays import Card
from companion.table.showing import Showing
from companion.visits.new_pods import NewPods


class Idle:
    """Asks what is to be played, and begins it as one of its `matches`, which lead back here.

    `power_off` switches the machine off, where the table may; `end` ends the program, where nothing restarts it.
    """

    def __init__(
        self,
        premises: Premises,
        showing: Showing,
        wanted: Wanted,
        power_off: Callable[[], None] | None,
        end: Callable[[], None] | None,
    ) -> None:
        self._premises = premises
        self._read = premises.settings.read
        self._showing = showing
        self._wanted = wanted
        self._power_off = power_off
        self._end = end
        self.matches = Matches(premises, showing, wanted, attract=self.attract, learnt=self.open_menu)
        self._detours = Detours(premises, showing)
        self._attracting = Card(lambda: centre.attract(self._read), self._press_attracted)
        self._sitting_down = Card(self._who_plays, self._press_sitting_down)
        pods = premises.hardware.of(Pods) if premises.hardware else None
        self._pods = self._new_pods(pods) if pods else None

    # --- Attract --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Offer to go on with a match that was interrupted; without one attract."""
        if not self._offer_resume():
            self.attract()

    def attract(self) -> None:
        """Leave what is played, and wait for somebody to come."""
        self.matches.end()
        self._showing.lay(self._attracting)

    def _press_attracted(self, place: Seat, control: str) -> None:
        if control in MENU_CONTROLS:
            self.open_menu()
            return
        seating = self.matches.empty_seating().with_common_robots()
        if control == BUZZ and seating.places[place] is None:
            seating = seating.press(place, control)
        self._showing.seating = seating
        self._sit_down()

    def _offer_resume(self) -> bool:
        """Ask whether to go on with the match that was interrupted; tell whether there is one."""
        interrupted = history.interrupted(self._premises.settings.config.journal.path, self._premises.games)
        if interrupted is None:
            return False
        path, opened = interrupted
        match = opened.match
        summary = msg(
            "{game}: {names}, {n} moves", game=match.game.title, names=", ".join(match.names), n=match.length
        )
        if opened.damage:
            summary = msg("{summary}. {damage}", summary=summary, damage=opened.damage.text)
        self._showing.ask(resume_menu(summary, path), self._take, self.attract)
        return True

    # --- Sitting down ---------------------------------------------------------------------------------

    def _sit_down(self) -> None:
        self._showing.lay(self._sitting_down)

    def _who_plays(self) -> Screen:
        return centre.who_plays(self._showing.seating, self._allowed, self._read)

    def _press_sitting_down(self, place: Seat, control: str) -> None:
        if control in OK_CONTROLS:
            if len(self._showing.seating.taken) in self._allowed:
                self._choose_game()
        elif control in {"*", "undo"}:
            self.attract()
        elif control in MENU_CONTROLS:
            self.open_menu()
        else:
            self._showing.seating = self._showing.seating.press(place, control)
            self._showing.refresh()

    @property
    def _allowed(self) -> list[int]:
        """How many players can begin: those of the game that is wanted, or of any."""
        games = self._wanted.games(self._premises.games).values()
        return sorted({seats for game in games for seats in game.rules.SEATS})

    def _choose_game(self) -> None:
        if self._wanted.game:
            self._choose_rulings(self._wanted.game)
            return
        menu = games_menu(self._premises.games, len(self._showing.seating.taken))
        self._showing.ask(menu, self._take, self._sit_down)

    def _choose_rulings(self, name: str) -> None:
        """Ask by which rulings a game is played: taking one goes to its next value, until the match begins."""
        game = self._premises.games[name]
        rulings = self._premises.settings.config.rulings_of(game)

        def take(item: Item) -> None:
            nonlocal rulings
            if item.act == "ruling":
                rulings = options.next_value(rulings, item.value)
                asking.renew(rulings_menu(game, rulings), "ruling", item.value)
            elif item.act == "start":
                self.matches.begin(game, rulings)
            else:
                self._detours.visit(item)

        asking = self._showing.ask(rulings_menu(game, rulings), take, self._sit_down)

    # --- The table's menu -----------------------------------------------------------------------------

    def open_menu(self) -> None:
        """Ask what to do."""
        menu = table_menu(off=self._power_off is not None, end=self._end is not None)
        self._showing.ask(menu, self._take, self.attract)

    def _take(self, item: Item) -> None:
        """Do what a line says: of the table's menu, or of those behind it."""
        acts: dict[str, Callable[[], None]] = {
            "join": self._sit_down,
            "game": lambda: self._choose_rulings(item.value),
            "lessons": self._choose_lesson,
            "settings": self._detours.settings,
            "resume": lambda: self.matches.resume(item.value),
            "attract": self.attract,
            "off": self.ask_power_off,
            "sure_off": self._switch_off,
        }
        if self._end:
            acts["end"] = self._end
        if item.act in acts:
            acts[item.act]()
        else:
            self._detours.visit(item)

    def _choose_lesson(self) -> None:
        def take(item: Item) -> None:
            self.matches.learn(self._premises.games[item.value], asking.pressed_at)

        asking = self._showing.ask(lessons_menu(self._premises.games.values()), take, self.open_menu)

    def ask_power_off(self) -> None:
        """Ask whether the table is to be switched off, if it can be and nobody plays."""
        if self._power_off is None or self.matches.playing:
            return
        self.give_up_pods()
        self._showing.ask(sure_menu(msg("Switch the table off?"), "sure_off"), self._take, self.attract)

    def _switch_off(self) -> None:
        assert self._power_off
        self._power_off()
        self._showing.say(centre.switched_off(self._read), self._press_attracted)

    # --- New pods -------------------------------------------------------------------------------------

    def look_for_pods(self) -> None:
        """Begin to look for pods that have no seat yet, where there are real devices."""
        if self._pods:
            self._pods.look()

    def give_up_pods(self) -> None:
        """Do not ask any more whose pod is whose."""
        if self._pods:
            self._pods.give_up()

    def _new_pods(self, pods: Pods) -> NewPods:
        return NewPods(
            pods,
            self._premises.settings,
            self._premises.clock,
            ask=self._ask_whose_pod,
            done=self.attract,
            free=lambda: self._showing.cover is self._attracting,
        )

    def _ask_whose_pod(self, poster: Poster) -> None:
        self._showing.turn_to(Card(lambda: poster, self._press_for_pods))

    def _press_for_pods(self, place: Seat, control: str) -> None:
        if place == TABLE and self._pods:
            self._pods.press(control)
