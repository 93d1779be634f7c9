"""One pass of a keeper over pending work, in the test process."""

from __future__ import annotations

from service.usecases.base.context import Context
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch


def wake_due(context: Context) -> int:
    """Advance clocks, and wake workers and dialers. Return the number of clocks advanced plus the jobs sent."""
    back_off = duties.BackOff()
    return duties.apply_timeouts(context, back_off) + duties.wake_due(context, back_off).done


def send_webhooks(context: Context) -> int:
    """Create deliveries and send them if outgoing calls are enabled. Return the number of jobs sent."""
    if not context.settings.allows_calls:
        return 0
    dispatch.drain(context)
    return dispatch.send_due(context).done
