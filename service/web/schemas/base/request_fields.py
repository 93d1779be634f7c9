"""Fields that several requests share, and their validators."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate

from service.games.state.moments import parse_ms
from service.outgoing import signing
from service.web.schemas.base.fields import MAX_REVISION, flag, integer, matching, optional_seat, text

LONGEST_ACTION = 200  # characters; a pass that discards a whole storage has some forty


def printable(name: str) -> None:
    """Raise ValidationError for blank names and control characters."""
    if not name.isprintable() or not name.strip():
        raise ValidationError("must have 1 to 40 printable characters")


def person_name(what: str = "", **options: Any) -> fields.String:
    """Return the field for a display name. `what`: a sentence that describes it."""
    description = f"{what} 1 to 40 printable characters.".lstrip()
    return text(
        description, validate=[validate.Length(1, 40), printable], allow_none=True, **{"load_default": None, **options}
    )


def own_seat() -> fields.Integer:
    """Return the field that selects one of the caller's seats."""
    return optional_seat("The caller's seat. If null: the one to decide or answer, else the first.")


def sayable(message: str) -> None:
    """Raise ValidationError for blank texts and control characters other than line breaks."""
    if not message.strip() or not all(character.isprintable() or character == "\n" for character in message):
        raise ValidationError("must be non-blank text without control characters other than line breaks")


def action_notation(description: str) -> fields.String:
    """Return the field for an action in notation."""
    return text(description, LONGEST_ACTION, required=False)


def revision_field() -> fields.Integer:
    """Return the field for the expected revision, for clients that cannot send If-Match."""
    return integer("Expected revision; alternative to `If-Match`.", 0, MAX_REVISION, required=False)


def seed_field(description: str) -> fields.String:
    """Return the field for a seed."""
    error = "must have 64 hexadecimal digits"
    return matching("^[0-9a-fA-F]{64}$", error, f"32 bytes in hex. {description}", load_default=None)


def signing_secret(secret: str) -> None:
    """Raise ValidationError unless this is a signing secret."""
    try:
        signing.decode_secret(secret)
    except ValueError:
        raise ValidationError("must be `whsec_` followed by base64 of 24 to 64 bytes") from None


def secret_field() -> fields.String:
    """Return the field for the secret that signs requests of the service."""
    description = "`whsec_` and base64 of 24 to 64 bytes. Signs the calls; generated if null."
    return text(description, validate=signing_secret, load_default=None)


def moment(time: str) -> None:
    """Raise ValidationError unless this is an RFC 3339 time."""
    try:
        parse_ms(time)
    except ValueError:
        raise ValidationError("must be an RFC 3339 time between 1970 and 9000") from None


def mixed_field() -> fields.Boolean:
    """Return the field that allows a rated game of people and bots."""
    return flag("Whether to allow rated games of people and bots.", load_default=False)
