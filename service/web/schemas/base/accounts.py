"""Schemas of players and their tokens."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, fields, missing, validate

from service.storage.people.players import BLOCKED, FOLLOWED, MAX_TOKENS
from service.usecases.base.handles import MAX_LENGTH, MIN_LENGTH, PATTERN, error_of
from service.web.api import Request, Schema
from service.web.schemas.base.fields import array, choice, flag, instant, matching, nest, text
from service.web.schemas.base.names import RULESET, SCOPE
from service.web.schemas.base.request_fields import optional_name

COUNTRIES = (  # ISO 3166-1 alpha-2
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ "
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO "
    "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE "
    "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO "
    "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW "
    "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM "
    "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW "
)


class Player(Schema):
    """The public profile of a player."""

    id = text()
    handle = text("Unique name to find the player by. Null if not set.", allow_none=True)
    name = text("Display name, not unique. Null if not set.", allow_none=True)
    bot = flag("Whether the player is a program.")
    colour = text("Colour as `#rrggbb`, or null.", allow_none=True)
    country = text("ISO 3166-1 alpha-2 code chosen by the player, or null.", allow_none=True)
    created_at = instant()


class PlayerWarning(Schema):
    """A warning of the moderators."""

    at = instant()
    reason = text(allow_none=True)


class PlayerStanding(Schema):
    """What moderators have imposed on a player."""

    warning = nest(PlayerWarning, "The last warning, or null.", allow_none=True)
    muted_until = instant("End of the mute; null if the player can send messages.", allow_none=True)
    muted_reason = text("Reason of the mute, or null.", allow_none=True)
    unrated_until = instant("End of the exclusion; null if the player can get rated games.", allow_none=True)
    unrated_reason = text("Reason of the exclusion, or null.", allow_none=True)


class OwnPlayer(Player):
    """The caller's own player."""

    standing = nest(PlayerStanding)


class CreatedPlayer(Schema):
    """A new player and their token, which is shown only once."""

    player = nest(Player)
    token = text("Bearer token. Seats claimed with it belong to the player.")


class Token(Schema):
    """A token without its value, which is shown only on creation."""

    id = text("Id of the token; not the token itself.")
    name = text("Name given by the player, such as a device, or null.", allow_none=True)
    scopes = array(choice(SCOPE))
    created_at = instant()
    used_at = instant("Time of the last use, accurate to a few days; null if never used.", allow_none=True)
    current = flag("Whether this request used the token.")


class TokenList(Schema):
    """The player's tokens."""

    tokens = array(Token, f"Oldest first, at most {MAX_TOKENS}.")


class CreatedToken(Schema):
    """A new token, which is shown only once."""

    token = text()
    details = nest(Token)


class Blocked(Schema):
    """A blocked player."""

    id = text()
    player = nest(Player, "The player, or null if the account was deleted.", allow_none=True)
    blocked_at = instant()


class BlockedList(Schema):
    """The players blocked by the caller."""

    blocked = array(Blocked, f"Oldest first, at most {BLOCKED.most}.")


class Followed(Schema):
    """A followed player."""

    player = nest(Player)
    online = flag(
        "Whether the player has a stream of their own events open that is not `hidden`. "
        "For a published bot, whether it can start a game now."
    )
    followed_at = instant()


class FollowingList(Schema):
    """The players that the caller follows."""

    following = array(Followed, f"Oldest first, at most {FOLLOWED.most}. Banned and deleted players are omitted.")


class LinkedIdentity(Schema):
    """An identity that the player can sign in with."""

    provider = text()
    linked_at = instant()


def _colour(**options: Any) -> fields.String:
    error = "must be # followed by six lowercase hexadecimal digits"
    return matching("^#[0-9a-f]{6}$", error, "Colour as `#rrggbb`, in lowercase.", allow_none=True, **options)


def known_country(code: str) -> None:
    """Raise ValidationError unless this is the code of a country."""
    if not re.fullmatch("[A-Z]{2}", code) or code not in COUNTRIES:
        raise ValidationError("must be an uppercase ISO 3166-1 alpha-2 country code")


def _country(**options: Any) -> fields.String:
    return fields.String(
        allow_none=True,
        validate=known_country,
        metadata={"description": "ISO 3166-1 alpha-2 code, in uppercase.", "pattern": "^[A-Z]{2}$"},
        **options,
    )


def possible_handle(word: str) -> None:
    """Raise ValidationError unless a player may have this handle."""
    if (fault := error_of(word, RULESET)) is not None:
        raise ValidationError(fault)


class CreatePlayerRequest(Request):
    """The player to create."""

    name = optional_name()
    bot = flag("Whether the player is a program. Cannot be changed later.", load_default=False)
    colour = _colour(load_default=None)
    country = _country(load_default=None)


class ChangePlayerRequest(Request):
    """Changes to a player. Omitted members stay unchanged; null removes a value."""

    name = optional_name(load_default=missing)
    colour = _colour(required=False)
    country = _country(required=False)


class HandleRequest(Request):
    """The handle to take."""

    handle = fields.String(
        required=True,
        validate=possible_handle,
        metadata={
            "minLength": MIN_LENGTH,
            "maxLength": MAX_LENGTH,
            "pattern": f"^{PATTERN}$",
            "description": f"{MIN_LENGTH} to {MAX_LENGTH} characters: ASCII letters and digits, starting with a "
            "letter, with single dashes or underscores between them. Uniqueness ignores case, dashes and underscores, "
            "and equates similar letters: `1`, `i` and `l`; `0` and `o`; `rn` and `m`.",
        },
    )


class CreateTokenRequest(Request):
    """The token to create."""

    name = optional_name("Name of the token, such as a device.")
    scopes = array(
        choice(SCOPE), "`play` includes `read`.", validate=validate.Length(1, 2), load_default=["play", "read"]
    )
