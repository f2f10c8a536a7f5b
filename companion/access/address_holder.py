"""Groups the network addresses of one holder, so that a limit for one counts for all of them. Pure."""

from ipaddress import IPv6Address, ip_address, ip_network


def holder_of(address: str) -> str:
    """Return the address, or for a global IPv6 one its /64 network, all of which one holder has."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if ip.is_loopback or ip.is_link_local:
        return str(ip)
    return str(ip_network((ip, 64), strict=False))
