"""Sign in with OpenID Connect, and identities linked to a player."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.people import identities, players
from service.web.api import PLAYER_CODES, PLAYER_WRITING_CODES, STORE_CODES, Blueprint
from service.web.http.auth import caller
from service.web.http.responses import json_answer
from service.web.resources import context
from service.web.schemas.base import accounts, queries
from service.web.schemas.people import identities as identity_schemas

blueprint = Blueprint("identities", __name__, url_prefix="/v1")
PROOF_CODES = ("identity/no_sign_in", "identity/refused", "identity/unavailable")


@blueprint.route("/identity-providers")
@blueprint.operation("listIdentityProviders")
@blueprint.response(200, identity_schemas.IdentityProviderList, description="The providers.")
@blueprint.arguments(queries.NoQuery, location="query")
def list_identity_providers(_query: dict[str, Any]) -> Response:
    """List the identity providers of this service."""
    return json_answer({"providers": identities.providers(context())})


@blueprint.route("/sign-ins", methods=["POST"])
@blueprint.operation("beginSignIn", *STORE_CODES, "identity/unavailable")
@blueprint.response(201, identity_schemas.SignIn, description="The sign-in.")
@blueprint.arguments(identity_schemas.BeginSignInRequest)
def begin_sign_in(body: dict[str, Any]) -> Response:
    """Start a sign-in, or the linking of an identity.

    Apps request an ID token with `nonce` from the provider. Web pages send `redirect_uri`, redirect the browser to
    `authorization_url`, and get a code back. Complete the sign-in within ten minutes.
    """
    return json_answer(identities.begin(context(), body["provider"], body["redirect_uri"]), 201)


@blueprint.route("/sign-ins/<sign_in>/token", methods=["POST"])
@blueprint.operation("completeSignIn", *STORE_CODES, *PROOF_CODES, "identity/unknown", "identity/busy", "player/banned")
@blueprint.response(201, identity_schemas.SignedIn, description="The player and the token.")
@blueprint.arguments(identity_schemas.CompleteSignInRequest)
def complete_sign_in(body: dict[str, Any], sign_in: str) -> Response:
    """Sign in with a linked identity.

    Returns a new token of the player. With `create`, an unlinked identity gets a new player.
    """
    proof, create = (body["id_token"], body["code"]), body["create"]
    return json_answer(identities.sign_in(context(), sign_in, *proof, body["name"], create=create), 201)


@blueprint.route("/me/identities", methods=["POST"])
@blueprint.operation(
    "linkIdentity", *PLAYER_WRITING_CODES, *PROOF_CODES, "identity/taken", "identity/linked", access="required"
)
@blueprint.response(201, accounts.LinkedIdentity, description="The identity.")
@blueprint.arguments(identity_schemas.LinkIdentityRequest)
def link_identity(body: dict[str, Any]) -> Response:
    """Link an identity to your player.

    Afterwards you can sign in on other devices, even if all tokens are lost.
    """
    proof = (body["sign_in"], body["id_token"], body["code"])
    return json_answer(identities.link(context(), caller(), *proof), 201)


@blueprint.route("/me/identities")
@blueprint.operation("listIdentities", *PLAYER_CODES, access="required")
@blueprint.response(200, identity_schemas.LinkedIdentityList, description="The identities.")
@blueprint.arguments(queries.NoQuery, location="query")
def list_identities(_query: dict[str, Any]) -> Response:
    """List your linked identities."""
    return json_answer({"identities": players.identities(context(), caller())})


@blueprint.route("/me/identities/<provider>", methods=["DELETE"])
@blueprint.operation("unlinkIdentity", *PLAYER_WRITING_CODES, "identity/not_found", access="required")
@blueprint.response(204, description="The identity is unlinked.")
@blueprint.arguments(queries.NoQuery, location="query")
def unlink_identity(_query: dict[str, Any], provider: str) -> Response:
    """Unlink an identity."""
    identities.unlink(context(), caller(), provider)
    return Response(status=204)
