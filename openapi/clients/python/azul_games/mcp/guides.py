"""What a model reads before it plays: each ruleset's rules in brief, and how strong the levels are."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal, get_args

from azul_games.mcp.api import Api

Topic = Literal["azul", "summer-pavilion", "queens-garden", "levels"]
LEVELS = "levels"
RULESETS: tuple[str, ...] = tuple(topic for topic in get_args(Topic) if topic != LEVELS)


def rules(ruleset: str) -> str:
    """The rules in brief, as Markdown."""
    return files("azul_games.mcp").joinpath("rules", f"{ruleset}.md").read_text("utf-8")


async def text(api: Api, topic: Topic) -> str:
    """A guide, as Markdown. ToolError where the service does not answer."""
    return await levels(api) if topic == LEVELS else rules(topic)


async def levels(api: Api) -> str:
    """The levels as the service tells them, weakest first."""
    lines = [_level(level) for level in (await api.get("/levels"))["levels"]]
    return "\n".join(["# How strong the AIs are", "", *lines, "", "Elo: above `random`, measured at two seats."])


def _level(level: dict[str, Any]) -> str:
    measured = [
        f"{one['ruleset']} {one['elo']}" for one in level["strength"] if one["seats"] == 2 and one["elo"] is not None
    ]
    elo = f" Elo: {', '.join(measured)}." if measured else ""
    thought = f"Thinks up to {level['budget_s']:g} s." if level["budget_s"] else "Answers at once."
    return f"- `{level['id']}`: {level['description']} {thought}{elo}"
