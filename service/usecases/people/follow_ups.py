"""Follow-ups: changes in other hash slots that complete a commit, made at once or by a keeper.

Handlers are idempotent, because a process can die at any step and two processes can run the same follow-up.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

from service.storage.base.connect import RedisError
from service.storage.base.follow_ups import RESULT, FollowUp
from service.usecases.base import reservations
from service.usecases.base.batches import BatchResult, log_errors
from service.usecases.base.context import Context

NAMES, DELETION, BAN, UNBAN, REMOVAL = "names", "farewell", "ban", "unban", "rating_removal"
BAN_FIELDS = ("banned_at", "banned_until", "ban_reason")
DUE_AFTER_MS = 10_000  # after this time, a keeper takes over from the process that wrote it
RETRY_MS = 15_000  # after a failure, or if the keeper lost the store or died
FOLLOW_UPS_PER_BATCH = 20  # per bucket


def due_at(context: Context) -> int:
    """Return when a keeper executes a follow-up written now, in Unix ms."""
    return context.now_ms() + DUE_AFTER_MS


def execute(context: Context, follow_up: FollowUp) -> None:
    """Execute the follow-up and delete it."""
    # the imports load the rules, which a keeper starts without
    if follow_up.kind == NAMES:
        reservations.reconcile(context, follow_up.owner, follow_up.facts)
    elif follow_up.kind == DELETION:
        from service.usecases.people import account_deletion

        account_deletion.delete_account_data(context, follow_up)
    elif follow_up.kind == BAN:
        from service.games.rating import KINDS_OF_RATING
        from service.rulesets.registry import RULESETS
        from service.usecases.matchmaking import competing, pairing
        from service.usecases.people import leaderboard_names

        pairing.forget_player(context, follow_up.owner)
        competing.withdraw_player(context, follow_up.owner)
        boards = leaderboard_names.all_boards(RULESETS, KINDS_OF_RATING, context.now_ms())
        context.leaderboards.remove(boards, [follow_up.owner])
        if "until" in follow_up.facts:
            context.follow_ups.replace(replace(follow_up, kind=UNBAN), follow_up.facts["until"])
            return
    elif follow_up.kind == UNBAN:
        _end_ban(context, follow_up)
    elif follow_up.kind == REMOVAL:
        from service.usecases.people import rating_removals

        if not rating_removals.run_batch(context, follow_up):
            return
    elif follow_up.kind == RESULT:
        from service.usecases.matchmaking import competing
        from service.usecases.people import rating_games

        rating_games.count(context, follow_up.owner)
        competing.record_result(context, follow_up.owner)
    else:
        raise ValueError(f"unknown kind of follow-up: {follow_up.kind}")
    context.follow_ups.remove(follow_up)


def _end_ban(context: Context, follow_up: FollowUp) -> None:
    """End a ban whose time is up, unless it was lifted or replaced."""
    player = context.players.get(follow_up.owner)
    if player is not None and player.banned_at == follow_up.facts["banned_at"]:
        context.players.change(player, dict.fromkeys(BAN_FIELDS), unchanged="banned_at")


def execute_now(context: Context, follow_up: FollowUp) -> None:
    """Execute a follow-up that was just written. If Redis is unavailable, a keeper does it later."""
    with contextlib.suppress(RedisError):
        execute(context, follow_up)


def run_due(context: Context) -> BatchResult:
    """Execute a batch of due follow-ups. A failure is logged and retried."""
    now, done = context.now_ms(), 0
    due = context.follow_ups.take(now, now + RETRY_MS, FOLLOW_UPS_PER_BATCH)
    for follow_up in due:
        with log_errors("follow-up failed", kind=follow_up.kind, owner=follow_up.owner):
            execute(context, follow_up)
            done += 1
    return BatchResult(done, done >= FOLLOW_UPS_PER_BATCH)
