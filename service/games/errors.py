"""The exception for refused requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GameError(Exception):
    """A request that the service refuses.

    `code`: stable code such as `game/over`; the web layer defines its HTTP status and title. `detail`: a sentence.
    `errors`: error message by JSON pointer. `extra`: other members of the problem document.
    """

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
