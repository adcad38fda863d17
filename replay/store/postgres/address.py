"""Addresses of databases that speak the PostgreSQL protocol; this module does not need the library for the protocol."""

from urllib.parse import urlsplit


def is_address(name: str) -> bool:
    """Whether a name is the address of a database that speaks the PostgreSQL protocol."""
    return name.startswith(("postgresql://", "postgres://"))


def shown(address: str) -> str:
    """An address that people may see, without its password and other options."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address of the store"
    if "@" in parts.path:  # the password contains a slash that was not written as %2F
        return "the address of the store"
    user = f"{parts.username}@" if parts.username else ""
    return f"postgresql://{user}{parts.hostname or ''}{port}{parts.path}"
