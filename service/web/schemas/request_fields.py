"""Members that several requests have, and how they are checked."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate

from service.games.moments import parse_ms
from service.outgoing import signing
from service.web.schemas.fields import MOST_REVISION, optional_seat

LONGEST_ACTION = 200  # characters; a pass that discards a whole storage has some forty


class StrictBoolean(fields.Boolean):
    """true or false, and nothing that Python takes for them."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class StrictNumber(fields.Float):
    """A number, and no text that Python can read as one."""

    def _deserialize(self, value: Any, *arguments: Any, **more: Any) -> Any:
        if isinstance(value, str | bool):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *arguments, **more)


def printable(name: str) -> None:
    """ValidationError for what a person cannot read or a terminal would obey."""
    if not name.isprintable() or not name.strip():
        raise ValidationError("must be 1 to 40 printable characters")


def person_name(what: str = "", **options: Any) -> fields.String:
    """The name that somebody, or something, goes by. `what`: a sentence about it."""
    return fields.String(
        allow_none=True,
        validate=[validate.Length(1, 40), printable],
        metadata={"description": f"{what} 1 to 40 printable characters.".lstrip()},
        **{"load_default": None, **options},
    )


def own_seat() -> fields.Integer:
    """Which of the caller's seats, for players who have several."""
    return optional_seat("The caller's seat that is meant; null: the one to decide or to answer, or the first.")


def sayable(message: str) -> None:
    """ValidationError for what is blank, or what a terminal would obey."""
    if not message.strip() or not all(character.isprintable() or character == "\n" for character in message):
        raise ValidationError("must be text, without control characters other than line breaks")


def action_notation(description: str) -> fields.String:
    """An action as a short text."""
    return fields.String(validate=validate.Length(1, LONGEST_ACTION), metadata={"description": description})


def revision_field() -> fields.Integer:
    """The revision that was decided on, for clients that cannot send If-Match."""
    return fields.Integer(
        strict=True,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "The revision decided on; instead of If-Match, or equal to it."},
    )


def seed_field(description: str) -> fields.String:
    """A seed."""
    return fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Regexp(r"^[0-9a-fA-F]{64}\Z", error="must be 64 hexadecimal digits"),
        metadata={"description": f"32 bytes in hex. {description}", "pattern": "^[0-9a-fA-F]{64}$"},
    )


def signing_secret(text: str) -> None:
    """ValidationError for what is no secret to sign with."""
    try:
        signing.key_of(text)
    except ValueError:
        raise ValidationError("must be `whsec_` and base64 of 24 to 64 bytes") from None


def secret_field() -> fields.String:
    """What requests of ours are signed with."""
    return fields.String(
        allow_none=True,
        load_default=None,
        validate=signing_secret,
        metadata={"description": "`whsec_` and base64 of 24 to 64 bytes; null: one is made. It signs our requests."},
    )


def moment(text: str) -> None:
    """ValidationError for what is no moment."""
    try:
        parse_ms(text)
    except ValueError:
        raise ValidationError("must be a moment in RFC 3339, from 1970 to 9000") from None


def mixed_field() -> StrictBoolean:
    """Whether somebody wants to be rated with people and programs."""
    return StrictBoolean(
        load_default=False,
        metadata={
            "description": "Whether the player wants a rated game of people and programs. Unless all of them do, "
            "people are rated with people, and programs with programs."
        },
    )
