"""Bodies of requests, from what a script says to the generated models, with nothing lost on the way.

The models leave out what they do not know, so that a name with a typing error would say nothing and do nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar


class Model(Protocol):
    """A generated model."""

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        """From JSON."""

    def to_dict(self) -> dict[str, Any]:
        """To JSON."""


M = TypeVar("M", bound=Model)


def read(kind: type[M], body: dict[str, Any]) -> M:
    """The model of a body. ValueError where the document knows no body like this."""
    try:
        model = kind.from_dict(body)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise ValueError(f"{kind.__name__} cannot be {body}: {error}") from error
    if (said := model.to_dict()) != body:
        raise ValueError(f"{kind.__name__} cannot be {body}, only {said}")
    return model
