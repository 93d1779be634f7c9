"""`python -m workers.warm`: compile what this machine has not compiled yet, rules and search, so that later starts
are quick and several processes do not compile the same at once.
"""

from __future__ import annotations

from workers.search import search

if __name__ == "__main__":
    assert search.STYLE  # noqa: S101 - importing it is what compiles
