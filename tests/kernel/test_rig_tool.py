"""Tests the tools around the guest."""

import configparser
import os
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kernel import guest_images, rig
from tests.kernel.guest_images import ImageError, Images
from tests.kernel.rig import Run

IMAGES = Images(Path("/images/kernel-1"), Path("/images/base-2.squashfs"), Path("/images/code-3.squashfs"))
IO = Path("/io")
INSIDE = Path(__file__).parent / "inside"


# --- Names of images --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HOME": "/home/a"}, "/home/a/.cache/companion/images"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/cache"}, "/cache/companion/images"),
        ({"HOME": "/home/a", "XDG_CACHE_HOME": "/cache", "COMPANION_IMAGES": "/images"}, "/images"),
    ],
)
def test_images_are_shared_by_clones(environ: dict[str, str], expected: str) -> None:
    assert guest_images.folder(environ) == Path(expected)


def test_image_name_changes_with_its_sources(tmp_path: Path) -> None:
    def digest(*words: str) -> str:
        return guest_images.digest(sorted(tmp_path.rglob("*.py")), words, tmp_path)

    file = tmp_path / "a.py"
    file.write_text("1")
    seen = [digest(), digest("word"), digest("wo", "rd")]
    file.write_text("2")
    seen.append(digest())
    file.rename(tmp_path / "b.py")
    seen.append(digest())
    assert len(set(seen)) == len(seen)
    assert digest() == seen[-1]


def test_code_sources_exclude_files_made_by_python() -> None:
    sources = guest_images.sources()
    assert guest_images.CHECKOUT / "companion" / "cli" / "commands.py" in sources
    assert any(path.is_relative_to(guest_images.CHECKOUT / "assets") for path in sources)
    assert not any(path.suffix in {".pyc", ".mo"} for path in sources)


def test_base_holds_the_companions_requirements() -> None:
    project = tomllib.loads((guest_images.CHECKOUT / "pyproject.toml").read_text())["project"]
    needed = {*project["dependencies"], *project["optional-dependencies"]["pi"], "pytest>=8"}
    assert needed <= set(guest_images.requirements())


def test_configured_kernel_is_used(tmp_path: Path) -> None:
    kernel = tmp_path / "bzImage"
    environ = {"HOME": "/home/a", "COMPANION_KERNEL": str(kernel)}
    with pytest.raises(ImageError, match=r"COMPANION_KERNEL names .*bzImage, which is no file; unset it"):
        guest_images.wanted(environ)
    kernel.touch()
    assert guest_images.wanted(environ).kernel == kernel


# --- Making images ----------------------------------------------------------------------------------------


def images_in(folder: Path) -> Images:
    return Images(*(folder / image.name for image in IMAGES))


def script(text: str) -> list[str]:
    return ["/bin/sh", "-c", text]


def test_image_is_made_once(tmp_path: Path) -> None:
    image = tmp_path / "images" / "base-1"
    log = tmp_path / "runs"
    for _ in range(2):
        guest_images.make(image, "", lambda work, out: script(f"echo run >>{log}; echo whole >{out}"))
    assert image.read_text() == "whole\n"
    assert log.read_text() == "run\n"
    assert sorted(path.name for path in image.parent.iterdir()) == ["base-1", "base.lock", "base.log"]


def test_failed_build_leaves_no_image_but_reason(tmp_path: Path) -> None:
    image = tmp_path / "base-1"
    with pytest.raises(ImageError, match=r"sh failed with status 3; the end of .*base\.log:\nno such luck"):
        guest_images.make(image, "", lambda work, out: script(f"echo half >{out}; echo no such luck >&2; exit 3"))
    assert not image.exists()
    # The remains of the failed build do not disturb the next one.
    guest_images.make(image, "", lambda work, out: script(f"test ! -e {out} && echo whole >{out}"))
    assert image.read_text() == "whole\n"


def test_missing_packages_are_named_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    images = images_in(tmp_path)
    monkeypatch.setattr(guest_images, "_installed", lambda tool: tool not in {"flex", "debootstrap"})
    with pytest.raises(ImageError, match=r"as root: apt-get install -y debootstrap flex$"):
        guest_images.build(images)
    images.kernel.touch()
    assert guest_images.missing_packages(images) == ["debootstrap"]
    images.base.touch()
    assert guest_images.missing_packages(images) == []


def test_code_needs_the_other_images_first(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"there is no .*kernel-1; run `make images` first, as root"):
        guest_images.build_code(images_in(tmp_path))


def test_least_recently_used_images_are_removed(tmp_path: Path) -> None:
    images = images_in(tmp_path)
    for image in images:
        image.touch()
    for age in range(guest_images.KEPT + 2):
        old = tmp_path / f"code-old{age}.squashfs"
        old.touch()
        os.utime(old, (1_000 - age, 1_000 - age))
    guest_images.forget_unused(images)
    kept = {*(image.name for image in images), *(f"code-old{age}.squashfs" for age in range(guest_images.KEPT - 1))}
    assert {path.name for path in tmp_path.iterdir()} == kept


# --- Running QEMU -----------------------------------------------------------------------------------------


def test_default_is_counted_time_on_one_processor() -> None:
    words = rig.command_line(Run("true"), IMAGES, IO)
    assert words[words.index("-icount") + 1] == "shift=0,sleep=on"
    assert words[words.index("-smp") + 1] == "1"


def test_leaping_guest_does_not_sleep() -> None:
    words = rig.command_line(Run("true", leap=True), IMAGES, IO)
    assert words[words.index("-icount") + 1] == "shift=0,sleep=off"
    assert words[words.index("-smp") + 1] == "1"


def test_wall_clock_guest_has_two_processors() -> None:
    words = rig.command_line(Run("true", wall=True), IMAGES, IO)
    assert "-icount" not in words
    assert words[words.index("-smp") + 1] == "2"
    assert "tsc_early_khz" not in words[words.index("-append") + 1]


def test_code_is_the_first_disk() -> None:
    words = rig.command_line(Run("true"), IMAGES, IO)
    disks = [word.partition(",")[0] for name, word in pairwise(words) if name == "-drive"]
    assert disks == ["file=/images/code-3.squashfs", "file=/images/base-2.squashfs"]


def test_shared_folder_is_read_only() -> None:
    words = rig.command_line(Run("true", share=Path("/a,b")), IMAGES, IO)
    assert "local,path=/a,,b,mount_tag=share,security_model=none,readonly=on" in words


def test_guest_finds_its_command_and_settings(tmp_path: Path) -> None:
    rig.prepare(Run("echo a; exit 7", share=Path("/a"), revision="c03114"), tmp_path)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == {"clock": "counted", "command": "echo a; exit 7\n", "share": "", "revision": "c03114\n"}


def test_guest_knows_that_it_leaps(tmp_path: Path) -> None:
    rig.prepare(Run("true", leap=True), tmp_path)
    assert (tmp_path / "clock").read_text() == "leaping"


def test_files_of_an_earlier_run_are_removed(tmp_path: Path) -> None:
    rig.prepare(Run("true", share=Path("/a"), revision="c03114"), tmp_path)
    (tmp_path / "status").write_text("0\n")
    rig.prepare(Run(None, wall=True), tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"clock": "wall"}


def test_exit_status_is_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_qemu(monkeypatch, "open('status', 'w').write('7\\n')")
    assert rig.boot(Run("exit 7"), IMAGES, tmp_path) == 7


def test_missing_status_prints_the_console(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replace_qemu(monkeypatch, "open('console.log', 'w').write('Kernel panic')")
    assert rig.boot(Run("true"), IMAGES, tmp_path) == rig.NO_STATUS
    errors = capsys.readouterr().err.splitlines()
    assert errors == ["rig: the guest left no exit status; its console ended with:", "rig: Kernel panic"]


def test_guest_is_stopped_after_its_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replace_qemu(monkeypatch, "import signal; signal.pause()")
    assert rig.boot(Run("true", timeout_s=0), IMAGES, tmp_path) == rig.TIMED_OUT
    assert "stopped after 0 s; --timeout gives it longer" in capsys.readouterr().err


def replace_qemu(monkeypatch: pytest.MonkeyPatch, guest: str) -> None:
    def command_line(run: Run, images: Images, io: Path) -> list[str]:
        return [sys.executable, "-c", f"import os; os.chdir({str(io)!r}); {guest}"]

    monkeypatch.setattr(rig, "command_line", command_line)


def test_command_line_is_parsed(tmp_path: Path) -> None:
    words = ["--wall", "--share", str(tmp_path), "--keep", "kept", "--timeout", "7", "--revision", "c03114"]
    expected = Run("pytest -q /share", wall=True, share=tmp_path, timeout_s=7, revision="c03114")
    assert rig.parse([*words, "--", "pytest", "-q", "/share"]) == (expected, Path("kept"))
    assert rig.parse(["--leap", "--shell"]) == (Run(None, leap=True), None)


@pytest.mark.parametrize("words", [[], ["--shell", "--", "true"], ["--share", "/no/such/folder", "--", "true"]])
def test_wrong_use_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        rig.parse(words)
    assert refused.value.code == rig.WRONG_USE
    assert "give either --shell or -- COMMAND" in (errors := capsys.readouterr().err) or "is no folder" in errors


def test_missing_image_error_has_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_IMAGES", str(tmp_path))
    monkeypatch.delenv("COMPANION_KERNEL", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert rig.main(["--", "true"]) == rig.WRONG_USE
    assert "`make images` makes what is missing" in capsys.readouterr().err


# --- Inside -----------------------------------------------------------------------------------------------


def test_tests_inside_use_the_same_strictness() -> None:
    ini = configparser.ConfigParser()
    ini.read(INSIDE / "pytest.ini")
    ours = tomllib.loads((guest_images.CHECKOUT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert ini["pytest"]["filterwarnings"].split() == ours["filterwarnings"]
    assert set(ours["addopts"].split()) < set(ini["pytest"]["addopts"].split())
