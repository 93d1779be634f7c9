"""Output for people: aligned names, colours on terminals, whole lines."""

from __future__ import annotations

import io

import pytest

from service.operate.observability.output import MAX_LINE_BYTES, Lines, Output


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def output_line(stream: io.StringIO) -> str:
    output = Output(stream, ["web", "worker-1"])
    output.line("web", "hello")
    return stream.getvalue()


def test_names_are_coloured_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output_line(Terminal()) == "\x1b[36mweb     \x1b[0m | hello\n"


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert output_line(Terminal()) == "web      | hello\n"


def test_closed_stream_stops_only_the_output() -> None:
    stream = io.StringIO()
    output = Output(stream, ["web"])
    stream.close()
    output.line("web", "into the void")
    output.line("web", "again")


def test_bytes_become_whole_lines() -> None:
    lines = Lines()
    assert lines.feed(b"half a ") == []
    assert lines.feed(b"line\n\nanother\r\n\xc3") == ["half a line", "another"]
    assert lines.feed(b"\xa4 and the end\n") == ["ä and the end"]
    assert lines.feed(b"no newline") == []
    assert lines.feed(b"") == ["no newline"]


def test_an_endless_line_is_split_to_bound_memory() -> None:
    assert [len(text) for text in Lines().feed(b"x" * (MAX_LINE_BYTES + 1))] == [MAX_LINE_BYTES + 1]
