"""Schemas for signing in with OpenID Connect."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from marshmallow import ValidationError, fields, validate, validates_schema

from service.web.api import Request, Schema
from service.web.schemas.base.accounts import LinkedIdentity, Player
from service.web.schemas.base.fields import flag, text, when
from service.web.schemas.base.request_fields import StrictBoolean, person_name

LONGEST_TOKEN = 8_192
LONGEST_CODE = 4_096


class IdentityProvider(Schema):
    """An OpenID Connect provider."""

    id = text("Id of the provider in this API.")
    issuer = text("Issuer URL, where the discovery document is.")
    client_ids = fields.List(text(), required=True, metadata={"description": "Accepted audiences of ID tokens."})


class IdentityProviderList(Schema):
    """The available identity providers."""

    providers = fields.List(fields.Nested(IdentityProvider), required=True)


class SignIn(Schema):
    """A started sign-in. It can be completed once."""

    id = text("Id of the sign-in. The provider returns it as `state`.")
    provider = text()
    nonce = text("Nonce that the ID token must contain.")
    authorization_url = text("URL where the user signs in; null without `redirect_uri`.", allow_none=True)
    expires_at = when()


class LinkedIdentityList(Schema):
    """The player's identities."""

    identities = fields.List(
        fields.Nested(LinkedIdentity), required=True, metadata={"description": "At most one per provider."}
    )


class SignedIn(Schema):
    """The signed-in player and a new token, which is shown only once."""

    player = fields.Nested(Player, required=True)
    token = text("Bearer token. Seats claimed with it belong to the player.")
    created = flag("Whether this request created the player.")


def redirectable(uri: str) -> None:
    """Raise ValidationError unless a browser can be redirected to the URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        parts = urlsplit("")
    if not re.fullmatch("[!-~]+", uri) or not parts.scheme or "#" in uri:
        raise ValidationError("must be an absolute URI without a fragment")


class BeginSignInRequest(Request):
    """The sign-in to start."""

    provider = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "Id of the provider."}
    )
    redirect_uri = fields.String(
        allow_none=True,
        load_default=None,
        validate=[validate.Length(1, 2_000), redirectable],
        metadata={
            "description": "Redirect URI, as registered with the provider. Null if the app obtains the ID token itself."
        },
    )


class ProofRequest(Request):
    """Proof from the provider: either an ID token or a code."""

    id_token = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_TOKEN),
        metadata={"description": "ID token with the nonce of the sign-in."},
    )
    code = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_CODE),
        metadata={"description": "Authorization code from the redirect."},
    )

    @validates_schema
    def _one_of_them(self, loaded: dict[str, Any], **_: Any) -> None:
        if (loaded["id_token"] is None) == (loaded["code"] is None):
            raise ValidationError({"id_token": ["exactly one of `id_token` and `code` is required"]})


class LinkIdentityRequest(ProofRequest):
    """The identity to link, proven by either an ID token or a code."""

    sign_in = fields.String(
        required=True, validate=validate.Length(1, 100), metadata={"description": "Id of the sign-in."}
    )


class CompleteSignInRequest(ProofRequest):
    """Completes a sign-in with either an ID token or a code."""

    name = person_name("Name of the token, such as a device.")
    create = StrictBoolean(
        load_default=False, metadata={"description": "Whether to create a player if the identity is not linked to one."}
    )
