"""The machine's images: the kernel tier's kernel, a Debian, and a disk with the companion installed.

    system  Debian 12 with systemd, and wheels         2 minutes, once for each state of the locks
    disk    the system after the companion's installer 20 seconds, after each change of the checkout

They are named and shared like the kernel tier's (tests/kernel/README.md, "The images").

Usage: python -m tests.appliance.disk_images WORD
    build    make what is missing
    disk     make the disk; the others must exist
    missing  print the Debian packages that are missing for this
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.kernel import guest_images as kernel_tier
from tests.kernel.guest_images import CHECKOUT, ImageError, digest

HERE: Final = Path(__file__).resolve().parent
RECIPES: Final = HERE / "images"
INSIDE: Final = HERE / "inside"

LOCKS: Final = ("systemd/requirements.lock", "systemd/build.lock")
"""Versions and hashes of what the installer fetches from PyPI."""

KEPT: Final = 3
"""Large disks that stay, the last used ones."""

SYSTEM_TOOLS: Final = kernel_tier.BASE_TOOLS | kernel_tier.CODE_TOOLS
DISK_TOOLS: Final = kernel_tier.CODE_TOOLS | {
    "mke2fs": "e2fsprogs",
    "e2fsck": "e2fsprogs",
    "debugfs": "e2fsprogs",
    "setpriv": "util-linux",
}


class Images(NamedTuple):
    kernel: Path
    system: Path
    disk: Path


def locks(checkout: Path = CHECKOUT) -> list[Path]:
    return [checkout / name for name in LOCKS]


def sources(checkout: Path = CHECKOUT) -> list[Path]:
    """Return the installer and the files that it installs."""
    alone = [checkout / name for name in ("CHANGELOG.md", "docs/appliance.md")]
    units = [path for path in (checkout / "systemd").rglob("*") if path.is_file()]
    return sorted([*kernel_tier.sources(checkout), *alone, *units])


def wanted(environ: Mapping[str, str]) -> Images:
    """Return the images that belong to this checkout."""
    where = kernel_tier.folder(environ)
    system = digest([RECIPES / "build_system.sh", *locks()])
    disk = digest([RECIPES / "build_disk.sh", *sorted(INSIDE.iterdir()), *sources()], [system])
    return Images(kernel_tier.kernel(environ), where / f"system-{system}.squashfs", where / f"disk-{disk}.img")


def missing_packages(images: Images) -> list[str]:
    """Return the Debian packages that are missing to make and run the images."""
    tools = DISK_TOOLS | kernel_tier.RUN_TOOLS
    if not images.kernel.exists():
        tools |= kernel_tier.KERNEL_TOOLS
    if not images.system.exists():
        tools |= SYSTEM_TOOLS
    return kernel_tier.packages_for(tools)


def build(images: Images) -> None:
    kernel_tier.check_packages(missing_packages(images))
    _check_root(images)
    kernel_tier.build_kernel(images.kernel)
    kernel_tier.make(images.system, "Debian 12 with systemd, and wheels, about 2 minutes", _system_command)
    build_disk(images)


def build_disk(images: Images) -> None:
    """Make the disk; the other images must exist."""
    for image in (images.kernel, images.system):
        if not image.exists():
            raise ImageError(f"there is no {image}; run `make images` first, as root")
    kernel_tier.check_packages(missing_packages(images))
    _check_root(images)
    kernel_tier.make(
        images.disk,
        "the companion installed, about 20 seconds",
        lambda work, out: [str(RECIPES / "build_disk.sh"), str(CHECKOUT), str(images.system), str(work), str(out)],
    )
    kernel_tier.forget_unused(images[1:], KEPT)


def _check_root(images: Images) -> None:
    if not images.disk.exists() and os.geteuid() != 0:
        raise ImageError("the disk is made by the installer, which needs root; run `make images` as root")


def _system_command(work: Path, out: Path) -> list[str]:
    kernel_tier.check_python()
    # In a separate mount namespace, so that nothing stays mounted if debootstrap is killed.
    script = ["unshare", "--mount", str(RECIPES / "build_system.sh")]
    return [*script, sys.executable, str(work), str(out), *map(str, locks())]


def main(words: Sequence[str]) -> int:
    if len(words) != 1 or words[0] not in {"build", "disk", "missing"}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        images = wanted(os.environ)
        match words[0]:
            case "build":
                build(images)
            case "disk":
                build_disk(images)
            case "missing":
                print(" ".join(missing_packages(images)))
    except (ImageError, OSError) as error:
        print(f"images: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
