"""Operation of the service: embedded Redis, supervisor, doctor, logs.

This file imports nothing, because `parent_death` runs once for each supervised program and must start fast.
"""
