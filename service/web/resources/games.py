"""Games: create, list, read, start, end."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import orjson
from flask import Response

from service.cases import Caller, creating, playing, reading
from service.cases.creating import NewGame, NewSeat
from service.web import requests, schemas
from service.web.answers import conditional, json_answer, link_next, not_modified, spoken, url, written
from service.web.api import GAME_CODES, KEY_CODES, REVISION_CODES, STORE_CODES, TOKEN_CODES, Blueprint, View
from service.web.callers import caller
from service.web.conditions import expected_revision, idempotency, known_revisions, knows
from service.web.members import PAGE
from service.web.problems import abort
from service.web.resources import cases

blueprint = Blueprint("games", __name__, url_prefix="/v1")
WRITTEN = ("ETag", "Location", "Content-Language", "Vary", "Idempotency-Replayed")


@blueprint.route("/games", methods=["POST"])
@blueprint.operation("createGame", *STORE_CODES)
@blueprint.headers("UnguessableKey", codes=KEY_CODES)
@blueprint.response(201, schemas.CreatedGame, description="The game and its tokens.", headers=("Location", "ETag"))
@blueprint.arguments(requests.CreateGameRequest)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game; it starts at once where no seat is open."""
    seats = tuple(NewSeat(**seat) for seat in body.pop("seats"))
    seed = None if body["seed"] is None else bytes.fromhex(body["seed"])
    made = creating.create(cases(), NewGame(**{**body, "seats": seats, "seed": seed}), idempotency(scoped=False))
    answer = json_answer(made, 201)
    answer.headers["Location"] = url(f"/v1/games/{made['game']['id']}")
    answer.headers["ETag"] = f'"{made["game"]["revision"]}"'
    return answer


@blueprint.route("/games")
@blueprint.operation("listGames", *STORE_CODES)
@blueprint.response(200, schemas.GamePage, description="A page of public games, last changed first.", headers=("Link",))
@blueprint.arguments(requests.ListGamesQuery, location="query")
def list_games(query: dict[str, Any]) -> Response:
    """List public games."""
    try:
        games, cursor = reading.listing(cases(), **query)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "is not a cursor"}, where="query")
    answer = json_answer({"games": games, "next_cursor": cursor})
    if cursor is not None:
        link_next(answer, cursor=cursor)
    return answer


@blueprint.route("/games/<game_id>")
@blueprint.operation("getGame", *GAME_CODES, access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(200, schemas.Game, description="The game.", headers=("ETag", "Content-Language", "Vary"))
@blueprint.response(304, description="The caller has this revision already.", headers=("ETag",))
@blueprint.arguments(requests.GetGameQuery, location="query")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Read a game; with `wait`, as soon as it is newer than what the caller has."""
    asking = caller()
    revision, view = reading.glance(cases(), asking, game_id)
    if query["wait"] and knows(revision) and revision in known_revisions():
        newer = reading.wait(cases(), asking, game_id, revision, query["wait"])
        revision, view = newer or (revision, view)
    if "include" in query:
        return _with_actions(asking, game_id, revision, view)
    return conditional(revision, view)


def _with_actions(asking: Caller, game_id: str, revision: int, view: bytes) -> Response:
    if knows(revision):
        answer = not_modified()
        answer.headers["ETag"] = f'"{revision}"'
        return spoken(answer)
    legal = reading.legal(cases(), asking, game_id, page=slice(PAGE))
    if legal["revision"] != revision:
        view = reading.at(cases(), asking, game_id, legal["revision"])
    actions = {"actions": legal["actions"], "actions_total": legal["total"]}
    content = b"%b,%b" % (view[:-1], orjson.dumps(actions)[1:])  # one object out of two, without decoding the view
    return spoken(conditional(legal["revision"], content))


def _decision(operation_id: str, *codes: str) -> Callable[[View], View]:
    """What the decorators of start, resignation and abort have in common."""
    decorators = (
        blueprint.operation(operation_id, *GAME_CODES, *TOKEN_CODES, *codes, access="required"),
        blueprint.headers("IfMatch", "IdempotencyKey", "AcceptLanguage", codes=(*REVISION_CODES, *KEY_CODES)),
        blueprint.response(201, schemas.Decided, description="What it did.", headers=WRITTEN),
        blueprint.arguments(requests.DecideRequest, required=False),
    )
    return lambda view: functools.reduce(lambda made, decorate: decorate(made), reversed(decorators), view)


@blueprint.route("/games/<game_id>/start", methods=["POST"])
@_decision("startGame", "auth/host_only", "game/already_started", "game/over")
def start_game(body: dict[str, Any], game_id: str) -> Response:
    """Start a game as its host; AIs take the seats that are still open."""
    return written(creating.start(cases(), caller(), game_id, expected_revision(body), idempotency()))


@blueprint.route("/games/<game_id>/resignation", methods=["POST"])
@_decision("resign", "auth/wrong_seat", "game/not_started", "game/over", "game/resigned")
def resign(body: dict[str, Any], game_id: str) -> Response:
    """Give up the caller's seat; an AI plays on for it, or the game ends where one seat is left."""
    return written(playing.resign(cases(), caller(), game_id, expected_revision(body), idempotency()))


@blueprint.route("/games/<game_id>/abort", methods=["POST"])
@_decision("abort", "auth/host_only", "game/over", "game/too_late_to_abort")
def abort_game(body: dict[str, Any], game_id: str) -> Response:
    """End a game without an outcome, as its host."""
    return written(playing.abort(cases(), caller(), game_id, expected_revision(body), idempotency()))
