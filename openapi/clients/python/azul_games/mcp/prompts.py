"""Prompts, which clients offer to their users as commands."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field


def play(
    ruleset: Annotated[str, Field(description="The ruleset: azul, summer-pavilion or queens-garden.")] = "azul",
    level: Annotated[str, Field(description="The level of the AI, from random to master.")] = "casual",
) -> str:
    """Play a whole game against an AI, and explain each decision."""
    return (
        f"Play a game of {ruleset} against an AI of level {level}.\n"
        f'1. Read the rules: read_guide("{ruleset}").\n'
        f'2. Create the game: create_game with the ruleset "{ruleset}" and the seats ["me", "{level}"].\n'
        "3. Until the game is over: call wait_for_turn and list_actions, say in one sentence which action you prefer "
        "and why, and play it with choose_action. Do not use analyse.\n"
        "4. Report the result and the decisions that mattered most."
    )


def review(game: Annotated[str, Field(description="The id of a finished game.")]) -> str:
    """Explain what decided a finished game, and what the players can learn from it."""
    return (
        f"Review the game {game}.\n"
        f'1. Read the final table: read_game("{game}"). If the game is not over, say so and stop.\n'
        "2. Read the rules of its ruleset with read_guide.\n"
        f'3. Find the weak decisions: review_game("{game}"). The first review of a game can take minutes.\n'
        "4. Explain the three decisions that cost the most, and what the better actions achieve. Then give each player "
        "one piece of advice for the next game. Name the seats as the tools do."
    )
