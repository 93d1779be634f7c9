"""`python -m service.operate.reference_pages`, or `make docs`: write the generated pages of docs/reference.

The page of settings is made from `service.settings`, the page of make targets from the Makefile, and the page of
growing sets from the document.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from service.settings import DAY_S, SETTINGS, Setting

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"
GENERATED = "This page is generated from `{source}` by `make docs`. Do not edit it."
TOPICS = {
    "Web server": ("HOST", "PORT", "WEB_WORKERS", "PUBLIC_URL", "TRUSTED_PROXIES", "CORS_ORIGINS", "FRAME_ANCESTORS"),
    "Storage": (
        "DATA_DIR",
        "REDIS_URL",
        "QUEUE_URL",
        "REDIS_PORT",
        "REDIS_MAX_MB",
        "BUCKETS",
        "ARCHIVE_URL",
        "GAME_TTL_S",
        "FINISHED_TTL_S",
        "PLAYER_TTL_S",
        "TASK_TTL_S",
    ),
    "AI and background work": (
        "WORKERS",
        "SEARCH_THREADS",
        "BACKGROUND_WORKERS",
        "BACKGROUND_NICE",
        "KEEPERS",
        "BOT_ARENA_GAMES",
    ),
    "Players": ("ADMIN_TOKEN", "CONTACT", "OIDC_PROVIDERS", "LINK_PLAYERS", "GONE_S"),
    "Outgoing calls and push": ("OUTGOING", "OUTGOING_PORTS", "DIALERS", "VAPID_PRIVATE_KEY", "PUSH_CONTACT"),
    "Limits": (
        "RATE_LIMITS",
        "LIMIT_READS",
        "LIMIT_ACTIONS",
        "LIMIT_GAMES",
        "LIMIT_HANDLES",
        "LIMIT_GUESSES",
        "LIMIT_ANALYSES",
        "LIMIT_BACKGROUND",
        "LIMIT_STREAMS",
        "LIMIT_OPEN_GAMES",
        "LIMIT_SHARE",
        "API_KEYS",
        "API_KEY_REQUIRED",
    ),
    "Logs and metrics": ("LOG_LEVEL", "LOG_FORMAT", "ACCESS_LOG", "HEARTBEAT_FILE", "METRICS_HOST", "METRICS_PORT"),
    "Language models (MCP)": ("MCP_HOST", "MCP_PORT", "MCP_NAMES"),
}
CODE = re.compile(
    r"""`[^`]*`|[A-Z]+=(?:'[^']*'|"[^"]*"|[\w/.-]+)|\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT|WORKERS|OUTGOING)\b|LIMIT_\*"""
    r"|X-[\w-]+\*?|/embed/GAME|/play\b|\b[a-z0-9+]+://[\w/]*|\b(?:openapi|service|docs|var)/[\w./*-]*"
)
"""Words of a description that are code."""
SETTINGS_INTRODUCTION = """\
Settings are environment variables. An empty variable counts as not set. The service validates all settings at start-up
and refuses to start if one is invalid. `make doctor` prints the settings with their current values.

`make serve` passes its variables on: `PORT=9000 WORKERS=4 make serve` or `make serve PORT=9000 WORKERS=4`."""
TARGETS_INTRODUCTION = """\
Everything runs in a virtual environment in `.venv`, which the first command creates.

| variable | example | effect |
|---|---|---|
| `ARGS` | `make test ARGS='tests/web -x'` | options for the program that the target runs |
| `PROCESSES` | `make test PROCESSES=0` | number of test processes; 0: run all tests in one process, for `--pdb` |
| `PYTHON` | `make serve PYTHON=/path/to/python3.12` | the Python that creates the virtual environment |
| `VENV` | `make serve VENV=/path/to/environment` | folder of the virtual environment |"""

GROWTH_INTRODUCTION = """\
Later versions of the service may add values to these sets and variants to these unions, with new members. Clients must
accept values that they do not know: show the `text`, a default, or nothing. In requests, the sets are closed, and an
unknown value is refused with 422 and the field. See [Growth](concepts.md#growth).

The codes of problems may grow, too. [Errors](../guides/errors.md) explains them."""
KNOWN = "x-extensible-enum"
UNION = "x-discriminator"


def settings_page() -> str:
    """Return the Markdown of docs/reference/settings.md."""
    known = {setting.name: setting for setting in SETTINGS}
    sections = {
        topic: _table(
            ("setting", "default", "description", "accepted values"),
            (
                (f"`{name}`", _default(known[name]), _cell(known[name].meaning), _cell(known[name].accepted))
                for name in names
            ),
        )
        for topic, names in TOPICS.items()
    }
    return _page(
        "Settings", "Look up every setting of the service.", "service/settings.py", SETTINGS_INTRODUCTION, sections
    )


def targets_page() -> str:
    """Return the Markdown of docs/reference/make-targets.md."""
    sections = {
        topic: _table(("command", "what it does"), ((f"`make {name}`", _cell(text)) for name, text in targets))
        for topic, targets in make_targets((ROOT / "Makefile").read_text("utf-8")).items()
    }
    return _page("Make targets", "Look up every command of the Makefile.", "Makefile", TARGETS_INTRODUCTION, sections)


def growth_page() -> str:
    """Return the Markdown of docs/reference/growing-sets.md."""
    source = ROOT / "openapi" / "openapi.json"
    schemas = json.loads(source.read_text("utf-8"))["components"]["schemas"]
    sets = ((f"`{name}`", _words(known)) for name, known in growing_sets(schemas))
    unions = ((name, schema[UNION]) for name, schema in sorted(schemas.items()) if UNION in schema)
    variants = ((f"`{name}.{union['propertyName']}`", _words(union["mapping"])) for name, union in unions)
    sections = {
        "Sets": _table(("set", "values so far"), sets),
        "Unions": _table(("union", "variants so far"), variants),
    }
    purpose = "Look up what later versions of the service may add to."
    return _page("Growing sets", purpose, "openapi/openapi.json", GROWTH_INTRODUCTION, sections)


def growing_sets(schemas: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield name and known values of the schemas, and of the members of schemas, that may get more values."""
    for name, schema in sorted(schemas.items()):
        if KNOWN in schema:
            yield name, schema[KNOWN]
        for member, described in schema.get("properties", {}).items():
            inner = described
            while "items" in inner:
                inner = inner["items"]
            if KNOWN in inner:
                yield f"{name}.{member}", inner[KNOWN]


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def make_targets(makefile: str) -> dict[str, list[tuple[str, str]]]:
    """Return (target, description) of the targets with a `##` comment, by the `##@` heading above them."""
    found, targets = dict[str, list[tuple[str, str]]](), list[tuple[str, str]]()
    for line in makefile.splitlines():
        if line.startswith("##@ "):
            targets = found.setdefault(line.removeprefix("##@ "), [])
        elif match := re.match(r"([a-z][a-z -]*):.*?## (.*)", line):
            targets += [(name, match[2]) for name in match[1].split()]
    return found


def _default(setting: Setting) -> str:
    if setting.name == "WORKERS":
        return "number of CPU cores"
    if setting.name.endswith("_S") and int(setting.default) % DAY_S == 0:
        return f"`{setting.default}` ({int(setting.default) // DAY_S} days)"
    return f"`{setting.default}`" if setting.default else "empty"


def _cell(text: str) -> str:
    """Return the text with code in backticks, and with the other asterisks escaped."""
    parts = CODE.sub(lambda match: f"`{match[0].strip('`')}`", text).split("`")
    parts[::2] = [part.replace("*", r"\*") for part in parts[::2]]
    return "`".join(parts)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])


def _page(title: str, purpose: str, source: str, introduction: str, sections: Mapping[str, str]) -> str:
    parts = [f"# {title}", f"{purpose} {GENERATED.format(source=source)}", introduction]
    return "\n\n".join([*parts, *(f"## {topic}\n\n{table}" for topic, table in sections.items())]) + "\n"


PAGES = {"settings.md": settings_page, "make-targets.md": targets_page, "growing-sets.md": growth_page}


def main() -> int:
    """Write the pages; return the exit status."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
