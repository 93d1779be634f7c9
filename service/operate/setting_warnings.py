"""Faults of the settings with which a process still runs. Its users get less than the operator meant."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache

from service.settings import SETTINGS, Settings

MISSPELT_SETTING, MCP_MISSING = "misspelt_setting", "mcp_missing"
INSTALL_MCP = "`make options` in a checkout, otherwise `pip install 'azul-games[mcp]'`"
SIMILARITY = 0.85
"""Share of equal letters from which a variable counts as a misspelt setting. WORKES has 0.92, HOSTNAME 0.67."""


def misspelt(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are not settings but look like one, each with that setting."""
    names = [setting.name for setting in SETTINGS]
    found = dict[str, str]()
    for variable in sorted(environment.keys() - set(names)):
        for name in get_close_matches(variable.upper(), names, 1, SIMILARITY):
            found[variable] = name
    return found


@cache
def misspelt_here() -> dict[str, str]:
    """Return the misspelt settings of this process's environment."""
    return misspelt(os.environ)


def is_mcp_missing(settings: Settings) -> bool:
    """Return whether the MCP server is turned on but cannot start."""
    return bool(settings.mcp_port) and importlib.util.find_spec("mcp") is None


def setting_warnings(settings: Settings) -> tuple[str, ...]:
    """Return the codes of the faults in this process's environment and settings."""
    found = {MISSPELT_SETTING: bool(misspelt_here()), MCP_MISSING: is_mcp_missing(settings)}
    return tuple(code for code, is_found in found.items() if is_found)


def describe_misspelt() -> list[str]:
    """Return a sentence for each misspelt setting of this process's environment."""
    return [
        f"{variable} is not a setting and is ignored. Did you mean {name}?"
        for variable, name in misspelt_here().items()
    ]
