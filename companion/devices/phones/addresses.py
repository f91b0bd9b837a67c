"""The addresses of this machine in the local network, and its name from Avahi."""

import asyncio
import re
from collections.abc import Mapping
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import ifaddr

INTERFACES: Final = Path("/sys/class/net")
ROUTES: Final = Path("/proc/net/route")
AVAHI: Final = Path("/run/avahi-daemon/socket")

AVAHI_ANSWERS_S: Final = 1.0

_POINT_TO_POINT: Final = 0x10
"""The kernel's flag of interfaces such as VPNs."""

_NO_ROUTE: Final = 1 << 32
_NAMED: Final = re.compile(rb"\+\S* \S+ \S+ (\S+\.local)\n")


def own_addresses(interfaces: Path = INTERFACES, routes: Path = ROUTES) -> tuple[str, ...]:
    """Return the IPv4 addresses for phones, the likeliest first. Raise OSError.

    The default route comes first, then Wi-Fi. VPNs and container bridges come last.
    """
    metrics = _default_routes(routes)
    ranked = []
    for adapter in ifaddr.get_adapters():
        name = adapter.name.partition(":")[0]  # eth0:1 is a second address of eth0
        folder = interfaces / name
        for address in (IPv4Address(each.ip) for each in adapter.ips if each.is_IPv4):
            if address.is_loopback or _is_down(folder):
                continue
            rank = (
                _is_vpn(folder) or _is_of_containers(folder),
                address.is_link_local,
                metrics.get(name, _NO_ROUTE),
                not (folder / "phy80211").exists(),
            )
            ranked.append((rank, str(address)))
    return tuple(dict.fromkeys(address for _, address in sorted(ranked, key=lambda each: each[0])))


async def local_name(address: str, avahi: Path = AVAHI) -> str:
    """Return Avahi's `.local` name of an address, or ""."""
    try:
        async with asyncio.timeout(AVAHI_ANSWERS_S):
            reader, writer = await asyncio.open_unix_connection(avahi)
            try:
                writer.write(f"RESOLVE-ADDRESS {address}\n".encode("ascii"))
                named = _NAMED.fullmatch(await reader.readline())
            finally:
                writer.close()
    except (OSError, ValueError):  # a TimeoutError is an OSError; ValueError: a line without an end
        return ""
    return named[1].decode("ascii", "replace") if named else ""


def _default_routes(routes: Path) -> Mapping[str, int]:
    try:
        rows = [line.split() for line in routes.read_text("ascii").splitlines()[1:]]
    except OSError:
        return {}
    return {row[0]: int(row[6]) for row in rows if row[1] == row[7] == "00000000"}


def _is_down(folder: Path) -> bool:
    return _read(folder / "operstate") in {"down", "lowerlayerdown", "notpresent"}


def _is_vpn(folder: Path) -> bool:
    flags = int(_read(folder / "flags") or "0", 16)
    return bool(flags & _POINT_TO_POINT) or (folder / "tun_flags").exists()


def _is_of_containers(folder: Path) -> bool:
    """Return True for a bridge without hardware ports."""
    try:
        ports = [port.name for port in (folder / "brif").iterdir()]
    except OSError:  # not a bridge, or just removed
        return False
    return not any((folder.parent / port / "device").exists() for port in ports)


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except OSError:  # just removed
        return ""
