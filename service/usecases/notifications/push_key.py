"""VAPID key with which push services identify this service."""

from __future__ import annotations

from service.outgoing import web_push
from service.usecases.base.context import Context


def private_key(context: Context) -> str:
    """Return the configured private key, or the one stored in Redis."""
    return context.settings.vapid_private_key or context.push_keys.get_or_create(web_push.new_private_key)


def public_key(context: Context) -> str:
    """Return the public key with which devices subscribe."""
    return web_push.public_key(private_key(context))
