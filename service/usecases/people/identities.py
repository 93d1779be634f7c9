"""Identities: who a player is to a provider of OpenID Connect, to link that, and to sign in by it on another device.

A sign-in is begun, which gives a nonce; the app, or the page, has the provider sign it; then it is completed, once,
with the ID token or with the code that the provider gave. Of an identity nothing is kept but a digest of who it is.

What verifies tokens is loaded when it is first needed: most services name no provider, and all should start at once.
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
from service.storage.people.claims import IDENTITY
from service.storage.people.players import StoredIdentity, StoredPlayer
from service.storage.people.sign_ins import SignIns, StoredSignIn
from service.usecases.base import access
from service.usecases.base.claims import UNCONFIRMED_S
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.people import follow_ups, players

if TYPE_CHECKING:
    from service.outgoing.oidc import Identity, Providers

SIGN_IN_S = 600
NONCE_BYTES = 24
T = TypeVar("T")


@functools.lru_cache(4)
def _providers(named: tuple[Provider, ...]) -> Providers:
    """One for a process: it keeps the providers' keys."""
    from service.outgoing.oidc import Providers

    return Providers(named)


def providers(context: Context) -> list[Json]:
    """The providers that one can sign in with."""
    return [
        {"id": one.id, "issuer": one.issuer, "client_ids": one.client_ids} for one in context.settings.oidc_providers
    ]


def begin(context: Context, provider_id: str, redirect_uri: str | None) -> Json:
    """A new sign-in; with `redirect_uri` by a browser, which is sent to `authorization_url`.

    request/invalid, identity/unavailable.
    """
    every = _providers(context.settings.oidc_providers)
    provider = every.get(provider_id)
    if provider is None:
        known = ", ".join(one.id for one in context.settings.oidc_providers) or "none is set up here"
        raise GameError("request/invalid", errors={"/provider": f"must be one of: {known}"})
    from service.outgoing.oidc import challenge_of, new_verifier

    nonce, verifier = secrets.token_urlsafe(NONCE_BYTES), "" if redirect_uri is None else new_verifier()
    sign_in = StoredSignIn(SignIns.new_id(), provider.id, nonce, redirect_uri, verifier)
    url = None
    if redirect_uri is not None:
        asked = (provider, redirect_uri, sign_in.id, nonce, challenge_of(verifier))
        url = _asked(lambda: every.authorization_url(*asked))
    context.sign_ins.put(sign_in, SIGN_IN_S)
    expires_at = rfc3339(context.now_ms() + 1000 * SIGN_IN_S)
    shown = {"id": sign_in.id, "provider": provider.id, "nonce": nonce, "expires_at": expires_at}
    return {**shown, "authorization_url": url}


def link(context: Context, caller: Caller, sign_in_id: str, id_token: str | None, code: str | None) -> Json:
    """The identity is the caller's from now on, so that they can sign in by it.

    identity/no_sign_in, identity/refused, identity/unavailable, identity/taken, identity/linked.
    """
    player = access.must_be_player(context, caller)
    identity = _identity(context, sign_in_id, id_token, code)
    return _linked(context, player, identity)


def _linked(context: Context, player: StoredPlayer, identity: Identity) -> Json:
    name = name_of(context, identity)
    if not context.identities.claim(name, player.id, UNCONFIRMED_S):
        raise GameError("identity/taken")
    kept = StoredIdentity(name, rfc3339(context.now_ms()))
    follow_up = FollowUp(player.id, follow_ups.NAMES, {IDENTITY: [name]})
    if not context.players.link(player, identity.provider, kept, (follow_up, follow_ups.due_at(context))):
        follow_ups.do_at_once(context, follow_up)  # what was claimed is not theirs
        known = context.players.identities(player.id).get(identity.provider)
        if known is None or known.name != name:
            raise GameError("identity/linked")
        kept = known
    follow_ups.do_at_once(context, follow_up)
    return players.identity_json(identity.provider, kept)


def unlink(context: Context, caller: Caller, provider_id: str) -> None:
    """The caller's identity of this provider is not theirs any more. identity/not_found."""
    player = access.must_be_player(context, caller)
    identity = context.players.identities(player.id).get(provider_id)
    if identity is None:
        raise GameError("identity/not_found")
    follow_up = FollowUp(player.id, follow_ups.NAMES, {IDENTITY: [identity.name]})
    context.players.unlink(player, provider_id, identity, (follow_up, follow_ups.due_at(context)))
    follow_ups.do_at_once(context, follow_up)


def sign_in(
    context: Context, sign_in_id: str, id_token: str | None, code: str | None, name: str | None, *, create: bool
) -> Json:
    """A new token of the player whose the identity is; if it is nobody's, and `create` says so, of a new player.

    Where the player has as many tokens as they may, the one ends that was used longest ago. identity/no_sign_in,
    identity/refused, identity/unavailable, identity/unknown, identity/busy, player/banned.
    """
    identity = _identity(context, sign_in_id, id_token, code)
    owner = context.identities.owner(name_of(context, identity))
    if owner is None:
        if not create:
            raise GameError("identity/unknown")
        made = players.create(context, {}, UNCONFIRMED_S)
        player = context.players.get(made["player"]["id"])
        try:
            _linked(context, _there(player), identity)
        except GameError:  # somebody else has just done the same
            context.players.delete(_there(player), None)
            raise GameError("identity/busy") from None
        return {**made, "created": True}
    player = _there(context.players.get(owner))
    if player.banned_at is not None:
        raise GameError("player/banned")
    return {**players.given_token(context, player, name), "created": False}


def _asked(ask: Callable[[], T]) -> T:
    """What a provider says. identity/refused, identity/unavailable."""
    from service.outgoing.oidc import IdentityRefusedError

    try:
        return ask()
    except IdentityRefusedError as refused:
        if refused.code == "unavailable":
            raise GameError("identity/unavailable") from None
        raise GameError("identity/refused", reason=refused.code) from None


def _there(player: StoredPlayer | None) -> StoredPlayer:
    """The player. identity/busy where there is none yet, or none any more."""
    if player is None:
        raise GameError("identity/busy")
    return player


def _identity(context: Context, sign_in_id: str, id_token: str | None, code: str | None) -> Identity:
    """Who has signed in. identity/no_sign_in, identity/refused, identity/unavailable."""
    begun, every = context.sign_ins.get(sign_in_id), _providers(context.settings.oidc_providers)
    provider = None if begun is None else every.get(begun.provider)
    if begun is None or provider is None:
        raise GameError("identity/no_sign_in")
    uri = begun.redirect_uri
    if code is not None and uri is None:
        raise GameError("identity/refused", reason="code")

    def verified() -> Identity:
        token = id_token if code is None else every.redeemed(provider, code, begun.verifier, uri or "")
        return every.verified(provider, token or "", begun.nonce, context.now_ms() // 1000)

    identity = _asked(verified)
    if not context.sign_ins.complete(sign_in_id):
        raise GameError("identity/no_sign_in")
    return identity


def name_of(context: Context, identity: Identity) -> str:
    """By which an identity is claimed: a digest of issuer and subject."""
    provider = _providers(context.settings.oidc_providers).get(identity.provider)
    issuer = "" if provider is None else provider.issuer
    return digest_of(f"{issuer} {identity.subject}")
