"""Private screens: two short lines, what is long page by page, and nothing written twice."""

from typing import Any

import pytest

from companion.core.place import ScreenSize
from companion.match.private_screens import MORE, PAGE_NS, Private, PrivateScreens, laid_out, pages, wrapped
from tests.host_bench import MS, FakeClock

LONG = "Bid 40 (2x20); hand 152 (2x20 4x10)"
PAGES = ["Bid 40 (2x20); >", "hand 152 (2x20 >", "4x10)"]


def own(first: str, second: str = "") -> Private:
    """Return two lines that are about themselves."""
    return Private(first, second, about=f"{first} {second}")


class Screens(PrivateScreens):
    """Private screens that remember what was written: place and lines."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.said: list[tuple[Any, ...]] = []
        self.size = ScreenSize()
        super().__init__(lambda *said: self.said.append(said), self.clock, lambda _: self.size)

    def wait(self, ns: int) -> list[tuple[str, str]]:
        """Let time pass; return what was written meanwhile."""
        self.said.clear()
        end_ns = self.clock.t_ns + ns
        while (due_ns := self.clock.next_ns()) is not None and due_ns <= end_ns:
            self.clock.t_ns = due_ns
            self.clock.act_due()
        self.clock.t_ns = end_ns
        return [(said[1], said[2]) for said in self.said]


@pytest.fixture
def screens() -> Screens:
    return Screens()


def test_pages_are_short_enough_and_keep_words_whole() -> None:
    assert wrapped(LONG) == ["Bid 40 (2x20);", "hand 152 (2x20", "4x10)"]
    assert wrapped("") == [""]
    assert wrapped("Anna") == ["Anna"]
    assert all(len(page) <= 16 for page in wrapped("Donaudampfschifffahrtsgesellschaft"))
    assert "".join(wrapped("Donaudampfschifffahrtsgesellschaft")) == "Donaudampfschifffahrtsgesellschaft"


def test_a_page_with_more_behind_it_says_so_in_the_last_column_and_the_last_one_does_not() -> None:
    assert pages(LONG) == [(line,) for line in PAGES]
    assert pages("Your bid of four") == [("Your bid of four",)], "a text that fits has no sign, and all of the line"
    assert pages("") == [("",)]
    assert pages(LONG, 16, 2) == [("Bid 40 (2x20);", "hand 152 (2x20 >"), ("4x10)", "")]
    assert pages("one two three four five six", 20, 1) == [("one two three four >",), ("five six",)]


def test_no_word_is_cut_for_the_sign_that_there_is_more() -> None:
    assert pages("Unwiderstehliche Angebote der Bank") == [("Unwiderstehliche",), ("Angebote der   >",), ("Bank",)]
    long = "Donaudampfschifffahrtsgesellschaft"
    assert "".join(line for (line,) in pages(long)) == long
    assert pages("Fini\u202f! Un mot de plus") == [("Fini ! Un mot  >",), ("de plus",)]


def test_each_place_gets_its_own_lines_and_only_what_is_new(screens: Screens) -> None:
    screens.show({0: own("Anna", ""), 2: own("Cleo", "12")})
    screens.show({0: own("Anna", ""), 2: own("Cleo", "13")})
    assert screens.said == [(0, "Anna", ""), (2, "Cleo", "12"), (2, "Cleo", "13")]


def test_short_lines_need_no_time(screens: Screens) -> None:
    screens.show({0: own("Anna", "")})
    assert screens.clock.next_ns() is None


def test_long_lines_turn_their_pages_and_begin_again(screens: Screens) -> None:
    screens.show({0: own("Your bid", LONG)})
    assert screens.said == [(0, "Your bid", "Bid 40 (2x20); >")]
    assert screens.wait(PAGE_NS - 1) == []
    assert screens.wait(1) == [("Your bid", "hand 152 (2x20 >")]
    assert screens.wait(2 * PAGE_NS) == [("Your bid", "4x10)"), ("Your bid", "Bid 40 (2x20); >")]


def test_each_line_has_as_many_pages_as_it_needs(screens: Screens) -> None:
    screens.show({0: own("The match is paused", LONG)})
    said = [screens.said[0][1:], *screens.wait(5 * PAGE_NS)]
    assert [first for first, _ in said] == ["The match is   >", "paused"] * 3
    assert [second for _, second in said] == PAGES * 2


def test_a_new_text_begins_with_its_first_page_and_stands_as_long_as_any(screens: Screens) -> None:
    screens.show({0: own("", LONG)})
    screens.wait(PAGE_NS - MS)
    screens.show({0: own("", LONG.replace("40", "60"))})
    assert screens.said == [(0, "", "Bid 60 (2x20); >")]
    assert screens.wait(PAGE_NS - MS) == []
    assert screens.wait(MS) == [("", "hand 152 (2x20 >")]


def test_what_is_typed_does_not_turn_the_pages_back(screens: Screens) -> None:
    screens.show({0: Private("Your bid", LONG, "your bid")})
    screens.wait(PAGE_NS + MS)
    screens.show({0: Private("Bid 20", LONG, "your bid")})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20 >"), (0, "Bid 20", "hand 152 (2x20 >")]
    assert screens.wait(PAGE_NS - 2 * MS) == []
    assert screens.wait(2 * MS) == [("Bid 20", "4x10)")]


def test_a_text_that_grows_begins_to_turn(screens: Screens) -> None:
    screens.show({0: Private("Your bid", "Hand 1", "your bid")})
    screens.wait(5 * PAGE_NS)
    screens.show({0: Private("Bid 20", LONG, "your bid")})
    assert screens.wait(PAGE_NS) == [("Bid 20", "hand 152 (2x20 >")]


def test_a_key_turns_the_page_which_then_stands_as_long_as_any(screens: Screens) -> None:
    screens.show({0: Private("Your bid", LONG, "your bid")})
    screens.wait(PAGE_NS - MS)
    screens.show({0: Private("Your bid", LONG, "your bid", turned=1)})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20 >")]
    assert screens.wait(PAGE_NS - MS) == []
    assert screens.wait(MS) == [("Your bid", "4x10)")]


def test_a_text_that_comes_back_turns_no_faster(screens: Screens) -> None:
    for text in (LONG, "4", LONG):
        screens.show({0: own("", text)})
    assert len(screens.wait(3 * PAGE_NS)) == 3


def test_a_short_text_ends_the_turning(screens: Screens) -> None:
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


# --- Larger screens ---------------------------------------------------------------------------------------

HAND = "hand 152 (2x20 4x10 8x5 12x2 4x1)"


def test_a_screen_of_four_lines_shows_on_one_page_what_two_lines_turn(screens: Screens) -> None:
    screens.size = ScreenSize(20, 4)
    screens.show({0: own("Your bid", HAND)})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20 4x10", "8x5 12x2 4x1)", "")]
    assert screens.wait(9 * PAGE_NS) == []
    screens.show({0: own("Keys 1-5: cards 1 2 5 10 20; # locks", HAND)})
    assert screens.said[-1] == (
        0,
        "Keys 1-5: cards 1 2",
        "5 10 20; # locks",
        "hand 152 (2x20 4x10",
        "8x5 12x2 4x1)",
    )
    assert screens.wait(9 * PAGE_NS) == []


def test_each_text_has_the_lines_that_the_other_does_not_need() -> None:
    long = " ".join(f"word{n}" for n in range(12))
    size = ScreenSize(16, 4)
    for first, second, high in (
        ("short", long, (1, 3)),
        (long, "short", (3, 1)),
        (long, long, (2, 2)),
        ("", "", (1, 3)),
        (long, "", (4, 0)),
    ):
        upper, lower = laid_out(own(first, second), size)
        assert ({len(page) for page in upper}, {len(page) for page in lower}) == ({high[0]}, {high[1]})
        for text, parts in ((first, upper), (second, lower)):
            assert " ".join(line.removesuffix(MORE).rstrip() for page in parts for line in page if line) == text


def test_a_text_with_nothing_below_it_has_both_lines(screens: Screens) -> None:
    screens.show({0: own("2 steps: 03579 2468, A, C 1-4: flour, #: end")})
    assert screens.said == [(0, "2 steps: 03579", "2468, A, C     >")]
    assert screens.wait(2 * PAGE_NS) == [("1-4: flour, #:", "end"), ("2 steps: 03579", "2468, A, C     >")]
    screens.show({0: own("Anna moves")})
    assert screens.said[-1] == (0, "Anna moves", "")


def test_another_screen_of_a_place_is_written_anew(screens: Screens) -> None:
    screens.show({0: own("Anna", LONG)})
    screens.size = ScreenSize(20, 4)
    screens.show({0: own("Anna", LONG)})
    assert screens.said[-1] == (0, "Anna", "Bid 40 (2x20); hand", "152 (2x20 4x10)", "")
    assert screens.wait(9 * PAGE_NS) == []
