"""Debians on which the package is installed: bare, with what the package depends on, made once."""

import os
import subprocess
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kernel import guest_images
from tests.kernel.guest_images import CHECKOUT

PACKAGES = CHECKOUT / "build" / "deb"
TOOLS = {"mmdebstrap": "mmdebstrap", "unshare": "util-linux", "setpriv": "util-linux"}

KEPT = 2
"""Large images that stay, the last used ones of each Debian."""

BARE = "systemd-sysv,udev,dbus,apt-utils,ca-certificates"
"""A Debian that boots; Raspberry Pi OS Lite has more."""

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}

ENTER = """
mount -t proc proc "$0/proc"
mount -t tmpfs run "$0/run"
mount --rbind /dev "$0/dev"
mount --bind "$1" "$0/mnt"
tree=$0
shift
exec chroot "$tree" "$@"
"""


def package() -> Path:
    """Return the package for this machine, which `make deb` has made."""
    machine = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
    [path] = PACKAGES.glob(f"*_{machine.stdout.strip()}.deb")
    return path


def repacked(path: Path, folder: Path, *script: str, bare: bool = False) -> Path:
    """Return a copy of a package whose control files a sed script has changed; a bare one has nothing else."""
    with TemporaryDirectory(dir=folder) as work:
        tree = Path(work, "tree")
        subprocess.run(["dpkg-deb", "--raw-extract", path, tree], check=True)
        if bare:
            tree = Path(work, "bare")
            (tree / "DEBIAN").mkdir(parents=True)
            (Path(work, "tree/DEBIAN/control")).rename(tree / "DEBIAN/control")
        changed = [file for file in (tree / "DEBIAN").iterdir() if file.name != "conffiles"]
        subprocess.run(["sed", "-i", *script, *changed], check=True)
        told = subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, folder],
            capture_output=True,
            text=True,
            check=True,
        )
        return Path(told.stdout.split("'")[3])


def made(suite: str, deb: Path) -> Path:
    """Return the tar of a Debian with what a package needs; it is made if it is not there."""
    needs = subprocess.run(["dpkg-deb", "--field", deb, "Depends", "Recommends"], capture_output=True, check=True)
    name = guest_images.digest([], [BARE, needs.stdout.decode()])
    image = guest_images.folder(os.environ) / f"{suite}-{name}.tar.gz"
    guest_images.make(image, "a Debian with what the package needs, about 4 minutes", partial(_command, suite, deb))
    guest_images.forget_unused([image], KEPT)
    return image


def _command(suite: str, deb: Path, work: Path, out: Path) -> list[str]:
    needs = repacked(deb, work, "s/^Package: .*/Package: needs/", bare=True)
    install = "apt-get install -y -q -o APT::Install-Recommends=true /var/tmp/needs.deb"
    hooks = [f'cp "{needs}" "$1/var/tmp/needs.deb"', f'chroot "$1" {install}']
    words = ["--variant=minbase", f"--include={BARE}", *(f"--customize-hook={hook}" for hook in hooks)]
    script = 'mmdebstrap --format=tar --skip=cleanup/apt/lists "$@" && gzip -1 <"$0/made.tar" >"$0/image"'
    assert out == work / "image"
    return ["sh", "-c", script, str(work), *words, suite, str(work / "made.tar")]


class Debian:
    """A Debian of its own in a folder, without a network."""

    def __init__(self, root: Path, shared: Path) -> None:
        self.root = root
        self.shared = shared
        """A folder that it sees in /mnt."""

    def attempt(self, *words: str, said: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["unshare", "--mount", "--net", "sh", "-euc", ENTER, self.root, self.shared, *words],
            env=ENVIRONMENT,
            input=said,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def run(self, *words: str, said: str = "") -> str:
        done = self.attempt(*words, said=said)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def as_table(self, *words: str) -> "subprocess.CompletedProcess[str]":
        user = ("setpriv", "--reuid=companion", "--regid=companion", "--init-groups")
        home = "/var/lib/companion"
        return self.attempt(*user, "env", f"HOME={home}", f"STATE_DIRECTORY={home}", *words)
