"""Identities: link a player to an OpenID Connect provider, and sign in with it on another device.

A sign-in starts with a nonce. The provider signs it for the app or page, and the ID token or the code completes the
sign-in, once. Only a digest of the identity is stored.

Token verification is imported on first use, because most installations have no provider and should start fast.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

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
NONCE_BYTES = 24
T = TypeVar("T")


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
    """Start a sign-in. With `redirect_uri`, a browser is sent to `authorization_url`.

    Raises: request/invalid, identity/unavailable.
    """
    registry = _providers(context.settings.oidc_providers)
    provider = registry.get(provider_id)
    if provider is None:
        ids = ", ".join(one.id for one in context.settings.oidc_providers) or "none is set up here"
        raise GameError("request/invalid", errors={"/provider": f"must be one of: {ids}"})
    from service.outgoing.oidc import code_challenge, new_verifier

    nonce, verifier = secrets.token_urlsafe(NONCE_BYTES), "" if redirect_uri is None else new_verifier()
    sign_in = StoredSignIn(SignIns.new_id(), provider.id, nonce, redirect_uri, verifier)
    url = None
    if redirect_uri is not None:
        arguments = (provider, redirect_uri, sign_in.id, nonce, code_challenge(verifier))
        url = _call_provider(lambda: registry.authorization_url(*arguments))
    context.sign_ins.add(sign_in, SIGN_IN_S)
    expires_at = rfc3339(context.now_ms() + 1000 * SIGN_IN_S)
    shown = {"id": sign_in.id, "provider": provider.id, "nonce": nonce, "expires_at": expires_at}
    return {**shown, "authorization_url": url}


def link(context: Context, caller: Caller, sign_in_id: str, id_token: str | None, code: str | None) -> Json:
    """Link an identity to the caller, who can then sign in with it.

    Raises: identity/no_sign_in, identity/refused, identity/unavailable, identity/taken, identity/linked.
    """
    player = access.must_be_player(context, caller)
    identity = _identity(context, sign_in_id, id_token, code)
    return _link(context, player, identity)


def _link(context: Context, player: StoredPlayer, identity: Identity) -> Json:
    name = identity_name(context, identity)
    if not context.identities.reserve(name, player.id, UNCONFIRMED_S):
        raise GameError("identity/taken")
    stored = StoredIdentity(name, rfc3339(context.now_ms()))
    follow_up = FollowUp(player.id, follow_ups.NAMES, {IDENTITY: [name]})
    if not context.players.link(player, identity.provider, stored, (follow_up, follow_ups.due_at(context))):
        follow_ups.execute_now(context, follow_up)  # releases the reservation
        linked = context.players.identities(player.id).get(identity.provider)
        if linked is None or linked.name != name:
            raise GameError("identity/linked")
        stored = linked
    follow_ups.execute_now(context, follow_up)
    return players.identity_json(identity.provider, stored)


def unlink(context: Context, caller: Caller, provider_id: str) -> None:
    """Unlink the caller's identity of this provider. Raises: identity/not_found."""
    player = access.must_be_player(context, caller)
    identity = context.players.identities(player.id).get(provider_id)
    if identity is None:
        raise GameError("identity/not_found")
    follow_up = FollowUp(player.id, follow_ups.NAMES, {IDENTITY: [identity.name]})
    context.players.unlink(player, provider_id, identity, (follow_up, follow_ups.due_at(context)))
    follow_ups.execute_now(context, follow_up)


def sign_in(
    context: Context, sign_in_id: str, id_token: str | None, code: str | None, name: str | None, *, create: bool
) -> Json:
    """Issue a new token for the identity's player. If there is none and `create` is set, create a player.

    If the player has the maximum number of tokens, the least recently used one is revoked.

    Raises: identity/no_sign_in, identity/refused, identity/unavailable, identity/unknown, identity/busy, player/banned.
    """
    identity = _identity(context, sign_in_id, id_token, code)
    owner = context.identities.owner(identity_name(context, identity))
    if owner is None:
        if not create:
            raise GameError("identity/unknown")
        created = players.create(context, {}, UNCONFIRMED_S)
        player = _must_exist(context.players.get(created["player"]["id"]))
        try:
            _link(context, player, identity)
        except GameError:  # another request has just done the same
            context.players.delete(player, None)
            raise GameError("identity/busy") from None
        return {**created, "created": True}
    player = _must_exist(context.players.get(owner))
    if player.banned_at is not None:
        raise GameError("player/banned")
    return {**players.issue_token(context, player, name), "created": False}


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


def _identity(context: Context, sign_in_id: str, id_token: str | None, code: str | None) -> Identity:
    """Complete a sign-in and return the identity.

    Raises: identity/no_sign_in, identity/refused, identity/unavailable.
    """
    pending, registry = context.sign_ins.get(sign_in_id), _providers(context.settings.oidc_providers)
    provider = None if pending is None else registry.get(pending.provider)
    if pending is None or provider is None:
        raise GameError("identity/no_sign_in")
    uri = pending.redirect_uri
    if code is not None and uri is None:
        raise GameError("identity/refused", reason="code")

    def verify() -> Identity:
        token = id_token if code is None else registry.redeem_code(provider, code, pending.verifier, uri or "")
        return registry.verify_token(provider, token or "", pending.nonce, context.now_ms() // 1000)

    identity = _call_provider(verify)
    if not context.sign_ins.complete(sign_in_id):
        raise GameError("identity/no_sign_in")
    return identity


def identity_name(context: Context, identity: Identity) -> str:
    """Return the reserved name of an identity: a digest of issuer and subject."""
    provider = _providers(context.settings.oidc_providers).get(identity.provider)
    issuer = "" if provider is None else provider.issuer
    return digest_of(f"{issuer} {identity.subject}")
