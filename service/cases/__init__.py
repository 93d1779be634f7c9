"""The use cases: what anybody may want of a game. The only place that orders load -> check -> append -> wake."""

from service.cases.context import Caller, Cases, Idempotency, Written, open_cases

__all__ = ["Caller", "Cases", "Idempotency", "Written", "open_cases"]
