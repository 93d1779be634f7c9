"""Challenges: one player asks another for a game."""

from __future__ import annotations

from marshmallow import fields, validate

from service.usecases.requests.challenging import DECLINE_REASONS
from service.web.api import Request, Schema
from service.web.schemas.accounts import Player
from service.web.schemas.fields import choice, flag, text, when, whole
from service.web.schemas.names import CHALLENGE_STATUS, DECLINE_REASON, RULESET
from service.web.schemas.queries import wait_field
from service.web.schemas.request_fields import mixed_field
from service.web.schemas.seeks import ClockSettings, SettingsRequest

MOST_VERSION = 10**15 - 1  # unix ms, with as many digits as Last-Event-ID may have
SHORTEST_ANSWER_S, LONGEST_ANSWER_S = 30, 604_800


class Challenge(Schema):
    """A game that one player offers another."""

    id = text("96 random bits.")
    challenger = fields.Nested(
        Player, required=True, allow_none=True, metadata={"description": "The one who asks; null: no more."}
    )
    challenged = fields.Nested(
        Player,
        required=True,
        allow_none=True,
        metadata={"description": "The one who is asked; null: no more."},
    )
    ruleset = choice(RULESET, "What is to be played.")
    variant = text("The ruleset's: a side of the board.")
    seats = whole("How many seats the game is to have.", 2)
    clock = fields.Nested(
        ClockSettings, required=True, allow_none=True, metadata={"description": "The clock; null: time does not count."}
    )
    rated = flag("Whether the game is to be rated.")
    mixed = flag("Whether the challenger wants to be rated though one of the two is a program.")
    created_at = when("When it was sent.")
    ends_at = when("The moment from which it cannot be accepted any more.")
    status = choice(CHALLENGE_STATUS, "How far it is.")
    reason = choice(DECLINE_REASON, "Why it was declined; null: it was not.", allow_none=True)
    game_id = text("The game that has come of it; null: none.", allow_none=True)


class ChallengeList(Schema):
    """Challenges that wait."""

    received = fields.List(
        fields.Nested(Challenge),
        required=True,
        metadata={"description": "Those for the player, oldest first."},
    )
    sent = fields.List(
        fields.Nested(Challenge),
        required=True,
        metadata={"description": "Those of the player, oldest first."},
    )


class ChallengeRequest(SettingsRequest):
    """What the player wants to play with the other."""

    answer_s = fields.Integer(
        strict=True,
        load_default=300,
        validate=validate.Range(SHORTEST_ANSWER_S, LONGEST_ANSWER_S),
        metadata={"description": "Seconds in which the other may answer."},
    )


class AcceptRequest(Request):
    """What whoever accepts a challenge says."""

    mixed = mixed_field()


class DeclineRequest(Request):
    """Why the player does not want to play."""

    reason = fields.String(
        load_default=DECLINE_REASONS[0],
        validate=validate.OneOf(DECLINE_REASON),
        metadata={"description": "What the challenger is told."},
    )


class ChallengesQuery(Request):
    """Waiting."""

    wait = wait_field("Seconds to wait until a challenge waits for the player; as it is when they run out.")


class ChallengeStreamQuery(Request):
    """Where to go on."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, MOST_VERSION),
        metadata={"description": "The last version the caller has seen."},
    )


class ChallengeQuery(Request):
    """Waiting."""

    wait = wait_field("Seconds to wait until the challenge is answered; as it is when they run out.")
