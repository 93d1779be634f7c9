"""Schemas of seeks: players who look for opponents."""

from __future__ import annotations

from service.rulesets.seats import MAX_SEATS
from service.usecases.matchmaking.seeking import LEAVE_S, MAX_SHOWN
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.checked_requests import Faults, Members
from service.web.schemas.base.fields import UNTIMED, VARIANT, array, choice, flag, instant, integer, nest, text
from service.web.schemas.base.names import LEVEL, RULESET, SEEK_STATUS
from service.web.schemas.base.queries import query_integer, wait_field
from service.web.schemas.base.request_fields import mixed_field
from service.web.schemas.base.requests import ClockRequest, RulesetRequest
from service.web.schemas.games.games import ClockSettings

LONGEST_KEPT_S = 86_400
LONGEST_FILL_S = 3_600
WIDEST_RANGE = 5_000


class Fill(Schema):
    """AIs that fill empty seats."""

    level = text("Level of the AIs.")
    after_s = integer("Seconds to wait before the AIs take seats.")


class Seek(Schema):
    """A player who looks for opponents."""

    id = text()
    player = nest(Player)
    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = integer("Number of seats.", 2)
    clock = nest(ClockSettings, UNTIMED, allow_none=True)
    rated = flag()
    points = integer("The player's rating for this game; 1500 for a new player.", None)
    rating_range = integer(
        "Initial maximum rating difference, or null for any. It grows while the player waits.", allow_none=True
    )
    mixed = flag("Whether to allow rated games of people and bots.")
    fill = nest(Fill, "AIs that fill empty seats, or null.", allow_none=True)
    created_at = instant()
    ends_at = instant("When the seek expires unless the player polls it; null if no longer open.", allow_none=True)
    status = choice(SEEK_STATUS)
    game_id = text("Id of the resulting game, or null.", allow_none=True)


class SeekList(Schema):
    """Open seeks."""

    seeks = array(Seek, f"Longest waiting first, at most {MAX_SHOWN}.")


class FillRequest(Request):
    """AIs that fill empty seats."""

    level = choice(LEVEL, "Level of the AIs.")
    after_s = integer("Seconds to wait before the AIs take seats.", 0, LONGEST_FILL_S, load_default=30)


class SettingsRequest(RulesetRequest):
    """Settings of a game to offer."""

    ruleset = choice(RULESET)
    variant = text(VARIANT, 40)
    clock = nest(ClockRequest, UNTIMED, load_default=None)
    rated = flag("Whether the game is rated. Rated games require a clock and are public.", load_default=False)
    mixed = mixed_field()

    def contradictions(self, members: Members) -> Faults:
        """Return what the ruleset lacks, and the missing clock of a rated game."""
        faults = super().contradictions(members)
        if members.valid.get("rated") and "clock" in members.valid and members.valid["clock"] is None:
            faults["/clock"] = "is required in a rated game"
        return faults


class SeekRequest(SettingsRequest):
    """The seek to create."""

    seats = integer("Number of seats.", 2, MAX_SEATS, load_default=2)
    rating_range = integer(
        "Maximum rating difference, or null for any. It doubles after 30 seconds, triples after 60, and so on.",
        0,
        WIDEST_RANGE,
        load_default=None,
    )
    fill = nest(FillRequest, "AIs that fill empty seats, or null to wait for people.", load_default=None)
    keep_s = integer(
        "Seconds that the seek stays open without polling. Use a long time if a webhook receives `game_started`.",
        LEAVE_S,
        LONGEST_KEPT_S,
        load_default=60,
    )


class JoinRequest(Request):
    """Options for joining a seek."""

    mixed = mixed_field()


class LobbyQuery(Request):
    """Filters of the lobby."""

    ruleset = choice(RULESET, "Filter by ruleset.", required=False)
    variant = text("Filter by variant.", 40, required=False)
    seats = query_integer("Filter by number of seats.", 2, MAX_SEATS)


class SeekQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for a game before returning the current state.")
