"""Secrets are removed from log records, whatever their form and place; everything else is unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from service.operate.observability import redaction
from service.operate.observability.redaction import Redaction

TOKEN, SEED = "r-1K8m0Yx3vQ_" + "aB9" * 10, "0f" * 32


def redact(record: dict[str, Any], *known: str) -> Any:
    """Return the record after the processor."""
    return Redaction(known)(None, "info", record)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Bearer {TOKEN}", "Bearer ***"),
        ("authorization: bearer abc", "authorization: bearer ***"),
        (f"token {TOKEN} ends", "token *** ends"),
        (f"q7Wz0nYk3xTb9LmA.{TOKEN}", "q7Wz0nYk3xTb9LmA.***"),
        (f"/v1/games/x/events?ticket={TOKEN}&after=1", "/v1/games/x/events?ticket=***&after=1"),
        (f"seed={SEED}", "seed=***"),
        (SEED.upper(), "***"),
        ("whsec_MDEyMzQ1Njc4OWFiY2RlZg==", "whsec_***"),
        ("redis://user:hush@host:1/0", "redis://user:***@host:1/0"),
        ("redis://:hush@host", "redis://:***@host"),
        (f"drawn from {bytes(range(32))!r}", "drawn from ***"),
    ],
)
def test_text_with_the_form_of_a_secret_is_blanked(text: str, expected: str) -> None:
    assert {"event": expected} == redact({"event": text})


@pytest.mark.parametrize(
    "text",
    [
        "q7Wz0nYk3xTb9LmA-17-0-1",  # a job
        "game=q7Wz0nYk3xTb9LmA revision=17",
        "0123456789abcdef",  # a request's id
        "http://127.0.0.1:8000/v1",
        "unix:///var/redis.sock?db=0",
        "b'short'",
        "/v1/games/q7Wz0nYk3xTb9LmA/actions",
        "service/usecases/games/playing.py, line 120, in perform",
    ],
)
def test_text_without_a_secret_is_unchanged(text: str) -> None:
    assert {"event": text} == redact({"event": text})


@pytest.mark.parametrize("name", ["token", "tokens", "seed", "secret", "Authorization", "password", "X-Api-Key"])
def test_fields_named_like_a_secret_are_blanked_at_any_depth(name: str) -> None:
    assert {"event": "x", name: "***"} == redact({"event": "x", name: "anything"})
    assert {"a": [{name: "***"}]} == redact({"a": [{name: {"b": 1}}]})


def test_secrets_of_the_settings_and_of_the_present_request_are_blanked_literally(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redaction, "SECRET_SOURCES", [lambda: ["two", ""]])
    assert {"event": "*** and ***"} == redact({"event": "one and two"}, "one", "")


def test_numbers_and_null_are_unchanged() -> None:
    record = {"status": 200, "took": 0.5, "ok": True, "none": None, "levels": ["a", 1]}
    assert record == redact(dict(record))


def test_object_is_logged_as_text_without_its_secrets() -> None:
    assert {"error": "it was ***"} == redact({"error": ValueError(f"it was {TOKEN}")})
