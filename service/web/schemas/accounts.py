"""Players as everybody sees them, and what is theirs alone: their tokens."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import ValidationError, fields, missing, validate

from service.storage.players import MOST_BLOCKED, MOST_TOKENS
from service.usecases.core.handles import LONGEST, PATTERN, SHORTEST, fault_of
from service.web.api import Request, Schema
from service.web.schemas.fields import choice, flag, text, when
from service.web.schemas.names import RULESET, SCOPE
from service.web.schemas.request_fields import StrictBoolean, person_name

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
    """Somebody who plays, as everybody may see them."""

    id = text("96 random bits; everybody may know it.")
    handle = text("The unique word that the player is found by; null: they chose none.", allow_none=True)
    name = text("The name for people; it need not be unique.", allow_none=True)
    bot = flag("Whether it is a program.")
    colour = text("The player's colour, `#rrggbb`.", allow_none=True)
    country = text("ISO 3166-1 alpha-2, as the player says it.", allow_none=True)
    created_at = when("When the player was created.")


class CreatedPlayer(Schema):
    """A player and a token of theirs, which is shown once."""

    player = fields.Nested(Player, required=True)
    token = text("Bearer token; seats claimed with it are the player's.")


class Token(Schema):
    """What is known of a token. The token itself is told only when it is made."""

    id = text("Names the token in the list; it tells nothing about the token itself.")
    name = text("The name its player gave it, for example that of a device.", allow_none=True)
    scopes = fields.List(
        choice(SCOPE, "What it is good for."), required=True, metadata={"description": "All that it is good for."}
    )
    created_at = when("When it was made.")
    used_at = when("When it was used, give or take some days; null: never since it was made.", allow_none=True)
    current = flag("Whether it is the one that this request was sent with.")


class TokenList(Schema):
    """The player's tokens."""

    tokens = fields.List(
        fields.Nested(Token), required=True, metadata={"description": f"Oldest first, at most {MOST_TOKENS}."}
    )


class CreatedToken(Schema):
    """A new token, which is shown once."""

    token = text("Bearer token.")
    details = fields.Nested(Token, required=True)


class Blocked(Schema):
    """A player who is blocked."""

    id = text("The player's id.")
    player = fields.Nested(
        Player, required=True, allow_none=True, metadata={"description": "The player; null: they are no more."}
    )
    blocked_at = when("When they were blocked.")


class BlockedList(Schema):
    """The players whom the caller has blocked."""

    blocked = fields.List(
        fields.Nested(Blocked), required=True, metadata={"description": f"Oldest first, at most {MOST_BLOCKED}."}
    )


class LinkedIdentity(Schema):
    """An identity by which the player can sign in."""

    provider = text("The provider's id.")
    linked_at = when("When it was linked.")


def _colour(**options: Any) -> fields.String:
    pattern = "^#[0-9a-f]{6}$"
    return fields.String(
        allow_none=True,
        validate=validate.Regexp(rf"{pattern[:-1]}\Z", error="must be # and six hexadecimal digits in lower case"),
        metadata={"description": "`#rrggbb`, in lower case.", "pattern": pattern},
        **options,
    )


def known_country(code: str) -> None:
    """ValidationError for what is no country."""
    if not re.fullmatch("[A-Z]{2}", code) or code not in COUNTRIES:
        raise ValidationError("must be a country code of ISO 3166-1 alpha-2, in capitals")


def _country(**options: Any) -> fields.String:
    return fields.String(
        allow_none=True,
        validate=known_country,
        metadata={"description": "ISO 3166-1 alpha-2, in capitals.", "pattern": "^[A-Z]{2}$"},
        **options,
    )


def possible_handle(word: str) -> None:
    """ValidationError for what can be nobody's handle."""
    if (fault := fault_of(word, RULESET)) is not None:
        raise ValidationError(fault)


class CreatePlayerRequest(Request):
    """A player to create."""

    name = person_name()
    bot = StrictBoolean(load_default=False, metadata={"description": "Whether it is a program. It stays so."})
    colour = _colour(load_default=None)
    country = _country(load_default=None)


class ChangePlayerRequest(Request):
    """What of the player is changed. Members that are not sent stay as they are; null takes one away."""

    name = person_name(load_default=missing)
    colour = _colour()
    country = _country()


class HandleRequest(Request):
    """The handle that the player wants."""

    handle = fields.String(
        required=True,
        validate=possible_handle,
        metadata={
            "minLength": SHORTEST,
            "maxLength": LONGEST,
            "pattern": f"^{PATTERN}$",
            "description": f"{SHORTEST} to {LONGEST} letters and digits of ASCII, the first a letter, with single "
            "dashes or underscores between them. Case, dashes, and letters that look alike make no difference.",
        },
    )


class CreateTokenRequest(Request):
    """A token to make."""

    name = person_name("The token's name, for example that of a device.")
    scopes = fields.List(
        choice(SCOPE, "What it is good for."),
        load_default=["play", "read"],
        validate=validate.Length(1, 2),
        metadata={"description": "What it is good for; `play` includes `read`."},
    )
