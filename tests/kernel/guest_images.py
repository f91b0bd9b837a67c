"""The guest's images: their names depend on what they are made from; missing ones are made.

    kernel  Linux with simulated GPIO        minutes, once for each kernel.config
    base    Debian 12 and all libraries      minutes, once for each list of requirements
    code    the first process and the wheel  seconds, after each change of the checkout

Usage: python -m tests.kernel.guest_images WORD
    build    make what is missing
    code     make the code; the others must exist
    missing  print the Debian packages that are missing for this
    kernel   print the path of the kernel
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

CHECKOUT: Final = Path(__file__).resolve().parents[2]
RECIPES: Final = Path(__file__).resolve().parent / "images"
KERNEL_SOURCE: Final = Path("/usr/src/linux-source-6.1.tar.xz")

GUEST_PYTHON: Final = (3, 11)
"""Debian 12's Python, since wheels are compiled outside of the guest."""

EXTRAS: Final = ("pi", "usb", "rpi-lgpio")
"""Without `test`: importing its tools at each start would cost seconds."""

TEST_TOOLS: Final = ("pytest>=8",)

KEPT: Final = 8
"""Images of each kind that stay, for other clones and branches."""

TAIL_LINES: Final = 15

# Required tools, and the Debian packages that bring them.
KERNEL_TOOLS: Final = {
    str(KERNEL_SOURCE): "linux-source-6.1",
    "gcc": "gcc",
    "make": "make",
    "flex": "flex",
    "bison": "bison",
    "bc": "bc",
    "xz": "xz-utils",
    "/usr/include/libelf.h": "libelf-dev",
}
BASE_TOOLS: Final = {"debootstrap": "debootstrap"}
CODE_TOOLS: Final = {"mksquashfs": "squashfs-tools"}
RUN_TOOLS: Final = {"qemu-system-x86_64": "qemu-system-x86"}


class ImageError(Exception):
    """An error that says what to do."""


class Images(NamedTuple):
    kernel: Path
    base: Path
    code: Path


def folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of all images, which clones share."""
    if given := environ.get("COMPANION_IMAGES"):
        return Path(given).absolute()
    cache = environ.get("XDG_CACHE_HOME") or Path(environ["HOME"], ".cache")
    return Path(cache, "companion", "images")


def digest(files: Iterable[Path], words: Iterable[str] = (), root: Path = CHECKOUT) -> str:
    """Return twelve hex digits that change with `words`, and with the files' contents and paths."""
    total = hashlib.sha256()
    for word in words:
        total.update(f"{word}\0".encode())
    for file in files:
        content = file.read_bytes()
        total.update(f"{file.relative_to(root)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:12]


def requirements(checkout: Path = CHECKOUT) -> list[str]:
    """Return what pip installs into the base."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    extras = [line for extra in EXTRAS for line in project["optional-dependencies"][extra]]
    return [*project["dependencies"], *extras, *TEST_TOOLS]


def sources(checkout: Path = CHECKOUT) -> list[Path]:
    """Return the files that the wheel is made from, except what the build makes."""
    alone = [checkout / name for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")]
    trees = [path for tree in ("assets", "companion", "hardware/pod") for path in (checkout / tree).rglob("*")]
    made = {"__pycache__", ".mo"}
    return alone + sorted(path for path in trees if path.is_file() and not made & {path.suffix, *path.parts})


def kernel(environ: Mapping[str, str]) -> Path:
    """Return the path of the kernel."""
    if not (given := environ.get("COMPANION_KERNEL")):
        return folder(environ) / f"kernel-{digest([RECIPES / 'kernel.config', RECIPES / 'build_kernel.sh'])}"
    path = Path(given).absolute()
    if not path.is_file():
        raise ImageError(f"COMPANION_KERNEL names {given}, which is no file; unset it to use a built kernel")
    return path


def wanted(environ: Mapping[str, str]) -> Images:
    """Return the images that belong to this checkout."""
    where = folder(environ)
    base = digest([RECIPES / "build_base.sh"], requirements())
    code = digest([RECIPES / "build_code.sh", RECIPES / "init", *sources()], [base])
    return Images(kernel(environ), where / f"base-{base}.squashfs", where / f"code-{code}.squashfs")


def missing_packages(images: Images) -> list[str]:
    """Return the Debian packages that are missing to make and run the images."""
    tools = CODE_TOOLS | RUN_TOOLS
    if not images.kernel.exists():
        tools |= KERNEL_TOOLS
    if not images.base.exists():
        tools |= BASE_TOOLS
    return packages_for(tools)


def packages_for(tools: Mapping[str, str]) -> list[str]:
    return sorted({package for tool, package in tools.items() if not _installed(tool)})


def _installed(tool: str) -> bool:
    if tool.startswith("/"):
        return Path(tool).exists()
    return shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is not None


def build(images: Images) -> None:
    _check_packages(images)
    if not images.base.exists() and os.geteuid() != 0:
        raise ImageError("the base is a Debian made by debootstrap, which needs root; run `make images` as root")
    build_kernel(images.kernel)
    make(images.base, "Debian 12 and the libraries, about 2 minutes", _base_command)
    build_code(images)


def build_kernel(image: Path) -> None:
    make(image, "Linux with simulated GPIO, screen and sound, about 16 minutes on two cores", _kernel_command)


def build_code(images: Images) -> None:
    """Make the image of the code; the other two must exist."""
    for image in (images.kernel, images.base):
        if not image.exists():
            raise ImageError(f"there is no {image}; run `make images` first, as root")
    _check_packages(images)
    make(
        images.code,
        "the companion's wheel, about 10 seconds",
        lambda work, out: _code_command(work, images.base, out),
    )
    forget_unused(images)


def _check_packages(images: Images) -> None:
    check_packages(missing_packages(images))


def check_packages(packages: Sequence[str]) -> None:
    """Raise ImageError if packages are missing."""
    if packages:
        raise ImageError(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")


def _kernel_command(work: Path, out: Path) -> list[str]:
    return [str(RECIPES / "build_kernel.sh"), str(KERNEL_SOURCE), str(work), str(out)]


def _base_command(work: Path, out: Path) -> list[str]:
    check_python()
    # In a separate mount namespace, so that nothing stays mounted if debootstrap is killed.
    script = ["unshare", "--mount", str(RECIPES / "build_base.sh")]
    return [*script, sys.executable, str(work), str(out), *requirements()]


def _code_command(work: Path, base: Path, out: Path) -> list[str]:
    check_python()
    return [str(RECIPES / "build_code.sh"), sys.executable, str(CHECKOUT), str(base), str(work), str(out)]


def check_python() -> None:
    """Raise ImageError unless this Python has the guest's version."""
    if sys.version_info[:2] != GUEST_PYTHON:
        found, needed = (".".join(map(str, version[:2])) for version in (sys.version_info, GUEST_PYTHON))
        raise ImageError(
            f"this is Python {found}; the guest's is {needed}: `make clean`, then `make PYTHON=python{needed}`"
        )


def make(image: Path, what: str, command: Callable[[Path, Path], Sequence[str]]) -> None:
    """Make an image unless it exists, one at a time in all clones."""
    if image.exists():
        return
    image.parent.mkdir(parents=True, exist_ok=True)
    kind = image.name.partition("-")[0]
    with _locked(image.parent / f"{kind}.lock"):
        if image.exists():
            return  # another process made it meanwhile
        work = image.parent / f"{kind}.part"
        if work.exists():
            shutil.rmtree(work)  # left by a build that was killed
        work.mkdir()
        say(f"{kind}: {what} ...")
        began = time.monotonic()
        out = work / "image"
        _run_logged(command(work, out), image.parent / f"{kind}.log")
        out.replace(image)  # only a whole image ever has the name
        shutil.rmtree(work)
        say(f"{kind}: {image.stat().st_size >> 20} MB after {time.monotonic() - began:.0f} s: {image}")


def _run_logged(command: Sequence[str], log: Path) -> None:
    with log.open("w") as output:
        status = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
        ).returncode
    if status != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-TAIL_LINES:])
        raise ImageError(f"{Path(command[0]).name} failed with status {status}; the end of {log}:\n{tail}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another build, which holds {path}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def forget_unused(images: Sequence[Path], kept: int = KEPT) -> None:
    """Mark images as used, and remove the least recently used of their kinds."""
    where = images[-1].parent
    for image in images:
        if image.parent == where:  # COMPANION_KERNEL may be elsewhere
            image.touch()
            kind = image.name.partition("-")[0]
            last_used_last = sorted(where.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)
            for unused in last_used_last[:-kept]:
                unused.unlink()


def say(line: str) -> None:
    print(f"images: {line}", flush=True)


def main(words: Sequence[str]) -> int:
    if len(words) != 1 or words[0] not in {"build", "code", "missing", "kernel"}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        images = wanted(os.environ)
        match words[0]:
            case "build":
                build(images)
            case "code":
                build_code(images)
            case "missing":
                print(" ".join(missing_packages(images)))
            case "kernel":
                print(images.kernel)
    except (ImageError, OSError) as error:
        print(f"images: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
