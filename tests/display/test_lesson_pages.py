"""What a lesson shows, in both languages: pages, hints and refusals are there, whole and large enough."""

from collections.abc import Iterator
from pathlib import Path

import laws
import pytest
import shows
from lesson_walk import LESSONS, begin, tutor_of, walk

from companion.core.game import Game
from companion.core.text import LANGUAGES
from companion.display.frame import Frame, HelpPage
from companion.match.lessons import LEARNER


def frames_of(folder: Path, game: Game) -> Iterator[Frame]:
    """Yield every page and every position in which something is asked for, and what refuses something else."""
    table = begin(folder, game)
    for frame in walk(table):
        yield frame
        if not isinstance(frame.screen, HelpPage) and tutor_of(table).controls(LEARNER)[0] != "D":
            table.press("D", place=0)
            yield table.frame
            while table.host.session and table.host.session.referee.entries.get(LEARNER, ""):
                table.press("*", place=0)


@pytest.fixture(scope="module", params=LESSONS, ids=[game.name for game in LESSONS])
def lesson(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Frame]]:
    """What the lesson of a game shows, by language."""
    shown = {}
    for language in LANGUAGES:
        with shows.in_language(language):
            shown[language] = list(frames_of(tmp_path_factory.mktemp(language), request.param))
    return shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_read(lesson: dict[str, list[Frame]], language: str) -> None:
    frames = lesson[language]
    pages = [frame for frame in frames if isinstance(frame.screen, HelpPage)]
    assert len(frames) >= 2 * len(pages) > 0
    read = [law for law in laws.LAWS if law is not laws.is_large_at_a_glance]
    displays = [(size, 0) for size in shows.SIZES]
    faults = laws.faults_by_turns((("", frame) for frame in frames), LANGUAGES.index(language), read, displays)
    assert not faults, "\n".join(dict.fromkeys(faults))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_asked_for_is_lit(lesson: dict[str, list[Frame]], language: str) -> None:
    asked = [frame for frame in lesson[language] if not isinstance(frame.screen, HelpPage)]
    assert asked
    assert all(frame.sides[LEARNER].lit or frame.sides[LEARNER].tone == "bad" for frame in asked)
