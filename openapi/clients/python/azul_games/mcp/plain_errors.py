"""Errors of tools in plain words: which argument is wrong, and its legal values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ValidationError

LONGEST_VALUE = 60
NOUNS = {"array": "a list", "boolean": "true or false", "null": "null", "object": "an object", "string": "text"}
NUMBERS = {"integer": "an integer", "number": "a number"}


READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ACTS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class PlainTool(Tool):
    """A tool that rejects unknown arguments. Its errors contain no names of Python types."""

    @classmethod
    def describe(cls, function: Callable[..., Any], title: str, annotations: ToolAnnotations) -> Self:
        """Return the tool for a function."""
        tool = cls.from_function(function, title=title, annotations=annotations)
        tool.parameters["additionalProperties"] = False
        return tool  # type: ignore[return-value]  # `from_function` returns an instance of the class

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:  # noqa: FBT001, FBT002 - the SDK's signature
        """Run the tool.

        Raises:
            ToolError: The message says what is wrong, without the SDK's prefix.

        """
        known = self.parameters.get("properties", {})
        if unknown := [name for name in arguments if name not in known]:
            takes = f"Its arguments are: {', '.join(known)}." if known else "It has no arguments."
            raise ToolError(f"{self.name} has no argument {', '.join(map(json.dumps, unknown))}. {takes}")
        try:
            return await super().run(arguments, context, convert_result)
        except UnexpectedToolError:
            raise
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                faults = [(one["loc"], one["type"], one["input"]) for one in cause.errors()]
                raise ToolError("\n".join(_sentence(self.parameters, *fault) for fault in faults)) from error
            raise ToolError(str(cause or error)) from error


def require_one_of(legal: Iterable[str], value: str, *place: str | int) -> None:
    """Check the value of an argument.

    Raises:
        ToolError: It is not legal. The message lists the legal values.

    """
    words = list(legal)
    if value not in words:
        raise ToolError(f"{place_name(place)} must be one of: {', '.join(words)}; not {json.dumps(value)}.")


def place_name(place: Sequence[str | int]) -> str:
    """Return a place in arguments in words, such as `seats, item 2`. Items count from 1."""
    return ", ".join(f"item {part + 1}" if isinstance(part, int) else part for part in place)


def _sentence(schema: Mapping[str, Any], place: Sequence[str | int], kind: str, value: Any) -> str:
    argument = inner = schema["properties"][place[0]]
    for part in place[1:]:
        inner = inner["items"] if isinstance(part, int) else inner
    meaning = argument.get("description", "")
    if kind == "missing":
        return f"{place_name(place)} is missing. {meaning}".rstrip()
    shown = json.dumps(value, default=str, ensure_ascii=False)
    shown = shown if len(shown) <= LONGEST_VALUE else f"{shown[:LONGEST_VALUE]}…"
    return f"{place_name(place)} must be {_legal_values(inner)}, not {shown}. {meaning}".rstrip()


def _legal_values(schema: Mapping[str, Any]) -> str:
    """Return the values that a JSON schema allows, in words."""
    if "anyOf" in schema:
        return " or ".join(_legal_values(one) for one in schema["anyOf"])
    if "enum" in schema:
        return f"one of: {', '.join(schema['enum'])}"
    kind = schema["type"]
    if kind in NUMBERS:
        return NUMBERS[kind] + _range(schema.get("minimum"), schema.get("maximum"))
    if kind == "array":
        return f"a list of{_range(schema.get('minItems'), schema.get('maxItems')).removeprefix(' from')} texts"
    return schema.get("title", NOUNS[kind]) if "pattern" in schema else NOUNS[kind]


def _range(least: float | None, most: float | None) -> str:
    if least is None and most is None:
        return ""
    if most is None:
        return f" of at least {least}"
    return f" from {least or 0} to {most}"
