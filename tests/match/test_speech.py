"""The voice: its sentences, their moments and languages."""

import re
import shutil
import wave
from pathlib import Path
from random import Random

import pytest

from companion.config.sections import DisplayOptions, SoundOptions
from companion.config.settings import Settings
from companion.config.table_file import TableConfig, read_config
from companion.core.clock import VirtualClock
from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.game import Game
from companion.core.move import Seat
from companion.core.text import LANGUAGES, msg, with_names
from companion.devices.virtual import Spoken, VirtualSound
from companion.devices.voice import LONGEST_S, clip_of
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.sounds import Speech, spoken
from companion.testing.playout import random_move
from tests.host_bench import MS, Bench, bid, duel, ended, robots
from tests.of_games import facts

pytestmark = pytest.mark.usefixtures("fixed_secrets")


def config(*, voice: bool = True, mute: bool = False, language: str = "en") -> TableConfig:
    return TableConfig(sound=SoundOptions(voice=voice, mute=mute), display=DisplayOptions(language=language))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, config=config())


def log(bench: Bench) -> list[Spoken]:
    return list(bench.host.devices.sound.voice.said)


def said(bench: Bench) -> list[str]:
    return [each.sentence for each in log(bench) if each.sentence]


# --- The moments ------------------------------------------------------------------------------------------


def test_voice_says_the_caller_then_the_verdict(bench: Bench) -> None:
    bench.flip_ns = 20 * MS
    bench.play()
    before = len(said(bench))
    bench.press(1, BUZZ)
    assert said(bench)[before:] == ["Ben was first"]
    bench.blind = True
    bench.press(1, str(bench.wrong()))
    assert said(bench)[before:] == ["Ben was first"]
    bench.blind = False
    bench._flip()
    assert said(bench)[before:] == ["Ben was first", "Wrong"]


def test_voice_says_each_turn_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path, config=config(), by_hand=True)
    bench.sit(2, "Buntherum", "Start")
    bench.read()
    assert said(bench) == ["Anna, Ben, your turn"]  # who is the youngest?
    bench.press(1, BUZZ)
    bench.read()
    turner = bench.view.flipper
    assert said(bench)[1:] == []  # it was Ben's turn before
    assert turner == 1
    bench.press(1, BUZZ)
    assert bench.until(bench.open)
    bench.call(0, bench.wrong())
    bench.read()
    assert bench.view.flipper == 0
    assert said(bench)[1:] == ["Anna was first", "Wrong"]  # it is still hers


def test_voice_reads_the_prompt_after_ten_seconds(tmp_path: Path) -> None:
    bench = duel(tmp_path, config=config())
    bench.wait(9.1)
    assert said(bench)[-1].endswith("your turn")
    bench.wait(1)
    first, second = (bench.match.names[seat] for seat in sorted(bench.view.duel))
    assert said(bench)[-1] == f"{first}, {second}: Keys 1 to 5 add 1, 2, 5, 10, 20. hash locks it in"
    count = len(said(bench))
    bench.wait(600)
    assert len(said(bench)) == count


def test_voice_says_the_winner_with_the_picture(tmp_path: Path) -> None:
    match = new_match(load("buntherum"), NAMES[:3], seed="heard", demo=True)
    bench = robots(tmp_path, match=match, config=config())
    result = ended(bench)
    assert said(bench)[-1] == result.title
    assert result.title.endswith("wins")


def test_voice_waits_for_the_hold_of_a_reveal(tmp_path: Path) -> None:
    bench = duel(tmp_path, config=config())
    bid(bench)
    before = said(bench)
    bench.wait(3)
    assert said(bench) == before
    bench.wait(1)
    assert len(said(bench)) > len(before)


# --- Never over a call ------------------------------------------------------------------------------------


def test_race_silences_the_voice(tmp_path: Path) -> None:
    match = new_match(load("buntherum"), NAMES[:3], seed="race", demo=True)
    bench = robots(tmp_path, match=match, config=config())
    session = bench.host.session
    voice = bench.host.devices.sound.voice
    say, hush, found = voice.say, voice.hush, {"said": 0, "hushed": 0}
    quiet_since: list[int] = []

    def check_say(sentence: str, language: str) -> None:
        found["said"] += 1
        assert session.referee.stage.race is None, sentence
        quiet_since.clear()
        say(sentence, language)

    def check_hush() -> None:
        found["hushed"] += 1
        assert not any(frame.calls_open for frame in bench.waiting)  # before the picture that opens the race
        quiet_since.append(bench.clock.t_ns)
        hush()

    voice.say, voice.hush = check_say, check_hush  # type: ignore[method-assign]
    show = bench.host.frames.shown

    def shown(frame: object, t_ns: int) -> object:
        if session.referee.stage.race:
            assert quiet_since, "what was being said goes on while calls count"
        return show(frame, t_ns)  # type: ignore[arg-type]

    bench.host.frames.shown = shown  # type: ignore[assignment,method-assign]
    ended(bench)
    assert found["said"] > 10
    assert found["hushed"] > 10


@pytest.mark.parametrize("racing", [False, True])
def test_race_drops_turns_and_reminders(racing: bool) -> None:
    sound, seats = VirtualSound(VirtualClock()), frozenset({Seat(1)})
    match = new_match(load("buntherum"), NAMES[:3], seed="race")
    speech = Speech(match, sound.voice, Settings(config(), sound), turns=lambda: seats, racing=lambda: racing)
    speech.seen()
    speech.remind(seats, msg("Right"))
    found = [each.sentence for each in sound.voice.said]
    assert found == ([] if racing else ["Ben, your turn", "Ben: Right"])


# --- Off, languages, and table.toml --------------------------------------------------------------------------


@pytest.mark.parametrize(("voice", "mute"), [(False, False), (True, True)])
def test_disabled_voice_says_nothing(tmp_path: Path, voice: bool, mute: bool) -> None:
    match = new_match(load("buntherum"), NAMES[:3], seed="heard", demo=True)
    bench = robots(tmp_path, match=match, config=config(voice=voice, mute=mute))
    ended(bench)
    assert said(bench) == []


def test_voice_is_off_by_default() -> None:
    assert not SoundOptions().voice


def test_voice_speaks_the_language_of_the_table(tmp_path: Path) -> None:
    bench = Bench(tmp_path, config=config(language="fr"))
    bench.sit(3, "Buntherum")
    bench.press(0, "#")
    assert bench.until(bench.open)
    bench.press(1, BUZZ)
    assert log(bench)[-1][1:] == ("Ben a buzzé en premier", "fr")


@pytest.mark.parametrize(("system", "language"), [("fr_FR.UTF-8", "fr"), ("xx_XX", "en"), ("fr:en", "fr")])
def test_voice_defaults_to_the_system_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, language: str
) -> None:
    from companion.core import text  # noqa: PLC0415

    monkeypatch.setenv("LANGUAGE", system)
    text.translations.cache_clear()
    settings = Settings(config(language=""), VirtualSound(VirtualClock()))
    assert settings.language == language
    text.translations.cache_clear()


def test_settings_switch_the_voice_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.play()
    bench.choose("Settings", "Voice: off")
    assert bench.menu.items[bench.menu.selected] == "Voice: on"
    bench.house("pause", "pause")
    bench.press(1, BUZZ)
    assert said(bench)[-1] == "Ben was first"


@pytest.mark.parametrize("name", ["fr_FR-siwis-medium.wav", "xx_XX-thorsten-high.onnx"])
def test_invalid_voice_file_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'[sound]\nvoice_files = ["{name}"]\n')
    with pytest.raises(OptionError) as caught:
        read_config(path, all_games())
    assert f"{path}: [sound]: voice_files = ['{name}']; allowed: files that end with .onnx" in str(caught.value)


# --- Sentences --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("Anna: Your row: 1-6, 0 for impossible", "Anna: Your row: 1 to 6, 0 for impossible"),
        ("2 left; 013579 468: go, #: end", "2 left; go, end"),
        ("Card 0–6, then # locks", "Card 0 to 6, then hash locks"),
        ("The kitchen gives Ben 31 = 10+5+5, not 58", "The kitchen gives Ben 31, not 58"),
        ("A: name. B: robot", "name. robot"),
    ],
)
def test_keys_and_sums_are_not_read_out(tmp_path: Path, written: str, heard: str) -> None:
    assert spoken(written, Settings(config(), VirtualSound(VirtualClock()))) == heard


def sentences(folder: Path, game: Game, language: str) -> set[str]:
    """Return everything said in a random match, with everybody's prompts."""
    sound = VirtualSound(VirtualClock())
    match, turns = new_match(game, NAMES[: max(game.rules.SEATS)], seed="all"), frozenset[Seat]()
    settings = Settings(config(language=language), sound)
    speech = Speech(match, sound.voice, settings, turns=lambda: turns, racing=lambda: False)
    found: set[str] = set()
    luck = Random(26)
    while match.outcome is None:
        for told in match.take(match.prepare(random_move(game.rules, match.state, luck.randrange))):
            if told.visible_to(None):
                speech.hear(told)
        turns = frozenset(seat for seat in game.rules.to_act(match.state) if seat >= 0)
        speech.seen()
        for seat in turns:
            speech.remind({seat}, with_names(game.console.prompt(match.view(seat)), match.names))
        found |= {each.sentence for each in sound.voice.said}
        sound.voice.said.clear()
    return found


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not here: apt install espeak-ng")
@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_espeak_ng_makes_short_clips_of_all_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game, language: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = sentences(tmp_path, game, language)
    either = "|".join([r"\d+", *NAMES])
    longest = {re.sub(either, "", each): each for each in sorted(sorted(found), key=len)}
    assert len(longest) >= facts(game.name).spoken
    for sentence in longest.values():
        clip = clip_of(sentence, language, {})
        assert clip, sentence
        with wave.open(str(clip)) as made:
            assert 0.2 < made.getnframes() / made.getframerate() < LONGEST_S, sentence
