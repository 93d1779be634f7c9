"""Shared checks fail as telling as those of a test do."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.rulesets.playing")
