"""Private screens: short lines, long texts page by page, no repeated writes."""

from typing import Any

import pytest

from companion.core.place import ScreenSize
from companion.match.private_screens import MORE, PAGE_NS, Private, PrivateScreens, laid_out, pages, wrapped
from tests.host_bench import MS, FakeClock

LONG = "Bid 40 (2x20); hand 152 (2x20 4x10)"
PAGES = ["Bid 40 (2x20); >", "hand 152 (2x20 >", "4x10)"]


def own(first: str, second: str = "") -> Private:
    return Private(first, second, about=f"{first} {second}")


class Screens(PrivateScreens):
    """Private screens that record writes."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.said: list[tuple[Any, ...]] = []
        self.size = ScreenSize()
        super().__init__(lambda *said: self.said.append(said), self.clock, lambda _: self.size)

    def wait(self, ns: int) -> list[tuple[str, str]]:
        """Advance the time; return what was written meanwhile."""
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


def test_wrapped_lines_fit_and_keep_words_whole() -> None:
    assert wrapped(LONG) == ["Bid 40 (2x20);", "hand 152 (2x20", "4x10)"]
    assert wrapped("") == [""]
    assert wrapped("Anna") == ["Anna"]
    assert all(len(page) <= 16 for page in wrapped("Donaudampfschifffahrtsgesellschaft"))
    assert "".join(wrapped("Donaudampfschifffahrtsgesellschaft")) == "Donaudampfschifffahrtsgesellschaft"


def test_unfinished_pages_end_with_a_mark() -> None:
    assert pages(LONG) == [(line,) for line in PAGES]
    assert pages("Your bid of four") == [("Your bid of four",)], "a text that fits has no sign, and all of the line"
    assert pages("") == [("",)]
    assert pages(LONG, 16, 2) == [("Bid 40 (2x20);", "hand 152 (2x20 >"), ("4x10)", "")]
    assert pages("one two three four five six", 20, 1) == [("one two three four >",), ("five six",)]


def test_mark_never_cuts_a_word() -> None:
    assert pages("Unwiderstehliche Angebote der Bank") == [("Unwiderstehliche",), ("Angebote der   >",), ("Bank",)]
    long = "Donaudampfschifffahrtsgesellschaft"
    assert "".join(line for (line,) in pages(long)) == long
    assert pages("Fini\u202f! Un mot de plus") == [("Fini ! Un mot  >",), ("de plus",)]


def test_each_place_gets_only_its_new_lines(screens: Screens) -> None:
    screens.show({0: own("Anna", ""), 2: own("Cleo", "12")})
    screens.show({0: own("Anna", ""), 2: own("Cleo", "13")})
    assert screens.said == [(0, "Anna", ""), (2, "Cleo", "12"), (2, "Cleo", "13")]


def test_short_lines_need_no_timer(screens: Screens) -> None:
    screens.show({0: own("Anna", "")})
    assert screens.clock.next_ns() is None


def test_long_lines_turn_pages_and_start_again(screens: Screens) -> None:
    screens.show({0: own("Your bid", LONG)})
    assert screens.said == [(0, "Your bid", "Bid 40 (2x20); >")]
    assert screens.wait(PAGE_NS - 1) == []
    assert screens.wait(1) == [("Your bid", "hand 152 (2x20 >")]
    assert screens.wait(2 * PAGE_NS) == [("Your bid", "4x10)"), ("Your bid", "Bid 40 (2x20); >")]


def test_each_line_has_its_own_number_of_pages(screens: Screens) -> None:
    screens.show({0: own("The match is paused", LONG)})
    said = [screens.said[0][1:], *screens.wait(5 * PAGE_NS)]
    assert [first for first, _ in said] == ["The match is   >", "paused"] * 3
    assert [second for _, second in said] == PAGES * 2


def test_new_text_starts_with_a_full_first_page(screens: Screens) -> None:
    screens.show({0: own("", LONG)})
    screens.wait(PAGE_NS - MS)
    screens.show({0: own("", LONG.replace("40", "60"))})
    assert screens.said == [(0, "", "Bid 60 (2x20); >")]
    assert screens.wait(PAGE_NS - MS) == []
    assert screens.wait(MS) == [("", "hand 152 (2x20 >")]


def test_typing_keeps_the_current_page(screens: Screens) -> None:
    screens.show({0: Private("Your bid", LONG, "your bid")})
    screens.wait(PAGE_NS + MS)
    screens.show({0: Private("Bid 20", LONG, "your bid")})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20 >"), (0, "Bid 20", "hand 152 (2x20 >")]
    assert screens.wait(PAGE_NS - 2 * MS) == []
    assert screens.wait(2 * MS) == [("Bid 20", "4x10)")]


def test_growing_text_begins_to_turn(screens: Screens) -> None:
    screens.show({0: Private("Your bid", "Hand 1", "your bid")})
    screens.wait(5 * PAGE_NS)
    screens.show({0: Private("Bid 20", LONG, "your bid")})
    assert screens.wait(PAGE_NS) == [("Bid 20", "hand 152 (2x20 >")]


def test_key_turns_the_page_for_its_full_time(screens: Screens) -> None:
    screens.show({0: Private("Your bid", LONG, "your bid")})
    screens.wait(PAGE_NS - MS)
    screens.show({0: Private("Your bid", LONG, "your bid", turned=1)})
    assert screens.said == [(0, "Your bid", "hand 152 (2x20 >")]
    assert screens.wait(PAGE_NS - MS) == []
    assert screens.wait(MS) == [("Your bid", "4x10)")]


def test_returning_text_turns_no_faster(screens: Screens) -> None:
    for text in (LONG, "4", LONG):
        screens.show({0: own("", text)})
    assert len(screens.wait(3 * PAGE_NS)) == 3


def test_short_text_stops_the_turning(screens: Screens) -> None:
    screens.show({0: own("", LONG)})
    screens.show({0: own("", "Hand 152")})
    assert screens.wait(10 * PAGE_NS) == []
    assert screens.clock.next_ns() is None


def test_screens_do_not_reveal_others_long_texts() -> None:
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


def test_four_lines_need_fewer_pages_than_two(screens: Screens) -> None:
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


def test_lines_go_to_the_longer_text() -> None:
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


def test_text_with_nothing_below_uses_both_lines(screens: Screens) -> None:
    screens.show({0: own("2 steps: 03579 2468, A, C 1-4: flour, #: end")})
    assert screens.said == [(0, "2 steps: 03579", "2468, A, C     >")]
    assert screens.wait(2 * PAGE_NS) == [("1-4: flour, #:", "end"), ("2 steps: 03579", "2468, A, C     >")]
    screens.show({0: own("Anna moves")})
    assert screens.said[-1] == (0, "Anna moves", "")


def test_replaced_screen_is_written_anew(screens: Screens) -> None:
    screens.show({0: own("Anna", LONG)})
    screens.size = ScreenSize(20, 4)
    screens.show({0: own("Anna", LONG)})
    assert screens.said[-1] == (0, "Anna", "Bid 40 (2x20); hand", "152 (2x20 4x10)", "")
    assert screens.wait(9 * PAGE_NS) == []
