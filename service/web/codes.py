"""The codes of problem documents and their HTTP status. The texts are in `texts`.

Responses, the OpenAPI document and the page at /docs are generated from this table. Codes never change and are never
reused. An error that clients must handle differently has its own code.
"""

from __future__ import annotations

from pathlib import Path

from service.rulesets.texts import LANGUAGES, Texts

TEXTS = Texts(Path(__file__).parent / "texts")
CODES = {
    # requests
    "request/malformed": 400,
    "request/bad_etag": 400,
    "request/not_found": 404,
    "request/method_not_allowed": 405,
    "request/not_acceptable": 406,
    "request/timeout": 408,
    "request/too_large": 413,
    "request/unsupported_media_type": 415,
    "request/unsupported_encoding": 415,
    "request/invalid": 422,
    # callers
    "auth/token_required": 401,
    "auth/token_unknown": 401,
    "auth/read_only": 403,
    "auth/wrong_seat": 403,
    "auth/host_only": 403,
    "auth/invite_required": 403,
    "auth/player_required": 403,
    "auth/not_taking_part": 403,
    "auth/banned": 403,
    "auth/staff_only": 403,
    "auth/admin_only": 403,
    "auth/ticket_unknown": 401,
    "auth/api_key_required": 401,
    "auth/api_key_unknown": 401,
    "auth/not_owner": 403,
    # players
    "player/not_found": 404,
    "player/handle_taken": 409,
    "player/handle_too_soon": 409,
    "player/blocked": 403,
    "player/banned": 403,
    "player/muted": 403,
    "player/yourself": 409,
    "bot/not_found": 404,
    "bot/no_program": 409,
    "bot/no_endpoint": 409,
    "bot/declines": 409,
    "bot/busy": 409,
    "challenge/not_found": 404,
    "challenge/answered": 409,
    "seek/not_found": 404,
    # staff
    "staff/not_found": 404,
    "report/not_found": 404,
    "message/not_found": 404,
    "staff/last_admin": 409,
    "process/not_found": 404,
    # competitions
    "competition/not_found": 404,
    "competition/closed": 409,
    "competition/full": 409,
    "competition/not_for_you": 403,
    "competition/invitation": 403,
    "competition/removed": 403,
    "competition/not_entered": 409,
    "competition/too_few": 409,
    "competition/own_game": 403,
    # identities
    "identity/no_sign_in": 404,
    "identity/wrong_secret": 403,
    "identity/refused": 422,
    "identity/unavailable": 503,
    "identity/taken": 409,
    "identity/linked": 409,
    "identity/unknown": 404,
    "identity/busy": 409,
    "identity/not_found": 404,
    "token/not_found": 404,
    # calls to the outside
    "outgoing/off": 403,
    "webhook/not_found": 404,
    "webhook/disabled": 409,
    "delivery/not_found": 404,
    "delivery/waiting": 409,
    "device/not_found": 404,
    # tasks
    "task/not_found": 404,
    # rulesets
    "ruleset/not_found": 404,
    "ruleset/no_picture": 404,
    # puzzles
    "puzzle/not_found": 404,
    # games
    "game/not_found": 404,
    "game/help_forbidden": 403,
    "game/nobody_decides": 409,
    "game/revision_not_found": 404,
    "game/rebased": 410,
    "game/not_started": 409,
    "game/already_started": 409,
    "game/over": 409,
    "game/not_your_turn": 409,
    "game/illegal_action": 409,
    "game/stale_revision": 412,
    "game/revision_required": 428,
    "game/revision_conflict": 400,
    "game/full": 409,
    "game/seat_taken": 409,
    "game/not_ready": 409,
    "game/rated": 409,
    "game/in_competition": 409,
    "game/not_rated": 409,
    "game/not_mixed": 409,
    "game/already_seated": 409,
    "game/too_late_to_abort": 409,
    "game/resigned": 409,
    "game/timed_out": 409,
    "game/away": 409,
    "game/time_is_up": 409,
    "game/paused": 409,
    "game/not_paused": 409,
    "game/not_over": 409,
    "game/not_reviewed": 404,
    "game/log_full": 409,
    # offers
    "offer/not_found": 409,
    "offer/not_asked": 409,
    "offer/open": 409,
    "offer/declined": 409,
    "offer/nothing_to_take_back": 409,
    # records
    "record/illegal_event": 422,
    "notation/unreadable": 422,
    # idempotency
    "idempotency/bad_key": 400,
    "idempotency/mismatch": 422,
    "idempotency/running": 503,
    # limits
    "limit/requests": 429,
    "limit/streams": 429,
    "limit/open_games": 429,
    "limit/background": 429,
    "limit/aborted_games": 429,
    "limit/excluded": 429,
    "limit/reports": 429,
    "limit/challenges": 409,
    "limit/seeks": 409,
    "limit/competitions": 409,
    "limit/blocked": 409,
    "limit/following": 409,
    "limit/tokens": 409,
    "limit/devices": 409,
    "limit/bots": 409,
    "limit/webhooks": 409,
    "limit/attempts": 409,
    # service
    "service/unavailable": 503,
    "service/damaged": 503,
    "service/newer_version": 503,
    "service/compiling": 503,
    "service/maintenance": 503,
    "service/not_ready": 503,
    "service/internal": 500,
}

LIMITS_ELSEWHERE = ("bot/busy", "competition/full", "player/handle_too_soon")
"""Codes of limits besides `limit/...`."""


def is_limit(code: str) -> bool:
    """Return whether a code means that a limit is reached. Such refusals have the header Retry-After."""
    return code.startswith("limit/") or code in LIMITS_ELSEWHERE


def title(code: str, language: str) -> str:
    """Return the title of a code in a language."""
    return TEXTS.message(language, _message_id(code))


def advice(code: str) -> str:
    """Return what a client can do about a code, in English Markdown."""
    return TEXTS.message(LANGUAGES[0], f"{_message_id(code)}-help")


def _message_id(code: str) -> str:
    return code.replace("/", "-").replace("_", "-")
