"""Games, events and actions as text for models. Seats count from 1 here; the fields count from 0."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from azul_games.mcp.results import Candidate, GameState, LegalActions, Rank

OVER = {"finished", "aborted"}
MAX_FOLLOWING = 3
LONGEST_VALUE = 60
MAX_VALUES = 30
"""The number of values of a field that are suggested as filters."""


def state_of(game: dict[str, Any], player: str | None) -> GameState:
    """Return the state of a game for the player with this id."""
    seats = [number for number, seat in enumerate(game["seats"]) if player is not None and seat["player"] == player]
    ended = (game.get("outcome") or {}).get("seats", [])
    return GameState(
        game=game["id"],
        ruleset=game["ruleset"],
        status=game["status"],
        revision=game["revision"],
        your_seats=seats,
        to_decide=game["to_decide"],
        your_turn=game["status"] == "playing" and game["to_decide"] in seats,
        ranks=[Rank(seat=number, rank=seat["rank"], score=seat["score"]) for number, seat in enumerate(ended)],
    )


def headline(game: dict[str, Any], state: GameState) -> str:
    """Return two to five lines: the game, its players, and the next step or the result."""
    holders = [
        f"seat {number + 1} {_holder_name(seat)}{' (you)' * (number in state.your_seats)}"
        for number, seat in enumerate(game["seats"])
    ]
    lines = [
        f"Game {state.game}: {state.ruleset}, {game['variant']} side, {state.status}, revision {state.revision}.",
        f"Players: {', '.join(holders)}.",
    ]
    if state.status in OVER:
        ranks = sorted(state.ranks, key=lambda one: one.rank)
        lines += [f"Rank {one.rank}: seat {one.seat + 1} with {one.score} points." for one in ranks]
    else:
        lines.append(_next_step(state))
    return "\n".join(lines)


def _holder_name(seat: dict[str, Any]) -> str:
    if seat["kind"] == "ai":
        return f"AI {seat['level']}"
    return seat["name"] or {"open": "open", "http": "a bot"}.get(seat["kind"], "a player")


def _next_step(state: GameState) -> str:
    if state.your_turn and state.to_decide is not None:
        return f"It is your turn (seat {state.to_decide + 1}): call list_actions, then choose_action."
    if not state.your_seats:
        return "You have no seat in this game."
    if state.status == "open":
        return "Some seats are open. The game starts when all are taken. Call wait_for_turn."
    if state.status == "paused":
        return "The game is paused. Call wait_for_turn."
    if state.to_decide is None:
        return "No seat can act now. Call wait_for_turn."
    return f"Seat {state.to_decide + 1} plays next. Call wait_for_turn."


def describe_events(events: list[dict[str, Any]]) -> str:
    """Return a line for each event that has a sentence."""
    lines = [f"- {event['text']}" for event in events if event.get("text")]
    return "\n".join(["What happened:", *lines]) if lines else ""


def listing(page: LegalActions, shown: list[dict[str, Any]]) -> str:
    """Return a line for each action, and suggestions for filters if there are more pages.

    `shown` holds the fields of many legal actions.
    """
    if page.seat is None:
        return "No seat can act now. Call read_game."
    if not page.total:
        return "No legal action has these fields. Call again without filters."
    lines = [f"Revision {page.revision}, seat {page.seat + 1}: {page.total} legal actions (id and description)."]
    lines += [f"{action.id}  {action.text}" for action in page.actions]
    if page.next_cursor is not None:
        lines += [f"More: call again with cursor {page.next_cursor!r}, or with filters such as:", *_filters(shown)]
    return "\n".join(lines)


def candidates(found: list[Candidate]) -> str:
    """Return a line for each analysed action, and lines for the moves that may follow."""
    lines = []
    for one in found:
        lines.append(f"{one.id}  {one.text} Lead {one.lead:+.1f} points, wins {one.win_probability:.0%}.")
        lines += [f"    then: {text}" for text in one.follows[1:MAX_FOLLOWING]]
    return "\n".join(lines)


def _filters(shown: list[dict[str, Any]]) -> list[str]:
    """Return a line for each field with short values: its most frequent values and their numbers of actions."""
    counts: dict[str, Counter[str]] = {}
    for fields in shown:
        for name, value in fields.items():
            counts.setdefault(name, Counter())[json.dumps(value)] += 1
    return [
        f"  {name}: {', '.join(f'{value} ({count})' for value, count in values.most_common(MAX_VALUES))}"
        for name, values in counts.items()
        if len(values) > 1 and max(map(len, values)) <= LONGEST_VALUE
    ]
