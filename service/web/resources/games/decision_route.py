"""Decorators shared by all operations that add events to a game."""

from __future__ import annotations

import functools
from collections.abc import Callable

from service.web.api import GAME_CODES, READ_ONLY, ROLE_CODES, Blueprint, Request, View
from service.web.http.responses import WRITTEN
from service.web.schemas.base import requests
from service.web.schemas.games import events as event_schemas

PLAYING_CODES = ("auth/wrong_seat", "game/not_started", "game/over")
ACTIVE_CODES = ("game/resigned", "game/timed_out", "game/away")
OFFER_CODES = (
    *(*PLAYING_CODES, *ACTIVE_CODES, "game/time_is_up", "game/paused", "game/log_full"),
    *("offer/open", "offer/declined"),
)


def decision(
    blueprint: Blueprint,
    operation_id: str,
    *codes: str,
    body: type[Request] = requests.DecideRequest,
    required: bool = False,
) -> Callable[[View], View]:
    """Return a decorator for a view that receives the body and returns the new events and the game after them."""
    decorators = (
        blueprint.operation(operation_id, *GAME_CODES, *ROLE_CODES, READ_ONLY, *codes, access="required"),
        blueprint.headers("IfMatch", "IdempotencyKey", "AcceptLanguage"),
        blueprint.response(
            201, event_schemas.Decided, description="The new events, and the game after them.", headers=WRITTEN
        ),
        blueprint.arguments(body, required=required),
    )
    return lambda undecorated: functools.reduce(
        lambda view, decorate: decorate(view), reversed(decorators), undecorated
    )
