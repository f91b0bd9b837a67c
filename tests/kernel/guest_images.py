"""The guest's three images: names that say what they are made from, and how to make those that are not there.

    kernel  Linux with simulated GPIO        minutes, made once for a kernel.config
    base    Debian 12 and all libraries      minutes, made once for a list of requirements
    code    the first process and our wheel  seconds, made whenever the checkout changed

Usage: python -m tests.kernel.guest_images WORD
    build    make what is not there
    code     make the code, for which the others must be there
    missing  print the Debian packages that are missing for all this
    kernel   print where the kernel is, or would be
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
"""Debian 12's: wheels are fetched and byte-compiled outside of the guest, so Python must be the same there."""

EXTRAS: Final = ("pi", "usb", "rpi-lgpio")
"""Of pyproject.toml. Not `test`: what those tools import on each start would cost seconds in the guest."""

TEST_TOOLS: Final = ("pytest>=8",)

KEPT: Final = 8
"""So many of each kind stay, the last used ones: other clones and other branches may want theirs."""

TAIL_LINES: Final = 15

# What must be on the machine, and the Debian package that brings it.
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
    """Raised when an image is missing or cannot be made; says what to do."""


class Images(NamedTuple):
    """Where the three images are, or would be."""

    kernel: Path
    base: Path
    code: Path


def folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of all images; clones of the repository share it."""
    if given := environ.get("COMPANION_IMAGES"):
        return Path(given).absolute()
    cache = environ.get("XDG_CACHE_HOME") or Path(environ["HOME"], ".cache")
    return Path(cache, "companion", "images")


def digest(files: Iterable[Path], words: Iterable[str] = (), root: Path = CHECKOUT) -> str:
    """Return twelve hex digits that change with any word, and with any file's content and place below the root."""
    total = hashlib.sha256()
    for word in words:
        total.update(f"{word}\0".encode())
    for file in files:
        content = file.read_bytes()
        total.update(f"{file.relative_to(root)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:12]


def requirements(checkout: Path = CHECKOUT) -> list[str]:
    """Return what pip installs into the base: what the companion needs on a Pi, and what the tests inside need."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["project"]
    extras = [line for extra in EXTRAS for line in project["optional-dependencies"][extra]]
    return [*project["dependencies"], *extras, *TEST_TOOLS]


def sources(checkout: Path = CHECKOUT) -> list[Path]:
    """Return the files that our wheel is made from, without what the build itself makes."""
    alone = [checkout / name for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")]
    trees = [path for tree in ("assets", "companion", "hardware/pod") for path in (checkout / tree).rglob("*")]
    made = {"__pycache__", ".mo"}
    return alone + sorted(path for path in trees if path.is_file() and not made & {path.suffix, *path.parts})


def kernel(environ: Mapping[str, str]) -> Path:
    """Return where the kernel is, or would be; one that is given counts as the right one."""
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
    """Return the Debian packages that are to be installed before the images can be made and run."""
    tools = CODE_TOOLS | RUN_TOOLS
    if not images.kernel.exists():
        tools |= KERNEL_TOOLS
    if not images.base.exists():
        tools |= BASE_TOOLS
    return packages_for(tools)


def packages_for(tools: Mapping[str, str]) -> list[str]:
    """Return the packages of those tools that are not installed."""
    return sorted({package for tool, package in tools.items() if not _installed(tool)})


def _installed(tool: str) -> bool:
    if tool.startswith("/"):
        return Path(tool).exists()
    return shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is not None


def build(images: Images) -> None:
    """Make the images that are not there yet."""
    _check_packages(images)
    if not images.base.exists() and os.geteuid() != 0:
        raise ImageError("the base is a Debian made by debootstrap, which needs root; run `make images` as root")
    build_kernel(images.kernel)
    make(images.base, "Debian 12 and the libraries, about 2 minutes", _base_command)
    build_code(images)


def build_kernel(image: Path) -> None:
    """Make the kernel unless it is there."""
    make(image, "Linux with simulated GPIO, screen and sound, about 16 minutes on two cores", _kernel_command)


def build_code(images: Images) -> None:
    """Make the image of the code unless it is there; the other two must be."""
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
    """Raise ImageError naming these packages, which are missing."""
    if packages:
        raise ImageError(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")


def _kernel_command(work: Path, out: Path) -> list[str]:
    return [str(RECIPES / "build_kernel.sh"), str(KERNEL_SOURCE), str(work), str(out)]


def _base_command(work: Path, out: Path) -> list[str]:
    check_python()
    # In a mount namespace of its own, so that nothing stays mounted when debootstrap is killed.
    script = ["unshare", "--mount", str(RECIPES / "build_base.sh")]
    return [*script, sys.executable, str(work), str(out), *requirements()]


def _code_command(work: Path, base: Path, out: Path) -> list[str]:
    check_python()
    return [str(RECIPES / "build_code.sh"), sys.executable, str(CHECKOUT), str(base), str(work), str(out)]


def check_python() -> None:
    """Raise ImageError when this Python is not of the guest's version."""
    if sys.version_info[:2] != GUEST_PYTHON:
        found, needed = (".".join(map(str, version[:2])) for version in (sys.version_info, GUEST_PYTHON))
        raise ImageError(
            f"this is Python {found}; the guest's is {needed}: `make clean`, then `make PYTHON=python{needed}`"
        )


def make(image: Path, what: str, command: Callable[[Path, Path], Sequence[str]]) -> None:
    """Run the command that makes an image, unless it is there; one at a time in all clones."""
    if image.exists():
        return
    image.parent.mkdir(parents=True, exist_ok=True)
    kind = image.name.partition("-")[0]
    with _locked(image.parent / f"{kind}.lock"):
        if image.exists():
            return  # made by somebody else while this waited
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
    """Note that these images are used, and remove those of their kinds that were not used for longest."""
    where = images[-1].parent
    for image in images:
        if image.parent == where:  # a kernel that was given may be elsewhere
            image.touch()
            kind = image.name.partition("-")[0]
            last_used_last = sorted(where.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)
            for unused in last_used_last[:-kept]:
                unused.unlink()


def say(line: str) -> None:
    """Tell how far it is."""
    print(f"images: {line}", flush=True)


def main(words: Sequence[str]) -> int:
    """Do what the one word says; return the exit status."""
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
