"""Redis storage: keys, scripts and serialized games.

The layers above interpret events and views; this package stores their bytes. Of two concurrent writers only one wins, a
lost response neither loses nor repeats a move, and no key outlives its game. The package knows no rules, HTTP or use
cases.
"""
