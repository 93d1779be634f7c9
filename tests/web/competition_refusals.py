"""Requests for refusals about competitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from werkzeug.test import TestResponse

from service.competitions.model import OVER
from service.usecases.keeping import duties
from service.usecases.matchmaking import competition_records
from tests.web.client import Client
from tests.web.conftest import ADMIN_TOKEN
from tests.web.test_callers import BODIES, NO_GAME

if TYPE_CHECKING:
    from tests.web.refusals import Refusals


def new_client(refusals: Refusals) -> Client:
    """Create a player."""
    return refusals.anyone.with_token(refusals.new_token())


def announce(refusals: Refusals, host: Client, **changes: Any) -> str:
    """Announce a competition and return its id. If the host is not a player, another player hosts it."""
    body = {**BODIES["createCompetition"], **changes}
    made = (host.post("/v1/competitions", body).json or {}).get("id")
    return str(made or (new_client(refusals).post("/v1/competitions", body).json or {})["id"])


def join(client: Client, competition: str) -> TestResponse:
    """Enter the competition."""
    return client.post(f"/v1/competitions/{competition}/join")


def start_game(refusals: Refusals, host: Client, *others: Client) -> tuple[str, str]:
    """Start a competition of the others: (its id, the id of its game)."""
    competition = announce(refusals, host)
    for client in others:
        join(client, competition)
    host.post(f"/v1/competitions/{competition}/start")
    duties.run_due(refusals.context, duties.BackOff())
    (game,) = (host.get(f"/v1/competitions/{competition}").json or {})["current_games"]
    return competition, str(game["game_id"])


def in_competition(refusals: Refusals, operation: str) -> TestResponse:
    """Delay a game of a competition as its player."""
    first, second = new_client(refusals), new_client(refusals)
    _, game = start_game(refusals, new_client(refusals), first, second)
    seat = [one["player"] for one in (first.get(f"/v1/games/{game}").json or {})["seats"]].index(_id_of(first))
    return refusals.ask(operation, refusals.new(), first.token, path={"game_id": game, "seat": seat})


def _id_of(client: Client) -> str:
    return str(client.token).partition(".")[0]


def _request(
    refusals: Refusals, operation: str, client: Client, competition: str, player: str = NO_GAME
) -> TestResponse:
    path = {"competition_id": competition, "player": player}
    token = ADMIN_TOKEN if operation == "cancelAnyCompetition" else client.token
    return refusals.ask(operation, refusals.new(), token, path=path)


def code_closed(refusals: Refusals, operation: str) -> TestResponse:
    """Act as host and entrant of a competition that is over."""
    host = new_client(refusals)
    competition = announce(refusals, host)
    join(host, competition)
    competition_records.change(refusals.context, competition, lambda one: replace(one, status=OVER, ended_at=1))
    return _request(refusals, operation, host, competition, str(host.token).partition(".")[0])


def code_host_only(refusals: Refusals, operation: str) -> TestResponse:
    """Act as a player who is not the host."""
    return _request(refusals, operation, new_client(refusals), announce(refusals, new_client(refusals)))


def code_not_entered(refusals: Refusals, operation: str) -> TestResponse:
    """Act as a host who has not entered."""
    host = new_client(refusals)
    return _request(refusals, operation, host, announce(refusals, host), str(host.token).partition(".")[0])


def code_own_game(refusals: Refusals, operation: str) -> TestResponse:
    """Decide a game as its player."""
    host = new_client(refusals)
    competition, game = start_game(refusals, host, host, new_client(refusals))
    path = {"competition_id": competition, "game_id": game}
    return refusals.ask(operation, refusals.new(), host.token, path=path)


def code_over(refusals: Refusals, operation: str) -> TestResponse:
    """Decide a game again, with another result."""
    host = new_client(refusals)
    competition, game = start_game(refusals, host, new_client(refusals), new_client(refusals))
    path = {"competition_id": competition, "game_id": game}
    refusals.ask(operation, refusals.new(), host.token, path=path)
    return refusals.ask(operation, refusals.new(), host.token, path=path, body={"result": "win", "seat": 0})


def code_too_few(refusals: Refusals, operation: str) -> TestResponse:
    """Start without entrants."""
    host = new_client(refusals)
    return _request(refusals, operation, host, announce(refusals, host))


def code_full(refusals: Refusals, operation: str) -> TestResponse:
    """Enter a competition that has its two entrants."""
    competition = announce(refusals, new_client(refusals), most_players=2)
    for _ in range(2):
        join(new_client(refusals), competition)
    return _request(refusals, operation, new_client(refusals), competition)


def code_removed(refusals: Refusals, operation: str) -> TestResponse:
    """Enter again after the host's removal."""
    host, client = new_client(refusals), new_client(refusals)
    competition = announce(refusals, host)
    join(client, competition)
    host.send("DELETE", f"/v1/competitions/{competition}/players/{str(client.token).partition('.')[0]}")
    return _request(refusals, operation, client, competition)


def code_not_for_you(refusals: Refusals, operation: str) -> TestResponse:
    """Enter a competition of bots as a person."""
    return _request(refusals, operation, new_client(refusals), announce(refusals, new_client(refusals), open_to="bots"))


def code_invitation(refusals: Refusals, operation: str) -> TestResponse:
    """Enter without the required invitation."""
    competition = announce(refusals, new_client(refusals), by_invitation=True)
    return _request(refusals, operation, new_client(refusals), competition)


def code_not_mixed(refusals: Refusals, operation: str) -> TestResponse:
    """Enter a rated competition of people and bots without consent."""
    return _request(refusals, operation, new_client(refusals), announce(refusals, new_client(refusals), rated=True))


WAYS: Mapping[str, Callable[[Refusals, str], TestResponse]] = MappingProxyType(
    {
        function.__name__.removeprefix("code_"): function
        for function in (
            code_closed,
            code_host_only,
            code_not_entered,
            code_too_few,
            code_full,
            code_removed,
            code_not_for_you,
            code_invitation,
            code_not_mixed,
            code_own_game,
            code_over,
        )
    }
)
"""By the second word of the code."""
