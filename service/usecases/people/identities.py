"""Identities: link a player to an OpenID Connect provider, and sign in with it on another device.

A sign-in starts with a nonce and a secret. The provider signs the nonce for the app or page. The ID token or the code
completes the sign-in together with the secret, which appears in no URL. So an observer of the redirect cannot complete
it. A request that is refused does not use up the sign-in: the accepted proof is stored with it, and the client may
repeat the request. Only digests of the secret, the proof and the identity are stored.

Token verification is imported on first use, because most installations have no provider and should start fast.
"""

from __future__ import annotations

import functools
import hmac
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.identity_providers import Provider
from service.rulesets.wire import Json
from service.storage.base.follow_ups import FollowUp
from service.storage.people.players import StoredIdentity, StoredPlayer
from service.storage.people.reservations import IDENTITY
from service.storage.people.sign_ins import SignIns, StoredSignIn
from service.usecases.base import access
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.base.reservations import UNCONFIRMED_S
from service.usecases.people import follow_ups, players

if TYPE_CHECKING:
    from service.outgoing.oidc import Identity, Providers

SIGN_IN_S = 600
NONCE_BYTES, SECRET_BYTES = 24, 32
T = TypeVar("T")


class Proof(NamedTuple):
    """The secret of a sign-in, and either an ID token or a code from the provider."""

    secret: str
    id_token: str | None
    code: str | None


@functools.lru_cache(4)
def _providers(named: tuple[Provider, ...]) -> Providers:
    """Return the providers of this process, which cache their keys."""
    from service.outgoing.oidc import Providers

    return Providers(named)


def providers(context: Context) -> list[Json]:
    """Return the configured providers."""
    return [
        {"id": one.id, "issuer": one.issuer, "client_ids": one.client_ids} for one in context.settings.oidc_providers
    ]


def begin(context: Context, provider_id: str, redirect_uri: str | None) -> Json:
    """Start a sign-in at a configured provider. With `redirect_uri`, a browser is sent to `authorization_url`.

    Raises: identity/unavailable.
    """
    registry = _providers(context.settings.oidc_providers)
    provider = next(one for one in context.settings.oidc_providers if one.id == provider_id)
    from service.outgoing.oidc import code_challenge, new_verifier

    nonce, secret = secrets.token_urlsafe(NONCE_BYTES), secrets.token_urlsafe(SECRET_BYTES)
    verifier = "" if redirect_uri is None else new_verifier()
    sign_in = StoredSignIn(SignIns.new_id(), provider.id, nonce, redirect_uri, verifier, digest_of(secret))
    url = None
    if redirect_uri is not None:
        arguments = (provider, redirect_uri, sign_in.id, nonce, code_challenge(verifier))
        url = _call_provider(lambda: registry.authorization_url(*arguments))
    context.sign_ins.add(sign_in, SIGN_IN_S)
    expires_at = rfc3339(context.now_ms() + 1000 * SIGN_IN_S)
    shown = {"id": sign_in.id, "provider": provider.id, "nonce": nonce, "expires_at": expires_at}
    return {**shown, "authorization_url": url, "secret": secret}


def link(context: Context, caller: Caller, sign_in_id: str, proof: Proof) -> Json:
    """Link an identity to the caller, who can then sign in with it.

    Raises: identity/no_sign_in, identity/wrong_secret, identity/refused, identity/unavailable, identity/taken,
    identity/linked.
    """
    player = access.must_be_player(context, caller)
    proven = _prove(context, sign_in_id, proof)
    linked = _link(context, player, proven)
    context.sign_ins.use_up(sign_in_id)
    return linked


def _link(context: Context, player: StoredPlayer, proven: StoredSignIn) -> Json:
    name, provider = proven.identity, proven.provider
    if not context.identities.reserve(name, player.id, UNCONFIRMED_S):
        raise GameError("identity/taken")
    stored = StoredIdentity(name, rfc3339(context.now_ms()))
    follow_up = FollowUp(player.id, follow_ups.NAMES, {IDENTITY: [name]})
    if not context.players.link(player, provider, stored, (follow_up, follow_ups.due_at(context))):
        follow_ups.execute_now(context, follow_up)  # releases the reservation
        linked = context.players.identities(player.id).get(provider)
        if linked is None or linked.name != name:
            raise GameError("identity/linked")
        stored = linked
    follow_ups.execute_now(context, follow_up)
    return players.identity_json(provider, stored)


def unlink(context: Context, caller: Caller, provider_id: str) -> None:
    """Unlink the caller's identity of this provider. Raises: identity/not_found."""
    player = access.must_be_player(context, caller)
    identity = context.players.identities(player.id).get(provider_id)
    if identity is None:
        raise GameError("identity/not_found")
    follow_up = FollowUp(player.id, follow_ups.NAMES, {IDENTITY: [identity.name]})
    context.players.unlink(player, provider_id, identity, (follow_up, follow_ups.due_at(context)))
    follow_ups.execute_now(context, follow_up)


def sign_in(context: Context, caller: Caller, sign_in_id: str, proof: Proof, name: str | None, *, create: bool) -> Json:
    """Issue a new token for the identity's player. If there is none and `create` is set, create a player.

    If the player has the maximum number of tokens, the least recently used one is revoked.

    Raises: identity/no_sign_in, identity/wrong_secret, identity/refused, identity/unavailable, identity/unknown,
    identity/busy, player/banned.
    """
    proven = _prove(context, sign_in_id, proof)
    owner = context.identities.owner(proven.identity)
    if owner is None:
        if not create:
            raise GameError("identity/unknown")
        created = players.create(context, {}, UNCONFIRMED_S, caller=caller)
        player = _must_exist(context.players.get(created["player"]["id"]))
        try:
            _link(context, player, proven)
        except GameError:  # another request has just done the same
            context.players.delete(player, None)
            raise GameError("identity/busy") from None
        _use_up(context, proven)
        return {**created, "created": True}
    player = _must_exist(context.players.get(owner))
    if player.banned_at is not None:
        raise GameError("player/banned")
    _use_up(context, proven)
    access.record_address(context, caller, player.id)
    return {**players.issue_token(context, player, name), "created": False}


def _use_up(context: Context, proven: StoredSignIn) -> None:
    """Use up the sign-in. Raises: identity/no_sign_in if another request was faster."""
    if not context.sign_ins.use_up(proven.id):
        raise GameError("identity/no_sign_in")


def _call_provider(request: Callable[[], T]) -> T:
    """Return the result of a request to a provider. Raises: identity/refused, identity/unavailable."""
    from service.outgoing.oidc import IdentityRefusedError

    try:
        return request()
    except IdentityRefusedError as refused:
        if refused.code == "unavailable":
            raise GameError("identity/unavailable") from None
        raise GameError("identity/refused", reason=refused.code) from None


def _must_exist(player: StoredPlayer | None) -> StoredPlayer:
    """Return the player. Raises: identity/busy if they were not created yet, or were deleted."""
    if player is None:
        raise GameError("identity/busy")
    return player


def _prove(context: Context, sign_in_id: str, proof: Proof) -> StoredSignIn:
    """Check the secret and the proof. Return the sign-in with its identity; it stays open until it is used up.

    Raises: identity/no_sign_in, identity/wrong_secret, identity/refused, identity/unavailable.
    """
    pending, registry = context.sign_ins.get(sign_in_id), _providers(context.settings.oidc_providers)
    provider = None if pending is None else registry.get(pending.provider)
    if pending is None or provider is None:
        raise GameError("identity/no_sign_in")
    if not hmac.compare_digest(pending.secret_digest, digest_of(proof.secret)):
        raise GameError("identity/wrong_secret")
    proof_digest = digest_of(proof.id_token or proof.code or "")
    if proof_digest == pending.proof_digest:  # of an earlier request, which was refused; a code can be redeemed once
        return pending
    uri = pending.redirect_uri
    if proof.code is not None and uri is None:
        raise GameError("identity/refused", reason="code")

    def verify() -> Identity:
        token, code = proof.id_token, proof.code
        if code is not None:
            token = registry.redeem_code(provider, code, pending.verifier, uri or "")
        return registry.verify_token(provider, token or "", pending.nonce, context.now_ms() // 1000)

    proven = replace(pending, proof_digest=proof_digest, identity=identity_name(context, _call_provider(verify)))
    if not context.sign_ins.store_proof(proven):
        raise GameError("identity/no_sign_in")
    return proven


def identity_name(context: Context, identity: Identity) -> str:
    """Return the reserved name of an identity: a digest of issuer and subject."""
    provider = _providers(context.settings.oidc_providers).get(identity.provider)
    issuer = "" if provider is None else provider.issuer
    return digest_of(f"{issuer} {identity.subject}")
