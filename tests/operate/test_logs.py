"""Logs: JSON for programs and text for people, also for records of libraries."""

from __future__ import annotations

import io
import json
import logging
import sys
import threading
from datetime import datetime

import pytest
import structlog

from service.operate.observability.logs import configure, write


@pytest.fixture
def stream(restored_logging: None) -> io.StringIO:
    return io.StringIO()


def test_record_is_one_line_of_json_if_the_output_is_no_terminal(stream: io.StringIO) -> None:
    configure("INFO", "auto", stream)
    structlog.get_logger("service.web").info("answered", status=200, path="/v1/games")
    (line,) = stream.getvalue().splitlines()
    record = json.loads(line)
    assert record.pop("timestamp").endswith("Z")
    expected = {
        "event": "answered",
        "status": 200,
        "path": "/v1/games",
        "level": "info",
        "logger": "service.web",
    }
    assert expected == record


def test_record_in_text_format_is_one_readable_line(stream: io.StringIO) -> None:
    configure("INFO", "text", stream)
    structlog.get_logger("service.web").info("answered", status=200)
    (line,) = stream.getvalue().splitlines()
    assert line.partition(" ")[2] == "[info] answered [service.web] status=200"


def test_records_of_libraries_have_the_same_form(stream: io.StringIO) -> None:
    configure("INFO", "json", stream)
    logging.getLogger("gunicorn.error").warning("lost %d", 3)
    record = json.loads(stream.getvalue())
    assert (record["event"], record["level"], record["logger"]) == ("lost 3", "warning", "gunicorn.error")


def test_records_below_the_level_are_omitted(stream: io.StringIO) -> None:
    configure("WARNING", "json", stream)
    structlog.get_logger("a").info("quiet")
    logging.getLogger("b").info("quiet")
    assert stream.getvalue() == ""


def test_record_contains_its_exception(stream: io.StringIO) -> None:
    configure("INFO", "json", stream)
    try:
        int("here")
    except ValueError:
        structlog.get_logger("a").exception("failed")
    record = json.loads(stream.getvalue())
    assert "ValueError: invalid literal" in record["exception"]


def test_uncaught_exception_of_a_process_or_thread_is_a_record_without_secrets(stream: io.StringIO) -> None:
    configure("INFO", "json", stream, ["hush"])
    thread = threading.Thread(target=lambda: int("hush"))
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError("hush"), None)
    records = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert ["critical", "critical"] == [record["level"] for record in records]
    assert all("ValueError" in record["exception"] for record in records)
    assert "hush" not in stream.getvalue()


@pytest.mark.parametrize("log_format", ["json", "text"])
def test_frequent_record_has_the_same_form_as_others(stream: io.StringIO, log_format: str) -> None:
    configure("INFO", log_format, stream, ("the operator's secret",))
    fields = {
        "request_id": "abc",
        "status": 200,
        "duration_ms": 0.5,
        "token": "hidden",
        "said": "the operator's secret",
    }
    structlog.get_logger("access").info("request", **fields)
    write("access", "request", {**fields})
    by_structlog, by_write = stream.getvalue().splitlines()
    if log_format == "json":
        expected, actual = json.loads(by_structlog), json.loads(by_write)
        assert datetime.fromisoformat(expected.pop("timestamp")) <= datetime.fromisoformat(actual.pop("timestamp"))
        assert expected == actual
        assert ("***", "***", "abc") == (actual["token"], actual["said"], actual["request_id"])
    else:
        assert by_structlog.partition(" ")[2] == by_write.partition(" ")[2]


@pytest.mark.parametrize(
    "secret",
    [
        *("the operator's", "whsec_c2VjcmV0", "WHSEC_c2VjcmV0", "Bearer abc", "redis://:pass@host", "b'0123456789'"),
        *("A" * 43, "0a" * 32),
    ],
)
def test_frequent_records_contain_no_secrets(stream: io.StringIO, secret: str) -> None:
    configure("INFO", "json", stream, ("the operator's",))
    write("access", "request", {"request_id": "abc", "game": secret, "status": 200})
    assert "***" in json.loads(stream.getvalue())["game"]
    assert secret not in stream.getvalue()


@pytest.mark.usefixtures("restored_logging")
def test_frequent_record_is_written_to_the_last_configured_stream_at_level_info() -> None:
    streams = io.StringIO(), io.StringIO(), io.StringIO()
    for stream, level in zip(streams, ("INFO", "DEBUG", "WARNING"), strict=True):
        configure(level, "json", stream)
        write("access", "request", {"request_id": "abc"})
    assert [1, 1, 0] == [len(stream.getvalue().splitlines()) for stream in streams]
