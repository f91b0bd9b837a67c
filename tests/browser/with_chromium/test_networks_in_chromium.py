"""Phones join by a code's address in the networks of houses and travellers."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.with_chromium.page import wait_for

PATIENCE_S = 120
END = Path(__file__).with_name("in_network.py")
TABLE, PHONE, GUEST = (f"companion-{who}-{os.getpid()}" for who in ("table", "phone", "guest"))


def ip(*words: str, inside: str = "") -> str:
    space = ["-n", inside] if inside else []
    return subprocess.run(["ip", *space, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture(autouse=True)
def _spaces() -> Iterator[None]:
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("making networks needs root and iproute2's ip")
    spaces = (TABLE, PHONE, GUEST)
    try:
        for space in spaces:
            ip("netns", "add", space)
            ip("link", "set", "lo", "up", inside=space)
        yield
    finally:
        for space in spaces:
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)


def cable(name: str, table: str, phone: str, space: str = PHONE) -> None:
    ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", space, inside=TABLE)
    for inside, device, address in ((TABLE, name, table), (space, "eth0", phone)):
        ip("addr", "add", f"{address}/24", "dev", device, inside=inside)
        ip("link", "set", device, "up", inside=inside)
    wait_for(lambda: "state UP" in ip("link", "show", name, inside=TABLE), "the kernel sees the cable")


def host_that_a_phone_joins_by(space: str = PHONE, tunnel: str = "") -> str | None:
    """Return the host in the code of a phone that joined and pressed."""
    inside = ["ip", "netns", "exec", TABLE, sys.executable, str(END), "table", *([tunnel] if tunnel else [])]
    with subprocess.Popen(inside, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdin
        assert table.stdout
        with table.stdin:
            code = table.stdout.readline().strip()
            phone = ["ip", "netns", "exec", space, sys.executable, str(END), "phone", code]
            subprocess.run(phone, check=True, timeout=PATIENCE_S)
        assert table.stdout.read() == "pressed\n"
    return urlsplit(code).hostname


def test_phone_joins_without_a_default_route() -> None:
    cable("v0", "10.42.0.1", "10.42.0.7")
    assert host_that_a_phone_joins_by() == "10.42.0.1"


def test_phone_joins_beside_a_vpns_default_route() -> None:
    ip("tuntap", "add", "tun0", "mode", "tun", inside=TABLE)
    ip("addr", "add", "10.8.0.2/24", "dev", "tun0", inside=TABLE)
    ip("link", "set", "tun0", "up", inside=TABLE)
    ip("route", "add", "default", "dev", "tun0", inside=TABLE)
    cable("v0", "192.168.7.5", "192.168.7.9")
    assert host_that_a_phone_joins_by(tunnel="tun0") == "192.168.7.5"


@pytest.mark.parametrize("space", [PHONE, GUEST], ids=["of the house", "of its own Wi-Fi"])
def test_phone_joins_through_either_of_two_interfaces(space: str) -> None:
    cable("a0", "10.42.0.1", "10.42.0.7", GUEST)
    ip("route", "add", "default", "via", "10.42.0.1", inside=GUEST)
    cable("v0", "192.168.7.5", "192.168.7.9")
    ip("route", "add", "default", "via", "192.168.7.1", inside=TABLE)
    assert host_that_a_phone_joins_by(space) == "192.168.7.5"
