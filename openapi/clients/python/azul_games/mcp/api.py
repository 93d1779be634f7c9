"""Requests to the service; a refusal becomes an error that tells a model what to do next."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import httpx
from mcp.server.mcpserver.exceptions import ToolError

from azul_games.errors import ServiceError, retry_after

LONGEST_WAIT_S = 25
TIMEOUT = httpx.Timeout(10.0, read=LONGEST_WAIT_S + 15.0)

ADVICE = {
    "auth/player_required": "The token is no player's: whoever set this server up is to give a player's.",
    "auth/token_unknown": "You have no seat in this game; if it is so everywhere, your token has ended.",
    "game/help_forbidden": "This game is played without help: decide by yourself.",
    "game/illegal_action": "Choose one of the ids that list_actions gives now.",
    "game/not_found": "Look at the id: list_my_games gives yours.",
    "game/not_started": "Seats are still open: wait_for_turn waits for the others.",
    "game/not_your_turn": "Call wait_for_turn.",
    "game/over": "read_game tells how it ended.",
    "game/paused": "Call wait_for_turn, which also waits for the end of the pause.",
    "game/stale_revision": "Something has happened since: call list_actions again, and choose by its revision.",
    "request/invalid": "Correct these arguments and call again.",
    "ruleset/not_found": "The rulesets are azul, summer-pavilion and queens-garden.",
}
"""What to do next, by the code of the refusal."""


class Api:
    """The API at a URL, asked in English. Every method raises ToolError where it is refused or not reached."""

    def __init__(self, url: str, api_key: str | None = None) -> None:
        self.url = url.rstrip("/")
        headers = {"Accept-Language": "en", **({"X-Api-Key": api_key} if api_key else {})}
        self._http = httpx.AsyncClient(base_url=f"{self.url}/v1", headers=headers, timeout=TIMEOUT)

    async def get(
        self, path: str, token: str | None = None, query: Mapping[str, Any] | None = None, seen: int | None = None
    ) -> Any:
        """The answer's JSON; None where nothing has happened since the revision `seen`."""
        headers = {} if seen is None else {"If-None-Match": f'"{seen}"'}
        answer = await self._answer("GET", path, token, params=query, headers=headers)
        return None if answer.status_code == httpx.codes.NOT_MODIFIED else answer.json()

    async def text(self, path: str, token: str | None = None) -> str:
        """The answer as text."""
        return (await self._answer("GET", path, token)).text

    async def post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        """The answer's JSON."""
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        return (await self._answer("POST", path, token, json=body, headers=headers)).json()

    async def _answer(self, method: str, path: str, token: str | None, **sent: Any) -> httpx.Response:
        headers = {**sent.pop("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        try:
            answer = await self._http.request(method, path, headers=headers, **sent)
        except httpx.TransportError as error:
            raise ToolError(
                f"The service does not answer ({type(error).__name__}). Call again in some seconds; "
                "if you were choosing an action, read the game first: it may have been done."
            ) from error
        if answer.is_error:
            raise _refusal(answer)
        return answer


def _refusal(answer: httpx.Response) -> ToolError:
    try:
        problem = answer.json()
    except ValueError:
        problem = {"title": answer.reason_phrase}
    error = ServiceError(answer.status_code, problem, retry_after(answer))
    advice = ADVICE.get(error.code, "")
    if error.retry_after is not None:
        advice = f"Wait {error.retry_after:.0f} s and call again."
    return ToolError(f"{error} {advice}".rstrip())
