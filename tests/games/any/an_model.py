"""Any other game once more, written from docs/rules/any.md alone. Seats are 1, 2, ...; the house is "T"."""

import tomllib
from itertools import combinations

HOUSE = "T"

WORD = {"sealed": "numbers", "points": "pad"}


def as_meant(table):
    """Return what the box means without saying it (A9): votes, right words, right numbers, lists of names."""
    if "words" in table:
        return {"wins": "exact" if "number" in table else "shown"}
    if "names" in table:
        return {"lots": "names"}
    return {"wins": "closest"} if "number" in table else {}


class Model:
    """One match. `doing` says what is waited for."""

    def __init__(self, box_text, rulings, seats):
        self.rules = rulings
        self.seats = list(range(1, seats + 1))
        self.points = dict.fromkeys(self.seats, 0)
        self.rounds = []
        if rulings["play"] == "list":  # R1
            for table in tomllib.loads(box_text)["rounds"]:
                self.rounds += [{**rulings, **as_meant(table), **table}] * table.get("times", 1)
        else:  # R2
            times = 1 if rulings["play"] == "clock" else rulings["rounds"]
            self.rounds = [{**rulings, "kind": rulings["play"]}] * times
        self.played = 0
        self.shown, self.won, self.right = {}, [], None
        self.begin()

    def begin(self):
        self.shown, self.won, self.right = {}, [], None
        self.out, self.tied, self.word = [], [], None
        self.numbers, self.clocks, self.fallen = {}, {}, []
        self.steps = self.changes = self.turns = 0
        if self.played == len(self.rounds):  # R4
            self.doing = "over"
            return
        self.now = self.rounds[self.played]
        self.first = self.seats[self.played % len(self.seats)]
        self.doing = WORD.get(self.now["kind"], "waiting")
        if self.now["kind"] == "clock":  # R18
            self.clocks = dict.fromkeys(self.seats, self.now["minutes"] * 60_000)
            self.word = self.first

    def end(self):
        target = self.now["target"]
        self.played += 1
        if target and max(self.points.values()) >= target:  # R4
            self.shown, self.won, self.right = {}, [], None
            self.out, self.tied, self.word = [], [], None
            self.doing = "over"
        else:
            self.begin()

    def score(self, seat, change):  # A6
        self.points[seat] = min(9999, max(-9999, self.points[seat] + change))

    # --- who may call ---

    def asking(self):
        return self.first if self.now["kind"] == "first" and self.now["asks"] == "turns" else None

    def may_call(self):
        among = self.tied or self.seats
        return [seat for seat in among if seat not in self.out and seat != self.asking()]

    def bounds(self, seat):
        words = self.now.get("words")
        if words:
            return range(1, len(words) + 1)
        most = self.now["largest"]
        if self.now["tokens"]:  # R17
            most = min(most, max(0, self.points[seat]))
        return range(most + 1)

    def lots(self):
        """Return what may fall next, and how many fall (R21)."""
        what = self.now["lots"]
        if what == "dice":
            return range(1, self.now["sides"] + 1), self.now["dice"]
        pool = self.now["names"] if what == "names" else self.seats
        left = [place for place in range(1, len(pool) + 1) if place not in self.fallen]
        return left, {"names": min(self.now["dice"], len(pool)), "teams": len(pool), "begins": 1}[what]

    # --- legal moves: verb -> the set or range of what follows, per seat ---

    def legal(self, who):  # noqa: PLR0912  # one branch for each thing that may be done
        found = {}
        doing, kind = self.doing, None if self.doing == "over" else self.now["kind"]
        if doing == "over":
            return found
        if who != HOUSE:
            if doing == "numbers":
                if who in self.numbers:
                    found["retract"] = [()]
                elif len(self.bounds(who)):
                    found["lock"] = [(number,) for number in self.bounds(who)]
            return found
        found["skip"] = [()]
        if doing == "waiting":
            found["open"] = [()]
            if kind == "first" and self.now["opens"] != "ok":  # R7
                some = 1 if self.now["opens"] == "at_once" or self.steps == 8 else 4
                found["tick"] = [(step,) for step in range(some)]
        if doing in {"waiting", "open"} and kind == "first":
            found["early"] = [(seat,) for seat in self.may_call()]
        if doing == "open":
            found["call"] = [(seat,) for seat in self.may_call()]
            ties = [group for size in range(2, 6) for group in combinations(self.may_call(), size)]
            if ties:
                found["tie"] = ties
        if doing == "answer":
            found |= {"right": [()], "wrong": [()], "late": [()]}
        if doing == "number":
            words = self.now.get("words")
            span = range(1, len(words) + 1) if words else range(self.now["largest"] + 1)
            found["number"] = [(number,) for number in span]
        if doing == "running":
            found["pass"] = (self.word, self.clocks[self.word])  # any time less than that
            found["flag"] = [(self.word,)]
        if doing == "falling":
            found["draw"] = [(lot,) for lot in self.lots()[0]]
        most = 99 if kind in {"points", "clock"} else 9  # A6
        if doing not in {"open", "numbers"} and self.changes < most:  # R5
            found["add"] = found["take"] = self.seats
        return found

    # --- moves ---

    def play(self, who, verb, *args):
        getattr(self, f"do_{verb}")(who, *args)

    def do_open(self, who):
        if self.now["kind"] == "first":
            self.open_up()
        elif self.now["kind"] == "clock":
            self.doing = "running"
        else:
            self.doing, self.fallen = "falling", []

    def open_up(self):
        self.doing, self.word, self.steps = "open", None, 0

    def do_tick(self, who, step):
        if step == 0:
            self.open_up()
        else:
            self.steps += 1

    def do_early(self, who, seat):  # R9
        self.out.append(seat)
        if not self.may_call():
            self.end()

    def do_call(self, who, seat):  # R8
        if self.now["asks"] == "nobody":
            self.score(seat, self.now["points"])
            self.end()
        else:
            self.doing, self.word = "answer", seat

    def do_tie(self, who, *seats):  # R10
        self.tied = list(seats)
        self.doing = "waiting" if self.now["opens"] == "secret" else "open"

    def do_right(self, who):
        self.score(self.word, self.now["points"])
        self.end()

    def do_wrong(self, who):  # R11
        self.score(self.word, -self.now["wrong"])
        self.out.append(self.word)
        self.tied = []
        if self.now["go_on"] and self.may_call():
            self.open_up()
        else:
            self.end()

    do_late = do_wrong  # R12

    def do_skip(self, who):  # R3
        self.end()

    def do_lock(self, who, number):
        self.numbers[who] = number
        if len(self.numbers) < len(self.seats):
            return
        self.shown, self.numbers = dict(sorted(self.numbers.items())), {}
        asks = self.now["wins"] in {"closest", "exact"}
        if asks and "number" not in self.now:  # R16
            self.doing = "number"
        else:
            self.settle(self.now.get("number"))

    def do_retract(self, who):
        del self.numbers[who]

    def do_number(self, who, number):
        self.settle(number)

    def settle(self, number):  # R15
        shown, wins = self.shown, self.now["wins"]
        off = {seat: abs(keyed - number) for seat, keyed in shown.items()} if number is not None else {}
        best = {
            "highest": lambda: [seat for seat in shown if shown[seat] == max(shown.values())],
            "lowest": lambda: [seat for seat in shown if shown[seat] == min(shown.values())],
            "closest": lambda: [seat for seat in shown if off[seat] == min(off.values())],
            "exact": lambda: [seat for seat in shown if off[seat] == 0],
            "shown": list,
        }[wins]()
        if self.now["tokens"] and len(best) > 1:  # R17
            best = []
        for seat in best:
            if self.now["tokens"]:
                self.score(seat, -shown[seat])
            self.score(seat, self.now["points"])
        self.end()
        self.shown, self.won = shown, best
        self.right = number if wins in {"closest", "exact"} else None

    def do_pass(self, who, seat, used):  # R18
        self.clocks[seat] -= used
        if self.now["clock"] == "increment":  # R20
            self.clocks[seat] += self.now["increment_s"] * 1000
        self.turns += 1
        if self.turns == 999:  # A6
            self.end()
        else:
            self.next_clock(used)

    def do_flag(self, who, seat):  # R19
        used, self.clocks[seat] = self.clocks[seat], 0
        self.out.append(seat)
        left = [one for one in self.seats if one not in self.out]
        if len(left) == 1:
            self.score(left[0], self.now["points"])
            self.end()
        else:
            self.next_clock(used)

    def next_clock(self, used):
        at = self.word
        while True:
            at = at % len(self.seats) + 1
            if at not in self.out:
                break
        self.word = at
        if self.now["clock"] == "hourglass":
            self.clocks[at] += used

    def do_draw(self, who, lot):
        _, count = self.lots()
        self.fallen.append(lot)
        if len(self.fallen) == count:  # R22
            self.doing = "waiting"
            self.turns += 1
            if self.turns == 999:
                self.end()

    def do_add(self, who, seat, amount):
        self.change(seat, amount)

    def do_take(self, who, seat, amount):
        self.change(seat, -amount)

    def change(self, seat, amount):  # R5
        self.score(seat, amount)
        self.changes += 1
        if self.now["target"] and max(self.points.values()) >= self.now["target"]:  # R4
            self.end()

    def ranking(self):  # R4
        if self.doing != "over":
            return None
        return [
            [seat for seat in self.seats if self.points[seat] == points]
            for points in sorted(set(self.points.values()), reverse=True)
        ]
