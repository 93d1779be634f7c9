"""Schemas of challenges from one player to another."""

from __future__ import annotations

from service.usecases.matchmaking.challenging import DECLINE_REASONS
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import UNTIMED, VARIANT, array, choice, flag, instant, integer, nest, text
from service.web.schemas.base.names import CHALLENGE_STATUS, DECLINE_REASON, RULESET
from service.web.schemas.base.queries import query_integer, wait_field
from service.web.schemas.base.request_fields import mixed_field
from service.web.schemas.games.games import ClockSettings
from service.web.schemas.matchmaking.seeks import SettingsRequest

MAX_VERSION = 10**15 - 1  # unix ms, with as many digits as Last-Event-ID may have
SHORTEST_ANSWER_S, LONGEST_ANSWER_S = 30, 259_200


class Challenge(Schema):
    """An offer of a game to another player."""

    id = text()
    challenger = nest(Player, "The sender, or null if the account was deleted.", allow_none=True)
    challenged = nest(Player, "The recipient, or null if the account was deleted.", allow_none=True)
    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = integer("Number of seats.", 2)
    clock = nest(ClockSettings, UNTIMED, allow_none=True)
    rated = flag()
    mixed = flag("Whether to allow rated games of people and bots.")
    created_at = instant()
    ends_at = instant("When the challenge expires.")
    status = choice(CHALLENGE_STATUS)
    reason = choice(DECLINE_REASON, "Why the challenge was declined, or null.", allow_none=True)
    game_id = text("Id of the resulting game, or null.", allow_none=True)


class ChallengeList(Schema):
    """Open challenges."""

    received = array(Challenge, "Challenges to the player, oldest first.")
    sent = array(Challenge, "Challenges from the player, oldest first.")


class ChallengeRequest(SettingsRequest):
    """The game to offer."""

    answer_s = integer("Seconds until the challenge expires.", SHORTEST_ANSWER_S, LONGEST_ANSWER_S, load_default=300)


class AcceptRequest(Request):
    """Options for accepting a challenge."""

    mixed = mixed_field()


class DeclineRequest(Request):
    """Reason for declining a challenge."""

    reason = choice(DECLINE_REASON, "Reason shown to the challenger.", load_default=DECLINE_REASONS[0])


class ChallengesQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for a challenge to the player before returning the current list.")


class ChallengeStreamQuery(Request):
    """Where to resume."""

    after = query_integer("Last version that the client has seen.", 0, MAX_VERSION, load_default=None)


class ChallengeQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for an answer before returning the current state.")
