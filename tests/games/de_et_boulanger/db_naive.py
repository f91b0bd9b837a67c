"""A second Dé et Boulanger that shares no code with the engine. Moves are lines of text."""

from collections import deque
from functools import cache
from itertools import permutations, product

BOARD = """\
#####N#####
#.........#
#.M.....A.#
#.........#
#...FFF...#
W...FFF...E
#...FFF...#
#.........#
#.A.....M.#
#.........#
#####S#####
"""

TILES = {1: (5, 1), 2: (4, 2), 3: (3, 3), 4: (2, 4), 5: (1, 5), 6: "incident"}
INCIDENTS = {1: "flood", 2: "flood", 3: "earthquake", 4: "earthquake", 5: "gift", 6: "gift"}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
INGREDIENTS = ("flour", "water", "butter")
KINDS = (*INGREDIENTS, "sous")
ORDERS = [" ".join(map(str, order)) for order in permutations(range(1, 7))]


class NaiveBoard:
    """A drawn board. Places are `row,column`, `fountain` or a shop's letter."""

    def __init__(self, drawing: str = BOARD) -> None:
        self.kind: dict[str, str] = {}  # the letter of each place
        cells = {
            (row, column): letter
            for row, line in enumerate(drawing.split())
            for column, letter in enumerate(line)
            if letter != "#"
        }
        names = {}
        for (row, column), letter in cells.items():
            if letter == "F":
                names[row, column] = "fountain"
            elif letter in "NESW":
                names[row, column] = letter
            else:
                names[row, column] = f"{row},{column}"
            self.kind[names[row, column]] = letter
        self.beside: dict[str, set[str]] = {name: set() for name in self.kind}
        for row, column in cells:
            for other in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if other in cells and names[other] != names[row, column]:
                    self.beside[names[row, column]].add(names[other])

    @cache  # noqa: B019  boards are few, and none changes
    def distance(self, start: str, goal: str) -> int:
        """Return the steps between two places without crossing a shop."""
        reached = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if here == goal:
                return reached[here]
            if here != start and self.kind[here] in "NESW":
                continue
            for there in self.beside[here]:
                if there not in reached:
                    reached[there] = reached[here] + 1
                    queue.append(there)
        raise AssertionError(f"no way from {start} to {goal}")

    def way(self, start: str, goal: str) -> list[str]:
        """Return the places of a shortest way, without its start."""
        places = []
        while start != goal:
            start = min(self.beside[start], key=lambda there: (self.distance(there, goal), there))
            places.append(start)
        return places


class NaiveBaker:
    def __init__(self) -> None:
        self.side = ""
        self.tiles: list[int] = []
        self.marker = 0
        self.cash = 10
        self.laboratory = dict.fromkeys(INGREDIENTS, 0)
        self.load = dict.fromkeys(KINDS, 0)
        self.products = {"bread": 0, "croissant": 0}
        self.place = ""
        self.has_left = False
        self.could_leave = False  # in an earlier launch
        self.stays = False
        self.home: bool | None = None  # the answer in trust mode
        self.validated = False

    @property
    def tokens(self) -> int:
        return sum(self.load.values())


class NaiveMatch:
    """A match of 2 or 4 players, `1` to `4`; the table is `T`."""

    def __init__(
        self,
        players: int,
        *,
        movement: str = "full",
        shop_stops_move: bool = True,
        bonus_needs_trip: bool = True,
        carried_home: str = "after_all",
        handicap_1: int = 0,
        handicap_2: int = 0,
        handicap_3: int = 0,
        handicap_4: int = 0,
        drawing: str = BOARD,
    ) -> None:
        assert players in {2, 4}
        self.each_home_alone = carried_home == "after_own"
        self.trust = movement == "trust"
        self.shop_stops_move = shop_stops_move
        self.bonus_needs_trip = bonus_needs_trip
        self.board = NaiveBoard(drawing)
        self.bakers = {str(n): NaiveBaker() for n in range(1, players + 1)}
        more = {"1": handicap_1, "2": handicap_2, "3": handicap_3, "4": handicap_4}
        for name, baker in self.bakers.items():
            baker.cash += more[name]
        self.phase = "setup"
        self.first_rolls: dict[str, int] = {}
        self.rolling = list(self.bakers)  # who rolls for the start
        self.order: list[str] = []
        self.round = 0
        self.series = 0
        self.turn = ""
        self.ready = False
        self.roll: int | None = None
        self.steps_left = 0
        self.arrived = False
        self.incident_due = False

    # Legal moves

    def everybody(self) -> list[str]:
        return [*self.bakers, "T"]

    def legal(self, who: str) -> set[str]:
        """Return the legal lines of a player or the table."""
        if who == "T":
            return {f"T {line}" for line in self.of_the_table()}
        return {f"{who} {line}" for line in self.of_a_player(who)}

    def of_the_table(self) -> list[str]:
        verb = ""
        early = self.phase == "setup" and all(b.side for b in self.bakers.values())
        if (early or self.phase == "start") and not self.order:
            verb = "start"
        if self.phase == "move" and not self.trust and self.roll is None:
            verb = "roll"
        if self.phase == "sale":
            verb = "incident" if self.incident_due else "sale"
        return [f"{verb} {die}" for die in range(1, 7)] if verb else []

    def of_a_player(self, who: str) -> list[str]:
        baker = self.bakers[who]
        if self.phase == "setup":
            return self.choices(baker)
        if self.phase == "move" and self.trust:
            return self.trusted(baker) if baker.home is None else []
        if self.phase == "move" and who == self.turn:
            return self.before_the_roll(baker) if self.roll is None else self.after_the_roll(baker)
        if self.phase == "produce" and not baker.validated:
            return ["validate", *self.bakes(baker)]
        return []

    def choices(self, baker: NaiveBaker) -> list[str]:
        lines = []
        if not baker.side:
            taken = {other.side for other in self.bakers.values()}
            lines += [f"bakery {side}" for side in "NESW" if side not in taken]
        if not baker.tiles:
            lines += [f"tiles {order}" for order in ORDERS]
        return lines

    def trusted(self, baker: NaiveBaker) -> list[str]:
        lines = ["home yes", "home no"]
        return (
            lines
            + self.in_the_shop(baker)
            + self.buys(baker, "flour")
            + self.buys(baker, "butter")
            + self.draws_water(baker)
        )

    def before_the_roll(self, baker: NaiveBaker) -> list[str]:
        if self.ready:
            return []
        lines = ["ready", *self.trades(baker)]
        if baker.place == baker.side:
            lines += self.in_the_shop(baker)
        return lines + self.staying(baker)

    def staying(self, baker: NaiveBaker) -> list[str]:
        return ["stay"] if baker.place == baker.side else []

    def after_the_roll(self, baker: NaiveBaker) -> list[str]:
        lines = ["end", *self.trades(baker)]
        if baker.place == baker.side and self.arrived:
            lines += self.in_the_shop(baker)
        if self.steps_left > 0:
            lines += [f"step {there}" for there in self.board.beside[baker.place] if self.may_enter(baker, there)]
        return lines + self.staying(baker)

    def may_enter(self, baker: NaiveBaker, there: str) -> bool:
        if self.board.kind[there] in "NESW":
            return there == baker.side
        if there == "fountain":
            return True
        return all(other.place != there for other in self.bakers.values())

    def in_the_shop(self, baker: NaiveBaker) -> list[str]:
        lines = [f"load {n}" for n in range(1, 7) if n <= baker.cash and baker.tokens + n <= 6]
        for amounts in product(*(range(baker.load[kind] + 1) for kind in KINDS)):
            if any(amounts):
                lines.append("unload " + " ".join(map(str, amounts)))
        return lines

    def trades(self, baker: NaiveBaker) -> list[str]:
        letter = self.board.kind[baker.place]
        if letter == "M":
            return self.buys(baker, "flour")
        if letter == "A":
            return self.buys(baker, "butter")
        return self.draws_water(baker) if letter == "F" else []

    def buys(self, baker: NaiveBaker, what: str) -> list[str]:
        return [f"{what} {n}" for n in range(1, 7) if n <= baker.load["sous"]]

    def draws_water(self, baker: NaiveBaker) -> list[str]:
        return [f"water {n}" for n in range(1, 7) if baker.tokens + n <= 6]

    def bakes(self, baker: NaiveBaker) -> list[str]:
        used = self.ingredients(baker)
        flour, water, butter = (baker.laboratory[kind] + used[kind] for kind in INGREDIENTS)
        now = (baker.products["bread"], baker.products["croissant"])
        return [
            f"bake {bread} {croissants}"
            for bread in range(flour // 3 + 1)
            for croissants in range(flour + 1)
            if 3 * bread + croissants <= flour
            and 2 * bread + croissants <= water
            and 2 * croissants <= butter
            and (bread, croissants) != now
        ]

    @property
    def die_due(self) -> bool:
        return bool(self.of_the_table()) and self.phase != "setup" and (self.phase != "move" or self.ready)

    # Effects of moves

    def play(self, line: str) -> None:
        who, verb, *words = line.split()
        assert line in self.legal(who), line
        if verb in {"start", "roll", "sale", "incident"}:
            getattr(self, f"do_{verb}")(int(words[0]))
        else:
            getattr(self, f"do_{verb}")(who, self.bakers[who], *words)

    def do_bakery(self, who: str, baker: NaiveBaker, side: str) -> None:
        baker.side = side
        if len(self.bakers) == 2:
            (rival,) = [other for other in self.bakers.values() if other is not baker]
            rival.side = OPPOSITE[side]
        self.end_of_setup()

    def do_tiles(self, who: str, baker: NaiveBaker, *order: str) -> None:
        baker.tiles = [int(tile) for tile in order]
        self.end_of_setup()

    def end_of_setup(self) -> None:
        if all(baker.side and baker.tiles for baker in self.bakers.values()):
            for baker in self.bakers.values():
                baker.place = baker.side
            if self.order:
                self.start_round()
            else:
                self.phase = "start"

    def do_start(self, die: int) -> None:
        self.first_rolls[self.rolling[len(self.first_rolls)]] = die
        if len(self.first_rolls) < len(self.rolling):
            return
        best = max(self.first_rolls.values())
        self.rolling = [who for who in self.rolling if self.first_rolls[who] == best]
        self.first_rolls = {}
        if len(self.rolling) == 1:
            self.order = self.against_the_clock()
            if self.phase == "start":
                self.start_round()

    def against_the_clock(self) -> list[str]:
        players = sorted(self.bakers, key=lambda who: "NWSE".index(self.bakers[who].side))
        while players[0] != self.rolling[0]:
            players = [*players[1:], players[0]]
        return players

    def start_round(self) -> None:
        self.round += 1
        self.phase, self.turn = "move", ""
        for baker in self.bakers.values():
            baker.has_left = baker.could_leave = baker.stays = False
            baker.home = None
            baker.validated = False
        if not self.trust:
            self.series = 1
            self.start_turn(self.order[0])

    def start_turn(self, who: str) -> None:
        self.turn, self.ready, self.roll, self.steps_left, self.arrived = who, False, None, 0, False
        if self.bakers[who].stays:  # as if rolled and not moved
            self.roll = self.steps_left = 1
            self.do_end(who, self.bakers[who])

    def do_stay(self, who: str, baker: NaiveBaker) -> None:
        baker.stays = True
        self.steps_left = 1  # an unused step
        self.do_end(who, baker)

    def do_load(self, who: str, baker: NaiveBaker, n: str) -> None:
        baker.cash -= int(n)
        baker.load["sous"] += int(n)

    def do_unload(self, who: str, baker: NaiveBaker, *amounts: str) -> None:
        for kind, n in zip(KINDS, amounts, strict=True):
            self.put_away(baker, kind, int(n))

    def put_away(self, baker: NaiveBaker, kind: str, n: int) -> None:
        baker.load[kind] -= n
        if kind == "sous":
            baker.cash += n
        else:
            baker.laboratory[kind] += n

    def do_flour(self, who: str, baker: NaiveBaker, n: str) -> None:
        baker.load["sous"] -= int(n)
        baker.load["flour"] += int(n)

    def do_butter(self, who: str, baker: NaiveBaker, n: str) -> None:
        baker.load["sous"] -= int(n)
        baker.load["butter"] += int(n)

    def do_water(self, who: str, baker: NaiveBaker, n: str) -> None:
        baker.load["water"] += int(n)

    def do_ready(self, who: str, baker: NaiveBaker) -> None:
        self.ready = True

    def do_roll(self, die: int) -> None:
        self.roll = self.steps_left = die

    def do_step(self, who: str, baker: NaiveBaker, there: str) -> None:
        baker.place = there
        self.steps_left -= 1
        baker.has_left = True
        self.arrived = there == baker.side
        if self.arrived and self.shop_stops_move:
            self.steps_left = 0

    def do_end(self, who: str, baker: NaiveBaker) -> None:
        self.steps_left = max(self.steps_left, 1 - baker.has_left)  # could have left before the roll, too
        baker.could_leave |= any(line.startswith("step") for line in self.after_the_roll(baker))
        if self.series == 5 and self.each_home_alone:
            self.bring_home(baker)
        place = self.order.index(who) + 1
        if place < len(self.order):
            self.start_turn(self.order[place])
        elif self.series < 5:
            self.series += 1
            self.start_turn(self.order[0])
        else:
            self.go_home()

    def do_home(self, who: str, baker: NaiveBaker, answer: str) -> None:
        baker.home = answer == "yes"
        if all(other.home is not None for other in self.bakers.values()):
            self.go_home()

    def go_home(self) -> None:
        if self.trust or not self.each_home_alone:
            for baker in self.bakers.values():
                self.bring_home(baker)
        self.phase = "produce"
        self.turn, self.roll, self.steps_left = "", None, 0

    def bring_home(self, baker: NaiveBaker) -> None:
        if self.trust:
            bonus = baker.home
        else:
            locked_in = not baker.could_leave
            bonus = baker.place == baker.side and (baker.has_left or locked_in or not self.bonus_needs_trip)
        if bonus:
            baker.cash += 2
        baker.place = baker.side
        for kind in KINDS:
            self.put_away(baker, kind, baker.load[kind])

    def do_bake(self, who: str, baker: NaiveBaker, bread: str, croissants: str) -> None:
        for kind, n in self.ingredients(baker).items():
            baker.laboratory[kind] += n  # undo the earlier choice
        baker.products = {"bread": int(bread), "croissant": int(croissants)}
        for kind, n in self.ingredients(baker).items():
            baker.laboratory[kind] -= n

    def ingredients(self, baker: NaiveBaker) -> dict[str, int]:
        bread, croissants = baker.products["bread"], baker.products["croissant"]
        return {"flour": 3 * bread + croissants, "water": 2 * bread + croissants, "butter": 2 * croissants}

    def do_validate(self, who: str, baker: NaiveBaker) -> None:
        baker.validated = True
        if not all(other.validated for other in self.bakers.values()):
            return
        self.phase = "sale"
        self.turn = self.order[0]

    def do_sale(self, die: int) -> None:
        baker = self.bakers[self.turn]
        for _ in range(die):
            baker.marker += 1
            if baker.marker == len(baker.tiles):
                baker.marker = 0
        tile = TILES[baker.tiles[baker.marker]]
        if tile == "incident":
            self.incident_due = True
            return
        most_bread, most_croissants = tile
        baker.cash += 10 * min(baker.products["bread"], most_bread)
        baker.cash += 8 * min(baker.products["croissant"], most_croissants)
        self.end_of_sale(baker)

    def do_incident(self, die: int) -> None:
        baker = self.bakers[self.turn]
        self.incident_due = False
        if INCIDENTS[die] == "earthquake":
            baker.laboratory = dict.fromkeys(INGREDIENTS, 0)
        if INCIDENTS[die] == "gift":
            baker.cash -= baker.cash // 2 if baker.cash % 2 == 0 else (baker.cash - 1) // 2
        self.end_of_sale(baker)

    def end_of_sale(self, baker: NaiveBaker) -> None:
        baker.products = {"bread": 0, "croissant": 0}
        del baker.tiles[baker.marker]
        if baker.marker == len(baker.tiles):
            baker.marker = 0
        place = self.order.index(self.turn) + 1
        if place < len(self.order):
            self.turn = self.order[place]
        elif self.round < 5:
            self.start_round()
        else:
            self.phase, self.turn = "over", ""

    def facts(self) -> dict[str, object]:
        bakers = list(self.bakers.values())
        moving = bool(self.turn) and self.phase == "move"
        return {
            "phase": self.phase,
            "round": self.round,
            "series": self.series if moving else None,
            "order": self.order,
            "turn": self.turn,
            "steps": self.steps_left if moving else None,
            "roll": self.roll if moving else None,
            "sides": [baker.side for baker in bakers],
            "places": [baker.place for baker in bakers if baker.place],
            "cash": [baker.cash for baker in bakers],
            "laboratories": [tuple(baker.laboratory.values()) for baker in bakers],
            "loads": [tuple(baker.load.values()) for baker in bakers],
            "products": [tuple(baker.products.values()) for baker in bakers],
            "tiles": [baker.tiles for baker in bakers],
            "markers": [baker.marker for baker in bakers],
            "ranking": self.ranking() if self.phase == "over" else None,
        }

    def ranking(self) -> list[list[str]]:
        """Return the places from first to last; equal sous share one."""
        sums = sorted({baker.cash for baker in self.bakers.values()}, reverse=True)
        return [[who for who, baker in self.bakers.items() if baker.cash == one] for one in sums]
