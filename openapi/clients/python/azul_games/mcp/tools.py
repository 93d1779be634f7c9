"""The tools of the MCP server."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from azul_games.mcp import guides, texts
from azul_games.mcp.api import LONGEST_WAIT_S, Api, RefusedError
from azul_games.mcp.players import Players
from azul_games.mcp.results import (
    Analysed,
    Candidate,
    GameState,
    LegalAction,
    LegalActions,
    MyGames,
    NewGame,
    tool_result,
)

ME = "me"
OPEN = "open"
PAGE = 60
MAX_OF_A_PAGE = 500
MAX_GAMES = 50
LATEST_EVENTS = 40
LONGEST_ANALYSIS_S = 50.0
NO_PICTURE = "ruleset/no_picture"
NUMBERS = "Tables and sentences count from 1. Fields of actions and the last line of the table count from 0."

GameId = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="Id of the game, from create_game or list_my_games.")
]


class Tools:
    """The tools of a server. The docstring of a method is the description that a model reads."""

    def __init__(self, api: Api, players: Players) -> None:
        self._api = api
        self._players = players

    def with_annotations(self) -> list[tuple[Callable[..., Any], ToolAnnotations]]:
        """Return the tools with their annotations: read-only or not."""
        reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        acts = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
        return [
            (self.read_guide, reads),
            (self.create_game, acts),
            (self.join_game, acts),
            (self.list_my_games, reads),
            (self.read_game, reads),
            (self.list_actions, reads),
            (self.choose_action, acts),
            (self.wait_for_turn, reads),
            (self.analyse, reads),
        ]

    # --------------------------------------------------------------------------------------- beginning

    async def read_guide(self, topic: guides.Topic) -> str:
        """Read the rules of a ruleset in brief, or the strength of each AI level.

        Read the rules before your first game of a ruleset.
        """
        return await guides.text(self._api, topic)

    async def create_game(
        self,
        context: Context[Any, Any],
        ruleset: Annotated[str, Field(description=f"Such as {', '.join(guides.RULES)}.")] = "azul",
        seats: Annotated[
            list[str],
            Field(
                min_length=2,
                max_length=4,
                description='In playing order: "me" once, and for each other seat an AI level (random, novice, …, '
                'greedy, planner, …, master: see read_guide("levels")) or "open" for another player.',
            ),
        ] = [ME, "greedy"],  # noqa: B006 - a schema's default, never changed
        variant: Annotated[
            str | None, Field(description="The side of the board. Default: the first of the ruleset.")
        ] = None,
        first_seat: Annotated[
            int | None, Field(ge=0, le=3, description="The seat that starts, from 0. Default: drawn.")
        ] = None,
    ) -> Annotated[CallToolResult, NewGame]:
        """Create a game and take a seat. The game starts at once unless a seat is open."""
        if seats.count(ME) != 1:
            raise ToolError('Exactly one of the seats must be "me".')
        token = await self._token(context)
        body = {
            "ruleset": ruleset,
            "variant": variant or await self._first_variant(ruleset),
            "seats": [_seat(seat) for seat in seats],
            "first_seat": first_seat,
        }
        created = await self._api.post("/games", body, token)
        game = created["game"]
        state = texts.state_of(game, await self._player_id(token))
        invite = created["tokens"]["invite"] if OPEN in seats else None
        lines = [texts.headline(game, state)]
        if invite is not None:
            lines.append(f"Other players join with the id of the game and the invite {invite}")
        lines += await self._table(game, state, token)
        return tool_result("\n".join(lines), NewGame(**state.model_dump(), invite=invite))

    async def join_game(
        self,
        context: Context[Any, Any],
        game: GameId,
        invite: Annotated[str | None, Field(description="The invite of the game, if it has one.")] = None,
        seat: Annotated[
            int | None, Field(ge=0, le=3, description="The seat to take, from 0. Default: the first open seat.")
        ] = None,
    ) -> Annotated[CallToolResult, GameState]:
        """Take an open seat in a game of another player."""
        token = await self._token(context)
        claimed = await self._api.post(f"/games/{game}/seats", {"token": invite, "seat": seat}, token)
        return await self._show(claimed["game"], token)

    async def list_my_games(self, context: Context[Any, Any]) -> Annotated[CallToolResult, MyGames]:
        """List your games, newest first, with the seat to act."""
        token = await self._token(context)
        player_id = await self._player_id(token)
        games = (await self._api.get("/me/games", token, {"limit": MAX_GAMES}))["games"]
        states = [texts.state_of(game, player_id) for game in games]
        heads = [texts.headline(game, state) for game, state in zip(games, states, strict=True)]
        return tool_result("\n\n".join(heads) or "You have no games. Call create_game.", MyGames(games=states))

    # --------------------------------------------------------------------------------------- looking

    async def read_game(self, context: Context[Any, Any], game: GameId) -> Annotated[CallToolResult, GameState]:
        """Read a game: its players, the seat to act, and the table as text."""
        token = await self._reader(context)
        return await self._show(await self._api.get(f"/games/{game}", token), token)

    async def list_actions(
        self,
        context: Context[Any, Any],
        game: GameId,
        filters: Annotated[
            dict[str, Any] | None,
            Field(
                description='Only actions with these fields, such as {"source": "centre", "colour": "blue"}. '
                "If there is more than one page, the response suggests filters."
            ),
        ] = None,
        cursor: Annotated[str | None, Field(description="The next_cursor of the previous page.")] = None,
        limit: Annotated[int, Field(ge=1, le=200, description="Maximum number of actions.")] = PAGE,
    ) -> Annotated[CallToolResult, LegalActions]:
        """List the legal actions of the seat to act, each with its id and a description."""
        token = await self._reader(context)
        query: dict[str, Any] = {
            name: value if isinstance(value, str) else json.dumps(value) for name, value in (filters or {}).items()
        }
        if cursor is not None:
            query["cursor"] = cursor
        page = await self._api.get(f"/games/{game}/actions", token, {**query, "form": "list", "limit": limit})
        actions = [LegalAction(id=one["id"], text=one["text"], fields=one["action"]) for one in page["actions"]]
        listed = LegalActions(**{**page, "actions": actions})
        if listed.next_cursor is not None:
            page = await self._api.get(
                f"/games/{game}/actions", token, {**query, "form": "list", "limit": MAX_OF_A_PAGE}
            )
        return tool_result(texts.listing(listed, [one["action"] for one in page["actions"]]), listed)

    # --------------------------------------------------------------------------------------- deciding

    async def choose_action(
        self,
        context: Context[Any, Any],
        game: GameId,
        action_id: Annotated[str, Field(coerce_numbers_to_str=True, description="An id from list_actions.")],
        revision: Annotated[int, Field(ge=1, description="The revision from the same list_actions response.")],
    ) -> Annotated[CallToolResult, GameState]:
        """Play an action. You cannot undo it. The response says what happened and whether it is your turn again."""
        token = await self._token(context)
        done = await self._api.post(f"/games/{game}/actions", {"id": action_id, "revision": revision}, token)
        view = done["game"]
        state = texts.state_of(view, await self._player_id(token))
        table = await self._table(view, state, token) if state.status in texts.OVER else []
        lines = [texts.describe_events(done["events"]), texts.headline(view, state), *table]
        return tool_result("\n".join(lines), state)

    async def wait_for_turn(
        self,
        context: Context[Any, Any],
        game: GameId,
        seconds: Annotated[int, Field(ge=0, le=LONGEST_WAIT_S, description="Maximum time to wait.")] = 20,
        since: Annotated[
            int | None, Field(ge=0, description="The last revision you know. The response lists the events after it.")
        ] = None,
    ) -> Annotated[CallToolResult, GameState]:
        """Wait until it is your turn or the game is over, and read the table. Call again if it is not your turn yet."""
        token = await self._token(context)
        player_id, view = await self._player_id(token), await self._api.get(f"/games/{game}", token)
        state = texts.state_of(view, player_id)
        if not state.your_seats:
            raise ToolError("You have no seat in this game, so it is never your turn. Call read_game to see it.")
        until = anyio.current_time() + seconds
        while not _is_awaited(state) and (left := round(until - anyio.current_time())) > 0:
            later = await self._api.get(f"/games/{game}", token, {"wait": left}, state.revision)
            if later is not None:
                view, state = later, texts.state_of(later, player_id)
        events = [] if since is None else await self._latest_events(game, token, since, state.revision)
        table = await self._table(view, state, token) if _is_awaited(state) else []
        return tool_result(
            "\n".join([*filter(None, [texts.describe_events(events)]), texts.headline(view, state), *table]), state
        )

    async def analyse(
        self,
        context: Context[Any, Any],
        game: GameId,
        seconds: Annotated[float, Field(ge=0.05, le=10, description="Time to think.")] = 1.0,
        best: Annotated[int, Field(ge=1, le=20, description="Number of actions to return.")] = 3,
    ) -> Annotated[CallToolResult, Analysed]:
        """Let the service analyse the position: the best actions, their values, and the moves that may follow.

        Games can forbid analysis, and rated games always do.
        """
        token = await self._reader(context)
        body = {"kind": "decision", "seconds": seconds, "best": best}
        task = await self._api.post(f"/games/{game}/analyses", body, token)
        until = anyio.current_time() + LONGEST_ANALYSIS_S
        while task["status"] in ("waiting", "running") and (left := round(until - anyio.current_time())) > 0:
            news = {"after": task["version"], "wait": min(left, LONGEST_WAIT_S)}
            task = await self._api.get(f"/analyses/{task['id']}", token, news) or task
        if task["status"] != "done":
            raise ToolError("The analysis failed or the service is busy. Choose an action yourself, or call again.")
        candidates = [_candidate(action) for action in task["decision"]["actions"]]
        return tool_result(texts.candidates(candidates), Analysed(revision=task["revision"], candidates=candidates))

    # --------------------------------------------------------------------------------------- shared

    async def _reader(self, context: Context[Any, Any]) -> str | None:
        return await self._players.token(context.headers)

    async def _token(self, context: Context[Any, Any]) -> str:
        token = await self._reader(context)
        if token is None:
            raise ToolError(
                "This tool needs a player. The operator of this server must send the header "
                '"Authorization: Bearer TOKEN". POST /v1/players of the service returns a token.'
            )
        return token

    async def _first_variant(self, ruleset: str) -> str:
        return str((await self._api.get(f"/rulesets/{ruleset}"))["variants"][0])

    async def _player_id(self, token: str | None) -> str | None:
        """Return the id of the player, or None without a token."""
        return None if token is None else str((await self._api.get("/me", token))["id"])

    async def _show(self, game: dict[str, Any], token: str | None) -> CallToolResult:
        state = texts.state_of(game, await self._player_id(token))
        return tool_result("\n".join([texts.headline(game, state), *await self._table(game, state, token)]), state)

    async def _table(self, game: dict[str, Any], state: GameState, token: str | None) -> list[str]:
        """Return lines with the table as text, or with the position as JSON if the ruleset has no picture."""
        if state.status == OPEN:
            return []
        try:
            table = await self._api.text(f"/games/{state.game}/board.txt", token)
        except RefusedError as error:
            if error.code != NO_PICTURE:
                raise
            return ["", json.dumps(game["position"])]
        return ["", table.rstrip("\n"), "", NUMBERS]

    async def _latest_events(self, game: str, token: str, since: int, revision: int) -> list[dict[str, Any]]:
        after = max(since, revision - LATEST_EVENTS)
        page = await self._api.get(f"/games/{game}/history", token, {"after": after, "limit": LATEST_EVENTS})
        events: list[dict[str, Any]] = page["events"]
        return events


def _is_awaited(state: GameState) -> bool:
    """Return whether it is the player's turn or the game is over."""
    return state.your_turn or state.status in texts.OVER


def _seat(seat: str) -> dict[str, str]:
    """Return a seat as the API expects it."""
    kinds = {ME: "player", OPEN: "open"}
    return {"kind": kinds[seat]} if seat in kinds else {"kind": "ai", "level": seat}


def _candidate(action: dict[str, Any]) -> Candidate:
    return Candidate(**{**action, "follows": [step["text"] for step in action["line"]]})
