"""A keeper's look at what is due, as a test needs it: once, and in the test's own process."""

from __future__ import annotations

from service.usecases.base.context import Context
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch


def wake_due(context: Context) -> int:
    """Keep the times and wake workers and dialers: how many times were written and jobs sent."""
    back_off = duties.BackOff()
    return duties.keep_times(context, back_off) + duties.wake_due(context, back_off).done


def tell_webhooks(context: Context) -> int:
    """Make deliveries and have them tried, where calls are allowed: how many jobs were sent."""
    if not context.settings.calls:
        return 0
    dispatch.drain(context)
    return dispatch.send_due(context).done
