"""Games, events and actions as text for models. Seats count from 1, and in responses of the service from 0."""

from __future__ import annotations

from typing import Any

from azul_games.mcp.listings import groups
from azul_games.mcp.results import (
    Candidate,
    GameState,
    LegalAction,
    LegalActions,
    Rank,
    Reviewed,
    SeatReview,
    WeakDecision,
)

OVER = {"finished", "aborted"}
WEAK = {"inaccuracy", "mistake", "blunder"}
MAX_FOLLOWING = 3


def state_of(game: dict[str, Any], player: str | None) -> GameState:
    """Return the state of a game for the player with this id."""
    seats = [number for number, seat in enumerate(game["seats"], 1) if player is not None and seat["player"] == player]
    to_decide = None if game["to_decide"] is None else game["to_decide"] + 1
    ended = (game.get("outcome") or {}).get("seats", [])
    return GameState(
        game=game["id"],
        ruleset=game["ruleset"],
        status=game["status"],
        revision=game["revision"],
        your_seats=seats,
        to_decide=to_decide,
        your_turn=game["status"] == "playing" and to_decide in seats,
        ranks=[Rank(seat=number, rank=seat["rank"], score=seat["score"]) for number, seat in enumerate(ended, 1)],
    )


def headline(game: dict[str, Any], state: GameState) -> str:
    """Return two to seven lines: the game, its players, and the next step or the result."""
    holders = [
        f"seat {number} {_holder_name(seat)}{' (you)' * (number in state.your_seats)}"
        for number, seat in enumerate(game["seats"], 1)
    ]
    lines = [
        f"Game {state.game}: {state.ruleset}, {game['variant']} side, {state.status}, revision {state.revision}.",
        f"Players: {', '.join(holders)}.",
    ]
    if state.status in OVER:
        ranks = sorted(state.ranks, key=lambda one: one.rank)
        lines += [f"Rank {one.rank}: seat {one.seat} with {one.score} points." for one in ranks]
    else:
        lines.append(_next_step(state))
    return "\n".join(lines)


def news(game: dict[str, Any], state: GameState, events: list[dict[str, Any]]) -> list[str]:
    """Return lines for events of a game that the model knows: what happened, and the next step or the result."""
    step = headline(game, state) if state.status in OVER else f"Revision {state.revision}. {_next_step(state)}"
    return [*(f"- {event['text']}" for event in events if event.get("text")), step]


def _holder_name(seat: dict[str, Any]) -> str:
    if seat["kind"] == "ai":
        return f"AI {seat['level']}"
    return seat["name"] or {"open": "open", "http": "a bot"}.get(seat["kind"], "a player")


def _next_step(state: GameState) -> str:
    if state.your_turn and state.to_decide is not None:
        return f"Your turn (seat {state.to_decide}): list_actions, choose_action."
    if not state.your_seats:
        return "You have no seat in this game."
    if state.status == "open":
        return "Some seats are open. The game starts when all are taken. Call wait_for_turn."
    if state.status == "paused":
        return "The game is paused. Call wait_for_turn."
    if state.to_decide is None:
        return "No seat can act now. Call wait_for_turn."
    return f"Seat {state.to_decide} is next. Call wait_for_turn."


def listing(page: LegalActions, others: list[LegalAction]) -> str:
    """Return the actions in groups, and the beginnings of `others`, which the next page shows."""
    if page.seat is None:
        return "No seat can act now. Call read_game."
    if not page.total:
        return "No legal action contains all these words. Call again without words."
    lines = [f"Revision {page.revision}, seat {page.seat}: {page.total} actions (id=description)."]
    lines += map(str, groups([(action.id, action.text) for action in page.actions]))
    if page.next_page is not None:
        lines.append(f"More: call again with page {page.next_page}, or with words of other descriptions, such as:")
        lines += [f"{one.beginning} … ({len(one.rests)})" for one in groups([(one.id, one.text) for one in others])]
    return "\n".join(lines)


def review_of(found: dict[str, Any]) -> Reviewed:
    """Return the review of a game without its good decisions."""
    weak = [
        WeakDecision(
            revision=one["revision"],
            seat=one["seat"] + 1,
            label=one["label"],
            lost=one["win_lost"],
            played=one["played"]["text"],
            better=one["best"]["text"],
        )
        for one in found["decisions"]
        if one["label"] in WEAK
    ]
    return Reviewed(seats=[SeatReview(**{**one, "seat": one["seat"] + 1}) for one in found["seats"]], weak=weak)


def review(reviewed: Reviewed) -> str:
    """Return a line for each seat and for each weak decision."""
    seats = [
        f"Seat {one.seat}: {one.decisions} decisions, {one.mean_points_lost:.1f} points lost in the mean."
        for one in reviewed.seats
    ]
    weak = [
        f"Revision {one.revision}, seat {one.seat}, {one.label}, {one.lost:.0%} lost: {one.played} Better: {one.better}"
        for one in reviewed.weak
    ]
    return "\n".join([*seats, *(weak or ["No decision lost 5 % or more of the probability of winning."])])


def candidates(found: list[Candidate]) -> str:
    """Return a line for each analysed action, and lines for the moves that may follow."""
    lines = []
    for one in found:
        why = f" {one.why}" if one.why else ""
        lines.append(f"{one.id}  {one.text} Lead {one.lead:+.1f} points, wins {one.win_probability:.0%}.{why}")
        lines += [f"    then: {text}" for text in one.follows[1:MAX_FOLLOWING]]
    return "\n".join(lines)
