"""Addresses of hosts, as far as it matters whose they are."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

SITE: Final = 64
"""Bits of an IPv6 address that tell one site from another; the rest is its own."""

UNKNOWN: Final = "unknown"
"""Stands for what is no address."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it; a name is asked of nobody."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@lru_cache(maxsize=65_536)
def site(host: str) -> str:
    """Who has an address: for IPv4 the address, for IPv6 the site's network."""
    try:
        address = ip_address(host)
    except ValueError:
        return UNKNOWN
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address.packed, SITE), strict=False))
