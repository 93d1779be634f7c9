"""The rules of the games: pure functions over one NumPy record, compiled by Numba. Nothing here knows HTTP or Redis."""
