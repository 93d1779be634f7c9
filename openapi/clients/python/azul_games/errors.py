"""Errors: error responses, and responses that do not match the document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import httpx

if TYPE_CHECKING:  # `azul_games.mcp` works without the generated client
    from azul_games_client.types import Response

T = TypeVar("T")


class ServiceError(Exception):
    """An error response with a problem document (RFC 9457).

    `code`: stable code, or `http/<status>` if a proxy sent the response. `status`: HTTP status. `errors`: the invalid
    fields of `request/invalid`, with `in`, `pointer` and `detail`. `retry_after`: seconds, or None. `problem`: the
    whole document.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", f"http/{status}"))
        self.errors: list[dict[str, str]] = problem.get("errors", [])
        self.retry_after = retry_after
        faults = "".join(f"; {fault['pointer']} {fault['detail']}" for fault in self.errors)
        super().__init__(f"{self.code}: {problem.get('detail') or problem.get('title', '')}{faults}")


class TaskFailedError(Exception):
    """An analysis or tournament failed. A new request may succeed."""


def retry_after(response: httpx.Response) -> float | None:
    """Return the seconds in Retry-After, or None."""
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdigit() else None


def error_of(response: httpx.Response) -> ServiceError:
    """Return the error of an error response whose body has been read."""
    try:
        problem = response.json()
    except ValueError:
        problem = {"title": response.reason_phrase}
    return ServiceError(response.status_code, problem, retry_after(response))


def raise_refusals(response: httpx.Response) -> None:
    """Raise ServiceError for an error response. An event hook of httpx."""
    if response.is_error:
        response.read()
        raise error_of(response)


def expect(kind: type[T], answer: Response[Any]) -> T:
    """Return the content of the response. Raise TypeError if it has another type."""
    if not isinstance(answer.parsed, kind):
        raise TypeError(f"expected {kind.__name__} in the response, but its status is {answer.status_code}")
    return answer.parsed
