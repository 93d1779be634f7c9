"""Chat of a game, and tickets for browser streams."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.games import chat, tickets
from service.web.api import GAME_CODES, READ_ONLY, ROLE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import idempotency
from service.web.http.responses import json_answer
from service.web.schemas.base import queries, requests
from service.web.schemas.games import games as game_schemas

blueprint = Blueprint("messages", __name__, url_prefix="/v1/games/<game_id>")
SENDING_CODES = ("auth/wrong_seat", "player/blocked", "player/muted")
MESSAGE_CODES = (*GAME_CODES, *ROLE_CODES)


@blueprint.route("/messages")
@blueprint.operation("listMessages", *MESSAGE_CODES, access="required")
@blueprint.response(200, game_schemas.Messages, "The messages.")
@blueprint.arguments(queries.MessagesQuery, location="query")
def list_messages(query: dict[str, Any], game_id: str) -> Response:
    """List the messages of a game.

    With `wait`, the response is delayed until there is a new message.
    """
    messages = chat.messages(context(), caller(), game_id, query["after"], query["limit"], query["wait"])
    return json_answer({"messages": messages})


@blueprint.route("/messages", methods=["POST"])
@blueprint.operation("sendMessage", *MESSAGE_CODES, READ_ONLY, *SENDING_CODES, access="required")
@blueprint.response(201, game_schemas.Message, "The message.")
@blueprint.arguments(requests.SayRequest)
@blueprint.repeatable()
def send_message(body: dict[str, Any], game_id: str) -> Response:
    """Send a message to the players of a game.

    Messages are not part of the log and do not change the revision.
    """
    return json_answer(chat.post_message(context(), caller(), game_id, body["text"], body["seat"], idempotency()), 201)


@blueprint.route("/tickets", methods=["POST"])
@blueprint.operation("createTicket", *GAME_CODES, *ROLE_CODES, access="required")
@blueprint.response(201, game_schemas.Ticket, "The ticket.")
@blueprint.arguments(requests.NothingRequest, required=False)
@blueprint.repeatable("UnguessableKey")
def create_ticket(_body: dict[str, Any], game_id: str) -> Response:
    """Create a ticket for the event stream.

    Use it where a browser cannot send `Authorization`. A ticket opens one stream, within a minute.
    """
    return json_answer(tickets.issue(context(), caller(changes=False), game_id), 201)
