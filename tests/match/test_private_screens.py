"""Private screens: two short lines, what is long page by page, and nothing written twice."""

from host_bench import MS, FakeClock

from companion.match.private_screens import COLUMNS, PAGE_NS, Private, PrivateScreens, pages

LONG = "Bid 40 (2x20); hand 152 (2x20 4x10)"


def own(first: str, second: str = "") -> Private:
    """Return two lines that are about themselves."""
    return Private(first, second, about=f"{first} {second}")


class Screens(PrivateScreens):
    """Private screens that remember what was written: place and lines."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.said: list[tuple[int, str, str]] = []
        super().__init__(lambda *said: self.said.append(said), self.clock)

    def wait(self, ns: int) -> list[tuple[str, str]]:
        """Let time pass; return what was written meanwhile."""
        self.said.clear()
        end_ns = self.clock.t_ns + ns
        while (due_ns := self.clock.next_ns()) is not None and due_ns <= end_ns:
            self.clock.t_ns = due_ns
            self.clock.act_due()
        self.clock.t_ns = end_ns
        return [(first, second) for _, first, second in self.said]


def test_pages_are_short_enough_and_keep_words_whole() -> None:
    assert pages(LONG) == ["Bid 40 (2x20);", "hand 152 (2x20", "4x10)"]
    assert pages("") == [""]
    assert pages("Anna") == ["Anna"]
    assert all(len(page) <= COLUMNS for page in pages("Donaudampfschifffahrtsgesellschaft"))
    assert "".join(pages("Donaudampfschifffahrtsgesellschaft")) == "Donaudampfschifffahrtsgesellschaft"


def test_each_place_gets_its_own_lines_and_only_what_is_new() -> None:
    screens = Screens()
    screens.show({0: own("Anna", ""), 2: own("Cleo", "12")})
    screens.show({0: own("Anna", ""), 2: own("Cleo", "13")})
    assert screens.said == [(0, "Anna", ""), (2, "Cleo", "12"), (2, "Cleo", "13")]


def test_short_lines_need_no_time() -> None:
    screens = Screens()
    screens.show({0: own("Anna", "")})
    assert screens.clock.next_ns() is None


def test_long_lines_turn_their_pages_and_begin_again() -> None:
    screens = Screens()
    screens.show({0: own("Your bid", LONG)})
    assert screens.said == [(0, "Your bid", "Bid 40 (2x20);")]
    assert screens.wait(PAGE_NS - 1) == []
    assert screens.wait(1) == [("Your bid", "hand 152 (2x20")]
    assert screens.wait(2 * PAGE_NS) == [("Your bid", "4x10)"), ("Your bid", "Bid 40 (2x20);")]


def test_each_line_has_as_many_pages_as_it_needs() -> None:
    screens = Screens()
    screens.show({0: own("The match is paused", LONG)})
    said = [screens.said[0][1:], *screens.wait(5 * PAGE_NS)]
    assert [first for first, _ in said] == ["The match is", "paused"] * 3
    assert [second for _, second in said] == pages(LONG) * 2


def test_a_new_text_begins_with_its_first_page_and_stands_as_long_as_any() -> None:
    screens = Screens()
    screens.show({0: own("", LONG)})
    screens.wait(PAGE_NS - MS)
    screens.show({0: own("", LONG.replace("40", "60"))})
    assert screens.said == [(0, "", "Bid 60 (2x20);")]
    assert screens.wait(PAGE_NS - MS) == []
    assert screens.wait(MS) == [("", "hand 152 (2x20")]


def test_what_is_typed_does_not_turn_the_pages_back() -> None:
    screens = Screens()
    screens.show({0: Private("Your bid", LONG, "your bid")})
    screens.wait(PAGE_NS + MS)
    screens.show({0: Private("Bid 20", LONG, "your bid")})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20"), (0, "Bid 20", "hand 152 (2x20")]
    assert screens.wait(PAGE_NS - 2 * MS) == []
    assert screens.wait(2 * MS) == [("Bid 20", "4x10)")]


def test_a_text_that_grows_begins_to_turn() -> None:
    screens = Screens()
    screens.show({0: Private("Your bid", "Hand 1", "your bid")})
    screens.wait(5 * PAGE_NS)
    screens.show({0: Private("Bid 20", LONG, "your bid")})
    assert screens.wait(PAGE_NS) == [("Bid 20", "hand 152 (2x20")]


def test_a_key_turns_the_page_which_then_stands_as_long_as_any() -> None:
    screens = Screens()
    screens.show({0: Private("Your bid", LONG, "your bid")})
    screens.wait(PAGE_NS - MS)
    screens.show({0: Private("Your bid", LONG, "your bid", turned=1)})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20")]
    assert screens.wait(PAGE_NS - MS) == []
    assert screens.wait(MS) == [("Your bid", "4x10)")]


def test_a_text_that_comes_back_turns_no_faster() -> None:
    screens = Screens()
    for text in (LONG, "4", LONG):
        screens.show({0: own("", text)})
    assert len(screens.wait(3 * PAGE_NS)) == 3


def test_a_short_text_ends_the_turning() -> None:
    screens = Screens()
    screens.show({0: own("", LONG)})
    screens.show({0: own("", "Hand 152")})
    assert screens.wait(10 * PAGE_NS) == []
    assert screens.clock.next_ns() is None


def test_no_screen_tells_that_another_one_has_a_long_text() -> None:
    told = []
    for text in (LONG, "short"):
        screens = Screens()
        times = []
        screens._say = lambda place, *_, times=times, screens=screens: (
            place == 2 and times.append(screens.clock.t_ns)
        )
        screens.show({1: own(text, ""), 2: own("short", "")})
        screens.wait(700 * MS)
        screens.show({2: own(LONG, "")})
        screens.wait(9_000 * MS)
        told.append(times)
    assert len(told[0]) > 4
    assert told[0] == told[1]
