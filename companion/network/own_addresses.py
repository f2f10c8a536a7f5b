"""The addresses of this machine, ordered by how likely phones in the room reach them. Nothing is sent to find out.

The kind of an interface is read from sysfs: a network card, something built upon one, a tunnel. Where sysfs leaves it
open, as in a container, where no interface has a device, its name decides.
"""

import array
import fcntl
import re
import socket
import struct
from collections.abc import Iterator, Set
from contextlib import suppress
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network
from pathlib import Path

from msgspec import Struct

SYSFS = Path("/sys/class/net")
PROC = Path("/proc/net")

_IFCONF = 0x8912
"""SIOCGIFCONF, netdevice(7). Netlink would say more, but the service's unit forbids it."""
_IFFLAGS = 0x8913
_UP = 0x1
_REQUEST = 40 if struct.calcsize("P") == 8 else 32
"""Bytes of a `struct ifreq`."""
_MOST = 256
"""Addresses that fit into the answer."""
_ETHERNET = "1"
"""ARPHRD_ETHER; layer 3 tunnels, mobile networks and dial-ups have other types."""
_NOT_SETTLED = 0x01 | 0x08 | 0x20 | 0x40
"""IFA_F_TEMPORARY, DADFAILED, DEPRECATED, TENTATIVE: addresses that expire soon, or are not usable yet."""

_OVER_ANOTHER = re.compile(r"DEVTYPE=(wwan|wireguard|vxlan|geneve|gtp)")
_CARDS = re.compile(r"(eth|en|wl|lan|em)[\w.]*|br-lan")
_TETHERS = re.compile(r"(usb|rndis)\d+")
_TETHERING = frozenset({"rndis_host", "ipheth", "cdc_ether", "cdc_ncm"})
"""Drivers of a phone at a USB port, and of a few adapters."""
_INSIDE = re.compile(
    r"(docker|br-|virbr|veth|lxc|lxd|incus|podman|cni|flannel|cali|cilium|kube|nerdctl|vbox|vmnet|vnet|dummy|ifb|hassio"
    r"|waydroid).*"
)
_ELSEWHERE = re.compile(
    r"(tun|tap|wg|ppp|tailscale|zt|nordlynx|proton|mullvad|ipsec|vti|gre|sit|ham|utun|wwan|rmnet|nebula|warp|cscotun).*",
    re.IGNORECASE,
)
_CARRIERS_OWN = ip_network("100.64.0.0/10")
"""Used between a provider and its customers (RFC 6598), and in overlay networks."""
_UNIQUE_LOCAL = IPv6Network("fc00::/7")


class Reach(IntEnum):
    """What is behind an interface, ordered by how likely it is the room's phones."""

    CARD = 0
    NAMED = 1
    """Named like a network card, as in a container, where the kernel does not show its kind."""
    TETHER = 2
    """A phone at a USB port."""
    UNKNOWN = 3
    ELSEWHERE = 4
    """A tunnel, or a mobile network."""
    INSIDE = 5
    """Containers and virtual machines on this machine."""


class OwnAddress(Struct, frozen=True):
    """An address of this machine."""

    interface: str
    ip: IPv4Address | IPv6Address
    settled: bool = True
    """Whether the address is usable, and not temporary."""


def own_addresses() -> tuple[str, ...]:
    """Return this machine's addresses, the likeliest to be reached first; the loopback's if there is no other."""
    return ranked([*_ipv4_addresses(), *_ipv6_addresses()], _default_routes()) or ("127.0.0.1",)


def ranked(addresses: list[OwnAddress], routed: Set[str], sysfs: Path = SYSFS) -> tuple[str, ...]:
    """Sort addresses by how likely phones in the room reach them. `routed`: interfaces with a default route.

    IPv6 is used only on an interface without IPv4: every phone has IPv4, and its shorter QR code scans sooner.
    """
    by_ipv4 = {address.interface for address in addresses if _is_plain_ipv4(address)}
    chosen = [address for address in addresses if address.interface not in by_ipv4 or _is_plain_ipv4(address)]
    if any(_tier(address, reach_of(address.interface, sysfs)) == 0 for address in chosen):
        chosen = [address for address in chosen if reach_of(address.interface, sysfs) is not Reach.INSIDE]
    order = sorted(chosen, key=lambda address: _rank(address, routed, sysfs))
    return tuple(dict.fromkeys(str(address.ip) for address in order))


def _is_plain_ipv4(address: OwnAddress) -> bool:
    return address.ip.version == 4 and not address.ip.is_link_local


def _rank(address: OwnAddress, routed: Set[str], sysfs: Path) -> tuple[object, ...]:
    """Return the sort key of an address: the strongest criteria first."""
    interface = sysfs / address.interface
    reach = reach_of(address.interface, sysfs)
    return (
        _tier(address, reach),
        _quality(address.ip),
        reach,
        _text(interface / "carrier") == "0",
        address.interface not in routed,
        not (interface / "wireless").exists() and not address.interface.startswith("wl"),
        not address.settled,
        address.interface,
        int(address.ip),
    )


def _tier(address: OwnAddress, reach: Reach) -> int:
    if reach > Reach.UNKNOWN:
        return 1 + reach
    if address.ip.is_link_local:
        return 2 if reach < Reach.UNKNOWN else 3
    return 0 if reach < Reach.UNKNOWN else 1


def _quality(ip: IPv4Address | IPv6Address) -> int:
    if ip.is_link_local:
        return 5
    if isinstance(ip, IPv6Address):
        return 2 if ip in _UNIQUE_LOCAL else 3
    if ip in _CARRIERS_OWN:
        return 4
    return 0 if ip.is_private else 1


def reach_of(name: str, sysfs: Path = SYSFS) -> Reach:
    """Return what is behind an interface: by its own device, or by those that it is built upon."""
    interface = sysfs / name
    if (interface / "tun_flags").exists() or (_text(interface / "type") or _ETHERNET) != _ETHERNET:
        return Reach.ELSEWHERE
    if _OVER_ANOTHER.search(_text(interface / "uevent")) or _ELSEWHERE.fullmatch(name):
        return Reach.ELSEWHERE
    if (interface / "device").exists():
        tethers = (interface / "device/driver").resolve().name in _TETHERING or _TETHERS.fullmatch(name)
        return Reach.TETHER if tethers else Reach.CARD
    by_name = _reach_by_name(name)
    below = [reach_of(lower.name.removeprefix("lower_"), sysfs) for lower in interface.glob("lower_*")]
    under = min(below, default=Reach.UNKNOWN)
    return under if under < Reach.UNKNOWN else by_name


def _reach_by_name(name: str) -> Reach:
    if _CARDS.fullmatch(name):
        return Reach.NAMED
    if _TETHERS.fullmatch(name):
        return Reach.TETHER
    if _INSIDE.fullmatch(name):
        return Reach.INSIDE
    return Reach.UNKNOWN


def _ipv4_addresses() -> Iterator[OwnAddress]:
    # A struct ifreq is a name of 16 bytes and a sockaddr, whose address begins 4 bytes later.
    buffer = array.array("B", bytes(_REQUEST * _MOST))
    start, size = buffer.buffer_info()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        filled = fcntl.ioctl(asking.fileno(), _IFCONF, struct.pack("iP", size, start))
        answer = buffer.tobytes()[: struct.unpack("iP", filled)[0]]
        for at in range(0, len(answer), _REQUEST):
            name = answer[at : at + 16].rstrip(b"\0").split(b"\0")[0].decode(errors="replace").partition(":")[0]
            ip = IPv4Address(answer[at + 20 : at + 24])
            if not ip.is_loopback and _is_up(asking, name):
                yield OwnAddress(name, ip)


def _ipv6_addresses() -> Iterator[OwnAddress]:
    """Yield the addresses that phones may use; a link-local one would need the phone's interface name in the URL."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for line in _text(PROC / "if_inet6").splitlines():
            digits, _, _, _, flags, name = line.split()
            ip = IPv6Address(bytes.fromhex(digits))
            if not (ip.is_loopback or ip.is_link_local) and _is_up(asking, name):
                yield OwnAddress(name, ip, settled=not int(flags, 16) & _NOT_SETTLED)


def _is_up(asking: socket.socket, name: str) -> bool:
    with suppress(OSError):
        answer = fcntl.ioctl(asking.fileno(), _IFFLAGS, struct.pack("256s", name.encode()[:15]))
        return bool(struct.unpack_from("H", answer, 16)[0] & _UP)
    return False


def _default_routes() -> Set[str]:
    """Return the interfaces with a default route. (A VPN may use two routes of half the addresses each instead.)"""
    rows = (line.split() for line in _text(PROC / "route").splitlines()[1:])
    return {row[0] for row in rows if len(row) > 7 and row[1] == row[7] == "00000000"}


def _text(path: Path) -> str:
    """Return the text of a kernel file; "" if it can't be read, as `carrier` of an interface that is down."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
