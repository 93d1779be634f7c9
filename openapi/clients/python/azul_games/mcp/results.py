"""Results of the tools: text for models, and the same data as JSON for programs, each with its schema.

Both count seats from 1, as sentences and tables do.
"""

from __future__ import annotations

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field


class Rank(BaseModel):
    """The result of a seat."""

    seat: int = Field(description="The seat, from 1.")
    rank: int = Field(description="1 is the best. Equal seats share a rank.")
    score: int


class GameState(BaseModel):
    """The state of a game."""

    game: str = Field(description="The game's id.")
    ruleset: str
    status: str = Field(description="`open` (some seats are free), `playing`, `paused`, `finished` or `aborted`.")
    revision: int = Field(description="Number of events so far.")
    your_seats: list[int] = Field(description="Your seats, from 1.")
    to_decide: int | None = Field(description="The seat to act, from 1; null if no seat can act.")
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


class LegalActions(BaseModel):
    """A page of legal actions."""

    revision: int = Field(description="Revision for choose_action.")
    seat: int | None = Field(description="The seat to act, from 1.")
    total: int = Field(description="Number of legal actions with these words.")
    actions: list[LegalAction]
    next_page: int | None = Field(description="Number of the next page; null on the last page.")


class Candidate(BaseModel):
    """An analysed action."""

    id: str = Field(description="Id for choose_action.")
    text: str
    lead: float = Field(description="Expected lead over the best opponent, in points.")
    win_probability: float
    why: str | None = Field(None, description="What the best action does that this one, or the next one, does not.")
    follows: list[str] = Field(description="The expected moves, this action first.")


class Analysed(BaseModel):
    """The best actions, best first."""

    revision: int
    candidates: list[Candidate]


class WeakDecision(BaseModel):
    """A decision of a finished game that lost some of the probability of winning."""

    revision: int
    seat: int = Field(description="The seat that decided, from 1.")
    label: str = Field(description="`inaccuracy` (5 % lost), `mistake` (10 %) or `blunder` (15 %).")
    lost: float = Field(description="The lost probability of winning.")
    played: str
    better: str


class SeatReview(BaseModel):
    """How well a seat played."""

    seat: int = Field(description="The seat, from 1.")
    decisions: int
    mean_points_lost: float


class Reviewed(BaseModel):
    """The review of a finished game."""

    seats: list[SeatReview]
    weak: list[WeakDecision] = Field(description="The decisions that lost the most, in the order of the game.")


def tool_result(text: str, data: BaseModel) -> CallToolResult:
    """Return the result of a tool."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=data.model_dump(mode="json")
    )
