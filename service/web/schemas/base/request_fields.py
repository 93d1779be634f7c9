"""Fields that several requests share, and their validators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import ValidationError, fields, validate

from service.games.people_text import MAX_LINE, MAX_NAME, enforce_line, enforce_name
from service.games.state.moments import parse_ms
from service.outgoing import signing
from service.rulesets.wire import description_metadata
from service.usecases.base import outgoing
from service.web.http.auth import context
from service.web.schemas.base.fields import MAX_REVISION, flag, integer, matching, optional_seat, text

LONGEST_ACTION = 200  # characters; a pass that discards a whole storage has some forty


class PeopleText(fields.String):
    """A text that a person writes, loaded in its normal form. `enforce`: see `service.games.people_text`."""

    def __init__(self, enforce: Callable[[str], str], most: int, description: str, **options: Any) -> None:
        metadata = description_metadata(description)
        super().__init__(validate=validate.Length(1, most), metadata=metadata, **options)
        self._enforce = enforce

    def _deserialize(self, value: Any, *arguments: Any, **more: Any) -> str:
        text = super()._deserialize(value, *arguments, **more)
        self._validate(text)  # the length before the normal form, as documented
        try:
            return self._enforce(text)
        except ValueError as error:
            raise ValidationError(str(error)) from None


def name_field(what: str = "", **options: Any) -> fields.String:
    """Return the field for a name. `what`: a sentence that describes it."""
    description = (
        f"{what} 1 to {MAX_NAME} characters, one of them visible; emoji are allowed. Stored and returned in the "
        "Unicode form NFKC, with single spaces and none at the ends."
    )
    return PeopleText(enforce_name, MAX_NAME, description.lstrip(), **options)


def optional_name(what: str = "", **options: Any) -> fields.String:
    """Return the field for a name that may be null."""
    return name_field(what, allow_none=True, **{"load_default": None, **options})


def line_field(what: str = "", **options: Any) -> fields.String:
    """Return the field for a line of chat, or another text of people. `what`: a sentence that describes it."""
    description = (
        f"{what} 1 to {MAX_LINE} characters, one of them visible; emoji and line breaks are allowed. Stored and "
        "returned in the Unicode form NFC."
    )
    return PeopleText(enforce_line, MAX_LINE, description.lstrip(), **{"required": True, **options})


def optional_line(what: str) -> fields.String:
    """Return the field for such a text that may be null."""
    return line_field(what, required=False, allow_none=True, load_default=None)


def own_seat() -> fields.Integer:
    """Return the field that selects one of the caller's seats."""
    return optional_seat("The caller's seat. If null: the one to decide or answer, else the first.")


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


def url_field(description: str, **options: Any) -> fields.String:
    """Return the field for a URL that the service calls."""
    return text(description, validate=[validate.Length(1, 2_000), callable_url], **options)


def callable_url(url: str) -> None:
    """Raise ValidationError if the service must not call the URL."""
    if error := outgoing.url_error(context(), url):
        raise ValidationError(error)


def moment(time: str) -> None:
    """Raise ValidationError unless this is an RFC 3339 time."""
    try:
        parse_ms(time)
    except ValueError:
        raise ValidationError("must be an RFC 3339 time between 1970 and 9000") from None


def mixed_field() -> fields.Boolean:
    """Return the field that allows a rated game of people and bots."""
    return flag("Whether to allow rated games of people and bots.", load_default=False)
