"""Tests of which a part stands for all: the others are left to `make nightly`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(number: int, cases: Iterable[Any]) -> list[Any]:
    """For `parametrize`: every so many-th case, from the first on; the others are marked `nightly`."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly if k % number else ())
        for k, case in enumerate(cases)
    ]
