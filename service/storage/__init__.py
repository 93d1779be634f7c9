"""Where games are kept: Redis, and nothing but bytes.

Whoever stands above says what an event or a view *is*; this package says how it is kept so that
two writers never both win, a lost answer is never a lost or a doubled move, and nothing outlives
its game. It knows no rules, no HTTP, no use case.
"""
