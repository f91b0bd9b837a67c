"""Tests the order of a machine's addresses for phones, and its name by Avahi."""

import asyncio
from types import SimpleNamespace

import pytest

from companion.devices.phones import addresses
from companion.devices.phones.addresses import local_name, own_addresses

CABLE = {"operstate": "up", "flags": "0x1003", "device": ""}
WIFI = {**CABLE, "phy80211": ""}
VPN = {"operstate": "unknown", "flags": "0x10d1"}
TAP = {"operstate": "unknown", "flags": "0x1003", "tun_flags": "0x1002"}
BRIDGE = {"operstate": "up", "flags": "0x1003"}


class Machine:
    """Interfaces as the kernel lists them, with their addresses."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.adapters, self.routes = folder / "net", [], folder / "route"
        self.routes.write_text("Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT\n")
        monkeypatch.setattr(addresses.ifaddr, "get_adapters", lambda: self.adapters)
        self.add("lo", {"operstate": "unknown", "flags": "0x9"}, "127.0.0.1")

    def add(self, name, files, *given, ports=None):
        own = self.folder / name
        own.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            (own / file).write_text(text)
        if ports is not None:
            (own / "brif").mkdir()
            for port in ports:
                (own / "brif" / port).touch()
        ips = [SimpleNamespace(ip=ip, is_IPv4=isinstance(ip, str)) for ip in given]
        self.adapters.append(SimpleNamespace(name=name, ips=ips))

    def leads_out(self, name, metric):
        with self.routes.open("a") as file:
            file.write(f"{name} 00000000 0102A8C0 0003 0 0 {metric} 00000000 0 0 0\n")

    @property
    def found(self):
        return own_addresses(self.folder, self.routes)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    return Machine(tmp_path, monkeypatch)


def test_machine_without_a_network_has_no_address(machine):
    machine.add("eth0", {**CABLE, "operstate": "down"}, "192.168.1.7")
    assert machine.found == ()


def test_access_point_without_default_route_comes_first(machine):
    machine.add("eth0", CABLE, "10.0.0.2")
    machine.add("wlan0", WIFI, "10.42.0.1", ("fe80::1", 0, 3))
    assert machine.found == ("10.42.0.1", "10.0.0.2")


def test_default_route_with_smallest_metric_comes_first(machine):
    machine.add("wlan0", WIFI, "192.168.1.8")
    machine.add("eth0", CABLE, "192.168.1.7")
    machine.leads_out("wlan0", 600)
    machine.leads_out("eth0", 100)
    assert machine.found == ("192.168.1.7", "192.168.1.8")


@pytest.mark.parametrize("vpn", [VPN, TAP], ids=["tun", "tap"])
def test_vpn_with_the_default_route_comes_last(machine, vpn):
    machine.add("vpn0", vpn, "10.8.0.2")
    machine.add("eth0", CABLE, "192.168.1.7")
    machine.leads_out("vpn0", 50)
    assert machine.found == ("192.168.1.7", "10.8.0.2")


def test_container_bridge_comes_last(machine):
    machine.add("docker0", BRIDGE, "172.17.0.1", ports=["veth1"])
    machine.add("veth1", BRIDGE)
    machine.add("eth0", CABLE, "169.254.3.4")
    assert machine.found == ("169.254.3.4", "172.17.0.1")


def test_bridge_over_a_cable_comes_first(machine):
    machine.add("docker0", BRIDGE, "172.17.0.1", ports=[])
    machine.add("br0", BRIDGE, "192.168.1.7", ports=["eth0"])
    machine.add("eth0", CABLE)
    assert machine.found == ("192.168.1.7", "172.17.0.1")


# --- Avahi ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (b"+ 2 0 pi.local\n", "pi.local"),
        (b"-15 Timeout reached\n", ""),
        (b"+ 2 0 router.example\n", ""),
        (b"+" * 70_000, ""),
        (b"", ""),
    ],
    ids=["its name", "no answer", "another name", "no end", "nothing"],
)
def test_local_name_is_avahis_answer(tmp_path, said, name):
    asked = []

    async def answer(reader, writer):
        asked.append(await reader.readline())
        writer.write(said)
        writer.close()

    async def ask():
        async with await asyncio.start_unix_server(answer, tmp_path / "socket"):
            return await local_name("10.42.0.1", tmp_path / "socket")

    assert (asyncio.run(ask()), asked) == (name, [b"RESOLVE-ADDRESS 10.42.0.1\n"])


def test_machine_without_avahi_has_no_name(tmp_path):
    assert asyncio.run(local_name("10.42.0.1", tmp_path / "socket")) == ""
