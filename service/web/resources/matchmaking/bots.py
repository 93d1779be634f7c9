"""The bot directory."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.games.creating import NewEndpoint
from service.usecases.matchmaking import bots
from service.web.api import STORE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import issuer
from service.web.http.problems import abort
from service.web.http.responses import json_answer, link_next, with_location
from service.web.schemas.base.endpoint_requests import RotateSecretRequest
from service.web.schemas.matchmaking import bots as bot_schemas

blueprint = Blueprint("bots", __name__, url_prefix="/v1")


@blueprint.route("/bots")
@blueprint.operation("listBots", *STORE_CODES)
@blueprint.response(200, bot_schemas.BotPage, "A page of bots, highest rating first.", headers=("Link",))
@blueprint.arguments(bot_schemas.BotsQuery, location="query")
def list_bots(query: dict[str, Any]) -> Response:
    """List bots.

    Returns the bots that accept challenges. If the operator does not allow outgoing calls, bots with an endpoint are
    not listed.
    """
    cursor, limit = query.pop("cursor", None), query.pop("limit")
    try:
        found, following = bots.list_bots(context(), bots.BotFilters(**query), cursor, limit)
    except ValueError:
        abort("request/invalid", errors={"/cursor": "must be a cursor returned by this operation"}, where="query")
    return link_next(json_answer({"bots": found, "next_cursor": following}), cursor=following)


@blueprint.route("/bots/<player>")
@blueprint.operation("getBot", *STORE_CODES, "player/not_found", "bot/not_found")
@blueprint.response(200, bot_schemas.Bot, "The bot.")
def get_bot(player: str) -> Response:
    """Get a bot by id or handle."""
    return json_answer(bots.get(context(), player))


@blueprint.route("/me/bot", methods=["PUT"])
@blueprint.operation("publishBot", "bot/no_program", "outgoing/off", "limit/bots", access="player")
@blueprint.response(200, bot_schemas.PublishedBot, "The bot.")
@blueprint.arguments(bot_schemas.BotRequest)
def publish_bot(body: dict[str, Any]) -> Response:
    """Publish or update your bot.

    Adds the player to the directory, so that others can challenge it. Requires a player created with `bot`. Challenges
    outside the published limits are rejected with `bot/declines`.
    """
    endpoint = None if body["endpoint"] is None else NewEndpoint(**body["endpoint"])
    bounds = {name: (body[name]["least"], body[name]["most"]) for name in ("turn_s", "bank_s")}
    lists = {name: tuple(dict.fromkeys(body[name])) for name in ("rulesets", "seats")}
    return json_answer(
        bots.publish(context(), caller(), bots.NewBot(**{**body, **bounds, **lists, "endpoint": endpoint}))
    )


@blueprint.route("/me/bot", methods=["DELETE"])
@blueprint.operation("withdrawBot", "bot/not_found", access="player")
@blueprint.response(204, description="The bot is no longer in the directory.")
def withdraw_bot() -> None:
    """Withdraw your bot from the directory.

    The player remains, and its games go on.
    """
    bots.withdraw(context(), caller())


@blueprint.route("/me/bot/secret", methods=["POST"])
@blueprint.operation("rotateBotSecret", "bot/not_found", "bot/no_endpoint", access="player")
@blueprint.response(201, bot_schemas.PublishedBot, "The bot and its new secret.")
@blueprint.arguments(RotateSecretRequest, required=False)
@blueprint.repeatable()
def rotate_bot_secret(body: dict[str, Any]) -> Response:
    """Rotate the secret of your bot's endpoint.

    Applies to running games, too. Works like `rotateWebhookSecret`.
    """
    return json_answer(bots.rotate_secret(context(), caller(), **body, issuer=issuer()), 201)


@blueprint.route("/me/bot/old-secrets", methods=["DELETE"])
@blueprint.operation("endOldBotSecrets", "bot/not_found", "bot/no_endpoint", access="player")
@blueprint.response(204, description="Only the current secret signs.")
def end_old_bot_secrets() -> None:
    """End the old secrets of your bot's endpoint at once."""
    bots.end_old_secrets(context(), caller())


@blueprint.route("/me/bots", methods=["POST"])
@blueprint.operation("adoptBot", "bot/not_found", "player/yourself", "limit/bots", access="player")
@blueprint.response(201, bot_schemas.Bot, "The bot.", headers=("Location",))
@blueprint.arguments(bot_schemas.AdoptRequest)
@blueprint.repeatable()
def adopt_bot(body: dict[str, Any]) -> Response:
    """Become a bot's owner.

    Send your own token in `Authorization` and the bot's token in the body. Replaces the previous owner.
    """
    bot = bots.adopt(context(), caller(), body["token"])
    return with_location(bot, 201, f"/v1/bots/{bot['player']['id']}")


@blueprint.route("/me/bots")
@blueprint.operation("listMyBots", access="player")
@blueprint.response(200, bot_schemas.OwnBots, "The bots.")
def list_my_bots() -> Response:
    """List your bots."""
    return json_answer({"bots": bots.owned_bots(context(), caller())})


@blueprint.route("/me/bots/<player>", methods=["DELETE"])
@blueprint.operation("releaseBot", "bot/not_found", access="player")
@blueprint.response(204, description="You no longer own the bot.")
def release_bot(player: str) -> None:
    """Remove yourself as a bot's owner."""
    bots.release(context(), caller(), player)
