"""Who may say who somebody is: providers of OpenID Connect, as the operator names them.

The settings read them, and `service.outgoing.oidc` asks them.
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
    """Whether it is an https URL without user, password and fragment; with `loopback`, http to this machine will do."""
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
    """A provider whose ID tokens are believed. ValueError for what cannot be one.

    `id`: the word by which the API names it; `issuer`: its URL, letter by letter as its tokens say it; `client_ids`:
    the audiences that a token may be for, the first of them is ours in a browser; `client_secret`: "" if there is none.
    """

    id: str
    issuer: str
    client_ids: tuple[str, ...]
    client_secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not PROVIDER_ID.fullmatch(self.id):
            raise ValueError("the id is not made of 1 to 40 of a-z, 0-9 and -")
        if not is_secure(self.issuer, loopback=True) or "?" in self.issuer:
            raise ValueError("the issuer is no https URL without query")
        if not self.client_ids or not all(map(CLIENT_ID.fullmatch, self.client_ids)):
            raise ValueError("a client id has 1 to 255 visible ASCII characters, and there is one at least")
        if not CLIENT_SECRET.fullmatch(self.client_secret):
            raise ValueError("a client secret has 8 to 4000 visible ASCII characters")

    @property
    def is_here(self) -> bool:
        """Whether it runs on this very machine, for development."""
        return is_loopback(urlsplit(self.issuer).hostname or "")
