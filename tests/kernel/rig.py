"""Runs one command in the guest: a real Linux with simulated GPIO, in QEMU without KVM.

The exit status is the command's; 124 after a timeout, 125 when the guest left no status, 2 for wrong use.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.kernel.guest_images import ImageError, Images, wanted

QEMU: Final = "qemu-system-x86_64"

TIMED_OUT: Final = 124
NO_STATUS: Final = 125
INTERRUPTED: Final = 130
WRONG_USE: Final = 2

TIMEOUT_S: Final = 300
END_S: Final = 10
MEMORY_MB: Final = 768
CONSOLE_LINES: Final = 20

# Unchecked: on a busy host a late timer would be taken for a broken one, and the clock for a bad one.
KERNEL_WORDS: Final = (
    "console=ttyS0 quiet loglevel=4 root=/dev/vda rootfstype=squashfs ro init=/rig/init panic=-1 "
    "no_timer_check tsc=reliable"
)

MACHINE: Final = (
    f"-M pc -cpu max -m {MEMORY_MB} -nodefaults -no-user-config -display none -no-reboot -device virtio-rng-pci "
    "-device virtio-serial-pci -chardev stdio,id=out,signal=off -device virtconsole,chardev=out"
).split()

# One processor and one nanosecond an instruction: the guest's time does not depend on the host's load. The guest
# does not boot with two processors this way.
COUNTED: Final = ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on", "-smp", "1"]
# The clock is exact; measuring the processor's own timer would take seconds of the host.
COUNTED_KERNEL_WORDS: Final = " tsc_early_khz=1000000 nolapic_timer"

# The same, but when all of the guest sleeps its clock jumps to the next wake-up. It also runs ahead while the guest
# waits for a disk, so do not measure time in this mode.
LEAPING: Final = [word.replace("sleep=on", "sleep=off") for word in COUNTED]

WALL: Final = ["-accel", "tcg,thread=multi", "-smp", "2"]


class Run(NamedTuple):
    command: str | None
    """A line for /bin/sh; None opens a shell."""

    wall: bool = False
    leap: bool = False
    share: Path | None = None
    timeout_s: float = TIMEOUT_S
    revision: str | None = None


def command_line(run: Run, images: Images, io: Path) -> list[str]:
    """Return QEMU's command line; guest and host share the folder `io`."""
    words = [QEMU, *MACHINE, *(WALL if run.wall else LEAPING if run.leap else COUNTED)]
    words += ["-kernel", str(images.kernel)]
    words += ["-append", KERNEL_WORDS if run.wall else KERNEL_WORDS + COUNTED_KERNEL_WORDS]
    words += ["-serial", f"file:{_quoted(io / 'console.log')}"]
    for image in (images.code, images.base):
        words += ["-drive", f"file={_quoted(image)},if=virtio,format=raw,readonly=on"]
    words += ["-virtfs", f"local,path={_quoted(io)},mount_tag=io,security_model=none"]
    if run.share is not None:
        words += ["-virtfs", f"local,path={_quoted(run.share)},mount_tag=share,security_model=none,readonly=on"]
    return words


def _quoted(path: Path) -> str:
    return str(path).replace(",", ",,")  # as QEMU expects it


def prepare(run: Run, io: Path) -> None:
    """Write the guest's instructions into `io`."""
    for name in ("command", "share", "revision", "status", "console.log"):
        (io / name).unlink(missing_ok=True)
    (io / "clock").write_text("wall" if run.wall else "leaping" if run.leap else "counted")
    if run.command is not None:
        (io / "command").write_text(f"{run.command}\n")
    if run.share is not None:
        (io / "share").touch()
    if run.revision is not None:
        (io / "revision").write_text(f"{run.revision}\n")


def boot(run: Run, images: Images, io: Path) -> int:
    prepare(run, io)
    interactive = run.command is None
    qemu = subprocess.Popen(
        command_line(run, images, io),
        stdin=None if interactive else subprocess.DEVNULL,
        # Ctrl-C is for this program, which ends QEMU; but a shell must own the terminal and takes the key itself.
        process_group=None if interactive else 0,
    )
    try:
        qemu.wait(None if interactive else run.timeout_s)
    except subprocess.TimeoutExpired:
        _say(f"the guest was stopped after {run.timeout_s:g} s; --timeout gives it longer", console(io))
        return TIMED_OUT
    finally:
        _end(qemu)
    return status(io)


def status(io: Path) -> int:
    """Return the exit status; without one, print the end of the console."""
    left = io / "status"
    if not left.exists() or not left.read_text().strip():
        _say("the guest left no exit status; its console ended with:", console(io))
        return NO_STATUS
    return int(left.read_text())


def console(io: Path) -> list[str]:
    log = io / "console.log"
    return log.read_text(errors="replace").splitlines()[-CONSOLE_LINES:] if log.exists() else []


def _end(qemu: subprocess.Popen[bytes]) -> None:
    if qemu.poll() is None:
        qemu.terminate()
        try:
            qemu.wait(END_S)
        except subprocess.TimeoutExpired:
            qemu.kill()
            qemu.wait()


def _say(*parts: str | list[str]) -> None:
    for part in parts:
        for line in [part] if isinstance(part, str) else part:
            print(f"rig: {line}", file=sys.stderr)


@contextmanager
def _io_folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
    else:
        with tempfile.TemporaryDirectory(prefix="companion-rig-") as folder:
            yield Path(folder)


def parse(words: Sequence[str]) -> tuple[Run, Path | None]:
    """Return the run, and the folder to keep."""
    parser = argparse.ArgumentParser(prog="rig.py", description=__doc__)
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument("--wall", action="store_true", help="two processors on the host's clock, not counted time")
    clock.add_argument("--leap", action="store_true", help="counted time, and nobody waits while the guest sleeps")
    parser.add_argument("--shell", action="store_true", help="a shell instead of a command")
    parser.add_argument(
        "--share", type=_folder, metavar="DIR", help="a folder that the guest sees as /share, read-only"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep what the guest leaves in /io, and console.log"
    )
    parser.add_argument("--timeout", type=float, default=TIMEOUT_S, metavar="S", help="seconds (%(default)s)")
    parser.add_argument("--revision", metavar="HEX", help="look like this Raspberry Pi (c03114 is a 4B)")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="after --: a line for /bin/sh in the guest")
    options = parser.parse_args(words)
    if options.shell == bool(options.command):
        parser.error("give either --shell or -- COMMAND")
    command = None if options.shell else " ".join(options.command)
    return Run(command, options.wall, options.leap, options.share, options.timeout, options.revision), options.keep


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return path.resolve()


def _ready_images() -> Images:
    if shutil.which(QEMU) is None:
        raise ImageError(f"there is no {QEMU}; as root: apt-get install -y qemu-system-x86")
    images = wanted(os.environ)
    for image in images:
        if not image.exists():
            raise ImageError(f"there is no {image}; `make images` makes what is missing")
    return images


def main(words: Sequence[str]) -> int:
    run, keep = parse(words)
    # Ending this program must also end QEMU.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        images = _ready_images()
        with _io_folder(keep) as io:
            return boot(run, images, io)
    except ImageError as error:
        _say(str(error))
        return WRONG_USE
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
