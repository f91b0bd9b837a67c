"""Measures the window's start against a bare one, and the cost of an idle table."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

Report = Callable[..., None]

STARTS = 15
IDLE_S = 30
DEMO_S = 15

FIRST_FLIP = """
import os, pygame
class Window(pygame.Window):
    def flip(self):
        super().flip()
        os.write(1, b"shown")
        os._exit(0)
pygame.Window = Window
"""
"""Ends the process when its first frame is visible."""

BARE = f"""{FIRST_FLIP}
pygame.display.init()
window = pygame.Window("bare", (1280, 720), resizable=True)
window.get_surface().fill((16, 20, 24))
window.flip()
"""

OURS = f"""{FIRST_FLIP}
import sys
sys.argv = ["companion", "play", "--virtual"]
from companion.__main__ import main
main()
"""


def run(report: Report) -> None:
    with tempfile.TemporaryDirectory() as home, screen() as (name, base):
        environ = base | {"XDG_DATA_HOME": home}
        start(report, name, environ)
        at_rest(report, name, environ)


@contextmanager
def screen() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the name of a screen and the environment for programs on it.

    Bytecode is allowed, since otherwise the compiler would be measured.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SDL_")}
    base = kept | {"PYGAME_HIDE_SUPPORT_PROMPT": "1", "SDL_AUDIODRIVER": "dummy"}
    base.pop("PYTHONDONTWRITEBYTECODE", None)
    if not shutil.which("Xvfb"):
        yield "dummy", base | {"SDL_VIDEODRIVER": "dummy"}
        return
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x720x24"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as numbers:
            display = f":{numbers.readline().strip()}"
        yield "Xvfb", base | {"SDL_VIDEODRIVER": "x11", "DISPLAY": display}
    finally:
        server.terminate()
        server.wait()


def start(report: Report, name: str, environ: dict[str, str]) -> None:
    """Measure process start to first frame, in turns with a bare window."""
    pairs = [[_first_frame_s(code, environ) for code in (BARE, OURS)] for _ in range(STARTS)]
    report(f"start to first frame ({name}), median of {STARTS}", f"{median(ours for _, ours in pairs):.2f} s")
    ratio = median(ours / bare for bare, ours in pairs)
    report("  ratio to a bare pygame window", f"{ratio:.2f}", "target: at most 1.3")


def _first_frame_s(code: str, environ: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], env=environ, check=True, capture_output=True)
    assert done.stdout == b"shown", done
    return time.perf_counter() - began


def at_rest(report: Report, name: str, environ: dict[str, str]) -> None:
    idle, memory_mb = _share_of_a_core(("play", "--virtual"), IDLE_S, environ)
    report(f"attract screen for {IDLE_S} s ({name}): share of one core", f"{idle:.2%}", "target: below 1%")
    report("  resident memory", f"{memory_mb:.0f} MB", "target: below 120 MB")
    busy, memory_mb = _share_of_a_core(("demo",), DEMO_S, environ)
    report(f"robots play for {DEMO_S} s ({name}): share of one core", f"{busy:.1%}")
    report("  resident memory", f"{memory_mb:.0f} MB", "target: below 120 MB")


def _share_of_a_core(command: tuple[str, ...], seconds: float, environ: dict[str, str]) -> tuple[float, float]:
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", *command], env=environ, stdout=subprocess.DEVNULL
    )
    try:
        time.sleep(3)  # until it has started and drawn everything
        before_s, began = _used_s(program.pid), time.perf_counter()
        time.sleep(seconds)
        share = (_used_s(program.pid) - before_s) / (time.perf_counter() - began)
        status = Path(f"/proc/{program.pid}/status").read_text("ascii")
        memory_kb = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    finally:
        program.terminate()
        program.wait()
    return share, memory_kb / 1024


def _used_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    run(lambda what, figure, target="": print(f"{what:58} {figure:>22}  {target}"))
