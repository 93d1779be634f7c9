"""Requests with members that depend on each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import ValidationError, validates_schema

from service.rulesets.wire import Json, nested_messages
from service.web.api import Request

Faults = dict[str, str]
"""Error messages by JSON pointer."""


class Members(NamedTuple):
    """The members of a request as `given`, and as loaded if they are `valid`.

    A list with wrong items is in `valid`, too: with None, or what is valid in the item, in their places.
    """

    valid: Json
    given: Mapping[str, Any]


class CheckedRequest(Request):
    """A request that reports contradictions together with the errors of single members."""

    def contradictions(self, members: Members) -> Faults:
        """Return contradictions between the valid members."""
        raise NotImplementedError

    @validates_schema(skip_on_field_errors=False, pass_original=True)
    def _report_contradictions(self, valid: Json, given: Any, **_: Any) -> None:
        if isinstance(given, Mapping) and (faults := self.contradictions(Members(valid, given))):
            raise ValidationError(nested_messages(faults))
