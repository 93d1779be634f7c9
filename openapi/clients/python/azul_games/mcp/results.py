"""Results of the tools: text for models, and the same data as JSON for programs, each with its schema."""

from __future__ import annotations

from typing import Any

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field


class Rank(BaseModel):
    """The result of a seat."""

    seat: int = Field(description="The seat, from 0.")
    rank: int = Field(description="1 is the best. Equal seats share a rank.")
    score: int


class GameState(BaseModel):
    """The state of a game."""

    game: str = Field(description="The game's id.")
    ruleset: str
    status: str = Field(description="`open` (some seats are free), `playing`, `paused`, `finished` or `aborted`.")
    revision: int = Field(description="Number of events so far.")
    your_seats: list[int] = Field(description="Your seats, from 0.")
    to_decide: int | None = Field(description="The seat to act, from 0; null if no seat can act.")
    your_turn: bool
    ranks: list[Rank] = Field(description="The result; empty until the game is over.")


class NewGame(GameState):
    """A new game."""

    invite: str | None = Field(description="Invite for the open seats; null if no seat is open.")


class MyGames(BaseModel):
    """The player's games."""

    games: list[GameState]


class LegalAction(BaseModel):
    """A legal action of the seat to act."""

    id: str = Field(description="Id for choose_action.")
    text: str
    fields: dict[str, Any] = Field(description="The fields of the action. Each of them can be a filter.")


class LegalActions(BaseModel):
    """A page of legal actions."""

    revision: int = Field(description="Revision for choose_action.")
    seat: int | None = Field(description="The seat to act, from 0.")
    total: int = Field(description="Number of actions that match the filters.")
    actions: list[LegalAction]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last page.")


class Candidate(BaseModel):
    """An analysed action."""

    id: str = Field(description="Id for choose_action.")
    text: str
    lead: float = Field(description="Expected lead over the best opponent, in points.")
    win_probability: float
    follows: list[str] = Field(description="The expected moves, this action first.")


class Analysed(BaseModel):
    """The best actions, best first."""

    revision: int
    candidates: list[Candidate]


def tool_result(text: str, data: BaseModel) -> CallToolResult:
    """Return the result of a tool."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=data.model_dump(mode="json")
    )
