"""The number of seats, in a module of its own for processes that must not load the kernel."""

from __future__ import annotations

MAX_SEATS = 4
