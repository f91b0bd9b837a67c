"""A match watched on a terminal: readable pace, colours, and interruptible."""

import io
import re
from types import SimpleNamespace

import pytest

from companion.cli import watched as module
from companion.cli.demo import watch
from companion.cli.watched import LONGEST_S, SENTENCE_S, Watched, takes_pictures
from companion.games import load
from companion.match.new_match import NAMES, new_match
from companion.match.robots import bots_named
from companion.referee.journal import Unkept

SGR = re.compile(r"\x1b\[[0-9;]*m")
MOVES = re.compile(r"\x1b\[[HJK]")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Watcher:
    """Watches a whole match of Buntherum, and notes the wait before each sentence."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, rows: int = 40, stop_after: int | None = None) -> None:
        monkeypatch.setattr(module, "shutil", SimpleNamespace(get_terminal_size=lambda: (60, rows)))
        self.waits: list[float] = []
        self.stop_after = stop_after
        self.terminal = Terminal()

    def watch(self) -> str:
        match = new_match(load("buntherum"), NAMES[:3], seed="7", demo=True)
        bots = bots_named(match.game, ("easy", "strong", "middle"), 3)
        watch(match, Unkept(), bots, Watched(match, self.terminal, self.wait))
        return self.terminal.getvalue()

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if len(self.waits) == self.stop_after:
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_match_is_narrated_at_a_readable_pace(monkeypatch, capsys) -> None:
    watcher = Watcher(monkeypatch)
    last = MOVES.sub("", SGR.sub("", watcher.watch().rpartition("\x1b[H")[2])).splitlines()
    assert (min(watcher.waits), max(watcher.waits)) == (SENTENCE_S, LONGEST_S)
    assert last[0].startswith("  1 [green cube]")
    assert re.match(r"(Anna|Ben|Cleo) wins: ", last[-1])
    assert all(len(line) <= 60 for line in last)
    assert len(last) < 40
    assert capsys.readouterr().out.startswith("\nBest moment: ")


def test_names_have_the_colours_of_their_seats(monkeypatch) -> None:
    text = Watcher(monkeypatch).watch()
    assert "\x1b[1;91mAnna\x1b[0;m" in text
    assert "\x1b[1;96mBen\x1b[0;m" in text
    assert "\x1b[32mRight\x1b[0m" in text


def test_no_color_leaves_colours_out(monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not SGR.search(Watcher(monkeypatch).watch())


def test_low_terminal_shows_sentences_alone(monkeypatch) -> None:
    text = Watcher(monkeypatch, rows=12).watch()
    assert not MOVES.search(text)
    assert "[green cube]" not in text


def test_interrupted_terminal_is_left_intact(monkeypatch) -> None:
    watcher = Watcher(monkeypatch, stop_after=9)
    with pytest.raises(KeyboardInterrupt):
        watcher.watch()
    assert len(watcher.waits) == 9
    assert watcher.terminal.getvalue().endswith("\x1b[0m\x1b[K\n\x1b[J")


def test_pictures_need_a_terminal_that_can_move(monkeypatch) -> None:
    assert takes_pictures(Terminal())
    assert not takes_pictures(io.StringIO())
    assert not takes_pictures(None)
    monkeypatch.setenv("TERM", "dumb")
    assert not takes_pictures(Terminal())
