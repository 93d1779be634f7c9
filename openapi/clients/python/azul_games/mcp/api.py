"""Requests to the service. An error response becomes a RefusedError that says what to do next."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import httpx
from mcp.server.mcpserver.exceptions import ToolError

from azul_games.errors import error_of
from azul_games.mcp.plain_errors import place_name

LONGEST_WAIT_S = 25
TIMEOUT = httpx.Timeout(10.0, read=LONGEST_WAIT_S + 15.0)

ADVICE = {
    "auth/player_required": "The token is not a player token. The operator of this server must supply one.",
    "auth/not_taking_part": "You have no seat in this game. list_my_games lists your games.",
    "auth/token_unknown": "Your token is no longer valid, or belongs to another game.",
    "game/help_forbidden": "This game does not allow analysis. Choose an action yourself.",
    "game/illegal_action": "Choose an id of the newest list. In a game, list_actions returns it.",
    "game/not_found": "Check the id. list_my_games lists your games.",
    "game/not_started": "Some seats are still open. wait_for_turn waits for the other players.",
    "game/not_your_turn": "Call wait_for_turn.",
    "game/over": "read_game shows the result.",
    "game/paused": "Call wait_for_turn. It waits for the end of the pause too.",
    "puzzle/not_found": "get_puzzle returns a puzzle.",
    "game/stale_revision": "Call list_actions again and use its revision.",
    "request/invalid": "Correct the arguments and call again.",
    "game/not_over": "Play the game to its end first.",
}
"""What to do next, by error code."""


class RefusedError(ToolError):
    """An error response of the service. `code`: its stable code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Api:
    """Client of the API at a URL, in English. Every method raises ToolError on an error response or a network error."""

    def __init__(self, url: str, api_key: str | None = None) -> None:
        self.url = url.rstrip("/")
        headers = {"Accept-Language": "en", **({"X-Api-Key": api_key} if api_key else {})}
        self._http = httpx.AsyncClient(base_url=f"{self.url}/v1", headers=headers, timeout=TIMEOUT)

    async def get(
        self, path: str, token: str | None = None, query: Mapping[str, Any] | None = None, seen: int | None = None
    ) -> Any:
        """Return the JSON of the response, or None if the game is still at the revision `seen`."""
        headers = {} if seen is None else {"If-None-Match": f'"{seen}"'}
        answer = await self._answer("GET", path, token, params=query, headers=headers)
        return None if answer.status_code == httpx.codes.NOT_MODIFIED else answer.json()

    async def text(self, path: str, token: str | None = None) -> str:
        """Return the text of the response."""
        return (await self._answer("GET", path, token)).text

    async def post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        """Return the JSON of the response."""
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        return (await self._answer("POST", path, token, json=body, headers=headers)).json()

    async def _answer(self, method: str, path: str, token: str | None, **sent: Any) -> httpx.Response:
        headers = {**sent.pop("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        try:
            answer = await self._http.request(method, path, headers=headers, **sent)
        except httpx.TransportError as error:
            raise ToolError(
                f"The service does not respond ({type(error).__name__}). Call again in a few seconds. "
                "If you sent an action, call read_game first: the action may have succeeded."
            ) from error
        if answer.is_error:
            raise _refusal(answer)
        return answer


def _refusal(answer: httpx.Response) -> RefusedError:
    error = error_of(answer)
    advice = ADVICE.get(error.code, "")
    if error.retry_after is not None:
        advice = f"Wait {error.retry_after:.0f} s and call again."
    what = error.problem.get("detail") or error.problem.get("title", "")
    faults = (f"{_place(fault['pointer'])}: {fault['detail']}" for fault in error.errors)
    sentences = (part.removesuffix(".") + "." for part in (what, *faults, advice) if part)
    return RefusedError(error.code, f"{error.code}: {' '.join(sentences)}")


def _place(pointer: str) -> str:
    """Return the place of a JSON pointer in words, such as `seats, item 2`."""
    return place_name([int(part) if part.isdigit() else part for part in pointer.strip("/").split("/")])
