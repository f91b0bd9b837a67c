"""Tests `companion doctor` as typed."""

import io
import os
import re
import shutil
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli.arguments import wants_no_devices
from companion.config.sections import DisplayOptions, JournalOptions, SoundOptions
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock
from companion.core.console import HOUSE_CONTROLS
from companion.core.inbox import Inbox
from companion.core.place import HOUSE
from companion.core.signal import Signal
from companion.core.text import msg
from companion.devices.findings import Finding, Machine, Severity
from companion.devices.lamps import GpiozeroLamps
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.diagnostics import doctor, guided_check
from companion.diagnostics.listening import TERMINAL
from companion.display import screen_drivers, window
from companion.display.frame import Poster
from companion.display.geometry import ScreenGeometry
from tests.running import companion

LONG_S = 30
"""A timeout that only broken code reaches."""

NO_CHIP = pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this machine has a GPIO chip")

MOCK = """
    [buzzers]
    source = "mock"
    pins = [17, 27]
    [lamps]
    pins = []
    siren = -1
    [house]
    ok = -1
    undo = -1
    pause = -1
    skip = -1"""


@pytest.fixture
def mock_table(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(MOCK)
    return path


# --- Names -----------------------------------------------------------------------------------------------


def test_unwritable_names_are_reported_with_letters_and_remedy():
    [david, ana] = doctor.letters_of(("Zoë", "דוד", "Ana😀", "Зоя"))
    assert (str(david.name), david.severity) == ("names", Severity.WEAK)
    assert str(david.found) == "דוד: the display cannot draw ד ו and shows their numbers"
    assert str(ana.found) == "Ana😀: the display cannot draw 😀 and shows its number"
    assert "[seats] names" in str(david.remedy)


def test_doctor_checks_the_names_of_the_table(tmp_path):
    table = tmp_path / "table.toml"
    table.write_text('[seats]\nnames = ["Anna", "李明"]\n', "utf-8")
    done = companion(tmp_path, "doctor", "--table", table, "--no-walk", SDL_VIDEODRIVER="dummy")
    assert re.search(r"^weak +names +李明: the display cannot draw 李 明", done.stdout, re.MULTILINE)


# --- The command ------------------------------------------------------------------------------------------


def test_pc_without_table_has_nothing_to_mend(tmp_path):
    done = companion(tmp_path, "doctor", DISPLAY=":7")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search("^ok +virtual table +ready, by x11$", done.stdout, re.MULTILINE)
    assert not re.search("^(bad|skipped +(walk|display))|chip|source|buzzers", done.stdout, re.MULTILINE)
    assert done.stdout.splitlines()[-1] == "Nothing to fix: start with `companion play`"


def test_pc_without_table_and_screen_gets_a_remedy(tmp_path):
    done = companion(tmp_path, "doctor")
    assert done.returncode == 1
    assert "-> Start it on a desktop; `companion demo --text` needs none" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 thing to fix: virtual table"


@NO_CHIP
@pytest.mark.parametrize("words", [("--jig",), ("--table", "table.toml")])
def test_pc_with_table_to_wire_needs_its_chip(tmp_path, words):
    (tmp_path / "table.toml").touch()
    done = companion(tmp_path, "doctor", *words, DISPLAY=":7")
    assert done.returncode == 1
    assert "bad      chip              there is no GPIO chip on this machine\n" in done.stdout
    assert "skipped  walk  first fix what is bad above" in done.stdout
    assert re.fullmatch(r"\d things? to fix: chip(, source)?", done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("model", "table", "is_virtual"),
    [("", None, True), ("Raspberry Pi 4 Model B Rev 1.5\0", None, False), ("", Path("table.toml"), False)],
)
def test_only_pc_without_table_wants_no_devices(tmp_path, model, table, is_virtual):
    if model:
        (tmp_path / "device-tree").mkdir()
        (tmp_path / "device-tree" / "model").write_text(model)
    assert wants_no_devices(Namespace(table=table), Machine(proc=tmp_path)) == is_virtual


def test_playable_table_passes(tmp_path, mock_table):
    done = companion(tmp_path, "doctor", "--table", mock_table, "--no-walk", SDL_VIDEODRIVER="dummy")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Nothing to fix: start with `companion play`"
    assert "walk" not in done.stdout


def test_table_without_wiring_passes_without_a_chip(tmp_path, companion_here, monkeypatch):
    table = tmp_path / "table.toml"
    table.write_text(MOCK.replace('source = "mock"', "").replace("[17, 27]", "[]"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(doctor, "LINGER_NS", 0)
    done = companion_here("doctor", "--table", table)
    assert (done.returncode, done.stderr) == (0, "")
    assert "skipped  chip           not needed: table.toml wires nothing to a chip\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "Nothing to fix: start with `companion play`"


def test_missing_pod_is_named(tmp_path, mock_table):
    mock_table.write_text(f'{MOCK}\n[pods]\nseats = ["E66118604B3A5C21"]')
    done = companion(tmp_path, "doctor", "--table", mock_table, SDL_VIDEODRIVER="dummy")
    assert done.returncode == 1
    assert "bad      [pods] seat 1  the pod E66118604B3A5C21: it is not plugged in\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 thing to fix: [pods] seat 1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--now-walk"], "did you mean --no-walk?"),
        (["--table", "nowhere.toml"], "nowhere.toml: No such file or directory"),
    ],
)
def test_wrong_use_is_explained_in_one_sentence(tmp_path, arguments, words, companion_here):
    done = companion_here("doctor", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_line_used_twice_is_wrong_use(tmp_path, companion_here):
    table = tmp_path / "table.toml"
    table.write_text("[buzzers]\npins = [17, 17]")
    done = companion_here("doctor", "--table", table)
    assert done.returncode == 2
    assert "line 17 is used twice" in done.stderr


@pytest.mark.parametrize(
    ("options", "driver", "verdict", "found"),
    [
        (SoundOptions(), "dummy", Severity.OK, "System audio output device responds; volume 7 of 10"),
        (SoundOptions(), "nonsense", Severity.WEAK, "none: "),
        (SoundOptions(mute=True), "nonsense", Severity.SKIPPED, "switched off in table.toml"),
        (SoundOptions(volume=0), "nonsense", Severity.SKIPPED, "switched off in table.toml"),
    ],
)
def test_sound_card_is_checked_unless_switched_off(monkeypatch, options, driver, verdict, found):
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    finding = doctor.sound(options)
    assert (str(finding.name), finding.severity) == ("sound", verdict)
    assert str(finding.found).startswith(found)
    assert (finding.remedy is not None) == (verdict is Severity.WEAK)


def test_several_sound_devices_are_listed_until_chosen(monkeypatch):
    names = ["bcm2835 Headphones", "vc4-hdmi-0"]
    monkeypatch.setattr(doctor, "look_for_sound", lambda device: None)
    monkeypatch.setattr(doctor, "sound_devices", lambda: names)
    found = doctor.sound(SoundOptions())
    assert (found.severity, str(found.found)) == (
        Severity.WEAK,
        "2 sound devices, and none is chosen: the system picks one",
    )
    assert '"bcm2835 Headphones", "vc4-hdmi-0"' in str(found.remedy)
    named = doctor.sound(SoundOptions(device="vc4-hdmi-0"))
    assert (named.severity, str(named.found)) == (Severity.OK, "vc4-hdmi-0 responds; volume 7 of 10")


@pytest.mark.parametrize(
    ("options", "path", "verdict", "found"),
    [
        (SoundOptions(), "", Severity.SKIPPED, "switched off"),
        (SoundOptions(voice=True, mute=True), "", Severity.SKIPPED, "switched off"),
        (SoundOptions(voice=True), "", Severity.WEAK, "none: espeak-ng is not installed"),
        (
            SoundOptions(voice=True, voice_files=("en_GB-alan-low.onnx",)),
            "",
            Severity.WEAK,
            "none: Piper is not installed",
        ),
    ],
)
def test_missing_voice_program_is_reported(monkeypatch, tmp_path, options, path, verdict, found):
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    finding = doctor.voice(TableConfig(sound=options, display=DisplayOptions(language="en")))
    assert (str(finding.name), finding.severity) == ("voice", verdict)
    assert str(finding.found).startswith(found)
    assert (finding.remedy is not None) == (verdict is Severity.WEAK)


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not here: apt install espeak-ng")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_working_voice_is_reported(monkeypatch, tmp_path, language):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    options = TableConfig(sound=SoundOptions(voice=True), display=DisplayOptions(language=language))
    finding = doctor.voice(options)
    assert (finding.severity, str(finding.found)) == (Severity.OK, f"speaks {language}, by espeak-ng")
    assert len(list(tmp_path.rglob("*.wav"))) == 1


# --- The guided check -------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path):
    return TableConfig(
        wiring=Wiring(
            BuzzerWiring(source="mock", pins=(17, 27)),
            LampWiring(pins=(5, 6), siren=18),
            HouseWiring(*[NOT_WIRED] * len(HOUSE_CONTROLS)),
        ),
        journal=JournalOptions(folder=str(tmp_path)),
    )


@pytest.fixture
def nobody_waits(monkeypatch):
    """Let steps time out at once."""
    monkeypatch.setattr(guided_check, "PATIENCE_NS", 0)
    monkeypatch.setattr(doctor, "LINGER_NS", 0)


def run(config, **options):
    out = io.StringIO()
    is_well = doctor.run(config, Machine(), out, **options)
    return is_well, out.getvalue()


def test_silent_devices_are_named(config, monkeypatch, nobody_waits):
    monkeypatch.setattr(screen_drivers, "screen_driver", lambda fullscreen: "kmsdrm")
    monkeypatch.setattr(screen_drivers, "connected_card", lambda: None)
    is_well, told = run(config, walk=True)
    assert not is_well
    assert "*  Press the buzzer of seat 1, hold it a moment, release it  [Enter or ok: skip]\n" in told
    assert "bad      buzzer of seat 2  line 27: no signal" in told
    names = "display, buzzer of seat 1, buzzer of seat 2, lamp of seat 1, lamp of seat 2, siren"
    assert told.endswith(f"6 things to fix: {names}\n")


def test_guided_check_also_appears_on_the_display(config, monkeypatch, nobody_waits):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown = []
    show = window.Window.show
    monkeypatch.setattr(
        window.Window, "show", lambda self, frame: (shown.append(frame.screen.title), show(self, frame))
    )
    is_well, told = run(config, walk=True)
    assert not is_well
    assert "ok       display" in told
    assert set(shown) <= set(re.findall(r"^\*  (.*?)(?:  \[.*)?$", told, re.MULTILINE)), (
        "the same as in the terminal"
    )


def test_display_that_fails_does_not_stop_check(config, monkeypatch, nobody_waits):
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonesuch")
    is_well, told = run(config, walk=True)
    assert not is_well
    assert "bad      display           cannot open the screen (nonesuch: " in told
    assert "buzzer of seat 2" in told


def test_devices_that_fail_to_open_are_reported(config, monkeypatch, nobody_waits):
    def refuse(*_):
        raise walk_error

    walk_error = doctor.CompanionError(msg("line 17: taken"))
    monkeypatch.setattr(doctor, "Hardware", refuse)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    is_well, told = run(config, walk=True)
    assert not is_well
    assert "bad      devices  line 17: taken" in told


def test_ctrl_c_turns_off_the_lamps(config, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window.Window, "run", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    opened = []

    class Hardware(doctor.Hardware):
        def __enter__(self):
            opened.append(self)
            return self

    monkeypatch.setattr(doctor, "Hardware", Hardware)
    with pytest.raises(KeyboardInterrupt):
        run(config, walk=True)
    (hardware,) = opened
    assert hardware.of(GpiozeroLamps)._leds[0].closed


def test_closing_the_display_ends_the_check(config, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window.Window, "run", lambda *_: None)
    _, told = run(config, walk=True)
    assert "skipped  walk  stopped before the end" in told


@pytest.mark.parametrize("driver", ["dummy", "nonesuch"])
def test_error_in_the_guided_check_is_raised(config, monkeypatch, driver):
    def break_down(*_):
        raise ZeroDivisionError

    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.setattr(guided_check.Walk, "start", break_down)
    with pytest.raises(ZeroDivisionError):
        run(config, walk=True)


def test_only_faults_of_needed_devices_prevent_check(config):
    found = [Finding(doctor.DISPLAY, Severity.BAD, msg("none"))]
    wrong = [*found, Finding(msg("chip"), Severity.BAD, msg("none"))]
    (walked,) = doctor.walk_round(config, wrong, io.StringIO())
    assert (str(walked.name), walked.severity) == ("walk", Severity.SKIPPED)


# --- Enter ------------------------------------------------------------------------------------------------


@pytest.fixture
def terminal():
    person, stdin = os.openpty()
    with os.fdopen(stdin) as file:
        yield person, file
    os.close(person)


def test_enter_skips_a_step(terminal):
    person, stdin = terminal
    inbox = Inbox()
    with doctor.enter_skips(stdin, inbox, MonotonicClock()):
        os.write(person, b"\n")
        signal = inbox.get(LONG_S)
    assert isinstance(signal, Signal)
    assert (signal.source, signal.place, signal.control) == (TERMINAL, HOUSE, "ok")


def test_end_of_input_skips_nothing(terminal):
    person, stdin = terminal
    inbox = Inbox()
    with doctor.enter_skips(stdin, inbox, MonotonicClock()):
        os.write(person, b"\x04")
    assert inbox.waiting() == []


def test_input_that_is_not_a_terminal_stays_unread():
    stdin = io.StringIO("\n")
    with doctor.enter_skips(stdin, Inbox(), MonotonicClock()):
        pass
    assert stdin.read() == "\n"


# --- Display and records ----------------------------------------------------------------------------------


@pytest.fixture
def on_a_pi(monkeypatch):
    """A Pi without a desktop, with a display on card 1."""
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(screen_drivers, "connected_card", lambda: 1)
    monkeypatch.setattr(screen_drivers, "screen_size", lambda driver: None)


def test_display_on_a_pi_uses_kmsdrm(on_a_pi, monkeypatch):
    monkeypatch.setattr(doctor, "may_use", lambda path: path == Path("/dev/dri/card1"))
    assert doctor.display() == Finding(doctor.DISPLAY, Severity.OK, msg("by kmsdrm on card {card}", card=1))


@pytest.mark.parametrize(
    ("size", "geometry", "told", "verdict"),
    [
        ((800, 480), ScreenGeometry(), "800x480 on 7 inches: names are legible up to 71 cm", Severity.OK),
        ((800, 480), ScreenGeometry(154, 86), "800x480 on 154 x 86 mm: names are legible up to 69 cm", Severity.OK),
        (
            (800, 480),
            ScreenGeometry(154, 86, 90),
            "800x480 on 154 x 86 mm: names are legible up to 69 cm",
            Severity.WEAK,
        ),
        ((1920, 1080), ScreenGeometry(527, 296, 120), "names are legible up to 143 cm", Severity.OK),
        ((800, 480), ScreenGeometry(reader_cm=100), "800x480 on 7 inches", Severity.WEAK),
    ],
)
def test_display_line_has_the_reading_distance(on_a_pi, monkeypatch, size, geometry, told, verdict):
    monkeypatch.setattr(doctor, "may_use", lambda path: True)
    monkeypatch.setattr(screen_drivers, "screen_size", lambda driver: size)
    finding = doctor.display(geometry)
    assert told in str(finding.found)
    assert finding.severity is verdict
    if verdict is Severity.WEAK:
        assert ("width_mm" in str(finding.remedy)) == (not geometry.width_mm)
        assert f"{geometry.reader_cm} cm" in str(finding.remedy)


def test_forbidden_display_has_its_group_as_remedy(on_a_pi, monkeypatch):
    monkeypatch.setattr(doctor, "may_use", lambda path: False)
    finding = doctor.display()
    assert finding.severity is Severity.BAD
    assert "usermod -aG video" in str(finding.remedy)


def test_missing_display_is_bad(on_a_pi, monkeypatch):
    monkeypatch.setattr(screen_drivers, "connected_card", lambda: None)
    assert doctor.display().severity is Severity.BAD


@pytest.mark.parametrize("broken", [window.DisplayError(msg("both are installed")), ImportError("no pygame.base")])
def test_broken_pygame_is_reported_with_its_remedy(broken, monkeypatch):
    def check():
        raise broken

    monkeypatch.setattr(window, "check_pygame", check)
    for finding in (doctor.display(), doctor.virtual_table()):
        assert finding.severity is Severity.BAD
        assert str(broken) in str(finding.found)
        assert "pip uninstall -y pygame pygame-ce && " in str(finding.remedy)


def test_unneeded_virtual_table_without_screen_is_skipped(on_a_pi):
    assert doctor.virtual_table(needed=False).severity is Severity.SKIPPED


def test_records_folder_may_be_created_later(tmp_path):
    assert doctor.journal_folder(tmp_path / "a" / "b").severity is Severity.OK


def test_unwritable_records_folder_is_bad(tmp_path):
    (tmp_path / "file").touch()
    finding = doctor.journal_folder(tmp_path / "file" / "matches")
    assert finding.severity is Severity.BAD
    assert str(finding.found) == f"{tmp_path}/file/matches: cannot write to {tmp_path}/file"
    assert "[journal] folder" in str(finding.remedy)


def test_full_disk_for_records_is_bad(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1_500_000))
    finding = doctor.journal_folder(tmp_path / "matches")
    assert finding.severity is Severity.BAD
    assert str(finding.found) == f"{tmp_path}/matches: 1 MB free, a match may need 7"
    assert str(finding.remedy) == "Free some space on that disk"


def test_impossible_records_folder_is_bad(tmp_path):
    finding = doctor.journal_folder(tmp_path / ("x" * 300))
    assert finding.severity is Severity.BAD
    assert str(finding.found).endswith("x: File name too long")
    assert "[journal] folder" in str(finding.remedy)


# --- The output -------------------------------------------------------------------------------------------


def test_shared_remedy_is_printed_once(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    remedy = msg("End it")
    one = Finding(msg("one"), Severity.BAD, msg("taken"), remedy)
    out = io.StringIO()
    doctor.show([one, one._replace(name=msg("other")), Finding(msg("third"), Severity.OK, msg("free"))], out)
    assert out.getvalue() == (
        "bad      one    taken\nbad      other  taken\n                -> End it\nok       third  free\n"
    )


def test_long_findings_wrap_and_commands_stay_whole(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = io.StringIO()
    long = Finding(
        msg("x"), Severity.OK, msg("one two three four five six seven eight pip install --one-long-word")
    )
    doctor.show([long], out)
    assert out.getvalue() == (
        "ok       x  one two three four five six seven eight pip\n            install --one-long-word\n"
    )


def test_strip_of_the_tested_seat_is_lit(config):
    frames = []
    say = doctor.framer(replace(config, wiring=Wiring(BuzzerWiring(pins=(1, 2, 3)))), frames.append)
    say(Poster("Press"), 1)
    say(Poster("Done"), None)
    assert [[side.lit for side in frame.sides] for frame in frames] == [[False, True, False], [False] * 3]
    assert frames[0].serial < frames[1].serial
