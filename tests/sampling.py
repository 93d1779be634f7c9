"""Run a sample of similar tests, and leave the others to `make nightly`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(number: int, cases: Iterable[Any]) -> list[Any]:
    """Return parameters for `parametrize`. All but each `number`-th case are marked `nightly`."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly if k % number else ())
        for k, case in enumerate(cases)
    ]
