"""What the operator allows to be called."""

from __future__ import annotations

from service.games.errors import GameError
from service.outgoing.outbound_http import DialError, Policy, checked
from service.usecases.base.context import Context


def policy(context: Context) -> Policy:
    """What may be called."""
    settings = context.settings
    return Policy(
        enabled=settings.calls,
        ports=frozenset(settings.outgoing_ports),
        loopback=settings.outgoing == "loopback",
    )


def faults_of_url(context: Context, url: str) -> str | None:
    """Why a URL may not be called; None if it may, as far as one can tell without looking its name up. outgoing/off."""
    allowed = policy(context)
    try:
        checked(url, allowed)
    except DialError as error:
        if error.code == "off":
            raise GameError("outgoing/off") from None
        if error.code == "port":
            return f"must use one of these ports: {', '.join(map(str, sorted(allowed.ports)))}"
        return "must be an https URL without user, password or fragment"
    return None
