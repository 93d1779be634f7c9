"""Schemas for signing in with OpenID Connect."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from marshmallow import ValidationError, validate

from service.web.api import Request, Schema
from service.web.http.auth import context
from service.web.schemas.base.accounts import LinkedIdentity, Player
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import array, flag, instant, nest, text
from service.web.schemas.base.request_fields import optional_name

LONGEST_TOKEN = 8_192
LONGEST_CODE = 4_096


class IdentityProvider(Schema):
    """An OpenID Connect provider."""

    id = text("Id of the provider in this API.")
    issuer = text("Issuer URL, where the discovery document is.")
    client_ids = array(text(), "Accepted audiences of ID tokens.")


class IdentityProviderList(Schema):
    """The available identity providers."""

    providers = array(IdentityProvider)


class SignIn(Schema):
    """A started sign-in. It can be completed once."""

    id = text("Id of the sign-in. The provider returns it as `state`.")
    provider = text()
    nonce = text("Nonce that the ID token must contain.")
    authorization_url = text("URL where the user signs in; null without `redirect_uri`.", allow_none=True)
    secret = text("Secret that completes the sign-in. It is shown only once. Keep it out of URLs.")
    expires_at = instant()


class LinkedIdentityList(Schema):
    """The player's identities."""

    identities = array(LinkedIdentity, "At most one per provider.")


class SignedIn(Schema):
    """The signed-in player and a new token, which is shown only once."""

    player = nest(Player)
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


def known_provider(provider: str) -> None:
    """Raise ValidationError unless this is the id of a configured provider."""
    ids = [one.id for one in context().settings.oidc_providers]
    if provider not in ids:
        raise ValidationError(f"must be one of: {', '.join(ids) or 'none is set up here'}")


class BeginSignInRequest(Request):
    """The sign-in to start."""

    provider = text("Id of the provider.", validate=[validate.Length(1, 40), known_provider])
    redirect_uri = text(
        "Redirect URI, as registered with the provider. Null if the app obtains the ID token itself.",
        validate=[validate.Length(1, 2_000), redirectable],
        load_default=None,
    )


class ProofRequest(CheckedRequest):
    """The secret of the sign-in, and proof from the provider: either an ID token or a code."""

    secret = text("Secret of the sign-in, from `beginSignIn`.", 100)
    id_token = text("ID token with the nonce of the sign-in.", LONGEST_TOKEN, load_default=None)
    code = text("Authorization code from the redirect.", LONGEST_CODE, load_default=None)

    def contradictions(self, members: Members) -> Faults:
        """Return an error unless there is one proof."""
        is_one = (members.given.get("id_token") is None) != (members.given.get("code") is None)
        return {} if is_one else {"/id_token": "exactly one of `id_token` and `code` is required"}


class LinkIdentityRequest(ProofRequest):
    """The identity to link, proven by either an ID token or a code."""

    sign_in = text("Id of the sign-in.", 100)


class CompleteSignInRequest(ProofRequest):
    """Completes a sign-in with either an ID token or a code."""

    name = optional_name("Name of the token, such as a device.")
    create = flag("Whether to create a player if the identity is not linked to one.", load_default=False)
