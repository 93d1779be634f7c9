"""The tools of the MCP server."""

from __future__ import annotations

import json
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import Field

from azul_games.mcp import guides, texts
from azul_games.mcp.api import LONGEST_WAIT_S, Api, RefusedError
from azul_games.mcp.listings import has_words
from azul_games.mcp.plain_errors import ACTS, READS, PlainTool, require_one_of
from azul_games.mcp.players import Players
from azul_games.mcp.results import (
    Analysed,
    Candidate,
    GameState,
    LegalAction,
    LegalActions,
    MyGames,
    NewGame,
    Reviewed,
    tool_result,
)

ME = "me"
OPEN = "open"
PAGE = 120
MAX_OF_A_PAGE = 500
MAX_SEARCHED = 2000
MAX_GAMES = 50
LATEST_EVENTS = 40
LONGEST_ANALYSIS_S = 50.0
NO_PICTURE = "ruleset/no_picture"
JSON_NUMBERS = "The numbers in this JSON count from 0."

GameId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{1,40}$",
        title="the id of a game",
        description="Id of the game, from create_game or list_my_games.",
    ),
]


class Tools:
    """The tools of a server. The docstring of a method is the description that a model reads."""

    def __init__(self, api: Api, players: Players) -> None:
        self._api = api
        self._players = players

    def list_all(self) -> list[Tool]:
        """Return the tools with their titles and annotations: read-only or not."""
        return [
            PlainTool.describe(self.read_guide, "Read a guide", READS),
            PlainTool.describe(self.create_game, "Create a game", ACTS),
            PlainTool.describe(self.join_game, "Join a game", ACTS),
            PlainTool.describe(self.list_my_games, "List my games", READS),
            PlainTool.describe(self.read_game, "Read a game", READS),
            PlainTool.describe(self.list_actions, "List legal actions", READS),
            PlainTool.describe(self.choose_action, "Play an action", ACTS),
            PlainTool.describe(self.wait_for_turn, "Wait for my turn", READS),
            PlainTool.describe(self.analyse, "Analyse the position", READS),
            PlainTool.describe(self.review_game, "Review a finished game", READS),
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
            int | None, Field(ge=1, le=4, description="The seat that starts, from 1. Default: drawn.")
        ] = None,
    ) -> Annotated[CallToolResult, NewGame]:
        """Create a game and take a seat. The game starts at once unless a seat is open."""
        if seats.count(ME) != 1:
            raise ToolError('Exactly one of the seats must be "me".')
        token = await self._token(context)
        variants = {one["id"]: one["variants"] for one in (await self._api.get("/rulesets"))["rulesets"]}
        require_one_of(variants, ruleset, "ruleset")
        require_one_of(variants[ruleset], variant := variant or variants[ruleset][0], "variant")
        levels = [one["id"] for one in (await self._api.get("/levels"))["levels"]]
        for number, seat in enumerate(seats):
            require_one_of([ME, OPEN, *levels], seat, "seats", number)
        body = {
            "ruleset": ruleset,
            "variant": variant,
            "seats": [_seat(seat) for seat in seats],
            "first_seat": None if first_seat is None else first_seat - 1,
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
            int | None, Field(ge=1, le=4, description="The seat to take, from 1. Default: the first open seat.")
        ] = None,
    ) -> Annotated[CallToolResult, GameState]:
        """Take an open seat in a game of another player."""
        token = await self._token(context)
        body = {"token": invite, "seat": None if seat is None else seat - 1}
        claimed = await self._api.post(f"/games/{game}/seats", body, token)
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
        words: Annotated[
            list[str],
            Field(description='Only actions whose descriptions contain all these words, such as ["blue", "line 3"].'),
        ] = [],  # noqa: B006 - a schema's default, never changed
        page: Annotated[int, Field(ge=1, description="The next_page of the previous response.")] = 1,
        limit: Annotated[int, Field(ge=1, le=200, description="Maximum number of actions on a page.")] = PAGE,
    ) -> Annotated[CallToolResult, LegalActions]:
        """List the legal actions of the seat to act, each with its id and a description.

        Descriptions that begin with the same words are listed together.
        """
        token, first = await self._reader(context), (page - 1) * limit
        query: dict[str, Any] = {"limit": MAX_OF_A_PAGE}
        legal = await self._api.get(f"/games/{game}/actions", token, query)
        found, cursor = legal["actions"], legal["next_cursor"]
        while cursor is not None and len(found) < MAX_SEARCHED:
            more = await self._api.get(f"/games/{game}/actions", token, {**query, "cursor": cursor})
            found, cursor = found + more["actions"], more["next_cursor"]
        actions = [LegalAction(id=one["id"], text=one["text"]) for one in found if has_words(one["text"], words)]
        listed = LegalActions(
            revision=legal["revision"],
            seat=None if legal["seat"] is None else legal["seat"] + 1,
            total=len(actions),
            actions=actions[first : first + limit],
            next_page=page + 1 if len(actions) > first + limit else None,
        )
        return tool_result(texts.listing(listed, actions[first + limit : first + 2 * limit]), listed)

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
        return tool_result("\n".join([*texts.news(view, state, done["events"]), *table]), state)

    async def wait_for_turn(
        self,
        context: Context[Any, Any],
        game: GameId,
        seconds: Annotated[int, Field(ge=0, le=LONGEST_WAIT_S, description="Maximum time to wait.")] = 20,
        since: Annotated[
            int | None, Field(ge=0, description="The last revision you know. The response lists the events after it.")
        ] = None,
    ) -> Annotated[CallToolResult, GameState]:
        """Wait until it is your turn or the game is over, and read the table. Call again if it is not your turn yet.

        read_game also shows the legend of the table.
        """
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
        table = await self._table(view, state, token, with_legend=False) if _is_awaited(state) else []
        return tool_result("\n".join([*texts.news(view, state, events), *table]), state)

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
        task = await self._analysis(game, token, {"kind": "decision", "seconds": seconds, "best": best})
        candidates = [_candidate(action) for action in task["decision"]["actions"]]
        return tool_result(texts.candidates(candidates), Analysed(revision=task["revision"], candidates=candidates))

    async def review_game(self, context: Context[Any, Any], game: GameId) -> Annotated[CallToolResult, Reviewed]:
        """Review a finished game: the decisions that lost at least 5 % of the probability of winning."""
        token = await self._reader(context)
        task = await self._analysis(game, token, {"kind": "review"})
        reviewed = texts.review_of(task["review"])
        return tool_result(texts.review(reviewed), reviewed)

    # --------------------------------------------------------------------------------------- shared

    async def _analysis(self, game: str, token: str | None, body: dict[str, Any]) -> dict[str, Any]:
        """Return the finished analysis of a game."""
        task: dict[str, Any] = await self._api.post(f"/games/{game}/analyses", body, token)
        until = anyio.current_time() + LONGEST_ANALYSIS_S
        while task["status"] in ("waiting", "running") and (left := round(until - anyio.current_time())) > 0:
            news = {"after": task["version"], "wait": min(left, LONGEST_WAIT_S)}
            task = await self._api.get(f"/analyses/{task['id']}", token, news) or task
        if task["status"] != "done":
            raise ToolError("The analysis failed or is not complete yet. Call again in a minute, or do without it.")
        return task

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

    async def _player_id(self, token: str | None) -> str | None:
        """Return the id of the player, or None without a token."""
        return None if token is None else str((await self._api.get("/me", token))["id"])

    async def _show(self, game: dict[str, Any], token: str | None) -> CallToolResult:
        state = texts.state_of(game, await self._player_id(token))
        return tool_result("\n".join([texts.headline(game, state), *await self._table(game, state, token)]), state)

    async def _table(
        self, game: dict[str, Any], state: GameState, token: str | None, *, with_legend: bool = True
    ) -> list[str]:
        """Return lines with the table as text, or with the position as JSON if the ruleset has no picture."""
        if state.status == OPEN:
            return []
        try:
            table = await self._api.text(f"/games/{state.game}/board.txt", token)
        except RefusedError as error:
            if error.code != NO_PICTURE:
                raise
            return ["", json.dumps(game["position"]), JSON_NUMBERS]
        *blocks, legend, _notation = table.split("\n\n")  # the notation counts from 0
        return ["", "\n\n".join([*blocks, *([legend] if with_legend else [])])]

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
