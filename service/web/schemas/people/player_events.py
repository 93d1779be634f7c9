"""Schemas of a player's stream."""

from __future__ import annotations

from marshmallow import fields

from service.usecases.people.player_events import CHALLENGE_CHANGED, GAME_CHANGED, GAME_LEFT, STANDING_CHANGED
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import PlayerStanding
from service.web.schemas.base.fields import array, choice, constant, counter, flag, nest, text
from service.web.schemas.base.names import GAME_STATUS
from service.web.schemas.base.queries import query_flag, query_integer
from service.web.schemas.base.unions import tagged_union
from service.web.schemas.games.games import Offer
from service.web.schemas.matchmaking.challenges import MAX_VERSION, Challenge


class GameChanged(Schema):
    """A game of the player has started, changed or ended. Get it with `getGame` if you show it."""

    kind = constant(GAME_CHANGED)
    game_id = text()
    revision = counter("The game's revision.", 1)
    status = choice(GAME_STATUS)
    seats = array(fields.Integer(), "The player's seats.")
    your_turn = flag("Whether the game waits for the player's decision.")
    offers = array(Offer, "The open offers. `awaiting` contains the seats that have not answered.")


class GameLeft(Schema):
    """The player no longer has a seat in the game."""

    kind = constant(GAME_LEFT)
    game_id = text()


class ChallengeChanged(Schema):
    """A challenge to or from the player was created, answered or withdrawn, or has expired."""

    kind = constant(CHALLENGE_CHANGED)
    challenge = nest(Challenge)


class StandingChanged(Schema):
    """Moderators have warned, muted or excluded the player, or have ended that."""

    kind = constant(STANDING_CHANGED)
    standing = nest(PlayerStanding)


PlayerEvent = tagged_union(
    "PlayerEvent",
    "kind",
    {
        GAME_CHANGED: GameChanged,
        GAME_LEFT: GameLeft,
        CHALLENGE_CHANGED: ChallengeChanged,
        STANDING_CHANGED: StandingChanged,
    },
    "The state of a game or challenge of the player, or their standing, after a change.",
)


class PlayerEventsQuery(Request):
    """Where to resume, and whether others see it."""

    hidden = query_flag("Whether the stream does not count as being online; see `listFollowing`.", load_default=False)
    after = query_integer("Id of the last event that the client has received.", 0, MAX_VERSION, load_default=None)
