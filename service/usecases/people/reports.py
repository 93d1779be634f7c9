"""Reports: players report players, names, messages and games, and moderators resolve the reports.

A report keeps what a moderator must see, even if the game expires or the name changes: the profile of the player, or
seats, position and the last messages of the game. Several reports of one player about one object are one report, until
it is resolved. The reporter's id is removed with their account. A reported player cannot remove the report by deleting
theirs. All reports are deleted after `REPORT_TTL_S`.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import orjson

from service.games import game_text
from service.games.errors import GameError
from service.games.state.moments import rfc3339, seconds_until
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.base.keys import id_from
from service.storage.games.chat import MAX_MESSAGES
from service.storage.people.moderation import MISSING
from service.storage.people.players import StoredPlayer
from service.storage.people.reports import KNOWN, MAX_REPORTS_A_DAY, RECEIVED, TOO_MANY, StoredReport
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games import chat
from service.usecases.games.messages import message_json
from service.usecases.positions import notations, positions
from service.usecases.views import pictures, reading
from service.usecases.work import engine_agreement

CATEGORIES = ("abuse", "cheating", "player_name", "spam", "other")
MEMBERS_OF_TYPE = {
    "player": {"player"},
    "player_name": {"player"},
    "game": {"game_id"},
    "message": {"game_id", "message"},
}
"""Types of reported objects, and the members that name one."""
EMPTY_CONTEXT: Json = {"player": None, "game": None}
COMPARED = ("player", "game")
"""Types of objects for which decisions are compared with the engine's."""
KEPT_BEFORE, KEPT_AFTER = 20, 5
"""Messages that are kept before and after a reported one."""


class NewReport(NamedTuple):
    """What a player reports. `player`: id or handle."""

    type: str
    category: str
    text: str | None = None
    player: str | None = None
    game_id: str | None = None
    message: int | None = None


def create(context: Context, caller: Caller, new: NewReport) -> Json:
    """Create a report and return it. If an open report is about the same object, return it.

    Raises: player/not_found, player/yourself, game/not_found, auth/not_taking_part, message/not_found, limit/reports.
    """
    reporter = access.must_be_player(context, caller)
    reported: str | None
    kept: Json
    if new.game_id is None:
        other = handles.must_find(context, new.player or "")
        reported, kept = other.id, {"player": player_json(other)}
    else:
        reported, kept = _game_context(context, caller, new.game_id, new.message)
    if reported == reporter.id:
        raise GameError("player/yourself")
    object_id = f"{new.type} {new.game_id or reported} {new.message}"
    report = StoredReport(
        id=id_from(f"report {reporter.id} {object_id}"),
        category=new.category,
        text=new.text,
        type=new.type,
        player=reported,
        game_id=new.game_id,
        message=new.message,
        created_at=rfc3339(context.now_ms()),
        context=kept,
        reporter=reporter.id,
    )
    word = context.reports.add(report, context.now_ms())
    if word == TOO_MANY:
        wait_s = seconds_until(context.reports.next_free_ms(reporter.id), context.now_ms())
        raise GameError("limit/reports", limit=MAX_REPORTS_A_DAY, retry_after_s=wait_s)
    if context.players.get(reporter.id) is None:  # while the request ran
        context.reports.forget_reporter(reporter.id)
        raise GameError("auth/token_unknown")
    return own_json((context.reports.get(report.id) or report) if word == KNOWN else report)


def list_own(context: Context, caller: Caller) -> list[Json]:
    """Return the caller's reports, newest first."""
    return reports_json(context, access.must_be_player(context, caller))


def reports_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the player's reports, newest first."""
    return [*map(own_json, context.reports.get_own(player.id))]


def list_queue(context: Context, caller: Caller, filters: Json, first: int, limit: int) -> list[Json]:
    """Return a page of the reports that match the filters, their status, type, category and player, open ones first."""
    access.must_be_staff(context, caller)
    asked = {name: value for name, value in filters.items() if value is not None}
    if not asked:
        return [*map(report_json, context.reports.queue(first, limit))]
    matching = (one for one in context.reports.queue() if all(getattr(one, name) == asked[name] for name in asked))
    return [*map(report_json, islice(matching, first, first + limit))]


def get(context: Context, caller: Caller, report_id: str) -> Json:
    """Return the report with what was kept of its object. Raises: report/not_found."""
    access.must_be_staff(context, caller)
    report = _must_find(context, report_id)
    shown = engine_agreement.compare(context, *_games_to_compare(context, report)) if report.type in COMPARED else None
    return {**report_json(report), "context": {**EMPTY_CONTEXT, **report.context}, "fair_play": shown}


def request_reviews(context: Context, caller: Caller, report_id: str) -> Json:
    """Request the missing reviews of the games to which the report's fair-play hint refers. Return `get`.

    Raises: report/not_found, limit/background.
    """
    access.must_be_staff(context, caller)
    report = _must_find(context, report_id)
    if report.type in COMPARED:
        engine_agreement.request_reviews(context, caller, _games_to_compare(context, report)[0])
    return get(context, caller, report_id)


def _games_to_compare(context: Context, report: StoredReport) -> tuple[list[str], str | None]:
    """Return the games that are compared with the engine for a report, and the reported player, None for a game."""
    if report.game_id is not None:
        return [report.game_id], None
    return engine_agreement.recent_games(context, report.player or ""), report.player


def draw(context: Context, caller: Caller, report_id: str) -> bytes:
    """Return the kept position as SVG. Raises: report/not_found; ruleset/no_picture if no position was kept."""
    access.must_be_staff(context, caller)
    game = _must_find(context, report_id).context.get("game") or {}
    notation = game.get("position_notation")
    if notation is None:
        raise GameError("ruleset/no_picture")
    names = [seat["name"] for seat in game["seats"]]
    return pictures.draw_position(positions.read(notations.read_position(notation)), names, caller.language)


def resolve(context: Context, caller: Caller, report_id: str, status: str, reason: str | None) -> Json:
    """Set the status of a report; `received` opens it again. Return it. Raises: report/not_found."""
    actor, report = access.must_be_staff(context, caller), _must_find(context, report_id)
    entry = LogEntry(actor, "reopen_report" if status == RECEIVED else "resolve_report", "report", report_id, reason)
    now_ms = context.now_ms()
    if context.reports.resolve(report, status, rfc3339(now_ms), now_ms, entry) == MISSING:
        raise GameError("report/not_found")
    return report_json(_must_find(context, report_id))


def own_json(report: StoredReport) -> Json:
    """Return a report as its reporter sees it."""
    reported = {name: getattr(report, name) for name in ("type", "player", "game_id", "message")}
    shown = ("id", "category", "text", "status", "created_at", "resolved_at")
    return {**{name: getattr(report, name) for name in shown}, "object": reported}


def report_json(report: StoredReport) -> Json:
    """Return a report as moderators see it in the queue."""
    return {**own_json(report), "reporter": report.reporter}


def _must_find(context: Context, report_id: str) -> StoredReport:
    report = context.reports.get(report_id)
    if report is None:
        raise GameError("report/not_found")
    return report


def _game_context(context: Context, caller: Caller, game_id: str, number: int | None) -> tuple[str | None, Json]:
    """Return the sender of the message, or None, and what is kept of the game."""
    game = reading.readable(context, caller, game_id).game
    messages, sender = _messages(context, caller, game_id, is_needed=number is not None), None
    if number is None:
        kept = messages[-KEPT_BEFORE:]
    else:
        kept = [one for one in messages if number - KEPT_BEFORE <= one["number"] <= number + KEPT_AFTER]
        reported = next((one for one in kept if one["number"] == number), None)
        if reported is None:
            raise GameError("message/not_found")
        sender = reported["player"]
    position = None if game.position is None else game_text.POSITION.write(game.ruleset.view(game.position))
    seats = [{"player": seat.player, "name": seat.name} for seat in game.seats]
    outline = {"revision": game.revision, "status": game.status, "position_notation": position, "seats": seats}
    return sender, {"game": {**outline, "messages": kept}}


def _messages(context: Context, caller: Caller, game_id: str, *, is_needed: bool) -> list[Json]:
    """Return the messages of the game with their players, or an empty list if the caller cannot read them."""
    try:
        chat.messages(context, caller, game_id, 0, 1, 0)
    except GameError as refusal:
        if is_needed or refusal.code != "auth/not_taking_part":
            raise
        return []
    stored = context.chat.messages(game_id, 0, MAX_MESSAGES)
    return [{**message_json(*each), "player": orjson.loads(each[1]).get("player")} for each in stored]
