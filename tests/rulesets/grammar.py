"""The page about notation: its grammars as regular expressions, and its examples.

Rules are not recursive, so each becomes a regular expression by inserting the others.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "notation.md"
TITLES = {"azul": "Azul", "summer-pavilion": "Summer Pavilion", "queens-garden": "Queen's Garden"}
SYMBOL = re.compile(r'"([^"]*)"|(\[[^\]]+\])|([a-z-]+)|([()?*+|])|\s+')


def section(title: str) -> str:
    """Return the text below a heading."""
    return PAGE.read_text("utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]


def examples(ruleset: str) -> list[str]:
    """Return the notations in the table of a ruleset."""
    return re.findall(r"^\| `([^`]+)` \|", section(TITLES[ruleset]), re.MULTILINE)


def rules(title: str) -> dict[str, str]:
    """Return the right sides of the rules by name: those of all rulesets and below this heading."""
    blocks = re.findall(r"```ebnf\n(.*?)```", section("For all rulesets") + section(title), re.DOTALL)
    lines = re.sub(r"\n\s+", " ", "".join(blocks)).strip().split("\n")
    split = (line.partition("::=") for line in lines)
    return {name.strip(): right for name, _, right in split}


@cache
def expression(ruleset: str, name: str) -> re.Pattern[str]:
    """Return a rule of a ruleset as a regular expression."""
    return re.compile(_expand(rules(TITLES[ruleset]), name))


def game_expression(name: str) -> re.Pattern[str]:
    """Return a rule of the text of a game as a regular expression."""
    return re.compile(_expand(rules("A game"), name))


def _expand(known: dict[str, str], name: str) -> str:
    right, at, written = known[name], 0, ""
    while at < len(right):
        symbol = SYMBOL.match(right, at)
        assert symbol, right[at:]
        literal, among, other, sign = symbol.groups()
        if literal is not None:
            written += re.escape(literal)
        elif other is not None:
            written += _expand(known, other)
        else:
            written += among or sign or ""
        at = symbol.end()
    return f"(?:{written})"
