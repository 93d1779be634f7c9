"""A position as text, from its JSON only and for any ruleset.

A part is on one line if it fits; otherwise its members are on indented lines. Lists of equally long rows become grids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from azul_games_client.models import Game as View

WIDTH = 110
FREE = "·"
QUIET = {
    *("ruleset", "variant", "phase", "round", "seats", "to_decide", "score"),  # shown in the heading
    *("bag", "tower", "box_lid", "unseen", "supply_tiles", "next_seat", "start_seat"),  # rarely needed
}


def words(name: str) -> str:
    """Return a name with spaces."""
    return name.replace("_", " ")


def inline(value: Any) -> str:
    """Return JSON on one line: counts as `2 blue, 1 red`, a hexagon as `blue bird`, a space as `(1,-2)`."""
    if value is None or value in ([], {}):
        return FREE
    if isinstance(value, list):
        if len(value) == 2 and all(type(item) is int for item in value):
            return f"({value[0]},{value[1]})"
        return ", ".join(inline(item) for item in value)
    if isinstance(value, dict):
        return _object(value)
    return words(str(value))


def _object(value: dict[str, Any]) -> str:
    if value.keys() == {"colour", "pattern"}:
        return words(f"{value['colour']} {value['pattern']}")
    if value.keys() == {"capacity", "colour", "count"}:
        return f"{value['count']}/{value['capacity']} {inline(value['colour'])}"
    if all(type(count) is int for count in value.values()):
        return ", ".join(f"{count} {words(name)}" for name, count in value.items())
    shown = {name: part for name, part in value.items() if part not in (None, False, [], {})}
    return " ".join(words(name) if part is True else f"{_label(name)}{inline(part)}" for name, part in shown.items())


def _label(name: str) -> str:
    return "" if name in {"hexagon", "space"} else f"{words(name)} "


def _grid(rows: list[list[Any]]) -> list[str]:
    width = max(len(inline(cell)) for row in rows for cell in row)
    return [" ".join(inline(cell).ljust(width) for cell in row).rstrip() for row in rows]


def block(name: str, value: Any) -> list[str]:
    """Return the lines of a part of a position: `name: value`, or the name and indented members."""
    rows = list(value.values()) if isinstance(value, dict) else value
    if isinstance(rows, list) and rows and all(isinstance(row, list) and len(row) == len(rows[0]) > 2 for row in rows):
        titles = [words(key) for key in value] if isinstance(value, dict) else [str(n) for n in range(len(rows))]
        width = max(map(len, titles))
        lines = [f"{title:>{width}}  {row}" for title, row in zip(titles, _grid(rows), strict=True)]
        return [f"{words(name)}:", *_indent(lines)]
    separator = " | " if isinstance(value, list) and any(isinstance(part, dict) for part in value) else ", "
    text = separator.join(map(inline, value)) if value and isinstance(value, list) else inline(value)
    line = f"{words(name)}: {text}"
    if len(line) <= WIDTH:
        return [line]
    if isinstance(value, list):
        value = {str(number): part for number, part in enumerate(value)}
    return [f"{words(name)}:", *_indent(_blocks(value))] if isinstance(value, dict) else [line]


def _blocks(parts: dict[str, Any]) -> list[str]:
    shown = {name: part for name, part in parts.items() if name not in QUIET and part not in (None, False, 0)}
    return [line for name, part in shown.items() for line in block(name, part)]


def _indent(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def render(view: View) -> str:
    """Return the table of a started game: the middle, then each seat."""
    position = {} if view.position is None else view.position.to_dict()
    lines = [f"{view.ruleset}, {view.variant}: round {position.get('round')}, {words(str(position.get('phase')))}"]
    lines += _blocks(position)
    for number, (seat, board) in enumerate(zip(view.seats, position.get("seats", []), strict=False)):
        mark = " <- to decide" if number == view.to_decide else ""
        lines.append(f"seat {number}, {seat.name or seat.level or seat.kind}: {seat.score} points{mark}")
        lines += _indent(_blocks(board))
    return "\n".join(lines)
