"""Games as records, to be kept, replayed and checked elsewhere."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.cases import records
from service.cases.creating import NewGame, NewSeat
from service.games.clocks import ClockRule
from service.web import queries, record_schemas, requests, schemas
from service.web.answers import conditional, spoken, with_game
from service.web.api import GAME_CODES, KEY_CODES, STORE_CODES, Blueprint
from service.web.callers import caller
from service.web.conditions import idempotency
from service.web.incoming import OF_A_RECORD
from service.web.resources import cases

blueprint = Blueprint("records", __name__, url_prefix="/v1/games")
OF_A_NEW_GAME = ("ruleset", "variant", "first_seat", "position")


@blueprint.route("/<game_id>/export")
@blueprint.operation("exportGame", *GAME_CODES, "game/rebased", access="optional")
@blueprint.headers("IfNoneMatch", "AcceptLanguage")
@blueprint.response(
    200, record_schemas.GameRecord, description="The record.", headers=("ETag", "Content-Language", "Vary")
)
@blueprint.response(304, description="The caller has it already.", headers=("ETag",))
@blueprint.arguments(queries.NoQuery, location="query")
def export_game(_query: dict[str, Any], game_id: str) -> Response:
    """Write a game out as one self-contained record: what was agreed, the log, and the seed once it is over."""
    return spoken(conditional(*records.export(cases(), caller(), game_id)))


@blueprint.route("/import", methods=["POST"])
@blueprint.operation("importGame", *STORE_CODES, "auth/token_unknown", "record/illegal_event", access="optional")
@blueprint.headers("UnguessableKey", codes=KEY_CODES)
@blueprint.response(201, schemas.CreatedGame, description="The game and its tokens.", headers=("Location", "ETag"))
@blueprint.arguments(requests.ImportGameRequest, caps=OF_A_RECORD)
def import_game(body: dict[str, Any]) -> Response:
    """Read a record in as a new game; every event is played again, and the first that cannot be is told."""
    new = NewGame(
        **{name: body[name] for name in OF_A_NEW_GAME},
        seats=tuple(NewSeat(**seat) for seat in body["seats"]),
        seed=None if body["seed"] is None else bytes.fromhex(body["seed"]),
        clock=None if body["clock"] is None else ClockRule(**body["clock"]),
    )
    made = records.import_game(cases(), caller(), new, body, idempotency(scoped=False))
    return with_game(made)
