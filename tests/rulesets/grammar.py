"""The guide's page on notation, read: its grammars as regular expressions, and its examples.

No rule there refers to itself, so a rule is a regular expression once its names are replaced.
"""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "notation.md"
TITLES = {"azul": "Azul", "summer-pavilion": "Summer Pavilion", "queens-garden": "Queen's Garden"}
SYMBOL = re.compile(r'"([^"]*)"|(\[[^\]]+\])|([a-z-]+)|([()?*+|])|\s+')


def section(title: str) -> str:
    """The text below a heading."""
    return PAGE.read_text("utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]


def examples(ruleset: str) -> list[str]:
    """The notations in the table of a ruleset."""
    return re.findall(r"^\| `([^`]+)` \|", section(TITLES[ruleset]), re.MULTILINE)


def rules(ruleset: str) -> dict[str, str]:
    """What stands right of `::=`, by the rule's name: those of all rulesets, and those of this one."""
    blocks = re.findall(r"```ebnf\n(.*?)```", section("For all rulesets") + section(TITLES[ruleset]), re.DOTALL)
    lines = re.sub(r"\n\s+", " ", "".join(blocks)).strip().split("\n")
    split = (line.partition("::=") for line in lines)
    return {name.strip(): right for name, _, right in split}


def expression(ruleset: str, name: str) -> re.Pattern[str]:
    """What a rule stands for."""
    return re.compile(_expanded(rules(ruleset), name))


def _expanded(known: dict[str, str], name: str) -> str:
    right, at, written = known[name], 0, ""
    while at < len(right):
        symbol = SYMBOL.match(right, at)
        assert symbol, right[at:]
        literal, among, other, sign = symbol.groups()
        if literal is not None:
            written += re.escape(literal)
        elif other is not None:
            written += _expanded(known, other)
        else:
            written += among or sign or ""
        at = symbol.end()
    return f"(?:{written})"
