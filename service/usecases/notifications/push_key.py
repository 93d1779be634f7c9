"""The key by which push services know this service."""

from __future__ import annotations

from service.outgoing import web_push
from service.usecases.base.context import Context


def private_key(context: Context) -> str:
    """The operator's, or the one that the store keeps."""
    return context.settings.vapid_private_key or context.push_keys.kept(web_push.new_private_key)


def public_key(context: Context) -> str:
    """What a device subscribes with."""
    return web_push.public_key(private_key(context))
