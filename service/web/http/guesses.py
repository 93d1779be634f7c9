"""Limits on guesses of secrets, by address.

A response that says that a secret is wrong counts as a guess: of an operator's token, ticket, API key, invitation or
secret of a sign-in. When LIMIT_GUESSES is used up, such responses become `429 limit/requests`, and operators' tokens
from this address are not even compared, because operators choose them. The service chooses all other secrets at random,
so right ones are still accepted. Otherwise one user could lock out all users of an address.

Each process learns from its next wrong guess that an address has used up its budget. The count is in Redis, so this
allows at most one more guess per process.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable

from flask import g, request

from service.usecases.base import access
from service.usecases.base.memory import Memory
from service.web.http.auth import caller, context, token
from service.web.http.client_address import counted_address

STAFF_PATHS = "/v1/admin/"
SECRET_CODES = {
    *("auth/staff_only", "auth/ticket_unknown", "auth/api_key_unknown"),
    *("identity/wrong_secret", "competition/invitation"),
}
BEARER_CODES = {"auth/token_unknown", "auth/player_required", "auth/not_owner", "game/not_found"}
"""Codes of requests whose token may be a guess of an operator's token."""
RANDOM_TOKEN = re.compile(r"(?:.*\.)?[A-Za-z0-9_-]{43}")
"""The form of the service's own tokens. A wrong one has expired, for example with its game."""
MAX_ADDRESSES_REMEMBERED = 10_000


class Guesses:
    """Wrong secrets by address. `hit` counts one and returns how many are left, and the ms until all are."""

    def __init__(self, hit: Callable[[str], tuple[int, int] | None]) -> None:
        self._hit = hit
        self._free_at = Memory[str, float](MAX_ADDRESSES_REMEMBERED)  # monotonic s, by address without guesses left

    @property
    def wait_s(self) -> int:
        """Seconds until the address of the request may guess again; 0 if it may now."""
        free_at = self._free_at.peek(_address())
        return 0 if free_at is None else max(0, math.ceil(free_at - time.monotonic()))

    def count(self) -> int:
        """Count the request if its secret is wrong. Return 0, or if it must be refused the seconds to wait."""
        count = self._hit(_address()) if _is_wrong() else None
        if count is None or count[0] > 0:
            return 0
        left, wait_ms = count
        self._free_at.set(_address(), time.monotonic() + wait_ms / 1000)
        return 0 if left == 0 else max(1, math.ceil(wait_ms / 1000))


def is_for_operators() -> bool:
    """Return whether only the operator may make the request. Tokens of the staff are random, so they are compared."""
    is_theirs = request.url_rule is not None and request.url_rule.rule.startswith(STAFF_PATHS)
    return is_theirs and not access.STAFF_TOKEN.fullmatch(token() or "")


def _address() -> str:
    return counted_address(request.remote_addr or "")


def _is_wrong() -> bool:
    """Return whether the response says that a secret in the request is wrong."""
    code, bearer = g.get("problem_code"), token()
    if code == "auth/token_unknown" and is_for_operators():
        return True
    if code in BEARER_CODES and bearer is not None:
        return not RANDOM_TOKEN.fullmatch(bearer) and not access.is_admin(context(), caller())
    return code in SECRET_CODES
