"""Signing in with providers of OpenID Connect."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from marshmallow import ValidationError, fields, validate, validates_schema

from service.web.api import Request, Schema
from service.web.schemas.accounts import LinkedIdentity, Player
from service.web.schemas.fields import flag, text, when
from service.web.schemas.request_fields import StrictBoolean, person_name

LONGEST_TOKEN = 8_192
LONGEST_CODE = 4_096


class IdentityProvider(Schema):
    """A provider of OpenID Connect that one can sign in with."""

    id = text("Names the provider in this API.")
    issuer = text("The provider's issuer, whose discovery document tells the rest.")
    client_ids = fields.List(
        text("A client id."), required=True, metadata={"description": "The audiences of ID tokens that are accepted."}
    )


class IdentityProviderList(Schema):
    """The providers that one can sign in with."""

    providers = fields.List(
        fields.Nested(IdentityProvider), required=True, metadata={"description": "All that the operator has named."}
    )


class SignIn(Schema):
    """A sign-in that has begun. It can be completed once."""

    id = text("Names the sign-in; in a browser it comes back as `state`.")
    provider = text("The provider's id.")
    nonce = text("The nonce that the ID token must bear.")
    authorization_url = text("Where the browser signs in; null without `redirect_uri`.", allow_none=True)
    expires_at = when("The moment from which it cannot be completed any more.")


class LinkedIdentityList(Schema):
    """The player's identities."""

    identities = fields.List(
        fields.Nested(LinkedIdentity), required=True, metadata={"description": "One of each provider at most."}
    )


class SignedIn(Schema):
    """The player who has signed in, and a new token of theirs, which is shown once."""

    player = fields.Nested(Player, required=True)
    token = text("Bearer token; seats claimed with it are the player's.")
    created = flag("Whether the player is new.")


def redirectable(uri: str) -> None:
    """ValidationError for what no browser can be sent to."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        parts = urlsplit("")
    if not re.fullmatch("[!-~]+", uri) or not parts.scheme or "#" in uri:
        raise ValidationError("must be an absolute URI without fragment")


class BeginSignInRequest(Request):
    """A sign-in to begin."""

    provider = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "The provider's id."}
    )
    redirect_uri = fields.String(
        allow_none=True,
        load_default=None,
        validate=[validate.Length(1, 2_000), redirectable],
        metadata={
            "description": "Where the provider sends the browser back to, as it is registered there; null: an app gets "
            "an ID token by itself."
        },
    )


class ProofRequest(Request):
    """What the provider gave: an ID token, or a code. One of them."""

    id_token = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_TOKEN),
        metadata={"description": "The ID token, with the nonce of the sign-in."},
    )
    code = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_CODE),
        metadata={"description": "The code that the browser came back with."},
    )

    @validates_schema
    def _one_of_them(self, loaded: dict[str, Any], **_: Any) -> None:
        if (loaded["id_token"] is None) == (loaded["code"] is None):
            raise ValidationError({"id_token": ["either this or `code` is needed, not both"]})


class LinkIdentityRequest(ProofRequest):
    """An identity to link: what the provider gave to a sign-in. An ID token or a code, one of them."""

    sign_in = fields.String(
        required=True, validate=validate.Length(1, 100), metadata={"description": "The sign-in's id."}
    )


class CompleteSignInRequest(ProofRequest):
    """A sign-in to complete. An ID token or a code, one of them."""

    name = person_name("The new token's name, for example that of the device.")
    create = StrictBoolean(
        load_default=False, metadata={"description": "Whether to create a player if the identity is nobody's."}
    )
