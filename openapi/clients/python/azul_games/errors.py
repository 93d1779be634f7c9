"""What can go wrong: the service refuses, or answers what its document does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import httpx

if TYPE_CHECKING:  # `azul_games.mcp` needs nothing that is generated
    from azul_games_client.types import Response

T = TypeVar("T")


class ServiceError(Exception):
    """A refusal, as the problem document (RFC 9457) tells it.

    `code`: for programs, `family/name`, never changes (`http/<status>` where the service itself did not speak);
    `status`: of HTTP; `errors`: of `request/invalid`, each fault with `in`, `pointer` and `detail`;
    `retry_after`: seconds, or None; `problem`: the whole document.
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
    """An analysis or a tournament that will not be done; ask again."""


def retry_after(response: httpx.Response) -> float | None:
    """Seconds that an answer asks to wait; None where it does not."""
    told = response.headers.get("Retry-After", "")
    return float(told) if told.isdigit() else None


def raise_refusals(response: httpx.Response) -> None:
    """ServiceError for each answer of 400 and more; for httpx's event hooks."""
    if not response.is_error:
        return
    response.read()
    try:
        problem = response.json()
    except ValueError:
        problem = {"title": response.reason_phrase}
    raise ServiceError(response.status_code, problem, retry_after(response))


def answered(kind: type[T], answer: Response[Any]) -> T:
    """The answer's content, of the kind that is expected; TypeError for anything else."""
    if not isinstance(answer.parsed, kind):
        raise TypeError(f"the service answered {answer.status_code}, which is no {kind.__name__}")
    return answer.parsed
