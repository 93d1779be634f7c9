"""A keeper's look at what is due, as a test needs it: once, and in the test's own process."""

from __future__ import annotations

from service.cases import Cases, deliveries, due


def wake_due(cases: Cases) -> int:
    """Keep the times and wake workers and dialers: how many times were written and jobs sent."""
    back_off = due.BackOff()
    return due.keep_times(cases, back_off) + due.wake_due(cases, back_off).done


def tell_webhooks(cases: Cases) -> int:
    """Make deliveries and have them tried, where calls are allowed: how many jobs were sent."""
    if not cases.settings.calls:
        return 0
    deliveries.drain(cases)
    return deliveries.send_due(cases).done
