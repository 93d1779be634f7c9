"""Endpoints that are called: for a seat, or for all seats of a bot."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.clocks import AI_PLAYS_ON
from service.games.endpoints import LONGEST_S, MOST_ATTEMPTS
from service.web.api import Request
from service.web.schemas.names import STAND_IN
from service.web.schemas.request_fields import StrictNumber, secret_field


def attempts_field(description: str) -> fields.Integer:
    """How often an endpoint is asked for one decision."""
    return fields.Integer(
        strict=True,
        load_default=3,
        validate=validate.Range(1, MOST_ATTEMPTS),
        metadata={"description": description},
    )


class EndpointRequest(Request):
    """Where an endpoint is, and how it is called."""

    url = fields.String(
        required=True,
        validate=validate.Length(1, 2000),
        metadata={"description": "The https URL, at a port that the operator allows. It is shown to nobody."},
    )
    secret = secret_field()
    timeout_s = StrictNumber(
        load_default=LONGEST_S,
        validate=validate.Range(0.1, LONGEST_S),
        metadata={"description": "Seconds an answer may take, in all."},
    )


class NewEndpointRequest(EndpointRequest):
    """An endpoint that plays a seat.

    It gets a POST for each decision, signed as https://www.standardwebhooks.com describes.
    """

    attempts = attempts_field("How often it is asked for one decision, after 1, 4, 15 and then 60 seconds again.")
    on_failure = fields.String(
        load_default=AI_PLAYS_ON,
        validate=validate.OneOf(STAND_IN),
        metadata={"description": "When all attempts have failed: an `ai` plays on for good, or the seat must `lose`."},
    )


class BotEndpointRequest(EndpointRequest):
    """An endpoint that is called for each decision of the bot, as for a seat of kind `http`."""

    attempts = attempts_field(
        "How often it is asked for one decision. When all have failed, an AI plays on, or the seat loses where the "
        "game is rated."
    )
