"""Which of a machine's addresses phones in the room are told: a card's before a tunnel's, whatever they are called."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path

import pytest

from companion.network import own_addresses as module
from companion.network.own_addresses import OwnAddress, Reach, own_addresses, ranked, reach_of

CARD = {"device/": ""}
TUNNEL = {"type": "65534", "tun_flags": "0x1001"}


def sysfs(folder: Path, interfaces: Mapping[str, Mapping[str, str]]) -> Path:
    """Write what the kernel says of each interface; a name with a slash at its end is a folder."""
    for interface, says in interfaces.items():
        (folder / interface).mkdir()
        for name, text in says.items():
            if name.endswith("/"):
                (folder / interface / name).mkdir()
            else:
                (folder / interface / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("name", "says", "reach"),
    [
        ("enp3s0", CARD, Reach.CARD),
        ("games", CARD, Reach.CARD),
        ("docker7", CARD, Reach.CARD),
        ("eth0", {}, Reach.NAMED),
        ("wlan0", {"type": "1"}, Reach.NAMED),
        ("usb0", CARD, Reach.TETHER),
        ("office", {}, Reach.UNKNOWN),
        ("eth7", TUNNEL, Reach.ELSEWHERE),
        ("lan", {"type": "65534"}, Reach.ELSEWHERE),
        ("wwan0", CARD, Reach.ELSEWHERE),
        ("modem", {**CARD, "uevent": "DEVTYPE=wwan\nINTERFACE=modem"}, Reach.ELSEWHERE),
        ("tailscale0", {}, Reach.ELSEWHERE),
        ("docker0", {"lower_veth1/": ""}, Reach.INSIDE),
        ("br-3f2a", {}, Reach.INSIDE),
        ("games", {"lower_veth1/": ""}, Reach.UNKNOWN),
        ("br0", {"lower_card/": "", "lower_veth1/": ""}, Reach.CARD),
        ("br-home", {"lower_card/": ""}, Reach.CARD),
        ("card.7", {"lower_card/": ""}, Reach.CARD),
    ],
)
def test_what_an_interface_is_the_kernel_says_and_only_then_its_name(
    tmp_path: Path, name: str, says: Mapping[str, str], reach: Reach
) -> None:
    assert reach_of(name, sysfs(tmp_path, {"card": CARD, "veth1": {}, name: says})) is reach


def first_address(
    tmp_path: Path, interfaces: Mapping[str, Mapping[str, str]], *held: str, routed: Sequence[str] = ()
) -> str:
    """Return the address that phones are told if interfaces hold these, written NAME=ADDRESS."""
    addresses = [OwnAddress(name, ip_address(ip)) for name, _, ip in (interface.partition("=") for interface in held)]
    return ranked(addresses, {*routed}, sysfs(tmp_path, interfaces))[0]


@pytest.mark.parametrize(
    ("held", "address"),
    [
        (("docker0=172.17.0.1", "wlan0=192.168.1.60"), "192.168.1.60"),
        (("tun0=10.8.0.6", "eth0=192.168.1.50"), "192.168.1.50"),
        (("eth0=169.254.7.9", "wlan0=192.168.1.60"), "192.168.1.60"),
        (("eth0=169.254.7.9", "br0=192.168.1.60"), "192.168.1.60"),
        (("eth0=169.254.7.9", "docker0=172.17.0.1"), "169.254.7.9"),
        (("usb0=192.168.42.2", "wlan0=10.42.0.1"), "10.42.0.1"),
        (("usb0=192.168.42.2", "wg0=10.9.0.2"), "192.168.42.2"),
        (("eth0=fd00:1::50", "wlan0=192.168.1.60"), "192.168.1.60"),
        (("eth0=fd00:1::50", "docker0=172.17.0.1"), "fd00:1::50"),
        (("eth0=2001:db8::5", "eth0=fd00:1::50"), "fd00:1::50"),
        (("eth0=2a00:1::5", "wlan0=131.130.1.5"), "131.130.1.5"),
        (("eth0=100.64.0.9", "wlan0=192.168.1.60"), "192.168.1.60"),
        (("tailscale0=100.101.1.2",), "100.101.1.2"),
    ],
)
def test_phones_are_told_the_address_that_they_likeliest_reach(
    tmp_path: Path, held: tuple[str, ...], address: str
) -> None:
    names = {interface.partition("=")[0] for interface in held}
    assert first_address(tmp_path, {name: {} for name in names}, *held) == address


def test_of_two_networks_the_one_with_a_router_comes_first(tmp_path: Path) -> None:
    both = "eth0=192.168.1.50", "wlan0=192.168.2.50"
    assert first_address(tmp_path, {}, *both, routed=["wlan0"]) == "192.168.2.50"


def test_a_card_without_its_cable_comes_after_one_that_is_on_a_network(tmp_path: Path) -> None:
    cards = {"eth0": {**CARD, "carrier": "0"}, "wlan0": {**CARD, "carrier": "1"}}
    assert first_address(tmp_path, cards, "eth0=192.168.1.50", "wlan0=192.168.2.50", routed=["eth0"]) == "192.168.2.50"


def test_the_other_addresses_are_told_too_but_none_that_leads_nowhere_but_here(tmp_path: Path) -> None:
    held = ("eth0", "192.168.1.50"), ("wlan0", "192.168.2.50"), ("tailscale0", "100.101.1.2"), ("docker0", "172.17.0.1")
    addresses = [OwnAddress(name, ip_address(ip)) for name, ip in held]
    assert ranked(addresses, set(), tmp_path) == ("192.168.2.50", "192.168.1.50", "100.101.1.2")


def test_an_interface_is_named_once_by_the_shorter_protocol(tmp_path: Path) -> None:
    addresses = [OwnAddress("eth0", ip_address(ip)) for ip in ("fd00:1::50", "192.168.1.50", "169.254.1.1")]
    assert ranked(addresses, set(), tmp_path) == ("192.168.1.50",)


def test_addresses_are_found_without_netlink_which_the_service_may_not_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "if_nameindex", None)
    assert all(ip_address(address) for address in own_addresses())


IN_ITS_OWN = (
    "mount -t sysfs sysfs /sys; ip link set lo up; {network}; exec {python} -c "
    "'from companion.network.own_addresses import own_addresses; print(*own_addresses())'"
)
LAN = (
    "ip link add eth0 type veth peer name cable; ip addr add 192.168.1.50/24 dev eth0; "
    "ip link set eth0 up; ip link set cable up"
)
TUN = "ip tuntap add dev eth1 mode tun; ip addr add 10.8.0.6/24 dev eth1; ip link set eth1 up"
BRIDGE = (
    "ip link add eth0 type veth peer name cable; ip link add br-home type bridge; ip link set eth0 master br-home; "
    "ip addr add 192.168.1.51/24 dev br-home; ip link set eth0 up; ip link set br-home up"
)
DOCKER = (
    "ip link add docker0 type bridge; ip link add veth0 type veth peer name inside; ip link set veth0 master docker0; "
    "ip addr add 172.17.0.1/16 dev docker0; ip link set veth0 up; ip link set inside up; ip link set docker0 up"
)
SIX = "ip link add eth0 type veth peer name cable; ip addr add fd00:1::50/64 dev eth0 nodad; ip link set eth0 up"
TWO = f"{LAN}; ip addr add 10.1.1.1/24 dev eth0"
DOWN = "ip link add eth2 type veth peer name loose; ip addr add 192.168.9.9/24 dev eth2"


@pytest.mark.skipif(os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "ip"))), reason="needs root, iproute2")
@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (f"{TUN}; ip route add default dev eth1; {LAN}", "192.168.1.50 10.8.0.6"),
        (f"{DOCKER}; {LAN}", "192.168.1.50"),
        (f"{DOCKER}; {BRIDGE}", "192.168.1.51"),
        (f"{SIX}; {DOCKER}", "fd00:1::50"),
        (f"{DOWN}; {TWO}", "10.1.1.1 192.168.1.50"),
        ("true", "127.0.0.1"),
    ],
)
def test_a_real_kernel_is_asked(network: str, expected: str) -> None:
    words = IN_ITS_OWN.format(network=network, python=sys.executable)
    done = subprocess.run(
        ["unshare", "--net", "--mount", "sh", "-ec", words], capture_output=True, text=True, check=False, timeout=60
    )
    if "Unknown device type" in done.stderr:
        pytest.skip("this kernel has no such network device")
    assert done.stdout.strip() == expected, done.stderr


def test_without_a_network_it_is_found_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_ipv4_addresses", lambda: iter(()))
    monkeypatch.setattr(module, "_ipv6_addresses", lambda: iter(()))
    assert own_addresses() == ("127.0.0.1",)
