"""Schemas of endpoints that the service calls, for a seat or for all seats of a bot, and of their secrets."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.state.clocks import AI_PLAYS_ON
from service.games.state.endpoints import LONGEST_S, MAX_ATTEMPTS
from service.outgoing.signing import MAX_OVERLAP_S, OVERLAP_S
from service.web.api import Request
from service.web.schemas.base.fields import choice, integer, number
from service.web.schemas.base.names import STAND_IN
from service.web.schemas.base.request_fields import secret_field, url_field


def attempts_field(description: str) -> fields.Integer:
    """Return the field for the number of attempts per decision."""
    return integer(description, 1, MAX_ATTEMPTS, load_default=3)


class EndpointRequest(Request):
    """URL and call settings of an endpoint."""

    url = url_field("HTTPS URL on a port that the operator allows. Never shown.")
    secret = secret_field()
    timeout_s = number(
        "Time limit for the complete response, in seconds.",
        validate=validate.Range(0.1, LONGEST_S),
        load_default=LONGEST_S,
    )


class NewEndpointRequest(EndpointRequest):
    """An endpoint that plays a seat.

    It receives a POST for each decision, signed according to https://www.standardwebhooks.com.
    """

    attempts = attempts_field("Attempts per decision, with pauses of 1, 4, 15 and then 60 seconds.")
    on_failure = choice(STAND_IN, "Consequence if all attempts fail.", load_default=AI_PLAYS_ON)


class RotateSecretRequest(Request):
    """A new secret, and how long the old ones still sign."""

    secret = secret_field()
    overlap_s = integer(
        "Seconds for which old secrets still sign, beside the new one. 0: they end at once.",
        most=MAX_OVERLAP_S,
        load_default=OVERLAP_S,
    )


class BotEndpointRequest(EndpointRequest):
    """An endpoint that is called for each decision of the bot, as for `http` seats."""

    attempts = attempts_field("Attempts per decision. If all fail, an AI takes over; in rated games the seat loses.")
