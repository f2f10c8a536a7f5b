"""Who holds an address, so that limits for one hold for all that is theirs. Pure."""

from ipaddress import IPv6Address, ip_address, ip_network


def holder_of(address: str) -> str:
    """Return what counts as one address: of IPv6 the network of which each holder has all, except on one link."""
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
