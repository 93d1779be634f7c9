"""The tools for puzzles."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult
from pydantic import BaseModel, Field

from azul_games.mcp.api import Api
from azul_games.mcp.listings import groups
from azul_games.mcp.plain_errors import ACTS, READS, PlainTool
from azul_games.mcp.players import Players
from azul_games.mcp.results import LegalAction, tool_result

MAX_ACTIONS = 500
PuzzleId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{1,40}$", title="the id of a puzzle", description="Id of the puzzle, from get_puzzle."
    ),
]


class OpenPuzzle(BaseModel):
    """A puzzle and its legal actions."""

    puzzle: str = Field(description="The puzzle's id.")
    ruleset: str
    seat: int = Field(description="Your seat, from 1.")
    steps: int = Field(description="Number of decisions to find.")
    rating: int = Field(description="Difficulty in points; 1500 is the middle.")
    actions: list[LegalAction]


class AnsweredPuzzle(BaseModel):
    """The result of an attempt."""

    status: str = Field(description="`solved`, `failed` or `continue`.")
    actions: list[LegalAction] = Field(description="Legal actions of the next decision; empty unless `continue`.")
    solution: list[str] = Field(description="The right moves; empty while `continue`.")


class PuzzleTools:
    """The tools of a server. The docstring of a method is the description that a model reads."""

    def __init__(self, api: Api, players: Players) -> None:
        self._api = api
        self._players = players

    def list_all(self) -> list[Tool]:
        """Return the tools with their titles and annotations: read-only or not."""
        return [
            PlainTool.describe(self.get_puzzle, "Get a puzzle", READS),
            PlainTool.describe(self.answer_puzzle, "Answer a puzzle", ACTS),
        ]

    async def get_puzzle(
        self,
        context: Context[Any, Any],
        ruleset: Annotated[str | None, Field(description="Such as azul. Default: any.")] = None,
        theme: Annotated[str | None, Field(description="Such as deny. Default: any.")] = None,
        daily: Annotated[bool, Field(description="The puzzle of the day instead.")] = False,  # noqa: FBT002
    ) -> Annotated[CallToolResult, OpenPuzzle]:
        """Get a puzzle: a position in which one action is clearly best. The response lists the legal actions."""
        token = await self._players.token(context.headers)
        if daily:
            puzzle = (await self._api.get("/puzzles/daily"))["puzzle"]
        else:
            filters = {"ruleset": ruleset, "theme": theme}
            query = {name: value for name, value in filters.items() if value is not None}
            puzzle = await self._api.get("/puzzles/next", token, query)
        found = OpenPuzzle(
            puzzle=puzzle["id"],
            ruleset=puzzle["ruleset"],
            seat=puzzle["seat"] + 1,
            steps=puzzle["steps"],
            rating=puzzle["rating"],
            actions=await self._actions(puzzle["position"]),
        )
        table, *_ = (await self._api.text(f"/puzzles/{found.puzzle}/board.txt")).rpartition("\n\n")
        head = f"Puzzle {found.puzzle}: {found.ruleset}, seat {found.seat} to act, decisions to find: {found.steps}."
        lines = [head, "", table, "", *_listing(found.actions), "Call answer_puzzle."]
        return tool_result("\n".join(lines), found)

    async def answer_puzzle(
        self,
        context: Context[Any, Any],
        puzzle: PuzzleId,
        action_ids: Annotated[
            list[Annotated[str, Field(coerce_numbers_to_str=True)]],
            Field(min_length=1, description="Ids of all your decisions so far, in order; one at first."),
        ],
    ) -> Annotated[CallToolResult, AnsweredPuzzle]:
        """Answer a puzzle. The first finished attempt of a player is rated."""
        token = await self._players.token(context.headers)
        body = {"answers": [{"id": action_id} for action_id in action_ids]}
        result = await self._api.post(f"/puzzles/{puzzle}/attempts", body, token)
        position, solution = result["position"], result["solution"] or []
        actions = [] if position is None else await self._actions(position)
        answered = AnsweredPuzzle(
            status=result["status"], actions=actions, solution=[_sentence(one) for one in solution]
        )
        return tool_result("\n".join(_outcome(result, answered)), answered)

    async def _actions(self, position: dict[str, Any]) -> list[LegalAction]:
        """Return the legal actions of a position."""
        examined = await self._api.post("/positions", {"position": position, "form": "list", "limit": MAX_ACTIONS})
        return [LegalAction(id=one["id"], text=one["text"]) for one in examined["legal"]["actions"]]


def _outcome(result: dict[str, Any], answered: AnsweredPuzzle) -> list[str]:
    """Return lines about an attempt."""
    lines = [{"continue": "Right so far.", "solved": "Solved."}.get(answered.status, "That is not the best action.")]
    refutation, rating = result["refutation"] or {}, result["rating"]
    lines += [text for text in [refutation.get("why")] if text]
    lines += [f"Then: {_sentence(one)}" for one in (*refutation.get("line", []), *result["replies"])]
    lines += [f"Solution: {text}" for text in answered.solution]
    if rating is not None:
        lines.append(f"Your puzzle rating: {rating['before']} before, {rating['after']} now.")
    if answered.actions:
        lines += [*_listing(answered.actions), "Call answer_puzzle with all decisions so far and the next one."]
    return lines


def _sentence(move: dict[str, Any]) -> str:
    return f"seat {move['seat'] + 1}: {move['text']}"


def _listing(actions: list[LegalAction]) -> list[str]:
    """Return lines for actions. Those that begin with the same words are together."""
    return ["Legal actions (id=description):", *map(str, groups([(one.id, one.text) for one in actions]))]
