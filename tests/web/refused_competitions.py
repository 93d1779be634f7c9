"""How the refusals are had that are about competitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from werkzeug.test import TestResponse

from service.competitions.model import OVER
from service.usecases.matchmaking import competition_records
from tests.web.client import Client
from tests.web.test_callers import BODIES, NO_GAME

if TYPE_CHECKING:
    from tests.web.refused import Refusals


def new_client(refusals: Refusals) -> Client:
    """A new player."""
    return refusals.anyone.with_token(refusals.new_token())


def announced(refusals: Refusals, host: Client, **changes: Any) -> str:
    """The id of a new competition; another player's, where the host is none."""
    body = {**BODIES["createCompetition"], **changes}
    made = (host.post("/v1/competitions", body).json or {}).get("id")
    return str(made or (new_client(refusals).post("/v1/competitions", body).json or {})["id"])


def joined(client: Client, competition: str) -> TestResponse:
    """The client's player enters it."""
    return client.post(f"/v1/competitions/{competition}/join")


def _asked(refusals: Refusals, operation: str, client: Client, competition: str, player: str = NO_GAME) -> TestResponse:
    path = {"competition_id": competition, "player": player}
    return refusals.ask(operation, refusals.new(), client.token, path=path)


def closed(refusals: Refusals, operation: str) -> TestResponse:
    """It is over, and who asks has hosted it, and played."""
    host = new_client(refusals)
    competition = announced(refusals, host)
    joined(host, competition)
    competition_records.change(refusals.context, competition, lambda one: replace(one, status=OVER, ended_at=1))
    return _asked(refusals, operation, host, competition, str(host.token).partition(".")[0])


def host_only(refusals: Refusals, operation: str) -> TestResponse:
    """Somebody else hosts it."""
    return _asked(refusals, operation, new_client(refusals), announced(refusals, new_client(refusals)))


def not_entered(refusals: Refusals, operation: str) -> TestResponse:
    """Its host has not."""
    host = new_client(refusals)
    return _asked(refusals, operation, host, announced(refusals, host), str(host.token).partition(".")[0])


def too_few(refusals: Refusals, operation: str) -> TestResponse:
    """Nobody has entered."""
    host = new_client(refusals)
    return _asked(refusals, operation, host, announced(refusals, host))


def full(refusals: Refusals, operation: str) -> TestResponse:
    """Two have entered, and there is no room for a third."""
    competition = announced(refusals, new_client(refusals), most_players=2)
    for _ in range(2):
        joined(new_client(refusals), competition)
    return _asked(refusals, operation, new_client(refusals), competition)


def removed(refusals: Refusals, operation: str) -> TestResponse:
    """The host has removed who comes back."""
    host, client = new_client(refusals), new_client(refusals)
    competition = announced(refusals, host)
    joined(client, competition)
    host.send("DELETE", f"/v1/competitions/{competition}/players/{str(client.token).partition('.')[0]}")
    return _asked(refusals, operation, client, competition)


def not_for_you(refusals: Refusals, operation: str) -> TestResponse:
    """A person enters a competition of bots."""
    return _asked(refusals, operation, new_client(refusals), announced(refusals, new_client(refusals), open_to="bots"))


def invitation(refusals: Refusals, operation: str) -> TestResponse:
    """One is needed, and there is none."""
    competition = announced(refusals, new_client(refusals), by_invitation=True)
    return _asked(refusals, operation, new_client(refusals), competition)


def not_mixed(refusals: Refusals, operation: str) -> TestResponse:
    """It is rated, and open to people and bots."""
    return _asked(refusals, operation, new_client(refusals), announced(refusals, new_client(refusals), rated=True))


WAYS: Mapping[str, Callable[[Refusals, str], TestResponse]] = MappingProxyType(
    {
        one.__name__: one
        for one in (closed, host_only, not_entered, too_few, full, removed, not_for_you, invitation, not_mixed)
    }
)
"""By the second word of the code."""
