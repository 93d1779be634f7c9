"""Jobs that the queue's tests run in a real RQ worker."""

from __future__ import annotations

PLAYED: list[tuple[str, int, int]] = []


def note(game_id: str, revision: int, seat: int, _before: int) -> None:
    PLAYED.append((game_id, revision, seat))


def fail(game_id: str, revision: int, seat: int, _before: int) -> None:
    raise RuntimeError(f"{game_id} {revision} {seat}")
