"""Sign in with OpenID Connect, and identities linked to a player."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from service.usecases.people import identities, players
from service.usecases.people.identities import Proof
from service.web.api import STORE_CODES, Blueprint
from service.web.docs.document_bytes import compressible
from service.web.http.auth import caller, context
from service.web.http.responses import JSON, json_answer
from service.web.schemas.base import accounts
from service.web.schemas.people import identities as identity_schemas

blueprint = Blueprint("identities", __name__, url_prefix="/v1")
PROOF_CODES = ("identity/no_sign_in", "identity/wrong_secret", "identity/refused", "identity/unavailable")


@blueprint.route("/identity-providers")
@blueprint.operation("listIdentityProviders")
@blueprint.response(200, identity_schemas.IdentityProviderList, "The providers.", headers=("DocumentETag",))
@blueprint.response(304, description="You already have this version.", headers=("DocumentETag",))
@blueprint.headers("IfNoneMatchDocument")
def list_identity_providers() -> Response:
    """List the identity providers of this service."""
    return compressible(orjson.dumps({"providers": identities.providers(context())}), JSON)


@blueprint.route("/sign-ins", methods=["POST"])
@blueprint.operation("beginSignIn", *STORE_CODES, "identity/unavailable")
@blueprint.response(201, identity_schemas.SignIn, "The sign-in.")
@blueprint.arguments(identity_schemas.BeginSignInRequest)
@blueprint.repeatable("UnguessableKey")
def begin_sign_in(body: dict[str, Any]) -> Response:
    """Start a sign-in, or the linking of an identity.

    Apps request an ID token with `nonce` from the provider. Web pages send `redirect_uri`, redirect the browser to
    `authorization_url`, and get a code back. Keep `secret` on the device, in no URL, and complete the sign-in with it
    within ten minutes.
    """
    return json_answer(identities.begin(context(), body["provider"], body["redirect_uri"]), 201)


@blueprint.route("/sign-ins/<sign_in>/token", methods=["POST"])
@blueprint.operation("completeSignIn", *STORE_CODES, *PROOF_CODES, "identity/unknown", "identity/busy", "player/banned")
@blueprint.response(201, identity_schemas.SignedIn, "The player and the token.")
@blueprint.arguments(identity_schemas.CompleteSignInRequest)
@blueprint.repeatable("UnguessableKey")
def complete_sign_in(body: dict[str, Any], sign_in: str) -> Response:
    """Sign in with a linked identity.

    Returns a new token of the player. With `create`, an unlinked identity gets a new player. Success uses up the
    sign-in. After an error you can repeat the request, with the same proof or another.
    """
    proof = Proof(body["secret"], body["id_token"], body["code"])
    signed_in = identities.sign_in(context(), caller(), sign_in, proof, body["name"], create=body["create"])
    return json_answer(signed_in, 201)


@blueprint.route("/me/identities", methods=["POST"])
@blueprint.operation("linkIdentity", *PROOF_CODES, "identity/taken", "identity/linked", access="player")
@blueprint.response(201, accounts.LinkedIdentity, "The identity.")
@blueprint.arguments(identity_schemas.LinkIdentityRequest)
@blueprint.repeatable()
def link_identity(body: dict[str, Any]) -> Response:
    """Link an identity to your player.

    Afterwards you can sign in on other devices, even if all tokens are lost.
    """
    proof = Proof(body["secret"], body["id_token"], body["code"])
    return json_answer(identities.link(context(), caller(), body["sign_in"], proof), 201)


@blueprint.route("/me/identities")
@blueprint.operation("listIdentities", access="player")
@blueprint.response(200, identity_schemas.LinkedIdentityList, "The identities.")
def list_identities() -> Response:
    """List your linked identities."""
    return json_answer({"identities": players.identities(context(), caller())})


@blueprint.route("/me/identities/<provider>", methods=["DELETE"])
@blueprint.operation("unlinkIdentity", "identity/not_found", access="player")
@blueprint.response(204, description="The identity is unlinked.")
def unlink_identity(provider: str) -> None:
    """Unlink an identity."""
    identities.unlink(context(), caller(), provider)
