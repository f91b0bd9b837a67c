"""The private screens of pods: a long text comes page by page, and no screen tells of another one."""

from host_bench import MS, FakeClock

from companion.private_screens import PAGE_NS, PrivateScreens

LONG = "one two three four five six"
PAGES = ["one two three", "four five six"]


class Screens:
    """Notes what is said, and when."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.said: list[tuple[int, int, str, str]] = []
        self._began_ns = self.clock.t_ns
        self.screens = PrivateScreens(self._say, self.clock)

    def _say(self, place: int, first: str, second: str) -> None:
        self.said.append((self.clock.t_ns - self._began_ns, place, first, second))

    def at(self, t_ms: int, **wanted: str) -> None:
        """Let time pass until then, and show texts: `p1="hello"`."""
        end_ns = self._began_ns + t_ms * MS
        while (due_ns := self.clock.next_ns()) is not None and due_ns <= end_ns:
            self.clock.t_ns = due_ns
            self.clock.act_due()
        self.clock.t_ns = end_ns
        self.screens.show({int(name[1:]): (text, "") for name, text in wanted.items()})

    def of(self, place: int) -> list[tuple[int, str]]:
        return [(t_ns // MS, first) for t_ns, whose, first, _ in self.said if whose == place]


def test_a_long_text_comes_page_by_page() -> None:
    screens = Screens()
    screens.at(0, p1=LONG)
    screens.at(5_000)
    assert screens.of(1) == [(0, PAGES[0]), (PAGE_NS // MS, PAGES[1]), (2 * PAGE_NS // MS, PAGES[0])]


def test_a_short_text_is_said_once() -> None:
    screens = Screens()
    screens.at(0, p1="short")
    screens.at(9_000, p1="short")
    assert screens.of(1) == [(0, "short")]


def test_a_new_text_stands_as_long_as_any() -> None:
    screens = Screens()
    screens.at(0, p1=LONG)
    screens.at(1_500, p1=f"{LONG} seven")
    screens.at(4_000)
    assert screens.of(1)[1:] == [(1_500, PAGES[0]), (3_500, PAGES[1])]


def test_no_screen_tells_that_another_one_has_a_long_text() -> None:
    told = []
    for text in (LONG, "short"):
        screens = Screens()
        screens.at(0, p1=text, p2="short")
        screens.at(700, p2=LONG)
        screens.at(9_000)
        told.append(screens.of(2))
    assert told[0] == told[1]
