"""The operator's policy for outgoing calls."""

from __future__ import annotations

from service.games.errors import GameError
from service.outgoing.outbound_http import DialError, Policy, check_url
from service.usecases.base.context import Context


def policy(context: Context) -> Policy:
    """Return the policy for outgoing calls."""
    settings = context.settings
    return Policy(
        enabled=settings.allows_calls,
        ports=frozenset(settings.outgoing_ports),
        loopback=settings.outgoing == "loopback",
    )


def url_error(context: Context, url: str) -> str | None:
    """Return why a URL must not be called, or None. The host name is not resolved. Raises: outgoing/off."""
    allowed = policy(context)
    try:
        check_url(url, allowed)
    except DialError as error:
        if error.code == "off":
            raise GameError("outgoing/off") from None
        if error.code == "port":
            return f"must use one of these ports: {', '.join(map(str, sorted(allowed.ports)))}"
        return "must be an https URL without user, password or fragment"
    return None
