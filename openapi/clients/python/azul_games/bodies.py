"""Convert request bodies to generated models without losing members.

The models ignore unknown members, so a misspelt name would have no effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar


class Model(Protocol):
    """A generated model."""

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        """Load the model from JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return the model as JSON."""


M = TypeVar("M", bound=Model)


def read(kind: type[M], body: dict[str, Any]) -> M:
    """Return the model of a body. Raise ValueError for unknown or invalid members."""
    try:
        model = kind.from_dict(body)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise ValueError(f"{kind.__name__} cannot be {body}: {error}") from error
    if (known := model.to_dict()) != body:
        raise ValueError(f"{kind.__name__} cannot be {body}, only {known}")
    return model
