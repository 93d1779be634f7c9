"""Settings that enable traces, and calls while traces are off."""

from __future__ import annotations

import pytest

from service.operate.observability import tracing

AT = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "games"}, False),
        (AT, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({**AT, "OTEL_TRACES_EXPORTER": "none"}, False),
        ({**AT, "OTEL_TRACES_EXPORTER": "console"}, False),
        ({**AT, "OTEL_SDK_DISABLED": "TRUE"}, False),
        ({**AT, "OTEL_SDK_DISABLED": "false"}, True),
    ],
)
def test_standard_variables_enable_traces(env: dict[str, str], expected: bool) -> None:  # noqa: FBT001 - a table
    assert expected == tracing.is_requested(env)


def test_spans_have_no_effect_while_traces_are_off() -> None:
    with tracing.span("commit", game__id="x"):
        tracing.annotate(more=1)
        assert "" == tracing.traceparent()
    tracing.flush()
