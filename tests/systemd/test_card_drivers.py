"""Tests `make card`'s check of Debian's kernel."""

import subprocess
from pathlib import Path

COMMON = Path(__file__).parents[2] / "systemd" / "card" / "common.sh"
MODULES = ("vc4", "v3d", "usbhid", "evdev", "cdc-acm", "snd-usb-audio")


def check(root: Path) -> subprocess.CompletedProcess[str]:
    script = f". '{COMMON}'; check_drivers '{root}'"
    return subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=False)


def test_missing_driver_stops_the_card(tmp_path: Path) -> None:
    folder = tmp_path / "usr/lib/modules/6.12.1-arm64"
    folder.mkdir(parents=True)
    files = [f"kernel/drivers/{name}.ko.xz: kernel/drivers/other.ko.xz\n" for name in MODULES]
    (folder / "modules.builtin").write_text("kernel/drivers/evdev.ko\n")
    (folder / "modules.dep").write_text("".join(line for line in files if "evdev" not in line))
    assert check(tmp_path).returncode == 0
    (folder / "modules.dep").write_text("".join(files[1:]))
    done = check(tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("card: Debian's kernel has no driver vc4: 6.12.1-arm64. Take the packages of an")
