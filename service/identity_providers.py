"""Configuration of OpenID Connect providers.

The settings parse it, and `service.outgoing.oidc` uses it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from service.addresses import is_loopback

PROVIDER_ID = re.compile(r"[a-z0-9-]{1,40}")
CLIENT_ID = re.compile(r"[!-~]{1,255}")
CLIENT_SECRET = re.compile(r"([!-~]{8,4000})?")
URL = re.compile(r"[!-~]{1,2000}")


def is_secure(url: str, *, loopback: bool) -> bool:
    """Return whether the URL is https and has no user, password or fragment.

    `loopback`: also allow http to this machine.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if not URL.fullmatch(url) or not host or "@" in parts.netloc or "#" in url:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and loopback and is_loopback(host))


@dataclass(frozen=True)
class Provider:
    """A provider whose ID tokens are accepted. Raises ValueError for an invalid configuration.

    `id`: the provider's name in the API; `issuer`: its URL, exactly as in its tokens; `client_ids`: accepted audiences,
    the first of which is used for sign-ins in a browser; `client_secret`: empty if the provider issued none.
    """

    id: str
    issuer: str
    client_ids: tuple[str, ...]
    client_secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not PROVIDER_ID.fullmatch(self.id):
            raise ValueError("the id must have 1 to 40 of a-z, 0-9 and -")
        if not is_secure(self.issuer, loopback=True) or "?" in self.issuer:
            raise ValueError("the issuer must be an https URL without a query")
        if not self.client_ids or not all(map(CLIENT_ID.fullmatch, self.client_ids)):
            raise ValueError("at least one client id is needed, each of 1 to 255 visible ASCII characters")
        if not CLIENT_SECRET.fullmatch(self.client_secret):
            raise ValueError("a client secret must have 8 to 4000 visible ASCII characters")

    @property
    def is_local(self) -> bool:
        """Whether the provider runs on this machine, for development."""
        return is_loopback(urlsplit(self.issuer).hostname or "")
