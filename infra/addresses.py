"""Addresses of hosts: whose they are, and whether they can be listened on."""

import socket
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

SITE: Final = 64
"""Bits of an IPv6 address that tell one site from another; the rest is its own."""

UNKNOWN: Final = "unknown"
"""Stands for what is no address."""


class CannotListen(Exception):
    """An address cannot be listened on; the text names it and says why."""


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


def check_listening(host: str, port: int) -> None:
    """Make sure that all addresses of a host can be listened on.

    Raises:
        CannotListen: one cannot, or there is none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as taken:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    taken.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                taken.bind(address)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "This is no name"
        raise CannotListen(f"cannot listen on {host}, port {port}: {why}") from None
