"""What tools answer: text that a model reads, and the same as JSON for programs, each with its schema."""

from __future__ import annotations

from typing import Any

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field


class Rank(BaseModel):
    """How a seat ended."""

    seat: int
    rank: int = Field(description="1 for the best; equal seats share a rank.")
    score: int


class GameState(BaseModel):
    """How a game stands."""

    game: str = Field(description="The game's id.")
    ruleset: str
    status: str = Field(description="open (seats are still free), playing, paused, finished or aborted.")
    revision: int = Field(description="The number of its events.")
    your_seats: list[int] = Field(description="Counted from 0.")
    to_decide: int | None = Field(description="The seat to decide; null where nobody is.")
    your_turn: bool
    ranks: list[Rank] = Field(description="Of a game that is over; else empty.")


class NewGame(GameState):
    """A game that was created."""

    invite: str | None = Field(description="What others join an open seat by; null where no seat is open.")


class MyGames(BaseModel):
    """The player's games."""

    games: list[GameState]


class LegalAction(BaseModel):
    """What the seat to decide may do."""

    id: str = Field(description="For choose_action.")
    text: str
    fields: dict[str, Any] = Field(description="What it is made of; any of them can be a filter.")


class LegalActions(BaseModel):
    """A page of legal actions."""

    revision: int = Field(description="For choose_action.")
    seat: int | None = Field(description="The seat to decide.")
    total: int = Field(description="How many pass the filters.")
    actions: list[LegalAction]
    next_cursor: str | None = Field(description="For the next page; null on the last.")


class Candidate(BaseModel):
    """An action that was analysed."""

    id: str = Field(description="For choose_action.")
    text: str
    lead: float = Field(description="Points ahead of the best opponent that may be expected.")
    win_probability: float
    follows: list[str] = Field(description="The line of best play, this action first.")


class Analysed(BaseModel):
    """The best actions, best first."""

    revision: int
    candidates: list[Candidate]


def told(text: str, data: BaseModel) -> CallToolResult:
    """A tool's answer."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=data.model_dump(mode="json")
    )
