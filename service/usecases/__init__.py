"""The use cases: what callers, keepers and workers do. Only they combine loading, checking, committing and waking.

Each package is a domain; `base` is what all of them need.
"""
