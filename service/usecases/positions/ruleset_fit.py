"""Check the settings that depend on the ruleset."""

from __future__ import annotations

from service.rulesets.registry import RULESETS


def ruleset_errors(ruleset_id: str | None, variant: str | None, seats: int | None) -> dict[str, str]:
    """Return errors in the variant and the number of seats, by JSON pointer. None is not checked."""
    if (ruleset := RULESETS.get(ruleset_id or "")) is None:
        return {}
    errors = {}
    if variant is not None and variant not in ruleset.variants:
        errors["/variant"] = f"must be one of: {', '.join(ruleset.variants)}"
    if seats is not None and seats not in ruleset.seat_counts:
        errors["/seats"] = f"must be one of these numbers: {', '.join(map(str, ruleset.seat_counts))}"
    return errors
