"""Addresses of databases that speak the PostgreSQL protocol; nothing here needs the program that speaks it."""

from urllib.parse import urlsplit


def is_address(name: str) -> bool:
    """Whether a name is the address of a database that speaks the PostgreSQL protocol."""
    return name.startswith(("postgresql://", "postgres://"))


def shown(address: str) -> str:
    """An address as people may see it: without its password, and what else it may hold."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address of the store"
    if "@" in parts.path:  # a slash in a password that was not written as %2F
        return "the address of the store"
    user = f"{parts.username}@" if parts.username else ""
    return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"
