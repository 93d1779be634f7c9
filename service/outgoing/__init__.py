"""Calls to the outside: whom they may reach (dialer), and how they are signed (signing). Knows no games, no Redis."""
