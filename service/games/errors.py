"""What can be wrong with what somebody wants of a game: one exception with a stable code.

A code is `family/name`. The web layer knows the HTTP status and the words of each; the code never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GameError(Exception):
    """A refusal. `detail`: a sentence; `extra`: members a program can use; `errors`: JSON pointer -> what is wrong."""

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        errors: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.extra = extra
        self.errors = dict(errors or {})
