"""Guides for models: the rules of each ruleset in brief, and the strength of the levels."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

from azul_games.mcp.api import Api

LEVELS = "levels"
RULES = {
    file.name.removesuffix(".md"): file
    for file in sorted(files("azul_games.mcp").joinpath("rules").iterdir(), key=lambda file: file.name)
}
"""The rules in brief by ruleset. A ruleset of the service may have none."""
Topic = Literal[(*RULES, LEVELS)]  # type: ignore[valid-type]


def rules(ruleset: str) -> str:
    """Return the rules of a ruleset in brief, as Markdown."""
    return RULES[ruleset].read_text("utf-8")


async def text(api: Api, topic: Topic) -> str:
    """Return a guide as Markdown.

    Raises:
        ToolError: The service does not answer.

    """
    return await levels(api) if topic == LEVELS else rules(topic)


async def levels(api: Api) -> str:
    """Return the levels of the service, weakest first."""
    lines = [_level(level) for level in (await api.get("/levels"))["levels"]]
    return "\n".join(["# Strength of the AIs", "", *lines, "", "Elo is relative to `random`, at two seats."])


def _level(level: dict[str, Any]) -> str:
    measured = [
        f"{one['ruleset']} {one['elo']}" for one in level["strength"] if one["seats"] == 2 and one["elo"] is not None
    ]
    elo = f" Elo: {', '.join(measured)}." if measured else ""
    thought = f"Thinks up to {level['budget_s']:g} s." if level["budget_s"] else "Moves at once."
    return f"- `{level['id']}`: {level['description']} {thought}{elo}"
